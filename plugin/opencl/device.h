/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Open devices. All elements of a process on one device share an
 * AmphistoClDevice, its context and its programs; the last one to unref it
 * frees it. search.h says which device to open.
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

/* As many as a compute unit of most GPUs has room for. */
#define AMPHISTO_CL_MAX_COUNTING_ITEMS 1024

/* Bytes of local memory that kernels leave to the driver, which may keep some
 * of the device's (NVIDIA 580 does). */
#define AMPHISTO_CL_SPARE_LOCAL_MEMORY 1024

/* Buffers for the first launch of kernels. */
#define AMPHISTO_CL_N_EMPTY 5

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
  guint counting_items;  /* GPU shape: those of a group that counts a frame */
  gsize alignment;       /* bytes, of the host memory of imported buffers */
  gboolean shares_host_memory; /* buffers can be host memory */
  gboolean pins_memory; /* host memory is copied fastest where it is pinned */
  /* rectangles are read into the host's memory without gaps between the rows */
  gboolean ignores_host_stride;
  gboolean is_pocl;
  /* a kernel's limit of work-items is not what the driver says */
  gboolean understates_groups;
  gboolean can_hold; /* commands may wait for an event that the host sets */

  /*< private >*/
  /* under amphisto_cl_devices_lock */
  gint ref_count;
  gboolean is_lost;
  /* Guards what is built, and is held while it is. */
  GRecMutex lock;
  cl_program program[AMPHISTO_CL_N_PROGRAMS]; /* or NULL; owned */
  gboolean was_launched[AMPHISTO_CL_N_KERNELS];
  cl_mem empty_frame[AMPHISTO_CL_N_EMPTY]; /* queue.c's, or NULL; owned */
  /* planes.c's: blocks of host memory that there are buffers of; not of CPUs */
  struct
  {
    GMutex lock;
    GSList *blocks; /* of AmphistoBlock, not owned */
  } imported;
  /* host.c's */
  struct
  {
    GMutex lock;            /* not held while the driver pins or unpins */
    cl_command_queue queue; /* that maps and unmaps, or NULL; owned */
    GQueue kept;            /* of AmphistoClHost, used last first; owned */
    gsize total;            /* bytes pinned, in use and kept */
  } pinned;
} AmphistoClDevice;

/* Held while devices are listed, opened and freed: PoCL (3.1) shows a device to
 * other threads while it is being initialized. */
extern GMutex amphisto_cl_devices_lock;

/* Opens the device, or refs it if it is open and not lost.
 *
 * Returns: (transfer full): the device, or NULL with NOT_FOUND (it is of no
 * use) or CALL. The message does not name the device. */
AmphistoClDevice *amphisto_cl_device_open (
    cl_platform_id platform, cl_device_id id, const char *name, GError **error);

/* Returns: (transfer full): the device. */
AmphistoClDevice *amphisto_cl_device_ref (AmphistoClDevice *device);

void amphisto_cl_device_unref (AmphistoClDevice *device);

/* Says that the device failed: nobody knows what its context is good for. Those
 * who hold it may go on; amphisto_cl_device_open() makes a new one. */
void amphisto_cl_device_mark_lost (AmphistoClDevice *device);
gboolean amphisto_cl_device_is_lost (AmphistoClDevice *device);

#endif
