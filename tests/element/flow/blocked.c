/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Streams go on while a driver's call for another element takes long.
 */

#include "clfaults.h"
#include "cldevices.h"
#include "harnesses.h"

#define SIZE (640 * 480)

/* On few cores, no threads would help to copy to pinned memory. */
guint
g_get_num_processors (void)
{
  return 8;
}

/* A frame in new memory. */
static GstBuffer *
new_frame (const Picture *picture)
{
  return gst_buffer_new_memdup (picture_row (picture, 0, 0), SIZE);
}

static Picture *
new_picture (void)
{
  return picture_new ("GRAY8", 640, 480, PICTURE_TIGHT, 40, 120, 1);
}

/* --- what the other element does --- */

/* An element, with a frame that it has had once. */
typedef struct
{
  GstHarness *h;
  Picture *picture;
  GstBuffer *frame;
} Other;

static void
push_frame (const Other *self)
{
  gst_harness_push (self->h, gst_buffer_ref (self->frame));
  gst_buffer_unref (gst_harness_pull (self->h));
}

/* Starts with other kernels than the stream's. */
static gpointer
start (gpointer data)
{
  const Other *self = data;

  gst_element_set_state (self->h->element, GST_STATE_NULL);
  g_object_set (self->h->element, "equalization", AMPHISTO_EQUALIZATION_CLAHE,
      "scopes", 1, NULL);
  gst_element_set_state (self->h->element, GST_STATE_PLAYING);
  return NULL;
}

static gpointer
stop (gpointer data)
{
  const Other *self = data;

  gst_element_set_state (self->h->element, GST_STATE_NULL);
  return NULL;
}

/* The frame comes for the second time, and is pinned. */
static gpointer
send_again (gpointer data)
{
  push_frame (data);
  return NULL;
}

/* Frees a frame that is pinned. */
static gpointer
send_and_free (gpointer data)
{
  Other *self = data;

  push_frame (self);
  gst_clear_buffer (&self->frame);
  return NULL;
}

static const struct
{
  const gchar *call;
  const gchar *device; /* the stream's is gpu-0 */
  GThreadFunc act;
  gboolean is_build;
  gboolean is_third; /* on its device: in another context */
} calls[] = {
  { "clGetPlatformIDs", "gpu-0", start, FALSE, FALSE },
  { "clGetDeviceInfo", "gpu-0", start, FALSE, FALSE },
  { "clBuildProgram", "gpu-0", start, TRUE, FALSE },
  { "clBuildProgram", "gpu-0", start, TRUE, TRUE },
  { "clEnqueueNDRangeKernel", "gpu-0", start, TRUE, FALSE },
  { "clCreateContext", "gpu-0", start, FALSE, TRUE },
  { "clCreateContext", "gpu-1", start, FALSE, FALSE },
  { "clReleaseContext", "gpu-0", stop, FALSE, TRUE },
  { "clReleaseContext", "gpu-1", stop, FALSE, FALSE },
  { "clReleaseProgram", "gpu-1", stop, FALSE, FALSE },
  { CLFAULTS_IMPORT, "gpu-0", send_again, FALSE, FALSE },
  { "clReleaseMemObject", "gpu-0", send_and_free, FALSE, FALSE },
};

/* --- the stream --- */

/* Frames that need new memory, and memory that is pinned. */
static void
run_stream (GstHarness *h, const Picture *picture, const Picture *expected)
{
  for (guint n = 0; n < 3; n++)
    harness_push (h, new_frame (picture));
  for (guint n = 0; n < 3; n++) {
    g_autoptr (GstBuffer) out = gst_harness_pull (h);

    assert_pixels (out, expected);
  }
}

static GstHarness *
new_stream (const Picture *picture, const gchar *device)
{
  return harness_new_for (picture, "device", device, "equalization",
      AMPHISTO_EQUALIZATION_GLOBAL, "frames-in-flight", 1, NULL);
}

static const ClDevice devices[] = { { "A", CL_DEVICE_TYPE_GPU, "gpu-0", NULL },
  { "B", CL_DEVICE_TYPE_GPU, "gpu-1", NULL } };

static void
wait_for_block (void)
{
  const gint64 end = g_get_monotonic_time () + 60 * G_TIME_SPAN_SECOND;

  while (!clfaults_is_blocking ()) {
    fail_unless (
        g_get_monotonic_time () < end, "after a minute, no call waits");
    g_usleep (1000);
  }
}

/* Draws scopes, for which an earlier element has built kernels. */
static void
draw_scopes (GstHarness *h, const Picture *picture)
{
  g_object_set (h->element, "scopes", 2, NULL);
  harness_pass (h, new_frame (picture));
}

TEST (test_call)
{
  g_autoptr (Picture) picture = new_picture ();
  g_autoptr (Picture) expected = picture_equalized (picture);
  Other other = { NULL, picture, new_frame (picture) };
  GstHarness *h, *earlier;
  GThread *thread;

  cldevices_set (devices, G_N_ELEMENTS (devices));
  cldevices_set_own_memory (TRUE);
  h = new_stream (picture, "gpu-0");
  earlier = new_stream (picture, "gpu-0");
  if (calls[__i__].is_build)
    draw_scopes (earlier, picture);
  if (!calls[__i__].is_third)
    g_clear_pointer (&earlier, harness_free);
  other.h = new_stream (picture, calls[__i__].device);
  push_frame (&other);
  run_stream (h, picture, expected);

  clfaults_block (calls[__i__].call);
  thread = g_thread_new ("other", calls[__i__].act, &other);
  wait_for_block ();
  run_stream (h, picture, expected);
  if (calls[__i__].is_build)
    draw_scopes (h, picture);
  fail_unless (clfaults_is_blocking (), "the stream waited");
  clfaults_block (NULL);
  g_thread_join (thread);

  harness_free (h);
  g_clear_pointer (&earlier, harness_free);
  harness_free (other.h);
  gst_clear_buffer (&other.frame);
  fail_unless_equals_int (clfaults_n_alive (), 0);
}

const ElementTest element_tests[] = { EACH (test_call, calls), { 0 } };
