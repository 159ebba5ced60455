/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * OpenCL devices. All elements of a process on one device share an
 * AmphistoClDevice, its context and its programs; the last one to unref it
 * frees it.
 */

#ifndef AMPHISTO_OPENCL_DEVICE_H
#define AMPHISTO_OPENCL_DEVICE_H

#include "opencl/error.h"
#include "opencl/kernels.h"

/* The form of the kernels; plugin/README.md says how the two differ. CPU: for
 * devices that run a work-item on a core, with the core's vectors to itself.
 * GPU: for devices that run work-items in lanes. Software renderers do that
 * too; to OpenCL they are CPUs without vectors. */
typedef enum
{
  AMPHISTO_CL_SHAPE_CPU,
  AMPHISTO_CL_SHAPE_GPU
} AmphistoClShape;

/* Buffers for the first launch of kernels. */
#define AMPHISTO_CL_N_EMPTY 4

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
  gsize alignment;       /* bytes, of the host memory of imported buffers */
  gboolean shares_host_memory; /* buffers can be host memory */

  /*< private >*/
  gint ref_count; /* under the lock of the table of devices */
  /* Guards what is built, and is held while it is. */
  GRecMutex lock;
  cl_program program[AMPHISTO_CL_N_PROGRAMS]; /* or NULL; owned */
  gboolean was_launched[AMPHISTO_CL_N_KERNELS];
  cl_mem empty_frame[AMPHISTO_CL_N_EMPTY]; /* queue.c's, or NULL; owned */
} AmphistoClDevice;

/* Opens the device that `choice` names, or refs it if it is open:
 *
 * - NULL or "": the one that AMPHISTO_DEVICE in the environment names; if that
 *   is unset too, the first GPU, else accelerator, else CPU
 * - "gpu", "accelerator", "cpu": the first of that type
 * - "P.D": device D of platform P, as numbered by `clinfo -l`
 * - else the first one with `choice` in its name or its platform's, in any case
 *
 * Returns: (transfer full): the device, or NULL with NOT_FOUND, whose message
 * lists the devices that exist, or CALL. */
AmphistoClDevice *amphisto_cl_device_get (const char *choice, GError **error);

/* Returns: (transfer full): the device. */
AmphistoClDevice *amphisto_cl_device_ref (AmphistoClDevice *device);

void amphisto_cl_device_unref (AmphistoClDevice *device);

#endif
