/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Several frames in flight: how many there are, when they are sent on, and that
 * reports stay with their own frame. The fuzzer has storms of events.
 */

#include "clfaults.h"
#include "numbered.h"

#define MAX_IN_FLIGHT 8
#define N_FRAMES 20

/* Each frame comes out without another one that follows. */
TEST (test_sent_on)
{
  g_autoptr (Picture) picture = numbered_new (16);
  g_autoptr (Harness) h = harness_new_for (
      picture, "frames-in-flight", __i__, "equalization", 1, NULL);

  for (gint k = 0; k < N_FRAMES; k++) {
    g_autoptr (GstBuffer) out = NULL;

    harness_push (h, numbered_buffer (picture, k));
    harness_await (h, k + 1);
    out = gst_harness_pull (h);
    assert_number (out, picture);
    assert_histograms (out, picture, "luma");
  }
}

/* --- the number of frames --- */

typedef struct
{
  GstHarness *h;
  Picture *picture;
  gint n_pushed;
} Pusher;

static gpointer
push_frames (gpointer data)
{
  Pusher *self = data;

  for (gint k = 0; k < N_FRAMES; k++) {
    harness_push (self->h, numbered_buffer (self->picture, k));
    g_atomic_int_inc (&self->n_pushed);
  }
  return NULL;
}

/* While the device works on as many frames as may be in flight, the next one
 * waits. */
TEST (test_bound)
{
  g_autoptr (Picture) picture = numbered_new (16);
  g_autoptr (Harness) h = harness_new_for (
      picture, "frames-in-flight", __i__, "equalization", 1, NULL);
  Pusher pusher = { h, picture, 0 };
  GThread *thread;

  harness_push (h, numbered_buffer (picture, 0));
  harness_drain (h);
  clfaults_hold_frames (TRUE);
  thread = g_thread_new ("pusher", push_frames, &pusher);
  for (guint i = 0; g_atomic_int_get (&pusher.n_pushed) < __i__; i++) {
    fail_unless (i < 60000, "only %d frames are in flight", pusher.n_pushed);
    g_usleep (1000);
  }
  g_usleep (20000);
  fail_unless_equals_int (g_atomic_int_get (&pusher.n_pushed), __i__);
  fail_unless_equals_int (gst_harness_buffers_received (h), 1);
  clfaults_hold_frames (FALSE);
  g_thread_join (thread);
  harness_drain (h);
  fail_unless_equals_int (gst_harness_buffers_received (h), 1 + N_FRAMES);
}

/* --- failures after frames in flight --- */

/* Puts three frames in flight. */
static GstHarness *
harness_new_held (Picture *picture)
{
  GstHarness *h = harness_new_for (picture, "frames-in-flight", 4,
      "equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);

  harness_push (h, numbered_buffer (picture, 0));
  harness_drain (h);
  clfaults_hold_frames (TRUE);
  for (guint k = 1; k < 4; k++)
    harness_push (h, numbered_buffer (picture, k));
  return h;
}

static gpointer
release_frames (gpointer data)
{
  (void) data;
  g_usleep (20000);
  clfaults_hold_frames (FALSE);
  return NULL;
}

/* The frame in `buffer` fails with this error. The frames in flight, which end
 * only now, are sent on. */
static void
check_sent_before (GstHarness *h, GstBuffer *buffer, GQuark domain, gint code,
    const gchar *part)
{
  GThread *thread = g_thread_new ("release", release_frames, NULL);
  g_autoptr (GError) error = NULL;

  fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_ERROR);
  g_thread_join (thread);
  fail_unless_equals_int (gst_harness_buffers_received (h), 4);
  error = bus_pop_error (h->element, NULL);
  assert_error (error, domain, code, part);
}

/* Conditions are set that can't be parsed (0), or that the format can never
 * have (1). */
TEST (test_mistake)
{
  g_autoptr (Picture) picture = numbered_new (16);
  g_autoptr (Harness) h = harness_new_held (picture);

  g_object_set (h->element, "expect-error", TRUE, "expect",
      __i__ == 0 ? "luma.mean" : "u.mean > 3", NULL);
  check_sent_before (h, numbered_buffer (picture, 4), GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_SETTINGS, __i__ == 0 ? "luma.mean" : "GRAY8");
}

