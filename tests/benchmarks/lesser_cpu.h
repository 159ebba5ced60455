/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Makes PoCL compile kernels without the CPU's newest instructions, to time the
 * code for older CPUs. Other software still uses all instructions.
 */

#pragma once

#include <glib.h>

#define LESSER_CPUS "avx2|sse4.1"

/* Makes PoCL compile for `cpu`, one of LESSER_CPUS, with a kernel cache of its
 * own. Must be called before the first use of OpenCL. Ends the program if `cpu`
 * is unknown. */
void lesser_cpu_pretend (const gchar *cpu);

/* Ends the program if lesser_cpu_pretend() was called, but the device of this
 * name does not compile for that CPU. */
void lesser_cpu_check (const gchar *device);
