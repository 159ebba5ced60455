/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BATCH_SECONDS 0.04

void
contender_free (Contender *self)
{
  if (self != NULL && self->free != NULL)
    self->free (self);
  else
    g_free (self);
}

gdouble
bench_seconds_since (gint64 start)
{
  return (gdouble) (g_get_monotonic_time () - start) / G_USEC_PER_SEC;
}

gdouble
bench_cpu_seconds (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

/* --- statistics --- */

static int
compare_values (const void *a, const void *b)
{
  const gdouble x = *(const gdouble *) a;
  const gdouble y = *(const gdouble *) b;

  return (x > y) - (x < y);
}

static gdouble
quantile (const gdouble *sorted, guint n, gdouble q)
{
  const gdouble at = q * (n - 1);
  const guint i = at;

  return i + 1 < n ? sorted[i] + (at - i) * (sorted[i + 1] - sorted[i])
                   : sorted[i];
}

Quartiles
bench_quartiles (const gdouble *values, guint n)
{
  g_autofree gdouble *sorted = g_memdup2 (values, n * sizeof *values);

  qsort (sorted, n, sizeof *sorted, compare_values);
  return (Quartiles){ .lower = quantile (sorted, n, 0.25),
    .median = quantile (sorted, n, 0.5),
    .upper = quantile (sorted, n, 0.75) };
}

gdouble
bench_median (const BenchTimes *times)
{
  return bench_quartiles (times->ms, BENCH_ROUNDS).median;
}

Quartiles
bench_ratio (const BenchTimes *a, const BenchTimes *b)
{
  gdouble ratios[BENCH_ROUNDS];

  for (guint i = 0; i < BENCH_ROUNDS; i++)
    ratios[i] = a->ms[i] / b->ms[i];
  return bench_quartiles (ratios, BENCH_ROUNDS);
}

/* --- batches --- */

/* Returns: the number of frames for a batch of BATCH_SECONDS. */
static guint
calibrate (Contender *contender)
{
  guint n = 1;
  gdouble seconds;

  contender->run (contender, 1); /* warms caches and allocates memory */
  while ((seconds = contender->run (contender, n)) < BATCH_SECONDS / 2)
    n *= 2;
  return ceil (n * MAX (1, BATCH_SECONDS / seconds));
}

static gdouble
cpu_seconds (Contender *contender)
{
  return contender->cpu_seconds != NULL ? contender->cpu_seconds (contender)
                                        : bench_cpu_seconds ();
}

/* Runs a batch and stores its time in `ms`, in milliseconds per frame. Returns:
 * the CPU time, likewise. */
static gdouble
run_batch (Contender *contender, guint n_frames, gdouble *ms)
{
  const gdouble start = cpu_seconds (contender);

  *ms = 1000 * contender->run (contender, n_frames) / n_frames;
  return 1000 * (cpu_seconds (contender) - start) / n_frames;
}

void
bench_alternate (Contender *const *contenders, guint n_contenders,
    BenchTimes *times, BenchTimes *cpu_times)
{
  g_autofree guint *n_frames = g_new0 (guint, n_contenders);

  for (guint i = 0; i < n_contenders; i++)
    if (contenders[i] != NULL)
      n_frames[i] = calibrate (contenders[i]);
  for (guint round = 0; round < BENCH_ROUNDS; round++)
    for (guint turn = 0; turn < n_contenders; turn++) {
      const guint i = round % 2 == 0 ? turn : n_contenders - 1 - turn;
      gdouble cpu_ms;

      if (contenders[i] == NULL)
        continue;
      cpu_ms = run_batch (contenders[i], n_frames[i], &times[i].ms[round]);
      if (cpu_times != NULL)
        cpu_times[i].ms[round] = cpu_ms;
    }
}

void
bench_check (int status, const gchar *call)
{
  if (status != 0)
    bench_fail ("%s failed: %d", call, status);
}

void
bench_fail (const gchar *format, ...)
{
  va_list args;
  g_autofree gchar *text = NULL;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_printerr ("%s\n", text);
  exit (EXIT_FAILURE);
}
