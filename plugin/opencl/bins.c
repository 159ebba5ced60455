/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "opencl/bins.h"

#include <string.h>

/* The bins, and in the CPU shape the number of rows of each slot that are
 * taken. */
#define COUNTS_SIZE (AMPHISTO_COUNTS * sizeof (cl_uint))

typedef cl_uint FrameBins[AMPHISTO_MAX_SLOTS][AMPHISTO_N_BINS];

gboolean
amphisto_cl_bins_prepare (
    AmphistoClBins *self, AmphistoClQueue *queue, GError **error)
{
  for (guint i = 0; i <= queue->n_frames; i++) {
    if (self->bins[i] == NULL)
      self->bins[i] = amphisto_cl_queue_new_zeroed (queue, COUNTS_SIZE, error);
    if (self->bins[i] == NULL)
      return FALSE;
  }
  return amphisto_cl_queue_reserve_host (
      queue, &self->read, queue->n_frames * sizeof (FrameBins), error);
}

/* This frame gets the bins that the last frame cleared, and clears the next
 * bins in the ring, whose frame is done. */
void
amphisto_cl_bins_next (
    AmphistoClBins *self, AmphistoClQueue *queue, const AmphistoPlan *plan)
{
  const guint n_bins = queue->n_frames + 1;
  const cl_mem bins = self->bins[self->current = (self->current + 1) % n_bins];
  const cl_mem next = self->bins[(self->current + 1) % n_bins];

  amphisto_cl_queue_bind_buffer (queue, AMPHISTO_CL_ARG_BINS, bins);
  amphisto_cl_queue_bind_buffer (queue, AMPHISTO_CL_ARG_NEXT_BINS, next);
  amphisto_cl_queue_bind_buffer (queue, AMPHISTO_CL_ARG_LUT_BINS,
      amphisto_plan_has_stage (plan, AMPHISTO_STAGE_SMOOTH)
          ? amphisto_cl_queue_bound_buffer (queue, AMPHISTO_CL_ARG_SMOOTHED)
          : bins);
}

gboolean
amphisto_cl_bins_read (const AmphistoClBins *self, const AmphistoClQueue *queue,
    guint index, const AmphistoPlan *plan, cl_event *done, GError **error)
{
  FrameBins *read = self->read->data;
  AmphistoClCommands *downloads = queue->downloads;

  return amphisto_cl_commands_check (downloads,
      clEnqueueReadBuffer (downloads->queue, self->bins[self->current],
          CL_FALSE, 0, plan->params.frame.n_slots * AMPHISTO_CL_BINS_SIZE,
          read[index], AMPHISTO_CL_AFTER (downloads), done),
      "clEnqueueReadBuffer", error);
}

void
amphisto_cl_bins_collect (const AmphistoClBins *self, guint index,
    const AmphistoPlan *plan, AmphistoHistograms *histograms)
{
  const FrameBins *read = self->read->data;

  amphisto_cl_bins_store (read[index][0], plan, histograms);
}

void
amphisto_cl_bins_store (const cl_uint *bins, const AmphistoPlan *plan,
    AmphistoHistograms *histograms)
{
  histograms->channels = plan->reported;
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
