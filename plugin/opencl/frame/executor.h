/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Carries out plans on a device. Each element has an AmphistoClExecutor. It has
 * entries for several frames in flight, numbered from 0; the caller chooses
 * a free one for each frame, and finishes the frames in the order in which it
 * submitted them. One thread may finish frames while another submits the next
 * ones; otherwise one thread at a time may use it.
 */

#pragma once

#include "core/measure/histogram.h"
#include "core/plan.h"
#include "opencl/run/launcher.h"

typedef struct _AmphistoClExecutor AmphistoClExecutor;

/* Makes a launcher on `device`, which stays referenced, with entries for
 * `n_frames` frames in flight, 1 to AMPHISTO_CL_MAX_FRAMES. `on_build`, or
 * NULL, is called with `user_data` before each kernel is built.
 *
 * Returns: (transfer full): the new object, or NULL with BUILD (the device is
 * too small for the kernels) or CALL. */
AmphistoClExecutor *amphisto_cl_executor_new (AmphistoClDevice *device,
    guint n_frames, AmphistoClBuildFunc on_build, gpointer user_data,
    GError **error);

/* Drops the frames in flight. */
void amphisto_cl_executor_free (AmphistoClExecutor *self);

/* CPUs: limits the threads that work on a frame; 0: no limit. Call before the
 * first plan. */
void amphisto_cl_executor_limit_threads (
    AmphistoClExecutor *self, guint n_threads);

/* Plans the work of `settings` on frames of `layout`, as amphisto_plan_init(),
 * divided among as many of the device's threads as pay for it. Call it in the
 * thread that submits, as the next function. */
void amphisto_cl_executor_plan (AmphistoClExecutor *self, AmphistoPlan *plan,
    const AmphistoLayout *layout, const AmphistoSettings *settings);

/* CPUs with helpers: whether another number of threads pays for the plan, which
 * was made last, because frames have begun to come after pauses, or without
 * them. After a pause, cores sleep and caches are cold, so that each thread is
 * dearer. */
gboolean amphisto_cl_executor_has_other_pace (
    const AmphistoClExecutor *self, const AmphistoPlan *plan);

/* How the device divides work among all of its threads, or the work of the plan
 * prepared last. */
const AmphistoDivision *amphisto_cl_executor_division (
    const AmphistoClExecutor *self);

/* Prepares for jobs of `plan`: builds missing kernels, which can take seconds,
 * and makes buffers. No frame may be in flight. A layout without planes means
 * that format and size are not known yet: kernels that depend on them are not
 * built then.
 *
 * Returns: FALSE with BUILD or CALL; the device's state between frames is lost
 * then. */
gboolean amphisto_cl_executor_prepare (
    AmphistoClExecutor *self, const AmphistoPlan *plan, GError **error);

/* Another plan follows, which the next amphisto_cl_executor_submit() prepares
 * for unless amphisto_cl_executor_prepare() has done so. No frame may be in
 * flight. */
void amphisto_cl_executor_invalidate (AmphistoClExecutor *self);

/* Enqueues the job in entry `index`, which must be free. All jobs in flight
 * have the same plan. If the target is not the source, copies the unwritten
 * planes meanwhile. Whole rows of the target are written, but nothing between
 * them. The job, its plan, frames and regions must stay valid until it is
 * finished or dropped, and nobody may change them.
 *
 * Returns: FALSE with BUILD or CALL. Other frames in flight can still be
 * finished then, and have to be finished or dropped before the next call; the
 * device's state between frames is lost. */
gboolean amphisto_cl_executor_submit (AmphistoClExecutor *self, guint index,
    const AmphistoJob *job, GError **error);

/* Waits for the job in entry `index`, the oldest in flight, and frees the
 * entry. The target's pixels are valid then. Stores the histograms of the
 * reported channels, and those of the job's regions of interest in `regions`,
 * one each.
 *
 * Returns: FALSE with CALL; all frames in flight are dropped then. */
gboolean amphisto_cl_executor_finish (AmphistoClExecutor *self, guint index,
    AmphistoHistograms *histograms, AmphistoHistograms *regions,
    GError **error);

/* Waits for the device, and drops all frames in flight. Their histograms and
 * the device's state between frames are lost. */
void amphisto_cl_executor_drop (AmphistoClExecutor *self);
