/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "element/messages.h"

void
gst_amphisto_messages_init (GstAmphistoMessages *self)
{
  self->last = GST_CLOCK_TIME_NONE;
}

GstClockTime
gst_amphisto_stream_time (const GstSegment *segment, GstBuffer *buffer)
{
  if (segment->format != GST_FORMAT_TIME)
    return GST_CLOCK_TIME_NONE;
  return gst_segment_to_stream_time (
      segment, GST_FORMAT_TIME, GST_BUFFER_PTS (buffer));
}

static GstClockTime
running_time (const GstSegment *segment, GstBuffer *buffer)
{
  if (segment->format != GST_FORMAT_TIME)
    return GST_CLOCK_TIME_NONE;
  return gst_segment_to_running_time (
      segment, GST_FORMAT_TIME, GST_BUFFER_PTS (buffer));
}

static gboolean
is_due (const GstAmphistoMessages *self, const GstSegment *segment,
    GstClockTime now, guint64 interval)
{
  GstClockTimeDiff elapsed;

  if (!GST_CLOCK_TIME_IS_VALID (now) || !GST_CLOCK_TIME_IS_VALID (self->last))
    return TRUE;
  elapsed = GST_CLOCK_DIFF (self->last, now);
  if (segment->rate * segment->applied_rate < 0)
    elapsed = -elapsed;
  return elapsed < 0 || (GstClockTime) elapsed >= interval;
}

gboolean
gst_amphisto_messages_next (GstAmphistoMessages *self,
    const GstSegment *segment, GstBuffer *buffer, guint64 interval)
{
  const GstClockTime now = gst_amphisto_stream_time (segment, buffer);

  if (!is_due (self, segment, now, interval))
    return FALSE;
  self->last = now;
  return TRUE;
}

void
gst_amphisto_messages_post (GstElement *element, const GstSegment *segment,
    GstBuffer *buffer, const AmphistoHistograms *histograms,
    const GstAmphistoStatisticsOptions *options)
{
  GstStructure *structure = gst_structure_new ("amphisto", "timestamp",
      G_TYPE_UINT64, GST_BUFFER_PTS (buffer), "stream-time", G_TYPE_UINT64,
      gst_amphisto_stream_time (segment, buffer), "running-time", G_TYPE_UINT64,
      running_time (segment, buffer), "duration", G_TYPE_UINT64,
      GST_BUFFER_DURATION (buffer), NULL);

  gst_amphisto_structure_add_channels (structure, histograms, options);
  gst_element_post_message (
      element, gst_message_new_element (GST_OBJECT (element), structure));
}
