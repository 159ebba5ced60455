/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * OpenCL calls that fail, each in turn: one error on the bus, and afterwards
 * the element works again; nothing is left behind.
 */

#include "clfaults.h"
#include "harnesses.h"

#define N_FRAMES 2

typedef struct
{
  GstElement *element;
  GstPad *src;
  GstPad *sink;
  guint n_received;
  const gchar *call_to_fail; /* the first on a frame, or NULL */
} Chain;

static GstFlowReturn
receive (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  (void) parent;
  gst_buffer_unref (buffer);
  ++*(guint *) GST_PAD_ELEMENT_PRIVATE (pad);
  return GST_FLOW_OK;
}

/* An element between two pads, which unlike a GstHarness may fail to start. */
static void
chain_init (Chain *chain, const gchar *first_property, gint value)
{
  GstPad *pad;

  chain->element = element_new (first_property, value, NULL);
  chain->n_received = 0;
  chain->call_to_fail = NULL;
  chain->src = gst_pad_new ("src", GST_PAD_SRC);
  chain->sink = gst_pad_new ("sink", GST_PAD_SINK);
  gst_pad_set_chain_function (chain->sink, receive);
  GST_PAD_ELEMENT_PRIVATE (chain->sink) = &chain->n_received;
  pad = gst_element_get_static_pad (chain->element, "sink");
  fail_unless_equals_int (gst_pad_link (chain->src, pad), GST_PAD_LINK_OK);
  gst_object_unref (pad);
  pad = gst_element_get_static_pad (chain->element, "src");
  fail_unless_equals_int (gst_pad_link (pad, chain->sink), GST_PAD_LINK_OK);
  gst_object_unref (pad);
}

static void
chain_clear (Chain *chain)
{
  element_free (chain->element);
  gst_object_unref (chain->src);
  gst_object_unref (chain->sink);
}

static void
chain_push_events (Chain *chain, const Picture *picture)
{
  GstCaps *caps =
      video_caps (picture->format->name, picture->width, picture->height, NULL);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (chain->src, gst_event_new_stream_start ("faults"));
  gst_pad_push_event (chain->src, gst_event_new_caps (caps));
  gst_pad_push_event (chain->src, gst_event_new_segment (&segment));
  gst_caps_unref (caps);
}

/* Starts, pushes frames, in place and shared, and stops. Whether all of it
 * went well. */
static gboolean
chain_run (Chain *chain, Picture *picture)
{
  gboolean ok;

  gst_pad_set_active (chain->src, TRUE);
  gst_pad_set_active (chain->sink, TRUE);
  chain->n_received = 0;
  ok = gst_element_set_state (chain->element, GST_STATE_PLAYING)
      == GST_STATE_CHANGE_SUCCESS;
  if (ok)
    chain_push_events (chain, picture);
  if (chain->call_to_fail != NULL)
    clfaults_set (chain->call_to_fail, 1);
  for (guint n = 0; ok && n < N_FRAMES; n++) {
    GstBuffer *buffer = picture_wrap (picture);

    ok = gst_pad_push (chain->src, gst_buffer_ref (buffer)) == GST_FLOW_OK;
    if (!ok)
      gst_buffer_unref (buffer);
    else
      ok = gst_pad_push (chain->src, buffer) == GST_FLOW_OK;
  }
  fail_unless_equals_int (
      gst_element_set_state (chain->element, GST_STATE_NULL),
      GST_STATE_CHANGE_SUCCESS);
  gst_pad_set_active (chain->src, FALSE);
  gst_pad_set_active (chain->sink, FALSE);
  if (ok)
    fail_unless_equals_int (chain->n_received, 2 * N_FRAMES);
  return ok;
}

/* The only error on the bus. */
static GError *
pop_error (Chain *chain, gchar **debug)
{
  GstMessage *message = bus_pop (chain->element, GST_MESSAGE_ERROR);
  GError *error = NULL;

  fail_unless (message != NULL, "no error");
  gst_message_parse_error (message, &error, debug);
  gst_message_unref (message);
  message = bus_pop (chain->element, GST_MESSAGE_ERROR);
  fail_unless (message == NULL, "a second error");
  return error;
}

static void
assert_clean_run (Chain *chain, Picture *picture)
{
  clfaults_set (NULL, 0);
  fail_unless (chain_run (chain, picture));
  fail_unless (bus_pop (chain->element, GST_MESSAGE_ERROR) == NULL);
  fail_unless_equals_int (clfaults_n_alive (), 0);
}

static const gchar *const formats[] = { "I420", "RGBP" };

