/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Builds programs from the sources in cl/, which are resources of the plugin.
 */

#pragma once

#include "opencl/device/device.h"
#include "opencl/run/kernels.h"

/* Returns: (transfer none): the text of cl/NAME. */
const char *amphisto_cl_source (const char *name);

/* Builds a program from `source`, with compiler options. Replaces lines
 *
 *   #include "FILE"
 *
 * by the text of cl/FILE, in which they are replaced as well. A file is
 * included once; if its name ends in _cpu.cl or _gpu.cl, only in that shape.
 *
 * Returns: (transfer full): the program, or NULL with CALL, or BUILD, whose
 * message has the build log from its second line on. */
cl_program amphisto_cl_program_build (AmphistoClDevice *device,
    const char *source, const char *options, GError **error);

/* Returns: the work-items of a work-group of the kernel. */
gsize amphisto_cl_kernel_group_size (
    const AmphistoClDevice *device, AmphistoClKernel kernel);

/* Returns: the needs that the kernel's program is built for, if a plan has
 * `needs`. */
AmphistoNeeds amphisto_cl_kernel_needs (const AmphistoClDevice *device,
    AmphistoClKernel kernel, AmphistoNeeds needs);

/* Returns: the key of a program, or of a kernel, for these needs. */
G_STATIC_ASSERT (AMPHISTO_NEEDS_ALL < 1 << 8);
static inline gpointer
amphisto_cl_needs_key (guint number, AmphistoNeeds needs)
{
  return GUINT_TO_POINTER (number << 8 | needs);
}

/* Looks up a key, or adds one, in a table of device->built, whose lock is held
 * for just that. */
gpointer amphisto_cl_built_find (
    AmphistoClDevice *device, GHashTable *built, gpointer key);
void amphisto_cl_built_add (
    AmphistoClDevice *device, GHashTable *built, gpointer key, gpointer value);

/* Makes a kernel. Builds its program in the device's shape, for a plan with
 * `needs`, unless it is built; all users of the device share it. Blocks during
 * the build, which can take seconds if the driver's cache lacks the program.
 *
 * Returns: (transfer full): the kernel, to be used by one thread at a time, or
 * NULL with BUILD or CALL. */
cl_kernel amphisto_cl_kernel_new (AmphistoClDevice *device,
    AmphistoClKernel kernel, AmphistoNeeds needs, GError **error);
