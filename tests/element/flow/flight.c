/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Several frames in flight: how many are held back, what sends them on, and
 * that reports stay with their own frame. The fuzzer has storms of events.
 */

#include "clfaults.h"
#include "numbered.h"

#define MAX_IN_FLIGHT 8

/* Frame k comes out when frame k + n - 1 was pushed; the rest when drained. */
TEST (test_held_back)
{
  g_autoptr (Picture) picture = numbered_new (16);
  g_autoptr (Harness) h = harness_new_for (
      picture, "frames-in-flight", __i__, "equalization", 1, NULL);

  for (gint k = 0; k < 20; k++) {
    harness_push (h, numbered_buffer (picture, k));
    fail_unless_equals_int (
        gst_harness_buffers_received (h), MAX (k + 2 - __i__, 0));
  }
  harness_drain (h);
  fail_unless_equals_int (gst_harness_buffers_received (h), 20);
}

/* --- reports --- */

/* Sets the reports of frame `k` and the next ones: alternately a message
 * only and metadata only, with the percentile k + 1. */
static void
change_reports (GstHarness *h, guint k)
{
  g_autofree gchar *percentiles = g_strdup_printf ("percentiles=<%u>", k + 1);

  g_object_set (h->element, "post-messages", k % 2 == 0, "attach-meta",
      k % 2 == 1, "interval", (guint64) k % 3 * 40 * GST_MSECOND, NULL);
  element_set_properties (h->element, percentiles);
}

static void
assert_percentile (const GstStructure *luma, const Picture *picture, guint k)
{
  const GValue *array = gst_structure_get_value (luma, "percentiles");
  guint32 bins[256];
  guint64 n = 0;
  guint value = 0;

  picture_count (picture, "luma", bins);
  while ((n += bins[value]) * 100
      < (guint64) (k + 1) * NUMBERED_WIDTH * picture->height)
    value++;
  fail_unless_equals_int (gst_value_array_get_size (array), 1);
  fail_unless_equals_int (
      g_value_get_uint (gst_value_array_get_value (array, 0)), value);
}

/* Frame `k` comes out with its metadata, or without and with a message. */
static void
assert_reports (GstHarness *h, Picture *picture, guint k)
{
  g_autoptr (GstBuffer) out = gst_harness_pull (h);
  g_autoptr (GstMessage) message = NULL;
  const GstStructure *structure;

  numbered_fill (picture, k);
  assert_number (out, picture);
  fail_unless_equals_int (buffer_n_metas (out), k % 2 == 1);
  if (k % 2 == 1) {
    assert_percentile (buffer_histogram (out, "luma"), picture, k);
    return;
  }
  message = bus_pop (h->element, GST_MESSAGE_ELEMENT);
  structure = gst_message_get_structure (message);
  fail_unless_equals_float (
      structure_number (structure, "timestamp"), k * 40.0 * GST_MSECOND);
  assert_percentile (structure_field (structure, "luma"), picture, k);
}

/* A change of the reports alone sends no frame on: each frame is reported as
 * set when it arrived, the last ones before EOS. */
TEST (test_change_reports)
{
  g_autoptr (Picture) picture = numbered_new (16);
  g_autoptr (Harness) h =
      harness_new_for (picture, "frames-in-flight", 4, "equalization", 1, NULL);

  for (guint k = 0; k < 20; k++) {
    change_reports (h, k);
    harness_push (h, numbered_buffer (picture, k));
    fail_unless_equals_int (
        gst_harness_buffers_received (h), k < 3 ? 0 : k - 2);
    if (k >= 3)
      assert_reports (h, picture, k - 3);
  }
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  for (guint k = 17; k < 20; k++)
    assert_reports (h, picture, k);
  fail_unless (bus_pop (h->element, GST_MESSAGE_ELEMENT) == NULL);
}

/* A change of the work on frames sends those in flight on: of the equalization
 * (1), or of attach-meta with regions of interest, which are measured for the
 * metadata alone (0). */
TEST (test_change_plan)
{
  g_autoptr (Picture) picture = numbered_new (16);
  g_autoptr (Harness) h = harness_new_for (picture, "frames-in-flight", 4,
      "roi-meta", TRUE, "equalization", 1, NULL);

  for (guint k = 0; k < 6; k++) {
    if (k % 3 == 2)
      g_object_set (h->element, __i__ == 0 ? "attach-meta" : "equalization",
          k == 5, NULL);
    harness_push (h, numbered_buffer (picture, k));
    fail_unless_equals_int (gst_harness_buffers_received (h),
        k < 2       ? 0
            : k < 5 ? 2
                    : 5);
  }
}

/* --- discontinuities --- */

/* A frame that comes too late is dropped. Frames in flight come out before, and
 * only the next one is flagged. */
