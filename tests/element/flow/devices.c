/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The choice among several devices, and the replacement of failing ones.
 */

#include "cldevices.h"
#include "clfaults.h"
#include "harnesses.h"
#include "size.h"

#include <string.h>

#define GPU CL_DEVICE_TYPE_GPU
#define CPU CL_DEVICE_TYPE_CPU
#define MAX_DEVICES 5

/* --- warnings on the log --- */

static GPtrArray *warnings; /* gchar *, owned */

/* Of the element, and of the layer below. Called by the thread that changes an
 * element's state. */
static void
collect_warning (GstDebugCategory *category, GstDebugLevel level,
    const gchar *file, const gchar *function, gint line, GObject *object,
    GstDebugMessage *message, gpointer user_data)
{
  (void) file;
  (void) function;
  (void) line;
  (void) object;
  (void) user_data;
  if (level == GST_LEVEL_WARNING
      && g_str_has_prefix (gst_debug_category_get_name (category), "amphisto"))
    g_ptr_array_add (warnings, g_strdup (gst_debug_message_get (message)));
}

/* There were `n` warnings, and one contains both parts. */
static void
assert_warnings (guint n, const gchar *part, const gchar *other)
{
  gboolean found = FALSE;

  fail_unless_equals_int (warnings->len, n);
  for (guint i = 0; i < n; i++) {
    const gchar *warning = g_ptr_array_index (warnings, i);

    found |= strstr (warning, part) != NULL && strstr (warning, other) != NULL;
  }
  fail_unless (found, "no warning of %s and %s", part, other);
}

static ClDevice devices[MAX_DEVICES];
static GStrv device_words[MAX_DEVICES];

/* Makes up devices, separated by ", ": "PLATFORM TYPE NAME", with TYPE cpu, acc
 * or gpu, and perhaps the call that fails; "!" for `call`. */
static void
set_devices (const gchar *text, const gchar *call)
{
  g_auto (GStrv) texts = g_strsplit (text, ", ", -1);
  guint n = 0;

  for (; texts[n] != NULL; n++) {
    gchar **words = g_strsplit (texts[n], " ", -1);

    g_strfreev (device_words[n]);
    device_words[n] = words;
    devices[n] = (ClDevice){ words[0],
      *words[1] == 'c'       ? CL_DEVICE_TYPE_CPU
          : *words[1] == 'a' ? CL_DEVICE_TYPE_ACCELERATOR
                             : CL_DEVICE_TYPE_GPU,
      words[2], g_strcmp0 (words[3], "!") == 0 ? call : words[3] };
  }
  cldevices_set (devices, n);
}

static void
setup (void)
{
  g_unsetenv ("AMPHISTO_DEVICE");
  warnings = g_ptr_array_new_with_free_func (g_free);
  gst_debug_set_threshold_for_name ("amphisto*", GST_LEVEL_WARNING);
  gst_debug_remove_log_function (gst_debug_log_default);
  gst_debug_add_log_function (collect_warning, NULL, NULL);
}

static void
teardown (void)
{
  gst_debug_remove_log_function (collect_warning);
  g_ptr_array_unref (warnings);
  cldevices_set (NULL, 0);
  for (guint i = 0; i < MAX_DEVICES; i++)
    g_clear_pointer (&device_words[i], g_strfreev);
}

/* The device on which an element with this `device` plays. */
static void
assert_plays_on (const gchar *choice, const gchar *name)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h = harness_new_for (picture, "device", choice, NULL);
  g_autofree gchar *actual = element_device_name (h->element);

  fail_unless_equals_string (actual, name);
  harness_pass (h, picture_wrap (picture));
}

/* Returns: (transfer full): the error of an element that can't play. */
static GError *
failure_of (const gchar *choice)
{
  GstElement *element = element_new ("device", choice, NULL);
  GError *error;

  fail_unless_equals_int (gst_element_set_state (element, GST_STATE_PLAYING),
      GST_STATE_CHANGE_FAILURE);
  error = bus_pop_error (element, NULL);
  element_free (element);
  fail_unless_equals_int (clfaults_n_alive (), 0);
  return error;
}

/* --- the choice --- */

