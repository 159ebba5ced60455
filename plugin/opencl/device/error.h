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
  AMPHISTO_CL_ERROR_CALL,      /* any other call failed */
  AMPHISTO_CL_ERROR_LOST       /* a call failed because of the context */
} AmphistoClError;

/* Failures cost one stream its frame, but not the others their context. A
 * context is lost, and all its streams have to get another one, only if
 *
 * - a status says that device, context, queue or a command have failed, or is
 *   none of OpenCL's: NVIDIA's driver has numbers of its own for faults
 * - a call to enqueue, flush or wait returns CL_OUT_OF_RESOURCES, as all calls
 *   on NVIDIA's driver do after a fault; from clCreate…(), it is a limit
 * - waiting for the commands that are left after a failure fails too
 *   (executor.c)
 *
 * Lack of memory, limits, refused arguments and builds that fail are not.
 * Functions that are documented to fail with CALL may fail with LOST. */

/* Returns: (transfer none): the name of an OpenCL status code, such as
 * "CL_OUT_OF_RESOURCES". */
const char *amphisto_cl_status_name (cl_int status);

/* Returns: TRUE if `status` is CL_SUCCESS; else FALSE with CALL or LOST, whose
 * message is "CALL failed: NAME (STATUS)". `call` begins with the function's
 * name. */
gboolean amphisto_cl_check (cl_int status, const char *call, GError **error);

/* Reports on the log that "WHAT was not released", unless `status` is
 * CL_SUCCESS: as a warning, since that is a mistake of ours, or as a message if
 * the context is lost. */
void amphisto_cl_check_release (cl_int status, const char *what);
