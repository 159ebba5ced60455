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

/* Initializes `layout` for frames of `info`, in any format of the pad
 * templates: 8-bit samples, each in a byte of its own. Mixed streams get the
 * layout of progressive frames. */
void gst_amphisto_layout_init (
    AmphistoLayout *layout, const GstVideoInfo *info);

/* The same, with the matrix that `caps` name for converting between RGB and
 * YUV. For RGB formats, `info` has GST_VIDEO_COLOR_MATRIX_RGB in its place. */
void gst_amphisto_layout_init_from_caps (
    AmphistoLayout *layout, const GstVideoInfo *info, const GstCaps *caps);

/* Whether the frame in `buffer`, of a stream with `info`, consists of two
 * fields. */
gboolean gst_amphisto_frame_is_interlaced (
    const GstVideoInfo *info, GstBuffer *buffer);

/* Maps `buffer` and sets `frame` to its planes, or to the part in its
 * GstVideoCropMeta, unless the meta can't be followed (GstAmphistoCrop).
 * `layout` is the one for `info` and must outlive the frame. The caller unmaps
 * `map`, after which the frame is invalid.
 *
 * Returns: FALSE with GST_RESOURCE_ERROR_READ, and nothing mapped, if the
 * buffer can't be mapped, its GstVideoMeta contradicts `info`, or its memory is
 * too small for its planes. */
gboolean gst_amphisto_frame_map (GstVideoFrame *map, AmphistoFrame *frame,
    const AmphistoLayout *layout, const GstVideoInfo *info, GstBuffer *buffer,
    GstMapFlags flags, GError **error);

#endif
