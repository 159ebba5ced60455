/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Each OpenCL call fails in turn: there is one error on the bus, no object
 * leaks, and the element works again afterwards.
 */

#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "clfaults.h"
#include "harnesses.h"
#include "threadless.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define N_FRAMES 2

static const gchar *call_to_fail; /* the first on a frame, or NULL */

/* A stopped element with the default device chosen by name, so that it is not
 * replaced. Downstream takes overlay compositions. */
static GstHarness *
stopped_new (const gchar *first_property, gint value)
{
  GstHarness *h = harness_new (first_property, value, NULL);
  g_autofree gchar *name = element_device_name (h->element);

  element_set_state (h->element, GST_STATE_NULL);
  g_object_set (h->element, "device", name, NULL);
  /* drops messages of builds */
  gst_bus_set_flushing (GST_ELEMENT_BUS (h->element), TRUE);
  gst_bus_set_flushing (GST_ELEMENT_BUS (h->element), FALSE);
  gst_harness_set_drop_buffers (h, TRUE);
  gst_harness_add_propose_allocation_meta (
      h, GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE, NULL);
  return h;
}

/* Unlike a GstHarness's functions, lets the events fail. */
static void
push_events (GstHarness *h, const Picture *picture)
{
  GstCaps *caps =
      video_caps (picture->format->name, picture->width, picture->height, NULL);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (h, gst_event_new_stream_start ("faults"));
  gst_harness_push_event (h, gst_event_new_caps (caps));
  gst_harness_push_event (h, gst_event_new_segment (&segment));
  gst_caps_unref (caps);
}

/* A frame that drains the element. */
static GstBuffer *
wrap_discont (Picture *picture)
{
  GstBuffer *buffer = picture_wrap (picture);

  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DISCONT);
  return buffer;
}

/* Pushes each frame shared, and then in place, and drains those in flight. If
 * one of them fails, the next frame reports it. */
static gboolean
push_frames (GstHarness *h, Picture *picture)
{
  gboolean ok = TRUE;

  for (guint n = 0; ok && n < N_FRAMES; n++) {
    g_autoptr (GstBuffer) buffer = picture_wrap (picture);

    ok = gst_harness_push (h, gst_buffer_ref (buffer)) == GST_FLOW_OK
        && gst_harness_push (h, g_steal_pointer (&buffer)) == GST_FLOW_OK;
  }
  if (ok)
    harness_drain (h);
  return ok && gst_harness_push (h, wrap_discont (picture)) == GST_FLOW_OK;
}

/* Starts, pushes frames, and stops. Returns: whether everything succeeded. */
static gboolean
run (GstHarness *h, Picture *picture)
{
  const guint before = gst_harness_buffers_received (h);
  gboolean ok = gst_element_set_state (h->element, GST_STATE_PLAYING)
      == GST_STATE_CHANGE_SUCCESS;

  if (ok)
    push_events (h, picture);
  if (call_to_fail != NULL)
    clfaults_set (call_to_fail, 1);
  ok = ok && push_frames (h, picture);
  element_set_state (h->element, GST_STATE_NULL);
  if (ok)
    fail_unless_equals_int (
        gst_harness_buffers_received (h) - before, 2 * N_FRAMES + 1);
  return ok;
}

/* The run fails with one LIBRARY error; its message is a line that contains
 * `part`. `debug`: (transfer full): its debug text. */
static void
assert_failed_run (GstHarness *h, Picture *picture, gint code,
    const gchar *part, gchar **debug)
{
  g_autoptr (GError) error = NULL;

  fail_unless (!run (h, picture));
  error = bus_pop_error (h->element, debug);
  assert_error (error, GST_LIBRARY_ERROR, code, part);
  fail_unless (strchr (error->message, '\n') == NULL);
}

/* After faults, everything works and nothing leaks. */
static void
assert_clean_run (GstHarness *h, Picture *picture)
{
  clfaults_set (NULL, 0);
  fail_unless (run (h, picture));
  fail_unless (bus_pop (h->element, GST_MESSAGE_ERROR) == NULL);
  fail_unless_equals_int (clfaults_n_alive (), 0);
}

static const struct
{
  const gchar *format;
  const gchar *property;
  gint value;
} works[] = { { "I420", "equalization", AMPHISTO_EQUALIZATION_GLOBAL },
  { "RGBP", "equalization", AMPHISTO_EQUALIZATION_GLOBAL },
  { "NV12", "scopes", 1 /* on a canvas */ } };

