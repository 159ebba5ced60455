/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * OpenCL status codes as GErrors.
 */

#ifndef AMPHISTO_OPENCL_ERROR_H
#define AMPHISTO_OPENCL_ERROR_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <glib.h>

/* Of cl_khr_icd, whose header is not always there: no driver is installed. */
#ifndef CL_PLATFORM_NOT_FOUND_KHR
#define CL_PLATFORM_NOT_FOUND_KHR -1001
#endif

#define AMPHISTO_CL_ERROR (amphisto_cl_error_quark ())
GQuark amphisto_cl_error_quark (void);

typedef enum
{
  AMPHISTO_CL_ERROR_NOT_FOUND, /* no device, or none that was asked for */
  AMPHISTO_CL_ERROR_BUILD,     /* kernels don't build */
  AMPHISTO_CL_ERROR_CALL       /* any other call failed */
} AmphistoClError;

/* The name of an OpenCL status code, such as "CL_OUT_OF_RESOURCES"; static. */
const char *amphisto_cl_status_name (cl_int status);

/* Whether `status` is CL_SUCCESS; else sets `error` (CALL) to "`call` failed:
 * name of the code". */
gboolean amphisto_cl_check (cl_int status, const char *call, GError **error);

#endif
