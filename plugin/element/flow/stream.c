/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/flow/private.h"

#include "element/memory/caps.h"

static GstBaseTransformClass *parent_class;

/* Begins the stream anew: at the start, and after a flush. */
static void
reset (GstAmphisto *self)
{
  self->has_failed = FALSE;
  self->timeline = (GstAmphistoTimeline){ 0 };
  gst_amphisto_report_flush (&self->report);
  GST_OBJECT_LOCK (self);
  self->position = GST_CLOCK_TIME_NONE;
  GST_OBJECT_UNLOCK (self);
}

void
gst_amphisto_stream_start (
    GstAmphisto *self, const GstAmphistoSettings *settings)
{
  reset (self);
  self->jobs.n_frames = settings->frames_in_flight;
  self->jobs.n_threads = settings->n_threads;
  gst_amphisto_expect_reset (&self->report.expect);
  gst_amphisto_ring_start (&self->ring, settings->frames_in_flight);
}

/* --- frames --- */

/* Whether the buffer is a gap without a frame. */
static gboolean
is_empty_gap (GstBuffer *buffer)
{
  return GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_GAP)
      && gst_buffer_n_memory (buffer) == 0;
}

/* The info of new buffers. GstVideoFilter's is wrong for DMABufs. */
static const GstVideoInfo *
output_info (const GstAmphisto *self)
{
  const GstVideoFilter *filter = GST_VIDEO_FILTER (self);

  return amphisto_plan_is_scopes_only (&self->jobs.plan) ? &filter->out_info
                                                         : &filter->in_info;
}

/* Puts `inbuf` (transfer full) into `frame`, and prepares its output. */
static GstFlowReturn
begin_frame (GstAmphisto *self, GstBuffer *inbuf, GstAmphistoInFlight *frame)
{
  g_autoptr (GError) error = NULL;
  GstFlowReturn ret;

  frame->inbuf = inbuf;
  frame->is_gap = is_empty_gap (inbuf);
  frame->in.crop = self->crop;
  frame->measurement.settings = g_atomic_rc_box_acquire (self->frame_settings);
  gst_amphisto_timeline_add (&self->timeline,
      &GST_BASE_TRANSFORM (self)->segment, self->ring.frame_duration,
      &self->times);
  frame->measurement.times = self->times;
  ret = gst_amphisto_prepare_output (self, frame, &error);
  if (error != NULL)
    return gst_amphisto_fail (self, error);
  if (frame->outbuf != frame->inbuf && ret == GST_FLOW_OK)
    g_free (gst_amphisto_crop_init (
        &frame->out.crop, frame->outbuf, output_info (self)));
  return ret;
}

/* If the frame needs another plan after all, sends on those in flight first. */
static GstFlowReturn
update_target (GstAmphisto *self, GstAmphistoInFlight *frame)
{
  if (!gst_amphisto_needs_other_plan (self, frame))
    return GST_FLOW_OK;
  gst_amphisto_drain (self);
  gst_amphisto_change (self, frame->inbuf, GST_AMPHISTO_CHANGE_PLAN);
  return gst_amphisto_take_flow (self);
}

static void
begin_measurement (GstAmphisto *self, GstAmphistoInFlight *frame)
{
  GstAmphistoMeasurement *measurement = &frame->measurement;
  const AmphistoPlan *plan = &self->jobs.plan;

  measurement->posts = gst_amphisto_report_next_posts (
      &self->report, &GST_BASE_TRANSFORM (self)->segment, measurement);
  if (plan->settings.measures_regions)
    gst_amphisto_regions_init (
        &measurement->regions, frame->inbuf, &frame->in.crop, &plan->layout);
}

/* Whether the frame is measured or changed; other frames pass unchanged. Frames
 * between messages are measured too if the next message compares frames. */
static gboolean
needs_job (const AmphistoPlan *plan, const GstAmphistoMeasurement *measurement)
{
  const GstAmphistoSettings *settings = measurement->settings;
  const gboolean measures =
      plan->reported != 0 || amphisto_plan_has_picture (plan);

  return plan->written != 0 || amphisto_plan_has_canvas (plan)
      || amphisto_plan_has_stage (plan, AMPHISTO_STAGE_COMPARE)
      || (measures
          && (settings->attach_meta || measurement->posts
              || settings->conditions->n > 0));
}

