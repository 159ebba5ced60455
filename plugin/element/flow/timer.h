/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A timer that calls a function at a given time, in a thread of its own. The
 * thread is started when a time is first set.
 */

#pragma once

#include <glib.h>

#define GST_AMPHISTO_TIMER_NEVER G_MAXINT64

typedef void (*GstAmphistoTimerFunc) (gpointer user_data);

typedef struct
{
  /*< private >*/
  GstAmphistoTimerFunc on_time;
  gpointer user_data;
  GMutex lock; /* protects the fields below; not held while the function runs */
  GCond changed;
  GThread *thread; /* or NULL */
  gboolean is_on;
  gint64 time; /* of the next call, by g_get_monotonic_time() */
} GstAmphistoTimer;

/* Initializes the timer, turned off. It must not be moved in memory. */
void gst_amphisto_timer_init (
    GstAmphistoTimer *self, GstAmphistoTimerFunc on_time, gpointer user_data);

/* The timer must be off. */
void gst_amphisto_timer_clear (GstAmphistoTimer *self);

/* Turns the timer on, without a time. */
void gst_amphisto_timer_start (GstAmphistoTimer *self);

/* Turns the timer off, and waits for the function to return if it is running:
 * do not call this while holding a lock that the function takes. */
void gst_amphisto_timer_stop (GstAmphistoTimer *self);

/* Sets the time of the next call, in microseconds of g_get_monotonic_time(), in
 * place of the one set before. The function is called once, immediately if
 * `time` is past. Does nothing while the timer is off. Any thread may call
 * this, and so may the function. */
void gst_amphisto_timer_set (GstAmphistoTimer *self, gint64 time);
