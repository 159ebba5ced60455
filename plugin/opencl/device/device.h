/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Open devices. All elements of a process on one device share an
 * AmphistoClDevice, its context and its programs. They stay open for the next
 * element: CPUs as long as the process, other devices for 10 seconds, since an
 * idle process should hold none of their memory. A lost device is freed with
 * the last reference. search.h says which device to open.
 *
 * The frames of other streams ref and unref devices, and look for pinned
 * memory. So none of the locks that this takes is held while a driver is
 * called: drivers take up to seconds.
 */

#pragma once

#include "opencl/device/error.h"
#include "opencl/device/helpers.h"

#include <glib.h>

/* The form of the kernels; plugin/README.md explains the differences. CPU: a
 * work-item runs on a core, with the core's vector unit to itself. GPU:
 * work-items run in lanes. Software renderers have the GPU shape, too: OpenCL
 * reports them as CPUs without vectors. */
typedef enum
{
  AMPHISTO_CL_SHAPE_CPU,
  AMPHISTO_CL_SHAPE_GPU
} AmphistoClShape;

/* Work-items that a compute unit of most GPUs has room for. */
#define AMPHISTO_CL_MAX_COUNTING_ITEMS 1024

/* Bytes of local memory that kernels leave to the driver, which may need some
 * (NVIDIA 580 does). */
#define AMPHISTO_CL_SPARE_LOCAL_MEMORY 1024

/* The most threads that copy to pinned memory, the caller's included. Eight
 * bring half of the bus' speed where a core copies 6 GB/s. */
#define AMPHISTO_CL_MAX_COPIERS 8

/* Buffers for the first launch of kernels. */
#define AMPHISTO_CL_N_EMPTY 5

typedef struct
{
  /*< read-only once the device is made >*/
  cl_device_id id;
  cl_context context;
  char *name; /* as users know it */
  gboolean is_cpu;
  AmphistoClShape shape;
  guint compute_units;         /* CPU: threads that may work on a frame */
  gsize local_memory;          /* bytes a work-group may have */
  gsize constant_memory;       /* bytes a constant buffer may have */
  gsize max_work_group;        /* work-items */
  guint counting_items;        /* GPU shape: work-items of a counting group */
  gsize alignment;             /* bytes; of host memory to import */
  gboolean shares_host_memory; /* host memory can be imported */
  gboolean pins_memory;        /* pinned host memory is copied faster */
  guint n_copiers;             /* threads that help to copy to pinned memory */
  /* reading a rectangle ignores the stride of the rows in host memory */
  gboolean ignores_host_stride;
  gboolean is_pocl;
  /* the driver reports fewer work-items of a kernel than it can launch */
  gboolean understates_groups;
  gboolean can_hold; /* commands can wait for an event that the host sets */
  /* for CPUs whose driver runs commands in the thread that enqueues them; NULL:
   * nobody helps that thread */
  AmphistoClHelpers *helpers; /* owned */

  guint number; /* unique in the process: addresses recur */

  /*< private >*/
  gint ref_count;    /* atomic; 0: the device is idle */
  gint is_lost;      /* atomic */
  gint64 idle_until; /* idle: the time to close it, or G_MAXINT64 */
  gint process;      /* that has opened it: its children can't use it */
  /* held while programs are built, and kernels launched first: only by those
   * who lack one */
  GRecMutex build_lock;
  cl_mem empty_frame[AMPHISTO_CL_N_EMPTY]; /* launcher.c's, or NULL; owned */
  /* for program.c and launcher.c */
  struct
  {
    GMutex lock;
    GHashTable *programs; /* cl_program, owned */
    GHashTable *kernels;  /* set of kernels that were launched */
  } built;
  GThreadPool *copiers; /* staging.c's, or NULL; atomic, owned */
  /* for planes.c: host memory that is imported; unused on CPUs */
  struct
  {
    GMutex lock;
    GSList *blocks; /* of AmphistoBlock, not owned */
  } imported;
  /* for host.c */
  struct
  {
    GMutex lock;
    GMutex queue_lock;      /* held while the queue is made */
    cl_command_queue queue; /* for mapping and unmapping, or NULL; owned */
    GQueue kept;            /* of AmphistoClHost, the last used first; owned */
    gsize total;            /* bytes pinned, in use and kept */
    gboolean was_full;      /* memory was not pinned because of the limit */
    GSList *ranges;         /* of AmphistoClRange, not owned */
  } pinned;
  GSList *pins; /* for host.c: of AmphistoClPin, not owned */
} AmphistoClDevice;

/* Held while devices are listed, and contexts made and released: PoCL (3.1)
 * shows a device to other threads while it is being initialized. */
extern GMutex amphisto_cl_drivers_lock;

/* The variable in the environment with the seconds that every device stays open
 * after its last user, instead of the defaults above. */
#define AMPHISTO_CL_KEEP_OPEN "AMPHISTO_KEEP_OPEN"

/* Which device to open. PoCL has several drivers for one CPU; see drivers.h. */
typedef struct
{
  cl_platform_id platform;
  cl_device_id id;
  /* the same CPU on the driver without threads, which then runs the kernels;
   * or NULL */
  cl_device_id inline_id;
  const char *name;
} AmphistoClDeviceId;

/* Opens the device, or refs it if it is still open and not lost.
 *
 * Returns: (transfer full): the device, or NULL with NOT_FOUND (it can't be
 * used) or CALL. The message does not name the device. */
AmphistoClDevice *amphisto_cl_device_open (
    const AmphistoClDeviceId *which, GError **error);

/* Returns: (transfer full): the device. */
AmphistoClDevice *amphisto_cl_device_ref (AmphistoClDevice *device);

/* The last reference also gives up pinned memory (host.h). */
void amphisto_cl_device_unref (AmphistoClDevice *device);

/* Marks the device as failed: its context is no longer trusted. Elements that
 * hold it may go on; amphisto_cl_device_open() opens it anew. */
void amphisto_cl_device_mark_lost (AmphistoClDevice *device);
gboolean amphisto_cl_device_is_lost (AmphistoClDevice *device);
