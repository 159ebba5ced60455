/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Comparable times on a machine that is not idle: contenders run in alternating
 * batches, and medians count.
 */

#pragma once

#include <glib.h>

/* Batches of each contender. */
#define BENCH_ROUNDS 9

/* Processes one and the same frame repeatedly. Implementations embed this
 * struct as their first member. */
typedef struct _Contender Contender;
struct _Contender
{
  /* Processes n_frames >= 1 frames; calls bench_fail() on failure. Returns: the
   * time that they took, in seconds. */
  gdouble (*run) (Contender *self, guint n_frames);
  void (*free) (Contender *self); /* NULL: g_free() */

  /* Returns: the user and system CPU time of all its frames so far, in seconds.
   * NULL: the CPU time of this process, where nothing else runs meanwhile. */
  gdouble (*cpu_seconds) (Contender *self);
};

/* Does nothing for NULL. */
void contender_free (Contender *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Contender, contender_free)

/* A contender's milliseconds per frame in each round. */
typedef struct
{
  gdouble ms[BENCH_ROUNDS];
} BenchTimes;

typedef struct
{
  gdouble lower; /* a quarter of the values is below */
  gdouble median;
  gdouble upper; /* a quarter of the values is above */
} Quartiles;

/* The interpolated quartiles of `n` >= 1 values. */
Quartiles bench_quartiles (const gdouble *values, guint n);

gdouble bench_median (const BenchTimes *times);

/* The quartiles of the rounds' ratios: a's time divided by b's. */
Quartiles bench_ratio (const BenchTimes *a, const BenchTimes *b);

/* Runs BENCH_ROUNDS batches of each contender, every other round in reverse
 * order, and stores their `times` and, unless NULL, their `cpu_times`. Skips
 * contenders that are NULL. A batch takes at least 40 ms. The first frames of a
 * contender are not timed. */
void bench_alternate (Contender *const *contenders, guint n_contenders,
    BenchTimes *times, BenchTimes *cpu_times);

/* Seconds since `start`, a time of g_get_monotonic_time(). */
gdouble bench_seconds_since (gint64 start);

/* The user and system CPU time of this process so far, in seconds. */
gdouble bench_cpu_seconds (void);

/* Fails unless OpenCL's `call` succeeded. */
void bench_check (int status, const gchar *call);

/* Prints the message to stderr and exits with EXIT_FAILURE. */
G_NORETURN void bench_fail (const gchar *format, ...) G_GNUC_PRINTF (1, 2);
