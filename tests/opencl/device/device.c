/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The choice of a device, the objects that its users share, and the texts of
 * errors.
 */

#define _DEFAULT_SOURCE /* symlink() */

#include "opencl/run/program.h"
#include "cltest.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* --- the existing devices, found without the plugin --- */

typedef struct
{
  cl_device_id id;
  cl_device_type type;
  char index[16]; /* P.D */
  char name[256];
  char platform[256];
} Listed;

static guint
list_devices (Listed *listed, guint size)
{
  cl_platform_id platforms[16];
  cl_uint n_platforms = 0;
  guint n = 0;

  if (clGetPlatformIDs (16, platforms, &n_platforms) != CL_SUCCESS)
    return 0;
  for (guint p = 0; p < MIN (n_platforms, 16); p++) {
    cl_device_id ids[16];
    cl_uint n_ids = 0;

    if (clGetDeviceIDs (platforms[p], CL_DEVICE_TYPE_ALL, 16, ids, &n_ids)
        != CL_SUCCESS)
      continue;
    for (guint d = 0; d < MIN (n_ids, 16) && n < size; d++, n++) {
      listed[n].id = ids[d];
      g_snprintf (listed[n].index, sizeof listed[n].index, "%u.%u", p, d);
      assert_cl (clGetDeviceInfo (ids[d], CL_DEVICE_TYPE, sizeof listed[n].type,
          &listed[n].type, NULL));
      assert_cl (clGetDeviceInfo (
          ids[d], CL_DEVICE_NAME, sizeof listed[n].name, listed[n].name, NULL));
      assert_cl (clGetPlatformInfo (platforms[p], CL_PLATFORM_NAME,
          sizeof listed[n].platform, listed[n].platform, NULL));
      g_strstrip (listed[n].name);
      g_strstrip (listed[n].platform);
    }
  }
  return n;
}

static void
assert_choice (const char *choice, const Listed *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AmphistoClDevice) device = test_open_device (choice, &error);

  if (expected == NULL) {
    g_assert_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_NOT_FOUND);
    g_assert_null (device);
    return;
  }
  g_assert_no_error (error);
  g_assert_true (device->id == expected->id);
  g_assert_cmpstr (device->name, ==, expected->name);
  g_assert_cmpint (
      device->is_cpu, ==, (expected->type & CL_DEVICE_TYPE_CPU) != 0);
}

static const Listed *
first_of_type (const Listed *listed, guint n, cl_device_type type)
{
  for (guint i = 0; i < n; i++)
    if (listed[i].type & type)
      return &listed[i];
  return NULL;
}

/* --- choice --- */

/* Tests of the `n` existing devices. */

static void
test_types (const Listed *listed, guint n)
{
  const Listed *gpu = first_of_type (listed, n, CL_DEVICE_TYPE_GPU);
  const Listed *other = first_of_type (listed, n, CL_DEVICE_TYPE_ACCELERATOR);
  const Listed *cpu = first_of_type (listed, n, CL_DEVICE_TYPE_CPU);
  const Listed *first = gpu != NULL ? gpu : other != NULL ? other : cpu;

  assert_choice (NULL, first);
  assert_choice ("", first);
  assert_choice ("gpu", gpu);
  assert_choice ("GPU", gpu);
  assert_choice ("accelerator", other);
  assert_choice ("cpu", cpu);
}

static void
test_indices (const Listed *listed, guint n)
{
  for (guint i = 0; i < n; i++)
    assert_choice (listed[i].index, &listed[i]);
  assert_choice ("0.99", NULL);
  assert_choice ("99.0", NULL);
}

/* Part of a device's or platform's name chooses the first device that matches.
 */
static void
test_names (const Listed *listed, guint n)
{
  for (guint i = 0; i < n; i++) {
    const char *names[] = { listed[i].name, listed[i].platform };

    for (guint k = 0; IS_ROW (names, k); k++) {
      g_autofree char *part = g_strdup (names[k] + strlen (names[k]) / 3);
      g_autofree char *upper = g_ascii_strup (part, -1);
      g_autofree char *lower = g_ascii_strdown (part, -1);
      guint first = 0;

      while (strstr (listed[first].name, part) == NULL
          && strstr (listed[first].platform, part) == NULL)
        first++;
      assert_choice (part, &listed[first]);
      assert_choice (upper, &listed[first]);
      assert_choice (lower, &listed[first]);
    }
  }
}

