/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "opencl/regions.h"

#include <string.h>

#define BINS_SIZE (AMPHISTO_BINS * sizeof (cl_uint))

void
amphisto_cl_regions_init (AmphistoClRegions *self, AmphistoClQueue *queue)
{
  *self = (AmphistoClRegions){ .queue = queue };
}

void
amphisto_cl_regions_clear (AmphistoClRegions *self)
{
  g_clear_pointer (&self->params, g_free);
  g_clear_pointer (&self->read_bins, g_free);
  amphisto_cl_buffer_clear (&self->bins.buffer);
  amphisto_cl_buffer_clear (&self->params_buffer.buffer);
}

/* Regions that there is constant memory for in one launch. */
static guint
n_at_once (const AmphistoClRegions *self)
{
  return MIN (
      self->n, self->queue->device->constant_memory / sizeof (frame_params));
}

static gboolean
reserve (AmphistoClRegions *self, GError **error)
{
  if (self->n > self->n_allocated) {
    self->params = g_renew (frame_params, self->params, self->n);
    self->read_bins = g_renew (cl_uint, self->read_bins,
        (gsize) self->n * AMPHISTO_MAX_SLOTS * AMPHISTO_BINS);
    self->n_allocated = self->n;
  }
  return amphisto_cl_queue_reserve (self->queue, &self->bins,
             (gsize) self->n * AMPHISTO_MAX_SLOTS * BINS_SIZE, error)
      && amphisto_cl_queue_reserve (self->queue, &self->params_buffer,
          n_at_once (self) * sizeof (frame_params), error);
}

static void
fill_params (AmphistoClRegions *self, AmphistoClHistogram *histogram,
    const AmphistoLayout *layout, const AmphistoWork *work,
    const AmphistoClPlanes *planes)
{
  for (guint i = 0; i < self->n; i++) {
    frame_params *params = &self->params[i];
    AmphistoLayout part;

    memset (params, 0, sizeof *params);
    amphisto_layout_crop (layout, &work->regions[i], &part);
    amphisto_cl_histogram_fill_params (histogram, params, &part, self->counted);
    amphisto_cl_planes_place (planes->source_place, &part, params->source);
  }
}

static gsize
n_slots (const AmphistoClRegions *self)
{
  return self->n > 0 ? self->params[0].n_slots : 0;
}

/* From the memory that they come back to. */
static gboolean
clear_bins (AmphistoClRegions *self, GError **error)
{
  const gsize size = self->n * n_slots (self) * BINS_SIZE;

  memset (self->read_bins, 0, size);
  return amphisto_cl_queue_write (
      self->queue, self->bins.buffer, self->read_bins, size, error);
}

/* Counts n regions from `first` on. */
static gboolean
enqueue_some (AmphistoClRegions *self, guint first, guint n, GError **error)
{
  return amphisto_cl_queue_write (self->queue, self->params_buffer.buffer,
             self->params + first, n * sizeof (frame_params), error)
      && amphisto_cl_queue_set_uint (
          self->queue, AMPHISTO_CALCULATE_REGIONS, 5, first, error)
      && amphisto_cl_queue_set_uint (
          self->queue, AMPHISTO_CALCULATE_REGIONS, 6, n, error)
      && amphisto_cl_queue_launch_on_rows (
          self->queue, AMPHISTO_CALCULATE_REGIONS, error);
}

gboolean
amphisto_cl_regions_enqueue (AmphistoClRegions *self,
    AmphistoClHistogram *histogram, const AmphistoLayout *layout,
    const AmphistoWork *work, const AmphistoClPlanes *planes, GError **error)
{
  self->n = work->n_regions;
  self->counted = amphisto_work_counted (work, layout);
  if (self->n == 0)
    return TRUE;
  if (!reserve (self, error))
    return FALSE;
  fill_params (self, histogram, layout, work, planes);
  if (!clear_bins (self, error)
      || !amphisto_cl_queue_set_planes (self->queue, AMPHISTO_CALCULATE_REGIONS,
          0, planes->source, AMPHISTO_N_PLANES, self->bins.buffer, error)
      || !amphisto_cl_queue_set_buffer (self->queue, AMPHISTO_CALCULATE_REGIONS,
          4, self->params_buffer.buffer, error)
      || !amphisto_cl_queue_set_buffer (
          self->queue, AMPHISTO_CALCULATE_REGIONS, 7, self->bins.buffer, error))
    return FALSE;
  for (guint first = 0, n; first < self->n; first += n) {
    n = MIN (self->n - first, n_at_once (self));
    if (!enqueue_some (self, first, n, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
amphisto_cl_regions_enqueue_back (AmphistoClRegions *self, GError **error)
{
  if (self->n == 0)
    return TRUE;
  return amphisto_cl_check (
      clEnqueueReadBuffer (self->queue->queue, self->bins.buffer, CL_FALSE, 0,
          self->n * n_slots (self) * BINS_SIZE, self->read_bins, 0, NULL, NULL),
      "clEnqueueReadBuffer", error);
}

void
amphisto_cl_regions_store (AmphistoClRegions *self,
    AmphistoChannelMask channels, AmphistoHistograms *histograms)
{
  const cl_uint *bins = self->read_bins;

  for (guint i = 0; i < self->n; i++) {
    histograms[i].channels = channels & self->counted;
    for (guint c = 0; c < AMPHISTO_N_CHANNELS; c++)
      if (self->counted & AMPHISTO_CHANNEL_BIT (c)) {
        memcpy (histograms[i].bins[c], bins, BINS_SIZE);
        bins += AMPHISTO_BINS;
      }
  }
}
