/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Devices stay open for the next element: CPUs for ever, others for 10 seconds.
 */

#include "clfaults.h"
#include "cldevices.h"
#include "harnesses.h"
#include "monotonic.h"

#define SECOND G_TIME_SPAN_SECOND

/* Cases begin with the time that devices stay open by default. */
static void
setup (void)
{
  g_unsetenv ("AMPHISTO_KEEP_OPEN");
}

/* One for each case, since they stay open. */
static const ClDevice devices[] = { { "A", CL_DEVICE_TYPE_CPU, "A-cpu-0",
                                        NULL },
  { "A", CL_DEVICE_TYPE_GPU, "gpu-0", NULL },
  { "A", CL_DEVICE_TYPE_GPU, "gpu-1", NULL },
  { "A", CL_DEVICE_TYPE_CPU, "A-cpu-1", NULL },
  { "A", CL_DEVICE_TYPE_CPU, "A-cpu-2", NULL },
  { "A", CL_DEVICE_TYPE_GPU, "gpu-2", NULL },
  { "A", CL_DEVICE_TYPE_GPU, "gpu-3", NULL } };

/* Plays a frame, and stops. */
static void
play (void)
{
  g_autoptr (Picture) picture =
      picture_new ("I420", 320, 240, PICTURE_TIGHT, 40, 120, 1);
  g_autoptr (Harness) h = harness_new_for (
      picture, "equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);
  g_autoptr (GstBuffer) frame = picture_wrap (picture);

  for (guint n = 0; n < 3; n++) /* pins the frame's memory */
    harness_pass (h, gst_buffer_ref (frame));
}

/* What takes long at the first start. */
static const gchar *const calls[] = { "clCreateContext",
  "clCreateProgramWithSource", "clBuildProgram" };

/* The second element on a CPU (0) or GPU (1) gets context and programs of the
 * first one. */
TEST (test_again)
{
  cldevices_set (&devices[__i__], 1);
  cldevices_set_own_memory (__i__);
  play ();
  for (guint i = 0; IS_ROW (calls, i); i++) {
    clfaults_count (calls[i]);
    play ();
    fail_unless_equals_int (clfaults_n_calls (), 0);
  }
  cldevices_set_own_memory (FALSE);
}

static void
wait_until_closed (gint n_open)
{
  const gint64 end = g_get_real_time () + 60 * SECOND;

  while (clfaults_n_alive () > n_open) {
    fail_unless (g_get_real_time () < end,
        "after a minute, %d OpenCL objects are left, not %d",
        clfaults_n_alive (), n_open);
    g_usleep (1000);
  }
}

/* The thread that closes devices waits until then. */
static void
wait_until_awaited (gint64 us)
{
  const gint64 end = g_get_real_time () + 60 * SECOND;

  while (monotonic_awaited () != us) {
    fail_unless (g_get_real_time () < end,
        "after a minute, no thread waits until %" G_GINT64_FORMAT
        ", but until %" G_GINT64_FORMAT,
        us, monotonic_awaited ());
    g_usleep (1000);
  }
}

/* Plays on devices[index], which is closed when `us` have passed since, not
 * before. */
static void
check_closed (guint index, gint64 us)
{
  const gint n_open = clfaults_n_alive ();

  cldevices_set (&devices[index], 1);
  monotonic_stop ();
  play ();
  wait_until_awaited (us);
  monotonic_set (us * 9 / 10);
  wait_until_awaited (us);
  fail_unless (clfaults_n_alive () > n_open);
  monotonic_set (us);
  wait_until_closed (n_open);
  monotonic_continue ();
}

/* A GPU is closed 10 seconds after its last element. */
TEST (test_closed)
{
  check_closed (2, 10 * SECOND);
}

/* A lost device is closed with its last element. */
TEST (test_lost)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  const gint n_open = clfaults_n_alive ();
  g_autoptr (GError) error = NULL;
  GstHarness *h;

  cldevices_set (
      &(const ClDevice){ "A", CL_DEVICE_TYPE_CPU, "A-cpu-1", NULL }, 1);
  h = harness_new_for (picture, NULL, NULL);
  clfaults_set ("clFlush", 1);
  fail_unless_equals_int (
      gst_harness_push (h, picture_wrap (picture)), GST_FLOW_ERROR);
  clfaults_set (NULL, 0);
  error = bus_pop_error (h->element, NULL);
  harness_free (h);
  fail_unless_equals_int (clfaults_n_alive (), n_open);
}

/* A device that is in use again when the time comes stays open. */
TEST (test_in_use)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  const gint n_open = clfaults_n_alive ();
  GstHarness *h;

  cldevices_set (&devices[6], 1);
  g_setenv ("AMPHISTO_KEEP_OPEN", "1", TRUE);
  play ();
  clfaults_count ("clReleaseContext");
  h = harness_new_for (picture, NULL, NULL);
  g_usleep (3 * SECOND / 2);
  fail_unless_equals_int (clfaults_n_calls (), 0);
  harness_pass (h, picture_wrap (picture));
  harness_free (h);
  wait_until_closed (n_open);
}

/* Seconds in the environment replace the time of a CPU (0) and a GPU (1). */
TEST (test_environment)
{
  const gint n_open = clfaults_n_alive ();

  g_setenv ("AMPHISTO_KEEP_OPEN", "1", TRUE);
  check_closed (4 + __i__, SECOND);
  g_setenv ("AMPHISTO_KEEP_OPEN", "0", TRUE);
  play ();
  fail_unless_equals_int (clfaults_n_alive (), n_open);
}

/* The last case leaves a GPU that is going to be closed. */
const ElementTest element_tests[] = { FIXTURE (setup, NULL), ONCE (test_closed),
  ONCE (test_lost), TIMES (test_environment, 2), ONCE (test_in_use),
  TIMES (test_again, 2), { 0 } };
