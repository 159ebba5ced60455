/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Carries plans out on a device. An AmphistoClFrame is one element's; one
 * thread uses it at a time. Frames are submitted and finished in the same
 * order; several may be in flight in between.
 */

#ifndef AMPHISTO_OPENCL_FRAME_H
#define AMPHISTO_OPENCL_FRAME_H

#include "core/histogram.h"
#include "core/plan.h"
#include "opencl/queue.h"

typedef struct _AmphistoClFrame AmphistoClFrame;

/* Makes queues on `device`, which is kept referenced, for `n_frames` in flight,
 * 1 to AMPHISTO_CL_MAX_FRAMES. `on_build`, or NULL, is called with `user_data`
 * before each kernel is built.
 *
 * Returns: (transfer full): the new object, or NULL with BUILD (the device is
 * too small for the kernels) or CALL. */
AmphistoClFrame *amphisto_cl_frame_new (AmphistoClDevice *device,
    guint n_frames, AmphistoClBuildFunc on_build, gpointer user_data,
    GError **error);

/* Drops what is in flight. */
void amphisto_cl_frame_free (AmphistoClFrame *self);

/* How the device divides work, for amphisto_plan_init(). */
const AmphistoDivision *amphisto_cl_frame_division (
    const AmphistoClFrame *self);

/* Gets ready for jobs of `plan`: builds the kernels that are missing, which can
 * take seconds, and makes buffers. Required before the first job of a plan.
 * Nothing may be in flight. If the plan's layout has no planes, its format and
 * size are not known yet: kernels that depend on them are left for later.
 *
 * Returns: FALSE with BUILD or CALL; what the device keeps from frame to frame
 * is lost then. */
gboolean amphisto_cl_frame_prepare (
    AmphistoClFrame *self, const AmphistoPlan *plan, GError **error);

/* Enqueues the job, of the plan prepared last, and meanwhile copies what it
 * does not write to a target that is not the source. Whole rows of the target
 * are written, and nothing between them. Plan, frames and regions must stay and
 * be left alone until the job is finished or dropped. Fewer than `n_frames` may
 * be in flight.
 *
 * Returns: FALSE with BUILD or CALL; everything in flight was dropped then. */
gboolean amphisto_cl_frame_submit (
    AmphistoClFrame *self, const AmphistoJob *job, GError **error);

/* Whether the job that has been in flight the longest is done, or has failed:
 * amphisto_cl_frame_finish() does not have to wait for the device then. */
gboolean amphisto_cl_frame_is_done (const AmphistoClFrame *self);

/* Waits for the job that has been in flight the longest, whose pixels are then
 * in place. Stores the histograms of the channels reported, and those of the
 * job's regions in `regions`, one each.
 *
 * Returns: FALSE with CALL; everything in flight was dropped then. */
gboolean amphisto_cl_frame_finish (AmphistoClFrame *self,
    AmphistoHistograms *histograms, AmphistoHistograms *regions,
    GError **error);

/* Waits until the device has done with everything in flight, and drops it: what
 * was measured is lost, and so is what is kept from frame to frame. */
void amphisto_cl_frame_drop (AmphistoClFrame *self);

#endif
