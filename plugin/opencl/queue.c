/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "opencl/queue.h"
#include "opencl/program.h"

static const char *const kernel_names[AMPHISTO_N_KERNELS] = {
  "calculate_histogram", "merge_histogram", "calculate_regions", "equalize_lut",
  "match_lut", "find_cut", "smooth_bins", "apply_lut", "apply_luma_delta",
  "count_tiles", "merge_tiles", "sum_tiles", "equalize_tiles", "apply_tiles",
  "apply_tiles_delta", "calculate_curves", "draw_overlay", "draw_zebra"
};

/* GPU shape: enough groups to keep the device busy; and so many that none has
 * more than 64 rows of 16384, since there are drivers (llvmpipe) that end a
 * work-item's loops after 65535 rounds. */
#define GROUPS_PER_UNIT 4
#define MIN_GROUPS 256
/* CPU shape: a group for each core, but no more than there is to be memory for
 * (each counts in some of its own); */
#define MAX_RUNS 16
/* and into how many shares a core's part of changing pixels is divided: the
 * driver gives them to whichever core has time. */
#define N_SHARES 8

static gboolean
make_kernels (AmphistoClQueue *self, GError **error)
{
  for (guint i = 0; i < AMPHISTO_N_KERNELS; i++) {
    if (i == AMPHISTO_MERGE_HISTOGRAM && !self->is_gpu_shape)
      continue;
    self->kernel[i] =
        amphisto_cl_kernel_new (self->device, kernel_names[i], error);
    if (self->kernel[i] == NULL)
      return FALSE;
  }
  return TRUE;
}

gboolean
amphisto_cl_queue_init (
    AmphistoClQueue *self, AmphistoClDevice *device, GError **error)
{
  cl_int status;

  *self = (AmphistoClQueue){ .device = amphisto_cl_device_ref (device),
    .is_gpu_shape = device->shape == AMPHISTO_CL_SHAPE_GPU };
  self->n_groups = self->is_gpu_shape
      ? MAX (device->compute_units * GROUPS_PER_UNIT, MIN_GROUPS)
      : MIN (device->compute_units, MAX_RUNS);
  self->n_shares =
      self->is_gpu_shape ? self->n_groups : self->n_groups * N_SHARES;
  self->queue = clCreateCommandQueue (device->context, device->id, 0, &status);
  return amphisto_cl_check (status, "clCreateCommandQueue", error)
      && make_kernels (self, error);
}

void
amphisto_cl_queue_clear (AmphistoClQueue *self)
{
  for (guint i = 0; i < AMPHISTO_N_KERNELS; i++)
    if (self->kernel[i] != NULL
        && clReleaseKernel (self->kernel[i]) != CL_SUCCESS)
      g_warning ("the kernel %s was not released", kernel_names[i]);
  if (self->queue != NULL && clReleaseCommandQueue (self->queue) != CL_SUCCESS)
    g_warning ("an OpenCL queue was not released");
  g_clear_pointer (&self->device, amphisto_cl_device_unref);
}

cl_mem
amphisto_cl_queue_new_buffer (AmphistoClQueue *self, cl_mem_flags flags,
    gsize size, void *host, GError **error)
{
  cl_int status;
  cl_mem buffer =
      clCreateBuffer (self->device->context, flags, size, host, &status);

  return amphisto_cl_check (status, "clCreateBuffer", error) ? buffer : NULL;
}

void
amphisto_cl_buffer_clear (cl_mem *buffer)
{
  if (*buffer != NULL && clReleaseMemObject (*buffer) != CL_SUCCESS)
    g_warning ("an OpenCL buffer was not released");
  *buffer = NULL;
}

gboolean
amphisto_cl_queue_reserve (AmphistoClQueue *self, AmphistoClReserve *reserve,
    gsize size, GError **error)
{
  cl_mem buffer;

  if (reserve->size >= size)
    return TRUE;
  buffer =
      amphisto_cl_queue_new_buffer (self, CL_MEM_READ_WRITE, size, NULL, error);
  if (buffer == NULL)
    return FALSE;
  amphisto_cl_buffer_clear (&reserve->buffer);
  *reserve = (AmphistoClReserve){ buffer, size };
  return TRUE;
}

gboolean
amphisto_cl_queue_write (AmphistoClQueue *self, cl_mem buffer, const void *data,
    gsize size, GError **error)
{
  return amphisto_cl_check (clEnqueueWriteBuffer (self->queue, buffer, CL_FALSE,
                                0, size, data, 0, NULL, NULL),
      "clEnqueueWriteBuffer", error);
}

gboolean
amphisto_cl_queue_set_buffer (AmphistoClQueue *self, AmphistoClKernel kernel,
    guint index, cl_mem buffer, GError **error)
{
  return amphisto_cl_check (
      clSetKernelArg (self->kernel[kernel], index, sizeof buffer, &buffer),
      "clSetKernelArg", error);
}

gboolean
amphisto_cl_queue_set_planes (AmphistoClQueue *self, AmphistoClKernel kernel,
    guint index, const cl_mem *planes, guint n, cl_mem other, GError **error)
{
  for (guint p = 0; p < n; p++)
    if (!amphisto_cl_queue_set_buffer (self, kernel, index + p,
            planes[p] != NULL ? planes[p] : other, error))
      return FALSE;
  return TRUE;
}

gboolean
amphisto_cl_queue_set_local (AmphistoClQueue *self, AmphistoClKernel kernel,
    guint index, gsize size, GError **error)
{
  return amphisto_cl_check (
      clSetKernelArg (self->kernel[kernel], index, size, NULL),
      "clSetKernelArg", error);
}

gboolean
amphisto_cl_queue_set_uint (AmphistoClQueue *self, AmphistoClKernel kernel,
    guint index, cl_uint number, GError **error)
{
  return amphisto_cl_check (
      clSetKernelArg (self->kernel[kernel], index, sizeof number, &number),
      "clSetKernelArg", error);
}

gboolean
amphisto_cl_queue_launch (AmphistoClQueue *self, AmphistoClKernel kernel,
    gsize n_groups, gsize group_size, GError **error)
{
  const gsize n_items = n_groups * group_size;
  const cl_int status = clEnqueueNDRangeKernel (self->queue,
      self->kernel[kernel], 1, NULL, &n_items, &group_size, 0, NULL, NULL);

  if (status == CL_SUCCESS)
    return TRUE;
  g_set_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_CALL,
      "clEnqueueNDRangeKernel (%s) failed: %s (%d)", kernel_names[kernel],
      amphisto_cl_status_name (status), status);
  return FALSE;
}

gboolean
amphisto_cl_queue_launch_on_rows (
    AmphistoClQueue *self, AmphistoClKernel kernel, GError **error)
{
  return amphisto_cl_queue_launch (self, kernel, self->n_shares,
      self->is_gpu_shape ? AMPHISTO_CL_GROUP_SIZE : 1, error);
}

void
amphisto_cl_queue_finish (AmphistoClQueue *self)
{
  /* the marker, because rusticl's clFinish() waits only for what was enqueued
   * since the last clFlush() */
  if (clEnqueueMarkerWithWaitList (self->queue, 0, NULL, NULL) != CL_SUCCESS
      || clFinish (self->queue) != CL_SUCCESS)
    g_warning ("waiting for the device failed");
}
