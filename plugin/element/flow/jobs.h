/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The plan of a stream, and its jobs on the device: one for each frame that is
 * measured or changed.
 */

#pragma once

#include "core/history.h"
#include "element/flow/inflight.h"

/* One thread at a time may use it. All jobs in flight have the same plan. */
typedef struct
{
  /*< read-only >*/
  AmphistoClExecutor *executor; /* NULL: not open */
  AmphistoPlan plan;            /* of the next jobs */

  /*< public >*/
  /* set before it is opened */
  guint n_frames;    /* in flight, at most */
  guint n_threads;   /* that work on a frame of a CPU, at most; 0: any number */
  gboolean composes; /* plans draw scopes on a canvas; set before they are made
                      */
  /* With scopes-only, the output's size in pixels; set before plans are made.
   */
  guint output_width;
  guint output_height;

  /* the device's state between frames; cleared when jobs are dropped */
  AmphistoHistory history;
  AmphistoReferenceState reference_state; /* the same as the CPU computes it */

  /*< private >*/
  guint stripe_phase; /* jobs submitted since the start */
  gboolean verifies;  /* the last job was verified */
  GstElement *element;
  /* of a build */
  GThread *notice; /* announces it; joined at its end */
  GMutex lock;     /* protects the fields below while `notice` runs */
  GCond built;     /* it has ended */
  gboolean is_building;
  gboolean is_announced;
} GstAmphistoJobs;

/* `element` posts progress messages if building kernels takes longer than half
 * a second: START, and then COMPLETE or ERROR. It must outlive `self`, which
 * must not be moved. */
void gst_amphisto_jobs_init (GstAmphistoJobs *self, GstElement *element);

void gst_amphisto_jobs_clear (GstAmphistoJobs *self);

/* Begins a stream: makes queues on `device`, unless there are some, and
 * restarts the mean, the scope's scale and the comparison with the previous
 * frame. A plan has to be made next.
 *
 * Returns: FALSE with an OpenCL error. */
gboolean gst_amphisto_jobs_open (
    GstAmphistoJobs *self, AmphistoClDevice *device, GError **error);

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

/* Submits the job of a frame, which must have begun with this plan.
 *
 * Returns: FALSE with an OpenCL error or GST_RESOURCE_ERROR_NO_SPACE_LEFT. The
 * caller then drops the frames in flight. */
gboolean gst_amphisto_jobs_submit (
    GstAmphistoJobs *self, GstAmphistoInFlight *frame, GError **error);
