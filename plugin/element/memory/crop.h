/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * GstVideoCropMeta: the frame is a part of a larger one in the buffer.
 */

#pragma once

#include <gst/video/video.h>

/* Top left corner of the frame, in pixels of the buffer's frame. */
typedef struct
{
  guint x, y;
} GstAmphistoCrop;

/* Stores the corner that the buffer's GstVideoCropMeta gives for a frame of
 * `info`; (0, 0) without the meta, or if it can't be followed: the rectangle's
 * size differs from the caps', it exceeds the buffer's frame, or it begins
 * within a chroma sample.
 *
 * Returns: (transfer full): NULL, or why the meta can't be followed. */
gchar *gst_amphisto_crop_init (
    GstAmphistoCrop *self, GstBuffer *buffer, const GstVideoInfo *info);

/* Whether the frame begins right of or below the buffer's corner. */
static inline gboolean
gst_amphisto_crop_is_shifted (const GstAmphistoCrop *self)
{
  return self->x > 0 || self->y > 0;
}

/* Stores the corner in plane `p` of the buffer: a row, and a byte in it. */
void gst_amphisto_crop_find_corner (const GstAmphistoCrop *self,
    const GstVideoFormatInfo *format, guint p, guint *row, gsize *byte);

/* Converts a region of interest from pixels of the buffer's frame to pixels of
 * the cropped frame, and clips it at the corner. Regions are in the former
 * because videocrop leaves them as they are. */
void gst_amphisto_crop_move (
    const GstAmphistoCrop *self, guint *x, guint *y, guint *w, guint *h);

/* If `meta` is a region of interest of a cropped frame, adds a copy to
 * `outbuf`, which holds only that frame. The copy is in pixels of the cropped
 * frame.
 *
 * Returns: whether a copy was added. */
gboolean gst_amphisto_crop_copy_region (
    const GstAmphistoCrop *self, GstBuffer *outbuf, const GstMeta *meta);
