/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The pictures that benchmarks process.
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

/* The packages of the photograph and its decoder. */
#define PICTURE_PACKAGES "opencv-doc, gstreamer1.0-plugins-good"

typedef struct
{
  guint width;
  guint height;
} PictureSize;

/* "photograph", "noise", "flat" or "ramp" */
const gchar *picture_name (PictureKind kind);

/* A format and size, with default strides and colorimetry. */
void picture_info_init (
    GstVideoInfo *info, GstVideoFormat format, PictureSize size);

/* Whether the picture can be made: the photograph needs its packages. */
gboolean picture_is_there (PictureKind kind);

/* The photograph or, with a message, noise where it is missing: for benchmarks
 * that do not compare pictures. */
PictureKind picture_ordinary (void);

/* Returns: (transfer full): a frame with the picture, which must be there, laid
 * out as in `info`. */
GstBuffer *picture_new (PictureKind kind, const GstVideoInfo *info);

#endif
