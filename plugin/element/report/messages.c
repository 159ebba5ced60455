/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/report/messages.h"

#include <math.h>

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

static gboolean
runs_backwards (const GstSegment *segment)
{
  return segment->rate * segment->applied_rate < 0;
}

/* Stores the buffer's stream time, which may be outside the segment and below
 * 0, unlike that of a message.
 *
 * Returns: FALSE if the buffer has none. */
static gboolean
get_stream_time (const GstSegment *segment, GstBuffer *buffer, gint64 *time)
{
  guint64 distance;
  gint sign;

  if (segment->format != GST_FORMAT_TIME)
    return FALSE;
  sign = gst_segment_to_stream_time_full (
      segment, GST_FORMAT_TIME, GST_BUFFER_PTS (buffer), &distance);
  if (sign == 0)
    return FALSE;
  *time = (gint64) (sign < 0 ? -distance : distance);
  return TRUE;
}

/* Returns: the duration of `buffer`, or `usual` if it has none, in ns of stream
 * time. */
static gint64
measure_duration (
    const GstSegment *segment, GstBuffer *buffer, GstClockTime usual)
{
  const gboolean has_duration =
      GST_BUFFER_DURATION_IS_VALID (buffer) && GST_BUFFER_DURATION (buffer) > 0;
  const GstClockTime duration =
      has_duration ? GST_BUFFER_DURATION (buffer) : usual;
  const gdouble rate = fabs (segment->applied_rate);

  return rate == 1.0 ? (gint64) duration
                     : (gint64) CLAMP (duration * rate, 0, 0x1p62);
}

/* Timestamps and durations may be anything: sums wrap. */
static gint64
add (gint64 a, gint64 b)
{
  return (gint64) ((guint64) a + (guint64) b);
}

static gint64
subtract (gint64 a, gint64 b)
{
  return (gint64) ((guint64) a - (guint64) b);
}

/* Returns: the time, in ns, from the last frame to one that follows it
 * directly. */
static gint64
estimate_step (const GstAmphistoMessages *self, gint64 arrival)
{
  if (!self->has_frame)
    return 0;
  return self->duration > 0 ? self->duration
                            : (arrival - self->arrival) * GST_USECOND;
}

/* Returns: the stream time, in ns, from the last frame to the next one, without
 * jumps. Both times are timestamps. */
static gint64
measure_step (
    const GstAmphistoMessages *self, const GstSegment *segment, gint64 time)
{
  const gint64 step = runs_backwards (segment) ? subtract (self->frame, time)
                                               : subtract (time, self->frame);

  return self->begins_segment || step < 0 ? self->duration : step;
}

void
gst_amphisto_messages_begin_segment (GstAmphistoMessages *self)
{
  self->begins_segment = TRUE;
}

void
gst_amphisto_messages_add_frame (GstAmphistoMessages *self,
    const GstSegment *segment, GstBuffer *buffer, GstClockTime duration)
{
  const gint64 arrival = g_get_monotonic_time ();
  gint64 step = estimate_step (self, arrival);
  gint64 time = runs_backwards (segment) ? subtract (self->frame, step)
                                         : add (self->frame, step);
  const gboolean has_time = get_stream_time (segment, buffer, &time);

  if (has_time && self->has_frame && !self->is_estimated)
    step = measure_step (self, segment, time);
  self->frame = time;
  self->position += (guint64) step;
  self->duration = measure_duration (segment, buffer, duration);
  self->arrival = arrival;
  self->is_estimated = !has_time;
  self->begins_segment = FALSE;
  self->has_frame = TRUE;
}

static gboolean
is_due (const GstAmphistoMessages *self, const GstSegment *segment,
    guint64 interval)
{
  const gint64 elapsed = runs_backwards (segment)
      ? subtract (self->message, self->frame)
      : subtract (self->frame, self->message);

  if (!self->has_message)
    return TRUE;
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
