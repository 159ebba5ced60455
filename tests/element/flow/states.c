/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Elements that start and stop often, alternate, and run in many threads.
 */

#include "clfaults.h"
#include "harnesses.h"

#include <malloc.h>
#include <string.h>

#define N_CYCLES (test_size () < TEST_FULL ? 20 : 200)
#define N_CAPS_CHANGES 50
#define N_THREADS 8

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
  g_autofree gchar *name = element_device_name (element);

  return name != NULL && *name != '\0';
}

TEST (test_device_name)
{
  g_autoptr (TestElement) element = element_new (NULL, NULL);
  guint n_notified = 0;

  g_signal_connect (
      element, "notify::device-name", G_CALLBACK (count_notify), &n_notified);
  fail_unless (!has_device_name (element));
  element_set_state (element, GST_STATE_READY);
  fail_unless (has_device_name (element));
  fail_unless_equals_int (n_notified, 1);
  element_set_state (element, GST_STATE_PLAYING);
  fail_unless (has_device_name (element));
  element_set_state (element, GST_STATE_READY);
  fail_unless (has_device_name (element));
  fail_unless_equals_int (n_notified, 1);
  element_set_state (element, GST_STATE_NULL);
  fail_unless (!has_device_name (element));
  fail_unless_equals_int (n_notified, 2);
}

/* A device that is set in READY is opened on the way to PAUSED. */
TEST (test_device_in_ready)
{
  g_autoptr (TestElement) element = element_new (NULL, NULL);
  g_autofree gchar *name = NULL, *again = NULL;
  guint n_notified = 0;

  element_set_state (element, GST_STATE_READY);
  name = element_device_name (element);
  g_signal_connect (
      element, "notify::device-name", G_CALLBACK (count_notify), &n_notified);
  g_object_set (element, "device", name, NULL);
  element_set_state (element, GST_STATE_PAUSED);
  again = element_device_name (element);
  fail_unless_equals_string (again, name);
  fail_unless_equals_int (n_notified, 2);
}

static void
assert_values (gpointer element, const gchar *device, guint n)
{
  g_autofree gchar *device_set = NULL;
  guint n_set = 0;

  g_object_get (
      element, "device", &device_set, "frames-in-flight", &n_set, NULL);
  fail_unless_equals_string (device_set, device);
  fail_unless_equals_int (n_set, n);
}

/* In PAUSED (0) and PLAYING (1), device and frames-in-flight do not change,
 * with a warning. Setting the same value is no change. The next start works as
 * the first. */
TEST (test_refused)
{
  g_autoptr (TestElement) element = element_new ("frames-in-flight", 2, NULL);
  g_autofree gchar *name = NULL;

  element_set_state (element, __i__ ? GST_STATE_PLAYING : GST_STATE_PAUSED);
  name = element_device_name (element);
  g_object_set (element, "device", "nonsense", NULL);
  assert_refused (element, "device stays null: it can be changed in READY");
  g_object_set (element, "frames-in-flight", 3, NULL);
  assert_refused (element, "frames-in-flight stays 2");
  g_object_set (element, "device", NULL, "frames-in-flight", 2, NULL);
  assert_not_warned (element);
  assert_values (element, NULL, 2);

  element_set_state (element, GST_STATE_READY);
  g_object_set (element, "device", name, "frames-in-flight", 3, NULL);
  element_set_state (element, GST_STATE_PAUSED);
  assert_values (element, name, 3);
  g_object_set (element, "device", NULL, NULL);
  assert_refused (element, name);
}

/* Called when the element opens or closes its device. */
static void
set_more_in_flight (GObject *object, GParamSpec *spec, gpointer user_data)
{
  guint n;

  (void) spec;
  (void) user_data;
  g_object_get (object, "frames-in-flight", &n, NULL);
  g_object_set (object, "frames-in-flight", n + 1, NULL);
}

/* A setting on the way to READY is accepted; on the way to PAUSED, it may be
 * too late. */
TEST (test_refused_on_the_way)
{
  g_autoptr (TestElement) element = element_new ("frames-in-flight", 2, NULL);
  g_autofree gchar *name = NULL;

  g_signal_connect (
      element, "notify::device-name", G_CALLBACK (set_more_in_flight), NULL);
  element_set_state (element, GST_STATE_READY);
  assert_not_warned (element);
  name = element_device_name (element);
  g_object_set (element, "device", name, NULL);
  assert_values (element, name, 3);
  element_set_state (element, GST_STATE_PAUSED); /* closes one, opens another */
  drop_refused (element, "frames-in-flight stays 3");
  assert_values (element, name, 3);
}

