/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Tests frames against the conditions of GstAmphisto:expect, and posts messages
 * and the error.
 */

#pragma once

#include "element/report/messages.h"
#include "element/props/settings.h"

G_BEGIN_DECLS

/* GstAmphisto:expect, GstAmphisto:expect-duration and GstAmphisto:expect-error
 * when a frame arrived, and its times. */
typedef struct
{
  GstAmphistoConditions conditions;
  guint64 min_duration; /* ns */
  gboolean is_error;
  gint64 time;      /* stream time, in ns, estimated if the frame has none */
  guint64 position; /* the same without jumps, see GstAmphistoMessages */
  guint64 duration; /* ns of stream time, 0: unknown */
} GstAmphistoExpectations;

/* A measured frame. */
typedef struct
{
  const GstAmphistoExpectations *expectations;
  const AmphistoHistograms *histograms;
  const AmphistoLayout *layout;
  const GstSegment *segment;
  GstBuffer *buffer;
} GstAmphistoExpectFrame;

/* Used by the thread that holds the sink pad's stream lock. All-zero except
 * `element` until the first frame. */
typedef struct
{
  /*< private >*/
  GstElement *element;
  GstAmphistoConditions conditions; /* of the last frame */
  struct
  {
    AmphistoConditionState state;
    GstAmphistoTimes times; /* of the first frame of the last failure */
    gint64 time;            /* the same, estimated */
  } condition[GST_AMPHISTO_MAX_CONDITIONS];
  guint64 n_frames;    /* since the conditions were set */
  gboolean has_failed; /* the error is posted */
  guint64 position;    /* of the last frame */
} GstAmphistoExpect;

/* `element` must outlive `self`. */
void gst_amphisto_expect_init (GstAmphistoExpect *self, GstElement *element);

/* Begins anew: before the first frame. */
void gst_amphisto_expect_reset (GstAmphistoExpect *self);

/* After a flush: failures end without a message. Whether a condition has ever
 * been met is kept. */
void gst_amphisto_expect_flush (GstAmphistoExpect *self);

/* Tests a frame and posts messages. Begins anew if its conditions are not those
 * of the last frame.
 *
 * Returns: FALSE after posting the error. */
gboolean gst_amphisto_expect_add_frame (
    GstAmphistoExpect *self, const GstAmphistoExpectFrame *frame);

/* Whether the error has been posted for these settings, so that no frames are
 * taken any more. */
gboolean gst_amphisto_expect_has_failed (
    const GstAmphistoExpect *self, const GstAmphistoSettings *settings);

/* At EOS: posts a message for each condition that was reported and still fails,
 * and for each that no frame has met; with expect-error, the latter are an
 * error. `settings`: those of now, which no frame may have had. */
void gst_amphisto_expect_end (
    GstAmphistoExpect *self, const GstAmphistoSettings *settings);

G_END_DECLS