/* Submits the frame to the device. */
static gboolean
submit_job (GstAmphisto *self, GstAmphistoInFlight *frame, GError **error)
{
  GstAmphistoJobs *jobs = &self->jobs;
  const AmphistoPlan *plan = &jobs->plan;
  const gchar *memory = self->allocation.memory;

  if (amphisto_plan_has_canvas (plan) && !amphisto_plan_is_scopes_only (plan)) {
    frame->canvas = gst_amphisto_composition_new_canvas (
        &self->report.composition, plan, &self->allocation, error);
    if (frame->canvas == NULL)
      return FALSE;
  }
  if (!gst_amphisto_in_flight_begin_job (frame, jobs->executor, plan,
          &GST_VIDEO_FILTER (self)->in_info, output_info (self), memory != NULL,
          error)) {
    gst_amphisto_caps_advise (memory, *error);
    return FALSE;
  }
  return gst_amphisto_jobs_submit (jobs, frame, error);
}

static GstFlowReturn
submit_frame (GstAmphisto *self, GstAmphistoInFlight *frame)
{
  g_autoptr (GError) error = NULL;

  if (frame->is_gap)
    return GST_FLOW_OK;
  begin_measurement (self, frame);
  if (!needs_job (&self->jobs.plan, &frame->measurement)
      || submit_job (self, frame, &error))
    return GST_FLOW_OK;
  return gst_amphisto_fail (self, error);
}

/* Releases a frame that is not in flight, after a failure. */
static GstFlowReturn
give_up (GstAmphisto *self, GstAmphistoInFlight *frame, GstFlowReturn ret)
{
  gst_amphisto_drain (self);
  gst_amphisto_in_flight_clear (frame);
  amphisto_history_clear (&self->jobs.history);
  return ret;
}

/* Submits a frame. Takes ownership of `inbuf`. */
static GstFlowReturn
process_buffer (GstAmphisto *self, GstBuffer *inbuf, GstAmphistoInFlight *frame)
{
  GstFlowReturn ret = begin_frame (self, inbuf, frame);

  if (ret == GST_FLOW_OK)
    ret = update_target (self, frame);
  if (ret == GST_FLOW_OK)
    ret = submit_frame (self, frame);
  return ret == GST_FLOW_OK ? ret : give_up (self, frame, ret);
}

/* --- settings --- */

/* why_uncropped: why the buffer's GstVideoCropMeta can't be followed, or NULL.
 */
static void
warn (GstAmphisto *self, GstBuffer *buffer, const gchar *why_uncropped)
{
  GstElement *element = GST_ELEMENT (self);

  if (self->caps != NULL)
    gst_amphisto_warnings_post (&self->warnings, element, self->frame_settings,
        &self->jobs.plan, &GST_VIDEO_FILTER (self)->in_info, buffer,
        gst_base_transform_is_passthrough (GST_BASE_TRANSFORM (self))
            ? NULL
            : why_uncropped);
  gst_amphisto_allocation_warn (&self->allocation, element);
}

/* Entering or leaving passthrough changes which pools are proposed, so upstream
 * has to renegotiate its allocation once this frame is done. */
static void
update_settings (GstAmphisto *self, GstBuffer *buffer)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  g_autofree gchar *why_uncropped = gst_amphisto_crop_init (
      &self->crop, buffer, &GST_VIDEO_FILTER (self)->in_info);
  const guint changes = gst_amphisto_find_changes (self, buffer);

  if (changes != 0)
    gst_amphisto_drain (self);
  gst_amphisto_change (self, buffer, changes);
  if (changes & GST_AMPHISTO_CHANGE_PASSTHROUGH) {
    gst_amphisto_ring_update_latency (&self->ring);
    gst_base_transform_reconfigure_src (trans);
    gst_base_transform_reconfigure_sink (trans);
  }
  warn (self, buffer, why_uncropped);
}

/* Frames, events and queries that come while the element starts. */
static void
await_activation (GstAmphisto *self)
{
  GST_OBJECT_LOCK (self);
  while (self->is_activating)
    g_cond_wait (&self->activated, GST_OBJECT_GET_LOCK (self));
  GST_OBJECT_UNLOCK (self);
}

/* Settings wait for the next frame: a gap without one neither needs them, nor
 * restarts the mean, the scale or the comparison. */
