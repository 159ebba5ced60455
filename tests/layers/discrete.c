/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A GPU with memory of its own, played by a CPU: every device says that it is
 * one. A buffer of the host's memory may only pin it: ends the process if the
 * buffer can be written to or is used, since such a GPU would access it over
 * the bus, word by word. Refuses rectangles whose last row ends, padding
 * included, beyond the buffer, as NVIDIA's driver (580) does.
 */

#include <string.h>

#include "layer.h"

/* Devices that are requested by type are GPUs, or ignored. */
static cl_int
get_device_ids (cl_platform_id platform, cl_device_type type, cl_uint n,
    cl_device_id *ids, cl_uint *n_ret)
{
  if (type == CL_DEVICE_TYPE_CPU)
    return CL_DEVICE_NOT_FOUND;
  if (type & CL_DEVICE_TYPE_GPU)
    type |= CL_DEVICE_TYPE_CPU;
  return driver->clGetDeviceIDs (platform, type, n, ids, n_ret);
}

/* --- buffers of the host's memory --- */

#define ONLY_PINS (CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS)

static GMutex lock;
static GHashTable *pins; /* the set of cl_mem of the host's memory */

static void
check_used (cl_mem buffer)
{
  g_mutex_lock (&lock);
  if (pins != NULL && g_hash_table_contains (pins, buffer))
    g_error ("a buffer of the host's memory is used");
  g_mutex_unlock (&lock);
}

static cl_mem
create_buffer (cl_context context, cl_mem_flags flags, size_t size, void *host,
    cl_int *status)
{
  const gboolean pins_memory = (flags & CL_MEM_USE_HOST_PTR) != 0;
  cl_mem buffer;

  if (pins_memory && (flags & ONLY_PINS) != ONLY_PINS)
    g_error ("a buffer is made of the host's memory");
  g_mutex_lock (&lock);
  buffer = driver->clCreateBuffer (context, flags, size, host, status);
  if (pins == NULL)
    pins = g_hash_table_new (NULL, NULL);
  if (pins_memory && buffer != NULL)
    g_hash_table_add (pins, buffer);
  else
    g_hash_table_remove (pins, buffer); /* the address is used again */
  g_mutex_unlock (&lock);
  return buffer;
}

static cl_int
set_kernel_arg (cl_kernel kernel, cl_uint i, size_t size, const void *value)
{
  if (size == sizeof (cl_mem) && value != NULL)
    check_used (*(const cl_mem *) value);
  return driver->clSetKernelArg (kernel, i, size, value);
}

static cl_int
write_buffer (cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    size_t offset, size_t size, const void *data, cl_uint n_events,
    const cl_event *events, cl_event *event)
{
  check_used (buffer);
  return driver->clEnqueueWriteBuffer (
      queue, buffer, blocking, offset, size, data, n_events, events, event);
}

static void *
map_buffer (cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    cl_map_flags flags, size_t offset, size_t size, cl_uint n_events,
    const cl_event *events, cl_event *event, cl_int *status)
{
  check_used (buffer);
  return driver->clEnqueueMapBuffer (queue, buffer, blocking, flags, offset,
      size, n_events, events, event, status);
}

/* --- rectangles --- */

/* Whether the rectangle is in the buffer, including the whole pitch of its last
 * row. */
static gboolean
has_whole_rows (cl_mem buffer, const size_t *origin, const size_t *region,
    size_t row, size_t slice)
{
  const gsize pitch = row > 0 ? row : region[0];
  const gsize depth = slice > 0 ? slice : pitch * region[1];
  size_t size;

  if (driver->clGetMemObjectInfo (buffer, CL_MEM_SIZE, sizeof size, &size, NULL)
      != CL_SUCCESS)
    return FALSE;
  return (origin[2] + region[2] - 1) * depth + (origin[1] + region[1]) * pitch
      + origin[0]
      <= size;
}

static cl_int
read_buffer_rect (cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    const size_t *from, const size_t *to, const size_t *region, size_t from_row,
    size_t from_slice, size_t to_row, size_t to_slice, void *data,
    cl_uint n_events, const cl_event *events, cl_event *event)
{
  check_used (buffer);
  if (!has_whole_rows (buffer, from, region, from_row, from_slice))
    return CL_INVALID_VALUE;
  return driver->clEnqueueReadBufferRect (queue, buffer, blocking, from, to,
      region, from_row, from_slice, to_row, to_slice, data, n_events, events,
      event);
}

static cl_int
write_buffer_rect (cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    const size_t *to, const size_t *from, const size_t *region, size_t to_row,
    size_t to_slice, size_t from_row, size_t from_slice, const void *data,
    cl_uint n_events, const cl_event *events, cl_event *event)
{
  if (!has_whole_rows (buffer, to, region, to_row, to_slice))
    return CL_INVALID_VALUE;
  return driver->clEnqueueWriteBufferRect (queue, buffer, blocking, to, from,
      region, to_row, to_slice, from_row, from_slice, data, n_events, events,
      event);
}

static void
layer_init (void)
{
  calls.clGetDeviceIDs = get_device_ids;
  calls.clGetDeviceInfo = get_gpu_info;
  calls.clCreateBuffer = create_buffer;
  calls.clSetKernelArg = set_kernel_arg;
  calls.clEnqueueWriteBuffer = write_buffer;
  calls.clEnqueueMapBuffer = map_buffer;
  calls.clEnqueueReadBufferRect = read_buffer_rect;
  calls.clEnqueueWriteBufferRect = write_buffer_rect;
}
