/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Host memory for copies to and from a device. If the device has memory of its
 * own, the driver pins the host memory, so that the device reads and writes it
 * itself. Copies of pageable memory go through the driver's memory, at a
 * quarter of the speed. Pinning takes a millisecond per MiB, so freed blocks
 * are kept for reuse until the device has no user any more. All memory is
 * pinned in one of the device's contexts, its home, which stays open as long as
 * the others: drivers pin memory for the process (NVIDIA 580), and OpenCL
 * allows every context to copy it. At most an eighth of the machine's memory is
 * pinned for a device, or 1 GiB if that is more, in blocks and pins together.
 */

#pragma once

#include "opencl/device/device.h"

/* Memory from `begin` on. */
typedef struct
{
  guint8 *begin;
  gsize size;
} AmphistoClRange;

/* A block of host memory. */
typedef struct
{
  /*< read-only >*/
  gpointer data;
  gsize size;         /* bytes that may be used */
  gboolean is_pinned; /* FALSE: ordinary memory */

  /*< private >*/
  AmphistoClDevice *device; /* the home; referenced while the block is in use,
                             * not while it is kept */
  AmphistoClRange range;    /* all of it, if it is pinned: `buffer`, mapped */
  cl_mem buffer;            /* contains `data`; NULL for ordinary memory */
} AmphistoClHost;

/* Makes a block of at least `size` bytes. Large blocks consist of whole pages
 * of 4096 bytes, those smaller than a page of units of 64 bytes; a block is
 * aligned to its unit. Its contents are undefined. It is pinned if `device`
 * pins memory, unless the driver refuses or the limit would be exceeded. It
 * stays valid until it is freed, even if the device is lost.
 *
 * Any thread may make and free blocks.
 *
 * Returns: (transfer full): the block, or NULL if there is no memory. */
AmphistoClHost *amphisto_cl_host_new (AmphistoClDevice *device, gsize size);

/* No command that uses the memory may be in flight. */
void amphisto_cl_host_free (AmphistoClHost *host);

/* Whether all of the memory is in one block or pin of the device. */
gboolean amphisto_cl_is_pinned (
    AmphistoClDevice *device, gconstpointer data, gsize size);

/* --- memory of others --- */

/* Pinned memory that others have allocated, where it lies. */
typedef struct _AmphistoClPin AmphistoClPin;

/* Pins `size` bytes from `data` on, a millisecond per 8 MiB. No other pin of
 * any device may contain them: if one of them was freed, copies of another
 * context would fail. The memory must stay valid until the pin is freed. The
 * pin holds no reference to the device, and is given up when the device has no
 * user any more. Any thread may make and free pins.
 *
 * Returns: (transfer full): the pin, or NULL: `is_refused` says whether the
 * driver refuses the memory; otherwise the limit would be exceeded. */
AmphistoClPin *amphisto_cl_pin_new (
    AmphistoClDevice *device, gpointer data, gsize size, gboolean *is_refused);

/* Whether the memory is still pinned. */
gboolean amphisto_cl_pin_holds (const AmphistoClPin *pin);

/* Whether the memory is still pinned, for all contexts of `device`. */
gboolean amphisto_cl_pin_is_for (
    const AmphistoClPin *pin, const AmphistoClDevice *device);

/* No command that uses the memory may be in flight. */
void amphisto_cl_pin_free (AmphistoClPin *pin);

/* For device.c: fills in what a new device has for pinned memory. */
void amphisto_cl_host_init_device (AmphistoClDevice *device);

/* For device.c: gives up all pins, and releases the kept blocks. Does nothing
 * if `device` is no home. */
void amphisto_cl_host_trim (AmphistoClDevice *device);

/* For device.c: the same, and clears what the device has for pinned memory. No
 * block may be in use. */
void amphisto_cl_host_clear_device (AmphistoClDevice *device);
