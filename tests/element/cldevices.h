/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Made-up devices: OpenCL's first device under other names and types.
 */

#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <glib.h>

typedef struct
{
  const gchar *platform; /* name; devices of one platform follow each other */
  cl_device_type type;   /* 0: the platform has no device */
  const gchar *name;
  const gchar *fails; /* the call that always fails for the device; or what it
                       * lacks: available, compiler, little-endian; or NULL */
} ClDevice;

/* Makes OpenCL list only these devices; n = 0: the real ones. `devices` must
 * outlive their use. */
void cldevices_set (const ClDevice *devices, guint n);

/* Real devices, or one made-up device alone: a CPU, "cpu", or a GPU, "gpu-0",
 * that shares the host's memory or has memory of its own. */
typedef enum
{
  CL_KIND_REAL,
  CL_KIND_CPU,
  CL_KIND_SHARES_MEMORY,
  CL_KIND_OWN_MEMORY,
  CL_N_KINDS
} ClKind;

/* Also unsets AMPHISTO_DEVICE for made-up devices: it may name a real one. */
void cldevices_set_kind (ClKind kind);

/* Whether made-up devices have memory of their own. Initially, they share the
 * host's, like the real device. */
void cldevices_set_own_memory (gboolean has_own_memory);

/* Makes the driver allow work-groups of at most `limit` work-items for the
 * kernel of this name on the made-up device; NULL: the real device's limits, as
 * initially. */
void cldevices_limit_kernel (
    const ClDevice *device, const gchar *kernel, gsize limit);

/* Sets the version of made-up devices, which must outlive their use; NULL: the
 * real device's. */
void cldevices_set_version (const gchar *version);

/* For clfaults.c: whether the call of this name fails for the device, and
 * stores the real device. `device` may be a real one, or NULL. */
gboolean cldevices_fails (const gchar *name, cl_device_id device);
cl_device_id cldevices_real (cl_device_id device);
