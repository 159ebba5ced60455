/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The times of frames.
 */

#pragma once

#include <gst/gst.h>

typedef struct
{
  /* of the buffer, in nanoseconds or GST_CLOCK_TIME_NONE; stream time and
   * running time need a segment in time: appsrc's may be in bytes */
  GstClockTime timestamp;
  GstClockTime stream_time;
  GstClockTime running_time;
  GstClockTime duration;

  /* on the timeline, in nanoseconds of stream time */
  gint64 start; /* also outside the segment; estimated without a timestamp */
  guint64 position; /* the same, from the first frame on without jumps */
  guint64 length;   /* 0: unknown */

  gboolean is_outside; /* of the segment: no sink shows the frame */
  GstClockTime end;    /* in stream time, of the frame as sinks show it; or
                        * GST_CLOCK_TIME_NONE */
} GstAmphistoTimes;

/* Stores the times of `buffer` in the segment. gst_amphisto_timeline_add() adds
 * the rest. */
void gst_amphisto_times_init (
    GstAmphistoTimes *self, const GstSegment *segment, GstBuffer *buffer);

/* Adds timestamp, stream time and running time to the structure of a message.
 */
void gst_amphisto_times_add (
    const GstAmphistoTimes *self, GstStructure *structure);

/* Returns: `to` - `from`, both in nanoseconds of stream time, in the direction
 * of playback. The sum wraps: timestamps may be anything. */
gint64 gst_amphisto_times_elapsed (
    const GstSegment *segment, gint64 from, gint64 to);

/* Follows frames in stream time. A frame without a timestamp begins where the
 * previous frame ends, by that frame's duration or the frame duration of the
 * caps. Without either, the real time between their arrivals counts. If the
 * first frame has no timestamp, it is at 0.
 *
 * A frame follows the previous one directly, without a jump, if it is the first
 * of a segment, comes earlier than that, or is the first with a timestamp.
 *
 * All-zero before the first frame. */
typedef struct
{
  /*< public >*/
  gboolean begins_segment; /* the next frame does */

  /*< private >*/
  GstAmphistoTimes last; /* of the last frame */
  gint64 arrival;        /* of the last frame, by g_get_monotonic_time() */
  gboolean has_frame;
  gboolean is_estimated; /* the last frame's start */
} GstAmphistoTimeline;

/* Adds the next frame of the segment, or an empty gap, and completes its times.
 * `duration`: of a frame by the caps, or 0. */
void gst_amphisto_timeline_add (GstAmphistoTimeline *self,
    const GstSegment *segment, GstClockTime duration, GstAmphistoTimes *times);
