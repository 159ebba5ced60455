/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Checks of a frame's results without the plugin's code: histograms are plain
 * counts of the input, pixels outside the region stay, and some pixels inside
 * are predictable.
 *
 * All checks return (transfer full): a description of the failure, or NULL.
 */

#pragma once

#include <gst/video/video.h>

#include "buffers.h"
#include "settings.h"

#define FUZZ_META_NAME "AmphistoHistogramMeta"
/* A metadata field that comes from upstream. */
#define FUZZ_UPSTREAM_FIELD "upstream"

/* A region of interest. */
typedef struct
{
  gint id;
  guint x, y, width, height;
} FuzzRegion;

/* A frame and the settings that it was processed with. */
typedef struct
{
  const GstVideoInfo *info;
  guint weights[3]; /* RGB: weights of R, G and B in luma, in 1/65536 */
  Picture *before;  /* the frame as it arrived; its part is changed */
  FuzzSettings settings;
  GArray *regions; /* of FuzzRegion */
  gboolean has_upstream_meta;
} FuzzFrame;

/* Luma's difference and distance from the previous frame; -1: none. */
typedef struct
{
  gdouble difference, distance;
} FuzzComparison;

FuzzComparison fuzz_comparison_read (GstBuffer *out);

/* Checks the range of a comparison; and that there is none unless settings ask
 * for it. */
gchar *fuzz_check_comparison (
    const FuzzFrame *self, const FuzzComparison *comparison);

/* Restricts `before` to the region in the settings. */
void fuzz_frame_select_region (const FuzzFrame *self);

/* Whether any measured channel exists in the format. */
gboolean fuzz_frame_is_measured (const FuzzFrame *self);

/* Checks the metadata of the output buffer. */
gchar *fuzz_check_meta (const FuzzFrame *self, GstBuffer *out);

/* Checks that a buffer that shared memory with the input still has its
 * metadata. */
gchar *fuzz_check_other (const FuzzFrame *self, GstBuffer *other);

/* Checks the structure of a message. */
gchar *fuzz_check_message (
    const FuzzFrame *self, const GstStructure *structure);

typedef enum
{
  FUZZ_UNTESTED,
  FUZZ_MET,
  FUZZ_FAILED,
  FUZZ_UNKNOWN /* too near to tell, or a field that is checked elsewhere */
} FuzzTestResult;

/* Tests the frame against a condition. `comparison`: in its metadata. */
FuzzTestResult fuzz_test_condition (const FuzzFrame *self,
    const FuzzComparison *comparison, const gchar *condition);

/* Checks that a message about a condition is true of the frame. */
gchar *fuzz_check_told (const FuzzFrame *self, const FuzzComparison *comparison,
    const GstStructure *structure);

/* Copies the samples of `out` to `result`, a copy of the frame as it arrived.
 * Checks the input memory, `input`: only samples that are also the output's may
 * have changed, and none if `is_shared`. */
gchar *fuzz_take_output (const FuzzFrame *self, GstBuffer *out, Picture *input,
    gboolean is_shared, Picture *result);

/* Checks the output's samples. */
gchar *fuzz_check_pixels (const FuzzFrame *self, const Picture *result);

/* Compares two compositions of scopes, NULL if there are none: places and
 * pixels. */
gchar *fuzz_compare_scopes (
    GstVideoOverlayComposition *expected, GstVideoOverlayComposition *actual);

/* Compares all bytes of two copies of one picture. */
gchar *fuzz_compare (const Picture *expected, const Picture *actual);