/* A call fails when the next frame is submitted. */
TEST (test_call)
{
  g_autoptr (Picture) picture = numbered_new (16);
  g_autoptr (Harness) h = harness_new_held (picture);

  clfaults_set ("clEnqueueNDRangeKernel", 1);
  check_sent_before (h, numbered_buffer (picture, 4), GST_LIBRARY_ERROR,
      GST_LIBRARY_ERROR_FAILED, "clEnqueueNDRangeKernel");
  clfaults_set (NULL, 0);
}

static GstFlowReturn
fail_to_acquire (
    GstBufferPool *pool, GstBuffer **buffer, GstBufferPoolAcquireParams *params)
{
  (void) pool;
  (void) buffer;
  (void) params;
  return GST_FLOW_ERROR;
}

/* Downstream's pool fails. */
TEST (test_pool_fails)
{
  g_autoptr (Picture) picture = numbered_new (16);
  g_autoptr (Harness) h = harness_new_held (picture);
  g_autoptr (GstBuffer) kept = numbered_buffer (picture, 4);
  g_autoptr (GstBufferPool) pool =
      gst_base_transform_get_buffer_pool (GST_BASE_TRANSFORM (h->element));
  GstBufferPoolClass *class = GST_BUFFER_POOL_GET_CLASS (pool);
  GstFlowReturn (*acquire) (GstBufferPool *, GstBuffer **,
      GstBufferPoolAcquireParams *) = class->acquire_buffer;

  class->acquire_buffer = fail_to_acquire;
  check_sent_before (h, gst_buffer_ref (kept), GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_NO_SPACE_LEFT, "pool");
  class->acquire_buffer = acquire;
}

/* --- what others see --- */

/* Returns: where the element says that it is, to both sides. */
static GstClockTime
query_position (GstHarness *h)
{
  gint64 position, to_upstream;

  fail_unless (
      gst_pad_peer_query_position (h->sinkpad, GST_FORMAT_TIME, &position));
  fail_unless (
      gst_pad_peer_query_position (h->srcpad, GST_FORMAT_TIME, &to_upstream));
  fail_unless_equals_int64 (to_upstream, position);
  return (GstClockTime) position;
}

/* The position is the end of the last frame that was sent on. */
TEST (test_position)
{
  g_autoptr (Picture) picture = numbered_new (16);
  g_autoptr (Harness) h =
      harness_new_for (picture, "frames-in-flight", __i__, NULL);

  for (guint k = 0; k < 8; k++) {
    harness_push (h, numbered_buffer (picture, k));
    harness_drain (h);
    fail_unless_equals_uint64 (query_position (h), (k + 1) * 40 * GST_MSECOND);
  }
}

/* Segments, and the position after frames from 0 to 40, 80 and 120, in ms. */
static const struct
{
  guint start, stop, time, applied_rate;
  gboolean have_duration; /* otherwise, the framerate is known */
  guint position;
} segments[] = {
  { 0, 1000, 0, 1, TRUE, 120 },
  { 0, 1000, 0, 1, FALSE, 120 },
  { 0, 1000, 0, 2, TRUE, 240 },
  { 100, 1000, 500, 1, TRUE, 520 },
  /* within the last frame, or before it, the segment ends */
  { 0, 100, 0, 1, TRUE, 100 },
  { 0, 80, 0, 1, TRUE, 80 },
};

static GstEvent *
segment_new (guint i)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = segments[i].start * GST_MSECOND;
  segment.stop = segments[i].stop * GST_MSECOND;
  segment.time = segments[i].time * GST_MSECOND;
  segment.applied_rate = segments[i].applied_rate;
  return gst_event_new_segment (&segment);
}

