/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The messages: when they are posted, and what they say.
 */

#include "harnesses.h"

static GstHarness *
posting_new (Picture **picture, guint64 interval)
{
  GstHarness *h = harness_new (
      "post-messages", TRUE, "interval", interval, "qos", FALSE, NULL);

  *picture = picture_small ("GRAY8");
  harness_set_caps (h, *picture);
  return h;
}

static void
push (GstHarness *h, Picture *picture, GstClockTime pts)
{
  GstBuffer *buffer = picture_wrap (picture);

  GST_BUFFER_PTS (buffer) = pts;
  gst_buffer_unref (harness_run (h, buffer));
}

static guint64
get_time (GstMessage *message, const gchar *field)
{
  guint64 value = 1;

  fail_unless (gst_structure_get_uint64 (
      gst_message_get_structure (message), field, &value));
  return value;
}

/* That the next message's timestamp, in ms, is `expected`; -1: that there is
 * none. */
static void
assert_next (GstHarness *h, gint expected)
{
  GstMessage *message = bus_pop (h->element, GST_MESSAGE_ELEMENT);

  if (expected < 0) {
    fail_unless (message == NULL);
    return;
  }
  fail_unless (message != NULL);
  fail_unless_equals_uint64 (
      get_time (message, "timestamp"), expected * GST_MSECOND);
  gst_message_unref (message);
}

static void
push_segment (GstHarness *h, gdouble rate, GstClockTime start,
    GstClockTime base, GstClockTime time)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.rate = rate;
  segment.start = start;
  segment.stop = 100 * GST_SECOND;
  segment.base = base;
  segment.time = time;
  fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
}

static const struct
{
  guint64 interval; /* ms */
  gint times[12];   /* of 10 frames at 25 a second, to -1 */
} intervals[] = {
  { 0, { 0, 40, 80, 120, 160, 200, 240, 280, 320, 360, -1 } },
  { 1, { 0, 40, 80, 120, 160, 200, 240, 280, 320, 360, -1 } },
  { 40, { 0, 40, 80, 120, 160, 200, 240, 280, 320, 360, -1 } },
  { 41, { 0, 80, 160, 240, 320, -1 } },
  { 100, { 0, 120, 240, 360, -1 } },
  { 1000, { 0, -1 } },
};

