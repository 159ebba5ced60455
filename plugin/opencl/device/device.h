/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Open devices. An AmphistoClDevice is a device in a context, with its
 * programs. Elements of a process share it: all elements on a CPU; on another
 * device, a few contexts are opened as elements come, since a driver may let
 * the users of a context wait for each other (NVIDIA 580). They stay open for
 * the next element: CPUs as long as the process, others for 10 seconds, since
 * an idle process should hold none of their memory. A lost device is freed with
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

/* Users of a context, before another one is opened, and the most contexts of a
 * device: min (8, ceil (users / 2)) contexts. A CPU has one: its kernels run in
 * the users' threads. */
#define AMPHISTO_CL_CONTEXT_USERS 2
#define AMPHISTO_CL_MAX_CONTEXTS 8

/* Buffers for the first launch of kernels. */
#define AMPHISTO_CL_N_EMPTY 5

/* What the contexts of one device share. */
typedef struct
{
  cl_device_id id;
  gint process;     /* that has opened it: its children can't use it */
  guint n_contexts; /* that use it; protected by device.c's lock */

  /* held while programs are built, and kernels launched first: only by those
   * who lack one. What one context has built, the driver's cache has for the
   * next. */
  GRecMutex build_lock;
  GThreadPool *copiers; /* staging.c's, or NULL; atomic, owned */
  /* for planes.c: host memory that is imported; unused on CPUs */
  struct
  {
    GMutex lock;
    GSList *blocks; /* of AmphistoBlock, not owned */
  } imported;
} AmphistoClShared;

typedef struct _AmphistoClDevice AmphistoClDevice;

struct _AmphistoClDevice
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
  AmphistoClShared *shared;
  /* the context in which memory is pinned, for all of the device: this one, or
   * another one, of which it has a reference */
  AmphistoClDevice *home;

  /*< private >*/
  gint ref_count;    /* atomic; 0: the device is idle */
  guint n_users;     /* that have opened it, and not closed */
  gint is_lost;      /* atomic */
  gint64 idle_until; /* idle: the time to close it, or G_MAXINT64 */
  cl_mem empty_frame[AMPHISTO_CL_N_EMPTY]; /* launcher.c's, or NULL; owned */
  /* for program.c and launcher.c */
  struct
  {
    GMutex lock;
    GHashTable *programs; /* cl_program, owned */
    GHashTable *kernels;  /* set of kernels that were launched */
  } built;
  /* for host.c; used in the home */
  struct
  {
    GMutex lock;
    gsize limit;            /* bytes that may be pinned; read-only */
    gsize total;            /* bytes pinned, in use and kept */
    gboolean was_full;      /* memory was not pinned because of the limit */
    GQueue kept;            /* of AmphistoClHost, the last used first; owned */
    GSList *ranges;         /* of AmphistoClRange, not owned */
    GMutex queue_lock;      /* held while the queue is made */
    cl_command_queue queue; /* for mapping and unmapping, or NULL; owned */
  } pinned;
  GSList *pins; /* for host.c: of AmphistoClPin, not owned */
};

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

/* Adds a user to the device: to a context that is open and not lost and has
 * room, the fullest first, so that others become idle; else to another one; if
 * there may be no more, or the driver refuses, to the one with the fewest
 * users.
 *
 * Returns: (transfer full): the device, to be closed, or NULL with NOT_FOUND
 * (it can't be used) or CALL. The message does not name the device. */
AmphistoClDevice *amphisto_cl_device_open (
    const AmphistoClDeviceId *which, GError **error);

/* Removes a user, and unrefs the device. */
void amphisto_cl_device_close (AmphistoClDevice *device);

/* Returns: (transfer full): the device. */
AmphistoClDevice *amphisto_cl_device_ref (AmphistoClDevice *device);

/* The last reference also gives up pinned memory (host.h). */
void amphisto_cl_device_unref (AmphistoClDevice *device);

/* Marks the device as failed: its context is no longer trusted, and neither are
 * the others that it has now, since nothing says whether only this one has
 * failed. Elements that hold them may go on; amphisto_cl_device_open() opens
 * the device anew. */
void amphisto_cl_device_mark_lost (AmphistoClDevice *device);
gboolean amphisto_cl_device_is_lost (AmphistoClDevice *device);
