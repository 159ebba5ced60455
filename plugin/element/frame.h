/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * From caps and buffers to the frames of plain C.
 */

#ifndef AMPHISTO_ELEMENT_FRAME_H
#define AMPHISTO_ELEMENT_FRAME_H

#include <gst/video/video.h>

#include "core/frame.h"

/* The layout of the frames that `info` describes: any format of 8-bit samples
 * in whole bytes. */
void gst_amphisto_layout_init (
    AmphistoLayout *layout, const GstVideoInfo *info);

/* Makes `matrix` the one between R, G, B and YUV; BT.709 where it is RGB or
 * unknown. gst_amphisto_layout_init() takes it from the GstVideoInfo, which
 * says RGB for RGB whatever the caps say. */
void gst_amphisto_layout_set_matrix (
    AmphistoLayout *layout, GstVideoColorMatrix matrix);

/* Maps `buffer`, a frame with the caps of `info`, and points `frame` at it.
 * `map` is to be unmapped when the frame is done with.
 *
 * Returns: FALSE with GST_RESOURCE_ERROR_READ if it can't be mapped, or is too
 * small for what its caps and metadata say it holds; nothing is mapped then. */
gboolean gst_amphisto_frame_map (GstVideoFrame *map, AmphistoFrame *frame,
    const AmphistoLayout *layout, const GstVideoInfo *info, GstBuffer *buffer,
    GstMapFlags flags, GError **error);

#endif
