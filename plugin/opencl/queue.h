/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A queue on a device, with kernels of its own: what one thread needs to have
 * the device do something.
 */

#ifndef AMPHISTO_OPENCL_QUEUE_H
#define AMPHISTO_OPENCL_QUEUE_H

#include "opencl/device.h"

typedef enum
{
  AMPHISTO_CALCULATE_HISTOGRAM,
  AMPHISTO_MERGE_HISTOGRAM, /* GPU shape */
  AMPHISTO_CALCULATE_REGIONS,
  AMPHISTO_EQUALIZE_LUT,
  AMPHISTO_MATCH_LUT,
  AMPHISTO_FIND_CUT,
  AMPHISTO_SMOOTH_BINS,
  AMPHISTO_APPLY_LUT,
  AMPHISTO_APPLY_LUMA_DELTA,
  AMPHISTO_COUNT_TILES,
  AMPHISTO_MERGE_TILES,
  AMPHISTO_SUM_TILES,
  AMPHISTO_EQUALIZE_TILES,
  AMPHISTO_APPLY_TILES,
  AMPHISTO_APPLY_TILES_DELTA,
  AMPHISTO_CALCULATE_CURVES,
  AMPHISTO_DRAW_OVERLAY,
  AMPHISTO_DRAW_ZEBRA,
  AMPHISTO_N_KERNELS
} AmphistoClKernel;

typedef struct
{
  /*< read-only >*/
  AmphistoClDevice *device; /* referenced */
  cl_command_queue queue;
  gboolean is_gpu_shape;
  /* Work-groups that share a frame's rows to count them. CPU shape: a core and
   * a work-item each. */
  guint n_groups;
  /* Work-groups that share what changes pixels. */
  guint n_shares;

  /*< private >*/
  cl_kernel kernel[AMPHISTO_N_KERNELS];
} AmphistoClQueue;

/* Work-items of a work-group in the GPU shape. */
#define AMPHISTO_CL_GROUP_SIZE 256

/* Makes a queue and the kernels of the device's shape.
 *
 * Returns: FALSE with BUILD or CALL; the queue is to be cleared either way. */
gboolean amphisto_cl_queue_init (
    AmphistoClQueue *self, AmphistoClDevice *device, GError **error);

/* Nothing may be in flight. */
void amphisto_cl_queue_clear (AmphistoClQueue *self);

/* Returns: (transfer full): a buffer of `size` bytes, or NULL with CALL. `host`
 * is what `flags` say. */
cl_mem amphisto_cl_queue_new_buffer (AmphistoClQueue *self, cl_mem_flags flags,
    gsize size, void *host, GError **error);

/* Releases the buffer, if it is not NULL, and makes it NULL. */
void amphisto_cl_buffer_clear (cl_mem *buffer);

/* A buffer that is kept from frame to frame, and only grows: at first, zeros;
 * `buffer` is to be cleared. */
typedef struct
{
  cl_mem buffer;
  gsize size;
} AmphistoClReserve;

/* Makes the buffer one of at least `size` bytes. If it has to grow, what it
 * holds is not kept.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_queue_reserve (AmphistoClQueue *self,
    AmphistoClReserve *reserve, gsize size, GError **error);

/* Makes `size` bytes from `data` on the buffer's first, when what is in flight
 * is done. They must stay until then.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_queue_write (AmphistoClQueue *self, cl_mem buffer,
    const void *data, gsize size, GError **error);

/* Makes `buffer` the kernel's argument `index`, from the next launch on.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_queue_set_buffer (AmphistoClQueue *self,
    AmphistoClKernel kernel, guint index, cl_mem buffer, GError **error);

/* The same for `n` buffers, the arguments from `index` on. Where one is NULL, a
 * plane that the kernel does not look at, it gets `other`, which can be any. */
gboolean amphisto_cl_queue_set_planes (AmphistoClQueue *self,
    AmphistoClKernel kernel, guint index, const cl_mem *planes, guint n,
    cl_mem other, GError **error);

/* The same for `size` bytes of local memory. */
gboolean amphisto_cl_queue_set_local (AmphistoClQueue *self,
    AmphistoClKernel kernel, guint index, gsize size, GError **error);

/* The same for a number. */
gboolean amphisto_cl_queue_set_uint (AmphistoClQueue *self,
    AmphistoClKernel kernel, guint index, cl_uint number, GError **error);

/* Enqueues `kernel` in n_groups work-groups of group_size work-items. A kernel
 * must always be launched with the same sizes: PoCL (3.1 to 6) mixes up the
 * work-group functions that it makes for different ones when threads launch
 * them at once, and aborts the process.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_queue_launch (AmphistoClQueue *self,
    AmphistoClKernel kernel, gsize n_groups, gsize group_size, GError **error);

/* Enqueues a kernel whose work-groups share out rows, or tiles. */
gboolean amphisto_cl_queue_launch_on_rows (
    AmphistoClQueue *self, AmphistoClKernel kernel, GError **error);

/* Waits for all that was enqueued. */
void amphisto_cl_queue_finish (AmphistoClQueue *self);

#endif