/* A picture so large that a CPU's commands are held back. */
static Picture *
picture_held (const gchar *format)
{
  return picture_new (format, 256, 64, PICTURE_TIGHT, 40, 120, 1);
}

/* Whether the call is a query of devices, perhaps of others than the element's.
 */
static gboolean
lists_devices (const gchar *call)
{
  return strncmp (call, "clGetPlatform", 13) == 0
      || strncmp (call, "clGetDevice", 11) == 0;
}

/* Whether a run may succeed although the call failed: by another device, or a
 * copy of the frame. */
static gboolean
can_be_survived (const gchar *call)
{
  return lists_devices (call) || strcmp (call, CLFAULTS_IMPORT) == 0;
}

/* A call and its run failed. If the call lists devices, the element's may be
 * missing from the list. */
static void
assert_call_error (GstHarness *h, const gchar *call)
{
  g_autoptr (GError) error = bus_pop_error (h->element, NULL);

  if (lists_devices (call) && error->domain == GST_RESOURCE_ERROR)
    assert_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
        "CL_OUT_OF_RESOURCES");
  else
    assert_error (error, GST_LIBRARY_ERROR, error->code, "CL_OUT_OF_RESOURCES");
}

/* Calls fail in turn until none is left; in the full tier, on each way to a
 * call. */
static void
fail_calls (GstHarness *h, Picture *picture)
{
  static const guint steps[] = {
    [TEST_SMALL] = 47, [TEST_QUICK] = 101, [TEST_FULL] = 1
  };
  guint n;

  for (n = 1;; n += steps[test_size ()]) {
    gboolean ok;

    clfaults_set_in_turn (n);
    ok = run (h, picture);
    if (clfaults_failed () == NULL)
      break;
    if (!ok)
      assert_call_error (h, clfaults_failed ());
    else
      fail_unless (can_be_survived (clfaults_failed ()),
          "%s failed and nobody noticed", clfaults_failed ());
    fail_unless_equals_int (clfaults_n_alive (), 0);
    if (n % 16 == 0)
      assert_clean_run (h, picture);
  }
  fail_unless (n > 10, "only %u calls", n);
}

static gboolean
pins_memory (void)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h = harness_new_for (picture, NULL, NULL);

  return harness_pins_memory (h);
}

/* The works share many ways, which fail in the first; the quick tier has no
 * other. Not where memory is pinned: the element goes on without. */
TEST (test_every_call)
{
  const guint n = test_size () == TEST_QUICK ? 1 : G_N_ELEMENTS (works);

  if (pins_memory ())
    return;
  for (guint i = 0; IS_ROW (works, i) && i < n; i++) {
    g_autoptr (Picture) picture = picture_held (works[i].format);
    g_autoptr (Harness) h = stopped_new (works[i].property, works[i].value);

    g_object_set (h->element, "compare-frames", TRUE, NULL);
    assert_clean_run (h, picture);
    fail_calls (h, picture);
    assert_clean_run (h, picture);
  }
}

#define CACHE_CURE                                                             \
  "The driver's cache of compiled kernels may be full, read-only or damaged: " \
  "empty it (PoCL's is $POCL_CACHE_DIR, else ~/.cache/pocl)"

static const struct
{
  const gchar *call;
  gboolean on_frame; /* FALSE: when the element starts */
  gint code;
  cl_int status;     /* 0: CL_OUT_OF_RESOURCES */
  const gchar *part; /* of the error; NULL: its name */
} calls[] = {
  { "clGetPlatformIDs", FALSE, GST_LIBRARY_ERROR_INIT, 0, NULL },
  { "clCreateContext", FALSE, GST_LIBRARY_ERROR_INIT, 0, NULL },
  { "clCreateCommandQueue", FALSE, GST_LIBRARY_ERROR_INIT, 0, NULL },
  { "clCreateKernel", FALSE, GST_LIBRARY_ERROR_INIT, 0, NULL },
  { "clBuildProgram", FALSE, GST_LIBRARY_ERROR_INIT, 0, NULL },
  { "clEnqueueNDRangeKernel", FALSE, GST_LIBRARY_ERROR_INIT, 0, NULL },
  { "clEnqueueNDRangeKernel", TRUE, GST_LIBRARY_ERROR_FAILED, 0, NULL },
  { "clEnqueueReadBuffer", TRUE, GST_LIBRARY_ERROR_FAILED, 0, NULL },
  { "clWaitForEvents", TRUE, GST_LIBRARY_ERROR_FAILED, 0, NULL },
  { "clFlush", TRUE, GST_LIBRARY_ERROR_FAILED, 0, NULL },
  /* from a damaged cache, PoCL makes a program without its kernels */
  { "clCreateKernel", FALSE, GST_LIBRARY_ERROR_INIT, CL_INVALID_KERNEL_NAME,
      "CL_INVALID_KERNEL_NAME. " CACHE_CURE },
};

