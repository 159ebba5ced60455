/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Buffers and events in the element: which buffers are copied, and the effects
 * of flushes, caps changes and QoS.
 */

#include "harnesses.h"

/* With nothing to do, buffers pass unchanged: shared, read-only, or too small.
 */
TEST (test_passthrough)
{
  g_autoptr (Picture) picture = picture_small ("RGB");
  g_autoptr (Picture) before = picture_copy (picture);
  g_autoptr (Harness) h = harness_new_for (picture, "attach-meta", FALSE, NULL);
  GstBuffer *buffer = picture_wrap_planes (picture, GST_MEMORY_FLAG_READONLY);
  GstBuffer *out;

  out = harness_run (h, gst_buffer_ref (buffer));
  fail_unless (out == buffer);
  ASSERT_BUFFER_REFCOUNT (out, "buffer", 2);
  gst_buffer_unref (out);
  out = harness_run (h, buffer);
  fail_unless (out == buffer);
  ASSERT_BUFFER_REFCOUNT (out, "buffer", 1);
  fail_unless_equals_int (buffer_n_metas (out), 0);
  gst_buffer_unref (out);
  fail_unless_same_picture (picture, before);

  buffer = gst_buffer_new ();
  out = harness_run (h, buffer);
  fail_unless (out == buffer);
  gst_buffer_unref (out);
}

/* If a measured buffer is shared, the metadata goes to a new buffer with the
 * same memory (0). Without metadata, there is no new buffer (1). */
TEST (test_shared_analysis)
{
  const gboolean attaches = __i__ == 0;
  g_autoptr (Picture) picture =
      picture_new ("I420", 33, 17, PICTURE_ODD, 0, 255, 1);
  g_autoptr (Picture) before = picture_copy (picture);
  g_autoptr (GstBuffer) buffer = picture_wrap_planes (picture, 0);
  g_autoptr (GstBuffer) out = NULL;
  g_autoptr (Harness) h = harness_new_for (
      picture, "post-messages", TRUE, "attach-meta", attaches, NULL);

  out = harness_run (h, gst_buffer_ref (buffer));
  fail_unless_equals_int (out == buffer, !attaches);
  fail_unless_equals_int (buffer_n_metas (buffer), 0);
  fail_unless_equals_int (buffer_n_metas (out), attaches);
  fail_unless_equals_int (gst_buffer_n_memory (out), 3);
  for (guint i = 0; i < 3; i++)
    fail_unless (
        gst_buffer_peek_memory (out, i) == gst_buffer_peek_memory (buffer, i));
  fail_unless_same_picture (picture, before);
}

/* Memory that is read-only (0, 1), or shared with another buffer (2), does not
 * change, with a shared buffer (0) or not. */
TEST (test_kept_memory)
{
  g_autoptr (Picture) picture = picture_small ("I420");
  g_autoptr (Picture) before = picture_copy (picture);
  g_autoptr (Picture) expected = picture_equalized (picture);
  GstBuffer *buffer =
      picture_wrap_planes (picture, __i__ < 2 ? GST_MEMORY_FLAG_READONLY : 0);
  g_autoptr (GstBuffer) other =
      __i__ == 0 ? gst_buffer_ref (buffer) : gst_buffer_copy (buffer);
  g_autoptr (GstBuffer) out = NULL;
  g_autoptr (Harness) h = harness_new_for (
      picture, "equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);

  if (__i__ == 1)
    gst_clear_buffer (&other);
  out = harness_run (h, buffer);
  fail_unless (__i__ == 2 || out != buffer);
  fail_unless_same_picture (picture, before);
  if (other != NULL)
    assert_pixels (other, before);
  assert_pixels (out, expected);
}

/* A gap without memory passes: measured (0), equalized (1), and with a zebra,
 * which takes a new buffer (2). */
TEST (test_empty_gap)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h = harness_new_for (
      picture, "equalization", __i__ > 0, "exposure", __i__ == 2, NULL);
  GstBuffer *buffer = gst_buffer_new ();
  g_autoptr (GstBuffer) out = NULL;

  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_GAP);
  out = harness_run (h, buffer);
  fail_unless_equals_uint64 (gst_buffer_get_size (out), 0);
  fail_unless_equals_int (buffer_n_metas (out), 0);
  harness_pass (h, picture_wrap (picture));
}

/* If it attaches no metadata, the element keeps those of an amphisto upstream,
 * also in a new buffer. */
TEST (test_upstream_histogram)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Picture) before = picture_copy (picture);
  g_autoptr (Picture) expected = picture_equalized (picture);
  GstHarness *upstream = harness_new_for (picture, NULL, NULL);
  g_autoptr (Harness) h = harness_new_for (picture, "equalization",
      AMPHISTO_EQUALIZATION_GLOBAL, "attach-meta", FALSE, NULL);
  g_autoptr (GstBuffer) buffer = harness_run (upstream, picture_wrap (picture));
  g_autoptr (GstBuffer) out = harness_run (h, gst_buffer_ref (buffer));
  guint32 measured[258], kept[258];

  fail_unless (out != buffer);
  assert_pixels (buffer, before);
  assert_pixels (out, expected);
  fail_unless_equals_int (buffer_n_metas (out), 1);
  buffer_bins (buffer, "luma", measured);
  buffer_bins (out, "luma", kept);
  fail_unless (memcmp (kept, measured, sizeof kept) == 0);
  harness_free (upstream);
}

