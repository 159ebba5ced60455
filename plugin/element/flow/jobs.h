/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The plan of a stream, and its jobs on the device: one for each frame that is
 * measured or changed.
 */

#pragma once

#include "opencl/frame/executor.h"
#include "element/report/progress.h"
#include "element/props/settings.h"
#include "element/flow/slot.h"
#include "core/history.h"

/* One thread at a time may use it. All jobs in flight have the same plan. */
typedef struct
{
  /*< read-only >*/
  AmphistoClExecutor *cl_frame; /* NULL: not open */
  AmphistoPlan plan;            /* of the next jobs */

  /*< public >*/
  gboolean composes; /* plans draw scopes on a canvas; set before they are made
                      */

  /*< private >*/
  guint zebra_phase;                /* jobs submitted since the start */
  AmphistoHistory history;          /* of the device's state between frames */
  gboolean verifies;                /* the last job was verified */
  AmphistoReferenceState reference; /* the state as the CPU computes it */
  GstAmphistoProgress progress;     /* of building kernels */
} GstAmphistoJobs;

/* `element` posts the progress messages. It must outlive `self`, which must not
 * be moved. */
void gst_amphisto_jobs_init (GstAmphistoJobs *self, GstElement *element);

void gst_amphisto_jobs_clear (GstAmphistoJobs *self);

/* Begins a stream: makes queues on `device` for `n_frames` frames in flight,
 * unless there are some, and restarts smoothing and the scope's decaying scale.
 * A plan has to be made next.
 *
 * Returns: FALSE with an OpenCL error. */
gboolean gst_amphisto_jobs_open (GstAmphistoJobs *self,
    AmphistoClDevice *device, guint n_frames, GError **error);

/* Releases the queues. No job may be in flight. */
void gst_amphisto_jobs_close (GstAmphistoJobs *self);

/* Makes the plan for frames of `layout`, which may be the last plan's. No
 * job may be in flight. Before the caps are known, the layout has no planes;
 * the plan then has the kernels that do not depend on them. */
void gst_amphisto_jobs_make_plan (GstAmphistoJobs *self,
    const GstAmphistoSettings *settings, const AmphistoLayout *layout);

/* Whether frames of the plan's layout have the same plan with `settings`. */
gboolean gst_amphisto_jobs_has_plan_of (
    const GstAmphistoJobs *self, const GstAmphistoSettings *settings);

/* Prepares the device for the plan, which can take seconds if kernels have to
 * be built. gst_amphisto_jobs_submit() does so unless it was done.
 *
 * Returns: FALSE with an OpenCL error. */
gboolean gst_amphisto_jobs_prepare (GstAmphistoJobs *self, GError **error);

/* Submits the slot's job, which must have begun with this plan. `verifies`: the
 * CPU computes it as well when it is done.
 *
 * Returns: FALSE with an OpenCL error or GST_RESOURCE_ERROR_NO_SPACE_LEFT. The
 * caller then drops the jobs. */
gboolean gst_amphisto_jobs_submit (GstAmphistoJobs *self, GstAmphistoSlot *slot,
    gboolean verifies, GError **error);

/* Whether gst_amphisto_jobs_finish() will not have to wait for the slot, the
 * oldest one in flight. */
gboolean gst_amphisto_jobs_is_done (
    const GstAmphistoJobs *self, const GstAmphistoSlot *slot);

/* Waits for the slot's job, if it has one: the oldest in flight. Stores the
 * histograms, and unmaps the buffers.
 *
 * Returns: FALSE with an OpenCL error, or as gst_amphisto_slot_verify(). The
 * caller then drops the jobs. */
gboolean gst_amphisto_jobs_finish (
    GstAmphistoJobs *self, GstAmphistoSlot *slot, GError **error);

/* Waits for the device and drops all jobs in flight. Restarts smoothing and the
 * scope's decaying scale. */
void gst_amphisto_jobs_drop (GstAmphistoJobs *self);
