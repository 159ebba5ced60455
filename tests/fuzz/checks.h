/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Checks of a frame's metadata and messages without the plugin's code:
 * histograms are plain counts of the input. They end with fuzz_fail().
 */

#pragma once

#include <gst/video/video.h>

#include "buffers.h"
#include "settings.h"

/* Frames follow each other directly, whatever the caps say. */
#define FUZZ_RATE 25
#define FUZZ_FRAME_DURATION (GST_SECOND / FUZZ_RATE)

#define FUZZ_META_NAME "AmphistoHistogramMeta"
/* A metadata field that comes from upstream. */
#define FUZZ_UPSTREAM_FIELD "upstream"

/* A region of interest, of type FUZZ_ROI_TYPE. */
#define FUZZ_ROI_TYPE "face"
typedef struct
{
  gint id;
  guint x, y, width, height;
} FuzzRegion;

/* Luma's difference and distance from the previous frame, and the picture's
 * difference; -1: none. */
typedef struct
{
  gdouble difference, distance;
  gdouble of_picture;
} FuzzComparison;

/* A frame and the settings that it was processed with. */
typedef struct
{
  const GstVideoInfo *info;
  guint weights[3]; /* RGB: weights of R, G and B in luma, in 1/65536 */
  Picture *before;  /* the frame as it arrived; its part is changed */
  FuzzSettings settings;
  GArray *regions; /* of FuzzRegion */
  gboolean has_upstream_meta;
  GstClockTime pts;
  GstSegment segment;
  gboolean is_discont;

  /* By a model of the state between frames, see fuzz_history_add_frame(). */
  FuzzComparison comparison;
  guint32 smoothed[256];
  gint budget;
} FuzzFrame;

/* Restricts `before` to the region in the settings. */
void fuzz_frame_select_region (const FuzzFrame *self);

/* Counts a channel's samples in the selected part.
 *
 * Returns: FALSE if the format lacks the channel. */
gboolean fuzz_frame_count (
    const FuzzFrame *self, const gchar *channel, guint32 bins[256]);

/* Computes a field of a channel, or its percentile (p98), or a field of
 * `picture`, in the region: NAN for unknown fields.
 *
 * Returns: FALSE if the frame lacks it, or the channel has no samples. */
gboolean fuzz_frame_get (const FuzzFrame *self, const gchar *channel,
    const gchar *name, gdouble *value);

/* Whether statistics differ by no more than rounding. */
gboolean fuzz_is_near (gdouble a, gdouble b);

/* Whether any measured channel exists in the format. */
gboolean fuzz_frame_is_measured (const FuzzFrame *self);

/* Checks the metadata of the output buffer. */
void fuzz_check_meta (const FuzzFrame *self, GstBuffer *out);

/* Checks that a buffer that shared memory with the input still has its
 * metadata. */
void fuzz_check_other (const FuzzFrame *self, GstBuffer *other);

/* Checks the frame's channels in a message. */
void fuzz_check_message (const FuzzFrame *self, const GstStructure *structure);