static void
play_cycles (guint n, const Picture *before)
{
  g_autoptr (Picture) picture = picture_copy (before);
  GstElement *element = element_new (NULL, NULL);
  g_autoptr (Harness) h = NULL;

  for (guint i = 0; i < n; i++) {
    element_set_state (element, GST_STATE_PLAYING);
    element_set_state (element, GST_STATE_NULL);
  }
  element_free (element);
  h = harness_new_for (
      picture, "equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);
  harness_pass (h, picture_wrap (picture));
}

/* Bytes allocated on the heap. */
static gsize
heap_size (void)
{
  const struct mallinfo2 info = mallinfo2 ();

  return info.uordblks + info.hblkhd;
}

/* The heap has not grown by more than `limit` since it was `before`. PoCL's
 * threads free what the last commands held, such as a program, a moment after
 * these have ended, so the test waits for that. Only PoCL is tested: Mesa keeps
 * a little memory for every context. */
static void
assert_heap (gsize before, gsize limit)
{
  const gint64 deadline = g_get_monotonic_time () + 10 * G_TIME_SPAN_SECOND;
  GstElement *element = element_new (NULL, NULL);
  g_autofree gchar *name = NULL;

  element_set_state (element, GST_STATE_READY);
  name = element_device_name (element);
  element_free (element);
  if (!g_str_has_prefix (name, "pthread") && !g_str_has_prefix (name, "cpu"))
    return;
  while (heap_size () >= before + limit && g_get_monotonic_time () < deadline)
    g_usleep (10 * G_TIME_SPAN_MILLISECOND);
  fail_unless (heap_size () < before + limit, "%" G_GSIZE_FORMAT " bytes more",
      heap_size () - before);
}

/* A leaked element would take more than the allowed 4 KiB. */
TEST (test_cycles)
{
  g_autoptr (Picture) picture = picture_small ("RGB");
  gsize before;

  play_cycles (10, picture);
  fail_unless_equals_int (clfaults_n_alive (), 0);
  before = heap_size ();
  play_cycles (N_CYCLES, picture);
  fail_unless_equals_int (clfaults_n_alive (), 0);
  assert_heap (before, N_CYCLES * 4096);
}

static void
change_caps (GstHarness *h, guint n)
{
  for (guint i = 0; i < n; i++) {
    g_autoptr (Picture) picture =
        picture_new (picture_formats[i * 7 % PICTURE_N_FORMATS].name,
            100 + i * 13 % 60, 90 - i * 7 % 50, PICTURE_ODD, 10, 99, i);
    GstBuffer *buffer = picture_wrap_regions (picture, 50);

    harness_set_caps (h, picture);
    harness_pass (h, gst_buffer_ref (buffer));
    harness_pass (h, buffer);
    /* else the harness keeps them */
    for (GstEvent *event; (event = gst_harness_try_pull_event (h)) != NULL;)
      gst_event_unref (event);
  }
}

/* Equalization alone (0), and everything that an element can do at once (1): no
 * memory is kept for past frames and caps, or for the element. */
TEST (test_caps_changes)
{
  GstHarness *h = harness_new ("equalization", AMPHISTO_EQUALIZATION_GLOBAL,
      "channels", CHANNELS_ALL, NULL);
  gsize before;
  gint n_alive;

  if (__i__ == 1)
    g_object_set (h->element, "equalization", AMPHISTO_EQUALIZATION_CLAHE,
        "smoothing", 0.5, "scopes", 1, "exposure", 1, "roi-meta", TRUE,
        "compare-frames", TRUE, NULL);

  change_caps (h, N_CAPS_CHANGES);
  before = heap_size ();
  n_alive = clfaults_n_alive ();
  change_caps (h, N_CAPS_CHANGES);
  fail_unless_equals_int (clfaults_n_alive (), n_alive);
  assert_heap (before, N_CAPS_CHANGES * 512);
  harness_free (h);
  fail_unless_equals_int (clfaults_n_alive (), 0);
}

/* --- kernels --- */

/* Settings and formats that decide about kernels. */
typedef struct
{
  gint equalization;
  gint scopes;   /* flags; 0: no scope */
  gint exposure; /* flags */
  gdouble smoothing;
  gboolean roi_meta;
  gboolean compares;
} Work;

/* The n-th of N_WORKS. */
#define N_WORKS (4 * 8 * 4 * 2 * 2)

static Work
nth_work (guint n)
{
  return (Work){ .equalization = n % 4,
    .scopes = n / 4 % 8,
    .exposure = n / 32 % 4,
    .smoothing = n / 128 % 2 * 0.5,
    .roi_meta = n / 256,
    .compares = n % 3 == 0 };
}

static GBytes *
reference_new (void)
{
  static const guint32 bins[256] = { 1, 2, 3 };

  return g_bytes_new_static (bins, sizeof bins);
}

static GstHarness *
harness_new_at_work (const Work *work)
{
  g_autoptr (GBytes) reference = reference_new ();

  return harness_new ("equalization", work->equalization, "reference",
      reference, "scopes", work->scopes, "exposure", work->exposure,
      "smoothing", work->smoothing, "roi-meta", work->roi_meta,
      "compare-frames", work->compares, NULL);
}

/* Exactly the kernels that the first frame launches are created, before it. */
static void
check_kernels (guint n, Picture *picture)
{
  const Work work = nth_work (n);
  g_autofree gchar *made = NULL, *made_later = NULL, *launched = NULL;
  GstBuffer *buffer = picture_wrap (picture);
  g_autoptr (Harness) h = NULL;

  clfaults_forget_kernels ();
  h = harness_new_at_work (&work);
  harness_set_caps (h, picture);
  made = clfaults_made_kernels ();

  clfaults_forget_kernels ();
  clfaults_count ("clBuildProgram");
  gst_buffer_add_video_region_of_interest_meta (buffer, "face", 1, 1, 9, 7);
  harness_pass (h, buffer);
  made_later = clfaults_made_kernels ();
  launched = clfaults_launched_kernels ();
  fail_unless (strlen (made_later) == 0, "%s, work %u: %smade too late",
      picture->format->name, n, made_later);
  fail_unless_equals_int (clfaults_n_calls (), 0);
  fail_unless (strcmp (made, launched) == 0, "%s, work %u: %smade, %slaunched",
      picture->format->name, n, made, launched);
  drop_refused (h->element, "GRAY8 has no colours");
}

/* Every work on formats of every kind, or every seventh, with each setting.
 * Another element keeps the device open. */
TEST (test_kernels)
{
  static const gchar *const formats[] = { "GRAY8", "I420", "RGBA", "YUY2" };
  g_autoptr (Picture) picture =
      picture_new (formats[__i__], 320, 240, PICTURE_TIGHT, 30, 170, 1);
  GstElement *other = element_new (NULL, NULL);

  element_set_state (other, GST_STATE_READY);
  for (guint n = 0; n < N_WORKS; n += test_size () == TEST_FULL ? 1 : 7)
    check_kernels (n, picture);
  element_free (other);
}

/* The same if caps and properties change before the first frame. */
TEST (test_kernels_of_last_caps)
{
  g_autoptr (Picture) grey =
      picture_new ("GRAY8", 320, 240, PICTURE_TIGHT, 30, 170, 1);
  g_autoptr (Picture) picture =
      picture_new ("RGBA", 320, 240, PICTURE_TIGHT, 30, 170, 1);
  g_autoptr (Harness) h = harness_new ("scopes", 4, NULL);
  g_autofree gchar *made = NULL;

  harness_set_caps (h, grey);
  g_object_set (h->element, "equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);
  harness_set_caps (h, picture);
  clfaults_forget_kernels ();
  harness_pass (h, picture_wrap (picture));
  made = clfaults_made_kernels ();
  fail_unless (strlen (made) == 0, "%smade too late", made);
}

/* If upstream offers one format, programs are built for it on the way to
 * PAUSED. */
TEST (test_likely_format)
{
  static const gchar *const formats[] = { "GRAY8", "NV12", "RGBx", "AYUV" };
  g_autofree gchar *line = g_strdup_printf (
      "videotestsrc num-buffers=1 ! video/x-raw,format=%s,width=320,height=240 "
      "! amphisto name=filter channels=luma+chroma+rgb equalization=global "
      "! fakesink",
      formats[__i__]);
  const gint n_programs = __i__ == 0 ? 2 : 3; /* grey has no colours to keep */
  GstElement *pipeline = gst_parse_launch (line, NULL);
  g_autoptr (GstElement) filter = NULL;

  fail_unless (pipeline != NULL);
  filter = gst_bin_get_by_name (GST_BIN (pipeline), "filter");
  clfaults_count ("clCreateProgramWithSource");
  element_set_state (filter, GST_STATE_PAUSED);
  fail_unless_equals_int (clfaults_n_calls (), n_programs);
  pipeline_run (pipeline);
  fail_unless_equals_int (clfaults_n_calls (), n_programs);
  element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

#if GST_CHECK_VERSION(1, 24, 0)
/* The same if it is a DMABuf's, by its name in Linux. */
TEST (test_likely_drm_format)
{
  g_autoptr (Picture) picture = picture_small ("BGRA");
  g_autoptr (Harness) h =
      harness_new ("equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);

  element_set_state (h->element, GST_STATE_READY);
  gst_harness_set_src_caps_str (h,
      "video/x-raw(memory:DMABuf), format=DMA_DRM, drm-format=AR24, width=16, "
      "height=8, framerate=25/1");
  clfaults_count ("clCreateProgramWithSource");
  element_set_state (h->element, GST_STATE_PAUSED);
  fail_unless_equals_int (clfaults_n_calls (), 3);
  harness_restart (h, picture);
  fail_unless_equals_int (clfaults_n_calls (), 3);
}
#endif

/* In passthrough, no kernel is created. */
TEST (test_no_kernels)
{
  g_autoptr (Picture) picture = picture_small ("RGBA");
  g_autofree gchar *made = NULL;
  g_autoptr (Harness) h = NULL;

  clfaults_forget_kernels ();
  h = harness_new_for (picture, "attach-meta", FALSE, NULL);
  harness_pass (h, picture_wrap (picture));
  made = clfaults_made_kernels ();
  fail_unless_equals_string (made, "");
}

/* Returns the result, since only the test's main thread may fail the test. */
static gboolean
frame_is_right (GstHarness *h, const gchar *format, guint seed)
{
  g_autoptr (Picture) picture =
      picture_new (format, 64, 48, PICTURE_ODD, 20, 200, seed);
  g_autoptr (Picture) expected = picture_equalized (picture);
  g_autoptr (GstBuffer) out = NULL;
  gboolean is_pushed;

  harness_set_caps (h, picture);
  is_pushed = gst_harness_push (h, picture_wrap (picture)) == GST_FLOW_OK;
  out = gst_harness_try_pull (h);
  if (out != NULL)
    picture_read (picture, out);
  return is_pushed && out != NULL && picture_equal (picture, expected);
}

static gpointer
run_elements (gpointer data)
{
  static const gchar *const formats[] = { "I420", "RGB", "NV21", "BGRx" };
  const guint seed = GPOINTER_TO_UINT (data);
  const guint n_rounds = test_size () == TEST_QUICK ? 2 : 6;
  gboolean is_right = TRUE;

  for (guint i = 0; i < n_rounds; i++) {
    GstHarness *h = gst_harness_new ("amphisto");

    g_object_set (h->element, "equalization", AMPHISTO_EQUALIZATION_GLOBAL,
        "qos", FALSE, NULL);
    for (guint n = 0; n < 10; n++)
      is_right = frame_is_right (h, formats[(seed + n) % 4], seed * 100 + n)
          && is_right;
    gst_harness_teardown (h);
  }
  return GUINT_TO_POINTER (is_right);
}

/* The threads share a device, its context and programs, which are created for
 * the first element and freed with the last one, repeatedly. */
TEST (test_threads)
{
  GThread *threads[N_THREADS];

  for (guint i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("elements", run_elements, GUINT_TO_POINTER (i));
  for (guint i = 0; i < N_THREADS; i++)
    fail_unless (g_thread_join (threads[i]) != NULL, "thread %u", i);
}

const ElementTest element_tests[] = { ONCE (test_device_name),
  ONCE (test_device_in_ready), TIMES (test_refused, 2),
  ONCE (test_refused_on_the_way), ONCE (test_cycles),
  TIMES (test_caps_changes, 2), TIMES (test_kernels, 4),
  ONCE (test_kernels_of_last_caps), TIMES (test_likely_format, 4),
#if GST_CHECK_VERSION(1, 24, 0)
  ONCE (test_likely_drm_format),
#endif
  ONCE (test_no_kernels), ONCE (test_threads), { 0 } };
