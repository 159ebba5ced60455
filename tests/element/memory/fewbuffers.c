/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Several frames in flight with pools that have just the buffers that
 * downstream holds, and one more: frames never wait for each other.
 */

#include "downstream.h"
#include "numbered.h"

#define MAX_IN_FLIGHT 8
#define N_FRAMES 20

/* Downstream, which holds frames until this many more have come, as
 * a deinterlacer does, and drops them then. */
typedef struct
{
  guint n_held;
  GQueue held;
  guint n_dropped;
  GstBufferPool *pool; /* of all frames; NULL: of any */
} Delay;

static Delay delay;

static GstFlowReturn
delay_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  (void) pad;
  (void) parent;
  if (delay.pool != NULL && buffer->pool != delay.pool)
    g_error ("a buffer of another pool");
  g_queue_push_tail (&delay.held, buffer);
  if (delay.held.length > delay.n_held) {
    gst_buffer_unref (g_queue_pop_head (&delay.held));
    delay.n_dropped++;
  }
  return GST_FLOW_OK;
}

static void
harness_delay (GstHarness *h, guint n_held, GstBufferPool *pool)
{
  delay = (Delay){ n_held, G_QUEUE_INIT, 0, pool };
  gst_pad_set_chain_function (h->sinkpad, delay_chain);
}

/* All frames have come. */
static void
end_delay (GstHarness *h)
{
  harness_drain (h);
  fail_unless_equals_int (delay.n_dropped, N_FRAMES - delay.n_held);
  g_queue_clear_full (&delay.held, (GDestroyNotify) gst_buffer_unref);
}

static gboolean
answer_live (GstPad *pad, GstObject *parent, GstQuery *query)
{
  if (GST_QUERY_TYPE (query) != GST_QUERY_LATENCY)
    return gst_pad_query_default (pad, parent, query);
  gst_query_set_latency (query, TRUE, 0, GST_CLOCK_TIME_NONE);
  return TRUE;
}

/* Returns: (transfer full): an active pool of `n` frames. */
static GstBufferPool *
pool_new (const Picture *picture, guint n)
{
  g_autoptr (GstCaps) caps =
      video_caps (picture->format->name, picture->width, picture->height, NULL);
  GstBufferPool *pool = gst_video_buffer_pool_new ();

  pool_activate (pool, caps, picture->size, 0, n, NULL);
  return pool;
}

/* Returns: (transfer full): frame `k` in a buffer of the pool, for which this
 * waits. */
static GstBuffer *
pooled_buffer (Picture *picture, GstBufferPool *pool, guint k)
{
  GstBuffer *buffer = NULL;

  fail_unless_equals_int (
      gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), GST_FLOW_OK);
  numbered_fill (picture, k);
  picture_write (picture, buffer);
  GST_BUFFER_PTS (buffer) = k * 40 * GST_MSECOND;
  return buffer;
}

/* Upstream's pool has one buffer more than downstream holds. All frames come
 * out. `__i__` is the number of frames in flight, negative in a live
 * pipeline. */
TEST (test_small_pool)
{
  g_autoptr (Picture) picture = numbered_new (16);

  for (guint n_held = 0; n_held < 4; n_held++) {
    g_autoptr (GstBufferPool) pool = pool_new (picture, n_held + 1);
    g_autoptr (Harness) h = harness_new_for (picture, "frames-in-flight",
        ABS (__i__), "equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);

    if (__i__ < 0) {
      gst_pad_set_query_function (h->srcpad, answer_live);
      gst_harness_query_latency (h);
    }
    harness_delay (h, n_held, NULL);
    for (guint k = 0; k < N_FRAMES; k++)
      harness_push (h, pooled_buffer (picture, pool, k));
    end_delay (h);
    gst_buffer_pool_set_active (pool, FALSE);
  }
}

/* The same for downstream's pool: frames that upstream keeps change in new
 * buffers. */
TEST (test_small_target_pool)
{
  g_autoptr (Picture) picture = numbered_new (16);
  g_autoptr (GstBuffer) kept = numbered_buffer (picture, 0);

  for (guint n_held = 0; n_held < 4; n_held++) {
    g_autoptr (GstBufferPool) pool = gst_video_buffer_pool_new ();
    Proposal proposal = { .pool = pool, .min = n_held + 1, .max = n_held + 1 };
    g_autoptr (Harness) h = harness_new ("frames-in-flight", __i__,
        "equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);

    harness_propose (h, &proposal);
    harness_set_caps (h, picture);
    harness_delay (h, n_held, harness_pins_memory (h) ? NULL : pool);
    for (guint k = 0; k < N_FRAMES; k++) {
      GstBuffer *shared = gst_buffer_copy (kept);

      GST_BUFFER_PTS (shared) = k * 40 * GST_MSECOND;
      harness_push (h, shared);
    }
    end_delay (h);
  }
}

const ElementTest element_tests[] = { RANGE (
                                          test_small_pool, -MAX_IN_FLIGHT, 0),
  RANGE (test_small_pool, 1, MAX_IN_FLIGHT + 1),
  RANGE (test_small_target_pool, 1, MAX_IN_FLIGHT + 1), { 0 } };
