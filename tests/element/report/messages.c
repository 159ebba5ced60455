/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Messages: the times at which they are posted, and their fields.
 */

#include "core/measure/statistics.h"
#include "harnesses.h"

#include <string.h>

static GstHarness *
posting_new (const Picture *picture, guint64 interval)
{
  return harness_new_for (
      picture, "post-messages", TRUE, "interval", interval, "qos", FALSE, NULL);
}

static void
push (GstHarness *h, Picture *picture, GstClockTime pts)
{
  GstBuffer *buffer = picture_wrap (picture);

  GST_BUFFER_PTS (buffer) = pts;
  harness_pass (h, buffer);
}

/* Returns: (transfer full): the next message. Fails without one. */
static GstMessage *
pop (GstHarness *h)
{
  GstMessage *message = bus_pop (h->element, GST_MESSAGE_ELEMENT);

  fail_unless (message != NULL);
  return message;
}

static guint64
get_time (GstMessage *message, const gchar *field)
{
  guint64 value = 1;

  fail_unless (gst_structure_get_uint64 (
      gst_message_get_structure (message), field, &value));
  return value;
}

static void
assert_times (GstMessage *message, guint64 timestamp, guint64 stream_time,
    guint64 running_time)
{
  fail_unless_equals_uint64 (get_time (message, "timestamp"), timestamp);
  fail_unless_equals_uint64 (get_time (message, "stream-time"), stream_time);
  fail_unless_equals_uint64 (get_time (message, "running-time"), running_time);
}

/* Streams, and the frames with messages. A frame is its timestamp in ms, or `-`
 * without one, and lasts 40 ms; `!`: it is reported. */
static const struct
{
  guint64 interval; /* ms */
  const gchar *events;
} timelines[] = {
  { 0, "0! 40! 80! 120! 160! 200! 240! 280! 320! 360!" },
  { 1, "0! 40! 80! 120! 160! 200! 240! 280! 320! 360!" },
  { 40, "0! 40! 80! 120! 160! 200! 240! 280! 320! 360!" },
  { 41, "0! 40 80! 120 160! 200 240! 280 320! 360" },
  { 100, "0! 40 80 120! 160 200 240! 280 320 360!" },
  { 1000, "0! 40 80 120 160 200 240 280 320 360" },
  /* those without do not end the interval of the others, which continues */
  { 200, "0! - 80 120 - -! 360 400!" },
  /* a new interval begins, also with a jump back by one or more, as in a loop
   */
  { 1000, "0! 40 flush 80! 120" },
  { 1000, "0! restart 40!" },
  { 100, "1000! 40! 80 140!" },
  { 100, "200! 101 100! 199 200!" },
  /* or to a new segment, as in a playlist; not with one that goes on */
  { 1000, "0! 40 80 segment 120 segment 160 1000!" },
  { 1000, "80! 120 segment 0! 40 0 segment 0! 40 segment 40 1000!" },
  /* timestamps that jitter, or in the order of decoding */
  { 100, "0! 120! 40 80 240! 160 200 360! 280 320" },
  { 40, "0! 120! 40! 80! 240! 160! 200!" },
  { 100, "0! 41 39 81 79 121! 119 161 159 201 199 241!" },
  { 100, "rate=-1 1000! 880! 960 920 760! 840 800" },
  /* it is in stream time, at any rate, which may run against the timestamps */
  { 100, "rate=4 0! 40 80 120! 160 200" },
  { 100, "rate=-1 1000! 960 920 880! 840 800" },
  { 100, "applied-rate=-1 0! 40 80 120! 160 200" },
  { 100, "rate=-1,applied-rate=-1 240! 200 160 120! 80 40" },
};

/* Pushes a frame. It is reported, with its timestamp, if `event` ends so. */
static void
check_frame (GstHarness *h, Picture *picture, const gchar *event)
{
  const GstClockTime pts = *event == '-'
      ? GST_CLOCK_TIME_NONE
      : g_ascii_strtoull (event, NULL, 10) * GST_MSECOND;
  g_autoptr (GstMessage) message = NULL;

  push (h, picture, pts);
  message = bus_pop (h->element, GST_MESSAGE_ELEMENT);
  fail_unless_equals_int (message != NULL, g_str_has_suffix (event, "!"));
  if (message != NULL)
    fail_unless_equals_uint64 (get_time (message, "timestamp"), pts);
}

