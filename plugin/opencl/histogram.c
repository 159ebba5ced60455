/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "opencl/histogram.h"

#include <string.h>

G_STATIC_ASSERT (AMPHISTO_BINS == AMPHISTO_N_BINS);

#define BINS_SIZE (AMPHISTO_BINS * sizeof (cl_uint))
#define COUNTS_SIZE (AMPHISTO_COUNTS * sizeof (cl_uint))

/* GPU shape: local memory for the copies of the bins, so that several groups
 * find room in one compute unit's; and one copy a bank of it, of which common
 * GPUs have 32. */
#define LANES_SIZE (32 * 1024)
#define MAX_LANES 32
/* merge_histogram's MERGE_BINS: bins that a work-group merges. */
#define MERGE_BINS 16
/* CPU shape: what a work-item counts pairs of samples in, if its share of a
 * channel has at least MIN_PAIRED. With less, clearing and folding them takes
 * longer than it saves. */
#define PAIRS_SIZE (2 * 65536 * sizeof (cl_uint))
#define MIN_PAIRED (128 * 1024)

gboolean
amphisto_cl_histogram_init (AmphistoClHistogram *self, AmphistoClQueue *queue,
    cl_mem params, GError **error)
{
  *self = (AmphistoClHistogram){ .queue = queue };
  if (!amphisto_cl_queue_set_buffer (
          queue, AMPHISTO_CALCULATE_HISTOGRAM, 4, params, error))
    return FALSE;
  if (!queue->is_gpu_shape)
    return TRUE;
  self->partials = amphisto_cl_queue_new_buffer (queue, CL_MEM_READ_WRITE,
      queue->n_groups * AMPHISTO_MAX_SLOTS * BINS_SIZE, NULL, error);
  return self->partials != NULL
      && amphisto_cl_queue_set_buffer (
          queue, AMPHISTO_CALCULATE_HISTOGRAM, 5, self->partials, error)
      && amphisto_cl_queue_set_buffer (
          queue, AMPHISTO_MERGE_HISTOGRAM, 0, params, error)
      && amphisto_cl_queue_set_buffer (
          queue, AMPHISTO_MERGE_HISTOGRAM, 1, self->partials, error);
}

void
amphisto_cl_histogram_clear (AmphistoClHistogram *self)
{
  amphisto_cl_histogram_forget (self);
  amphisto_cl_buffer_clear (&self->partials);
  amphisto_cl_buffer_clear (&self->pairs);
}

void
amphisto_cl_histogram_forget (AmphistoClHistogram *self)
{
  amphisto_cl_buffer_clear (&self->bins[0]);
  amphisto_cl_buffer_clear (&self->bins[1]);
}

/* --- parameters --- */

static guint
choose_lanes (const AmphistoClDevice *device, guint n_slots)
{
  const gsize room =
      MIN (device->local_memory, LANES_SIZE) / (n_slots * BINS_SIZE);
  guint lanes = MAX_LANES;

  while (lanes > 1 && lanes > room)
    lanes /= 2;
  return lanes;
}

/* What computed channels are computed from, and by. */
static void
fill_matrix (frame_params *params, const AmphistoLayout *layout)
{
  const AmphistoComponent *u = &layout->component[AMPHISTO_CHANNEL_U];

  for (guint c = 0; c < 3; c++) {
    params->rgb[c] = amphisto_cl_component (layout, AMPHISTO_CHANNEL_RED + c);
    params->weights[c] = layout->weights[c];
  }
  params->luma = amphisto_cl_component (layout, AMPHISTO_CHANNEL_LUMA);
  for (guint c = 0; c < 2; c++)
    params->chroma[c] = amphisto_cl_component (layout, AMPHISTO_CHANNEL_U + c);
  params->x_shift = u->x_shift;
  params->y_shift = u->y_shift;
  params->x_phase = u->x_phase;
  params->y_phase = u->y_phase;
  for (guint i = 0; i < 3; i++)
    for (guint j = 0; j < 4; j++)
      params->matrix[i][j] = layout->matrix[i][j];
}

void
amphisto_cl_histogram_fill_params (AmphistoClHistogram *self,
    frame_params *params, const AmphistoLayout *layout,
    AmphistoChannelMask counted)
{
  for (guint c = 0; c < AMPHISTO_N_CHANNELS; c++) {
    const AmphistoComponent *from = &layout->component[c];
    const guint slot = params->n_slots;

    if (!(counted & AMPHISTO_CHANNEL_BIT (c)))
      continue;
    params->measured[slot] = amphisto_cl_component (layout, c);
    params->counts_pairs[slot] =
        (gsize) from->width * from->height / self->queue->n_groups
        >= MIN_PAIRED;
    self->slot_channel[slot] = c;
    params->n_slots++;
  }
  fill_matrix (params, layout);
  params->n_lanes = choose_lanes (self->queue->device, params->n_slots);
  params->n_partials = self->queue->n_groups;
}

