/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * PoCL's two drivers for CPUs. The usual one (pthread; cpu since 5.0) wakes all
 * of its threads for each command, even for a frame that one thread finishes
 * before the others are awake. The other one (basic; cpu-minimal) runs a
 * command in the thread that enqueues it, so that streams share nothing; PoCL
 * (3.1 to 7.1) offers it only if POCL_DEVICES names it when the first part of
 * the process lists devices.
 *
 * Call with amphisto_cl_drivers_lock held.
 */

#pragma once

#include "opencl/device/error.h"

#include <glib.h>

/* To be called around the first call to OpenCL: makes PoCL offer both drivers,
 * unless the environment has POCL_DEVICES, or PoCL has drivers for other
 * devices, which the variable would hide. Neither with OPENCL_LAYERS: layers
 * may delay commands by user events, which hang the driver without threads. In
 * between, the environment has POCL_DEVICES. Later calls do nothing. */
void amphisto_cl_drivers_begin_listing (void);
void amphisto_cl_drivers_end_listing (void);

/* Returns: the user's POCL_DEVICES, to which PoCL is limited, or NULL. */
const char *amphisto_cl_drivers_chosen (void);

/* Whether the first two of a platform's n devices are one CPU on the driver
 * without threads, which users have not asked for, and on the usual one. */
gboolean amphisto_cl_drivers_has_inline (const cl_device_id *ids, cl_uint n);

/* Whether devices of this name are CPUs on PoCL's usual driver. */
gboolean amphisto_cl_drivers_is_usual (const char *name);
