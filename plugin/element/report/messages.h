/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The element messages: their times and contents.
 */

#pragma once

#include "element/report/meta.h"

G_BEGIN_DECLS

/* Times of a buffer, in nanoseconds or GST_CLOCK_TIME_NONE. Stream time and
 * running time need a segment in time: appsrc's may be in bytes. */
typedef struct
{
  GstClockTime timestamp;
  GstClockTime stream_time;
  GstClockTime running_time;
} GstAmphistoTimes;

/* Stores the times of `buffer`, which is in the segment. */
void gst_amphisto_times_init (
    GstAmphistoTimes *self, const GstSegment *segment, GstBuffer *buffer);

/* Adds the times to the structure of a message. */
void gst_amphisto_times_add (
    const GstAmphistoTimes *self, GstStructure *structure);

/* Follows frames in stream time. A frame without a timestamp begins where the
 * previous frame ends, by that frame's duration or the frame duration of the
 * caps. Without either, the real time between their arrivals counts. If the
 * first frame has no timestamp, it is at 0. */
typedef struct
{
  /*< read-only >*/
  gint64 frame;    /* stream time of the last frame; also outside the segment */
  gint64 duration; /* of the last frame in stream time, or 0 */
  /* Stream time from the first frame to the last one, without jumps: a frame
   * follows the previous one directly if it is the first of a segment, comes
   * earlier than that, or is the first with a timestamp. */
  guint64 position;

  /*< private >*/
  gboolean has_frame;
  gboolean is_estimated;   /* `frame` */
  gboolean begins_segment; /* the next frame does */
  gboolean has_message;
  gint64 message; /* stream time of the last frame with a message */
  gint64 arrival; /* of the last frame, by g_get_monotonic_time() */
} GstAmphistoMessages;

/* Forgets all frames: a message is due with the next one. */
void gst_amphisto_messages_init (GstAmphistoMessages *self);

/* The next frame is the first of a segment. */
void gst_amphisto_messages_begin_segment (GstAmphistoMessages *self);

/* Adds the next buffer of the segment, a frame or an empty gap. `duration`: of
 * a frame by the caps, or 0. */
void gst_amphisto_messages_add_frame (GstAmphistoMessages *self,
    const GstSegment *segment, GstBuffer *buffer, GstClockTime duration);

/* Whether a message is due with the frame added last: `interval` nanoseconds of
 * stream time have passed since the last frame with a message, in the direction
 * of playback. A jump against that direction ends the interval at once. */
gboolean gst_amphisto_messages_next (
    GstAmphistoMessages *self, const GstSegment *segment, guint64 interval);

/* Posts a message with the histograms of `buffer`, a frame of the segment. */
void gst_amphisto_messages_post (GstElement *element, const GstSegment *segment,
    GstBuffer *buffer, const AmphistoHistograms *histograms,
    const GstAmphistoStatisticsOptions *options);

G_END_DECLS
