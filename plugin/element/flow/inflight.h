/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A frame in flight, from its arrival until it is sent on: its buffers, its
 * job, and its measurement.
 */

#pragma once

#include <gst/video/video.h>

#include "core/verify.h"
#include "element/memory/mapping.h"
#include "element/report/measurement.h"
#include "opencl/frame/executor.h"

typedef struct
{
  /*< public >*/
  guint entry;       /* its number in the ring and in the executor */
  GstBuffer *inbuf;  /* owned */
  GstBuffer *outbuf; /* owned; it may be `inbuf` */
  GstBuffer *canvas; /* owned; NULL: the plan has none */
  gboolean is_gap;   /* without a frame: neither measured nor reported */
  GstAmphistoMeasurement measurement;
  GstAmphistoMap in; /* the crop is set when the buffers are */
  GstAmphistoMap out;
  AmphistoJob job;

  /*< private >*/
  AmphistoClExecutor *executor; /* of the job in progress, which keeps the
                                 * buffers mapped; NULL: no job */
  gboolean completes_target;    /* it is interlaced and holds all rows */
  GstMapInfo canvas_map;
  AmphistoVerifyCopy copy; /* of the source, if the result will be verified */
} GstAmphistoInFlight;

/* Maps the buffers' planes that the plan needs; all of them if the result will
 * be verified. Sets the job's plan, frames and regions of interest. The caller
 * sets the fields that depend on earlier frames. The buffers hold frames of
 * `info` and of the plan's layout; the output of scopes alone is of `out_info`
 * and of the canvas's layout. `keeps_memory`: see GstAmphistoMap. `plan`
 * and `executor` must outlive the job.
 *
 * Returns: FALSE with GST_RESOURCE_ERROR_READ or GST_RESOURCE_ERROR_WRITE, and
 * nothing mapped. */
gboolean gst_amphisto_in_flight_begin_job (GstAmphistoInFlight *self,
    AmphistoClExecutor *executor, const AmphistoPlan *plan,
    const GstVideoInfo *info, const GstVideoInfo *out_info,
    gboolean keeps_memory, GError **error);

/* Submits the job. First copies the source if the result will be verified: the
 * job may work in place.
 *
 * Returns: FALSE with an OpenCL error or GST_RESOURCE_ERROR_NO_SPACE_LEFT. */
gboolean gst_amphisto_in_flight_submit_job (
    GstAmphistoInFlight *self, GError **error);

/* Waits for the job, if there is one: the oldest in flight. Stores the
 * histograms, and unmaps the buffers. With `verify`, checks the result against
 * the reference, and advances its `state` by this frame.
 *
 * Returns: FALSE with an OpenCL error, GST_LIBRARY_ERROR_FAILED (the result is
 * wrong) or GST_RESOURCE_ERROR_NO_SPACE_LEFT. */
gboolean gst_amphisto_in_flight_end_job (
    GstAmphistoInFlight *self, AmphistoReferenceState *state, GError **error);

/* Takes the buffer to send on, and clears the rest. Returns: (transfer full):
 * the buffer. */
GstBuffer *gst_amphisto_in_flight_take_buffer (GstAmphistoInFlight *self);

/* Releases everything. If the job has not ended, waits for the device, and
 * drops all frames in flight there. */
void gst_amphisto_in_flight_clear (GstAmphistoInFlight *self);