/* The position is within the segment, also at its end. */
TEST (test_position_in_segment)
{
  g_autoptr (Picture) picture = numbered_new (16);
  g_autoptr (Harness) h =
      harness_new_for (picture, "frames-in-flight", 4, NULL);

  fail_unless (gst_harness_push_event (h, segment_new (__i__)));
  for (guint k = 0; k < 3; k++) {
    GstBuffer *buffer = numbered_buffer (picture, k);

    if (!segments[__i__].have_duration)
      GST_BUFFER_DURATION (buffer) = GST_CLOCK_TIME_NONE;
    harness_push (h, buffer);
  }
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  fail_unless_equals_uint64 (
      query_position (h), segments[__i__].position * GST_MSECOND);
}

/* What is known of the source pad's thread. */
typedef struct
{
  GstElement *element;
  guint statuses;   /* bit GST_STREAM_STATUS_TYPE_X: there was such a message */
  GThread *entered; /* the thread that posted that it has begun */
  GThread *sent;    /* the thread that has sent the last frame on */
} Sender;

/* Called in the thread that posts the message. */
static GstBusSyncReply
note_status (GstBus *bus, GstMessage *message, gpointer data)
{
  Sender *self = data;
  GstStreamStatusType type;
  GstElement *owner;

  (void) bus;
  if (GST_MESSAGE_TYPE (message) != GST_MESSAGE_STREAM_STATUS)
    return GST_BUS_PASS;
  gst_message_parse_stream_status (message, &type, &owner);
  if (owner == self->element
      && G_VALUE_HOLDS (
          gst_message_get_stream_status_object (message), GST_TYPE_TASK))
    g_atomic_int_or (&self->statuses, 1u << type);
  if (type == GST_STREAM_STATUS_TYPE_ENTER)
    self->entered = g_thread_self ();
  return GST_BUS_PASS;
}

static GstPadProbeReturn
note_thread (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Sender *self = data;

  (void) pad;
  (void) info;
  self->sent = g_thread_self ();
  return GST_PAD_PROBE_OK;
}

