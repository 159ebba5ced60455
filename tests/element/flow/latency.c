/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The latency of several frames in flight, and what may happen while they are
 * sent on.
 */

#include "clfaults.h"
#include "numbered.h"

#define UPSTREAM_LATENCY (10 * GST_MSECOND)

/* --- latency --- */

static gboolean
answer_live (GstPad *pad, GstObject *parent, GstQuery *query)
{
  if (GST_QUERY_TYPE (query) != GST_QUERY_LATENCY)
    return gst_pad_query_default (pad, parent, query);
  gst_query_set_latency (query, TRUE, UPSTREAM_LATENCY, 2 * UPSTREAM_LATENCY);
  return TRUE;
}

static gboolean
answer_not_live (GstPad *pad, GstObject *parent, GstQuery *query)
{
  if (GST_QUERY_TYPE (query) != GST_QUERY_LATENCY)
    return gst_pad_query_default (pad, parent, query);
  gst_query_set_latency (query, FALSE, UPSTREAM_LATENCY, GST_CLOCK_TIME_NONE);
  return TRUE;
}

static void
set_rate (GstHarness *h, const Picture *picture, gint rate)
{
  g_autofree gchar *framerate = g_strdup_printf ("framerate=%d/1", rate);

  harness_set_fields (h, picture, framerate);
}

/* The latency is `own` more than upstream's; if that is `new`, there was a
 * message. */
static void
assert_latency (GstHarness *h, GstClockTime own, gboolean is_new)
{
  g_autoptr (GstMessage) message = bus_pop (h->element, GST_MESSAGE_LATENCY);
  g_autoptr (GstMessage) another = bus_pop (h->element, GST_MESSAGE_LATENCY);
  g_autoptr (GstQuery) query = gst_query_new_latency ();
  GstClockTime min, max;

  fail_unless_equals_int (message != NULL, is_new);
  fail_unless (another == NULL);
  fail_unless (gst_pad_peer_query (h->sinkpad, query));
  gst_query_parse_latency (query, NULL, &min, &max);
  fail_unless_equals_uint64 (min, UPSTREAM_LATENCY + own);
  if (GST_CLOCK_TIME_IS_VALID (max))
    fail_unless_equals_uint64 (max, 2 * UPSTREAM_LATENCY + own);
}

/* Three frames may be in flight before a new one, of a stream that is not live
 * (0) or live (1). */
TEST (test_latency)
{
  g_autoptr (Picture) picture = numbered_new (16);
  g_autoptr (Harness) h = harness_new ("frames-in-flight", 4, NULL);

  gst_pad_set_query_function (h->srcpad, __i__ ? answer_live : answer_not_live);
  assert_latency (h, 0, FALSE);
  set_rate (h, picture, 25);
  assert_latency (h, 3 * 40 * GST_MSECOND, TRUE);
  set_rate (h, picture, 50);
  assert_latency (h, 3 * 20 * GST_MSECOND, TRUE);
  gst_harness_push (h, numbered_buffer (picture, 0));
  assert_latency (h, 3 * 20 * GST_MSECOND, FALSE);
  g_object_set (h->element, "attach-meta", FALSE, NULL);
  gst_harness_push (h, numbered_buffer (picture, 1));
  assert_latency (h, 0, TRUE);
  set_rate (h, picture, 25);
  assert_latency (h, 0, FALSE);
  g_object_set (h->element, "attach-meta", TRUE, NULL);
  gst_harness_push (h, numbered_buffer (picture, 2));
  assert_latency (h, 3 * 40 * GST_MSECOND, TRUE);
  set_rate (h, picture, 0);
  assert_latency (h, 0, TRUE);
}

/* With one frame in flight there is no latency, and without a framerate it is
 * unknown. */
static const struct
{
  guint n_frames;
  gint rate;
  gboolean is_live;
} without[] = { { 1, 25, TRUE }, { 4, 0, FALSE }, { 4, 0, TRUE } };

TEST (test_no_latency)
{
  g_autoptr (Picture) picture = numbered_new (16);
  g_autoptr (Harness) h =
      harness_new ("frames-in-flight", without[__i__].n_frames, NULL);

  gst_pad_set_query_function (
      h->srcpad, without[__i__].is_live ? answer_live : answer_not_live);
  set_rate (h, picture, without[__i__].rate);
  assert_latency (h, 0, FALSE);
  for (guint k = 0; k < 10; k++) {
    gst_harness_push (h, numbered_buffer (picture, k));
    harness_await (h, k + 1);
  }
}

/* An element that is restarted alone, as its pipeline plays, has a new latency
 * if more frames may be in flight. */
TEST (test_restarted)
{
  g_autoptr (Picture) picture = numbered_new (16);
  g_autoptr (Harness) h = harness_new ("frames-in-flight", 2, NULL);

  gst_pad_set_query_function (h->srcpad, answer_live);
  set_rate (h, picture, 25);
  assert_latency (h, 40 * GST_MSECOND, TRUE);
  for (guint n = 3; n <= 4; n++) {
    element_set_state (h->element, GST_STATE_READY);
    g_object_set (h->element, "frames-in-flight", n, NULL);
    gst_harness_play (h);
    gst_harness_push_event (h, gst_event_new_stream_start ("again"));
    set_rate (h, picture, 25);
    assert_latency (h, (n - 1) * 40 * GST_MSECOND, TRUE);
    gst_harness_push (h, numbered_buffer (picture, 0));
    harness_await (h, n - 2);
  }
}

/* --- while frames are sent on --- */

/* Waits up to a minute until a probe has counted. */
static void
await_probe (gint *n)
{
  for (guint i = 0; g_atomic_int_get (n) == 0; i++) {
    fail_unless (i < 60000, "no frame came");
    g_usleep (1000);
  }
}

