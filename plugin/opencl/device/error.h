/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * OpenCL status codes as GErrors.
 */

#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <glib.h>

/* No driver is installed. From cl_khr_icd, whose header may be missing. */
#ifndef CL_PLATFORM_NOT_FOUND_KHR
#define CL_PLATFORM_NOT_FOUND_KHR -1001
#endif

#define AMPHISTO_CL_ERROR (amphisto_cl_error_quark ())
GQuark amphisto_cl_error_quark (void);

typedef enum
{
  AMPHISTO_CL_ERROR_NOT_FOUND, /* no device, or not the one asked for */
  AMPHISTO_CL_ERROR_BUILD,     /* kernels do not build */
  AMPHISTO_CL_ERROR_CALL       /* any other call failed */
} AmphistoClError;

/* Returns: (transfer none): the name of an OpenCL status code, such as
 * "CL_OUT_OF_RESOURCES". */
const char *amphisto_cl_status_name (cl_int status);

/* Returns: TRUE if `status` is CL_SUCCESS; else FALSE with CALL, whose message
 * is "CALL failed: NAME (STATUS)". */
gboolean amphisto_cl_check (cl_int status, const char *call, GError **error);