static const struct
{
  const gchar *devices;
  const gchar *choice;
  const gchar *name; /* of the chosen device */
} choices[] = {
  /* GPUs come first, then accelerators, then CPUs, in any order of the list */
  { "A cpu cpu-0, A acc acc-0, A gpu gpu-0, B gpu gpu-1", NULL, "gpu-0" },
  { "A gpu gpu-0, B acc acc-0, C cpu cpu-0", NULL, "gpu-0" },
  { "A cpu cpu-0, B acc acc-0, B acc acc-1", NULL, "acc-0" },
  { "A acc acc-0, A cpu cpu-0", NULL, "acc-0" },
  { "A cpu cpu-0, A cpu cpu-1", NULL, "cpu-0" },
  { "A cpu cpu-0, B gpu gpu-0", "", "gpu-0" },
  /* the first of a type */
  { "A gpu gpu-0, B cpu cpu-0, B cpu cpu-1", "cpu", "cpu-0" },
  { "A gpu gpu-0, B acc acc-0, B acc acc-1", "accelerator", "acc-0" },
  { "A cpu cpu-0, B gpu gpu-0, B gpu gpu-1", "gpu", "gpu-0" },
  /* a number, part of a name, part of a platform's name */
  { "A gpu gpu-0, B gpu gpu-1, B gpu gpu-2", "1.1", "gpu-2" },
  { "A gpu gpu-0, B gpu gpu-1", "PU-1", "gpu-1" },
  { "A gpu gpu-0, Bee acc acc-0, Bee gpu gpu-1", "bee", "acc-0" },
};

TEST (test_choice)
{
  set_devices (choices[__i__].devices, NULL);
  assert_plays_on (choices[__i__].choice, choices[__i__].name);
  fail_unless_equals_int (warnings->len, 0);
}

/* --- names that are not UTF-8 --- */

/* A lead byte, and the beginning of a longer sequence; and their replacements.
 */
#define LEAD "\xf0"
#define BEGUN "\xe2\x82"
#define REPLACED "\357\277\275"

static const struct
{
  const gchar *choice; /* as the property (0), or in the environment (1) */
  const gchar *device, *platform, *name;
} broken_names[] = {
  { "GPU-" LEAD, "gpu-" LEAD, "B", "gpu-" REPLACED },
  { "1.0", "gpu-" BEGUN, "B", "gpu-" REPLACED REPLACED },
  { "b" BEGUN, "gpu-1", "B" BEGUN, "gpu-1" },
};

TEST (test_broken_name)
{
  const guint i = __i__ / 2;
  const ClDevice list[] = { { "A", GPU, "gpu-0", NULL },
    { broken_names[i].platform, GPU, broken_names[i].device, NULL } };

  cldevices_set (list, G_N_ELEMENTS (list));
  if (__i__ % 2)
    g_setenv ("AMPHISTO_DEVICE", broken_names[i].choice, TRUE);
  assert_plays_on (
      __i__ % 2 ? NULL : broken_names[i].choice, broken_names[i].name);
  fail_unless_equals_int (warnings->len, 0);
}

/* The errors are in UTF-8. The choice is in the property (0, 1) or in the
 * environment (2, 3). */
TEST (test_broken_choice)
{
  const gchar *choice = __i__ % 2 ? "acc" LEAD : "acc" BEGUN;
  static const ClDevice list[] = { { "A" BEGUN, GPU, "gpu-" LEAD,
      "clCreateContext" } };
  g_autoptr (GError) not_found = NULL, failed = NULL;

  cldevices_set (list, 1);
  if (__i__ > 1)
    g_setenv ("AMPHISTO_DEVICE", choice, TRUE);
  not_found = failure_of (__i__ > 1 ? NULL : choice);
  assert_error (not_found, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
      "\"gpu-" REPLACED "\" (A" REPLACED);
  fail_unless (g_utf8_validate (not_found->message, -1, NULL));
  failed = failure_of ("0.0");
  assert_error (
      failed, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT, "clCreateContext");
  fail_unless (g_utf8_validate (failed->message, -1, NULL));
}

/* --- devices that fail --- */

/* Calls that fail for a device: when it is listed, opened, and used for a
 * start. */
static const gchar *const calls[] = { "clGetDeviceInfo", "clCreateContext",
  "clCreateCommandQueue", "clBuildProgram" };

/* Failing devices are skipped, in the order of their types, with a warning that
 * names each; it has its number if nothing else is known. */
