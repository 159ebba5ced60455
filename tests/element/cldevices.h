/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Devices that are made up: OpenCL's first one under other names and types.
 */

#ifndef CLDEVICES_H
#define CLDEVICES_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <glib.h>

typedef struct
{
  const gchar *platform; /* name; the same as the device's before: on the same
                          * platform */
  cl_device_type type;   /* 0: the platform has no device */
  const gchar *name;
  const gchar *fails; /* the call that fails for it every time, or NULL */
} ClDevice;

/* From now on OpenCL lists these devices and no others; n = 0: the real ones.
 * `devices` must stay. */
void cldevices_set (const ClDevice *devices, guint n);

/* Whether made-up devices have memory of their own, from now on; at first they
 * share the host's, as the device behind them does. */
void cldevices_set_own_memory (gboolean has_own_memory);

/* From now on the driver allows work-groups of `limit` work-items for the
 * kernel of that name on the made-up device; NULL: it allows what the device
 * behind it does, as at first. */
void cldevices_limit_kernel (
    const ClDevice *device, const gchar *kernel, gsize limit);

/* The version of made-up devices, from now on; NULL: that of the device behind
 * them. It must stay. */
void cldevices_set_version (const gchar *version);

/* For clfaults.c: whether the call of that name fails for the device, and the
 * device behind it. The device may be a real one, or NULL. */
gboolean cldevices_fails (const gchar *name, cl_device_id device);
cl_device_id cldevices_real (cl_device_id device);

#endif