static void
test_environment (const Listed *listed, guint n)
{
  for (guint i = 0; i < n; i++) {
    g_setenv ("AMPHISTO_DEVICE", listed[i].index, TRUE);
    assert_choice (NULL, &listed[i]);
    assert_choice ("", &listed[i]);
    assert_choice (listed[n - 1 - i].index, &listed[n - 1 - i]);
  }
  g_setenv ("AMPHISTO_DEVICE", "no such device", TRUE);
  assert_choice (NULL, NULL);
  assert_choice (listed[0].index, &listed[0]);
  g_unsetenv ("AMPHISTO_DEVICE");
}

/* The message lists the devices. */
static void
test_nonsense (const Listed *listed, guint n)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (test_open_device ("no such device", &error));
  g_assert_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "\"no such device\""));
  for (guint i = 0; i < n; i++) {
    g_assert_nonnull (strstr (error->message, listed[i].index));
    g_assert_nonnull (strstr (error->message, listed[i].name));
    g_assert_nonnull (strstr (error->message, listed[i].platform));
  }
}

static const struct
{
  const char *path;
  void (*run) (const Listed *listed, guint n);
} choices[] = { { "/choice/types", test_types },
  { "/choice/indices", test_indices }, { "/choice/names", test_names },
  { "/choice/environment", test_environment },
  { "/choice/nonsense", test_nonsense } };

static void
test_choice (gconstpointer data)
{
  Listed listed[32];
  const guint n = list_devices (listed, G_N_ELEMENTS (listed));

  g_unsetenv ("AMPHISTO_DEVICE");
  if (n > 0)
    choices[GPOINTER_TO_UINT (data)].run (listed, n);
  else
    g_test_skip ("There is no OpenCL device.");
}

/* The loader reads OCL_ICD_VENDORS only until it has looked for drivers, so
 * this runs in a separate process. */
static void
get_without_driver (void)
{
  g_autofree char *empty = g_dir_make_tmp ("amphisto-XXXXXX", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (empty);
  g_setenv ("OCL_ICD_VENDORS", empty, TRUE);
  g_assert_null (test_open_device (NULL, &error));
  g_assert_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "pocl-opencl-icd"));
  g_clear_error (&error);
  g_assert_null (test_open_device ("cpu", &error));
  g_assert_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "pocl-opencl-icd"));
  g_assert_no_errno (g_rmdir (empty));
}

/* A driver that can't be loaded, in a folder (0), or by the file's name (1):
 * the error names the file, the library and the reason. */
static void
get_with_broken_driver (gboolean is_file)
{
  g_autofree char *folder = g_dir_make_tmp ("amphisto-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (folder, "broken.icd", NULL);
  g_autofree char *part = g_strdup_printf ("the driver of %s can't be loaded: "
                                           "libnone.so.1: cannot open",
      file);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (file, "libnone.so.1\n", -1, NULL));
  g_setenv ("OCL_ICD_VENDORS", is_file ? file : folder, TRUE);
  g_assert_null (test_open_device (NULL, &error));
  g_assert_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, part));
  g_assert_no_errno (g_unlink (file));
  g_assert_no_errno (g_rmdir (folder));
}

/* If no device was chosen, the other driver's is taken, and the log says why
 * there are no more. */
static void
skip_broken_driver (const char *file, const char *why)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *part =
      g_strdup_printf ("the driver of %s can't be loaded: %s", file, why);
  AmphistoClDevice *device;

  test_log_begin ();
  device = test_open_device (NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (test_log_count (part), ==, 1);
  g_assert_cmpuint (test_log_count (device->name), ==, 2);
  amphisto_cl_device_close (device);
}

