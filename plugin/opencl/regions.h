/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The histograms of regions of a frame on the device, besides the frame's own.
 */

#ifndef AMPHISTO_OPENCL_REGIONS_H
#define AMPHISTO_OPENCL_REGIONS_H

#include "opencl/histogram.h"
#include "core/work.h"

typedef struct
{
  /*< private >*/
  AmphistoClQueue *queue;
  guint n; /* of the frame in flight */
  AmphistoChannelMask counted;
  /* for n_allocated regions, or more */
  frame_params *params;
  cl_uint *read_bins;
  gsize n_allocated;
  AmphistoClReserve bins;
  AmphistoClReserve params_buffer;
} AmphistoClRegions;

/* `queue` must outlive it. */
void amphisto_cl_regions_init (AmphistoClRegions *self, AmphistoClQueue *queue);

/* Nothing may be in flight. */
void amphisto_cl_regions_clear (AmphistoClRegions *self);

/* Enqueues the counting of the work's regions, if it has any, of frames of the
 * layout, all of whose planes that are counted are there: in one launch, but
 * for more than the device has constant memory for.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_regions_enqueue (AmphistoClRegions *self,
    AmphistoClHistogram *histogram, const AmphistoLayout *layout,
    const AmphistoWork *work, const AmphistoClPlanes *planes, GError **error);

/* Enqueues that the bins come back. Returns: FALSE with CALL. */
gboolean amphisto_cl_regions_enqueue_back (
    AmphistoClRegions *self, GError **error);

/* When that is done: fills `histograms`, one for each region, in for those of
 * `channels` that were counted. */
void amphisto_cl_regions_store (AmphistoClRegions *self,
    AmphistoChannelMask channels, AmphistoHistograms *histograms);

#endif