GST_START_TEST (test_interval)
{
  Picture *picture;
  GstHarness *h =
      posting_new (&picture, intervals[__i__].interval * GST_MSECOND);

  for (guint n = 0; n < 10; n++)
    push (h, picture, n * 40 * GST_MSECOND);
  for (guint i = 0; intervals[__i__].times[i] >= 0; i++)
    assert_next (h, intervals[__i__].times[i]);
  assert_next (h, -1);
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

GST_START_TEST (test_default)
{
  GstHarness *h = harness_new (NULL, NULL);
  Picture *picture = picture_small ("GRAY8");

  harness_set_caps (h, picture);
  push (h, picture, 0);
  assert_next (h, -1);
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

static void
assert_bins (const GstStructure *histogram, const guint32 expected[256])
{
  const GValue *bins = gst_structure_get_value (histogram, "bins");

  fail_unless (GST_VALUE_HOLDS_ARRAY (bins));
  fail_unless_equals_int (gst_value_array_get_size (bins), 256);
  for (guint v = 0; v < 256; v++) {
    const GValue *bin = gst_value_array_get_value (bins, v);

    fail_unless (G_VALUE_HOLDS_UINT (bin));
    fail_unless_equals_int (g_value_get_uint (bin), expected[v]);
  }
}

static void
assert_channel (
    const GstStructure *structure, const Picture *picture, const gchar *name)
{
  const GValue *value = gst_structure_get_value (structure, name);
  const GstStructure *histogram;
  guint32 bins[256];

  fail_unless (value != NULL && GST_VALUE_HOLDS_STRUCTURE (value));
  histogram = gst_value_get_structure (value);
  fail_unless_equals_string (gst_structure_get_name (histogram), "histogram");
  fail_unless_equals_int (gst_structure_n_fields (histogram), 11);
  fail_unless (
      gst_structure_has_field_typed (histogram, "samples", G_TYPE_UINT64));
  fail_unless (gst_structure_has_field_typed (histogram, "min", G_TYPE_UINT));
  fail_unless (gst_structure_has_field_typed (histogram, "max", G_TYPE_UINT));
  fail_unless (
      gst_structure_has_field_typed (histogram, "median", G_TYPE_UINT));
  fail_unless (
      gst_structure_has_field_typed (histogram, "mean", G_TYPE_DOUBLE));
  fail_unless (
      gst_structure_has_field_typed (histogram, "stddev", G_TYPE_DOUBLE));
  fail_unless (
      gst_structure_has_field_typed (histogram, "entropy", G_TYPE_DOUBLE));
  fail_unless (
      gst_structure_has_field_typed (histogram, "clipped-low", G_TYPE_DOUBLE));
  fail_unless (
      gst_structure_has_field_typed (histogram, "clipped-high", G_TYPE_DOUBLE));
  fail_unless (
      gst_structure_has_field_typed (histogram, "percentiles", GST_TYPE_ARRAY));
  fail_unless (picture_count (picture, name, bins));
  assert_bins (histogram, bins);
}

GST_START_TEST (test_fields)
{
  GstHarness *h = harness_new ("post-messages", TRUE, "channels", 0xf,
      "equalization", 1, "attach-meta", __i__, NULL);
  Picture *picture = picture_small ("A420");
  Picture *before = picture_copy (picture);
  GstBuffer *buffer = picture_wrap_nth (picture, 2);
  const GstStructure *structure;
  GstMessage *message;

  harness_set_caps (h, picture);
  gst_buffer_unref (harness_run (h, buffer));
  message = bus_pop (h->element, GST_MESSAGE_ELEMENT);
  fail_unless (message != NULL);
  fail_unless (GST_MESSAGE_SRC (message) == GST_OBJECT (h->element));
  structure = gst_message_get_structure (message);
  fail_unless_equals_string (gst_structure_get_name (structure), "amphisto");
  fail_unless_equals_int (gst_structure_n_fields (structure), 4 + 7);
  fail_unless_equals_uint64 (get_time (message, "timestamp"), 80 * GST_MSECOND);
  fail_unless_equals_uint64 (
      get_time (message, "stream-time"), 80 * GST_MSECOND);
  fail_unless_equals_uint64 (
      get_time (message, "running-time"), 80 * GST_MSECOND);
  fail_unless_equals_uint64 (get_time (message, "duration"), 40 * GST_MSECOND);
  assert_channel (structure, before, "luma");
  assert_channel (structure, before, "u");
  assert_channel (structure, before, "v");
  assert_channel (structure, before, "red");
  assert_channel (structure, before, "green");
  assert_channel (structure, before, "blue");
  assert_channel (structure, before, "alpha");
  gst_message_unref (message);
  picture_free (before);
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

/* As gst-launch-1.0 -m prints them; and back. */
GST_START_TEST (test_printed)
{
  Picture *picture;
  GstHarness *h = posting_new (&picture, 0);
  GstMessage *message;
  GstStructure *parsed;
  g_autofree gchar *text = NULL;
  guint32 bins[256];

  push (h, picture, 0);
  message = bus_pop (h->element, GST_MESSAGE_ELEMENT);
  fail_unless (message != NULL);
  text = gst_structure_to_string (gst_message_get_structure (message));
  fail_unless (text != NULL);
  fail_unless (g_str_has_prefix (text, "amphisto, timestamp=(guint64)0, "));
  parsed = gst_structure_from_string (text, NULL);
  fail_unless (parsed != NULL);
  picture_count (picture, "luma", bins);
  assert_bins (
      gst_value_get_structure (gst_structure_get_value (parsed, "luma")), bins);
  gst_structure_free (parsed);
  gst_message_unref (message);
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

/* Nothing is known of their interval: none is left out. */
GST_START_TEST (test_without_times)
{
  Picture *picture;
  GstHarness *h = posting_new (&picture, GST_SECOND);
  GstBuffer *buffer = picture_wrap (picture);
  GstMessage *message;

  GST_BUFFER_PTS (buffer) = GST_CLOCK_TIME_NONE;
  GST_BUFFER_DURATION (buffer) = GST_CLOCK_TIME_NONE;
  gst_buffer_unref (harness_run (h, buffer));
  message = bus_pop (h->element, GST_MESSAGE_ELEMENT);
  fail_unless (message != NULL);
  fail_unless (get_time (message, "timestamp") == GST_CLOCK_TIME_NONE);
  fail_unless (get_time (message, "stream-time") == GST_CLOCK_TIME_NONE);
  fail_unless (get_time (message, "running-time") == GST_CLOCK_TIME_NONE);
  fail_unless (get_time (message, "duration") == GST_CLOCK_TIME_NONE);
  gst_message_unref (message);
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

/* After a flush an interval begins, wherever it leads. */
GST_START_TEST (test_flush)
{
  Picture *picture;
  GstHarness *h = posting_new (&picture, GST_SECOND);

  push (h, picture, 0);
  push (h, picture, 40 * GST_MSECOND);
  assert_next (h, 0);
  assert_next (h, -1);
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
  push_segment (h, 1.0, 0, 0, 0);
  push (h, picture, 80 * GST_MSECOND);
  push (h, picture, 120 * GST_MSECOND);
  assert_next (h, 80);
  assert_next (h, -1);
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

/* A jump back without a flush, as of a loop, begins one too. */
GST_START_TEST (test_jump_back)
{
  Picture *picture;
  GstHarness *h = posting_new (&picture, 100 * GST_MSECOND);

  push (h, picture, GST_SECOND);
  push (h, picture, 40 * GST_MSECOND);
  push (h, picture, 80 * GST_MSECOND);
  push (h, picture, 140 * GST_MSECOND);
  assert_next (h, 1000);
  assert_next (h, 40);
  assert_next (h, 140);
  assert_next (h, -1);
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

/* Started anew, the first frame posts. */
GST_START_TEST (test_restart)
{
  Picture *picture;
  GstHarness *h = posting_new (&picture, GST_SECOND);

  push (h, picture, 0);
  assert_next (h, 0);
  fail_unless_equals_int (gst_element_set_state (h->element, GST_STATE_READY),
      GST_STATE_CHANGE_SUCCESS);
  gst_harness_play (h);
  fail_unless (
      gst_harness_push_event (h, gst_event_new_stream_start ("again")));
  harness_set_caps (h, picture);
  push_segment (h, 1.0, 0, 0, 0);
  push (h, picture, 40 * GST_MSECOND);
  assert_next (h, 40);
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

static const struct
{
  gdouble rate;
  guint start, base, time, pts;      /* s */
  guint64 stream_time, running_time; /* ms */
} segments[] = {
  { 1.0, 10, 0, 0, 12, 2000, 2000 },
  { 1.0, 10, 5, 0, 12, 2000, 7000 },
  { 1.0, 10, 5, 20, 12, 22000, 7000 },
  { 2.0, 10, 5, 20, 12, 22000, 6000 },
  { -1.0, 0, 0, 0, 12, 12000, 88000 },
};

GST_START_TEST (test_segment)
{
  Picture *picture;
  GstHarness *h = posting_new (&picture, 0);
  GstMessage *message;

  push_segment (h, segments[__i__].rate, segments[__i__].start * GST_SECOND,
      segments[__i__].base * GST_SECOND, segments[__i__].time * GST_SECOND);
  push (h, picture, segments[__i__].pts * GST_SECOND);
  message = bus_pop (h->element, GST_MESSAGE_ELEMENT);
  fail_unless (message != NULL);
  fail_unless_equals_uint64 (
      get_time (message, "timestamp"), segments[__i__].pts * GST_SECOND);
  fail_unless_equals_uint64 (get_time (message, "stream-time"),
      segments[__i__].stream_time * GST_MSECOND);
  fail_unless_equals_uint64 (get_time (message, "running-time"),
      segments[__i__].running_time * GST_MSECOND);
  gst_message_unref (message);
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

/* The interval is in stream time, whatever the rate; backwards too. */
GST_START_TEST (test_rate)
{
  Picture *picture;
  GstHarness *h = posting_new (&picture, 100 * GST_MSECOND);

  push_segment (h, 4.0, 0, 0, 0);
  for (guint n = 0; n < 6; n++)
    push (h, picture, n * 40 * GST_MSECOND);
  assert_next (h, 0);
  assert_next (h, 120);
  assert_next (h, -1);

  push_segment (h, -1.0, 0, 0, 0);
  for (guint n = 25; n > 19; n--)
    push (h, picture, n * 40 * GST_MSECOND);
  assert_next (h, 1000);
  assert_next (h, 880);
  assert_next (h, -1);
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

static Suite *
messages_suite (void)
{
  Suite *suite = suite_create ("messages");
  TCase *tc = tcase_create ("messages");

  suite_add_tcase (suite, tc);
  tcase_add_loop_test (tc, test_interval, 0, G_N_ELEMENTS (intervals));
  tcase_add_test (tc, test_default);
  tcase_add_loop_test (tc, test_fields, 0, 2);
  tcase_add_test (tc, test_printed);
  tcase_add_test (tc, test_without_times);
  tcase_add_test (tc, test_flush);
  tcase_add_test (tc, test_jump_back);
  tcase_add_test (tc, test_restart);
  tcase_add_loop_test (tc, test_segment, 0, G_N_ELEMENTS (segments));
  tcase_add_test (tc, test_rate);
  return suite;
}

int
main (int argc, char **argv)
{
  return run_suite (argc, argv, "messages", messages_suite);
}