static void
gst_amphisto_before_transform (GstBaseTransform *trans, GstBuffer *buffer)
{
  GstAmphisto *self = GST_AMPHISTO (trans);

  await_activation (self);
  if (self->jobs.executor == NULL) /* the caps were refused */
    return;
  if (GST_BUFFER_IS_DISCONT (buffer))
    gst_amphisto_drain (self);
  gst_amphisto_times_init (&self->times, &trans->segment, buffer);
  if (GST_CLOCK_TIME_IS_VALID (self->times.stream_time))
    gst_object_sync_values (GST_OBJECT (self), self->times.stream_time);
  if (!is_empty_gap (buffer))
    update_settings (self, buffer);
}

/* GstVideoFilter, which knows no formats of DMABufs, keeps `in_info` as it is
 * changed here. After a failure, upstream sends the caps again with each
 * buffer. They are refused until the element is restarted. */
static gboolean
gst_amphisto_set_info (GstVideoFilter *filter, GstCaps *incaps,
    GstVideoInfo *in_info, GstCaps *outcaps, GstVideoInfo *out_info)
{
  GstAmphisto *self = GST_AMPHISTO (filter);

  gst_amphisto_drain (self);
  if (!gst_amphisto_set_caps (self, incaps, in_info, outcaps, out_info))
    return FALSE;
  gst_amphisto_ring_set_rate (&self->ring, in_info);
  return TRUE;
}

/* --- buffers --- */

/* Negotiates until it is known whether this frame's scopes are drawn: an answer
 * may offer or withdraw overlay compositions. The base class negotiates once
 * more. The frame may have been found by older caps before. */
static gboolean
reconfigure (GstAmphisto *self, GstBuffer *inbuf)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  GstPad *pad = GST_BASE_TRANSFORM_SRC_PAD (trans);

  for (guint n = 0; n < 2 && gst_pad_needs_reconfigure (pad); n++) {
    gst_amphisto_drain (self);
    if (!gst_base_transform_reconfigure (trans))
      return FALSE;
    g_free (gst_amphisto_crop_init (
        &self->crop, inbuf, &GST_VIDEO_FILTER (self)->in_info));
  }
  return TRUE;
}

/* Returns: other than GST_FLOW_OK if the frame must not be processed: earlier
 * ones could not be sent on, or an error has been posted for
 * GstAmphisto:expect. A condition has failed only if no frame has followed. */
static GstFlowReturn
refuse (GstAmphisto *self)
{
  const GstFlowReturn flow = gst_amphisto_take_flow (self);

  if (flow == GST_FLOW_OK
      && (self->is_mistaken
          || (gst_amphisto_ring_is_empty (&self->ring)
              && gst_amphisto_expect_has_failed (
                  &self->report.expect, self->frame_settings))))
    return GST_FLOW_ERROR;
  return flow;
}

static GstFlowReturn
gst_amphisto_submit_input_buffer (
    GstBaseTransform *trans, gboolean is_discont, GstBuffer *inbuf)
{
  GstAmphisto *self = GST_AMPHISTO (trans);
  GstFlowReturn ret, refused;

  if (self->jobs.executor == NULL) { /* the caps were refused */
    gst_buffer_unref (inbuf);
    return GST_FLOW_NOT_NEGOTIATED;
  }
  if (!reconfigure (self, inbuf)) {
    gst_buffer_unref (inbuf);
    return GST_PAD_IS_FLUSHING (GST_BASE_TRANSFORM_SRC_PAD (trans))
        ? GST_FLOW_FLUSHING
        : GST_FLOW_NOT_NEGOTIATED;
  }
  ret = parent_class->submit_input_buffer (trans, is_discont, inbuf);

  self->is_discont = is_discont;
  if (ret == GST_BASE_TRANSFORM_FLOW_DROPPED) /* late: a discontinuity */
    gst_amphisto_drain (self);
  refused = refuse (self);
  if (refused == GST_FLOW_OK)
    return ret;
  gst_clear_buffer (&trans->queued_buf);
  return refused;
}

/* Whether the source pad's task sends on a frame that has been submitted. The
 * base class flags the next buffer that it gets after a discontinuity. */
static gboolean
is_sent_by_task (GstAmphisto *self)
{
  return !self->is_discont
      && !gst_base_transform_is_passthrough (GST_BASE_TRANSFORM (self))
      && gst_amphisto_start_sending (self);
}

