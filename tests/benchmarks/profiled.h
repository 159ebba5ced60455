/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A contender whose kernels are timed.
 */

#pragma once

#include "bench.h"

typedef struct
{
  gchar *name;
  BenchTimes times; /* of the last BENCH_ROUNDS batches */
} ProfiledKernel;

/* Runs `inner` (transfer full) and times its kernels. The queue of `inner` must
 * have been created with clprofile_enable() on. No other profiled contender may
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