TEST (test_next)
{
  set_devices (
      "A cpu cpu-0 !, A cpu cpu-1, B acc acc-0 !, C gpu gpu-0 !", calls[__i__]);
  assert_plays_on (NULL, "cpu-1");
  assert_warnings (3, __i__ == 0 ? "2.0 (C)" : "2.0 \"gpu-0\" (C)",
      __i__ == 3 ? "CL_OUT_OF_RESOURCES" : calls[__i__]);
  assert_warnings (3, "1.0", __i__ == 0 ? "(B)" : "\"acc-0\" (B)");
  assert_warnings (3, "0.0", __i__ == 0 ? "(A)" : "\"cpu-0\" (A)");
}

/* A device that was chosen by name is not replaced; the error names it. */
TEST (test_named)
{
  g_autoptr (GError) error = NULL;

  set_devices ("A cpu cpu-0, B gpu gpu-0 !, B gpu gpu-1", calls[__i__]);
  error = failure_of ("1.0");
  assert_error (
      error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT, "CL_OUT_OF_RESOURCES");
  fail_unless (strstr (error->message, __i__ == 0 ? "1.0" : "1.0 \"gpu-0\""));
  fail_unless (strstr (error->message, "cpu-0") == NULL);
  g_clear_error (&error);

  g_setenv ("AMPHISTO_DEVICE", "1.0", TRUE);
  error = failure_of (NULL);
  fail_unless (strstr (error->message, __i__ == 0 ? "1.0" : "1.0 \"gpu-0\""));
  assert_plays_on ("gpu-1", "gpu-1");
}

/* What a device can lack. */
static const struct
{
  const gchar *name, *why;
} lacking[] = { { "available", "its driver says that it is not available" },
  { "compiler", "its driver has no compiler" },
  { "little-endian", "it is big-endian" } };

/* A device that lacks it is skipped; alone, it is there, but can't be used. */
TEST (test_lacking)
{
  g_autoptr (GError) error = NULL;

  set_devices ("A cpu cpu-0, B gpu gpu-0 !", lacking[__i__].name);
  assert_plays_on (NULL, "cpu-0");
  assert_warnings (1, "1.0 \"gpu-0\" (B)", lacking[__i__].why);
  set_devices ("B gpu gpu-0 !", lacking[__i__].name);
  error = failure_of (NULL);
  assert_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
      "CPU can be used: 0.0 \"gpu-0\" (B): ");
  fail_unless (strstr (error->message, lacking[__i__].why) != NULL);
}

/* A device is skipped if its driver allows too small work-groups for a kernel;
 * if it was chosen by name, the error names the kernel. NVIDIA's limit is
 * ignored. */
TEST (test_small_groups)
{
  const gchar *why =
      "allows work-groups of 128 work-items for the kernel calculate_histogram";
  g_autoptr (GError) error = NULL;

  set_devices ("A cpu cpu-0, B gpu gpu-0", NULL);
  cldevices_limit_kernel (&devices[1], "calculate_histogram", 128);
  assert_plays_on (NULL, "cpu-0");
  assert_warnings (1, "1.0 \"gpu-0\" (B)", why);
  error = failure_of ("gpu");
  assert_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT, why);
  fail_unless (strstr (error->message, "..") == NULL);
  cldevices_set_version ("OpenCL 3.0 CUDA");
  assert_plays_on (NULL, "gpu-0");
  cldevices_set_version (NULL);
  cldevices_limit_kernel (NULL, NULL, 0);
}

/* Choices that several devices match. */
static const struct
{
  const gchar *devices;
  const gchar *choice;
} several[] = {
  { "A cpu cpu-0, B gpu first, B gpu second", "gpu" },
  { "A cpu cpu-0, B gpu first, C gpu second", "GPU" },
  { "A gpu gpu-0, B cpu first, B cpu second", "cpu" },
  { "A gpu gpu-0, B acc first, C acc second", "accelerator" },
  /* part of the devices' names, and of the platforms' */
  { "A gpu gpu-0, B cpu first_twin, C gpu second_twin", "twin" },
  { "A gpu gpu-0, Bee cpu first, Beetle gpu second", "bee" },
};

/* `device`, or AMPHISTO_DEVICE, chooses one device, the first that matches. If
 * it fails, no other device is opened, even if it matches, and the error names
 * only the chosen one. In the quick tier, one call fails for each choice. */
