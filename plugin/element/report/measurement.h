/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The measurement of a frame and of its regions of interest, and the settings
 * that it is reported by.
 */

#pragma once

#include <gst/video/video.h>

#include "element/memory/crop.h"
#include "element/props/settings.h"
#include "element/report/times.h"

/* Regions measured in a buffer, at most. Each costs 15 KB, half of it on the
 * device, and their number depends on elements upstream. */
#define GST_AMPHISTO_MAX_REGIONS 1024

/* The first `n` regions of interest of a buffer, which has to outlive them, in
 * the order of their metadata. */
typedef struct
{
  guint n;
  /* arrays of `n`, owned */
  const GstVideoRegionOfInterestMeta **metas; /* they may exceed the frame */
  AmphistoRegion *clipped;                    /* to the frame; may be empty */
  AmphistoHistograms *histograms;             /* no channels until measured */
} GstAmphistoRegions;

/* Begins when the frame arrives, and ends when its histograms are known. */
typedef struct
{
  /*< public >*/
  GstAmphistoSettings *settings; /* of the frame; referenced */
  GstAmphistoTimes times;
  gboolean posts;                /* a message */
  AmphistoHistograms histograms; /* of the plan's region */
  GstAmphistoRegions regions;    /* of interest */

  /*< read-only >*/
  /* of the channels to report; zeros until the end, and for other channels */
  AmphistoStatistics statistics[AMPHISTO_N_CHANNELS];
} GstAmphistoMeasurement;

/* Collects the first GST_AMPHISTO_MAX_REGIONS regions of `buffer`. The frame,
 * of `layout`, begins at `crop` in the buffer's frame. Clear `self` when
 * done. */
void gst_amphisto_regions_init (GstAmphistoRegions *self, GstBuffer *buffer,
    const GstAmphistoCrop *crop, const AmphistoLayout *layout);

/* Stores the statistics of the histograms of `channels`. `layout`: of the
 * frame. */
void gst_amphisto_statistics_init (
    AmphistoStatistics statistics[AMPHISTO_N_CHANNELS],
    const AmphistoHistograms *histograms, const AmphistoLayout *layout,
    AmphistoChannelMask channels);

/* Calculates the statistics to report of a frame of `layout`. */
void gst_amphisto_measurement_end (
    GstAmphistoMeasurement *self, const AmphistoLayout *layout);

/* Releases the settings and the regions. `self` may be all-zero. */
void gst_amphisto_measurement_clear (GstAmphistoMeasurement *self);
