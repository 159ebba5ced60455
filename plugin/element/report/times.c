/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/report/times.h"

#include <math.h>

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
        : GST_CLOCK_TIME_NONE,
    .duration = GST_BUFFER_DURATION (buffer) };
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

gint64
gst_amphisto_times_elapsed (const GstSegment *segment, gint64 from, gint64 to)
{
  return runs_backwards (segment) ? (gint64) ((guint64) from - (guint64) to)
                                  : (gint64) ((guint64) to - (guint64) from);
}

/* --- the timeline --- */

/* Stores the stream time of a timestamp, which may be outside the segment and
 * below 0, unlike a message's.
 *
 * Returns: FALSE if there is none. */
static gboolean
get_stream_time (
    const GstSegment *segment, GstClockTime timestamp, gint64 *time)
{
  guint64 distance;
  gint sign;

  if (segment->format != GST_FORMAT_TIME)
    return FALSE;
  sign = gst_segment_to_stream_time_full (
      segment, GST_FORMAT_TIME, timestamp, &distance);
  if (sign == 0)
    return FALSE;
  *time = (gint64) (sign < 0 ? -distance : distance);
  return TRUE;
}

/* Returns: `duration`, or `usual` if a buffer has none, in ns of stream time.
 */
static guint64
measure_length (
    const GstSegment *segment, GstClockTime duration, GstClockTime usual)
{
  const gdouble rate = fabs (segment->applied_rate);

  if (!GST_CLOCK_TIME_IS_VALID (duration) || duration == 0)
    duration = usual;
  return rate == 1.0 ? duration : (guint64) CLAMP (duration * rate, 0, 0x1p62);
}

/* Clips the frame to the segment, as video sinks do. `usual`: duration of a
 * frame by the caps, or 0. */
static void
clip (GstAmphistoTimes *times, const GstSegment *segment, GstClockTime usual)
{
  const GstClockTime start = times->timestamp;
  GstClockTime duration = times->duration;
  guint64 first, end;

  times->is_outside = FALSE;
  times->end = GST_CLOCK_TIME_NONE;
  if (segment->format != GST_FORMAT_TIME || !GST_CLOCK_TIME_IS_VALID (start))
    return;
  if (!GST_CLOCK_TIME_IS_VALID (duration) && usual > 0)
    duration = usual;
  if (duration > GST_CLOCK_TIME_NONE - start) /* unknown, or too long */
    duration = GST_CLOCK_TIME_NONE - start;
  times->is_outside = !gst_segment_clip (
      segment, GST_FORMAT_TIME, start, start + duration, &first, &end);
  if (!times->is_outside)
    times->end = gst_segment_to_stream_time (segment, GST_FORMAT_TIME,
        GST_CLOCK_TIME_IS_VALID (start + duration) ? end : first);
}

/* Returns: the time, in ns, from the last frame to one that follows it
 * directly. */
static gint64
estimate_step (const GstAmphistoTimeline *self, gint64 arrival)
{
  const gint64 length = (gint64) self->last.length;

  if (!self->has_frame)
    return 0;
  return length > 0 ? length : (arrival - self->arrival) * GST_USECOND;
}

/* Returns: the stream time, in ns, from the last frame to the next one, without
 * jumps. Both times are timestamps. */
static gint64
measure_step (
    const GstAmphistoTimeline *self, const GstSegment *segment, gint64 start)
{
  const gint64 step =
      gst_amphisto_times_elapsed (segment, self->last.start, start);

  return self->begins_segment || step < 0 ? (gint64) self->last.length : step;
}

void
gst_amphisto_timeline_add (GstAmphistoTimeline *self, const GstSegment *segment,
    GstClockTime duration, GstAmphistoTimes *times)
{
  const gint64 arrival = g_get_monotonic_time ();
  gint64 step = estimate_step (self, arrival);
  gint64 start = (gint64) ((guint64) self->last.start
      + (guint64) (runs_backwards (segment) ? -step : step));
  const gboolean has_time = get_stream_time (segment, times->timestamp, &start);

  if (has_time && self->has_frame && !self->is_estimated)
    step = measure_step (self, segment, start);
  times->start = start;
  times->position = self->last.position + (guint64) step;
  times->length = measure_length (segment, times->duration, duration);
  clip (times, segment, duration);
  *self = (GstAmphistoTimeline){ .last = *times,
    .arrival = arrival,
    .has_frame = TRUE,
    .is_estimated = !has_time };
}
