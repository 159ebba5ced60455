/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The two fields of interlaced frames: which frames have them, and whether a
 * buffer holds all of their rows.
 *
 * If the height of 4:2:0 is 2 modulo 4 (of YUV9: 2, 3 or 4 modulo 8), the lower
 * field uses one row of chroma more than the planes of progressive frames have.
 * GStreamer's own layouts of interlaced caps have room for that row. Other
 * layouts (GstVideoMeta) may not.
 */

#pragma once

#include <gst/video/video.h>

#include "core/pixels/frame.h"
#include "element/memory/crop.h"

/* Whether the frame in `buffer`, of a stream with `info`, consists of two
 * fields. */
gboolean gst_amphisto_fields_are_in (
    const GstVideoInfo *info, GstBuffer *buffer);

/* Whether the buffer holds all rows that the fields of an interlaced frame use:
 * they lie in its memory, and not in other planes. TRUE in progressive streams.
 * `layout` is the one for `info`, `crop` the buffer's. */
gboolean gst_amphisto_fields_have_all_rows (const AmphistoLayout *layout,
    const GstVideoInfo *info, GstBuffer *buffer, const GstAmphistoCrop *crop);

/* Writes the chroma rows that the frame's layout lacks, as copies of the rows
 * that are used in their place: GStreamer reads them in any buffer with
 * interlaced caps. The frame's buffer must hold all rows. */
void gst_amphisto_fields_complete (const AmphistoFrame *frame);
