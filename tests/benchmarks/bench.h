/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Measuring things against each other on a machine that does other things too:
 * in batches that alternate, and by medians.
 */

#ifndef BENCH_H
#define BENCH_H

#include <glib.h>

/* Batches of each contender. */
#define BENCH_ROUNDS 9

/* Something that treats frames, always the same one. What it is embeds this as
 * its first member. */
typedef struct _Contender Contender;
struct _Contender
{
  /* Treats n_frames frames, one or more; ends the program by bench_fail() if
   * that can't be done. Returns: the seconds that took. */
  gdouble (*run) (Contender *self, guint n_frames);
  void (*free) (Contender *self);
};

/* NULL is fine. */
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

/* Of `n` values, one or more; between two of them where it falls there. */
Quartiles bench_quartiles (const gdouble *values, guint n);

gdouble bench_median (const BenchTimes *times);

/* How many times as long `a` takes as `b`: the quartiles over the rounds. */
Quartiles bench_ratio (const BenchTimes *a, const BenchTimes *b);

/* Runs the contenders, where they are not NULL, in turn, BENCH_ROUNDS times,
 * each round the other way round, and fills in `times` for each. A batch has as
 * many frames as take a contender 40 ms or more; what it takes it to get going
 * is not in the times. */
void bench_alternate (
    Contender *const *contenders, guint n_contenders, BenchTimes *times);

/* Prints what can't be run that should, and ends the program. */
G_NORETURN void bench_fail (const gchar *format, ...) G_GNUC_PRINTF (1, 2);

#endif
