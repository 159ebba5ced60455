/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "opencl/frame/bins.h"
#include "core/measure/difference.h"

#include <string.h>

typedef cl_uint FrameCounts[AMPHISTO_COUNTS];

gboolean
amphisto_cl_bins_prepare (
    AmphistoClBins *self, AmphistoClLauncher *launcher, GError **error)
{
  for (guint i = 0; i <= launcher->n_frames; i++) {
    if (self->bins[i] == NULL)
      self->bins[i] = amphisto_cl_buffer_new_zeroed (
          launcher->device, sizeof (FrameCounts), error);
    if (self->bins[i] == NULL)
      return FALSE;
  }
  return amphisto_cl_host_grow (&self->read, launcher->device,
      launcher->n_frames * sizeof (FrameCounts), error);
}

/* Binds the bins that the last frame has cleared, and the next bins in the
 * ring, which this frame clears: their own frame is done. The kernel that
 * counts frames clears them on the way; without it, they are overwritten with
 * zeros. */
gboolean
amphisto_cl_bins_next (AmphistoClBins *self, AmphistoClLauncher *launcher,
    const AmphistoPlan *plan, GError **error)
{
  static const FrameCounts zeros;
  const guint n_bins = launcher->n_frames + 1;
  const cl_mem bins = self->bins[self->current = (self->current + 1) % n_bins];
  const cl_mem next = self->bins[(self->current + 1) % n_bins];

  amphisto_cl_launcher_bind_buffer (launcher, AMPHISTO_CL_ARG_BINS, bins);
  amphisto_cl_launcher_bind_buffer (launcher, AMPHISTO_CL_ARG_NEXT_BINS, next);
  amphisto_cl_launcher_bind_buffer (launcher, AMPHISTO_CL_ARG_LUT_BINS,
      amphisto_plan_has_stage (plan, AMPHISTO_STAGE_SMOOTH)
          ? launcher->bound[AMPHISTO_CL_ARG_SMOOTHED].value.buffer
          : bins);
  return amphisto_plan_has_stage (plan, AMPHISTO_STAGE_HISTOGRAM)
      || amphisto_cl_command_queue_write (
          launcher->kernels, next, 0, zeros, sizeof zeros, error);
}

static guint64
read_sum (const cl_uint words[2])
{
  return (guint64) words[1] << 32 | words[0];
}

/* Stores the comparisons of luma and of the picture with the previous frame. */
static void
store_comparison (AmphistoClBins *self, const cl_uint *counts,
    const AmphistoJob *job, AmphistoHistograms *histograms)
{
  const AmphistoPlan *plan = job->plan;
  const guint64 luma = read_sum (counts + AMPHISTO_DIFFERENCE);
  const guint64 bytes = read_sum (counts + AMPHISTO_BYTE_DIFFERENCE);

  if (amphisto_plan_compares_luma (plan))
    amphisto_difference_compare (luma, histograms->bins[AMPHISTO_CHANNEL_LUMA],
        job->resets_comparison, self->previous, &histograms->comparison);
  if (amphisto_plan_compares_picture (plan) && !job->resets_picture)
    amphisto_picture_set_difference (&histograms->picture, &plan->part,
        amphisto_difference_of_picture (&plan->part, luma, bytes));
}

/* Stores the rest of the picture. Without a stage that counts them, there are
 * zeros. */
static void
store_picture (
    const cl_uint *counts, const AmphistoPlan *plan, AmphistoPicture *picture)
{
  if (amphisto_plan_has_stage (plan, AMPHISTO_STAGE_LETTERBOX))
    amphisto_picture_set_active (
        picture, &plan->region, counts + AMPHISTO_LETTERBOX);
  if (amphisto_plan_has_stage (plan, AMPHISTO_STAGE_SHARPNESS)) {
    const cl_uint *words = counts + AMPHISTO_LAPLACIAN;
    const AmphistoLaplacian sums = { (gint64) read_sum (words),
      read_sum (words + 2) };

    amphisto_picture_set_sharpness (picture, &plan->part, &sums);
  }
  if (amphisto_plan_checks_gamut (plan))
    amphisto_picture_set_out_of_gamut (
        picture, &plan->region, counts[AMPHISTO_OUT_OF_GAMUT]);
}

gboolean
amphisto_cl_bins_read (const AmphistoClBins *self,
    const AmphistoClLauncher *launcher, guint index, const AmphistoPlan *plan,
    cl_event *done, GError **error)
{
  FrameCounts *read = self->read->data;
  AmphistoClCommandQueue *downloads = launcher->downloads;
  const gsize size = amphisto_plan_has_stage (plan, AMPHISTO_STAGE_COMPARE)
          || amphisto_plan_has_picture (plan)
      ? sizeof (FrameCounts)
      : plan->params.frame.n_slots * AMPHISTO_CL_BINS_SIZE;

  return amphisto_cl_command_queue_check (downloads,
      clEnqueueReadBuffer (downloads->handle, self->bins[self->current],
          CL_FALSE, 0, size, read[index], AMPHISTO_CL_AFTER (downloads), done),
      "clEnqueueReadBuffer", error);
}

void
amphisto_cl_bins_collect (AmphistoClBins *self, guint index,
    const AmphistoJob *job, AmphistoHistograms *histograms)
{
  const cl_uint *counts = ((const FrameCounts *) self->read->data)[index];

  amphisto_cl_bins_store (counts, job->plan, histograms);
  store_comparison (self, counts, job, histograms);
  store_picture (counts, job->plan, &histograms->picture);
}

void
amphisto_cl_bins_store (const cl_uint *bins, const AmphistoPlan *plan,
    AmphistoHistograms *histograms)
{
  histograms->channels = plan->reported;
  histograms->comparison.has_previous = false;
  histograms->picture = (AmphistoPicture){ 0 };
  for (guint s = 0; s < plan->params.frame.n_slots; s++)
    memcpy (histograms->bins[plan->slot_channel[s]], bins + s * AMPHISTO_N_BINS,
        AMPHISTO_CL_BINS_SIZE);
}

void
amphisto_cl_bins_clear (AmphistoClBins *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->bins); i++)
    amphisto_cl_buffer_clear (&self->bins[i]);
  g_clear_pointer (&self->read, amphisto_cl_host_free);
  self->current = 0;
}
