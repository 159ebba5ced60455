/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Threads that help streaming threads, on CPUs whose driver runs commands in
 * the thread that enqueues them. A streaming thread shares a job with idle
 * cores, works on it itself, and never waits for a helper to wake up: one that
 * comes late finds no part left. While streaming threads keep all cores busy,
 * nobody helps.
 */

#pragma once

#include <glib.h>

typedef struct _AmphistoClHelpers AmphistoClHelpers;

/* Does parts `first` to `first` + n - 1 of a job, in any thread. lane: 0 for
 * the thread that shares the job, another number for each helper. */
typedef void (*AmphistoClPartFunc) (
    gpointer data, guint lane, guint first, guint n);

/* Helps with up to `n_cores` threads at work at once, streaming threads
 * included. Threads are started when they are needed.
 *
 * Returns: (transfer full): the helpers. */
AmphistoClHelpers *amphisto_cl_helpers_new (guint n_cores);

/* No job may be in progress. */
void amphisto_cl_helpers_free (AmphistoClHelpers *self);

/* The calling thread keeps a core busy from here to there. It shares jobs only
 * in between. */
void amphisto_cl_helpers_begin (AmphistoClHelpers *self);
void amphisto_cl_helpers_end (AmphistoClHelpers *self);

/* Does `n_parts` parts, in at most `n_threads` threads, this one included.
 * Returns when all are done. Unless the job is the frame's last, helpers wait
 * for the next one awake. */
void amphisto_cl_helpers_share (AmphistoClHelpers *self, guint n_threads,
    guint n_parts, AmphistoClPartFunc func, gpointer data, gboolean is_last);
