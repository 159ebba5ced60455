/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the log says of devices, of a plan's kernels and of their builds, and
 * that it is not even called for frames.
 */

#include "cases.h"
#include "channels.h"
#include "cldevices.h"
#include "cltest.h"
#include "opencl/device/log.h"

#define N_FRAMES 5

static Case
case_new (gboolean is_prepared)
{
  return (Case){ GST_VIDEO_FORMAT_I420, 64, 48, GST_VIDEO_COLOR_RANGE_0_255,
    .pattern = FRAME_RANDOM, .source = { .alignment = 4096 },
    .target = { .alignment = 4096 },
    .settings = { .channels = ALL_CHANNELS,
        .equalization = AMPHISTO_EQUALIZATION_GLOBAL,
        .strength = 1.0f },
    .is_prepared = is_prepared, .resets_mean = TRUE, .resets_scale = TRUE };
}

/* Kernels of this plan, and of none. */
static const struct
{
  const char *name;
  gboolean is_launched;
} kernels[] = { { "calculate_histogram", TRUE }, { "equalize_lut", TRUE },
  { "apply_lut", TRUE }, { "apply_tiles", FALSE } };

/* Each kernel is launched by the plan, and `n_builds` times for the first time.
 */
static void
assert_logged (guint n_builds)
{
  for (guint i = 0; IS_ROW (kernels, i); i++) {
    g_autofree char *launch =
        g_strdup_printf (" launches %s on ", kernels[i].name);
    g_autofree char *first =
        g_strdup_printf ("the first launch of %s took ", kernels[i].name);

    g_assert_cmpuint (test_log_count (launch), ==, kernels[i].is_launched);
    g_assert_cmpuint (
        test_log_count (first), ==, kernels[i].is_launched ? n_builds : 0);
  }
  g_assert_cmpuint (
      test_log_count ("a plan for 64 x 48 pixels reads planes 0x7 and writes "
                      "0x1, in place"),
      ==, 1);
  /* one for the histogram, one for the equalization */
  g_assert_cmpuint (
      test_log_count ("building the program of "), ==, 2 * n_builds);
  g_assert_cmpuint (test_log_count (" ms: -cl-std=CL1.2 "), ==, 2 * n_builds);
}

static void
test_builds (CaseRunner *self)
{
  Case c = case_new (FALSE);

  case_reopen (self);
  test_log_begin ();
  case_check (self, &c);
  assert_logged (1);
  /* another element on the device shares what was built */
  test_log_begin ();
  case_restart (self, 2, G_MAXSIZE);
  case_check (self, &c);
  assert_logged (0);
  g_assert_cmpuint (test_log_count ("frames in flight: 2"), ==, 1);
}

static void
test_frames (CaseRunner *self)
{
  Case c = case_new (FALSE);

  case_check (self, &c);
  test_log_begin ();
  for (guint i = 0; i < N_FRAMES; i++) {
    c = case_new (TRUE);
    c.seed = i;
    case_check (self, &c);
  }
  g_assert_cmpuint (test_log_n_calls (), ==, 0);
}

/* Without a place to write to, as in programs that do not set one. */
static void
test_nowhere (CaseRunner *self)
{
  Case c = case_new (FALSE);

  amphisto_cl_log_set (NULL);
  case_restart (self, 1, G_MAXSIZE);
  case_check (self, &c);
  g_assert_false (amphisto_cl_log_is_enabled (AMPHISTO_CL_LOG_WARNING));
}

/* What devices are, and whether they import memory. The first device plays
 * them, so a choice of another one is in vain. */
static void
test_devices (void)
{
  static const char *const ways[CL_N_KINDS] = { [CL_KIND_CPU] =
                                                    "frames are imported",
    [CL_KIND_SHARES_MEMORY] = "frames are imported if they are aligned",
    [CL_KIND_OWN_MEMORY] = "frames are copied" };

  if (g_getenv ("AMPHISTO_DEVICE") != NULL) {
    g_test_skip ("A device is chosen.");
    return;
  }
  g_setenv (AMPHISTO_CL_KEEP_OPEN, "0", TRUE);
  for (ClKind kind = CL_KIND_CPU; kind < CL_N_KINDS; kind++) {
    g_autoptr (AmphistoClDevice) device = NULL;

    cldevices_set_kind (kind);
    test_log_begin ();
    device = test_open_device (NULL, NULL);
    if (device != NULL) {
      g_assert_cmpuint (test_log_count ("frames are"), ==, 1);
      g_assert_cmpuint (test_log_count (ways[kind]), ==, 1);
      g_assert_cmpuint (test_log_count (": OpenCL "), ==, 1);
      g_assert_cmpuint (test_log_count (", driver version "), ==, 1);
      g_assert_cmpuint (test_log_count (" compute units, "), ==, 1);
    }
  }
  cldevices_set_kind (CL_KIND_REAL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  case_add_tests ("builds/", test_builds, CASES_SMALL);
  case_add_tests ("frames/", test_frames, CASES_SMALL);
  case_add_tests ("nowhere/", test_nowhere, CASES_SMALL);
  g_test_add_func ("/devices", test_devices);
  return g_test_run ();
}
