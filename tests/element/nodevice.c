/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A machine without OpenCL drivers: the loader is shown an empty directory.
 */

#include "harnesses.h"

GST_START_TEST (test_no_device)
{
  GstElement *element = element_new ("device", __i__ ? "cpu" : NULL, NULL);
  g_autoptr (GError) error = NULL;
  GstMessage *message;

  for (guint attempt = 0; attempt < 2; attempt++) {
    fail_unless_equals_int (gst_element_set_state (element, GST_STATE_PLAYING),
        GST_STATE_CHANGE_FAILURE);
    message = bus_pop (element, GST_MESSAGE_ERROR);
    fail_unless (message != NULL);
    gst_message_parse_error (message, &error, NULL);
    gst_message_unref (message);
    fail_unless (g_error_matches (
        error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND));
    fail_unless (strstr (error->message, "pocl-opencl-icd") != NULL);
    g_clear_error (&error);
    fail_unless (bus_pop (element, GST_MESSAGE_ERROR) == NULL);
    fail_unless_equals_int (gst_element_set_state (element, GST_STATE_NULL),
        GST_STATE_CHANGE_SUCCESS);
  }
  element_free (element);
}

GST_END_TEST

static Suite *
nodevice_suite (void)
{
  Suite *suite = suite_create ("nodevice");
  TCase *tc = tcase_create ("nodevice");

  suite_add_tcase (suite, tc);
  tcase_add_loop_test (tc, test_no_device, 0, 2);
  return suite;
}

GST_CHECK_MAIN (nodevice)
