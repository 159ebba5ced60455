/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * OpenCL calls that time kernels. The plugin calls these instead of OpenCL's if
 * the executable has and exports them; they call OpenCL's.
 */

#ifndef CLPROFILE_H
#define CLPROFILE_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <glib.h>

/* Whether kernels are timed on queues that are made from now on; initially not.
 */
void clprofile_enable (gboolean is_enabled);

/* A launch of a kernel, which took `ms` milliseconds. */
typedef void (*ClProfileFunc) (const gchar *kernel, gdouble ms, gpointer data);

/* Calls `func` for each launch since the last call, in order. Waits for the
 * kernels to end. */
void clprofile_take (ClProfileFunc func, gpointer data);

/* Waits for a command of such a queue. Returns: the milliseconds that it took.
 */
gdouble clprofile_event_ms (cl_event event);

#endif
