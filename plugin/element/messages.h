/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The element messages: their times and contents.
 */

#ifndef AMPHISTO_ELEMENT_MESSAGES_H
#define AMPHISTO_ELEMENT_MESSAGES_H

#include "element/meta.h"

G_BEGIN_DECLS

/* Follows frames in stream time. A frame without a stream time begins where the
 * previous frame ends, by that frame's duration or the frame duration of the
 * caps. Without either, the real time between their arrivals counts. If the
 * first frame has no stream time, it is at 0. */
typedef struct
{
  /*< private >*/
  gboolean has_frame;
  gboolean has_message;
  gint64 frame;    /* stream time of the last frame */
  gint64 message;  /* stream time of the last frame with a message */
  gint64 duration; /* of the last frame, or 0 */
  gint64 arrival;  /* of the last frame, by g_get_monotonic_time() */
} GstAmphistoMessages;

/* Forgets all frames: a message is due with the next one. */
void gst_amphisto_messages_init (GstAmphistoMessages *self);

/* Adds the next buffer of the segment, a frame or an empty gap. `duration`: of
 * a frame by the caps, or 0. */
void gst_amphisto_messages_add_frame (GstAmphistoMessages *self,
    const GstSegment *segment, GstBuffer *buffer, GstClockTime duration);

/* Whether a message is due with the frame added last: `interval` nanoseconds of
 * stream time have passed since the last frame with a message, in the direction
 * of playback. A jump against that direction ends the interval at once. */
gboolean gst_amphisto_messages_next (
    GstAmphistoMessages *self, const GstSegment *segment, guint64 interval);

/* Returns: the stream time of the buffer, or GST_CLOCK_TIME_NONE if the format
 * of the segment is not time: appsrc's bytes, for example. */
GstClockTime gst_amphisto_stream_time (
    const GstSegment *segment, GstBuffer *buffer);

/* Posts a message with the histograms of `buffer`, a frame of the segment. */
void gst_amphisto_messages_post (GstElement *element, const GstSegment *segment,
    GstBuffer *buffer, const AmphistoHistograms *histograms,
    const GstAmphistoStatisticsOptions *options);

G_END_DECLS

#endif
