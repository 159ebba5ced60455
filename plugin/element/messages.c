/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "element/messages.h"

void
gst_amphisto_messages_init (GstAmphistoMessages *self)
{
  *self = (GstAmphistoMessages){ 0 };
}

void
gst_amphisto_times_init (
    GstAmphistoTimes *self, const GstSegment *segment, GstBuffer *buffer)
{
  const GstClockTime pts = GST_BUFFER_PTS (buffer);
  const gboolean has_time = segment->format == GST_FORMAT_TIME;

  *self = (GstAmphistoTimes){ .timestamp = pts,
    .stream_time = has_time
        ? gst_segment_to_stream_time (segment, GST_FORMAT_TIME, pts)
        : GST_CLOCK_TIME_NONE,
    .running_time = has_time
        ? gst_segment_to_running_time (segment, GST_FORMAT_TIME, pts)
        : GST_CLOCK_TIME_NONE };
}

void
gst_amphisto_times_add (const GstAmphistoTimes *self, GstStructure *structure)
{
  gst_structure_set (structure, "timestamp", G_TYPE_UINT64, self->timestamp,
      "stream-time", G_TYPE_UINT64, self->stream_time, "running-time",
      G_TYPE_UINT64, self->running_time, NULL);
}

gboolean
gst_amphisto_runs_backwards (const GstSegment *segment)
{
  return segment->rate * segment->applied_rate < 0;
}

/* Returns: the stream time, in nanoseconds, from the previous frame to a frame
 * without a stream time; negative in reverse playback. */
static gint64
estimate_step (
    const GstAmphistoMessages *self, const GstSegment *segment, gint64 arrival)
{
  gint64 step = self->duration;

  if (!self->has_frame)
    return 0;
  if (step == 0)
    step = (arrival - self->arrival) * GST_USECOND;
  return gst_amphisto_runs_backwards (segment) ? -step : step;
}

void
gst_amphisto_messages_add_frame (GstAmphistoMessages *self,
    const GstSegment *segment, GstBuffer *buffer, GstClockTime duration)
{
  const gint64 arrival = g_get_monotonic_time ();
  GstAmphistoTimes times;

  gst_amphisto_times_init (&times, segment, buffer);
  if (GST_CLOCK_TIME_IS_VALID (times.stream_time))
    self->frame = (gint64) times.stream_time;
  else
    self->frame += estimate_step (self, segment, arrival);
  if (GST_BUFFER_DURATION_IS_VALID (buffer) && GST_BUFFER_DURATION (buffer) > 0)
    duration = GST_BUFFER_DURATION (buffer);
  self->duration = (gint64) duration;
  self->arrival = arrival;
  self->has_frame = TRUE;
}

static gboolean
is_due (const GstAmphistoMessages *self, const GstSegment *segment,
    guint64 interval)
{
  gint64 elapsed = self->frame - self->message;

  if (!self->has_message)
    return TRUE;
  if (gst_amphisto_runs_backwards (segment))
    elapsed = -elapsed;
  return elapsed < 0 || (guint64) elapsed >= interval;
}

gboolean
gst_amphisto_messages_next (
    GstAmphistoMessages *self, const GstSegment *segment, guint64 interval)
{
  if (!is_due (self, segment, interval))
    return FALSE;
  self->message = self->frame;
  self->has_message = TRUE;
  return TRUE;
}

void
gst_amphisto_messages_post (GstElement *element, const GstSegment *segment,
    GstBuffer *buffer, const AmphistoHistograms *histograms,
    const GstAmphistoStatisticsOptions *options)
{
  GstStructure *structure = gst_structure_new_empty ("amphisto");
  GstAmphistoTimes times;

  gst_amphisto_times_init (&times, segment, buffer);
  gst_amphisto_times_add (&times, structure);
  gst_structure_set (
      structure, "duration", G_TYPE_UINT64, GST_BUFFER_DURATION (buffer), NULL);
  gst_amphisto_structure_add_channels (structure, histograms, options);
  gst_element_post_message (
      element, gst_message_new_element (GST_OBJECT (element), structure));
}
