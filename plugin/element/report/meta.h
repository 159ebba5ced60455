/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Histograms as GstStructures, in the metadata of buffers and in messages.
 * plugin/reference.md documents the fields.
 */

#pragma once

#include <gst/video/video.h>

#include "element/report/measurement.h"

/* Name of the GstCustomMeta. */
#define GST_AMPHISTO_META_NAME "AmphistoHistogramMeta"

/* Registers the metadata, unless it is registered already. It has no tags, so
 * that elements keep it that convert, scale or encode the frame: it says itself
 * which frame it describes.
 *
 * Returns: FALSE if the name belongs to a metadata that is not a GstCustomMeta.
 */
gboolean gst_amphisto_meta_register (void);

/* Whether `meta` is a GST_AMPHISTO_META_NAME. */
gboolean gst_amphisto_meta_is (GstMeta *meta);

/* Attaches the measurement of a frame of `info` and `layout`, which has ended,
 * to `buffer`, which must be writable. Replaces metadata that an upstream
 * element attached.
 *
 * Returns: FALSE if the metadata can't be replaced or added. */
gboolean gst_amphisto_meta_attach (GstBuffer *buffer, const GstVideoInfo *info,
    const AmphistoLayout *layout, const GstAmphistoMeasurement *measurement);

/* Adds a field for each measured channel to the structure of a message, with
 * its histogram, and one for the picture. Unlike in the metadata, `bins` is an
 * array. */
void gst_amphisto_structure_add_channels (
    GstStructure *structure, const GstAmphistoMeasurement *measurement);
