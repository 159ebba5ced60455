/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "cltest.h"

#include "opencl/device/log.h"
#include "opencl/run/program.h"

#include <string.h>

/* Each test opens a device anew, and may change it. */
static void
keep_none_open (void)
{
  if (g_strcmp0 (g_getenv (AMPHISTO_CL_KEEP_OPEN), "0") != 0)
    g_setenv (AMPHISTO_CL_KEEP_OPEN, "0", TRUE);
}

/* Closes a device on PoCL's driver without threads, and opens it on that with
 * threads.
 *
 * Returns: (transfer full): the device. */
static AmphistoClDevice *
change_driver (AmphistoClDevice *without_threads)
{
  g_autoptr (GError) error = NULL;
  AmphistoClDeviceId which = { .name = without_threads->name };
  AmphistoClDevice *device;
  cl_device_id ids[2];

  assert_cl (clGetDeviceInfo (without_threads->id, CL_DEVICE_PLATFORM,
      sizeof which.platform, &which.platform, NULL));
  assert_cl (clGetDeviceIDs (
      which.platform, CL_DEVICE_TYPE_CPU, G_N_ELEMENTS (ids), ids, NULL));
  which.id = ids[1];
  device = amphisto_cl_device_open (&which, &error);
  g_assert_no_error (error);
  amphisto_cl_device_close (without_threads);
  return device;
}

void
test_device_set_shared (AmphistoClDevice *device, gboolean shares_host_memory)
{
  device->shares_host_memory = shares_host_memory;
  device->pins_memory =
      device->shape == AMPHISTO_CL_SHAPE_GPU && !shares_host_memory;
}

AmphistoClDevice *
test_device_get (AmphistoClShape shape, gboolean shares_host_memory)
{
  g_autoptr (GError) error = NULL;
  AmphistoClDevice *device;

  keep_none_open ();
  device = test_open_device (NULL, &error);
  if (g_error_matches (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_NOT_FOUND)) {
    g_test_skip (error->message);
    return NULL;
  }
  g_assert_no_error (error);
  g_assert_cmpint (device->ref_count, ==, 1);
  if (shape == AMPHISTO_CL_SHAPE_GPU && device->helpers != NULL)
    device = change_driver (device);
  g_test_message ("on \"%s\"", device->name);
  /* CPUs read from any address, also with the kernels for GPUs */
  if (device->is_cpu)
    device->alignment = 1;
  device->shape = shape;
  test_device_set_shared (
      device, device->shares_host_memory && shares_host_memory);
  return device;
}

gboolean
test_skips_shape (AmphistoClShape shape, gboolean is_large)
{
  g_autoptr (AmphistoClDevice) device = NULL;

  if (shape == AMPHISTO_CL_SHAPE_GPU)
    return FALSE;
  keep_none_open ();
  device = test_open_device (NULL, NULL);
  if (device == NULL || (is_large ? device->shape == shape : device->is_cpu))
    return FALSE;
  g_test_skip ("The device can't run kernels of this shape.");
  return TRUE;
}

gsize
test_by_size (gsize small, gsize quick, gsize full)
{
  const gsize choices[] = {
    [TEST_SMALL] = small, [TEST_QUICK] = quick, [TEST_FULL] = full
  };

  return choices[test_size ()];
}

char *
test_read_file (const char *path)
{
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  return text;
}

void
test_run_threads (guint n, GThreadFunc func, gpointer data)
{
  g_autofree GThread **threads = g_new (GThread *, n);

  for (guint i = 0; i < n; i++)
    threads[i] = g_thread_new ("test", func, data);
  for (guint i = 0; i < n; i++)
    g_thread_join (threads[i]);
}

/* --- the log --- */

static struct
{
  GMutex lock;
  GPtrArray *messages; /* char *, owned */
  guint n_calls;
} collected;

static gboolean
is_enabled (AmphistoClLogLevel level)
{
  (void) level;
  g_mutex_lock (&collected.lock);
  collected.n_calls++;
  g_mutex_unlock (&collected.lock);
  return TRUE;
}

G_GNUC_PRINTF (5, 0)
static void
collect (AmphistoClLogLevel level, const char *file, const char *function,
    int line, const char *format, va_list args)
{
  char *text = g_strdup_vprintf (format, args);

  (void) level;
  (void) file;
  (void) function;
  (void) line;
  g_mutex_lock (&collected.lock);
  collected.n_calls++;
  g_ptr_array_add (collected.messages, text);
  g_mutex_unlock (&collected.lock);
}

void
test_log_begin (void)
{
  static const AmphistoClLog log = { is_enabled, collect };

  g_clear_pointer (&collected.messages, g_ptr_array_unref);
  collected.messages = g_ptr_array_new_with_free_func (g_free);
  collected.n_calls = 0;
  amphisto_cl_log_set (&log);
}

guint
test_log_count (const char *part)
{
  guint n = 0;

  for (guint i = 0; i < collected.messages->len; i++)
    n += strstr (g_ptr_array_index (collected.messages, i), part) != NULL;
  return n;
}

guint
test_log_n_calls (void)
{
  return collected.n_calls;
}

/* --- tests of kernels --- */

static void
release_buffer (gpointer buffer)
{
  assert_cl (clReleaseMemObject (buffer));
}

