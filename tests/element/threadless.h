/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A system without more threads. If the executable exports GLib's functions,
 * the plugin calls them instead of the library's.
 */

#pragma once

#include <glib.h>

/* Whether GLib starts no more threads. */
void threadless_set (gboolean is_threadless);

/* Returns: how often a thread has been asked for since then. */
guint threadless_n_refused (void);
