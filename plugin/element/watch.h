/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A watch that calls a function at a given time, in a thread of its own. The
 * thread is made when a time is first set.
 */

#ifndef AMPHISTO_ELEMENT_WATCH_H
#define AMPHISTO_ELEMENT_WATCH_H

#include <glib.h>

G_BEGIN_DECLS

#define GST_AMPHISTO_WATCH_NEVER G_MAXINT64

typedef void (*GstAmphistoWatchFunc) (gpointer user_data);

typedef struct
{
  /*< private >*/
  GstAmphistoWatchFunc on_time;
  gpointer user_data;
  GMutex lock; /* protects what follows; not held while the function runs */
  GCond changed;
  GThread *thread; /* or NULL */
  gboolean is_on;
  gint64 time; /* of the next call, by g_get_monotonic_time() */
} GstAmphistoWatch;

/* The watch is off. It must not be moved. */
void gst_amphisto_watch_init (
    GstAmphistoWatch *self, GstAmphistoWatchFunc on_time, gpointer user_data);

/* The watch must be off. */
void gst_amphisto_watch_clear (GstAmphistoWatch *self);

/* From now on times can be set; none is. */
void gst_amphisto_watch_start (GstAmphistoWatch *self);

/* Turns the watch off, and waits for the function to return if it runs: do not
 * call this with a lock that the function takes. */
void gst_amphisto_watch_stop (GstAmphistoWatch *self);

/* Has the function called once at `time`, in microseconds, by
 * g_get_monotonic_time(), or at once if that is past; not at the time that was
 * set before. It may be called by the function itself, and by any thread.
 * Nothing happens while the watch is off. */
void gst_amphisto_watch_set (GstAmphistoWatch *self, gint64 time);

G_END_DECLS

#endif
