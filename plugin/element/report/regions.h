/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The regions of interest of a buffer, and their histograms.
 */

#pragma once

#include <gst/video/video.h>

#include "element/memory/crop.h"
#include "core/measure/histogram.h"

/* Regions measured in a buffer, at most. Each costs 15 KB, half of it on the
 * device, and their number depends on elements upstream. */
#define GST_AMPHISTO_MAX_REGIONS 1024

/* A copy of a GstVideoRegionOfInterestMeta, in pixels; it may exceed the
 * frame. */
typedef struct
{
  gint id;
  GQuark type;
  guint x, y, w, h;
} GstAmphistoRoi;

/* The first `n` regions of interest of a buffer, in the order of their
 * metadata.
 */
typedef struct
{
  guint n;
  /* arrays of `n`, owned */
  GstAmphistoRoi *roi;
  AmphistoRegion *clipped;        /* to the frame; may be empty */
  AmphistoHistograms *histograms; /* no channels until measured */
} GstAmphistoRegions;

/* Returns: the number of regions of interest of `buffer`, which may exceed
 * GST_AMPHISTO_MAX_REGIONS. */
guint gst_amphisto_regions_count (GstBuffer *buffer);

/* Collects the first GST_AMPHISTO_MAX_REGIONS regions of `buffer`. The frame,
 * of `layout`, begins at `crop` in the buffer's frame. Clear `self` when
 * done. */
void gst_amphisto_regions_init (GstAmphistoRegions *self, GstBuffer *buffer,
    const GstAmphistoCrop *crop, const AmphistoLayout *layout);

/* Frees the arrays. `self` may be all-zero or already cleared. */
void gst_amphisto_regions_clear (GstAmphistoRegions *self);
