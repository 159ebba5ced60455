/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Streams on a GPU, which shares a few contexts among them: results are those
 * of a CPU, with any number of streams. The GPU is made up, and shares the
 * host's memory or has memory of its own.
 */

#include "cldevices.h"
#include "clfaults.h"
#include "streams.h"

#define N_STREAMS 16

/* CL_KIND_SHARES_MEMORY and CL_KIND_OWN_MEMORY */
#define KINDS(test) RANGE (test, CL_KIND_SHARES_MEMORY, CL_N_KINDS)

#define WIDTH 160
#define HEIGHT 92
#define WORK                                                                   \
  "amphisto equalization=global smoothing=0.5 compare-frames=true "            \
  "frames-in-flight=3 "

/* Returns: the checksum of one stream. */
static gchar *
run_alone (const gchar *launch)
{
  GstHarness *h = stream_new (launch, WIDTH, HEIGHT);
  gchar *sum = stream_run (h);

  gst_harness_teardown (h);
  return sum;
}

static gpointer
run_in_thread (gpointer h)
{
  return stream_run (h);
}

/* All streams are there before the first frame. */
static void
check_streams (const gchar *launch, guint n, const gchar *expected)
{
  GstHarness *h[N_STREAMS];
  GThread *threads[N_STREAMS];

  for (guint i = 0; i < n; i++)
    h[i] = stream_new (launch, WIDTH, HEIGHT);
  for (guint i = 0; i < n; i++)
    threads[i] = g_thread_new ("stream", run_in_thread, h[i]);
  for (guint i = 0; i < n; i++) {
    g_autofree gchar *sum = g_thread_join (threads[i]);

    fail_unless_equals_string (sum, expected);
  }
  for (guint i = 0; i < n; i++)
    gst_harness_teardown (h[i]);
}

/* Streams, and the contexts that they get. */
static const struct
{
  guint streams, contexts;
} numbers[] = { { 1, 1 }, { 2, 1 }, { 3, 2 }, { N_STREAMS, 8 } };

/* Every frame is verified, and streams of the same frames have the same output.
 */
TEST (test_streams)
{
  const guint most = test_size () < TEST_FULL ? 3 : N_STREAMS;
  g_autofree gchar *expected = NULL;

  cldevices_set_kind (__i__);
  expected = run_alone (WORK);
  for (guint i = 0; IS_ROW (numbers, i) && numbers[i].streams <= most; i++) {
    clfaults_count ("clCreateContext");
    check_streams (WORK "verify=true", numbers[i].streams, expected);
    fail_unless_equals_int (clfaults_n_calls (), numbers[i].contexts);
    fail_unless_equals_int (clfaults_n_alive (), 0);
  }
}

/* Elements of one pipeline give their memory, which is pinned for one context
 * or imported in it, to an element in another context. */
TEST (test_chain)
{
  g_autofree gchar *sum = NULL;

  cldevices_set_kind (__i__);
  clfaults_count ("clCreateContext");
  sum = run_alone (
      WORK "verify=true ! " WORK "verify=true ! " WORK "verify=true");
  fail_unless_equals_int (clfaults_n_calls (), 2);
  fail_unless_equals_int (clfaults_n_alive (), 0);
}

/* The same buffers, which some elements only read, are in work in two contexts.
 */
TEST (test_tee)
{
  g_autofree gchar *expected = NULL, *sum = NULL;

  cldevices_set_kind (__i__);
  expected = run_alone (WORK);
  clfaults_count ("clCreateContext");
  sum = run_alone (
      "tee name=t  t. ! queue ! amphisto verify=true ! fakesink async=false "
      "t. ! queue ! amphisto verify=true ! fakesink async=false "
      "t. ! queue ! " WORK "verify=true");
  fail_unless_equals_string (sum, expected);
  fail_unless_equals_int (clfaults_n_calls (), 2);
  fail_unless_equals_int (clfaults_n_alive (), 0);
}

/* --- loss --- */

static GstHarness *
new_stream (const Picture *picture)
{
  return harness_new_for (picture, "equalization", AMPHISTO_EQUALIZATION_GLOBAL,
      "frames-in-flight", 1, NULL);
}

/* One of three elements fails on a frame. The others go on. It starts anew, and
 * so do they later, in contexts that were opened after the failure. */
TEST (test_lost)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (GError) error = NULL;
  GstHarness *h[3];

  cldevices_set_kind (__i__);
  for (guint i = 0; i < 3; i++)
    h[i] = new_stream (picture);
  clfaults_set ("clFlush", 1);
  fail_unless_equals_int (
      gst_harness_push (h[0], picture_wrap (picture)), GST_FLOW_ERROR);
  clfaults_set (NULL, 0);
  error = bus_pop_error (h[0]->element, NULL);
  assert_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_FAILED, "clFlush");
  harness_pass (h[1], picture_wrap (picture));
  harness_pass (h[2], picture_wrap (picture));
  clfaults_count ("clCreateContext");
  for (guint i = 0; i < 3; i++) {
    element_set_state (h[i]->element, GST_STATE_NULL);
    harness_restart (h[i], picture);
    harness_pass (h[i], picture_wrap (picture));
  }
  fail_unless_equals_int (clfaults_n_calls (), 2);
  for (guint i = 0; i < 3; i++)
    harness_free (h[i]);
  fail_unless_equals_int (clfaults_n_alive (), 0);
}

const ElementTest element_tests[] = { KINDS (test_streams), KINDS (test_chain),
  KINDS (test_tee), KINDS (test_lost), { 0 } };
