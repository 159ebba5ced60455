/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "opencl/frame/regions.h"
#include "opencl/frame/bins.h"

#include <string.h>

static guint
n_measured (const AmphistoJob *job)
{
  return amphisto_plan_has_stage (job->plan, AMPHISTO_STAGE_REGIONS)
      ? job->n_regions
      : 0;
}

/* Returns: how many of `n` regions fit into the device's constant memory. */
static guint
n_at_once (const AmphistoClLauncher *launcher, guint n)
{
  return MIN (n, launcher->device->constant_memory / sizeof (frame_params));
}

static gboolean
reserve (AmphistoClRegions *self, AmphistoClLauncher *launcher, guint index,
    const AmphistoJob *job, GError **error)
{
  const gsize n = job->n_regions;
  const gsize bins_size = n * AMPHISTO_MAX_SLOTS * AMPHISTO_CL_BINS_SIZE;

  return amphisto_cl_host_grow (&self->transfers[index].params,
             launcher->device, n * sizeof (frame_params), error)
      && amphisto_cl_host_grow (
          &self->transfers[index].read, launcher->device, bins_size, error)
      && amphisto_cl_reserve_grow (
          &self->bins, launcher->device, bins_size, FALSE, error)
      && amphisto_cl_reserve_grow (&self->params, launcher->device,
          n_at_once (launcher, n) * sizeof (frame_params), FALSE, error);
}

static void
fill_params (frame_params *params, const AmphistoClPlanes *planes,
    const AmphistoJob *job)
{
  for (guint i = 0; i < job->n_regions; i++) {
    AmphistoLayout part;

    amphisto_plan_fill_region_params (
        job->plan, &job->regions[i], &part, &params[i]);
    amphisto_cl_planes_locate (
        planes, &part, params[i].source, params[i].target);
  }
}

/* Measures `n` regions from `first` on. `params`: of all regions. */
static gboolean
enqueue_some (AmphistoClRegions *self, AmphistoClLauncher *launcher,
    const frame_params *params, guint first, guint n, GError **error)
{
  amphisto_cl_launcher_bind_number (
      launcher, AMPHISTO_CL_ARG_FIRST_REGION, first);
  amphisto_cl_launcher_bind_number (launcher, AMPHISTO_CL_ARG_N_REGIONS, n);
  return amphisto_cl_command_queue_write (launcher->kernels,
             self->params.buffer, 0, params + first, n * sizeof (frame_params),
             error)
      && amphisto_cl_launcher_launch (
          launcher, amphisto_cl_kernel_find ("calculate_regions"), TRUE, error);
}

gboolean
amphisto_cl_regions_enqueue (AmphistoClRegions *self,
    AmphistoClLauncher *launcher, guint index, const AmphistoClPlanes *planes,
    const AmphistoJob *job, GError **error)
{
  const gsize size = (gsize) n_measured (job) * job->plan->params.frame.n_slots
      * AMPHISTO_CL_BINS_SIZE;
  frame_params *params;
  cl_uint *bins;

  if (size == 0)
    return TRUE;
  if (!reserve (self, launcher, index, job, error))
    return FALSE;
  amphisto_cl_launcher_bind_buffer (
      launcher, AMPHISTO_CL_ARG_REGION_BINS, self->bins.buffer);
  amphisto_cl_launcher_bind_buffer (
      launcher, AMPHISTO_CL_ARG_REGIONS, self->params.buffer);
  params = self->transfers[index].params->data;
  bins = self->transfers[index].read->data;
  fill_params (params, planes, job);
  memset (bins, 0, size);
  if (!amphisto_cl_command_queue_write (
          launcher->kernels, self->bins.buffer, 0, bins, size, error))
    return FALSE;
  for (guint first = 0, n; first < job->n_regions; first += n) {
    n = n_at_once (launcher, job->n_regions - first);
    if (!enqueue_some (self, launcher, params, first, n, error))
      return FALSE;
  }
  return amphisto_cl_command_queue_read (
      launcher->kernels, self->bins.buffer, 0, bins, size, error);
}

void
amphisto_cl_regions_collect (const AmphistoClRegions *self, guint index,
    const AmphistoJob *job, AmphistoHistograms *histograms)
{
  const gsize length = job->plan->params.frame.n_slots * AMPHISTO_N_BINS;

  for (guint i = 0; i < n_measured (job); i++)
    amphisto_cl_bins_store (
        (const cl_uint *) self->transfers[index].read->data + i * length,
        job->plan, &histograms[i]);
}

void
amphisto_cl_regions_clear (AmphistoClRegions *self)
{
  for (guint i = 0; i < AMPHISTO_CL_MAX_FRAMES; i++) {
    g_clear_pointer (&self->transfers[i].params, amphisto_cl_host_free);
    g_clear_pointer (&self->transfers[i].read, amphisto_cl_host_free);
  }
  amphisto_cl_reserve_clear (&self->bins);
  amphisto_cl_reserve_clear (&self->params);
}
