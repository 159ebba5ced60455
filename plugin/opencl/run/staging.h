/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Uploads of ordinary memory, by way of pinned memory. A core copies at a sixth
 * of the bus' speed, so several threads copy, a piece each at a time, and the
 * bus takes the pieces as they are ready. Drivers copy with one thread, and
 * return only when they are done.
 */

#pragma once

#include "opencl/run/buffers.h"

/* Less memory is left to the driver: waking threads would take longer. */
#define AMPHISTO_CL_MIN_STAGED ((gsize) 64 * 1024)

/* Enqueues an upload like amphisto_cl_command_queue_write(), but `data` may
 * change when the function returns. `staging`, which may be NULL at first,
 * keeps a pinned copy of the buffer's first `whole` bytes: no earlier upload
 * may still use the bytes to write there. Free it with amphisto_cl_host_free()
 * unless it is NULL.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_staging_write (AmphistoClHost **staging, gsize whole,
    AmphistoClCommandQueue *queue, cl_mem buffer, gsize offset,
    const void *data, gsize size, GError **error);
