/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A frame after any failed OpenCL call, on the same AmphistoClExecutor, is
 * right. Slow calls in several threads at once. The requirements of drivers.
 */

#include "cases.h"
#include "channels.h"
#include "cldevices.h"
#include "clfaults.h"
#include "cltest.h"
#include "opencl/run/buffers.h"

#include <string.h>

/* All work of one element on a frame, into another frame. */
static Case
case_new (GstVideoFormat format, AmphistoEqualization equalization)
{
  return (Case){ format, 65, 41, GST_VIDEO_COLOR_RANGE_0_255,
    .pattern = FRAME_RANDOM, .source = { .alignment = 64 },
    .target = { .alignment = 64 },
    .settings = { .channels = ALL_CHANNELS,
        .equalization = equalization,
        .clahe = { 2, 2, 3 },
        .strength = 1.0f,
        .smoothing = 0.5f,
        .keeps_colors = true,
        .scopes = { .display = AMPHISTO_DISPLAY_OVERLAY,
            .enabled = AMPHISTO_SCOPE_HISTOGRAM,
            .width = 0.5,
            .height = 0.5,
            .opacity = 0.5,
            .intensity = 1 },
        .exposure = { .enabled = AMPHISTO_EXPOSURE_ZEBRA
                | AMPHISTO_EXPOSURE_FALSE_COLOR },
        .compares_luma = true },
    .regions = { { 0, 0, 65, 41 }, { 3, 5, 7, 9 } }, .n_regions = 2,
    .resets_mean = TRUE, .resets_scale = TRUE, .resets_comparison = TRUE };
}

/* A good frame; another one, at other places in words, during which a call
 * fails; and the good one again. Returns: whether there was a call to fail. */
static gboolean
check_call (CaseRunner *self, const Case *wanted, guint n)
{
  g_autoptr (GError) error = NULL;
  Case c = *wanted;
  gboolean has_failed, is_survived;

  c.seed = 3 * n + 1;
  c.is_prepared = FALSE;
  case_check (self, &c);
  c.seed++;
  c.is_prepared = wanted->is_prepared;
  c.phase++;
  c.source.padding = c.target.padding = 3;
  clfaults_set_in_turn (n);
  is_survived = case_try (self, &c, &error);
  has_failed = clfaults_failed () != NULL;
  /* memory that can't be imported is copied */
  g_assert_cmpint (is_survived, ==,
      !has_failed || g_str_equal (clfaults_failed (), CLFAULTS_IMPORT));
  clfaults_set (NULL, 0);
  c.seed++;
  case_check (self, &c);
  amphisto_reference_state_clear (&self->state);
  return has_failed;
}

static void
check_calls (CaseRunner *self, const Case *c)
{
  static guint n_ways;
  guint n = 1;

  while (check_call (self, c, n))
    n += test_by_size (17, 31, 1);
  n_ways += n;
  g_assert_cmpuint (test_size () == TEST_FULL ? n_ways : n, >, 20);
}

/* Submitted without being prepared, like every frame of a stream except the
 * first. */
static void
test_submit (CaseRunner *self)
{
  Case c = case_new (GST_VIDEO_FORMAT_VUYA, AMPHISTO_EQUALIZATION_GLOBAL);

  c.is_prepared = TRUE;
  check_calls (self, &c);
}

static void
test_prepare (CaseRunner *self)
{
  const Case c = case_new (GST_VIDEO_FORMAT_I420, AMPHISTO_EQUALIZATION_CLAHE);

  check_calls (self, &c);
}

/* With a canvas that has gaps between scopes. */
static void
test_canvas (CaseRunner *self)
{
  Case c = case_new (GST_VIDEO_FORMAT_NV12, AMPHISTO_EQUALIZATION_NONE);

  c.width = 240;
  c.height = 64;
  c.settings.scopes.enabled = AMPHISTO_ALL_SCOPES;
  c.settings.uses_canvas = TRUE;
  c.is_prepared = TRUE;
  clfaults_count ("clEnqueueFillBuffer");
  check_calls (self, &c);
  /* otherwise the host fills it */
  if (!self->path->shares_host_memory)
    g_assert_cmpuint (clfaults_n_calls (), >, 0);
}

