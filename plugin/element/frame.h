/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Layouts from caps, and frames from buffers.
 */

#ifndef AMPHISTO_ELEMENT_FRAME_H
#define AMPHISTO_ELEMENT_FRAME_H

#include <gst/video/video.h>

#include "core/frame.h"

/* Sets `layout` to that of frames with `info`, of any format in the pad
 * templates: samples of 8 bits, each in a byte of its own. Frames of mixed
 * streams are taken for progressive. */
void gst_amphisto_layout_init (
    AmphistoLayout *layout, const GstVideoInfo *info);

/* Whether `buffer`, of a stream with `info`, has a frame of two fields. */
gboolean gst_amphisto_frame_is_interlaced (
    const GstVideoInfo *info, GstBuffer *buffer);

/* Sets the matrix that converts between R, G, B and YUV; BT.709's if `matrix`
 * is RGB or unknown. gst_amphisto_layout_init() sets that of the GstVideoInfo,
 * which for RGB formats is always RGB: the caps may name another. */
void gst_amphisto_layout_set_matrix (
    AmphistoLayout *layout, GstVideoColorMatrix matrix);

/* Maps `buffer` and sets `frame` to its planes, or the part of them that its
 * GstVideoCropMeta shows, if that can be followed (GstAmphistoCrop). `layout`
 * is the one for `info` and must outlive the frame. The caller unmaps `map`,
 * after which the frame is invalid.
 *
 * Returns: FALSE with GST_RESOURCE_ERROR_READ, and nothing mapped, if the
 * buffer can't be mapped, its GstVideoMeta contradicts `info`, or its memory is
 * too small for its planes. */
gboolean gst_amphisto_frame_map (GstVideoFrame *map, AmphistoFrame *frame,
    const AmphistoLayout *layout, const GstVideoInfo *info, GstBuffer *buffer,
    GstMapFlags flags, GError **error);

#endif
