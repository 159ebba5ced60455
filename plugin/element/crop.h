/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * GstVideoCropMeta: the frame of the caps is a part of the one in the buffer.
 */

#ifndef AMPHISTO_ELEMENT_CROP_H
#define AMPHISTO_ELEMENT_CROP_H

#include <gst/video/video.h>

G_BEGIN_DECLS

/* Where the frame begins in the buffer's, in pixels. */
typedef struct
{
  guint x, y;
} GstAmphistoCrop;

/* Stores where the metadata say that the frame of `info` begins; (0, 0) where
 * the buffer has none, or they can't be followed: the rectangle has another
 * size than the caps, reaches out of the buffer's frame, or begins within a
 * chroma sample.
 *
 * Returns: (transfer full): NULL, or why they can't be followed. */
gchar *gst_amphisto_crop_init (
    GstAmphistoCrop *self, GstBuffer *buffer, const GstVideoInfo *info);

/* Whether the frame begins elsewhere than the buffer's. */
static inline gboolean
gst_amphisto_crop_is_shifted (const GstAmphistoCrop *self)
{
  return self->x > 0 || self->y > 0;
}

/* Clips a region of interest to what is right of and below the corner, and
 * makes its place one in the frame. Regions are given in pixels of the buffer's
 * frame: videocrop leaves them as they are. */
void gst_amphisto_crop_move (
    const GstAmphistoCrop *self, guint *x, guint *y, guint *w, guint *h);

/* Adds the region to a new buffer, which has the pixels of the frame alone. */
void gst_amphisto_crop_copy_region (const GstAmphistoCrop *self,
    GstBuffer *buffer, const GstVideoRegionOfInterestMeta *meta);

G_END_DECLS

#endif