/* Uploads with a plan: captions, graticules and the reference. Those of variant
 * 1 differ from those of variant 0, some also in size; its scopes are drawn on
 * a canvas. */
static Case
case_of_uploads (guint variant)
{
  Case c = { GST_VIDEO_FORMAT_RGB, 480, 270, .pattern = FRAME_RANDOM,
    .seed = 1 + variant, .source = { .alignment = 64 },
    .target = { .alignment = 64 }, .in_place = TRUE,
    .settings = { .channels = ALL_CHANNELS,
        .equalization = AMPHISTO_EQUALIZATION_MATCH,
        .strength = 1.0f,
        .scopes = { .display = variant == 0 ? AMPHISTO_DISPLAY_STACK
                                            : AMPHISTO_DISPLAY_PARADE,
            .enabled = AMPHISTO_ALL_SCOPES,
            .width = 0.5,
            .height = variant == 0 ? 0.5 : 0.4,
            .graticule = TRUE },
        .uses_canvas = variant == 1 },
    .resets_mean = TRUE, .resets_scale = TRUE };

  for (guint v = 0; v < AMPHISTO_N_BINS; v++)
    c.settings.match_bins[v] = variant == 0 ? v : 300 - v;
  return c;
}

/* Uploads with a plan are over once it is prepared, so that no frame waits for
 * them. */
