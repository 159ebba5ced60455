/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Launches kernels on a device: has the kernels, the values bound to their
 * arguments' names, and the queues. One thread uses a launcher at a time.
 *
 * If more than one frame may be in flight, frames overlap: on a device with
 * memory of its own, kernels, uploads and downloads have a queue each; on
 * others, unmapping a finished frame does not wait for the kernels of the next
 * ones. Otherwise all are one queue.
 */

#pragma once

#include "core/plan.h"
#include "opencl/device/helpers.h"
#include "opencl/run/command_queue.h"
#include "opencl/run/kernels.h"

/* The most frames that may be in flight. */
#define AMPHISTO_CL_MAX_FRAMES 8

/* The most threads that work on a frame in the CPU shape. Each has memory of
 * its own to count in. */
#define AMPHISTO_CL_MAX_THREADS 8

/* The value bound to an argument's name: a buffer, not referenced; a number; or
 * local memory, with only a size. */
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

/* Called before a launcher builds a kernel, or waits for another launcher to
 * build it. Either can take seconds if the driver's cache lacks the kernel. */
typedef void (*AmphistoClBuildFunc) (gpointer user_data);

typedef struct
{
  /*< read-only >*/
  AmphistoClDevice *device; /* referenced */
  /* for kernels and small transfers between them, for uploads, for downloads,
   * and to unmap planes of finished frames; some or all may be the same */
  AmphistoClCommandQueue *kernels;
  AmphistoClCommandQueue *uploads;
  AmphistoClCommandQueue *downloads;
  AmphistoClCommandQueue *unmaps;
  AmphistoDivision
      division;    /* of the current plan; at first, for all threads */
  guint n_threads; /* CPU shape: that may work on a frame */
  guint n_frames;  /* in flight, at most */
  guint obstacles; /* for planes.c: logged so far */
  AmphistoClBinding bound[AMPHISTO_CL_N_ARGS];

  /*< private >*/
  AmphistoClCommandQueue queues[3]; /* n_queues in use */
  guint n_queues;
  /* n_helpers in use: one for each helper */
  AmphistoClCommandQueue helper_queues[AMPHISTO_CL_MAX_THREADS - 1];
  guint n_helpers;
  /* by lane: for `kernels`, then for each helper's queue; NULL: not needed */
  cl_kernel kernel[AMPHISTO_CL_MAX_THREADS][AMPHISTO_CL_MAX_KERNELS];
  AmphistoNeeds needs[AMPHISTO_CL_MAX_KERNELS]; /* see program.h */
  AmphistoClBuildFunc on_build;
  gpointer user_data;
} AmphistoClLauncher;

/* Makes a launcher without kernels, for `n_frames` frames in flight.
 * `on_build`, or NULL, is called with `user_data` before each kernel is built.
 *
 * Returns: FALSE with CALL. Clear `self` either way; it must not be moved. */
gboolean amphisto_cl_launcher_init (AmphistoClLauncher *self,
    AmphistoClDevice *device, guint n_frames, AmphistoClBuildFunc on_build,
    gpointer user_data, GError **error);

/* No command may be in flight. */
void amphisto_cl_launcher_clear (AmphistoClLauncher *self);

/* Waits for all enqueued commands. Returns: FALSE with CALL. */
gboolean amphisto_cl_launcher_finish (AmphistoClLauncher *self, GError **error);

/* --- the division of work --- */

/* Limits the threads that work on a frame; 0: no limit. Without effect in the
 * GPU shape. Call before the first plan. */
void amphisto_cl_launcher_limit_threads (
    AmphistoClLauncher *self, guint n_threads);

/* Returns: how frames are divided among n threads, at most `n_threads`. */
AmphistoDivision amphisto_cl_launcher_division (
    const AmphistoClLauncher *self, guint n);

/* Divides the next launches. No frame may be in flight. Add kernels next.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_launcher_divide (
    AmphistoClLauncher *self, const AmphistoDivision *division, GError **error);

/* --- sharing --- */

/* Does `n_parts` parts of a job of the frame. If the device has helpers, they
 * take some; call this, and launch kernels, only between
 * amphisto_cl_helpers_begin() and amphisto_cl_helpers_end() then. `is_last`:
 * the frame has no job after it. */
void amphisto_cl_launcher_share (AmphistoClLauncher *self, guint n_parts,
    AmphistoClPartFunc func, gpointer data, gboolean is_last);

/* --- kernels --- */

/* Builds the kernel for a plan with `needs`, unless the launcher has it. Also
 * launches it once on an empty frame, if no launcher of the device has done so:
 * drivers compile at the first launch. Launchers of a device wait for each
 * other here. No frame may be in flight.
 *
 * Returns: FALSE with BUILD or CALL. */
gboolean amphisto_cl_launcher_add_kernel (AmphistoClLauncher *self,
    AmphistoClKernel kernel, AmphistoNeeds needs, GError **error);

/* Binds a value to an argument's name, for later launches. A buffer must live
 * until these are done. NULL, for a missing plane, becomes some other buffer,
 * which the kernel does not read. */
void amphisto_cl_launcher_bind_buffer (
    AmphistoClLauncher *self, AmphistoClArg arg, cl_mem buffer);
void amphisto_cl_launcher_bind_number (
    AmphistoClLauncher *self, AmphistoClArg arg, cl_uint number);
void amphisto_cl_launcher_bind_local (
    AmphistoClLauncher *self, AmphistoClArg arg, gsize size);

/* Enqueues a kernel that was added, with the values bound to its arguments'
 * names. `is_last`: no other kernel of the frame follows; otherwise another
 * command must follow before a join, since only this one has an event: NVIDIA's
 * driver takes a third longer to launch a kernel with an event.
 *
 * The first launch on a device has the largest number of work-items: PoCL (3.1
 * to 6) compiles a function for a larger number, mixes both up if threads
 * launch them at once, and aborts the process.
 *
 * If the device has helpers, they take a part, and the kernel is done when this
 * returns.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_launcher_launch (AmphistoClLauncher *self,
    AmphistoClKernel kernel, gboolean is_last, GError **error);
