/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "clregions.h"

#include <string.h>

#define BINS_SIZE (AMPHISTO_BINS * sizeof (cl_uint))
/* Regions of one launch, if there is constant memory for so many. */
#define MAX_AT_ONCE 256

void
amphisto_cl_regions_init (AmphistoClRegions *self, AmphistoClQueue *queue)
{
  *self = (AmphistoClRegions){ .queue = queue };
}

static void
clear_regions (AmphistoClRegions *self)
{
  g_clear_pointer (&self->params, g_free);
  g_clear_pointer (&self->read_bins, g_free);
  amphisto_cl_buffer_clear (&self->bins);
  self->n_allocated = 0;
}

void
amphisto_cl_regions_clear (AmphistoClRegions *self)
{
  clear_regions (self);
  amphisto_cl_buffer_clear (&self->params_buffer);
}

static gboolean
reserve_params (AmphistoClRegions *self, GError **error)
{
  const gsize room =
      self->queue->device->constant_memory / sizeof (frame_params);

  if (self->params_buffer != NULL)
    return TRUE;
  self->n_at_once = MIN (MAX_AT_ONCE, room);
  self->params_buffer = amphisto_cl_queue_new_buffer (self->queue,
      CL_MEM_READ_ONLY, self->n_at_once * sizeof (frame_params), NULL, error);
  return self->params_buffer != NULL;
}

static gboolean
reserve (AmphistoClRegions *self, gsize n, GError **error)
{
  if (!reserve_params (self, error))
    return FALSE;
  if (n <= self->n_allocated)
    return TRUE;
  clear_regions (self);
  self->bins = amphisto_cl_queue_new_buffer (self->queue, CL_MEM_READ_WRITE,
      n * AMPHISTO_MAX_SLOTS * BINS_SIZE, NULL, error);
  if (self->bins == NULL)
    return FALSE;
  self->params = g_new (frame_params, n);
  self->read_bins = g_new (cl_uint, n * AMPHISTO_MAX_SLOTS * AMPHISTO_BINS);
  self->n_allocated = n;
  return TRUE;
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
      self->queue, self->bins, self->read_bins, size, error);
}

/* Counts n regions from `first` on. */
static gboolean
enqueue_some (AmphistoClRegions *self, guint first, guint n, GError **error)
{
  return amphisto_cl_queue_write (self->queue, self->params_buffer,
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
  if (!reserve (self, self->n, error))
    return FALSE;
  fill_params (self, histogram, layout, work, planes);
  if (!clear_bins (self, error)
      || !amphisto_cl_queue_set_planes (self->queue, AMPHISTO_CALCULATE_REGIONS,
          0, planes->source, AMPHISTO_N_PLANES, self->bins, error)
      || !amphisto_cl_queue_set_buffer (self->queue, AMPHISTO_CALCULATE_REGIONS,
          4, self->params_buffer, error)
      || !amphisto_cl_queue_set_buffer (
          self->queue, AMPHISTO_CALCULATE_REGIONS, 7, self->bins, error))
    return FALSE;
  for (guint first = 0; first < self->n; first += self->n_at_once)
    if (!enqueue_some (
            self, first, MIN (self->n - first, self->n_at_once), error))
      return FALSE;
  return TRUE;
}

gboolean
amphisto_cl_regions_enqueue_back (AmphistoClRegions *self, GError **error)
{
  if (self->n == 0)
    return TRUE;
  return amphisto_cl_check (
      clEnqueueReadBuffer (self->queue->queue, self->bins, CL_FALSE, 0,
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
