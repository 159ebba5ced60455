/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Buffers on a device: new ones, and two kinds that are kept from frame to
 * frame.
 */

#pragma once

#include "opencl/device/host.h"
#include "opencl/run/command_queue.h"

/* Returns: (transfer full): a buffer of `size` bytes, or NULL with CALL.
 * `flags` say how `host`, or NULL, is used. */
cl_mem amphisto_cl_buffer_new (const AmphistoClDevice *device,
    cl_mem_flags flags, gsize size, void *host, GError **error);

/* Returns: (transfer full): a buffer of `size` bytes, all 0, or NULL with CALL.
 */
cl_mem amphisto_cl_buffer_new_zeroed (
    const AmphistoClDevice *device, gsize size, GError **error);

/* Releases the buffer unless it is NULL, and sets it to NULL. */
void amphisto_cl_buffer_clear (cl_mem *buffer);

/* A buffer that only grows. All-zero at first; clear it when done. */
typedef struct
{
  cl_mem buffer;
  gsize size;
} AmphistoClReserve;

/* Makes the buffer at least `size` bytes large. If it has to grow, its contents
 * are lost: all are 0 then, if `is_zeroed`.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_reserve_grow (AmphistoClReserve *self,
    const AmphistoClDevice *device, gsize size, gboolean is_zeroed,
    GError **error);

void amphisto_cl_reserve_clear (AmphistoClReserve *self);

/* Makes `*host`, which may be NULL, transfer memory of at least `size` bytes.
 * If it has to grow, its contents are lost, and no transfer may use it.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_host_grow (AmphistoClHost **host, AmphistoClDevice *device,
    gsize size, GError **error);

/* Read-only parameters on the device, and a copy on the host. All-zero at
 * first; clear them when done. */
typedef struct
{
  cl_mem buffer;
  AmphistoClHost *host;
  gsize size;           /* of the buffer */
  gboolean is_uploaded; /* `host` holds the same as the buffer */
} AmphistoClParams;

/* Enqueues an upload of `size` bytes on `queue`, unless the device has the
 * same bytes. Another size needs a new buffer. All bytes are compared, so there
 * must be no padding. Frames that use the buffer must be done. Clear `self` if
 * the upload fails later.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_params_upload (AmphistoClParams *self,
    AmphistoClCommandQueue *queue, const void *data, gsize size,
    GError **error);

void amphisto_cl_params_clear (AmphistoClParams *self);
