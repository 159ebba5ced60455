/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * This machine as if its CPU were a lesser one: PoCL compiles kernels without
 * the newest instructions. Other programs still use them.
 */

#ifndef LESSER_CPU_H
#define LESSER_CPU_H

#include <glib.h>

#define LESSER_CPUS "avx2|sse4.1"

/* Makes PoCL take the CPU for one that has no more than `cpu`, one of
 * LESSER_CPUS, with a cache of kernels for it. Call it before OpenCL is used;
 * it ends the program where there is no such CPU. */
void lesser_cpu_pretend (const gchar *cpu);

/* Ends the program if a lesser CPU was asked for and the device of this name
 * does not compile for it. */
void lesser_cpu_check (const gchar *device);

#endif
