/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Jobs that threads share: each part is done once, by as many threads as are
 * allowed and idle, and a lane by one of them at a time.
 */

#include "cltest.h"

#include "opencl/device/helpers.h"

#include <string.h>

#define N_PARTS 64
#define N_LANES 8

typedef struct
{
  gint done[N_PARTS];
  gint in_lane[N_LANES];
  gint n_at_work;
  gint most_at_work;
  gulong duration; /* of a part, in microseconds */
} Work;

static void
note_most (gint *most, gint n)
{
  gint old = g_atomic_int_get (most);

  while (n > old && !g_atomic_int_compare_and_exchange (most, old, n))
    old = g_atomic_int_get (most);
}

static void
do_parts (gpointer data, guint lane, guint first, guint n)
{
  Work *work = data;

  g_assert_cmpuint (lane, <, N_LANES);
  g_assert_cmpint (g_atomic_int_add (&work->in_lane[lane], 1), ==, 0);
  note_most (&work->most_at_work, g_atomic_int_add (&work->n_at_work, 1) + 1);
  for (guint i = first; i < first + n; i++)
    g_atomic_int_inc (&work->done[i]);
  if (work->duration > 0)
    g_usleep (work->duration * n);
  g_atomic_int_add (&work->n_at_work, -1);
  g_atomic_int_add (&work->in_lane[lane], -1);
}

/* Shares a job, and checks that it is done.
 *
 * Returns: the most threads that were at work at once. */
static gint
share (AmphistoClHelpers *helpers, guint n_threads, guint n_parts,
    gulong duration, gboolean is_last)
{
  Work work = { .duration = duration };

  amphisto_cl_helpers_share (
      helpers, n_threads, n_parts, do_parts, &work, is_last);
  g_assert_cmpint (g_atomic_int_get (&work.n_at_work), ==, 0);
  for (guint i = 0; i < N_PARTS; i++)
    g_assert_cmpint (work.done[i], ==, i < n_parts ? 1 : 0);
  return work.most_at_work;
}

/* A job of 16 ms is long enough for helpers to come, unless the machine has no
 * core to spare; then it is tried again. */
static void
test_threads (void)
{
  AmphistoClHelpers *helpers = amphisto_cl_helpers_new (4);
  gint most = 0;

  amphisto_cl_helpers_begin (helpers);
  g_assert_cmpint (share (helpers, 1, N_PARTS, 0, FALSE), ==, 1);
  g_assert_cmpint (share (helpers, 3, 1, 0, FALSE), ==, 1);
  for (guint i = 0; i < 100 && most < 3; i++) {
    most = MAX (most, share (helpers, 3, 16, 1000, i % 2 == 0));
    g_assert_cmpint (most, <=, 3);
  }
  g_assert_cmpint (most, ==, 3);
  amphisto_cl_helpers_end (helpers);
  amphisto_cl_helpers_free (helpers);
}

/* Streams that keep all cores busy get no help. */
static void
test_busy (void)
{
  AmphistoClHelpers *helpers = amphisto_cl_helpers_new (4);

  for (guint i = 0; i < 4; i++)
    amphisto_cl_helpers_begin (helpers);
  g_assert_cmpint (share (helpers, 4, 16, 500, FALSE), ==, 1);
  amphisto_cl_helpers_begin (helpers);
  g_assert_cmpint (share (helpers, 4, 16, 500, FALSE), ==, 1);
  amphisto_cl_helpers_free (helpers);
}

static gpointer
share_jobs (gpointer helpers)
{
  for (guint i = 0; i < 2000; i++) {
    amphisto_cl_helpers_begin (helpers);
    share (helpers, 1 + i % N_LANES, 1 + i % N_PARTS, 0, i % 3 == 0);
    amphisto_cl_helpers_end (helpers);
  }
  return NULL;
}

static void
test_streams (void)
{
  AmphistoClHelpers *helpers = amphisto_cl_helpers_new (12);

  test_run_threads (6, share_jobs, helpers);
  amphisto_cl_helpers_free (helpers);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/helpers/threads", test_threads);
  g_test_add_func ("/helpers/busy", test_busy);
  g_test_add_func ("/helpers/streams", test_streams);
  return g_test_run ();
}
