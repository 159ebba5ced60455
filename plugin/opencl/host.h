/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Host memory that is copied to a device and back. Where the device has memory
 * of its own, the driver pins it: the device then reads and writes it itself,
 * while pageable memory goes through the driver's, at a quarter of the speed.
 * Pinning takes a millisecond per MiB, so blocks are kept with the device, and
 * used again, until the device is freed.
 */

#ifndef AMPHISTO_OPENCL_HOST_H
#define AMPHISTO_OPENCL_HOST_H

#include "opencl/device.h"

/* Memory that is pinned for a device at most, in bytes, in use and kept. */
#define AMPHISTO_CL_MAX_PINNED ((gsize) 1 << 30)

/* A block of host memory. */
typedef struct
{
  /*< read-only >*/
  gpointer data;
  gsize size;         /* bytes that may be used */
  gboolean is_pinned; /* else it is ordinary memory */

  /*< private >*/
  AmphistoClDevice *device; /* referenced while the block is in use */
  cl_mem buffer;            /* that `data` is in, or NULL: ordinary memory */
  void *mapped;             /* all of `buffer` */
} AmphistoClHost;

/* Returns memory of at least `size` bytes: from a page on in whole pages, each
 * of 4096 bytes, less than that in multiples of 64 bytes, and aligned to them.
 * What it holds is undefined. It is pinned if `device` pins memory, unless the
 * driver refuses or AMPHISTO_CL_MAX_PINNED would be passed. It stays valid
 * until it is freed, also after the device was lost.
 *
 * Any thread may make and free blocks.
 *
 * Returns: (transfer full): the block, or NULL if there is no memory. */
AmphistoClHost *amphisto_cl_host_new (AmphistoClDevice *device, gsize size);

/* No command that uses the memory may be in flight. */
void amphisto_cl_host_free (AmphistoClHost *host);

/* For device.c: releases what is kept. No block may be in use. */
void amphisto_cl_host_clear_device (AmphistoClDevice *device);

#endif
