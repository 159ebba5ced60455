/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Timing of kernels. If the executable exports these OpenCL functions, the
 * plugin calls them instead of the library's, to which they forward.
 */

#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <glib.h>

/* Turns timing on or off for queues that are created later; initially off. */
void clprofile_enable (gboolean is_enabled);

/* Called for a launch of a kernel that took `ms` milliseconds. */
typedef void (*ClProfileFunc) (const gchar *kernel, gdouble ms, gpointer data);

/* Calls `func` for each launch since the last call, in order. Blocks until the
 * kernels have ended. */
void clprofile_take (ClProfileFunc func, gpointer data);

/* Blocks until a command of a timed queue has ended. Returns: the milliseconds
 * that it took. */
gdouble clprofile_event_ms (cl_event event);