/* Another driver has devices, but not the one that was chosen. */
static void
get_beside_broken_driver (void)
{
  g_autofree char *folder = g_dir_make_tmp ("amphisto-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (folder, "broken.icd", NULL);
  g_autofree char *good = g_build_filename (folder, "good.icd", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (file, "", -1, NULL));
  g_assert_cmpint (symlink ("/etc/OpenCL/vendors/pocl.icd", good), ==, 0);
  g_setenv ("OCL_ICD_VENDORS", folder, TRUE);
  g_unsetenv ("AMPHISTO_DEVICE"); /* another driver's, perhaps */
  g_assert_null (test_open_device ("nothing", &error));
  g_assert_nonnull (strstr (error->message, file));
  g_assert_nonnull (strstr (error->message, "names no library"));
  skip_broken_driver (file, "it names no library");
  g_assert_no_errno (g_unlink (file));
  g_assert_no_errno (g_unlink (good));
  g_assert_no_errno (g_rmdir (folder));
}

/* data: the number of the case. */
static void
test_drivers (gconstpointer data)
{
  const guint i = GPOINTER_TO_UINT (data);

  if (g_test_subprocess ()) {
    if (i == 0)
      get_without_driver ();
    else if (i < 3)
      get_with_broken_driver (i == 2);
    else
      get_beside_broken_driver ();
    return;
  }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

/* --- sharing --- */

/* The kernel's program, if it was built for RGB. */
static gpointer
find_program (const AmphistoClDevice *device, const char *kernel)
{
  const guint program =
      amphisto_cl_kernel_infos[amphisto_cl_kernel_find (kernel)].program;

  return g_hash_table_lookup (device->built.programs,
      amphisto_cl_needs_key (program, AMPHISTO_NEEDS_RGB));
}

static void
test_shared (void)
{
  AmphistoClDevice *device = test_device_get (AMPHISTO_CL_SHAPE_CPU, TRUE);
  g_autoptr (GError) error = NULL;
  AmphistoClDevice *other;
  cl_kernel kernel;
  cl_program program;

  if (device == NULL)
    return;
  other = test_open_device (NULL, &error);
  g_assert_no_error (error);
  g_assert_true (other == device);
  g_assert_true (amphisto_cl_device_ref (device) == device);
  amphisto_cl_device_unref (device);

  /* a program is built with its first kernel, and kept */
  g_assert_null (find_program (device, "apply_lut"));
  kernel = amphisto_cl_kernel_new (device,
      amphisto_cl_kernel_find ("apply_lut"), AMPHISTO_NEEDS_ALL, &error);
  g_assert_no_error (error);
  program = find_program (device, "apply_lut");
  assert_cl (clReleaseKernel (kernel));
  kernel = amphisto_cl_kernel_new (other,
      amphisto_cl_kernel_find ("equalize_lut"), AMPHISTO_NEEDS_ALL, &error);
  g_assert_no_error (error);
  g_assert_true (find_program (other, "apply_lut") == program);
  g_assert_null (find_program (device, "apply_tiles"));
  assert_cl (clReleaseKernel (kernel));

  amphisto_cl_device_close (other);
  g_assert_cmpint (device->ref_count, ==, 1);
  amphisto_cl_device_close (device);

  /* until the last reference is dropped */
  device = test_device_get (AMPHISTO_CL_SHAPE_CPU, TRUE);
  g_assert_null (find_program (device, "apply_lut"));
  amphisto_cl_device_close (device);
}

static gpointer
get_and_unref (gpointer data)
{
  (void) data;
  for (guint i = 0; i < 50; i++) {
    g_autoptr (GError) error = NULL;
    AmphistoClDevice *device = test_open_device (NULL, &error);

    g_assert_no_error (error);
    g_assert_nonnull (device->context);
    amphisto_cl_device_close (device);
  }
  return NULL;
}

static void
test_threads (void)
{
  AmphistoClDevice *device = test_device_get (AMPHISTO_CL_SHAPE_CPU, TRUE);

  if (device == NULL)
    return;
  amphisto_cl_device_close (device);
  test_run_threads (4, get_and_unref, NULL);
  device = test_device_get (AMPHISTO_CL_SHAPE_CPU, TRUE);
  amphisto_cl_device_close (device);
}

/* --- errors --- */

static void
test_broken_source (TestCl *cl)
{
  const char *source = "kernel void fine (void) {}\n"
                       "kernel void broken (void) { no_such_name = 1; }\n";
  g_autoptr (GError) error = NULL;

  g_assert_null (amphisto_cl_program_build (cl->device, source, "", &error));
  g_assert_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_BUILD);
  g_assert_nonnull (strstr (error->message, "CL_BUILD_PROGRAM_FAILURE"));
  /* the compiler's log, after the first line */
  g_assert_nonnull (strchr (error->message, '\n'));
  g_assert_nonnull (strstr (strchr (error->message, '\n'), "no_such_name"));
}

static void
test_status_names (void)
{
  static const struct
  {
    cl_int status;
    const char *name;
  } names[] = { { 0, "CL_SUCCESS" }, { -5, "CL_OUT_OF_RESOURCES" },
    { -11, "CL_BUILD_PROGRAM_FAILURE" }, { -54, "CL_INVALID_WORK_GROUP_SIZE" },
    { -1001, "CL_PLATFORM_NOT_FOUND_KHR" },
    { -12345, "unknown OpenCL error" } };

  g_assert_cmpstr (
      g_quark_to_string (AMPHISTO_CL_ERROR), ==, "amphisto-cl-error-quark");
  for (guint i = 0; IS_ROW (names, i); i++)
    g_assert_cmpstr (
        amphisto_cl_status_name (names[i].status), ==, names[i].name);
  /* all codes of OpenCL 1.2 */
  for (cl_int status = -19; status <= 0; status++)
    g_assert_true (g_str_has_prefix (amphisto_cl_status_name (status), "CL_"));
  for (cl_int status = -68; status <= -30; status++)
    g_assert_true (
        g_str_has_prefix (amphisto_cl_status_name (status), "CL_INVALID_"));
}

static void
test_check (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (amphisto_cl_check (CL_SUCCESS, "clFinish", &error));
  g_assert_no_error (error);
  g_assert_false (amphisto_cl_check (-5, "clFinish", &error));
  g_assert_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_LOST);
  g_assert_cmpstr (
      error->message, ==, "clFinish failed: CL_OUT_OF_RESOURCES (-5)");
  g_clear_error (&error);
  g_assert_false (amphisto_cl_check (-5, "clCreateBuffer", &error));
  g_assert_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_CALL);
  g_clear_error (&error);
  g_assert_false (amphisto_cl_check (-4, "clFinish", &error));
  g_assert_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_CALL);
}

