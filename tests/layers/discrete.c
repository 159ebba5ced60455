/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A GPU with memory of its own, made of a CPU: every device says that it is
 * one. Ends the process where a buffer is made of the host's memory, which such
 * a GPU would reach over the bus, word by word.
 */

#include <string.h>

#include "layer.h"

/* Those that are asked for by type are GPUs or of no interest. */
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

static cl_int
get_device_info (cl_device_id id, cl_device_info name, size_t size, void *value,
    size_t *size_ret)
{
  return get_gpu_info (id, name, size, value, size_ret, CL_FALSE);
}

static cl_mem
create_buffer (cl_context context, cl_mem_flags flags, size_t size, void *host,
    cl_int *status)
{
  if (flags & CL_MEM_USE_HOST_PTR)
    g_error ("a buffer is made of the host's memory");
  return driver->clCreateBuffer (context, flags, size, host, status);
}

static void
layer_init (void)
{
  calls.clGetDeviceIDs = get_device_ids;
  calls.clGetDeviceInfo = get_device_info;
  calls.clCreateBuffer = create_buffer;
}
