/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Starting and stopping, often and in many threads at once.
 */

#include "clfaults.h"
#include "harnesses.h"

#include <malloc.h>

#define N_CYCLES 200
#define N_CAPS_CHANGES 50
#define N_THREADS 8

static void
assert_state (gpointer element, GstState state)
{
  fail_unless_equals_int (
      gst_element_set_state (element, state), GST_STATE_CHANGE_SUCCESS);
}

static void
count_notify (GObject *object, GParamSpec *spec, gpointer count)
{
  (void) object;
  (void) spec;
  ++*(guint *) count;
}

static gboolean
has_device_name (gpointer element)
{
  g_autofree gchar *name = NULL;

  g_object_get (element, "device-name", &name, NULL);
  return name != NULL && *name != '\0';
}

GST_START_TEST (test_device_name)
{
  GstElement *element = element_new (NULL, NULL);
  guint n_notified = 0;

  g_signal_connect (
      element, "notify::device-name", G_CALLBACK (count_notify), &n_notified);
  fail_unless (!has_device_name (element));
  assert_state (element, GST_STATE_READY);
  fail_unless (has_device_name (element));
  fail_unless_equals_int (n_notified, 1);
  assert_state (element, GST_STATE_PLAYING);
  fail_unless (has_device_name (element));
  assert_state (element, GST_STATE_READY);
  fail_unless (has_device_name (element));
  fail_unless_equals_int (n_notified, 1);
  assert_state (element, GST_STATE_NULL);
  fail_unless (!has_device_name (element));
  fail_unless_equals_int (n_notified, 2);
  element_free (element);
}

GST_END_TEST

/* Set in READY, it is looked up on the way to PAUSED. */
GST_START_TEST (test_device_in_ready)
{
  GstElement *element = element_new (NULL, NULL);
  g_autofree gchar *name = NULL, *again = NULL;
  guint n_notified = 0;

  assert_state (element, GST_STATE_READY);
  g_object_get (element, "device-name", &name, NULL);
  g_signal_connect (
      element, "notify::device-name", G_CALLBACK (count_notify), &n_notified);
  g_object_set (element, "device", name, NULL);
  assert_state (element, GST_STATE_PAUSED);
  g_object_get (element, "device-name", &again, NULL);
  fail_unless_equals_string (again, name);
  fail_unless_equals_int (n_notified, 2);
  element_free (element);
}

GST_END_TEST

/* `device` picks among the devices: each, by index and by name. */
GST_START_TEST (test_choice)
{
  static const gchar *const upper[] = { "0.0", "CPU", "cpu" };
  GstElement *element = element_new (NULL, NULL);
  g_autofree gchar *name = NULL;

  g_object_set (element, "device", "cpu", NULL);
  if (gst_element_set_state (element, GST_STATE_READY)
      == GST_STATE_CHANGE_SUCCESS) {
    for (guint i = 0; i < G_N_ELEMENTS (upper); i++) {
      g_autofree gchar *chosen = NULL;

      g_object_set (element, "device", upper[i], NULL);
      assert_state (element, GST_STATE_PAUSED);
      g_object_get (element, "device-name", &chosen, NULL);
      fail_unless (chosen != NULL);
      assert_state (element, GST_STATE_READY);
    }
    g_object_get (element, "device-name", &name, NULL);
    for (gchar *c = name; *c != '\0'; c++)
      *c = g_ascii_isupper (*c) ? g_ascii_tolower (*c) : g_ascii_toupper (*c);
    g_object_set (element, "device", name, NULL);
    assert_state (element, GST_STATE_PAUSED);
  }
  element_free (element);
}

GST_END_TEST

static void
run_once (Picture *picture)
{
  GstHarness *h = harness_new ("equalization", 1, NULL);

  harness_set_caps (h, picture);
  gst_buffer_unref (harness_run (h, picture_wrap (picture)));
  harness_free (h);
}

static void
play_cycles (guint n, Picture *picture)
{
  GstElement *element = element_new (NULL, NULL);

  for (guint i = 0; i < n; i++) {
    assert_state (element, GST_STATE_PLAYING);
    assert_state (element, GST_STATE_NULL);
  }
  element_free (element);
  run_once (picture);
}

/* Bytes that the heap has given out. */
static gsize
heap_size (void)
{
  const struct mallinfo2 info = mallinfo2 ();

  return info.uordblks + info.hblkhd;
}

/* That the heap has not grown by more than `limit` from `before`. Where the
 * driver is not PoCL it is not asked: Mesa's keeps a little of each context. */
static void
assert_heap (gsize before, gsize limit)
{
  GstElement *element = element_new (NULL, NULL);
  g_autofree gchar *name = NULL;

  assert_state (element, GST_STATE_READY);
  g_object_get (element, "device-name", &name, NULL);
  element_free (element);
  if (g_str_has_prefix (name, "pthread") || g_str_has_prefix (name, "cpu"))
    fail_unless (heap_size () < before + limit,
        "%" G_GSIZE_FORMAT " bytes more", heap_size () - before);
}

