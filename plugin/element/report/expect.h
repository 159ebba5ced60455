/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Tests frames against the conditions of GstAmphisto:expect, and posts messages
 * and the error.
 */

#pragma once

#include "element/report/measurement.h"

/* Used by the thread that finishes frames, or by the streaming thread while no
 * frame is in flight. All-zero except `element` until the first frame. */
typedef struct
{
  /*< public >*/
  GstElement *element; /* not referenced */

  /*< private >*/
  GstAmphistoConditions *conditions; /* of the last frame; referenced */
  struct
  {
    AmphistoConditionState state;
    GstAmphistoTimes times; /* of the first frame of the last failure */
  } condition[GST_AMPHISTO_MAX_CONDITIONS];
  guint64 n_frames;    /* since the conditions were set */
  gboolean has_failed; /* the error is posted */
  guint64 position;    /* of the last frame */
} GstAmphistoExpect;

/* Begins anew: before the first frame. Releases the conditions. */
void gst_amphisto_expect_reset (GstAmphistoExpect *self);

/* After a flush: failures end without a message. Whether a condition has ever
 * been met is kept. */
void gst_amphisto_expect_flush (GstAmphistoExpect *self);

/* Tests a frame, whose measurement has ended, against the conditions of its
 * settings, and posts messages. Begins anew if they are not those of the last
 * frame.
 *
 * Returns: FALSE after posting the error. */
gboolean gst_amphisto_expect_add_frame (
    GstAmphistoExpect *self, const GstAmphistoMeasurement *measurement);

/* Whether the error has been posted for these settings, so that no frames are
 * taken any more. */
gboolean gst_amphisto_expect_has_failed (
    const GstAmphistoExpect *self, const GstAmphistoSettings *settings);

/* At EOS: posts a message for each condition that was reported and still fails,
 * and for each that no frame has met; if `posts_error`, the latter are an
 * error. `conditions`: those of now, which no frame may have had. */
void gst_amphisto_expect_end (GstAmphistoExpect *self,
    GstAmphistoConditions *conditions, gboolean posts_error);