TEST (test_call)
{
  g_autoptr (Picture) picture = picture_small ("I420");
  g_autoptr (Harness) h =
      stopped_new ("equalization", AMPHISTO_EQUALIZATION_GLOBAL);

  if (calls[__i__].on_frame)
    call_to_fail = calls[__i__].call;
  else
    clfaults_set (calls[__i__].call, 1);
  if (calls[__i__].status != 0)
    clfaults_set_status (calls[__i__].status);
  assert_failed_run (h, picture, calls[__i__].code,
      calls[__i__].part != NULL ? calls[__i__].part : "CL_OUT_OF_RESOURCES",
      NULL);
  call_to_fail = NULL;
  assert_clean_run (h, picture);
}

/* If a kernel does not build, the message names a remedy, and the debug text
 * has the compiler's log. */
TEST (test_build)
{
  g_autoptr (Picture) picture = picture_small ("I420");
  g_autofree gchar *debug = NULL;
  g_autoptr (Harness) h =
      stopped_new ("equalization", AMPHISTO_EQUALIZATION_GLOBAL);

  clfaults_break_sources (TRUE);
  assert_failed_run (h, picture, GST_LIBRARY_ERROR_INIT,
      "CL_BUILD_PROGRAM_FAILURE. " CACHE_CURE, &debug);
  fail_unless (
      debug != NULL && strstr (debug, "no_such_type") != NULL, "%s", debug);
  clfaults_break_sources (FALSE);
  assert_clean_run (h, picture);
}

/* The type of the next progress message. */
static GstProgressType
pop_progress (GstHarness *h)
{
  g_autoptr (GstMessage) message = bus_pop (h->element, GST_MESSAGE_PROGRESS);
  GstProgressType type;
  g_autofree gchar *code = NULL;

  fail_unless (message != NULL, "no progress message");
  gst_message_parse_progress (message, &type, &code, NULL);
  fail_unless_equals_string (code, "build-kernels");
  return type;
}

/* A build that takes more than half a second is announced once, and so is its
 * end, in success (0) or failure (1). The next build is announced only if it
 * takes as long. */
TEST (test_progress)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (GstMessage) progress = NULL;
  GstProgressType type;
  g_autoptr (Harness) h =
      stopped_new ("equalization", AMPHISTO_EQUALIZATION_GLOBAL);

  /* 0.6 s in all: there are two programs, or the first fails */
  clfaults_delay ("clCreateProgramWithSource", __i__ ? 600000 : 300000);
  clfaults_break_sources (__i__);
  fail_unless_equals_int (run (h, picture), !__i__);
  fail_unless_equals_int (pop_progress (h), GST_PROGRESS_TYPE_START);
  fail_unless_equals_int (pop_progress (h),
      __i__ ? GST_PROGRESS_TYPE_ERROR : GST_PROGRESS_TYPE_COMPLETE);
  fail_unless (bus_pop (h->element, GST_MESSAGE_PROGRESS) == NULL);
  clfaults_delay (NULL, 0);
  clfaults_break_sources (FALSE);
  fail_unless (run (h, picture));
  progress = bus_pop (h->element, GST_MESSAGE_PROGRESS);
  if (progress != NULL) {
    gst_message_parse_progress (progress, &type, NULL, NULL);
    fail_unless_equals_int (type, GST_PROGRESS_TYPE_START);
  }
}

/* A system that starts no more threads runs the frames all the same: a long
 * build is not announced, and the streaming thread works without helpers. */
