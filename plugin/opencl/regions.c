/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The histograms of regions of interest.
 */

#include "opencl/step.h"

#include <string.h>

#define BINS_SIZE (AMPHISTO_N_BINS * sizeof (cl_uint))

/* Transfer memory for the regions of a frame. */
typedef struct
{
  AmphistoClHost *params; /* frame_params */
  AmphistoClHost *read;   /* bins by region and slot */
} Transfer;

typedef struct
{
  Transfer transfers[AMPHISTO_CL_MAX_FRAMES];
  AmphistoClReserve bins;
  AmphistoClReserve params_buffer;
} Regions;

static gboolean
regions_ready (gpointer state, AmphistoClQueue *queue, const AmphistoPlan *plan,
    GError **error)
{
  Regions *self = state;

  (void) plan;
  self->params_buffer.flags = CL_MEM_READ_ONLY;
  return amphisto_cl_queue_add_kernel (
      queue, AMPHISTO_CL_CALCULATE_REGIONS, error);
}

/* Returns: how many of `n` regions fit into the device's constant memory. */
static guint
n_at_once (const AmphistoClQueue *queue, guint n)
{
  return MIN (n, queue->device->constant_memory / sizeof (frame_params));
}

static gsize
all_bins_size (const AmphistoJob *job)
{
  return (gsize) job->n_regions * job->plan->frame.n_slots * BINS_SIZE;
}

static gboolean
reserve (Regions *self, AmphistoClQueue *queue, Transfer *transfer,
    const AmphistoJob *job, GError **error)
{
  const gsize n = job->n_regions;

  return amphisto_cl_queue_reserve_host (
             queue, &transfer->params, n * sizeof (frame_params), error)
      && amphisto_cl_queue_reserve_host (
          queue, &transfer->read, n * AMPHISTO_MAX_SLOTS * BINS_SIZE, error)
      && amphisto_cl_queue_reserve_arg (queue, &self->bins,
          AMPHISTO_CL_ARG_REGION_BINS, n * AMPHISTO_MAX_SLOTS * BINS_SIZE,
          error)
      && amphisto_cl_queue_reserve_arg (queue, &self->params_buffer,
          AMPHISTO_CL_ARG_REGIONS,
          n_at_once (queue, job->n_regions) * sizeof (frame_params), error);
}

static void
fill_params (frame_params *params, const AmphistoClQueue *queue,
    const AmphistoClPlanes *planes, const AmphistoJob *job)
{
  for (guint i = 0; i < job->n_regions; i++) {
    AmphistoLayout part;

    amphisto_plan_fill_region_params (
        job->plan, &queue->division, &job->regions[i], &part, &params[i]);
    amphisto_cl_planes_place (
        planes, &part, params[i].source, params[i].target);
  }
}

/* Measures `n` regions from `first` on. `params`: of all regions. */
static gboolean
enqueue_some (Regions *self, AmphistoClQueue *queue, const frame_params *params,
    guint first, guint n, GError **error)
{
  amphisto_cl_queue_bind_number (queue, AMPHISTO_CL_ARG_FIRST_REGION, first);
  amphisto_cl_queue_bind_number (queue, AMPHISTO_CL_ARG_N_REGIONS, n);
  return amphisto_cl_commands_write (queue->kernels, self->params_buffer.buffer,
             params + first, n * sizeof (frame_params), error)
      && amphisto_cl_queue_launch (queue, AMPHISTO_CL_CALCULATE_REGIONS, error);
}

static gboolean
regions_enqueue (gpointer state, AmphistoClQueue *queue, guint index,
    const AmphistoClPlanes *planes, const AmphistoJob *job, GError **error)
{
  Regions *self = state;
  Transfer *transfer = &self->transfers[index];
  const gsize size = all_bins_size (job);

  if (job->n_regions == 0)
    return TRUE;
  if (!reserve (self, queue, transfer, job, error))
    return FALSE;
  fill_params (transfer->params->data, queue, planes, job);
  memset (transfer->read->data, 0, size);
  if (!amphisto_cl_commands_write (
          queue->kernels, self->bins.buffer, transfer->read->data, size, error))
    return FALSE;
  for (guint first = 0, n; first < job->n_regions; first += n) {
    n = n_at_once (queue, job->n_regions - first);
    if (!enqueue_some (self, queue, transfer->params->data, first, n, error))
      return FALSE;
  }
  return amphisto_cl_commands_check (queue->kernels,
      clEnqueueReadBuffer (queue->kernels->queue, self->bins.buffer, CL_FALSE,
          0, size, transfer->read->data, AMPHISTO_CL_ORDER (queue->kernels)),
      "clEnqueueReadBuffer", error);
}

static void
regions_collect (gpointer state, guint index, const AmphistoJob *job,
    AmphistoHistograms *histograms, AmphistoHistograms *regions)
{
  const Regions *self = state;
  const cl_uint *bins;

  (void) histograms;
  if (job->n_regions == 0)
    return;
  bins = self->transfers[index].read->data;
  for (guint i = 0; i < job->n_regions; i++) {
    regions[i].channels = job->plan->reported;
    for (guint s = 0; s < job->plan->frame.n_slots; s++) {
      memcpy (regions[i].bins[job->plan->slot_channel[s]], bins, BINS_SIZE);
      bins += AMPHISTO_N_BINS;
    }
  }
}

static void
regions_clear (gpointer state)
{
  Regions *self = state;

  for (guint i = 0; i < AMPHISTO_CL_MAX_FRAMES; i++) {
    g_clear_pointer (&self->transfers[i].params, amphisto_cl_host_free);
    g_clear_pointer (&self->transfers[i].read, amphisto_cl_host_free);
  }
  amphisto_cl_buffer_clear (&self->bins.buffer);
  amphisto_cl_buffer_clear (&self->params_buffer.buffer);
  *self = (Regions){ 0 };
}

const AmphistoClStep amphisto_cl_step_regions = { sizeof (Regions),
  regions_ready, regions_enqueue, regions_collect, regions_clear };