TEST (test_first_of_several)
{
  const guint step = test_size () < TEST_FULL ? 3 : 1;

  for (guint i = __i__ % step; i < 2 * G_N_ELEMENTS (several); i += step) {
    const gboolean is_variable = i & 1;
    g_autoptr (GError) error = NULL;

    set_devices (several[i / 2].devices, NULL);
    /* not when it is listed: its type and name would be unknown */
    devices[1].fails = calls[1 + __i__];
    if (is_variable)
      g_setenv ("AMPHISTO_DEVICE", several[i / 2].choice, TRUE);
    clfaults_count ("clCreateContext");
    error = failure_of (is_variable ? NULL : several[i / 2].choice);
    fail_unless_equals_int (clfaults_n_calls (), 1);
    assert_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT, "1.0");
    fail_unless (strstr (error->message, "first") != NULL);
    fail_unless (strstr (error->message, "second") == NULL);
    fail_unless (strstr (error->message, "-0\"") == NULL);
    fail_unless_equals_int (warnings->len, 0);

    /* the property takes precedence over the variable, and the first device is
     * chosen again */
    if (is_variable)
      g_setenv ("AMPHISTO_DEVICE", "no such device", TRUE);
    devices[1].fails = NULL;
    assert_plays_on (several[i / 2].choice, devices[1].name);
    g_unsetenv ("AMPHISTO_DEVICE");
  }
}

/* If all fail, one error lists each with the reason. */
TEST (test_all)
{
  const gchar *parts[] = { __i__ == 0 ? "0.0 (A): " : "0.0 \"cpu-0\" (A): ",
    __i__ == 3 ? "do not build" : calls[__i__],
    "1.0 \"gpu-0\" (B): clCreateContext failed",
    "platform 2 (C): clGetDeviceIDs",
    "3.0 \"gpu-1\" (D): the kernels do not build: CL_OUT_OF_RESOURCES" };
  g_autoptr (GError) error = NULL;

  set_devices ("A cpu cpu-0 !, B gpu gpu-0 clCreateContext, C cpu cpu-1 "
               "clGetDeviceIDs, D gpu gpu-1 clBuildProgram",
      calls[__i__]);
  error = failure_of (NULL);
  for (guint i = 0; IS_ROW (parts, i); i++)
    assert_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT, parts[i]);
}

/* --- devices that fail when caps are set --- */

/* An element for colour, which needs more kernels than are created at the
 * start. */
static GstHarness *
harness_new_scope (const gchar *choice)
{
  return harness_new ("device", choice, "scopes", 4, "equalization",
      AMPHISTO_EQUALIZATION_GLOBAL, NULL);
}

static Picture *
picture_new_scope (void)
{
  return picture_new ("RGBA", 320, 240, PICTURE_TIGHT, 30, 170, 1);
}

/* The next device replaces it, and its memory: a device with memory of its own
 * (0), or a CPU (1), with and without an earlier frame. */
TEST (test_next_at_caps)
{
  ClDevice list[] = { { "A", CPU, "cpu-0", NULL }, { "B", GPU, "gpu-0", NULL },
    { "C", __i__ & 1 ? CPU : GPU, "other", NULL } };
  g_autoptr (Picture) grey = picture_small ("GRAY8");
  g_autoptr (Picture) picture = picture_new_scope ();
  g_autofree gchar *name = NULL;
  GstHarness *h;

  cldevices_set (list + (__i__ & 1), 3 - (__i__ & 1));
  cldevices_set_own_memory (TRUE);
  h = harness_new_scope (NULL);
  if (__i__ & 2) {
    harness_set_caps (h, grey);
    harness_pass (h, picture_wrap (grey));
    assert_refused (h->element, "vectorscope");
  }
  list[1].fails = "clBuildProgram";
  harness_set_caps (h, picture);
  name = element_device_name (h->element);
  fail_unless_equals_string (name, "other");
  /* a vectorscope of grey is a warning, too */
  assert_warnings (__i__ & 2 ? 2 : 1, "\"gpu-0\" (B)", "CL_OUT_OF_RESOURCES");
  for (guint n = 0; n < 3; n++)
    harness_pass (h, picture_fill_proposed (picture, h));
  harness_free (h);
  fail_unless_equals_int (clfaults_n_alive (), 0);
}

/* If it is the only device (0), or was chosen by name (1), there is one error,
 * even if many buffers follow, and the element works again after a restart. */
