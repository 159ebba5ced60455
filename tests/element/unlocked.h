/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What other threads may do as soon as a mutex is unlocked. If the executable
 * exports GLib's function, the plugin calls it instead of the library's.
 */

#pragma once

#include <glib.h>

/* Calls `function` once, when this thread unlocks `mutex` for the nth time from
 * now on; 0 is the first. */
void unlocked_call (
    GMutex *mutex, guint n, void (*function) (gpointer data), gpointer data);

/* Cancels the call, unless it has been made. Returns: whether it has. */
gboolean unlocked_end (void);
