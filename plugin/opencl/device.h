/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The OpenCL devices of the process. All elements on a device share one
 * AmphistoClDevice, its context and its program; it goes with the last of them.
 */

#ifndef AMPHISTO_OPENCL_DEVICE_H
#define AMPHISTO_OPENCL_DEVICE_H

#include "opencl/error.h"
#include "opencl/kernels.h"

/* Which form of the kernels a device gets; cl/histogram.cl says how they
 * differ. CPU is for devices that run a work-item on a core, with the core's
 * vectors for it alone. GPU is for all that run work-items in lanes, which
 * software renderers do too: to OpenCL they are CPUs without vectors. */
typedef enum
{
  AMPHISTO_CL_SHAPE_CPU,
  AMPHISTO_CL_SHAPE_GPU
} AmphistoClShape;

typedef struct
{
  /*< read-only once the device is made >*/
  cl_device_id id;
  cl_context context;
  char *name; /* as the driver calls it */
  gboolean is_cpu;
  AmphistoClShape shape;
  guint compute_units;
  gsize local_memory;    /* bytes a work-group may have */
  gsize constant_memory; /* bytes a constant buffer may have */
  gsize max_work_group;  /* work-items */
  gsize alignment;       /* bytes; where the device wants buffers to begin */
  gboolean shares_host_memory; /* buffers can be the host's own memory */

  /*< private >*/
  gint ref_count; /* under the lock of the table of devices */
  /* Guards what is built, and is held while it is. */
  GRecMutex lock;
  cl_program program[AMPHISTO_CL_N_PROGRAMS]; /* or NULL; owned */
  gboolean was_launched[AMPHISTO_CL_N_KERNELS];
} AmphistoClDevice;

/* The device that `choice` names:
 *
 * - NULL or "": what the environment's AMPHISTO_DEVICE names; where that is
 *   unset too, the first GPU, else accelerator, else CPU
 * - "gpu", "accelerator", "cpu": the first of that type
 * - "P.D": device D of platform P, as `clinfo -l` counts
 * - else the first whose name, or whose platform's name, has it in it, any case
 *
 * Returns: (transfer full): a reference, or NULL with NOT_FOUND (its message
 * lists the devices there are) or CALL. */
AmphistoClDevice *amphisto_cl_device_get (const char *choice, GError **error);

/* Returns: (transfer full): the device, with one more reference. */
AmphistoClDevice *amphisto_cl_device_ref (AmphistoClDevice *device);

void amphisto_cl_device_unref (AmphistoClDevice *device);

#endif
