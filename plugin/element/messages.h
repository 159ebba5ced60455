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

typedef struct
{
  /*< private >*/
  GstClockTime last; /* stream time of the last message, or none */
} GstAmphistoMessages;

/* No message has been posted: the next frame's is due. */
void gst_amphisto_messages_init (GstAmphistoMessages *self);

/* Whether a message is due with the buffer, a frame of the segment: `interval`
 * nanoseconds of stream time have passed since the last one that was, in the
 * direction in which stream time runs. A jump against that direction ends the
 * interval at once. */
gboolean gst_amphisto_messages_next (GstAmphistoMessages *self,
    const GstSegment *segment, GstBuffer *buffer, guint64 interval);

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
