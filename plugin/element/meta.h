/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Histograms as GstStructures: in a buffer's metadata and in messages.
 */

#ifndef AMPHISTO_ELEMENT_META_H
#define AMPHISTO_ELEMENT_META_H

#include <gst/gst.h>
#include <gst/video/video.h>

#include "element/regions.h"
#include "core/histogram.h"

/* The GstCustomMeta that a measured buffer carries. Its structure has `format`
 * (string), `width` and `height` (int), and for each channel measured, under
 * "luma", "u", "v", "red", "green", "blue" or "alpha", a GstStructure named
 * "histogram":
 *
 *   bins     GBytes, 256 native-endian guint32: samples of each value
 *   samples  guint64: their sum
 *   min, max, median  guint, 0 to 255
 *   mean, stddev      gdouble
 *   entropy           gdouble, bits
 *   clipped-low, clipped-high  gdouble, 0 to 1: the share of the samples at or
 *                     below, at or above the ends of the channel's range
 *   percentiles       GstValueArray of guint: see GstAmphistoStatisticsOptions
 *
 * and, if regions of interest are measured, `regions`, a GstValueArray of
 * GstStructures named "region": the `id` (int), `roi-type` (string), `x`, `y`,
 * `w`, `h` (guint) of a GstVideoRegionOfInterestMeta, and the channels as
 * above.
 */
#define GST_AMPHISTO_META_NAME "AmphistoHistogramMeta"

/* What histograms are described by: their frame's layout; and of which shares
 * of the samples, 0 to 100 %, there are to be percentiles. */
typedef struct
{
  const AmphistoLayout *layout;
  const gdouble *percentiles;
  guint n_percentiles;
} GstAmphistoStatisticsOptions;

/* Registers the metadata, with the tags "video" and "colorspace". FALSE where
 * the name is taken by something else than a custom metadata. */
gboolean gst_amphisto_meta_register (void);

/* Whether `meta` is this metadata. */
gboolean gst_amphisto_meta_is (GstMeta *meta);

/* Attaches `histograms`, and those of `regions` unless it is NULL, to `buffer`,
 * which must be writable, in place of what an element upstream may have
 * attached. FALSE where the metadata can't be added. */
gboolean gst_amphisto_meta_attach (GstBuffer *buffer, const GstVideoInfo *info,
    const AmphistoHistograms *histograms, const GstAmphistoRegions *regions,
    const GstAmphistoStatisticsOptions *options);

/* Adds the channels' structures to `structure`, as in the metadata, but the
 * bins as a GstValueArray of guint. */
void gst_amphisto_structure_add_channels (GstStructure *structure,
    const AmphistoHistograms *histograms,
    const GstAmphistoStatisticsOptions *options);

#endif