TEST (test_threadless)
{
  g_autoptr (Picture) picture =
      picture_new ("I420", 1280, 720, PICTURE_TIGHT, 0, 255, 1);
  g_autoptr (Harness) h = stopped_new ("frames-in-flight", 1 + 2 * __i__);

  clfaults_delay ("clCreateProgramWithSource", 600000);
  threadless_set (TRUE);
  fail_unless (run (h, picture));
  fail_unless (threadless_n_refused () > 0);
  threadless_set (FALSE);
  clfaults_delay (NULL, 0);
  fail_unless (bus_pop (h->element, GST_MESSAGE_PROGRESS) == NULL);
}

static const struct
{
  const gchar *property;
  gint value;
  ClFaultsCorrupted corrupted;
  const gchar *part; /* of the error */
} results[] = { { "attach-meta", TRUE, CLFAULTS_BINS, "luma, bin" },
  { "equalization", AMPHISTO_EQUALIZATION_GLOBAL, CLFAULTS_PIXELS,
      "wrong: plane" },
  { "scopes", 1, CLFAULTS_PIXELS, "the canvas's plane 0" } };

/* verify detects wrong bins, wrong pixels in the first of several planes, and
 * wrong scopes on a canvas. */
TEST (test_verify)
{
  g_autoptr (Picture) picture = picture_held ("I420");
  g_autoptr (Harness) h = stopped_new ("verify", TRUE);

  g_object_set (
      h->element, results[__i__].property, results[__i__].value, NULL);
  assert_clean_run (h, picture);
  clfaults_corrupt (results[__i__].corrupted);
  assert_failed_run (
      h, picture, GST_LIBRARY_ERROR_FAILED, results[__i__].part, NULL);
  clfaults_corrupt (CLFAULTS_NOTHING);
  assert_clean_run (h, picture);
}

/* The captions of a changed scope are not uploaded. After a flush, the change
 * is taken back (0) or tried again (1), and the drawing is right. */
TEST (test_change)
{
  g_autoptr (Picture) picture =
      picture_new ("I420", 640, 360, PICTURE_TIGHT, 40, 120, 1);
  g_autoptr (Harness) h = harness_new_for (
      picture, "verify", TRUE, "channels", CHANNELS_ALL, "scopes", 1, NULL);
  g_autoptr (GError) error = NULL;

  harness_pass (h, picture_wrap (picture));
  g_object_set (h->element, "scope-display", 1, NULL);
  clfaults_set ("clEnqueueWriteBuffer", 1);
  fail_unless_equals_int (
      gst_harness_push (h, picture_wrap (picture)), GST_FLOW_ERROR);
  error = bus_pop_error (h->element, NULL);
  assert_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_FAILED,
      "clEnqueueWriteBuffer");
  clfaults_set (NULL, 0);
  harness_flush (h);
  g_object_set (h->element, "scope-display", __i__ ? 1 : 0, NULL);
  harness_pass (h, picture_wrap (picture));
}

/* --- failures beside another stream --- */

/* Memory of a frame: whoever writes to it after it has been freed ends the
 * process. */
typedef struct
{
  gpointer data;
  gsize size;
} Pages;

static void
pages_free (gpointer data)
{
  Pages *pages = data;

  munmap (pages->data, pages->size);
  g_free (pages);
}