TEST (test_timelines)
{
  g_auto (GStrv) events = g_strsplit (timelines[__i__].events, " ", -1);
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h =
      posting_new (picture, timelines[__i__].interval * GST_MSECOND);

  for (guint i = 0; events[i] != NULL; i++)
    if (strstr (events[i], "rate=") != NULL) {
      harness_push_segment (h,
          strstr (events[i], "rate=4")               ? 4.0
              : g_str_has_prefix (events[i], "rate") ? -1.0
                                                     : 1.0,
          strstr (events[i], "applied") ? -1.0 : 1.0, 0, 0, 0);
    } else if (g_str_equal (events[i], "flush")) {
      harness_flush (h);
    } else if (g_str_equal (events[i], "segment")) {
      harness_begin_segment (h);
    } else if (g_str_equal (events[i], "restart")) {
      element_set_state (h->element, GST_STATE_READY);
      harness_restart (h, picture);
    } else {
      check_frame (h, picture, events[i]);
    }
}

/* The fields of a channel without a comparison, with their types. */
static void
assert_fields (const GstStructure *histogram)
{
  static const GType types[] = { G_TYPE_UINT64, G_TYPE_UINT, G_TYPE_DOUBLE };
  guint n = 2;

  fail_unless (gst_structure_has_name (histogram, "histogram"));
  for (AmphistoField f = 0; f < AMPHISTO_N_FIELDS; f++)
    if (!amphisto_field_is_comparison (f)) {
      n++;
      fail_unless (gst_structure_has_field_typed (histogram,
                       amphisto_field_name (f), types[amphisto_field_type (f)]),
          "no %s", amphisto_field_name (f));
    }
  fail_unless_equals_int (gst_structure_n_fields (histogram), n);
  fail_unless (
      gst_structure_has_field_typed (histogram, "percentiles", GST_TYPE_ARRAY));
  fail_unless (
      gst_structure_has_field_typed (histogram, "bins", GST_TYPE_ARRAY));
}

/* Without (0) and with (1) metadata. */
TEST (test_fields)
{
  g_autoptr (Picture) picture = picture_small ("A420");
  g_autoptr (Picture) before = picture_copy (picture);
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (Harness) h = harness_new_for (picture, "post-messages", TRUE,
      "channels", CHANNELS_ALL, "equalization", AMPHISTO_EQUALIZATION_GLOBAL,
      "attach-meta", __i__, NULL);
  const GstStructure *structure;

  harness_pass (h, picture_wrap_nth (picture, 2));
  message = pop (h);
  fail_unless (GST_MESSAGE_SRC (message) == GST_OBJECT (h->element));
  structure = gst_message_get_structure (message);
  fail_unless_equals_string (gst_structure_get_name (structure), "amphisto");
  fail_unless_equals_int (
      gst_structure_n_fields (structure), 4 + AMPHISTO_N_CHANNELS);
  assert_times (message, 80 * GST_MSECOND, 80 * GST_MSECOND, 80 * GST_MSECOND);
  fail_unless_equals_uint64 (get_time (message, "duration"), 40 * GST_MSECOND);
  assert_channels (structure, before, ALL_NAMES);
  for (guint c = 0; c < AMPHISTO_N_CHANNELS; c++)
    assert_fields (structure_field (structure, amphisto_channel_name (c)));
}

/* A message in the text of gst-launch-1.0 -m can be parsed again. */
TEST (test_printed)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GstStructure) parsed = NULL;
  g_autofree gchar *text = NULL;
  g_autoptr (Harness) h = posting_new (picture, 0);

  push (h, picture, 0);
  message = pop (h);
  text = gst_structure_to_string (gst_message_get_structure (message));
  fail_unless (text != NULL);
  fail_unless (g_str_has_prefix (text, "amphisto, timestamp=(guint64)0, "));
  parsed = gst_structure_from_string (text, NULL);
  fail_unless (parsed != NULL);
  assert_channels (parsed, picture, "luma");
}

/* The first buffer is reported with any interval, and without timestamps, too.
 */
TEST (test_without_times)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (Harness) h = posting_new (picture, GST_SECOND);
  GstBuffer *buffer = picture_wrap (picture);

  GST_BUFFER_PTS (buffer) = GST_CLOCK_TIME_NONE;
  GST_BUFFER_DURATION (buffer) = GST_CLOCK_TIME_NONE;
  harness_pass (h, buffer);
  message = pop (h);
  assert_times (
      message, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE);
  fail_unless_equals_uint64 (
      get_time (message, "duration"), GST_CLOCK_TIME_NONE);
}

/* The number of messages on the bus. */
static guint
count_messages (GstHarness *h)
{
  guint n = 0;

  for (GstMessage *message;
       (message = bus_pop (h->element, GST_MESSAGE_ELEMENT)) != NULL; n++)
    gst_message_unref (message);
  return n;
}

