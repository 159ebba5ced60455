/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the benchmarks look at.
 */

#ifndef PICTURES_H
#define PICTURES_H

#include <gst/video/video.h>

typedef enum
{
  PICTURE_PHOTOGRAPH, /* of the package opencv-doc, scaled */
  PICTURE_NOISE,      /* random */
  PICTURE_FLAT,       /* one colour */
  PICTURE_RAMP,       /* from 0 to 255 and again, in both directions */
  N_PICTURES
} PictureKind;

/* What the photograph comes with, and what decodes it. */
#define PICTURE_PACKAGES "opencv-doc, gstreamer1.0-plugins-good"

typedef struct
{
  guint width;
  guint height;
} PictureSize;

/* "photograph", "noise", "flat" or "ramp" */
const gchar *picture_name (PictureKind kind);

/* The caps that a frame of the format and size has. */
void picture_info_init (
    GstVideoInfo *info, GstVideoFormat format, PictureSize size);

/* Whether it can be made: the photograph is there, and what decodes it. */
gboolean picture_is_there (PictureKind kind);

/* The photograph, or noise where there is none, for figures that are not of
 * different pictures; says so where it is noise. */
PictureKind picture_ordinary (void);

/* Returns: (transfer full): a frame with the picture, which is there, planes
 * and rows as in `info`. */
GstBuffer *picture_new (PictureKind kind, const GstVideoInfo *info);

#endif
