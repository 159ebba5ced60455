/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "opencl/histogram.h"

#include <string.h>

#define BINS_SIZE (AMPHISTO_N_BINS * sizeof (cl_uint))
/* CPU shape: the bins, and how many rows of each slot are taken. */
#define COUNTS_SIZE (AMPHISTO_COUNTS * sizeof (cl_uint))
/* CPU shape: what a work-item counts pairs of samples in. */
#define PAIRS_SIZE (2 * AMPHISTO_N_PAIRS * sizeof (cl_uint))

typedef struct
{
  /* CPU shape: AMPHISTO_COUNTS each, the frame's and zeros for the next one's.
   * GPU shape: the first alone, AMPHISTO_N_BINS for each slot. */
  cl_mem bins[2];
  AmphistoClReserve pairs;    /* CPU shape */
  AmphistoClReserve partials; /* GPU shape */
  cl_uint read[AMPHISTO_MAX_SLOTS][AMPHISTO_N_BINS];
} Histogram;

static gboolean
make_bins (Histogram *self, AmphistoClQueue *queue, GError **error)
{
  cl_uint zeros[AMPHISTO_COUNTS] = { 0 };

  for (guint i = 0; i < 2; i++) {
    if (self->bins[i] != NULL)
      continue;
    self->bins[i] = amphisto_cl_queue_new_buffer (queue,
        CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, COUNTS_SIZE, zeros, error);
    if (self->bins[i] == NULL)
      return FALSE;
  }
  return TRUE;
}

static gboolean
counts_pairs (const AmphistoPlan *plan)
{
  for (guint s = 0; s < plan->frame.n_slots; s++)
    if (plan->frame.counts_pairs[s])
      return TRUE;
  return FALSE;
}

static gboolean
ready_for_gpu (Histogram *self, AmphistoClQueue *queue,
    const AmphistoPlan *plan, GError **error)
{
  const gsize partials_size =
      queue->division.n_groups * AMPHISTO_MAX_SLOTS * BINS_SIZE;

  amphisto_cl_queue_bind_local (queue, AMPHISTO_CL_ARG_LANES,
      plan->frame.n_slots * plan->frame.n_lanes * BINS_SIZE);
  return amphisto_cl_queue_reserve_arg (queue, &self->partials,
             AMPHISTO_CL_ARG_PARTIALS, partials_size, error)
      && amphisto_cl_queue_add_kernel (
          queue, AMPHISTO_CL_CALCULATE_PARTIALS, error)
      && amphisto_cl_queue_add_kernel (
          queue, AMPHISTO_CL_MERGE_HISTOGRAM, error);
}

static gboolean
ready_for_cpu (Histogram *self, AmphistoClQueue *queue,
    const AmphistoPlan *plan, GError **error)
{
  amphisto_cl_queue_bind_buffer (queue, AMPHISTO_CL_ARG_PAIRS, NULL);
  if (counts_pairs (plan)
      && !amphisto_cl_queue_reserve_arg (queue, &self->pairs,
          AMPHISTO_CL_ARG_PAIRS, queue->division.n_groups * PAIRS_SIZE, error))
    return FALSE;
  return amphisto_cl_queue_add_kernel (
      queue, AMPHISTO_CL_CALCULATE_HISTOGRAM, error);
}

static gboolean
histogram_ready (gpointer state, AmphistoClQueue *queue,
    const AmphistoPlan *plan, GError **error)
{
  Histogram *self = state;

  return make_bins (self, queue, error)
      && (queue->division.is_gpu_shape
              ? ready_for_gpu (self, queue, plan, error)
              : ready_for_cpu (self, queue, plan, error));
}

/* The bins that the last frame left as zeros become this one's. */
static void
swap_bins (Histogram *self, AmphistoClQueue *queue)
{
  const cl_mem last = self->bins[0];

  self->bins[0] = self->bins[1];
  self->bins[1] = last;
  amphisto_cl_queue_bind_buffer (queue, AMPHISTO_CL_ARG_BINS, self->bins[0]);
  amphisto_cl_queue_bind_buffer (
      queue, AMPHISTO_CL_ARG_NEXT_BINS, self->bins[1]);
  amphisto_cl_queue_bind_buffer (
      queue, AMPHISTO_CL_ARG_LUT_BINS, self->bins[0]);
}

static gboolean
histogram_enqueue (gpointer state, AmphistoClQueue *queue,
    const AmphistoClPlanes *planes, const AmphistoJob *job, GError **error)
{
  (void) planes;
  (void) job;
  swap_bins (state, queue);
  if (!queue->division.is_gpu_shape)
    return amphisto_cl_queue_launch (
        queue, AMPHISTO_CL_CALCULATE_HISTOGRAM, error);
  return amphisto_cl_queue_launch (queue, AMPHISTO_CL_CALCULATE_PARTIALS, error)
      && amphisto_cl_queue_launch (queue, AMPHISTO_CL_MERGE_HISTOGRAM, error);
}

gboolean
amphisto_cl_histogram_enqueue_read (gpointer state, AmphistoClQueue *queue,
    const AmphistoPlan *plan, cl_event *done, GError **error)
{
  Histogram *self = state;

  return amphisto_cl_check (
      clEnqueueReadBuffer (queue->queue, self->bins[0], CL_FALSE, 0,
          plan->frame.n_slots * BINS_SIZE, self->read, 0, NULL, done),
      "clEnqueueReadBuffer", error);
}

static void
histogram_collect (gpointer state, const AmphistoJob *job,
    AmphistoHistograms *histograms, AmphistoHistograms *regions)
{
  const Histogram *self = state;
  const AmphistoPlan *plan = job->plan;

  (void) regions;
  histograms->channels = plan->reported;
  for (guint s = 0; s < plan->frame.n_slots; s++)
    memcpy (histograms->bins[plan->slot_channel[s]], self->read[s], BINS_SIZE);
}

static void
histogram_clear (gpointer state)
{
  Histogram *self = state;

  amphisto_cl_buffer_clear (&self->bins[0]);
  amphisto_cl_buffer_clear (&self->bins[1]);
  amphisto_cl_buffer_clear (&self->pairs.buffer);
  amphisto_cl_buffer_clear (&self->partials.buffer);
  *self = (Histogram){ 0 };
}

const AmphistoClStep amphisto_cl_step_histogram = { sizeof (Histogram),
  histogram_ready, histogram_enqueue, histogram_collect, histogram_clear };
