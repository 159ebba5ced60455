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
} GstAmphistoRoi;

/* `n` regions in the order of their metadata; `clipped`: what of them is in the
 * frame, or empty; `histograms`: theirs, none measured so far. */
typedef struct
{
  guint n;
  GstAmphistoRoi *roi;
  AmphistoRegion *clipped;
  AmphistoHistograms *histograms;
} GstAmphistoRegions;

/* Finds the regions of the buffer, a frame of the layout. */
void gst_amphisto_regions_init (
    GstAmphistoRegions *self, GstBuffer *buffer, const AmphistoLayout *layout);

void gst_amphisto_regions_clear (GstAmphistoRegions *self);

#endif
