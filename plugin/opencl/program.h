/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * From the kernels' sources, which are built into the plugin, to kernels.
 */

#ifndef AMPHISTO_OPENCL_PROGRAM_H
#define AMPHISTO_OPENCL_PROGRAM_H

#include "opencl/device.h"

/* The text of cl/`name`; static. */
const char *amphisto_cl_source (const char *name);

/* Builds `sources`, a NULL-terminated list of texts that are read as one, with
 * `options` for the compiler.
 *
 * Returns: (transfer full): the program, or NULL with BUILD, the compiler's
 * log behind the message's first line, or CALL. */
cl_program amphisto_cl_program_build (AmphistoClDevice *device,
    const char *const *sources, const char *options, GError **error);

/* Makes a kernel. Its program is built in the device's shape if it is not yet,
 * and shared by everybody on the device. Blocks while it is built, up to
 * seconds where the driver's cache lacks it.
 *
 * Returns: (transfer full): the kernel, to be used by one thread at a time, or
 * NULL with BUILD or CALL. */
cl_kernel amphisto_cl_kernel_new (
    AmphistoClDevice *device, AmphistoClKernel kernel, GError **error);

#endif
