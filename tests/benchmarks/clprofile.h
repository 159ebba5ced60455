/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * OpenCL, with a stopwatch: the calls of the plugin come here first, if this is
 * linked into the executable and exported by it, and go on to the real OpenCL.
 */

#ifndef CLPROFILE_H
#define CLPROFILE_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <glib.h>

/* Whether kernels are timed on queues that are made from now on. At first they
 * are not. */
void clprofile_enable (gboolean is_enabled);

/* A kernel was launched and ran that many milliseconds. */
typedef void (*ClProfileFunc) (const gchar *kernel, gdouble ms, gpointer data);

/* Calls `func` with each launch since the last time, in their order; waits for
 * those that are not over. */
void clprofile_take (ClProfileFunc func, gpointer data);

/* Waits for a command of such a queue. Returns: the milliseconds it ran. */
gdouble clprofile_event_ms (cl_event event);

#endif