TEST (test_none_at_caps)
{
  g_autoptr (Picture) grey = picture_small ("GRAY8");
  g_autoptr (Picture) picture = picture_new_scope ();
  GstHarness *h;
  g_autoptr (GstPad) pad = NULL;
  g_autoptr (GError) error = NULL;

  set_devices (__i__ ? "B gpu gpu-0, A cpu cpu-0" : "B gpu gpu-0", NULL);
  h = harness_new_scope (__i__ ? "gpu" : NULL);
  pad = gst_element_get_static_pad (h->element, "sink");
  harness_set_caps (h, grey);
  devices[0].fails = "clBuildProgram";
  harness_set_caps (h, picture);
  for (guint n = 0; n < 3; n++) {
    g_object_set (h->element, "strength", 0.1 * n, NULL);
    fail_unless_equals_int (
        gst_harness_push (h, picture_wrap (picture)), GST_FLOW_NOT_NEGOTIATED);
    fail_unless_equals_int (
        gst_pad_chain (pad, picture_wrap (picture)), GST_FLOW_NOT_NEGOTIATED);
  }
  error = bus_pop_error (h->element, NULL);
  assert_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
      "\"gpu-0\" (B): the kernels do not build: CL_OUT_OF_RESOURCES");

  devices[0].fails = NULL;
  element_set_state (h->element, GST_STATE_READY);
  harness_restart (h, picture);
  harness_pass (h, picture_wrap (picture));
  harness_free (h);
  fail_unless_equals_int (clfaults_n_alive (), 0);
}

/* --- platforms that fail --- */

static const gchar *const platform_calls[] = { "clGetPlatformInfo",
  "clGetDeviceIDs" };

/* It is skipped, with a warning, and the others keep their numbers. */
TEST (test_platform)
{
  g_autoptr (GError) error = NULL;

  set_devices ("A gpu gpu-0 !, B cpu cpu-0", platform_calls[__i__]);
  assert_plays_on (NULL, "cpu-0");
  assert_warnings (
      1, __i__ ? "platform 0 (A)" : "platform 0", platform_calls[__i__]);
  assert_plays_on ("1.0", "cpu-0");
  error = failure_of ("0.0");
  assert_error (
      error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND, "\"0.0\"");
  fail_unless (strstr (error->message, platform_calls[__i__]) != NULL);
  fail_unless (strstr (error->message, "1.0 \"cpu-0\" (B)") != NULL);
}

/* A platform without devices is no failure, but is part of the error if there
 * is no other. The error names a remedy for PoCL, or where to get PoCL. */
TEST (test_empty_platform)
{
  static const ClDevice list[] = { { "Portable Computing Language", 0, NULL,
                                       NULL },
    { "Other", 0, NULL, NULL }, { "B", CPU, "cpu-0", NULL } };
  const gchar *cure =
      g_getenv ("POCL_DEVICES") != NULL ? "POCL_DEVICES" : "POCL_CACHE_DIR";
  g_autoptr (GError) pocl = NULL, other = NULL;

  cldevices_set (list, 3);
  assert_plays_on (NULL, "cpu-0");
  fail_unless_equals_int (warnings->len, 0);

  cldevices_set (list, 2);
  pocl = failure_of (__i__ ? "cpu" : NULL);
  assert_error (pocl, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
      "platform 0 (Portable Computing Language): it offers no device");
  fail_unless (strstr (pocl->message, "platform 1 (Other)") != NULL);
  fail_unless (strstr (pocl->message, cure) != NULL);
  fail_unless (strstr (pocl->message, "pocl-opencl-icd") == NULL);

  cldevices_set (list + 1, 1);
  other = failure_of (__i__ ? "cpu" : NULL);
  assert_error (other, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
      "platform 0 (Other): it offers no device");
  fail_unless (strstr (other->message, "POCL_CACHE_DIR") == NULL);
  fail_unless (strstr (other->message, "pocl-opencl-icd") != NULL);
}

const ElementTest element_tests[] = { FIXTURE (setup, teardown),
  EACH (test_choice, choices),
  TIMES (test_broken_name, 2 * G_N_ELEMENTS (broken_names)),
  TIMES (test_broken_choice, 4), EACH (test_next, calls),
  EACH (test_named, calls), EACH (test_lacking, lacking),
  ONCE (test_small_groups),
  TIMES (test_first_of_several, G_N_ELEMENTS (calls) - 1),
  EACH (test_all, calls), TIMES (test_next_at_caps, 4),
  TIMES (test_none_at_caps, 2), EACH (test_platform, platform_calls),
  TIMES (test_empty_platform, 2), { 0 } };