static GstFlowReturn
gst_amphisto_generate_output (GstBaseTransform *trans, GstBuffer **outbuf)
{
  GstAmphisto *self = GST_AMPHISTO (trans);
  GstBuffer *inbuf = g_steal_pointer (&trans->queued_buf);
  GstAmphistoInFlight *frame;
  GstFlowReturn ret;

  *outbuf = NULL;
  if (inbuf == NULL)
    return GST_FLOW_OK;
  frame = gst_amphisto_ring_next (&self->ring);
  ret = process_buffer (self, inbuf, frame);
  if (ret != GST_FLOW_OK)
    return ret;
  if (is_sent_by_task (self))
    return gst_amphisto_ring_push (&self->ring)
        ? GST_FLOW_OK
        : give_up (self, frame, GST_FLOW_FLUSHING);
  ret = gst_amphisto_ring_drain (&self->ring);
  if (ret == GST_FLOW_OK)
    ret = gst_amphisto_finish (self, frame, outbuf);
  return ret == GST_FLOW_OK ? ret : give_up (self, frame, ret);
}

/* --- events --- */

static gboolean
gst_amphisto_sink_event (GstBaseTransform *trans, GstEvent *event)
{
  GstAmphisto *self = GST_AMPHISTO (trans);
  const GstEventType type = GST_EVENT_TYPE (event);
  GstCaps *caps = NULL;

  if (GST_EVENT_IS_SERIALIZED (event))
    await_activation (self);
  if (type == GST_EVENT_FLUSH_STOP) {
    gst_amphisto_restart (self);
    reset (self);
  } else if (GST_EVENT_IS_SERIALIZED (event)) {
    gst_amphisto_drain (self);
  }
  if (type == GST_EVENT_SEGMENT)
    self->timeline.begins_segment = self->report.begins_segment = TRUE;
  if (type == GST_EVENT_EOS)
    gst_amphisto_end_expectations (self);
  if (type == GST_EVENT_CAPS)
    gst_event_parse_caps (event, &caps);
  if (caps != NULL && !gst_amphisto_begin_caps (self, caps)) {
    gst_event_unref (event);
    return FALSE;
  }
  /* pads and sinks that returned GST_FLOW_EOS take buffers again */
  if ((type == GST_EVENT_STREAM_START || type == GST_EVENT_SEGMENT)
      && gst_amphisto_ring_flow (&self->ring) == GST_FLOW_EOS)
    gst_amphisto_restart (self);
  return parent_class->sink_event (trans, event);
}

/* Downstream may take overlay compositions now. The pad has been marked before,
 * and perhaps the streaming thread has asked already. */
static gboolean
gst_amphisto_src_event (GstBaseTransform *trans, GstEvent *event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_RECONFIGURE) {
    g_atomic_int_or (
        &GST_AMPHISTO (trans)->offer_events, GST_AMPHISTO_OFFER_RECONFIGURED);
    gst_base_transform_reconfigure_src (trans);
  }
  return parent_class->src_event (trans, event);
}

/* --- queries --- */

static gboolean
gst_amphisto_query (
    GstBaseTransform *trans, GstPadDirection direction, GstQuery *query)
{
  GstAmphisto *self = GST_AMPHISTO (trans);

  if (direction == GST_PAD_SINK && GST_QUERY_IS_SERIALIZED (query)) {
    await_activation (self);
    gst_amphisto_drain (self);
  }
  if (GST_QUERY_TYPE (query) == GST_QUERY_POSITION)
    return gst_amphisto_query_position (self, direction, query);
  if (!parent_class->query (trans, direction, query))
    return FALSE;
  if (direction == GST_PAD_SRC && GST_QUERY_TYPE (query) == GST_QUERY_LATENCY)
    gst_amphisto_ring_add_latency (&self->ring, query);
  /* here, as the base class puts downstream's order first */
  if (direction == GST_PAD_SINK && GST_QUERY_TYPE (query) == GST_QUERY_CAPS)
    gst_amphisto_caps_prefer_system_memory (query);
  return TRUE;
}

void
gst_amphisto_stream_class_init (GstVideoFilterClass *filter_class)
{
  GstBaseTransformClass *class = GST_BASE_TRANSFORM_CLASS (filter_class);

  parent_class = g_type_class_peek_parent (class);
  filter_class->set_info = gst_amphisto_set_info;
  class->before_transform = gst_amphisto_before_transform;
  /* Several frames may be in flight, so submit_input_buffer and generate_output
   * replace transform. With GstVideoFilter's transform_ip, the base class would
   * only work in place. */
  class->transform_ip = NULL;
  class->submit_input_buffer = gst_amphisto_submit_input_buffer;
  class->generate_output = gst_amphisto_generate_output;
  class->sink_event = gst_amphisto_sink_event;
  class->src_event = gst_amphisto_src_event;
  class->query = gst_amphisto_query;
}
