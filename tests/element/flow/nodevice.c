/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A machine without OpenCL drivers: OCL_ICD_VENDORS names an empty directory.
 */

#include "harnesses.h"

/* Any device (0), or a CPU (1). */
GST_START_TEST (test_no_device)
{
  g_autoptr (TestElement) element =
      element_new ("device", __i__ ? "cpu" : NULL, NULL);

  for (guint attempt = 0; attempt < 2; attempt++) {
    g_autoptr (GError) error = NULL;

    fail_unless_equals_int (gst_element_set_state (element, GST_STATE_PLAYING),
        GST_STATE_CHANGE_FAILURE);
    error = bus_pop_error (element, NULL);
    assert_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
        "pocl-opencl-icd");
    element_set_state (element, GST_STATE_NULL);
  }
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
