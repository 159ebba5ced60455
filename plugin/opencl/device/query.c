/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "opencl/device/query.h"
#include "opencl/device/drivers.h"
#include "opencl/device/log.h"

#include <string.h>

#define DEVICE_INFO(id, NAME, value, error)                                    \
  amphisto_cl_check (clGetDeviceInfo ((id), CL_DEVICE_##NAME, sizeof *(value), \
                         (value), NULL),                                       \
      "clGetDeviceInfo (CL_DEVICE_" #NAME ")", (error))

static gboolean
check_usable (
    cl_bool little_endian, cl_bool available, cl_bool compiler, GError **error)
{
  if (little_endian && available && compiler)
    return TRUE;
  g_set_error_literal (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_NOT_FOUND,
      !little_endian   ? "it is big-endian"
          : !available ? "its driver says that it is not available"
                       : "its driver has no compiler");
  return FALSE;
}

/* PoCL has several drivers. The remote driver (6.0) does not send the host's
 * stride to the server. Commands are held back only on the CPU driver with
 * threads: on the one without threads (3.1), clSetUserEventStatus() never
 * returns.
 *
 * NVIDIA's driver (580) reports a limit of 256 work-items for every kernel, but
 * launches kernels that were compiled for 1024. */
static gboolean
query_driver (AmphistoClDevice *device, GError **error)
{
  char version[1024] = "", driver[1024] = "";

  if (!DEVICE_INFO (device->id, VERSION, &version, error)
      || !amphisto_cl_check (clGetDeviceInfo (device->id, CL_DRIVER_VERSION,
                                 sizeof driver, driver, NULL),
          "clGetDeviceInfo (CL_DRIVER_VERSION)", error))
    return FALSE;
  AMPHISTO_CL_LOG (INFO, "opening \"%s\": %s, driver version %s", device->name,
      version, driver);
  device->ignores_host_stride = strstr (version, "pocl-remote") != NULL;
  device->is_pocl = strstr (version, "PoCL") != NULL;
  device->understates_groups = g_str_has_suffix (version, " CUDA");
  device->can_hold =
      device->is_pocl && amphisto_cl_drivers_is_usual (device->name);
  return TRUE;
}

gboolean
amphisto_cl_query (
    AmphistoClDevice *device, const AmphistoClDeviceId *which, GError **error)
{
  const cl_device_id id = device->id;
  cl_bool little_endian, available, compiler, unified;
  cl_uint units, align_bits, vector_width;
  cl_ulong local_size, constant_size;
  cl_device_type type;

  if (!DEVICE_INFO (id, TYPE, &type, error)
      || !DEVICE_INFO (id, ENDIAN_LITTLE, &little_endian, error)
      || !DEVICE_INFO (id, AVAILABLE, &available, error)
      || !DEVICE_INFO (id, COMPILER_AVAILABLE, &compiler, error)
      || !DEVICE_INFO (id, HOST_UNIFIED_MEMORY, &unified, error)
      || !DEVICE_INFO (which->id, MAX_COMPUTE_UNITS, &units, error)
      || !DEVICE_INFO (id, NATIVE_VECTOR_WIDTH_INT, &vector_width, error)
      || !DEVICE_INFO (id, MEM_BASE_ADDR_ALIGN, &align_bits, error)
      || !DEVICE_INFO (id, LOCAL_MEM_SIZE, &local_size, error)
      || !DEVICE_INFO (id, MAX_CONSTANT_BUFFER_SIZE, &constant_size, error)
      || !DEVICE_INFO (id, MAX_WORK_GROUP_SIZE, &device->max_work_group, error)
      || !query_driver (device, error))
    return FALSE;

  if (!check_usable (little_endian, available, compiler, error))
    return FALSE;
  device->is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
  device->shape = device->is_cpu && vector_width > 1 ? AMPHISTO_CL_SHAPE_CPU
                                                     : AMPHISTO_CL_SHAPE_GPU;
  device->compute_units = MAX (units, 1);
  if (which->inline_id != NULL) {
    device->can_hold = FALSE;
    device->compute_units =
        MIN (device->compute_units, g_get_num_processors ());
    device->helpers = amphisto_cl_helpers_new (device->compute_units);
  }
  device->counting_items =
      MIN (device->max_work_group, AMPHISTO_CL_MAX_COUNTING_ITEMS);
  device->alignment = MAX (align_bits / 8, sizeof (cl_uint));
  device->local_memory = local_size;
  device->constant_memory = constant_size;
  device->shares_host_memory = unified;
  device->pins_memory = !device->is_cpu && !unified;
  /* half of the cores are left to the rest of the pipeline */
  device->n_copiers =
      CLAMP (g_get_num_processors () / 2, 1, AMPHISTO_CL_MAX_COPIERS) - 1;
  return TRUE;
}

void
amphisto_cl_query_log (const AmphistoClDevice *device)
{
  AMPHISTO_CL_LOG (INFO,
      "%u compute units, kernels in the %s shape, work-groups of up to "
      "%" G_GSIZE_FORMAT " work-items, %" G_GSIZE_FORMAT " bytes of local and "
      "%" G_GSIZE_FORMAT " of constant memory; alignment: %" G_GSIZE_FORMAT
      " bytes; frames are %s",
      device->compute_units,
      device->shape == AMPHISTO_CL_SHAPE_GPU ? "GPU" : "CPU",
      device->max_work_group, device->local_memory, device->constant_memory,
      device->alignment,
      !device->shares_host_memory ? "copied"
          : device->is_cpu        ? "imported"
                                  : "imported if they are aligned");
}
