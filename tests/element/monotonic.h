/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * GLib's monotonic time, set by hand. If the executable exports GLib's
 * functions, the plugin calls them instead of the library's.
 */

#pragma once

#include <glib.h>

/* Stops the time at 0 microseconds. */
void monotonic_stop (void);

/* Sets the time, and wakes the thread that waits for a time. There must be one
 * since the time was stopped. */
void monotonic_set (gint64 us);

/* Returns: the time that a thread waits for, which may be past, or -1. */
gint64 monotonic_awaited (void);

/* Lets the time go on. */
void monotonic_continue (void);
