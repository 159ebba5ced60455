/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The regions of interest of a buffer, and what is measured in them.
 */

#ifndef AMPHISTO_ELEMENT_REGIONS_H
#define AMPHISTO_ELEMENT_REGIONS_H

#include <gst/video/video.h>

#include "core/histogram.h"

/* What a GstVideoRegionOfInterestMeta says. */
typedef struct
{
  gint id;
  GQuark type;
  guint x, y, w, h;
} GstRegion;

/* `n` regions in the order of their metadata; `clipped`: what of them is in the
 * frame, or empty; `histograms`: theirs, none measured so far. */
typedef struct
{
  guint n;
  GstRegion *region;
  AmphistoRegion *clipped;
  AmphistoHistograms *histograms;
} GstRegions;

/* Finds the regions of the buffer, a frame of the layout. */
void gst_regions_init (
    GstRegions *self, GstBuffer *buffer, const AmphistoLayout *layout);

void gst_regions_clear (GstRegions *self);

#endif
