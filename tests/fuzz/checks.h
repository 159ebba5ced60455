/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What is known of a frame's results without the plugin's code: histograms are
 * plain counts of the input, pixels outside the region stay, and some pixels
 * inside are known too.
 *
 * All checks return (transfer full): what is wrong, or NULL.
 */

#ifndef FUZZ_CHECKS_H
#define FUZZ_CHECKS_H

#include <gst/video/video.h>

#include "buffers.h"
#include "settings.h"

#define FUZZ_META_NAME "AmphistoHistogramMeta"
/* A field of metadata that comes from upstream. */
#define FUZZ_UPSTREAM_FIELD "upstream"

/* A region of interest of the buffer. */
typedef struct
{
  gint id;
  guint x, y, width, height;
} FuzzRegion;

/* A frame and what it was processed with. */
typedef struct
{
  const GstVideoInfo *info;
  guint weights[3]; /* RGB: of R, G and B in luma, in 1/65536 */
  Picture *before;  /* the frame as it arrived; its part is changed */
  FuzzSettings settings;
  GArray *regions; /* of FuzzRegion */
  gboolean has_upstream_meta;
} FuzzFrame;

/* Restricts `before` to the region of the settings. */
void fuzz_frame_select_region (const FuzzFrame *self);

/* Whether a channel is measured that the format has. */
gboolean fuzz_frame_is_measured (const FuzzFrame *self);

/* The metadata of the buffer that came out. */
gchar *fuzz_check_meta (const FuzzFrame *self, GstBuffer *out);

/* A buffer that was shared with the one that went in: it has the metadata that
 * it had. */
gchar *fuzz_check_other (const FuzzFrame *self, GstBuffer *other);

/* The structure of a message. */
gchar *fuzz_check_message (
    const FuzzFrame *self, const GstStructure *structure);

/* Copies the samples of `out` to `result`, a copy of the frame as it arrived.
 * Checks the memory that went in, `input`: only samples that came out there may
 * be changed, and none `is_shared`. */
gchar *fuzz_take_output (const FuzzFrame *self, GstBuffer *out, Picture *input,
    gboolean is_shared, Picture *result);

/* The samples. */
gchar *fuzz_check_pixels (const FuzzFrame *self, const Picture *result);

/* Compares all bytes of two copies of one picture. */
gchar *fuzz_compare (const Picture *expected, const Picture *actual);

#endif