/* Applications set the priority of threads when they begin. */
TEST (test_stream_status)
{
  const guint begins =
      1u << GST_STREAM_STATUS_TYPE_CREATE | 1u << GST_STREAM_STATUS_TYPE_ENTER;
  g_autoptr (Picture) picture = numbered_new (16);
  g_autoptr (Harness) h =
      harness_new_for (picture, "frames-in-flight", __i__, NULL);
  GstBus *bus = GST_ELEMENT_BUS (h->element);
  Sender sender = { .element = h->element };

  gst_bus_set_sync_handler (bus, note_status, &sender, NULL);
  gst_pad_add_probe (
      h->sinkpad, GST_PAD_PROBE_TYPE_BUFFER, note_thread, &sender, NULL);
  for (guint k = 0; k < 3; k++)
    harness_push (h, numbered_buffer (picture, k));
  harness_drain (h);
  fail_unless (sender.sent == (__i__ > 1 ? sender.entered : g_thread_self ()));
  fail_unless_equals_int (sender.statuses, __i__ > 1 ? begins : 0);
  element_set_state (h->element, GST_STATE_NULL);
  fail_unless_equals_int (sender.statuses,
      __i__ > 1 ? begins | 1u << GST_STREAM_STATUS_TYPE_LEAVE : 0);
  gst_bus_set_sync_handler (bus, NULL, NULL, NULL);
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

/* Frames that are in flight together are reported as set when each of them
 * arrived, the last ones before EOS. */
TEST (test_change_reports)
{
  g_autoptr (Picture) picture = numbered_new (16);
  g_autoptr (Harness) h =
      harness_new_for (picture, "frames-in-flight", 4, "equalization", 1, NULL);

  for (guint k = 0; k < 5 * 4; k++) {
    if (k % 4 == 0)
      clfaults_hold_frames (k > 0);
    change_reports (h, k);
    harness_push (h, numbered_buffer (picture, k));
    if (k % 4 < 3)
      continue;
    clfaults_hold_frames (FALSE);
    if (k == 19)
      fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
    harness_await (h, k + 1);
    for (guint i = k - 3; i <= k; i++)
      assert_reports (h, picture, i);
  }
  fail_unless (bus_pop (h->element, GST_MESSAGE_ELEMENT) == NULL);
}

/* A change of the work on frames waits for those in flight, which take long: of
 * the equalization (1), or of attach-meta with regions of interest, which are
 * measured for the metadata alone (0). */
TEST (test_change_plan)
{
  g_autoptr (Picture) picture = numbered_new (16);
  g_autoptr (Harness) h = harness_new_for (picture, "frames-in-flight", 4,
      "roi-meta", TRUE, "equalization", 1, "verify", TRUE, NULL);

  clfaults_delay ("clWaitForEvents", 10000);
  for (guint k = 0; k < 6; k++) {
    if (k % 3 == 2)
      g_object_set (h->element, __i__ == 0 ? "attach-meta" : "equalization",
          k == 5, NULL);
    harness_push (h, numbered_buffer (picture, k));
    fail_unless (gst_harness_buffers_received (h) >= (k < 2 ? 0u
                         : k < 5                            ? 2u
                                                            : 5u));
  }
  clfaults_delay (NULL, 0);
  harness_drain (h);
  for (guint k = 0; k < 6; k++) {
    g_autoptr (GstBuffer) out = gst_harness_pull (h);

    numbered_fill (picture, k);
    assert_number (out, picture);
    fail_unless_equals_int (
        buffer_n_metas (out), __i__ == 1 || k < 2 || k == 5);
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
  harness_drain (h);
  fail_unless_equals_int (gst_harness_buffers_received (h), n_frames);
  fail_unless (n_out + 4 > n_frames - 4);
  harness_drop (h);
}

/* Downstream answers EOS to frames that a segment sends on, and takes those of
 * the segment. */
TEST (test_eos_of_segment)
{
  g_autoptr (Picture) picture = numbered_new (16);
  g_autoptr (Harness) h =
      harness_new_for (picture, "frames-in-flight", 4, NULL);
  const GstPadChainFunction chain = GST_PAD_CHAINFUNC (h->sinkpad);

  harness_push (h, numbered_buffer (picture, 0));
  harness_drain (h);
  clfaults_hold_frames (TRUE);
  for (guint k = 1; k < 4; k++)
    harness_push (h, numbered_buffer (picture, k));
  harness_end_stream (h);
  clfaults_hold_frames (FALSE);
  harness_push_segment (h, 1, 1, 0, 0, 0);
  gst_pad_set_chain_function (h->sinkpad, chain);
  harness_push (h, numbered_buffer (picture, 4));
  harness_await (h, 2);
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
 * flight, 1000 times. After each stop in NULL, there are as many OpenCL objects
 * as after the first one, including pinned memory. */
TEST (test_cycles)
{
  const guint n_cycles = test_size () < TEST_FULL ? 100 : 1000;
  g_autoptr (Picture) picture = numbered_new (16);
  GstHarness *h =
      harness_new_for (picture, "frames-in-flight", 4, "equalization", 1, NULL);
  gint n_alive = 0;

  for (guint i = 0; i < n_cycles; i++) {
    push_some (h, picture, 6);
    harness_drop (h);
    if (i % 2 == 0) {
      harness_flush (h);
    } else {
      element_set_state (
          h->element, i % 50 == 49 ? GST_STATE_NULL : GST_STATE_READY);
      harness_drop (h); /* frames that have come since hold pinned memory */
      harness_restart (h, picture);
    }
    if (i == 49)
      n_alive = clfaults_n_alive ();
    if (i % 50 == 49)
      fail_unless_equals_int (clfaults_n_alive (), n_alive);
  }
  harness_free (h);
  fail_unless_equals_int (clfaults_n_alive (), 0);
}

const ElementTest element_tests[] = { RANGE (
                                          test_sent_on, 1, MAX_IN_FLIGHT + 1),
  RANGE (test_bound, 2, MAX_IN_FLIGHT + 1), TIMES (test_mistake, 2),
  ONCE (test_call), ONCE (test_pool_fails), RANGE (test_position, 1, 4),
  EACH (test_position_in_segment, segments), RANGE (test_stream_status, 1, 4),
  ONCE (test_change_reports), ONCE (test_late), TIMES (test_change_plan, 2),
  ONCE (test_set_meanwhile), ONCE (test_eos_of_segment), ONCE (test_cycles),
  { 0 } };
