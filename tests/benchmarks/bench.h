/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Times that are compared with each other although the machine does other
 * things too: contenders run in alternating batches, and medians count.
 */

#ifndef BENCH_H
#define BENCH_H

#include <glib.h>

/* Batches of each contender. */
#define BENCH_ROUNDS 9

/* Something that processes frames, always the same one. Implementations embed
 * it as their first member. */
typedef struct _Contender Contender;
struct _Contender
{
  /* Processes n_frames frames, one or more; calls bench_fail() where that
   * fails. Returns: the seconds that it took. */
  gdouble (*run) (Contender *self, guint n_frames);
  void (*free) (Contender *self);

  /* Returns: the CPU time, in seconds, user's and system's, of all it has run.
   * NULL: it runs in this process, and nothing else does meanwhile. */
  gdouble (*cpu_seconds) (Contender *self);
};

/* NULL is allowed. */
void contender_free (Contender *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Contender, contender_free)

/* A contender's milliseconds a frame in each round. */
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

/* The quartiles of `n` values, one or more, interpolated. */
Quartiles bench_quartiles (const gdouble *values, guint n);

gdouble bench_median (const BenchTimes *times);

/* The quartiles, over the rounds, of a's time divided by b's. */
Quartiles bench_ratio (const BenchTimes *a, const BenchTimes *b);

/* Runs a batch of each contender that is not NULL, BENCH_ROUNDS times, every
 * other round in reverse order, and fills in the `times` of each, and their
 * `cpu_times` unless that is NULL. A batch has so many frames that it takes 40
 * ms or more. The start of a contender is not timed. */
void bench_alternate (Contender *const *contenders, guint n_contenders,
    BenchTimes *times, BenchTimes *cpu_times);

/* Seconds since a time of g_get_monotonic_time(). */
gdouble bench_seconds_since (gint64 start);

/* Prints what can't be run, and ends the program. */
G_NORETURN void bench_fail (const gchar *format, ...) G_GNUC_PRINTF (1, 2);

#endif
