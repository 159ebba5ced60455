/* SPDX-License-Identifier: LGPL-2.1-or-later */

#define _GNU_SOURCE /* RTLD_NEXT */
#include "monotonic.h"

#include <dlfcn.h>

/* Time 0, when the time is stopped: real times are less, and still past. */
#define START (G_MAXINT64 / 2)

static struct
{
  GMutex lock;
  gboolean is_stopped;
  gint64 now;
  gint64 awaited;
  GCond *cond; /* of the thread that waits */
  GMutex *mutex;
} state;

void
monotonic_stop (void)
{
  g_mutex_lock (&state.lock);
  state.is_stopped = TRUE;
  state.now = 0;
  state.awaited = -1;
  g_mutex_unlock (&state.lock);
}

void
monotonic_continue (void)
{
  g_mutex_lock (&state.lock);
  state.is_stopped = FALSE;
  g_mutex_unlock (&state.lock);
}

/* Holds the thread's mutex: it waits already, and misses no signal. */
void
monotonic_set (gint64 us)
{
  g_mutex_lock (state.mutex);
  g_mutex_lock (&state.lock);
  state.now = us;
  g_mutex_unlock (&state.lock);
  g_cond_broadcast (state.cond);
  g_mutex_unlock (state.mutex);
}

gint64
monotonic_awaited (void)
{
  gint64 awaited;

  g_mutex_lock (&state.lock);
  awaited = state.awaited;
  g_mutex_unlock (&state.lock);
  return awaited;
}

/* --- GLib's functions --- */

gint64
g_get_monotonic_time (void)
{
  gint64 (*call) (void) = dlsym (RTLD_NEXT, "g_get_monotonic_time");
  gint64 now = -1;

  g_mutex_lock (&state.lock);
  if (state.is_stopped)
    now = START + state.now;
  g_mutex_unlock (&state.lock);
  return now >= 0 ? now : call ();
}

gboolean
g_cond_wait_until (GCond *cond, GMutex *mutex, gint64 end_time)
{
  gboolean (*call) (GCond *, GMutex *, gint64) =
      dlsym (RTLD_NEXT, "g_cond_wait_until");

  if (end_time < START)
    return call (cond, mutex, end_time);
  g_mutex_lock (&state.lock);
  state.awaited = end_time - START;
  state.cond = cond;
  state.mutex = mutex;
  g_mutex_unlock (&state.lock);
  g_cond_wait (cond, mutex);
  return TRUE;
}
