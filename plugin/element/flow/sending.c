/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/flow/private.h"

/* Both threads may post errors. After an error of the task, frames in flight
 * are dropped. */
static GstFlowReturn
post_error (GstAmphisto *self, const GError *error)
{
  self->has_failed = TRUE;
  gst_amphisto_device_post_error (
      &self->device, error, GST_LIBRARY_ERROR_FAILED);
  return GST_FLOW_ERROR;
}

/* For POSITION queries. A frame without a timestamp leaves the position as it
 * is. */
static void
set_position (GstAmphisto *self, GstClockTime position)
{
  if (!GST_CLOCK_TIME_IS_VALID (position))
    return;
  GST_OBJECT_LOCK (self);
  self->position = position;
  GST_OBJECT_UNLOCK (self);
}

/* Waits for the device. */
static GstFlowReturn
end_job (GstAmphisto *self, GstAmphistoInFlight *frame)
{
  g_autoptr (GError) error = NULL;

  if (gst_amphisto_in_flight_end_job (
          frame, &self->jobs.reference_state, &error))
    return GST_FLOW_OK;
  return post_error (self, error);
}

/* Reports a frame whose job has ended. */
static GstFlowReturn
report (GstAmphisto *self, GstAmphistoInFlight *frame, GstBuffer **buffer)
{
  if (!frame->is_gap
      && !gst_amphisto_report_frame (&self->report, &frame->measurement,
          &self->jobs.plan, frame->canvas, frame->outbuf))
    return GST_FLOW_ERROR;
  GST_LOG_OBJECT (self,
      "measured %" GST_PTR_FORMAT ", sent on %" GST_PTR_FORMAT, frame->inbuf,
      frame->outbuf);
  self->has_failed = FALSE;
  set_position (self, frame->measurement.times.end);
  *buffer = gst_amphisto_in_flight_take_buffer (frame);
  return GST_FLOW_OK;
}

GstFlowReturn
gst_amphisto_finish (
    GstAmphisto *self, GstAmphistoInFlight *frame, GstBuffer **buffer)
{
  const GstFlowReturn ret = end_job (self, frame);

  return ret == GST_FLOW_OK ? report (self, frame, buffer) : ret;
}

/* Sends the oldest frame on; drops it if an earlier one has failed. Called by
 * the source pad's task. The streaming thread submits the next frame while this
 * one is reported. The base class counts only buffers that it sends itself as
 * processed, in QOS messages. */
static void
send_next (gpointer user_data)
{
  GstAmphisto *self = user_data;
  GstAmphistoInFlight *frame = gst_amphisto_ring_await (&self->ring);
  GstFlowReturn ret = gst_amphisto_ring_flow (&self->ring);
  GstBuffer *buffer;

  if (frame == NULL)
    return;
  if (ret == GST_FLOW_OK)
    ret = end_job (self, frame);
  if (ret != GST_FLOW_OK) /* the executor's entry must be free */
    gst_amphisto_in_flight_clear (frame);
  gst_amphisto_ring_pop (&self->ring);
  if (ret == GST_FLOW_OK)
    ret = report (self, frame, &buffer);
  gst_amphisto_in_flight_clear (frame);
  if (ret == GST_FLOW_OK)
    ret = gst_pad_push (GST_BASE_TRANSFORM_SRC_PAD (self), buffer);
  gst_amphisto_ring_end_sending (&self->ring, ret);
}

gboolean
gst_amphisto_start_sending (GstAmphisto *self)
{
  return gst_amphisto_ring_start_task (&self->ring, send_next, self);
}

void
gst_amphisto_drain (GstAmphisto *self)
{
  const GstFlowReturn flow = gst_amphisto_ring_drain (&self->ring);

  if (flow != GST_FLOW_OK)
    GST_DEBUG_OBJECT (self, "sending ended with %s", gst_flow_get_name (flow));
}

void
gst_amphisto_restart (GstAmphisto *self)
{
  gst_amphisto_drain (self);
  gst_amphisto_ring_reset (&self->ring);
  amphisto_history_clear (&self->jobs.history);
}

GstFlowReturn
gst_amphisto_take_flow (GstAmphisto *self)
{
  const GstFlowReturn flow = gst_amphisto_ring_flow (&self->ring);

  if (flow != GST_FLOW_OK)
    gst_amphisto_restart (self);
  return flow;
}

GstFlowReturn
gst_amphisto_fail (GstAmphisto *self, const GError *error)
{
  if (gst_amphisto_ring_drain (&self->ring) == GST_FLOW_ERROR)
    return GST_FLOW_ERROR;
  return post_error (self, error);
}

gboolean
gst_amphisto_query_position (
    GstAmphisto *self, GstPadDirection side, GstQuery *query)
{
  GstClockTime position;
  GstFormat format;

  gst_query_parse_position (query, &format, NULL);
  GST_OBJECT_LOCK (self);
  position = self->position;
  GST_OBJECT_UNLOCK (self);
  if (format != GST_FORMAT_TIME || !GST_CLOCK_TIME_IS_VALID (position))
    return gst_pad_peer_query (side == GST_PAD_SRC
            ? GST_BASE_TRANSFORM_SINK_PAD (self)
            : GST_BASE_TRANSFORM_SRC_PAD (self),
        query);
  gst_query_set_position (query, format, (gint64) position);
  return TRUE;
}
