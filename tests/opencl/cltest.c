/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "cltest.h"

void
test_add_for_shapes (const char *path, GTestDataFunc func)
{
  g_autofree char *cpu = g_strconcat (path, "/cpu", NULL);
  g_autofree char *gpu = g_strconcat (path, "/gpu", NULL);

  g_test_add_data_func (cpu, GUINT_TO_POINTER (AMPHISTO_CL_SHAPE_CPU), func);
  g_test_add_data_func (gpu, GUINT_TO_POINTER (AMPHISTO_CL_SHAPE_GPU), func);
}

AmphistoClDevice *
test_device_get (AmphistoClShape shape, gboolean shares_host_memory)
{
  g_autoptr (GError) error = NULL;
  AmphistoClDevice *device = amphisto_cl_device_get (NULL, &error);

  if (g_error_matches (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_NOT_FOUND)) {
    g_test_skip (error->message);
    return NULL;
  }
  g_assert_no_error (error);
  g_assert_cmpint (device->ref_count, ==, 1);
  g_test_message ("on \"%s\"", device->name);
  /* CPUs read from any address, also with the kernels for GPUs */
  if (device->is_cpu)
    device->alignment = 1;
  device->shape = shape;
  device->shares_host_memory &= shares_host_memory;
  device->pins_memory =
      shape == AMPHISTO_CL_SHAPE_GPU && !device->shares_host_memory;
  return device;
}

gboolean
test_takes_large_frames (AmphistoClShape shape)
{
  g_autoptr (AmphistoClDevice) device = amphisto_cl_device_get (NULL, NULL);

  return device == NULL || device->shape == AMPHISTO_CL_SHAPE_CPU
      || shape == AMPHISTO_CL_SHAPE_GPU;
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

cl_command_queue
test_queue_new (AmphistoClDevice *device)
{
  cl_int status;
  cl_command_queue queue =
      clCreateCommandQueue (device->context, device->id, 0, &status);

  assert_cl (status);
  return queue;
}

cl_mem
test_buffer_new (AmphistoClDevice *device, gsize size)
{
  cl_int status;
  cl_mem buffer =
      clCreateBuffer (device->context, CL_MEM_READ_WRITE, size, NULL, &status);

  assert_cl (status);
  return buffer;
}

void
test_buffer_write (
    cl_command_queue queue, cl_mem buffer, const void *data, gsize size)
{
  assert_cl (clEnqueueWriteBuffer (
      queue, buffer, CL_TRUE, 0, size, data, 0, NULL, NULL));
}

void
test_buffer_read (cl_command_queue queue, cl_mem buffer, void *data, gsize size)
{
  assert_cl (clEnqueueReadBuffer (
      queue, buffer, CL_TRUE, 0, size, data, 0, NULL, NULL));
}

void
test_kernel_set_buffers (cl_kernel kernel, const cl_mem *buffers, guint n)
{
  for (guint i = 0; i < n; i++)
    assert_cl (clSetKernelArg (kernel, i, sizeof (cl_mem), &buffers[i]));
}

cl_mem
test_frame_buffer_new (
    AmphistoClDevice *device, cl_command_queue queue, const TestFrame *frame)
{
  cl_mem buffer = test_buffer_new (device, frame->size);

  test_buffer_write (queue, buffer, frame->memory, frame->size);
  return buffer;
}

void
test_frame_place (
    const TestFrame *frame, plane_params places[AMPHISTO_N_PLANES])
{
  for (guint p = 0; p < frame->layout.n_planes; p++)
    places[p] = (plane_params){
      .offset = frame->frame.plane[p].data - frame->memory,
      .stride = frame->frame.plane[p].stride,
    };
}