/* Nobody can do anything then, so that it is no warning, which may end the
 * process, if the context is to blame. */
static void
test_release (void)
{
  g_test_expect_message ("amphisto", G_LOG_LEVEL_MESSAGE,
      "a queue was not released: CL_OUT_OF_RESOURCES");
  amphisto_cl_check_release (CL_OUT_OF_RESOURCES, "a queue");
  g_test_expect_message ("amphisto", G_LOG_LEVEL_WARNING,
      "a buffer was not released: CL_INVALID_MEM_OBJECT");
  amphisto_cl_check_release (CL_INVALID_MEM_OBJECT, "a buffer");
  amphisto_cl_check_release (CL_SUCCESS, "an event");
  g_test_assert_expected_messages ();
}

int
main (int argc, char **argv)
{
  Listed listed[16];

  g_test_init (&argc, &argv, NULL);
  /* as users list them: after amphisto, PoCL would list another driver */
  if (!g_test_subprocess ())
    list_devices (listed, G_N_ELEMENTS (listed));
  g_test_add_func ("/device/shared", test_shared);
  g_test_add_func ("/device/threads", test_threads);
  test_cl_add (
      "/error/broken-source", AMPHISTO_CL_SHAPE_CPU, test_broken_source, NULL);
  g_test_add_func ("/error/status-names", test_status_names);
  g_test_add_func ("/error/check", test_check);
  g_test_add_func ("/error/release", test_release);
  g_test_add_data_func ("/error/no-driver", GUINT_TO_POINTER (0), test_drivers);
  g_test_add_data_func (
      "/error/broken-driver", GUINT_TO_POINTER (1), test_drivers);
  g_test_add_data_func (
      "/error/broken-file", GUINT_TO_POINTER (2), test_drivers);
  g_test_add_data_func (
      "/error/beside-broken-driver", GUINT_TO_POINTER (3), test_drivers);
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    g_test_add_data_func (choices[i].path, GUINT_TO_POINTER (i), test_choice);
  return g_test_run ();
}
