/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A contender whose kernels are timed.
 */

#ifndef PROFILED_H
#define PROFILED_H

#include "bench.h"

typedef struct
{
  gchar *name;
  BenchTimes times; /* of the last BENCH_ROUNDS batches */
} ProfiledKernel;

/* A contender that runs `inner` (transfer full), whose queue must have been
 * made while clprofile_enable() was on. No other may launch kernels on such
 * queues at the same time.
 *
 * Returns: (transfer full): the contender. */
Contender *profiled_new (Contender *inner);

/* Returns: (transfer none) (element-type ProfiledKernel): the kernels of a
 * contender of profiled_new(), in the order of their first launches. The times
 * of several launches for one frame are added up. */
const GArray *profiled_kernels (const Contender *self);

#endif
