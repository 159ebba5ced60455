/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The regions of interest of a buffer, and their histograms.
 */

#ifndef AMPHISTO_ELEMENT_REGIONS_H
#define AMPHISTO_ELEMENT_REGIONS_H

#include <gst/video/video.h>

#include "element/crop.h"
#include "core/histogram.h"

/* Regions of a buffer that are measured. Each costs 15 KB, half of it on the
 * device, and whoever sends the buffer says how many there are. */
#define GST_AMPHISTO_MAX_REGIONS 1024

/* A copy of a GstVideoRegionOfInterestMeta. In pixels; it may reach out of the
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

/* Returns: the number of regions of interest of `buffer`, which may be more
 * than are measured. */
guint gst_amphisto_regions_count (GstBuffer *buffer);

/* Collects the first GST_AMPHISTO_MAX_REGIONS regions of `buffer`, in which
 * there is a frame of `layout` from `crop` on. Clear `self` when done. */
void gst_amphisto_regions_init (GstAmphistoRegions *self, GstBuffer *buffer,
    const GstAmphistoCrop *crop, const AmphistoLayout *layout);

/* Frees the arrays. Does nothing to regions that are zero or cleared. */
void gst_amphisto_regions_clear (GstAmphistoRegions *self);

#endif