/* The first call, the second, and so on, until no call is left to fail. */
GST_START_TEST (test_every_call)
{
  Picture *picture = picture_small (formats[__i__]);
  Chain chain;
  guint n;

  chain_init (&chain, "equalization", 1);
  assert_clean_run (&chain, picture);
  for (n = 1;; n++) {
    GError *error;
    gboolean ok;

    clfaults_set (NULL, n);
    ok = chain_run (&chain, picture);
    if (clfaults_failed () == NULL)
      break;
    fail_unless (!ok, "%s failed and nobody noticed", clfaults_failed ());
    error = pop_error (&chain, NULL);
    fail_unless (error->domain == GST_LIBRARY_ERROR);
    fail_unless (strstr (error->message, "CL_OUT_OF_RESOURCES") != NULL, "%s",
        error->message);
    g_error_free (error);
    fail_unless_equals_int (clfaults_n_alive (), 0);
    if (n % 16 == 0)
      assert_clean_run (&chain, picture);
  }
  fail_unless (n > 100, "only %u calls", n);
  assert_clean_run (&chain, picture);
  chain_clear (&chain);
  picture_free (picture);
}

GST_END_TEST

static const struct
{
  const gchar *call;
  gboolean on_frame; /* else when the element starts */
  gint code;
} calls[] = {
  { "clGetPlatformIDs", FALSE, GST_LIBRARY_ERROR_INIT },
  { "clCreateContext", FALSE, GST_LIBRARY_ERROR_INIT },
  { "clCreateCommandQueue", FALSE, GST_LIBRARY_ERROR_INIT },
  { "clCreateKernel", FALSE, GST_LIBRARY_ERROR_INIT },
  { "clBuildProgram", FALSE, GST_LIBRARY_ERROR_INIT },
  { "clEnqueueNDRangeKernel", FALSE, GST_LIBRARY_ERROR_INIT },
  { "clEnqueueNDRangeKernel", TRUE, GST_LIBRARY_ERROR_FAILED },
  { "clEnqueueReadBuffer", TRUE, GST_LIBRARY_ERROR_FAILED },
  { "clWaitForEvents", TRUE, GST_LIBRARY_ERROR_FAILED },
  { "clFlush", TRUE, GST_LIBRARY_ERROR_FAILED },
};

GST_START_TEST (test_call)
{
  Picture *picture = picture_small ("I420");
  GError *error;
  Chain chain;

  chain_init (&chain, "equalization", 1);
  if (calls[__i__].on_frame)
    chain.call_to_fail = calls[__i__].call;
  else
    clfaults_set (calls[__i__].call, 1);
  fail_unless (!chain_run (&chain, picture));
  chain.call_to_fail = NULL;
  error = pop_error (&chain, NULL);
  fail_unless (g_error_matches (error, GST_LIBRARY_ERROR, calls[__i__].code),
      "%s", error->message);
  fail_unless (strstr (error->message, "CL_OUT_OF_RESOURCES") != NULL);
  g_error_free (error);
  assert_clean_run (&chain, picture);
  chain_clear (&chain);
  picture_free (picture);
}

GST_END_TEST

/* Kernels that do not build: the compiler's log is there for developers. */
GST_START_TEST (test_build)
{
  Picture *picture = picture_small ("I420");
  gchar *debug = NULL;
  GError *error;
  Chain chain;

  chain_init (&chain, "equalization", 1);
  clfaults_break_sources (TRUE);
  fail_unless (!chain_run (&chain, picture));
  error = pop_error (&chain, &debug);
  fail_unless (
      g_error_matches (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT));
  fail_unless (strstr (error->message, "CL_BUILD_PROGRAM_FAILURE") != NULL);
  fail_unless (strchr (error->message, '\n') == NULL);
  fail_unless (
      debug != NULL && strstr (debug, "no_such_type") != NULL, "%s", debug);
  g_error_free (error);
  g_free (debug);
  clfaults_break_sources (FALSE);
  assert_clean_run (&chain, picture);
  chain_clear (&chain);
  picture_free (picture);
}

GST_END_TEST

/* A device that counts wrongly (0), or writes wrong pixels (1): verify sees
 * it. */
GST_START_TEST (test_verify)
{
  Picture *picture = picture_small ("GRAY8");
  GError *error;
  Chain chain;

  chain_init (&chain, "verify", TRUE);
  g_object_set (chain.element, "equalization", __i__, NULL);
  assert_clean_run (&chain, picture);
  clfaults_corrupt (__i__ ? CLFAULTS_PIXELS : CLFAULTS_BINS);
  fail_unless (!chain_run (&chain, picture));
  error = pop_error (&chain, NULL);
  fail_unless (
      g_error_matches (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_FAILED));
  fail_unless (strstr (error->message, __i__ ? "plane 0" : "luma, bin") != NULL,
      "%s", error->message);
  g_error_free (error);
  clfaults_corrupt (CLFAULTS_NOTHING);
  assert_clean_run (&chain, picture);
  chain_clear (&chain);
  picture_free (picture);
}

GST_END_TEST

static Suite *
faults_suite (void)
{
  Suite *suite = suite_create ("faults");
  TCase *tc = tcase_create ("faults");

  suite_add_tcase (suite, tc);
  tcase_add_loop_test (tc, test_every_call, 0, G_N_ELEMENTS (formats));
  tcase_add_loop_test (tc, test_call, 0, G_N_ELEMENTS (calls));
  tcase_add_test (tc, test_build);
  tcase_add_loop_test (tc, test_verify, 0, 2);
  return suite;
}

int
main (int argc, char **argv)
{
  return run_suite (argc, argv, "faults", faults_suite);
}