/* Frames are refused during a flush, and equalized afterwards. */
TEST (test_flush)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Picture) before = NULL, expected = NULL;
  g_autoptr (Harness) h = harness_new_for (
      picture, "equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);

  harness_pass (h, picture_wrap (picture));
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
  fail_unless_equals_int (
      gst_harness_push (h, picture_wrap (picture)), GST_FLOW_FLUSHING);
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
  harness_push_segment (h, 1, 1, 10 * GST_SECOND, 0, 10 * GST_SECOND);

  before = picture_copy (picture);
  expected = picture_equalized (picture);
  harness_check (h, picture_wrap_nth (picture, 250), before, "luma", expected);
}

static const struct
{
  const gchar *format;
  guint width, height;
  const gchar *colorimetry;
  gboolean is_limited;
} streams[] = {
  { "I420", 64, 48, "bt709", TRUE },
  { "I420", 64, 48, "1:3:5:1", FALSE },
  { "I420", 63, 47, "1:3:5:1", FALSE },
  { "RGBA", 63, 47, "sRGB", FALSE },
  { "RGBA", 63, 47, "2:1:5:1", TRUE },
  { "NV12", 200, 100, "bt601", TRUE },
  { "GRAY8", 200, 100, "1:4:0:0", FALSE },
  { "GRAY8", 1, 1, "1:4:0:0", FALSE },
  { "YUY2", 321, 3, "bt709", TRUE },
  /* the range is the caps', even with a matrix that does not suit the format;
   * without it, YUV has limited range, grey and RGB full range */
  { "GRAY8", 16, 8, "bt709", TRUE },
  { "GRAY8", 16, 8, "2:1:5:1", TRUE },
  { "GRAY8", 16, 8, "0:4:0:0", FALSE },
  { "GRAY8", 16, 8, NULL, FALSE },
  { "BGR", 16, 8, NULL, FALSE },
  { "BGR", 16, 8, "bt709", TRUE },
  { "I420", 16, 8, NULL, TRUE },
};

static void
set_matrix (Picture *picture, const gchar *text)
{
  GstVideoColorimetry colorimetry;

  if (text != NULL && gst_video_colorimetry_from_string (&colorimetry, text))
    gst_video_color_matrix_get_Kr_Kb (
        colorimetry.matrix, &picture->kr, &picture->kb);
}

/* Every frame of each stream, shared and not, after any other stream. */
TEST (test_caps_change)
{
  g_autoptr (Harness) h =
      harness_new ("equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);

  for (guint n = 0; n < 5 * G_N_ELEMENTS (streams); n++) {
    const guint i = n % G_N_ELEMENTS (streams);
    g_autoptr (Picture) picture = picture_new (streams[i].format,
        streams[i].width, streams[i].height, PICTURE_ODD, 20, 130, n);
    g_autoptr (Picture) before = picture_copy (picture);
    g_autoptr (Picture) expected = picture_copy (picture);
    GstBuffer *buffer = picture_wrap (picture);
    g_autoptr (GstBuffer) again = NULL;

    expected->is_limited = streams[i].is_limited;
    set_matrix (expected, streams[i].colorimetry);
    picture_equalize (expected, 1.0f);
    harness_set_colorimetry (h, picture, streams[i].colorimetry);
    harness_check (h, gst_buffer_ref (buffer), before, "luma", expected);
    again = harness_run (h, buffer);
    assert_pixels (again, expected);
    fail_unless_same_picture (picture, again == buffer ? expected : before);
  }
}

/* Pushes frame 0, reports that it was displayed 200 ms late, and pushes frames
 * 1 to 9. Counts the frames that come out after that, and the QoS messages, one
 * per skipped frame. */
static void
run_late (gboolean qos, guint *n_passed, guint *n_skipped)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h = harness_new_for (picture, "qos", qos, NULL);
  GstMessage *message;

  *n_passed = *n_skipped = 0;
  harness_pass (h, picture_wrap (picture));
  fail_unless (gst_harness_push_upstream_event (h,
      gst_event_new_qos (GST_QOS_TYPE_UNDERFLOW, 2.0, 200 * GST_MSECOND, 0)));
  for (guint n = 1; n < 10; n++)
    harness_push (h, picture_wrap_nth (picture, n));
  harness_drain (h);
  for (GstBuffer *out; (out = gst_harness_try_pull (h)) != NULL; ++*n_passed) {
    assert_histograms (out, picture, "luma");
    gst_buffer_unref (out);
  }
  while ((message = bus_pop (h->element, GST_MESSAGE_QOS)) != NULL) {
    gst_message_unref (message);
    ++*n_skipped;
  }
}

/* Frames 1 to 5, up to 200 ms, come too late. */
TEST (test_qos)
{
  guint n_passed, n_skipped;

  run_late (TRUE, &n_passed, &n_skipped);
  fail_unless_equals_int (n_passed, 4);
  fail_unless_equals_int (n_skipped, 5);
  run_late (FALSE, &n_passed, &n_skipped);
  fail_unless_equals_int (n_passed, 9);
  fail_unless_equals_int (n_skipped, 0);
}

const ElementTest element_tests[] = { ONCE (test_passthrough),
  TIMES (test_shared_analysis, 2), TIMES (test_kept_memory, 3),
  TIMES (test_empty_gap, 3), ONCE (test_upstream_histogram), ONCE (test_flush),
  ONCE (test_caps_change), ONCE (test_qos), { 0 } };
