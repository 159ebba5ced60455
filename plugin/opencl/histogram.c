/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "opencl/histogram.h"

#include <string.h>

#define BINS_SIZE (AMPHISTO_N_BINS * sizeof (cl_uint))
/* The bins, and in the CPU shape the number of rows of each slot that are
 * taken. */
#define COUNTS_SIZE (AMPHISTO_COUNTS * sizeof (cl_uint))
/* CPU shape: a work-item's counts of pairs of samples. */
#define PAIRS_SIZE (AMPHISTO_N_PAIRS * sizeof (cl_uint))

typedef cl_uint FrameBins[AMPHISTO_MAX_SLOTS][AMPHISTO_N_BINS];

typedef struct
{
  /* A ring of AMPHISTO_COUNTS words each: one per frame in flight, and one with
   * zeros for the next frame */
  cl_mem bins[AMPHISTO_CL_MAX_FRAMES + 1];
  guint current;           /* the last frame's */
  AmphistoClReserve pairs; /* CPU shape */
  AmphistoClHost *read;    /* FrameBins for each frame in flight */
} Histogram;

static gboolean
make_bins (Histogram *self, AmphistoClQueue *queue, GError **error)
{
  cl_uint zeros[AMPHISTO_COUNTS] = { 0 };

  for (guint i = 0; i <= queue->n_frames; i++) {
    if (self->bins[i] != NULL)
      continue;
    self->bins[i] = amphisto_cl_queue_new_buffer (queue,
        CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, COUNTS_SIZE, zeros, error);
    if (self->bins[i] == NULL)
      return FALSE;
  }
  return amphisto_cl_queue_reserve_host (
      queue, &self->read, queue->n_frames * sizeof (FrameBins), error);
}

static gboolean
counts_pairs (const AmphistoPlan *plan)
{
  for (guint s = 0; s < plan->frame.n_slots; s++)
    if (plan->frame.counts_pairs[s])
      return TRUE;
  return FALSE;
}

/* Returns: bytes of the replicas of the bins in the largest pass. GPU shape
 * only. */
static gsize
lanes_size (const frame_params *frame)
{
  guint n_slots = 1;

  for (guint p = 0; p < frame->n_passes; p++)
    n_slots = MAX (n_slots, frame->pass[p].n_slots);
  return n_slots * frame->n_lanes * BINS_SIZE;
}

/* Binds the memory that work-items count in. */
static gboolean
make_counts (Histogram *self, AmphistoClQueue *queue, const AmphistoPlan *plan,
    GError **error)
{
  if (queue->division.is_gpu_shape) {
    amphisto_cl_queue_bind_local (
        queue, AMPHISTO_CL_ARG_COUNTS, lanes_size (&plan->frame));
    return TRUE;
  }
  amphisto_cl_queue_bind_buffer (queue, AMPHISTO_CL_ARG_COUNTS, NULL);
  return !counts_pairs (plan)
      || amphisto_cl_queue_reserve_arg (queue, &self->pairs,
          AMPHISTO_CL_ARG_COUNTS, queue->division.n_groups * PAIRS_SIZE, error);
}

static gboolean
histogram_ready (gpointer state, AmphistoClQueue *queue,
    const AmphistoPlan *plan, GError **error)
{
  Histogram *self = state;

  return make_bins (self, queue, error)
      && make_counts (self, queue, plan, error)
      && amphisto_cl_queue_add_kernel (
          queue, AMPHISTO_CL_CALCULATE_HISTOGRAM, error);
}

/* This frame gets the bins that the last frame cleared, and clears the next
 * bins in the ring, whose frame is done. */
static void
bind_bins (Histogram *self, AmphistoClQueue *queue)
{
  const guint n_bins = queue->n_frames + 1;
  const cl_mem bins = self->bins[self->current = (self->current + 1) % n_bins];
  const cl_mem next = self->bins[(self->current + 1) % n_bins];

  amphisto_cl_queue_bind_buffer (queue, AMPHISTO_CL_ARG_BINS, bins);
  amphisto_cl_queue_bind_buffer (queue, AMPHISTO_CL_ARG_NEXT_BINS, next);
  amphisto_cl_queue_bind_buffer (queue, AMPHISTO_CL_ARG_LUT_BINS, bins);
}

static gboolean
histogram_enqueue (gpointer state, AmphistoClQueue *queue, guint index,
    const AmphistoClPlanes *planes, const AmphistoJob *job, GError **error)
{
  (void) index;
  (void) planes;
  (void) job;
  bind_bins (state, queue);
  return amphisto_cl_queue_launch (
      queue, AMPHISTO_CL_CALCULATE_HISTOGRAM, error);
}

gboolean
amphisto_cl_histogram_enqueue_read (gpointer state, AmphistoClQueue *queue,
    guint index, const AmphistoPlan *plan, cl_event *done, GError **error)
{
  const Histogram *self = state;
  FrameBins *read = self->read->data;

  AmphistoClCommands *downloads = queue->downloads;

  return amphisto_cl_commands_check (downloads,
      clEnqueueReadBuffer (downloads->queue, self->bins[self->current],
          CL_FALSE, 0, plan->frame.n_slots * BINS_SIZE, read[index],
          AMPHISTO_CL_AFTER (downloads), done),
      "clEnqueueReadBuffer", error);
}

static void
histogram_collect (gpointer state, guint index, const AmphistoJob *job,
    AmphistoHistograms *histograms, AmphistoHistograms *regions)
{
  const Histogram *self = state;
  const FrameBins *read = self->read->data;
  const AmphistoPlan *plan = job->plan;

  (void) regions;
  histograms->channels = plan->reported;
  for (guint s = 0; s < plan->frame.n_slots; s++)
    memcpy (histograms->bins[plan->slot_channel[s]], read[index][s], BINS_SIZE);
}

static void
histogram_clear (gpointer state)
{
  Histogram *self = state;

  for (guint i = 0; i < G_N_ELEMENTS (self->bins); i++)
    amphisto_cl_buffer_clear (&self->bins[i]);
  amphisto_cl_buffer_clear (&self->pairs.buffer);
  g_clear_pointer (&self->read, amphisto_cl_host_free);
  *self = (Histogram){ 0 };
}

const AmphistoClStep amphisto_cl_step_histogram = { sizeof (Histogram),
  histogram_ready, histogram_enqueue, histogram_collect, histogram_clear };
