/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What happens to buffers, events and queries on their way.
 */

#include "harnesses.h"

/* With nothing to do, buffers pass as they are: shared, read-only, and too
 * small. */
GST_START_TEST (test_passthrough)
{
  GstHarness *h = harness_new ("attach-meta", FALSE, NULL);
  Picture *picture = picture_small ("RGB");
  Picture *before = picture_copy (picture);
  GstBuffer *buffer = picture_wrap_planes (picture, GST_MEMORY_FLAG_READONLY);
  GstBuffer *out;

  harness_set_caps (h, picture);
  out = harness_run (h, gst_buffer_ref (buffer));
  fail_unless (out == buffer);
  ASSERT_BUFFER_REFCOUNT (out, "buffer", 2);
  gst_buffer_unref (out);
  out = harness_run (h, buffer);
  fail_unless (out == buffer);
  ASSERT_BUFFER_REFCOUNT (out, "buffer", 1);
  fail_unless_equals_int (buffer_n_metas (out), 0);
  gst_buffer_unref (out);
  fail_unless (picture_equal (picture, before));

  buffer = gst_buffer_new ();
  out = harness_run (h, buffer);
  fail_unless (out == buffer);
  gst_buffer_unref (out);
  picture_free (before);
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

/* A buffer with one owner is the one that leaves, with its memory. */
GST_START_TEST (test_analysis)
{
  GstHarness *h = harness_new ("post-messages", TRUE, NULL);
  Picture *picture = picture_new ("I420", 33, 17, PICTURE_ODD, 0, 255, 1);
  Picture *before = picture_copy (picture);
  GstBuffer *buffer = picture_wrap_planes (picture, GST_MEMORY_FLAG_READONLY);
  GstMemory *memory = gst_buffer_peek_memory (buffer, 2);
  GstBuffer *out;

  harness_set_caps (h, picture);
  out = harness_run (h, buffer);
  fail_unless (out == buffer);
  ASSERT_BUFFER_REFCOUNT (out, "buffer", 1);
  fail_unless_equals_int (gst_buffer_n_memory (out), 3);
  fail_unless (gst_buffer_peek_memory (out, 2) == memory);
  fail_unless (picture_equal (picture, before));
  gst_buffer_unref (out);
  picture_free (before);
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

/* A shared one gets a sibling around the same memory; with messages only, not
 * even that. */
GST_START_TEST (test_shared_analysis)
{
  const gboolean attaches = __i__ == 0;
  GstHarness *h =
      harness_new ("post-messages", TRUE, "attach-meta", attaches, NULL);
  Picture *picture = picture_new ("I420", 33, 17, PICTURE_ODD, 0, 255, 1);
  Picture *before = picture_copy (picture);
  GstBuffer *buffer = picture_wrap_planes (picture, 0);
  GstBuffer *out;

  harness_set_caps (h, picture);
  out = harness_run (h, gst_buffer_ref (buffer));
  fail_unless_equals_int (out == buffer, !attaches);
  fail_unless_equals_int (buffer_n_metas (buffer), 0);
  fail_unless_equals_int (buffer_n_metas (out), attaches);
  fail_unless_equals_int (gst_buffer_n_memory (out), 3);
  for (guint i = 0; i < 3; i++)
    fail_unless (
        gst_buffer_peek_memory (out, i) == gst_buffer_peek_memory (buffer, i));
  fail_unless (picture_equal (picture, before));
  gst_buffer_unref (out);
  gst_buffer_unref (buffer);
  picture_free (before);
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

static void
keep_buffer (GstElement *sink, GstBuffer *buffer, GstPad *pad, gpointer kept)
{
  (void) sink;
  (void) pad;
  gst_buffer_replace (kept, buffer);
}

/* Behind a tee, whose branches follow one another here: the second sees the
 * very buffer that went in. */
GST_START_TEST (test_tee)
{
  GstHarness *h = gst_harness_new_parse (
      "tee name=t ! amphisto equalization=global ! fakesink name=sink "
      "async=false sync=false signal-handoffs=true t. ! valve");
  GstElement *sink = gst_bin_get_by_name (GST_BIN (h->element), "sink");
  Picture *picture = picture_small ("GRAY8");
  Picture *expected = picture_copy (picture);
  GstCaps *caps = video_caps ("GRAY8", 16, 8, NULL);
  GstBuffer *buffer = picture_wrap (picture);
  GstBuffer *equalized = NULL, *out;

  g_signal_connect (sink, "handoff", G_CALLBACK (keep_buffer), &equalized);
  gst_harness_play (h);
  gst_harness_set_src_caps (h, gst_caps_ref (caps));
  out = harness_run (h, buffer);
  fail_unless (out == buffer);
  fail_unless_equals_int (buffer_n_metas (out), 0);
  fail_unless (picture_equal (picture, expected));
  fail_unless (equalized != NULL && equalized != buffer);
  assert_histograms (equalized, picture, "luma");
  picture_equalize (expected, FALSE, 1.0f);
  assert_pixels (equalized, caps, expected);
  gst_buffer_unref (equalized);
  gst_buffer_unref (out);
  gst_object_unref (sink);
  gst_caps_unref (caps);
  picture_free (expected);
  picture_free (picture);
  gst_harness_teardown (h);
}

GST_END_TEST

/* Memory that may not be written, though the buffer has one owner. */
GST_START_TEST (test_read_only)
{
  GstHarness *h = harness_new ("equalization", 1, NULL);
  Picture *picture = picture_small ("I420");
  Picture *expected = picture_copy (picture);
  GstCaps *caps = video_caps ("I420", 16, 8, NULL);
  GstBuffer *buffer = picture_wrap_planes (picture, GST_MEMORY_FLAG_READONLY);
  GstBuffer *out;

  gst_harness_set_src_caps (h, gst_caps_ref (caps));
  out = harness_run (h, gst_buffer_ref (buffer));
  fail_unless (out != buffer);
  fail_unless (picture_equal (picture, expected));
  gst_buffer_unref (out);

  out = harness_run (h, buffer);
  fail_unless (out != buffer);
  fail_unless (picture_equal (picture, expected));
  picture_equalize (expected, TRUE, 1.0f);
  assert_pixels (out, caps, expected);
  gst_buffer_unref (out);
  gst_caps_unref (caps);
  picture_free (expected);
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

/* One owner, but the memory is in another buffer too. */
GST_START_TEST (test_shared_memory)
{
  GstHarness *h = harness_new ("equalization", 1, NULL);
  Picture *picture = picture_small ("I420");
  Picture *expected = picture_copy (picture);
  GstBuffer *buffer = picture_wrap_planes (picture, 0);
  GstBuffer *other = gst_buffer_copy (buffer);
  GstBuffer *out;
  GstCaps *caps = video_caps ("I420", 16, 8, NULL);

  gst_harness_set_src_caps (h, gst_caps_ref (caps));
  out = harness_run (h, buffer);
  fail_unless (picture_equal (picture, expected));
  assert_pixels (other, caps, expected);
  picture_equalize (expected, TRUE, 1.0f);
  assert_pixels (out, caps, expected);
  gst_buffer_unref (out);
  gst_buffer_unref (other);
  gst_caps_unref (caps);
  picture_free (expected);
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

GST_START_TEST (test_gap)
{
  GstHarness *h = harness_new ("equalization", 1, "post-messages", TRUE,
      "interval", G_GUINT64_CONSTANT (0), NULL);
  Picture *picture = picture_small ("GRAY8");
  Picture *before = picture_copy (picture);
  GstBuffer *buffer = picture_wrap (picture);
  GstBuffer *out;

  harness_set_caps (h, picture);
  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_GAP);
  if (__i__ == 1)
    gst_buffer_ref (buffer);
  out = harness_run (h, buffer);
  fail_unless (out == buffer);
  fail_unless_equals_int (buffer_n_metas (out), 0);
  fail_unless (picture_equal (picture, before));
  fail_unless (bus_pop (h->element, GST_MESSAGE_ELEMENT) == NULL);
  if (__i__ == 1)
    gst_buffer_unref (buffer);
  gst_buffer_unref (out);

  gst_buffer_unref (harness_run (h, picture_wrap (picture)));
  picture_equalize (before, FALSE, 1.0f);
  fail_unless (picture_equal (picture, before));
  picture_free (before);
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

static GstEventType
pull_event_type (GstHarness *h)
{
  GstEvent *event = gst_harness_try_pull_event (h);
  GstEventType type = event != NULL ? GST_EVENT_TYPE (event) : 0;

  if (event != NULL)
    gst_event_unref (event);
  return type;
}

/* Nothing is held back: EOS follows the last frame at once. */
GST_START_TEST (test_eos)
{
  GstHarness *h = harness_new (NULL, NULL);
  Picture *picture = picture_small ("GRAY8");
  GstEventType last = 0, type;

  harness_set_caps (h, picture);
  fail_unless_equals_int (
      gst_harness_push (h, picture_wrap (picture)), GST_FLOW_OK);
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  fail_unless_equals_int (gst_harness_buffers_received (h), 1);
  while ((type = pull_event_type (h)) != 0)
    last = type;
  fail_unless_equals_int (last, GST_EVENT_EOS);
  fail_unless_equals_int (
      gst_harness_push (h, gst_buffer_new ()), GST_FLOW_EOS);
  gst_buffer_unref (gst_harness_pull (h));
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

GST_START_TEST (test_flush)
{
  GstHarness *h = harness_new ("equalization", 1, NULL);
  Picture *picture = picture_small ("GRAY8");
  Picture *expected;
  GstSegment segment;
  GstBuffer *out;

  harness_set_caps (h, picture);
  gst_buffer_unref (harness_run (h, picture_wrap (picture)));
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
  fail_unless_equals_int (
      gst_harness_push (h, picture_wrap (picture)), GST_FLOW_FLUSHING);
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = segment.time = 10 * GST_SECOND;
  fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));

  expected = picture_copy (picture);
  out = harness_run (h, picture_wrap_nth (picture, 250));
  assert_histograms (out, expected, "luma");
  picture_equalize (expected, FALSE, 1.0f);
  fail_unless (picture_equal (picture, expected));
  gst_buffer_unref (out);
  picture_free (expected);
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

static const struct
{
  const gchar *format;
  guint width, height;
  const gchar *colorimetry;
  gboolean limited;
} streams[] = {
  { "I420", 64, 48, "bt709", TRUE },
  { "I420", 64, 48, "1:3:5:1", FALSE },
  { "I420", 63, 47, "1:3:5:1", FALSE },
  { "RGBA", 63, 47, "sRGB", FALSE },
  { "NV12", 200, 100, "bt601", TRUE },
  { "GRAY8", 200, 100, "1:4:0:0", FALSE },
  { "GRAY8", 1, 1, "1:4:0:0", FALSE },
  { "YUY2", 321, 3, "bt709", TRUE },
};

GST_START_TEST (test_caps_change)
{
  GstHarness *h = harness_new ("equalization", 1, NULL);

  for (guint n = 0; n < 5 * G_N_ELEMENTS (streams); n++) {
    const guint i = n % G_N_ELEMENTS (streams);
    GstCaps *caps = video_caps (streams[i].format, streams[i].width,
        streams[i].height, streams[i].colorimetry);
    Picture *picture = picture_new (streams[i].format, streams[i].width,
        streams[i].height, PICTURE_ODD, 20, 130, n);
    Picture *expected = picture_copy (picture);
    GstBuffer *buffer = picture_wrap (picture);
    GstBuffer *out;

    gst_harness_set_src_caps (h, gst_caps_ref (caps));
    out = harness_run (h, gst_buffer_ref (buffer));
    assert_histograms (out, expected, "luma");
    picture_equalize (expected, streams[i].limited, 1.0f);
    assert_pixels (out, caps, expected);
    gst_buffer_unref (out);
    out = harness_run (h, buffer);
    fail_unless (picture_equal (picture, expected));
    gst_buffer_unref (out);
    gst_caps_unref (caps);
    picture_free (expected);
    picture_free (picture);
  }
  harness_free (h);
}

GST_END_TEST

/* Pushes frames 1 to 9 after the sink has said that frame 0 came 200 ms late.
 * Counts those that come out, and messages of others. */
static void
run_late (gboolean qos, guint *n_passed, guint *n_skipped)
{
  GstHarness *h = harness_new ("qos", qos, NULL);
  Picture *picture = picture_small ("GRAY8");
  GstMessage *message;

  *n_passed = *n_skipped = 0;
  harness_set_caps (h, picture);
  gst_buffer_unref (harness_run (h, picture_wrap (picture)));
  fail_unless (gst_harness_push_upstream_event (h,
      gst_event_new_qos (GST_QOS_TYPE_UNDERFLOW, 2.0, 200 * GST_MSECOND, 0)));
  for (guint n = 1; n < 10; n++)
    fail_unless_equals_int (
        gst_harness_push (h, picture_wrap_nth (picture, n)), GST_FLOW_OK);
  for (GstBuffer *out; (out = gst_harness_try_pull (h)) != NULL; ++*n_passed) {
    assert_histograms (out, picture, "luma");
    gst_buffer_unref (out);
  }
  while ((message = bus_pop (h->element, GST_MESSAGE_QOS)) != NULL) {
    gst_message_unref (message);
    ++*n_skipped;
  }
  picture_free (picture);
  harness_free (h);
}

/* Frames 1 to 5 come too late. */
GST_START_TEST (test_qos)
{
  guint n_passed, n_skipped;

  run_late (TRUE, &n_passed, &n_skipped);
  fail_unless_equals_int (n_passed, 4);
  fail_unless_equals_int (n_skipped, 5);
  run_late (FALSE, &n_passed, &n_skipped);
  fail_unless_equals_int (n_passed, 9);
  fail_unless_equals_int (n_skipped, 0);
}

GST_END_TEST

static Suite *
flow_suite (void)
{
  Suite *suite = suite_create ("flow");
  TCase *tc = tcase_create ("flow");

  suite_add_tcase (suite, tc);
  tcase_add_test (tc, test_passthrough);
  tcase_add_test (tc, test_analysis);
  tcase_add_loop_test (tc, test_shared_analysis, 0, 2);
  tcase_add_test (tc, test_tee);
  tcase_add_test (tc, test_read_only);
  tcase_add_test (tc, test_shared_memory);
  tcase_add_loop_test (tc, test_gap, 0, 2);
  tcase_add_test (tc, test_eos);
  tcase_add_test (tc, test_flush);
  tcase_add_test (tc, test_caps_change);
  tcase_add_test (tc, test_qos);
  return suite;
}

int
main (int argc, char **argv)
{
  return run_suite (argc, argv, "flow", flow_suite);
}
