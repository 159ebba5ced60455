/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * PoCL's drivers for CPUs: both are used, users see one, and the environment
 * stays theirs. PoCL looks at the environment once, so each test is a process.
 */

#include "cltest.h"

#include <string.h>

extern char **environ;

/* Returns: (transfer full): the CPU, which must be there. */
static AmphistoClDevice *
get_cpu (void)
{
  g_autoptr (GError) error = NULL;
  AmphistoClDevice *device = test_open_device ("cpu", &error);

  g_assert_no_error (error);
  return device;
}

/* Without variables of the user. A PoCL with other drivers keeps its default,
 * and other CPUs have one driver. */
static void
test_usual (void)
{
  g_auto (GStrv) before = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (AmphistoClDevice) device = NULL;

  g_unsetenv ("POCL_DEVICES");
  before = g_strdupv (environ);
  device = get_cpu ();
  g_assert_null (g_getenv ("POCL_DEVICES"));
  for (guint i = 0; before[i] != NULL; i++) /* PoCL adds a variable */
    g_assert_true (g_strv_contains ((const char *const *) environ, before[i]));
  if (device->helpers == NULL) {
    g_print ("one driver\n");
    return;
  }
  g_assert_true (g_str_has_prefix (device->name, "pthread-")
      || g_str_has_prefix (device->name, "cpu-"));
  g_assert_false (device->can_hold);
  g_assert_cmpuint (device->compute_units, <=, g_get_num_processors ());
  g_assert_null (test_open_device ("no such device", &error));
  g_assert_null (strstr (error->message, "basic"));
  g_assert_null (strstr (error->message, "minimal"));
  g_print ("both drivers\n");
}

/* The user's variable is kept, and means what it says. */
static void
test_variable (void)
{
  g_autoptr (AmphistoClDevice) device = NULL;

  g_setenv ("POCL_DEVICES", "basic", TRUE);
  device = get_cpu ();
  g_assert_cmpstr (g_getenv ("POCL_DEVICES"), ==, "basic");
  g_assert_null (device->helpers);
}

/* The user's variable names no driver of PoCL's. Other CPUs do not know it. */
static void
test_none (void)
{
  g_autoptr (AmphistoClDevice) device = NULL;
  g_autoptr (GError) error = NULL;

  g_setenv ("POCL_DEVICES", "no\377such", TRUE);
  device = test_open_device ("cpu", &error);
  if (device != NULL) {
    g_assert_false (device->is_pocl);
    return;
  }
  g_assert_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message,
      "it offers no device; POCL_DEVICES limits PoCL to "
      "\"no\357\277\275such\": unset the variable"));
}

/* The process has used OpenCL before. */
static void
test_late (void)
{
  g_autoptr (AmphistoClDevice) device = NULL;
  cl_platform_id platform;
  cl_uint n = 0;

  g_unsetenv ("POCL_DEVICES");
  assert_cl (clGetPlatformIDs (1, &platform, NULL));
  assert_cl (clGetDeviceIDs (platform, CL_DEVICE_TYPE_ALL, 0, NULL, &n));
  device = get_cpu ();
  g_assert_null (device->helpers);
  g_assert_null (g_getenv ("POCL_DEVICES"));
}

/* The driver's number of threads limits those of a frame. */
static void
test_limit (void)
{
  g_autoptr (AmphistoClDevice) device = NULL;

  g_unsetenv ("POCL_DEVICES");
  g_setenv ("POCL_MAX_PTHREAD_COUNT", "1", TRUE);
  device = get_cpu ();
  if (device->is_pocl)
    g_assert_cmpuint (device->compute_units, ==, 1);
}

static const struct
{
  const char *name;
  void (*run) (void);
} tests[] = { { "usual", test_usual }, { "variable", test_variable },
  { "none", test_none }, { "late", test_late }, { "limit", test_limit } };

/* Each test in a process of its own. */
static void
run_test (gconstpointer data)
{
  const guint i = GPOINTER_TO_UINT (data);

  if (g_test_subprocess ()) {
    tests[i].run ();
    return;
  }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++) {
    g_autofree char *path = g_strconcat ("/drivers/", tests[i].name, NULL);

    g_test_add_data_func (path, GUINT_TO_POINTER (i), run_test);
  }
  return g_test_run ();
}