static GstBuffer *
wrap_in_pages (const Picture *picture, gsize size)
{
  Pages *pages = g_new (Pages, 1);

  pages->size = size;
  pages->data = mmap (
      NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  g_assert_true (pages->data != MAP_FAILED);
  memcpy (pages->data, picture_row (picture, 0, 0), size);
  return gst_buffer_new_wrapped_full (
      0, pages->data, size, 0, size, pages, pages_free);
}

#define BESIDE_WIDTH 640
#define BESIDE_HEIGHT 256

/* Sends frames, many of which fail. Returns: how many were right; -1: one was
 * wrong. */
static gpointer
run_beside (gpointer data)
{
  GstHarness *h = data;
  g_autoptr (Picture) picture = picture_new (
      "GRAY8", BESIDE_WIDTH, BESIDE_HEIGHT, PICTURE_TIGHT, 40, 120, 1);
  g_autoptr (Picture) expected = picture_equalized (picture);
  g_autoptr (Picture) actual = picture_copy (picture);
  const guint n_frames = test_size () == TEST_FULL ? 1000 : 400;
  gint n_right = 0;

  for (guint n = 0; n < n_frames && n_right >= 0; n++) {
    g_autoptr (GstBuffer) out = NULL;

    gst_harness_push (h, wrap_in_pages (picture, BESIDE_WIDTH * BESIDE_HEIGHT));
    while ((out = gst_harness_try_pull (h)) != NULL) {
      picture_read (actual, out);
      n_right = picture_equal (actual, expected) ? n_right + 1 : -1;
      gst_clear_buffer (&out);
    }
  }
  return GINT_TO_POINTER (n_right);
}

/* A call that fails may be the one that unmaps pinned memory. */
static void
allow_pinned (const gchar *domain, GLogLevelFlags level, const gchar *message,
    gpointer user_data)
{
  (void) domain;
  (void) level;
  (void) user_data;
  if (!g_str_has_prefix (message, "the map of pinned memory was not released"))
    g_error ("%s", message);
}

/* Two streams with one frame in flight (0) or three (1), whose calls fail at
 * random, do each other no harm. */
TEST (test_beside)
{
  const GLogLevelFlags fatal = g_log_set_always_fatal (G_LOG_FATAL_MASK);
  const guint handler =
      g_log_set_handler ("amphisto", G_LOG_LEVEL_WARNING, allow_pinned, NULL);
  g_autoptr (Picture) picture = picture_new (
      "GRAY8", BESIDE_WIDTH, BESIDE_HEIGHT, PICTURE_TIGHT, 40, 120, 1);
  GThread *threads[2];
  GstHarness *h[2];

  for (guint i = 0; i < 2; i++) {
    h[i] = harness_new_for (picture, "equalization",
        AMPHISTO_EQUALIZATION_GLOBAL, "frames-in-flight", __i__ ? 3 : 1, NULL);
    gst_bus_set_flushing (GST_ELEMENT_BUS (h[i]->element), TRUE);
  }
  clfaults_set_chance (NULL, 20);
  for (guint i = 0; i < 2; i++)
    threads[i] = g_thread_new ("stream", run_beside, h[i]);
  for (guint i = 0; i < 2; i++)
    fail_unless (GPOINTER_TO_INT (g_thread_join (threads[i])) > 0);
  clfaults_set (NULL, 0);
  for (guint i = 0; i < 2; i++)
    harness_free (h[i]);
  fail_unless_equals_int (clfaults_n_alive (), 0);
  g_log_remove_handler ("amphisto", handler);
  g_log_set_always_fatal (fatal);
}

/* --- lack of memory --- */

/* Limits the process to this many more bytes of memory. Returns: the limit
 * before. */
static struct rlimit
limit_memory (gsize more)
{
  g_autofree gchar *statm = NULL;
  struct rlimit before, limit;

  fail_unless (g_file_get_contents ("/proc/self/statm", &statm, NULL, NULL));
  fail_unless_equals_int (getrlimit (RLIMIT_AS, &before), 0);
  limit = before;
  limit.rlim_cur =
      g_ascii_strtoull (statm, NULL, 10) * sysconf (_SC_PAGESIZE) + more;
  fail_unless_equals_int (setrlimit (RLIMIT_AS, &limit), 0);
  return before;
}

/* verify reports if there is no memory for a copy of the frame (0), or for a
 * frame to compare the result with (1). The allocator gives frames of this size
 * back to the system. */
TEST (test_verify_without_memory)
{
  g_autoptr (Picture) picture =
      picture_new ("GRAY8", 6144, 6144, PICTURE_TIGHT, 40, 120, 1);
  g_autoptr (Harness) h = harness_new_for (picture, "verify", TRUE,
      "equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);
  struct rlimit before;

  harness_pass (h, picture_wrap (picture));
  if (harness_pins_memory (h)) /* there is too little for that first */
    return;
  before = limit_memory (picture->size * (__i__ ? 3 : 1) / 2);
  harness_fail (
      h, wrap_discont (picture), GST_RESOURCE_ERROR_NO_SPACE_LEFT, "no memory");
  fail_unless_equals_int (setrlimit (RLIMIT_AS, &before), 0);
}

const ElementTest element_tests[] = { ONCE (test_every_call),
  EACH (test_call, calls), ONCE (test_build), TIMES (test_progress, 2),
  TIMES (test_threadless, 2), EACH (test_verify, results),
  TIMES (test_change, 2), TIMES (test_beside, 2),
  TIMES (test_verify_without_memory, 2), { 0 } };