static void
test_uploads (CaseRunner *self)
{
  const Case c = case_of_uploads (0);
  TestFrame *frame = test_frame_new (
      c.format, c.width, c.height, GST_VIDEO_COLOR_RANGE_0_255, &c.source);
  g_autofree AmphistoPlan *plan = g_new0 (AmphistoPlan, 1);
  g_autoptr (GError) error = NULL;

  amphisto_plan_init (plan, &frame->layout, &c.settings,
      amphisto_cl_executor_division (self->executor));
  clfaults_count ("clEnqueueWriteBuffer");
  clfaults_hold_writes (20000);
  amphisto_cl_executor_prepare (self->executor, plan, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (clfaults_n_held (), ==, 0);
  g_assert_cmpuint (clfaults_n_calls (), >, 0);
  clfaults_hold_writes (0);
  test_frame_free (frame);
}

/* After variant 0, the n-th call fails during variant 1. Then `again` is right.
 * Returns: whether there was an n-th call. */
static gboolean
check_change (CaseRunner *self, const char *call, guint n, guint again)
{
  const Case cases[] = { case_of_uploads (0), case_of_uploads (1) };
  g_autoptr (GError) error = NULL;
  gboolean has_failed;

  case_check (self, &cases[0]);
  clfaults_set (call, n);
  has_failed = !case_try (self, &cases[1], &error);
  g_assert_true (has_failed == (clfaults_failed () != NULL));
  clfaults_set (NULL, 0);
  case_check (self, &cases[again]);
  amphisto_reference_state_clear (&self->state);
  return has_failed;
}

/* A change that failed half-way is made again, or taken back. */
static void
test_change (CaseRunner *self)
{
  static const char *const calls[] = { "clEnqueueWriteBuffer", "clCreateBuffer",
    "clEnqueueMarkerWithWaitList", "clFinish" };

  for (guint i = 0; IS_ROW (calls, i); i++)
    for (guint again = 0; again < 2; again++) {
      guint n = 1;

      while (check_change (self, calls[i], n, again))
        n += test_by_size (2, 5, 1);
      g_assert_cmpuint (n, >, 1);
    }
}

/* Calls without which nobody can wait; for one, the gate of a frame whose
 * submission fails is still closed. */
static const struct
{
  const char *call;
  guint one_in; /* the chance of a failure */
} waits[] = { { "clEnqueueMarkerWithWaitList", 2 }, { "clFinish", 2 },
  { "clFinish", 1 }, { "clSetUserEventStatus", 2 }, { NULL, 8 } };

/* Whatever fails, dropped frames are over: nothing writes to them any more. */
static void
test_drop (CaseRunner *self)
{
  Case c = case_new (GST_VIDEO_FORMAT_I420, AMPHISTO_EQUALIZATION_GLOBAL);
  g_autofree CaseJob *job = g_new0 (CaseJob, 1);

  c.width = 256;
  c.height = 64;
  for (guint i = 0; i < 5 * G_N_ELEMENTS (waits); i++) {
    const guint w = i % G_N_ELEMENTS (waits);

    c.is_prepared = FALSE;
    case_check (self, &c);
    c.is_prepared = TRUE;
    c.phase++; /* there is something to upload */
    clfaults_hold_writes (2000);
    clfaults_set_chance (waits[w].call, waits[w].one_in);
    case_begin (self, &c, job, NULL);
    amphisto_cl_executor_drop (self->executor);
    g_assert_cmpuint (clfaults_n_held (), ==, 0);
    clfaults_set (NULL, 0);
    clfaults_hold_writes (0);
    case_job_clear (job);
    amphisto_reference_state_clear (&self->state);
  }
}

/* Finishing a frame does not wait for the next one, which the device begins
 * later. */
static void
test_finish (CaseRunner *self)
{
  Case c = case_new (GST_VIDEO_FORMAT_I420, AMPHISTO_EQUALIZATION_GLOBAL);
  g_autofree CaseJob *jobs = g_new0 (CaseJob, 2);

  case_restart (self, 2, G_MAXSIZE);
  case_check (self, &c);
  c.is_prepared = TRUE;
  for (guint i = 0; i < 2; i++) {
    c.phase++; /* there is something to upload */
    clfaults_hold_writes (i * 3 * G_USEC_PER_SEC);
    jobs[i].slot = i;
    g_assert_true (case_begin (self, &c, &jobs[i], NULL));
  }
  g_assert_true (case_end (self, &jobs[0], NULL));
  g_assert_cmpuint (clfaults_n_held (), >, 0);
  clfaults_hold_writes (0);
  g_assert_true (case_end (self, &jobs[1], NULL));
  for (guint i = 0; i < 2; i++)
    case_job_clear (&jobs[i]);
}

/* A buffer that could not grow still exists. */
static void
test_reserve (TestCl *cl)
{
  AmphistoClReserve reserve = { 0 };
  cl_mem buffer;

  g_assert_true (
      amphisto_cl_reserve_grow (&reserve, cl->device, 100, FALSE, NULL));
  buffer = reserve.buffer;
  clfaults_set ("clCreateBuffer", 1);
  g_assert_false (
      amphisto_cl_reserve_grow (&reserve, cl->device, 200, FALSE, NULL));
  g_assert_true (
      amphisto_cl_reserve_grow (&reserve, cl->device, 100, FALSE, NULL));
  g_assert_nonnull (reserve.buffer);
  g_assert_true (reserve.buffer == buffer);
  g_assert_true (
      amphisto_cl_reserve_grow (&reserve, cl->device, 200, FALSE, NULL));
  g_assert_cmpuint (reserve.size, ==, 200);
  amphisto_cl_reserve_clear (&reserve);
}

/* Uploads `size` bytes of this value, which arrive. */
static void
check_upload (TestCl *cl, AmphistoClLauncher *launcher,
    AmphistoClParams *params, gsize size, guint8 value)
{
  g_autofree guint8 *data = g_malloc (size);
  g_autofree guint8 *arrived = g_malloc0 (size);
  g_autoptr (GError) error = NULL;

  memset (data, value, size);
  amphisto_cl_params_upload (params, launcher->uploads, data, size, &error);
  g_assert_no_error (error);
  g_assert_true (amphisto_cl_launcher_finish (launcher, NULL));
  test_cl_read (cl, params->buffer, arrived, size);
  g_assert_cmpmem (arrived, size, data, size);
}

/* Uploads arrive after uploads of any other size: host memory may be larger
 * than requested. A failed upload is made again. */
static void
test_upload (TestCl *cl)
{
  static const gsize sizes[] = { 12288, 9216, 12288, 12288, 40, 64, 1, 100000 };
  guint8 failed[64];
  AmphistoClLauncher launcher;
  AmphistoClParams params = { 0 };

  g_assert_true (
      amphisto_cl_launcher_init (&launcher, cl->device, 1, NULL, NULL, NULL));
  for (guint i = 0; IS_ROW (sizes, i); i++)
    check_upload (cl, &launcher, &params, sizes[i], i + 1);
  memset (failed, 2, sizeof failed);
  for (guint8 again = 1; again <= 2; again++) {
    check_upload (cl, &launcher, &params, sizeof failed, 1);
    clfaults_set ("clEnqueueWriteBuffer", 1);
    g_assert_false (amphisto_cl_params_upload (
        &params, launcher.uploads, failed, sizeof failed, NULL));
    check_upload (cl, &launcher, &params, sizeof failed, again);
  }
  amphisto_cl_params_clear (&params);
  amphisto_cl_launcher_clear (&launcher);
}

/* --- several threads at once --- */

static const char *const first_kernels[] = { "equalize_lut", "match_lut",
  "apply_lut", "apply_luma_delta" };
#define N_THREADS G_N_ELEMENTS (first_kernels)

/* Runs the function in threads, each with an item of `data`. Counts calls of
 * `name`, which take so long that all threads start before the first call ends.
 *
 * Returns: the number of calls. */
static guint
run_at_once (GThreadFunc run, gpointer data, gsize size, const char *name)
{
  GThread *threads[N_THREADS];

  clfaults_delay (name, 20000);
  clfaults_count (name);
  for (gsize i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("failures", run, (guint8 *) data + i * size);
  for (gsize i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
  clfaults_delay (NULL, 0);
  return clfaults_n_calls ();
}

typedef struct
{
  AmphistoClLauncher launcher;
  AmphistoClKernel kernel;
} FirstLaunch;

static gpointer
add_kernel (gpointer data)
{
  FirstLaunch *self = data;
  g_autoptr (GError) error = NULL;

  amphisto_cl_launcher_add_kernel (
      &self->launcher, self->kernel, AMPHISTO_NEEDS_ALL, &error);
  g_assert_no_error (error);
  return NULL;
}

/* On a device that has launched no kernel yet, threads add the same kernel to
 * launchers of their own (0), or different kernels of one program (1). The
 * program is built once, the buffers for first launches are created once, and a
 * kernel is launched once. */
static void
test_first_launch (gconstpointer data)
{
  const gboolean differ = GPOINTER_TO_INT (data);
  const struct
  {
    const char *call;
    guint n;
  } expected[] = { { "clBuildProgram", 1 },
    { "clCreateBuffer", AMPHISTO_CL_N_EMPTY },
    { "clEnqueueNDRangeKernel", differ ? N_THREADS : 1 } };
  const gint n_alive = clfaults_n_alive ();

  for (gsize c = 0; c < G_N_ELEMENTS (expected); c++) {
    g_autoptr (AmphistoClDevice) device =
        test_device_get (AMPHISTO_CL_SHAPE_CPU, TRUE);
    FirstLaunch launches[N_THREADS];

    if (device == NULL)
      return;
    for (gsize i = 0; i < N_THREADS; i++) {
      launches[i].kernel =
          amphisto_cl_kernel_find (first_kernels[differ ? i : 0]);
      g_assert_true (amphisto_cl_launcher_init (
          &launches[i].launcher, device, 1, NULL, NULL, NULL));
    }
    g_assert_cmpuint (run_at_once (add_kernel, launches, sizeof launches[0],
                          expected[c].call),
        ==, expected[c].n);
    for (gsize i = 0; i < N_THREADS; i++)
      amphisto_cl_launcher_clear (&launches[i].launcher);
  }
  g_assert_cmpint (clfaults_n_alive (), ==, n_alive);
}

static gpointer
open_device (gpointer data)
{
  *(AmphistoClDevice **) data = test_open_device (NULL, NULL);
  return NULL;
}

/* Threads that open a CPU get the same context; cl `contexts` is for GPUs. */
static void
test_open (void)
{
  const gint n_alive = clfaults_n_alive ();
  AmphistoClDevice *devices[N_THREADS];
  const guint n_contexts =
      run_at_once (open_device, devices, sizeof devices[0], "clCreateContext");

  g_assert_true (n_contexts == (devices[0] != NULL) || !devices[0]->is_cpu);
  for (gsize i = N_THREADS; i-- > 0;) {
    g_assert_true (devices[i] == devices[0] || !devices[0]->is_cpu);
    g_clear_pointer (&devices[i], amphisto_cl_device_close);
  }
  g_assert_cmpint (clfaults_n_alive (), ==, n_alive);
}

typedef struct
{
  AmphistoClDevice *device;
  AmphistoClHost *host;
} Pinned;

static gpointer
pin_memory (gpointer data)
{
  Pinned *self = data;

  self->host = amphisto_cl_host_new (self->device, 4096);
  return NULL;
}

/* Threads that pin memory for the first time share a queue for it. */
static void
test_pin (TestCl *cl)
{
  Pinned pinned[N_THREADS];

  cl->device->pins_memory = TRUE;
  for (gsize i = 0; i < N_THREADS; i++)
    pinned[i].device = cl->device;
  g_assert_cmpuint (run_at_once (pin_memory, pinned, sizeof pinned[0],
                        "clCreateCommandQueue"),
      ==, 1);
  for (gsize i = 0; i < N_THREADS; i++) {
    g_assert_true (pinned[i].host->is_pinned);
    amphisto_cl_host_free (pinned[i].host);
  }
}

/* --- requirements of drivers --- */

/* PoCL's drivers are recognized by the device's name and version; others are
 * trusted. */
static void
test_drivers (void)
{
  static const struct
  {
    const char *version, *name;
    gboolean ignores_host_stride, can_hold;
  } drivers[] = {
    { "OpenCL 1.2 pocl 1.8", "pthread-skylake", FALSE, FALSE },
    { "OpenCL 3.0 PoCL 3.1 linux", "pthread-skylake", FALSE, TRUE },
    { "OpenCL 3.0 PoCL 6.0 linux", "cpu-haswell-AMD", FALSE, TRUE },
    { "OpenCL 3.0 PoCL 6.0 linux", "cpu-minimal-haswell", FALSE, FALSE },
    { "OpenCL 3.0 PoCL 6.0 linux", "cpu-tbb-haswell", FALSE, FALSE },
    { "OpenCL 3.0 PoCL 3.1 linux", "basic-skylake", FALSE, FALSE },
    { "OpenCL 3.0 pocl-remote PoCL 6.0", "pocl-remote 0", TRUE, FALSE },
    { "OpenCL 3.0 CUDA", "NVIDIA H100", FALSE, FALSE },
  };

  for (gsize i = 0; IS_ROW (drivers, i); i++) {
    const ClDevice made_up = { "A", CL_DEVICE_TYPE_CPU, drivers[i].name, NULL };
    AmphistoClDevice *device;

    cldevices_set (&made_up, 1);
    cldevices_set_version (drivers[i].version);
    device = test_open_device ("0.0", NULL);
    if (device != NULL) {
      g_assert_cmpint (
          device->ignores_host_stride, ==, drivers[i].ignores_host_stride);
      g_assert_cmpint (device->can_hold, ==, drivers[i].can_hold);
      amphisto_cl_device_close (device);
    }
    cldevices_set (NULL, 0);
    cldevices_set_version (NULL);
  }
}

/* The parameters of a launch fit into the device's constant memory: with room
 * for 11 regions of interest, 34 take four launches, and the frame itself takes
 * one. */
static void
test_constant_memory (CaseRunner *self)
{
  static const gsize room[] = { 11 * sizeof (frame_params),
    12 * sizeof (frame_params) - 1, 34 * sizeof (frame_params) };
  static const guint n_launches[] = { 1 + 4, 1 + 4, 1 + 1 };

  for (gsize i = 0; IS_ROW (room, i); i++) {
    Case c = { GST_VIDEO_FORMAT_I420, 33, 17, .source = { .alignment = 4 },
      .target = { .alignment = 4 }, .settings = { .channels = ALL_CHANNELS },
      .n_regions = 34 };

    case_restart (self, 1, room[i]);
    /* a shared launch takes several calls */
    amphisto_cl_executor_limit_threads (self->executor, 1);
    for (guint r = 0; r < c.n_regions; r++)
      c.regions[r] = (AmphistoRegion){ r % 13, r % 12, 20, 5 };
    case_check (self, &c);
    c.is_prepared = TRUE;
    clfaults_count ("clEnqueueNDRangeKernel");
    case_check (self, &c);
    g_assert_cmpuint (clfaults_n_calls (), ==, n_launches[i]);
  }
}

/* The division of work for devices of all sizes: a slice has few enough of
 * 16384 rows, since llvmpipe ends loops after 65535 rounds; each pass of
 * counting has a group; the number of groups per core is limited by memory;
 * NVIDIA's driver needs a part of the local memory. */
static void
test_division (TestCl *cl)
{
  static const guint units[] = { 1, 2, 15, 64, 132, 1024 };
  const gboolean is_gpu = cl->device->shape == AMPHISTO_CL_SHAPE_GPU;

  for (gsize i = 0; IS_ROW (units, i); i++) {
    AmphistoClLauncher launcher;
    const AmphistoDivision *division = &launcher.division;

    cl->device->compute_units = units[i];
    g_assert_true (
        amphisto_cl_launcher_init (&launcher, cl->device, 1, NULL, NULL, NULL));
    g_assert_cmpint (division->is_gpu_shape, ==, is_gpu);
    if (is_gpu) {
      g_assert_cmpuint (16384 / division->n_slices, <=, 64);
      g_assert_cmpuint (division->n_groups, >, AMPHISTO_MAX_SLOTS);
      g_assert_cmpuint (division->n_groups, >=, units[i]);
      g_assert_cmpuint (division->local_memory + AMPHISTO_CL_SPARE_LOCAL_MEMORY,
          <=, cl->device->local_memory);
    } else {
      g_assert_cmpuint (
          division->n_groups, ==, MIN (units[i], AMPHISTO_CL_MAX_THREADS));
      g_assert_cmpuint (division->n_slices, >=, division->n_groups);
    }
    amphisto_cl_launcher_clear (&launcher);
  }
}

int
main (int argc, char **argv)
{
  /* Delayed commands need a driver with threads; "inline": the product's. */
  if (argc < 2 || strcmp (argv[1], "inline") != 0)
    g_setenv ("POCL_DEVICES", "pthread", FALSE);
  g_test_init (&argc, &argv, NULL);
  case_add_tests ("failures/submit-", test_submit, CASES_SMALL);
  case_add_tests ("failures/prepare-", test_prepare, CASES_SMALL);
  case_add_tests ("failures/uploads-", test_uploads, CASES_SMALL);
  case_add_tests ("failures/canvas-", test_canvas, CASES_SMALL);
  case_add_tests ("failures/change-", test_change, CASES_SMALL);
  case_add_tests ("failures/drop-", test_drop, CASES_SMALL);
  case_add_tests ("at-once/finish-", test_finish, CASES_SMALL);
  case_add_tests (
      "drivers/constant-memory-", test_constant_memory, CASES_SMALL);
  test_cl_add ("/failures/reserve", AMPHISTO_CL_SHAPE_CPU, test_reserve, NULL);
  test_cl_add ("/failures/upload", AMPHISTO_CL_SHAPE_CPU, test_upload, NULL);
  g_test_add_data_func (
      "/at-once/launch-one-kernel", GINT_TO_POINTER (FALSE), test_first_launch);
  g_test_add_data_func (
      "/at-once/launch-kernels", GINT_TO_POINTER (TRUE), test_first_launch);
  g_test_add_func ("/at-once/open", test_open);
  test_cl_add ("/at-once/pin", AMPHISTO_CL_SHAPE_CPU, test_pin, NULL);
  g_test_add_func ("/drivers/pocl", test_drivers);
  test_cl_add_for_shapes ("/drivers/division", test_division);
  return g_test_run ();
}
