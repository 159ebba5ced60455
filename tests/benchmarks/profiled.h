/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A contender whose kernels are timed. If the executable exports the OpenCL
 * functions of profiled.c, the plugin calls them instead of the library's, to
 * which they forward.
 */

#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "bench.h"

/* Turns timing on or off for queues that are created later; initially off. */
void profiled_enable (gboolean is_enabled);

/* Blocks until a command of a timed queue has ended. event: (transfer full)
 *
 * Returns: the milliseconds that it took. */
gdouble profiled_event_ms (cl_event event);

typedef struct
{
  gchar *name;
  BenchTimes times; /* of the last BENCH_ROUNDS batches */
} ProfiledKernel;

/* Runs `inner` (transfer full) and times its kernels. The queue of `inner` must
 * have been created with profiled_enable() on. No other profiled contender may
 * run at the same time.
 *
 * Returns: (transfer full): a contender. */
Contender *profiled_new (Contender *inner);

/* self: from profiled_new().
 *
 * Returns: (transfer none) (element-type ProfiledKernel): the kernels, in the
 * order of their first launches. Several launches for one frame are added up.
 */
const GArray *profiled_kernels (const Contender *self);
