/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Pictures for benchmarks.
 */

#pragma once

#include <gst/video/video.h>

typedef enum
{
  PICTURE_PHOTOGRAPH, /* from the package opencv-doc, scaled */
  PICTURE_NOISE,      /* random */
  PICTURE_FLAT,       /* one colour */
  PICTURE_RAMP,       /* 0 to 255 repeatedly, in both directions */
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

/* FALSE for the photograph if its packages are missing. */
gboolean picture_is_there (PictureKind kind);

/* The picture for benchmarks that do not compare pictures: the photograph or,
 * with a message if it is missing, noise. */
PictureKind picture_ordinary (void);

/* Requires picture_is_there(). Stores the frame's `info`, with default strides
 * and colorimetry.
 *
 * Returns: (transfer full): a frame. */
GstBuffer *picture_new (PictureKind kind, GstVideoFormat format,
    PictureSize size, GstVideoInfo *info);