/* --- counting --- */

/* The bins that the last frame left as zeros become this one's. */
static gboolean
turn_bins (AmphistoClHistogram *self, GError **error)
{
  cl_uint zeros[AMPHISTO_COUNTS] = { 0 };
  const cl_mem last = self->bins[0];

  self->bins[0] = self->bins[1];
  self->bins[1] = last;
  for (guint i = 0; i < 2; i++) {
    if (self->bins[i] != NULL)
      continue;
    self->bins[i] = amphisto_cl_queue_new_buffer (self->queue,
        CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, COUNTS_SIZE, zeros, error);
    if (self->bins[i] == NULL)
      return FALSE;
  }
  return TRUE;
}

static gboolean
enqueue_gpu (
    AmphistoClHistogram *self, const frame_params *params, GError **error)
{
  return amphisto_cl_queue_set_local (self->queue, AMPHISTO_CALCULATE_HISTOGRAM,
             6, params->n_slots * BINS_SIZE * params->n_lanes, error)
      && amphisto_cl_queue_launch (self->queue, AMPHISTO_CALCULATE_HISTOGRAM,
          self->queue->n_groups, AMPHISTO_CL_GROUP_SIZE, error)
      && amphisto_cl_queue_set_buffer (
          self->queue, AMPHISTO_MERGE_HISTOGRAM, 2, self->bins[0], error)
      && amphisto_cl_queue_launch (self->queue, AMPHISTO_MERGE_HISTOGRAM,
          AMPHISTO_BINS / MERGE_BINS, AMPHISTO_CL_GROUP_SIZE, error);
}

/* The buffer that pairs are counted in, if any are; else any. */
static cl_mem
pairs_buffer (
    AmphistoClHistogram *self, const frame_params *params, GError **error)
{
  gboolean counts_pairs = FALSE;

  for (guint s = 0; s < params->n_slots; s++)
    counts_pairs = counts_pairs || params->counts_pairs[s];
  if (!counts_pairs)
    return self->bins[0];
  if (self->pairs == NULL)
    self->pairs = amphisto_cl_queue_new_buffer (self->queue, CL_MEM_READ_WRITE,
        self->queue->n_groups * PAIRS_SIZE, NULL, error);
  return self->pairs;
}

static gboolean
enqueue_cpu (
    AmphistoClHistogram *self, const frame_params *params, GError **error)
{
  const cl_mem pairs = pairs_buffer (self, params, error);

  return pairs != NULL
      && amphisto_cl_queue_set_buffer (
          self->queue, AMPHISTO_CALCULATE_HISTOGRAM, 5, pairs, error)
      && amphisto_cl_queue_set_buffer (
          self->queue, AMPHISTO_CALCULATE_HISTOGRAM, 6, self->bins[0], error)
      && amphisto_cl_queue_set_buffer (
          self->queue, AMPHISTO_CALCULATE_HISTOGRAM, 7, self->bins[1], error)
      && amphisto_cl_queue_launch (self->queue, AMPHISTO_CALCULATE_HISTOGRAM,
          self->queue->n_groups, 1, error);
}

gboolean
amphisto_cl_histogram_enqueue (AmphistoClHistogram *self,
    const frame_params *params, const AmphistoClPlanes *planes, GError **error)
{
  self->n_slots = params->n_slots;
  return turn_bins (self, error)
      && amphisto_cl_queue_set_planes (self->queue,
          AMPHISTO_CALCULATE_HISTOGRAM, 0, planes->source, AMPHISTO_N_PLANES,
          self->bins[0], error)
      && (self->queue->is_gpu_shape ? enqueue_gpu (self, params, error)
                                    : enqueue_cpu (self, params, error));
}

/* --- back --- */

gboolean
amphisto_cl_histogram_enqueue_back (
    AmphistoClHistogram *self, cl_event *done, GError **error)
{
  return amphisto_cl_check (
      clEnqueueReadBuffer (self->queue->queue, self->bins[0], CL_FALSE, 0,
          self->n_slots * BINS_SIZE, self->read_bins, 0, NULL, done),
      "clEnqueueReadBuffer", error);
}

void
amphisto_cl_histogram_store (AmphistoClHistogram *self,
    AmphistoChannelMask channels, AmphistoHistograms *histograms)
{
  histograms->channels = 0;
  for (guint s = 0; s < self->n_slots; s++) {
    const AmphistoChannel channel = self->slot_channel[s];

    memcpy (histograms->bins[channel], self->read_bins[s], BINS_SIZE);
    histograms->channels |= channels & AMPHISTO_CHANNEL_BIT (channel);
  }
}
