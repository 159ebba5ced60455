/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Devices that fail while they are in use: which failures cost other elements
 * the device, and how it is opened anew.
 */

#include "clfaults.h"
#include "harnesses.h"

/* The harness's next frame fails, with this part of an error: clfaults has been
 * told which calls do. */
static void
fail_on_frame (GstHarness *h, Picture *picture, const gchar *part)
{
  g_autoptr (GError) error = NULL;

  fail_unless_equals_int (
      gst_harness_push (h, picture_wrap (picture)), GST_FLOW_ERROR);
  error = bus_pop_error (h->element, NULL);
  assert_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_FAILED, part);
  clfaults_set (NULL, 0);
  clfaults_set_status (CLFAULTS_STATUS);
}

/* Stops and starts. Returns: whether this created a context. */
static gboolean
restart (GstHarness *h, Picture *picture, GstState stopped)
{
  guint n;

  element_set_state (h->element, stopped);
  clfaults_count ("clCreateContext");
  harness_restart (h, picture);
  n = clfaults_n_calls ();
  harness_pass (h, picture_wrap (picture));
  return n > 0;
}

/* Two elements share a device, which fails on a frame of one of them. This
 * element opens the device anew when it starts from NULL (0) or READY (1),
 * although the other still uses the old one until it stops. */
TEST (test_lost)
{
  const GstState stopped = __i__ ? GST_STATE_READY : GST_STATE_NULL;
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  GstHarness *h = harness_new_for (picture, NULL, NULL);
  GstHarness *other = harness_new_for (picture, NULL, NULL);

  harness_pass (other, picture_wrap (picture));
  fail_unless (!restart (h, picture, stopped));
  clfaults_set ("clFlush", 1);
  fail_on_frame (h, picture, "clFlush");
  fail_unless (restart (h, picture, stopped));
  harness_pass (other, picture_wrap (picture));

  /* now both can use the new device */
  fail_unless (!restart (other, picture, stopped));
  fail_unless (!restart (h, picture, stopped));
  harness_free (h);
  harness_free (other);
  fail_unless_equals_int (clfaults_n_alive (), 0);
}

/* The failed device is released last. */
TEST (test_lost_last)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  GstHarness *h = harness_new_for (picture, NULL, NULL);
  GstHarness *other = harness_new_for (picture, NULL, NULL);

  clfaults_set ("clFlush", 1);
  fail_on_frame (h, picture, "clFlush");
  fail_unless (restart (h, picture, GST_STATE_NULL));
  harness_free (h);
  harness_pass (other, picture_wrap (picture));
  harness_free (other);
  fail_unless_equals_int (clfaults_n_alive (), 0);
}

/* Failures, and whether the device is lost. */
static const struct
{
  const gchar *call; /* NULL: all */
  cl_int status;
  gboolean is_loss;
} failures[] = {
  { "clCreateBuffer", CL_MEM_OBJECT_ALLOCATION_FAILURE, FALSE },
  { "clCreateBuffer", CL_OUT_OF_RESOURCES, FALSE },
  { "clEnqueueNDRangeKernel", CL_INVALID_WORK_GROUP_SIZE, FALSE },
  { "clEnqueueNDRangeKernel", CL_MEM_OBJECT_ALLOCATION_FAILURE, FALSE },
  { "clFlush", CL_OUT_OF_HOST_MEMORY, FALSE },
  { "clEnqueueNDRangeKernel", CL_OUT_OF_RESOURCES, TRUE },
  { "clFlush", CL_INVALID_COMMAND_QUEUE, TRUE },
  { "clFlush", CL_DEVICE_NOT_AVAILABLE, TRUE },
  { "clFlush", -9999, TRUE },
  { "clWaitForEvents", CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, TRUE },
  /* the wait for the commands of the failed frame fails, too */
  { NULL, CL_OUT_OF_HOST_MEMORY, TRUE },
};

/* One element's first frame fails, beside another element. */
TEST (test_loss)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  GstHarness *other = harness_new_for (picture, NULL, NULL);
  GstHarness *h = harness_new_for (picture, NULL, NULL);

  clfaults_set_status (failures[__i__].status);
  if (failures[__i__].call != NULL)
    clfaults_set (failures[__i__].call, 1);
  else
    clfaults_set_chance (NULL, 1);
  fail_on_frame (h, picture,
      failures[__i__].call != NULL ? failures[__i__].call : "OUT_OF_HOST");
  fail_unless_equals_int (
      restart (h, picture, GST_STATE_NULL), failures[__i__].is_loss);
  harness_pass (other, picture_wrap (picture));
  harness_free (h);
  harness_free (other);
  fail_unless_equals_int (clfaults_n_alive (), 0);
}

/* An element whose kernels do not build does not take the device from another
 * one. */
TEST (test_failed_build)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Picture) colours = picture_small ("RGBA");
  g_autoptr (GError) error = NULL;
  GstHarness *other = harness_new_for (picture, NULL, NULL);
  GstHarness *h =
      harness_new ("equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);

  clfaults_break_sources (TRUE);
  harness_set_caps (h, colours);
  clfaults_break_sources (FALSE);
  error = bus_pop_error (h->element, NULL);
  assert_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT, "build");
  fail_unless (!restart (h, colours, GST_STATE_NULL));
  harness_free (h);
  harness_free (other);
  fail_unless_equals_int (clfaults_n_alive (), 0);
}

const ElementTest element_tests[] = { TIMES (test_lost, 2),
  ONCE (test_lost_last), EACH (test_loss, failures), ONCE (test_failed_build),
  { 0 } };