static GstHarness *
harness_new_live (const Picture *picture, gint rate)
{
  GstHarness *h = harness_new ("frames-in-flight", 4, "equalization",
      AMPHISTO_EQUALIZATION_GLOBAL, NULL);

  gst_pad_set_query_function (h->srcpad, answer_live);
  set_rate (h, picture, rate);
  return h;
}

/* Downstream's answer reaches upstream with the next buffer. */
static GstPadProbeReturn
answer_eos (GstPad *pad, GstPadProbeInfo *info, gpointer n_asked)
{
  (void) pad;
  gst_buffer_unref (info->data);
  GST_PAD_PROBE_INFO_FLOW_RETURN (info) = GST_FLOW_EOS;
  g_atomic_int_inc ((gint *) n_asked);
  return GST_PAD_PROBE_HANDLED;
}

TEST (test_refused)
{
  g_autoptr (Picture) picture = numbered_new (16);
  g_autoptr (Harness) h = harness_new_live (picture, 100);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (h->element, "src");
  gint n_asked = 0;

  gst_harness_push (h, numbered_buffer (picture, 0));
  harness_await (h, 1);
  gst_pad_add_probe (
      pad, GST_PAD_PROBE_TYPE_BUFFER, answer_eos, &n_asked, NULL);
  gst_harness_push (h, numbered_buffer (picture, 1));
  await_probe (&n_asked);
  harness_drain (h);
  fail_unless_equals_int (
      gst_harness_push (h, numbered_buffer (picture, 2)), GST_FLOW_EOS);
}

/* The device fails meanwhile: one error, and the next buffer is refused. */
TEST (test_failure)
{
  g_autoptr (Picture) picture = numbered_new (16);
  g_autoptr (Harness) h = harness_new_live (picture, 100);
  g_autoptr (GstMessage) message = NULL;

  gst_harness_push (h, numbered_buffer (picture, 0));
  harness_await (h, 1);
  clfaults_set ("clWaitForEvents", 1);
  gst_harness_push (h, numbered_buffer (picture, 1));
  message = gst_bus_timed_pop_filtered (
      GST_ELEMENT_BUS (h->element), GST_SECOND * 60, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  clfaults_set (NULL, 0);
  harness_drain (h);
  fail_unless_equals_int (
      gst_harness_push (h, numbered_buffer (picture, 2)), GST_FLOW_ERROR);
}

static GstPadProbeReturn
block (GstPad *pad, GstPadProbeInfo *info, gpointer n_blocked)
{
  (void) pad;
  (void) info;
  g_atomic_int_inc ((gint *) n_blocked);
  return GST_PAD_PROBE_OK;
}

/* Downstream blocks a frame until the flush (0), or the stop in READY (1) or in
 * NULL (2), which must reach the blocked thread. */
TEST (test_blocked)
{
  g_autoptr (Picture) picture = numbered_new (16);
  g_autoptr (Harness) h = harness_new_live (picture, 100);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (h->element, "src");
  gint n_blocked = 0;
  gulong id;

  gst_harness_push (h, numbered_buffer (picture, 0));
  harness_await (h, 1);
  id = gst_pad_add_probe (pad,
      GST_PAD_PROBE_TYPE_BLOCK | GST_PAD_PROBE_TYPE_BUFFER, block, &n_blocked,
      NULL);
  gst_harness_push (h, numbered_buffer (picture, 1));
  gst_harness_push (h, numbered_buffer (picture, 2));
  await_probe (&n_blocked);
  if (__i__ == 0)
    harness_flush (h);
  else
    element_set_state (
        h->element, __i__ == 1 ? GST_STATE_READY : GST_STATE_NULL);
  gst_pad_remove_probe (pad, id);
  fail_unless_equals_int (gst_harness_buffers_received (h), 1);
  if (__i__ > 0)
    harness_restart (h, picture);
  gst_harness_push (h, numbered_buffer (picture, 3));
  harness_await (h, 2);
}

static void
interrupt_live (GstHarness *h, const Picture *picture, guint n)
{
  switch (n % 6) {
    case 0:
      harness_flush (h);
      break;
    case 1:
      element_set_state (h->element, GST_STATE_READY);
      harness_restart (h, picture);
      break;
    case 2:
      set_rate (h, picture, n % 12 == 2 ? 500 : 1000);
      break;
    case 3:
      harness_drain (h);
      break;
    case 4:
      g_object_set (h->element, "equalization", n % 4, NULL);
      break;
    default:
      element_set_state (h->element, GST_STATE_NULL);
      harness_restart (h, picture);
      break;
  }
}

/* Frames come and go at all times, between interruptions of all kinds. */
TEST (test_storm)
{
  const guint n_rounds = test_size () < TEST_FULL ? 60 : 600;
  g_autoptr (Picture) picture = numbered_new (16);
  g_autoptr (Harness) h = harness_new_live (picture, 1000);
  g_autoptr (GRand) random = g_rand_new_with_seed (5);

  for (guint n = 0; n < n_rounds; n++) {
    const guint n_pushed = g_rand_int_range (random, 0, 6);

    gst_harness_query_latency (h);
    for (guint k = 0; k < n_pushed; k++) {
      harness_push (h, numbered_buffer (picture, k));
      g_usleep (g_rand_int_range (random, 0, 1500));
    }
    harness_drop (h);
    interrupt_live (h, picture, g_rand_int_range (random, 0, 12));
  }
}

const ElementTest element_tests[] = { TIMES (test_latency, 2),
  EACH (test_no_latency, without), ONCE (test_restarted), ONCE (test_refused),
  ONCE (test_failure), TIMES (test_blocked, 3), ONCE (test_storm), { 0 } };
