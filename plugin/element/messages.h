/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The element messages: when they are due, and what is in them.
 */

#ifndef AMPHISTO_ELEMENT_MESSAGES_H
#define AMPHISTO_ELEMENT_MESSAGES_H

#include "element/meta.h"

G_BEGIN_DECLS

/* Where frames are in stream time. One that has none is where the one before
 * ends: after its duration, or the caps' if it has none; with neither, after
 * the real time that has passed since. The first frame is at 0 then. */
typedef struct
{
  /*< private >*/
  gboolean has_frame;
  gboolean has_message;
  gint64 frame;    /* stream time of the last frame */
  gint64 message;  /* that of the last one with a message */
  gint64 duration; /* of the last frame, or 0 */
  gint64 arrival;  /* of the last frame, by g_get_monotonic_time() */
} GstAmphistoMessages;

/* No frame has come and no message has been posted: the next frame's is due. */
void gst_amphisto_messages_init (GstAmphistoMessages *self);

/* The next frame of the segment is `buffer`, or a gap without one. `duration`
 * is that of a frame by the caps, or 0. */
void gst_amphisto_messages_add_frame (GstAmphistoMessages *self,
    const GstSegment *segment, GstBuffer *buffer, GstClockTime duration);

/* Whether a message is due with the frame added last: `interval` nanoseconds of
 * stream time have passed since the last one that was, in the direction in
 * which stream time runs. A jump against that direction ends the interval at
 * once. */
gboolean gst_amphisto_messages_next (
    GstAmphistoMessages *self, const GstSegment *segment, guint64 interval);

/* Returns: the stream time of the buffer, or none: segments in other formats
 * than time, such as appsrc's bytes, have no times. */
GstClockTime gst_amphisto_stream_time (
    const GstSegment *segment, GstBuffer *buffer);

/* Posts the histograms of the buffer, a frame of the segment. */
void gst_amphisto_messages_post (GstElement *element, const GstSegment *segment,
    GstBuffer *buffer, const AmphistoHistograms *histograms,
    const GstAmphistoStatisticsOptions *options);

G_END_DECLS

#endif
