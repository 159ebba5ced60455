/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "opencl/device/error.h"

/* clang-format off */
G_DEFINE_QUARK (amphisto-cl-error-quark, amphisto_cl_error)

static const struct
{
  cl_int status;
  const char *name;
} status_names[] = {
#define STATUS(code) { code, #code }
  STATUS (CL_SUCCESS),
  STATUS (CL_DEVICE_NOT_FOUND),
  STATUS (CL_DEVICE_NOT_AVAILABLE),
  STATUS (CL_COMPILER_NOT_AVAILABLE),
  STATUS (CL_MEM_OBJECT_ALLOCATION_FAILURE),
  STATUS (CL_OUT_OF_RESOURCES),
  STATUS (CL_OUT_OF_HOST_MEMORY),
  STATUS (CL_PROFILING_INFO_NOT_AVAILABLE),
  STATUS (CL_MEM_COPY_OVERLAP),
  STATUS (CL_IMAGE_FORMAT_MISMATCH),
  STATUS (CL_IMAGE_FORMAT_NOT_SUPPORTED),
  STATUS (CL_BUILD_PROGRAM_FAILURE),
  STATUS (CL_MAP_FAILURE),
  STATUS (CL_MISALIGNED_SUB_BUFFER_OFFSET),
  STATUS (CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
  STATUS (CL_COMPILE_PROGRAM_FAILURE),
  STATUS (CL_LINKER_NOT_AVAILABLE),
  STATUS (CL_LINK_PROGRAM_FAILURE),
  STATUS (CL_DEVICE_PARTITION_FAILED),
  STATUS (CL_KERNEL_ARG_INFO_NOT_AVAILABLE),
  STATUS (CL_INVALID_VALUE),
  STATUS (CL_INVALID_DEVICE_TYPE),
  STATUS (CL_INVALID_PLATFORM),
  STATUS (CL_INVALID_DEVICE),
  STATUS (CL_INVALID_CONTEXT),
  STATUS (CL_INVALID_QUEUE_PROPERTIES),
  STATUS (CL_INVALID_COMMAND_QUEUE),
  STATUS (CL_INVALID_HOST_PTR),
  STATUS (CL_INVALID_MEM_OBJECT),
  STATUS (CL_INVALID_IMAGE_FORMAT_DESCRIPTOR),
  STATUS (CL_INVALID_IMAGE_SIZE),
  STATUS (CL_INVALID_SAMPLER),
  STATUS (CL_INVALID_BINARY),
  STATUS (CL_INVALID_BUILD_OPTIONS),
  STATUS (CL_INVALID_PROGRAM),
  STATUS (CL_INVALID_PROGRAM_EXECUTABLE),
  STATUS (CL_INVALID_KERNEL_NAME),
  STATUS (CL_INVALID_KERNEL_DEFINITION),
  STATUS (CL_INVALID_KERNEL),
  STATUS (CL_INVALID_ARG_INDEX),
  STATUS (CL_INVALID_ARG_VALUE),
  STATUS (CL_INVALID_ARG_SIZE),
  STATUS (CL_INVALID_KERNEL_ARGS),
  STATUS (CL_INVALID_WORK_DIMENSION),
  STATUS (CL_INVALID_WORK_GROUP_SIZE),
  STATUS (CL_INVALID_WORK_ITEM_SIZE),
  STATUS (CL_INVALID_GLOBAL_OFFSET),
  STATUS (CL_INVALID_EVENT_WAIT_LIST),
  STATUS (CL_INVALID_EVENT),
  STATUS (CL_INVALID_OPERATION),
  STATUS (CL_INVALID_GL_OBJECT),
  STATUS (CL_INVALID_BUFFER_SIZE),
  STATUS (CL_INVALID_MIP_LEVEL),
  STATUS (CL_INVALID_GLOBAL_WORK_SIZE),
  STATUS (CL_INVALID_PROPERTY),
  STATUS (CL_INVALID_IMAGE_DESCRIPTOR),
  STATUS (CL_INVALID_COMPILER_OPTIONS),
  STATUS (CL_INVALID_LINKER_OPTIONS),
  STATUS (CL_INVALID_DEVICE_PARTITION_COUNT),
  STATUS (CL_PLATFORM_NOT_FOUND_KHR),
#undef STATUS
};
/* clang-format on */

/* Returns: NULL for a status that OpenCL does not define. */
static const char *
find_name (cl_int status)
{
  for (gsize i = 0; i < G_N_ELEMENTS (status_names); i++)
    if (status_names[i].status == status)
      return status_names[i].name;
  return NULL;
}

const char *
amphisto_cl_status_name (cl_int status)
{
  const char *name = find_name (status);

  return name != NULL ? name : "unknown OpenCL error";
}

static gboolean
is_loss (cl_int status, const char *call)
{
  switch (status) {
    case CL_DEVICE_NOT_AVAILABLE:
    case CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST:
    case CL_INVALID_DEVICE:
    case CL_INVALID_CONTEXT:
    case CL_INVALID_COMMAND_QUEUE:
      return TRUE;
    case CL_OUT_OF_RESOURCES:
      return !g_str_has_prefix (call, "clCreate");
    default:
      return find_name (status) == NULL;
  }
}

void
amphisto_cl_check_release (cl_int status, const char *what)
{
  if (status != CL_SUCCESS)
    g_log (G_LOG_DOMAIN,
        is_loss (status, "") ? G_LOG_LEVEL_MESSAGE : G_LOG_LEVEL_WARNING,
        "%s was not released: %s", what, amphisto_cl_status_name (status));
}

gboolean
amphisto_cl_check (cl_int status, const char *call, GError **error)
{
  if (status == CL_SUCCESS)
    return TRUE;
  g_set_error (error, AMPHISTO_CL_ERROR,
      is_loss (status, call) ? AMPHISTO_CL_ERROR_LOST : AMPHISTO_CL_ERROR_CALL,
      "%s failed: %s (%d)", call, amphisto_cl_status_name (status), status);
  return FALSE;
}