static void
release_kernel (gpointer kernel)
{
  assert_cl (clReleaseKernel (kernel));
}

static void
release_program (TestCl *self)
{
  if (self->program != NULL)
    assert_cl (clReleaseProgram (self->program));
  self->program = NULL;
}

typedef struct
{
  AmphistoClShape shape;
  TestClFunc func;
  gconstpointer data;
} Test;

static void
run_test (gconstpointer data)
{
  const Test *test = data;
  TestCl self = { .data = test->data };
  cl_int status;

  if (!test_skips_shape (test->shape, FALSE))
    self.device = test_device_get (test->shape, TRUE);
  if (self.device == NULL)
    return;
  g_test_message ("%s", g_test_get_path ()); /* before a failure */
  self.queue =
      clCreateCommandQueue (self.device->context, self.device->id, 0, &status);
  assert_cl (status);
  self.buffers = g_ptr_array_new_with_free_func (release_buffer);
  self.kernels = g_ptr_array_new_with_free_func (release_kernel);
  test->func (&self);
  g_ptr_array_unref (self.kernels);
  g_ptr_array_unref (self.buffers);
  release_program (&self);
  assert_cl (clReleaseCommandQueue (self.queue));
  g_assert_cmpint (self.device->ref_count, ==, 1);
  amphisto_cl_device_close (self.device);
}

void
test_cl_add (const char *path, AmphistoClShape shape, TestClFunc func,
    gconstpointer data)
{
  Test *test = g_new (Test, 1);

  *test = (Test){ shape, func, data };
  g_test_add_data_func_full (path, test, run_test, g_free);
}

void
test_cl_add_for_shapes (const char *path, TestClFunc func)
{
  g_autofree char *cpu = g_strconcat (path, "/cpu", NULL);
  g_autofree char *gpu = g_strconcat (path, "/gpu", NULL);

  test_cl_add (cpu, AMPHISTO_CL_SHAPE_CPU, func, NULL);
  test_cl_add (gpu, AMPHISTO_CL_SHAPE_GPU, func, NULL);
}

void
test_cl_build (TestCl *self, const char *source, const char *defines)
{
  const gboolean is_gpu = self->device->shape == AMPHISTO_CL_SHAPE_GPU;
  g_autofree char *options = g_strdup_printf (
      "-cl-std=CL1.2 %s %s", is_gpu ? "-DAMPHISTO_GPU" : "", defines);
  g_autoptr (GError) error = NULL;

  release_program (self);
  self->program =
      amphisto_cl_program_build (self->device, source, options, &error);
  g_assert_no_error (error);
}

static cl_kernel
kernel_new (TestCl *self, const char *name)
{
  g_autoptr (GError) error = NULL;
  cl_int status = CL_SUCCESS;
  cl_kernel kernel = self->program != NULL
      ? clCreateKernel (self->program, name, &status)
      : amphisto_cl_kernel_new (self->device, amphisto_cl_kernel_find (name),
          AMPHISTO_NEEDS_ALL, &error);

  assert_cl (status);
  g_assert_no_error (error);
  return kernel;
}

cl_kernel
test_cl_kernel (TestCl *self, const char *name, ...)
{
  cl_kernel kernel = kernel_new (self, name);
  va_list buffers;
  cl_mem buffer;

  g_ptr_array_add (self->kernels, kernel);
  va_start (buffers, name);
  for (guint i = 0; (buffer = va_arg (buffers, cl_mem)) != NULL; i++)
    assert_cl (clSetKernelArg (kernel, i, sizeof buffer, &buffer));
  va_end (buffers);
  return kernel;
}

void
test_cl_run (TestCl *self, cl_kernel kernel, gsize n_items, gsize group_size)
{
  const gboolean is_gpu = self->device->shape == AMPHISTO_CL_SHAPE_GPU;
  const gsize offset[] = { 0, n_items / group_size };
  const gsize items[] = { n_items, 1 };
  const gsize group[] = { group_size, 1 };

  assert_cl (clEnqueueNDRangeKernel (self->queue, kernel, is_gpu ? 1 : 2,
      is_gpu ? NULL : offset, items, group, 0, NULL, NULL));
  assert_cl (clFinish (self->queue));
}

cl_mem
test_cl_buffer (TestCl *self, const void *data, gsize size)
{
  cl_int status;
  cl_mem buffer = clCreateBuffer (
      self->device->context, CL_MEM_READ_WRITE, size, NULL, &status);

  assert_cl (status);
  g_ptr_array_add (self->buffers, buffer);
  if (data != NULL)
    test_cl_write (self, buffer, data, size);
  return buffer;
}

void
test_cl_write (TestCl *self, cl_mem buffer, const void *data, gsize size)
{
  assert_cl (clEnqueueWriteBuffer (
      self->queue, buffer, CL_TRUE, 0, size, data, 0, NULL, NULL));
}

void
test_cl_read (TestCl *self, cl_mem buffer, void *data, gsize size)
{
  assert_cl (clEnqueueReadBuffer (
      self->queue, buffer, CL_TRUE, 0, size, data, 0, NULL, NULL));
}

void
test_cl_release (TestCl *self)
{
  g_ptr_array_set_size (self->kernels, 0);
  g_ptr_array_set_size (self->buffers, 0);
}