/* The distance of frames without a timestamp is their duration (0) or the
 * framerate's (1); also in a stream that runs backwards (5). Timestamps outside
 * the segment count as those inside (3, 4). With neither, real time counts,
 * which does not pass within an hour here (2). An interval of 0 holds none
 * back. */
static const struct
{
  GstClockTime duration;
  gboolean has_rate, is_outside;
  gdouble rate;
  guint64 interval; /* ms */
  guint n;          /* messages for 20 frames */
} without_times[] = {
  { 50 * GST_MSECOND, TRUE, FALSE, 1.0, 100, 10 },
  { GST_CLOCK_TIME_NONE, TRUE, FALSE, 1.0, 80, 10 },
  { GST_CLOCK_TIME_NONE, FALSE, FALSE, 1.0, 3600000, 1 },
  { 50 * GST_MSECOND, TRUE, TRUE, 1.0, 100, 10 },
  { 0, TRUE, TRUE, 1.0, 80, 10 },
  { 50 * GST_MSECOND, TRUE, FALSE, -1.0, 100, 10 },
  { 50 * GST_MSECOND, FALSE, FALSE, 1.0, 0, 20 },
  { GST_CLOCK_TIME_NONE, FALSE, FALSE, 1.0, 0, 20 },
};

TEST (test_interval_without_times)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h =
      posting_new (picture, without_times[__i__].interval * GST_MSECOND);

  if (!without_times[__i__].has_rate)
    harness_set_fields (h, picture, "framerate=0/1");
  harness_push_segment (
      h, without_times[__i__].rate, 1.0, 10 * GST_SECOND, 0, 10 * GST_SECOND);
  for (guint n = 0; n < 20; n++) {
    GstBuffer *buffer = picture_wrap (picture);

    GST_BUFFER_PTS (buffer) = without_times[__i__].is_outside
        ? n * 50 * GST_MSECOND
        : GST_CLOCK_TIME_NONE;
    GST_BUFFER_DURATION (buffer) = without_times[__i__].duration;
    harness_pass (h, buffer);
  }
  fail_unless_equals_int (count_messages (h), without_times[__i__].n);
}

/* A millisecond of real time ends an interval of a microsecond. */
TEST (test_real_time)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h = posting_new (picture, GST_USECOND);

  harness_set_fields (h, picture, "framerate=0/1");
  for (guint n = 0; n < 5; n++) {
    GstBuffer *buffer = picture_wrap (picture);

    GST_BUFFER_PTS (buffer) = GST_BUFFER_DURATION (buffer) =
        GST_CLOCK_TIME_NONE;
    harness_pass (h, buffer);
    g_usleep (1000);
  }
  fail_unless_equals_int (count_messages (h), 5);
}

static const struct
{
  gdouble rate, applied_rate;
  guint start, base, time, pts;      /* s */
  guint64 stream_time, running_time; /* ms */
} segments[] = {
  { 1.0, 1.0, 10, 0, 0, 12, 2000, 2000 },
  { 1.0, 1.0, 10, 5, 0, 12, 2000, 7000 },
  { 1.0, 1.0, 10, 5, 20, 12, 22000, 7000 },
  { 2.0, 1.0, 10, 5, 20, 12, 22000, 6000 },
  { -1.0, 1.0, 0, 0, 0, 12, 12000, 88000 },
  { 1.0, -1.0, 0, 0, 0, 12, 88000, 12000 },
};

TEST (test_segment)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (Harness) h = posting_new (picture, 0);

  harness_push_segment (h, segments[__i__].rate, segments[__i__].applied_rate,
      segments[__i__].start * GST_SECOND, segments[__i__].base * GST_SECOND,
      segments[__i__].time * GST_SECOND);
  push (h, picture, segments[__i__].pts * GST_SECOND);
  message = pop (h);
  assert_times (message, segments[__i__].pts * GST_SECOND,
      segments[__i__].stream_time * GST_MSECOND,
      segments[__i__].running_time * GST_MSECOND);
}

/* In a byte segment, as from an appsrc, timestamps have no meaning. */
TEST (test_bytes)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h = posting_new (picture, 0);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_BYTES);
  fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
  for (guint n = 0; n < 2; n++) {
    g_autoptr (GstMessage) message = NULL;

    push (h, picture, n * 40 * GST_MSECOND);
    message = pop (h);
    assert_times (message, n * 40 * GST_MSECOND, GST_CLOCK_TIME_NONE,
        GST_CLOCK_TIME_NONE);
  }
}

const ElementTest element_tests[] = { EACH (test_timelines, timelines),
  TIMES (test_fields, 2), ONCE (test_printed), ONCE (test_without_times),
  EACH (test_interval_without_times, without_times), ONCE (test_real_time),
  EACH (test_segment, segments), ONCE (test_bytes), { 0 } };