/* 4 KiB are less than what an element has, and would leak. */
GST_START_TEST (test_cycles)
{
  Picture *picture = picture_small ("RGB");
  gsize before;

  play_cycles (20, picture);
  fail_unless_equals_int (clfaults_n_alive (), 0);
  before = heap_size ();
  play_cycles (N_CYCLES, picture);
  fail_unless_equals_int (clfaults_n_alive (), 0);
  assert_heap (before, N_CYCLES * 4096);
  picture_free (picture);
}

GST_END_TEST

static void
change_caps (GstHarness *h, guint n)
{
  for (guint i = 0; i < n; i++) {
    Picture *picture = picture_new (picture_formats[i * 7 % 36].name,
        100 + i * 13 % 60, 90 - i * 7 % 50, PICTURE_ODD, 10, 99, i);
    GstBuffer *buffer = picture_wrap (picture);

    harness_set_caps (h, picture);
    gst_buffer_unref (harness_run (h, gst_buffer_ref (buffer)));
    gst_buffer_unref (harness_run (h, buffer));
    picture_free (picture);
    /* which the harness keeps */
    for (GstEvent *event; (event = gst_harness_try_pull_event (h)) != NULL;)
      gst_event_unref (event);
  }
}

GST_START_TEST (test_caps_changes)
{
  GstHarness *h = harness_new ("equalization", 1, "channels", 0xf, NULL);
  gsize before;
  gint n_alive;

  change_caps (h, N_CAPS_CHANGES);
  before = heap_size ();
  n_alive = clfaults_n_alive ();
  change_caps (h, N_CAPS_CHANGES);
  fail_unless_equals_int (clfaults_n_alive (), n_alive);
  assert_heap (before, N_CAPS_CHANGES * 512);
  harness_free (h);
  fail_unless_equals_int (clfaults_n_alive (), 0);
}

GST_END_TEST

/* Several elements in one pipeline, their frames in turn. */
GST_START_TEST (test_several_elements)
{
  GstHarness *h[4];
  const gchar *formats[] = { "GRAY8", "I420", "RGBA", "YUY2" };

  for (guint i = 0; i < 4; i++)
    h[i] = harness_new ("equalization", 1, "verify", TRUE, NULL);
  for (guint n = 0; n < 10; n++)
    for (guint i = 0; i < 4; i++) {
      Picture *picture =
          picture_new (formats[i], 64, 48, PICTURE_PADDED, 30, 170, n * 4 + i);
      Picture *expected = picture_copy (picture);
      GstBuffer *out;

      if (n == 0)
        harness_set_caps (h[i], picture);
      out = harness_run (h[i], picture_wrap (picture));
      assert_histograms (out, expected, "luma");
      picture_equalize (expected, TRUE, 1.0f);
      picture_free (expected);
      gst_buffer_unref (out);
      picture_free (picture);
    }
  for (guint i = 0; i < 4; i++)
    harness_free (h[i]);
}

GST_END_TEST

/* What a thread has to say, since it may not fail the test itself. */
static gboolean
frame_is_right (GstHarness *h, const gchar *format, guint seed)
{
  Picture *picture = picture_new (format, 64, 48, PICTURE_ODD, 20, 200, seed);
  Picture *expected = picture_copy (picture);
  GstBuffer *out;
  gboolean is_right;

  harness_set_caps (h, picture);
  is_right = gst_harness_push (h, picture_wrap (picture)) == GST_FLOW_OK;
  out = gst_harness_try_pull (h);
  picture_equalize (expected, !expected->format->is_rgb, 1.0f);
  is_right = is_right && out != NULL && picture_equal (picture, expected);
  gst_clear_buffer (&out);
  picture_free (expected);
  picture_free (picture);
  return is_right;
}

static gpointer
run_elements (gpointer data)
{
  static const gchar *const formats[] = { "I420", "RGB", "NV21", "BGRx" };
  const guint seed = GPOINTER_TO_UINT (data);
  gboolean is_right = TRUE;

  for (guint i = 0; i < 6; i++) {
    GstHarness *h = gst_harness_new ("amphisto");

    g_object_set (h->element, "equalization", 1, "qos", FALSE, NULL);
    for (guint n = 0; n < 10; n++)
      is_right = frame_is_right (h, formats[(seed + n) % 4], seed * 100 + n)
          && is_right;
    gst_harness_teardown (h);
  }
  return GUINT_TO_POINTER (is_right);
}

/* They share the device, its context and program, which come and go. */
GST_START_TEST (test_threads)
{
  GThread *threads[N_THREADS];

  for (guint i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("elements", run_elements, GUINT_TO_POINTER (i));
  for (guint i = 0; i < N_THREADS; i++)
    fail_unless (g_thread_join (threads[i]) != NULL, "thread %u", i);
}

GST_END_TEST

static Suite *
states_suite (void)
{
  Suite *suite = suite_create ("states");
  TCase *tc = tcase_create ("states");

  suite_add_tcase (suite, tc);
  tcase_add_test (tc, test_device_name);
  tcase_add_test (tc, test_device_in_ready);
  tcase_add_test (tc, test_choice);
  tcase_add_test (tc, test_cycles);
  tcase_add_test (tc, test_caps_changes);
  tcase_add_test (tc, test_several_elements);
  tcase_add_test (tc, test_threads);
  return suite;
}

int
main (int argc, char **argv)
{
  return run_suite (argc, argv, "states", states_suite);
}
