/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * An OpenCL layer: replaces calls between the loader and the driver. ocl-icd,
 * from version 2.3 on, loads the layers in the environment variable
 * OPENCL_LAYERS. Include this once, then define layer_init().
 */

#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl_layer.h>
#include <glib.h>

/* The driver's calls, and the calls that the application gets: the driver's,
 * unless layer_init() replaces them. */
static const cl_icd_dispatch *driver;
static cl_icd_dispatch calls;

static void layer_init (void);

/* Whether devices of get_gpu_info() share the host's memory. */
static cl_bool gpu_shares_memory;

/* clGetDeviceInfo() of a driver whose devices are all GPUs. */
static inline cl_int
get_gpu_info (cl_device_id id, cl_device_info name, size_t size, void *value,
    size_t *size_ret)
{
  const cl_int status =
      driver->clGetDeviceInfo (id, name, size, value, size_ret);

  if (status != CL_SUCCESS || value == NULL)
    return status;
  if (name == CL_DEVICE_TYPE)
    *(cl_device_type *) value = CL_DEVICE_TYPE_GPU;
  if (name == CL_DEVICE_HOST_UNIFIED_MEMORY)
    *(cl_bool *) value = gpu_shares_memory;
  return CL_SUCCESS;
}

cl_int
clGetLayerInfo (cl_layer_info name, size_t size, void *value, size_t *size_ret)
{
  if (name != CL_LAYER_API_VERSION
      || (value != NULL && size < sizeof (cl_layer_api_version)))
    return CL_INVALID_VALUE;
  if (value != NULL)
    *(cl_layer_api_version *) value = CL_LAYER_API_VERSION_100;
  if (size_ret != NULL)
    *size_ret = sizeof (cl_layer_api_version);
  return CL_SUCCESS;
}

cl_int
clInitLayer (cl_uint n, const cl_icd_dispatch *target, cl_uint *n_ret,
    const cl_icd_dispatch **dispatch)
{
  const cl_uint n_calls = sizeof calls / sizeof (void *);

  memcpy (&calls, target, MIN (n, n_calls) * sizeof (void *));
  driver = target;
  layer_init ();
  *n_ret = n_calls;
  *dispatch = &calls;
  return CL_SUCCESS;
}