TEST (test_late)
{
  g_autoptr (Picture) picture = numbered_new (16);
  g_autoptr (Harness) h =
      harness_new_for (picture, "frames-in-flight", 4, NULL);
  GstBuffer *out;

  for (guint k = 0; k < 4; k++)
    gst_harness_push (h, numbered_buffer (picture, k));
  harness_drain (h);
  for (guint k = 4; k < 6; k++)
    gst_harness_push (h, numbered_buffer (picture, k));
  gst_harness_push_upstream_event (h,
      gst_event_new_qos (GST_QOS_TYPE_UNDERFLOW, 2.0, 1, 6 * 40 * GST_MSECOND));
  for (guint k = 6; k < 12; k++)
    gst_harness_push (h, numbered_buffer (picture, k));
  harness_drain (h);
  for (guint k = 0; (out = gst_harness_try_pull (h)) != NULL; k++) {
    const guint number = GST_BUFFER_PTS (out) / (40 * GST_MSECOND);

    fail_unless_equals_int (number, k < 6 ? k : k + 1);
    fail_unless_equals_int (GST_BUFFER_IS_DISCONT (out), number == 7);
    gst_buffer_unref (out);
  }
}

/* --- settings and leaks --- */

static gint is_over;

static gpointer
toggle_equalization (gpointer element)
{
  for (guint i = 0; !g_atomic_int_get (&is_over); i++)
    g_object_set (element, "equalization", i % 2, NULL);
  return NULL;
}

/* Another thread sets a property all the time: each frame is processed with one
 * value or the other. */
TEST (test_set_meanwhile)
{
  const guint n_frames = test_size () < TEST_FULL ? 1000 : 10000;
  g_autoptr (Picture) picture = numbered_new (16);
  g_autoptr (Harness) h = harness_new_for (
      picture, "frames-in-flight", 4, "verify", TRUE, "qos", FALSE, NULL);
  GThread *thread = g_thread_new ("toggle", toggle_equalization, h->element);
  guint n_out = 0;

  for (guint k = 0; k < n_frames; k++) {
    GstBuffer *out;

    harness_push (h, numbered_buffer (picture, k));
    while ((out = gst_harness_try_pull (h)) != NULL) {
      numbered_fill (picture, n_out++);
      assert_histograms (out, picture, "luma");
      assert_number (out, picture);
      gst_buffer_unref (out);
    }
  }
  g_atomic_int_set (&is_over, TRUE);
  g_thread_join (thread);
  fail_unless (n_out + 4 > n_frames);
}

/* Downstream answers EOS to frames that a segment sends on, and takes those of
 * the segment. */
TEST (test_eos_of_segment)
{
  g_autoptr (Picture) picture = numbered_new (16);
  g_autoptr (Harness) h =
      harness_new_for (picture, "frames-in-flight", 4, NULL);
  const GstPadChainFunction chain = GST_PAD_CHAINFUNC (h->sinkpad);

  for (guint k = 0; k < 3; k++)
    harness_push (h, numbered_buffer (picture, k));
  harness_end_stream (h);
  harness_push_segment (h, 1, 1, 0, 0, 0);
  gst_pad_set_chain_function (h->sinkpad, chain);
  harness_push (h, numbered_buffer (picture, 3));
}

static void
push_some (GstHarness *h, Picture *picture, guint n)
{
  g_autoptr (GstBufferPool) pool = harness_propose_pool (h);

  for (guint k = 0; k < n; k++) {
    GstBuffer *buffer = numbered_buffer (picture, k);

    if (pool != NULL && k % 2 == 0) {
      gst_buffer_unref (buffer);
      fail_unless_equals_int (
          gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), GST_FLOW_OK);
      GST_BUFFER_PTS (buffer) = k * 40 * GST_MSECOND;
    }
    harness_push (h, buffer);
  }
  if (pool != NULL)
    gst_buffer_pool_set_active (pool, FALSE);
}

/* A flush, a stop in READY or, every 50th time, in NULL drops the frames in
 * flight, 1000 times. Between any two stops in NULL, there are as many OpenCL
 * objects as between the first two, including pinned memory. */
TEST (test_cycles)
{
  const guint n_cycles = test_size () < TEST_FULL ? 100 : 1000;
  g_autoptr (Picture) picture = numbered_new (16);
  GstHarness *h =
      harness_new_for (picture, "frames-in-flight", 4, "equalization", 1, NULL);
  gint n_alive[50];

  for (guint i = 0; i < n_cycles; i++) {
    push_some (h, picture, 6);
    harness_drop (h);
    if (i % 2 == 0) {
      harness_flush (h);
    } else {
      element_set_state (
          h->element, i % 50 == 49 ? GST_STATE_NULL : GST_STATE_READY);
      harness_restart (h, picture);
    }
    if (i < 50)
      n_alive[i] = clfaults_n_alive ();
    else
      fail_unless_equals_int (clfaults_n_alive (), n_alive[i % 50]);
  }
  harness_free (h);
  fail_unless_equals_int (clfaults_n_alive (), 0);
}

const ElementTest element_tests[] = {
  RANGE (test_held_back, 1, MAX_IN_FLIGHT + 1), ONCE (test_change_reports),
  ONCE (test_late), TIMES (test_change_plan, 2), ONCE (test_set_meanwhile),
  ONCE (test_eos_of_segment), ONCE (test_cycles), { 0 }
};
