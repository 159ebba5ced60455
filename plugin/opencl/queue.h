/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Queues on a device, with kernels of their own and what they are given. One
 * thread uses them at a time.
 *
 * Kernels, uploads and downloads have a queue each where the device has memory
 * of its own and more than one frame may be in flight: so frames overlap. Else
 * the three are one queue.
 */

#ifndef AMPHISTO_OPENCL_QUEUE_H
#define AMPHISTO_OPENCL_QUEUE_H

#include "core/plan.h"
#include "opencl/commands.h"
#include "opencl/host.h"
#include "opencl/kernels.h"

/* The most frames that may be in flight. */
#define AMPHISTO_CL_MAX_FRAMES 8

/* What a name among the arguments stands for: a buffer, not referenced; a
 * number; or local memory, with only a size. */
typedef struct
{
  enum
  {
    AMPHISTO_CL_BUFFER,
    AMPHISTO_CL_NUMBER,
    AMPHISTO_CL_LOCAL
  } kind;
  gsize size;
  union
  {
    cl_mem buffer;
    cl_uint number;
  } value;
} AmphistoClBinding;

/* A kernel is about to be built, or waited for while another queue builds it:
 * up to seconds, where the driver's cache lacks it. */
typedef void (*AmphistoClBuildFunc) (gpointer user_data);

typedef struct
{
  /*< read-only >*/
  AmphistoClDevice *device; /* referenced */
  /* for kernels and small transfers between them, for uploads, and for
   * downloads; perhaps one for all */
  AmphistoClCommands *kernels;
  AmphistoClCommands *uploads;
  AmphistoClCommands *downloads;
  AmphistoDivision division;
  guint n_frames; /* that may be in flight */

  /*< private >*/
  AmphistoClCommands commands[3]; /* those in use */
  guint n_commands;
  cl_kernel kernel[AMPHISTO_CL_N_KERNELS];
  AmphistoClBinding bound[AMPHISTO_CL_N_ARGS];
  AmphistoClBuildFunc on_build;
  gpointer user_data;
} AmphistoClQueue;

/* Makes queues without kernels, for `n_frames` frames in flight. `on_build`, or
 * NULL, is called with `user_data` before each kernel is built.
 *
 * Returns: FALSE with CALL; the queue, which must not be moved, is to be
 * cleared either way. */
gboolean amphisto_cl_queue_init (AmphistoClQueue *self,
    AmphistoClDevice *device, guint n_frames, AmphistoClBuildFunc on_build,
    gpointer user_data, GError **error);

/* Nothing may be in flight. */
void amphisto_cl_queue_clear (AmphistoClQueue *self);

/* Waits for everything that was enqueued. Returns: FALSE with CALL. */
gboolean amphisto_cl_queue_finish (AmphistoClQueue *self, GError **error);

/* --- kernels --- */

/* Builds the kernel, unless the queue has it, and launches it once on an empty
 * frame if no queue of the device has yet: drivers compile at the first launch.
 * Queues of a device wait for each other here.
 *
 * Returns: FALSE with BUILD or CALL. */
gboolean amphisto_cl_queue_add_kernel (
    AmphistoClQueue *self, AmphistoClKernel kernel, GError **error);

/* Binds a value to an argument's name, for the launches to come. A buffer must
 * live until they are done; NULL, for a plane that is not there, becomes some
 * other buffer that the kernel does not look at. */
void amphisto_cl_queue_bind_buffer (
    AmphistoClQueue *self, AmphistoClArg arg, cl_mem buffer);
void amphisto_cl_queue_bind_number (
    AmphistoClQueue *self, AmphistoClArg arg, cl_uint number);
void amphisto_cl_queue_bind_local (
    AmphistoClQueue *self, AmphistoClArg arg, gsize size);

/* The buffer bound to the name. */
cl_mem amphisto_cl_queue_bound_buffer (
    const AmphistoClQueue *self, AmphistoClArg arg);

/* Enqueues a kernel that was added, with what is bound to its arguments' names.
 * It always has the same number of work-items: PoCL (3.1 to 6) mixes up the
 * functions that it makes for different ones when threads launch them at once,
 * and aborts the process.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_queue_launch (
    AmphistoClQueue *self, AmphistoClKernel kernel, GError **error);

/* --- buffers --- */

/* Returns: (transfer full): a buffer of `size` bytes, or NULL with CALL. `host`
 * is what `flags` say. */
cl_mem amphisto_cl_queue_new_buffer (AmphistoClQueue *self, cl_mem_flags flags,
    gsize size, void *host, GError **error);

/* Releases the buffer, if it is not NULL, and makes it NULL. */
void amphisto_cl_buffer_clear (cl_mem *buffer);

/* A buffer that is kept from frame to frame, and only grows. At first, zeros,
 * or with `flags`; `buffer` is to be cleared. */
typedef struct
{
  cl_mem buffer;
  gsize size;
  cl_mem_flags flags; /* how kernels use it; 0: they read and write */
} AmphistoClReserve;

/* Makes the buffer one of at least `size` bytes. If it has to grow, what it
 * holds is lost.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_queue_reserve (AmphistoClQueue *self,
    AmphistoClReserve *reserve, gsize size, GError **error);

/* The same, and binds the buffer to `arg`. */
gboolean amphisto_cl_queue_reserve_arg (AmphistoClQueue *self,
    AmphistoClReserve *reserve, AmphistoClArg arg, gsize size, GError **error);

/* Makes `*host`, which may be NULL, transfer memory of at least `size` bytes.
 * If it has to grow, what it holds is lost; no transfer may use it then.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_queue_reserve_host (
    AmphistoClQueue *self, AmphistoClHost **host, gsize size, GError **error);

/* Read-only parameters on the device, and what the host knows of them. At
 * first, zeros; to be cleared. */
typedef struct
{
  cl_mem buffer;
  AmphistoClHost *host;
  gsize size;           /* of the buffer */
  gboolean is_uploaded; /* `host` holds the same as the buffer */
} AmphistoClParams;

void amphisto_cl_params_clear (AmphistoClParams *params);

/* Enqueues that `size` bytes are uploaded, if they are not what the device has,
 * and binds their buffer, a new one if it has another size, to `arg`. All bytes
 * are compared: there must be no padding. Frames that use them must be done.
 * Clear `params` if the upload fails later.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_queue_upload (AmphistoClQueue *self,
    AmphistoClParams *params, AmphistoClArg arg, const void *data, gsize size,
    GError **error);

#endif
