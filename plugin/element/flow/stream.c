/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/flow/private.h"

#include "element/memory/crop.h"
#include "element/memory/caps.h"
#include "element/report/meta.h"
#include "element/report/regions.h"

#include <string.h>

GST_DEBUG_CATEGORY_EXTERN (gst_amphisto_debug);
#define GST_CAT_DEFAULT gst_amphisto_debug

static GstBaseTransformClass *parent_class;

/* --- new buffers --- */

/* Whether the buffer is a gap without a frame. */
static gboolean
is_empty_gap (GstBuffer *buffer)
{
  return GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_GAP)
      && gst_buffer_n_memory (buffer) == 0;
}

/* Makes a copy to change instead of the frame; in place if the plan allows it,
 * so that only the copy is mapped. */
static gboolean
copy_frame (GstAmphisto *self, GstAmphistoSlot *slot, GError **error)
{
  slot->outbuf =
      gst_amphisto_allocation_copy (&self->allocation, slot->inbuf, error);
  if (slot->outbuf == NULL)
    return FALSE;
  if (amphisto_plan_can_be_in_place (&self->jobs.plan)) {
    gst_buffer_unref (slot->inbuf);
    slot->inbuf = slot->outbuf;
  }
  return TRUE;
}

static GstFlowReturn
prepare_copy (GstAmphisto *self, GstAmphistoSlot *slot)
{
  g_autoptr (GError) error = NULL;

  if (copy_frame (self, slot, &error))
    return GST_FLOW_OK;
  gst_amphisto_ring_drain (&self->ring);
  return gst_amphisto_ring_fail (&self->ring, error);
}

/* Whether the frame came in a buffer of the pool, and the pool has a limit.
 * Upstream may then have all other buffers, and wait for this one. */
static gboolean
is_shared (GstBufferPool *pool, const GstBuffer *inbuf)
{
  return inbuf->pool == pool && gst_amphisto_allocation_max_buffers (pool) > 0;
}

/* Takes a buffer of the pool without waiting. Copies the frame instead if none
 * is free, or if others are held back: each has a buffer of the pool already.
 *
 * Returns: FALSE if the frame's memory can't be copied. */
static gboolean
prepare_at_once (GstAmphisto *self, GstAmphistoSlot *slot, GstBufferPool *pool)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  GstBufferPoolAcquireParams at_once = {
    .flags = GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT
  };
  g_autoptr (GError) error = NULL;

  if (self->ring.n_in_flight > 0
      || gst_buffer_pool_acquire_buffer (pool, &slot->outbuf, &at_once)
          != GST_FLOW_OK)
    return copy_frame (self, slot, &error);
  GST_BASE_TRANSFORM_GET_CLASS (trans)->copy_metadata (
      trans, slot->inbuf, slot->outbuf);
  return TRUE;
}

/* Pixels change in place if memory and plan allow it, otherwise in a new buffer
 * from the pool. Without a pool, GStreamer makes only system memory. */
static GstFlowReturn
prepare_target (GstAmphisto *self, GstAmphistoSlot *slot)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  g_autoptr (GstBufferPool) pool = NULL;

  if (gst_amphisto_allocation_is_in_place (&self->allocation, slot->inbuf)
      && amphisto_plan_can_be_in_place (&self->jobs.plan)) {
    slot->outbuf = slot->inbuf;
    return GST_FLOW_OK;
  }
  pool = gst_base_transform_get_buffer_pool (trans);
  if (self->allocation.memory != NULL && pool == NULL)
    return prepare_copy (self, slot);
  if (pool != NULL && is_shared (pool, slot->inbuf)
      && prepare_at_once (self, slot, pool))
    return GST_FLOW_OK;
  return parent_class->prepare_output_buffer (
      trans, slot->inbuf, &slot->outbuf);
}

static gboolean
attaches (const GstAmphisto *self)
{
  return self->frame_settings.attach_meta
      || amphisto_plan_has_canvas (&self->jobs.plan);
}

/* Metadata alone needs a writable buffer, but no new memory. */
static GstFlowReturn
prepare_output (GstAmphisto *self, GstAmphistoSlot *slot)
{
  const GstAmphistoSettings *settings = &self->frame_settings;
  GstBuffer *inbuf = slot->inbuf;

  if (is_empty_gap (inbuf) || gst_amphisto_settings_is_passthrough (settings))
    slot->outbuf = inbuf;
  else if (self->jobs.plan.written != 0)
    return prepare_target (self, slot);
  else if (gst_buffer_is_writable (inbuf) || !attaches (self))
    slot->outbuf = inbuf;
  else
    slot->outbuf = gst_buffer_copy (inbuf);
  return slot->outbuf != NULL ? GST_FLOW_OK : GST_FLOW_ERROR;
}

/* Returns: how draining ended since the last call. */
static GstFlowReturn
take_drained (GstAmphisto *self)
{
  const GstFlowReturn ret = self->ring.drained;

  self->ring.drained = GST_FLOW_OK;
  return ret;
}

/* Whether to copy `meta` to a new buffer: except the element's own meta when a
 * new one is attached. The base class never asks for GST_META_TAG_MEMORY. */
static gboolean
gst_amphisto_transform_meta (
    GstBaseTransform *trans, GstBuffer *outbuf, GstMeta *meta, GstBuffer *inbuf)
{
  GstAmphisto *self = GST_AMPHISTO (trans);

  if (gst_amphisto_crop_copy_region (
          outbuf, meta, inbuf, &GST_VIDEO_FILTER (self)->in_info))
    return FALSE;
  return gst_amphisto_allocation_keeps_meta (meta)
      && (!self->frame_settings.attach_meta || !gst_amphisto_meta_is (meta));
}

/* --- frames --- */

static gboolean
add_canvas (GstAmphisto *self, GstAmphistoSlot *slot, GError **error)
{
  const AmphistoPlan *plan = &self->jobs.plan;

  if (!amphisto_plan_has_canvas (plan))
    return TRUE;
  slot->canvas = gst_amphisto_composition_new_canvas (
      &self->composition, plan, &self->allocation, error);
  return slot->canvas != NULL;
}

/* Submits the frame to the device. If it can't be mapped, earlier frames are
 * still delivered. */
static gboolean
submit_job (GstAmphisto *self, GstAmphistoSlot *slot, GError **error)
{
  if (!add_canvas (self, slot, error))
    return FALSE;
  if (!gst_amphisto_slot_begin_job (slot, &self->jobs.plan,
          &GST_VIDEO_FILTER (self)->in_info, self->allocation.memory != NULL,
          self->frame_settings.verify, error)) {
    gst_amphisto_caps_advise (self->allocation.memory, *error);
    gst_amphisto_ring_drain (&self->ring);
    return FALSE;
  }
  return gst_amphisto_jobs_submit (
      &self->jobs, slot, self->frame_settings.verify, error);
}

/* Whether the frame is measured or changed; other frames pass unchanged. Frames
 * between messages are measured too if the next message compares frames. */
static gboolean
needs_job (const AmphistoPlan *plan, const GstAmphistoSlot *slot)
{
  if (is_empty_gap (slot->inbuf))
    return FALSE;
  return plan->written != 0 || amphisto_plan_has_canvas (plan)
      || amphisto_plan_has_stage (plan, AMPHISTO_STAGE_COMPARE)
      || (plan->reported != 0
          && (slot->attaches || slot->posts
              || slot->expectations.conditions.n > 0));
}

/* Warns if the buffer's GstVideoCropMeta can't be followed. */
static void
find_crop (GstAmphisto *self, GstBuffer *buffer, GstAmphistoCrop *crop)
{
  g_autofree gchar *why =
      gst_amphisto_crop_init (crop, buffer, &GST_VIDEO_FILTER (self)->in_info);

  if (why != NULL
      && !gst_base_transform_is_passthrough (GST_BASE_TRANSFORM (self)))
    gst_amphisto_warnings_post_crop (&self->warnings, GST_ELEMENT (self), why);
}

/* Decides what to report of the frame. */
static void
set_reports (GstAmphisto *self, GstAmphistoSlot *slot)
{
  const GstAmphistoSettings *settings = &self->frame_settings;
  const AmphistoPlan *plan = &self->jobs.plan;
  GstAmphistoCrop crop;

  find_crop (self, slot->inbuf, &crop);
  slot->attaches = settings->attach_meta;
  slot->posts = settings->post_messages
      && gst_amphisto_messages_next (&self->messages,
          &GST_BASE_TRANSFORM (self)->segment, settings->interval);
  memcpy (slot->percentiles, settings->percentiles, sizeof slot->percentiles);
  slot->n_percentiles = settings->n_percentiles;
  slot->is_tested = TRUE;
  slot->expectations =
      (GstAmphistoExpectations){ .conditions = settings->conditions,
        .min_duration = settings->expect_duration,
        .is_error = settings->expect_error,
        .time = self->messages.frame,
        .position = self->messages.position,
        .duration = (guint64) self->messages.duration };
  if (plan->settings.measures_regions)
    gst_amphisto_regions_init (
        &slot->regions, slot->inbuf, &crop, &plan->layout);
}

/* Puts a frame in flight. Takes ownership of `inbuf`. */
static GstFlowReturn
process_buffer (GstAmphisto *self, GstBuffer *inbuf)
{
  GstAmphistoSlot *slot = gst_amphisto_ring_next (&self->ring, inbuf);
  g_autoptr (GError) error = NULL;
  GstFlowReturn ret;

  gst_amphisto_messages_add_frame (&self->messages,
      &GST_BASE_TRANSFORM (self)->segment, inbuf, self->ring.frame_duration);
  ret = prepare_output (self, slot);
  if (ret == GST_FLOW_OK && gst_amphisto_update_target (self, slot))
    ret = take_drained (self);
  if (ret != GST_FLOW_OK) {
    gst_amphisto_slot_clear (slot);
    gst_amphisto_ring_drop (&self->ring);
    return ret;
  }
  if (!is_empty_gap (slot->inbuf))
    set_reports (self, slot);
  if (needs_job (&self->jobs.plan, slot) && !submit_job (self, slot, &error)) {
    ret = gst_amphisto_ring_fail (&self->ring, error);
    gst_amphisto_slot_clear (slot);
    return ret;
  }
  gst_amphisto_ring_push (&self->ring);
  return GST_FLOW_OK;
}

static void
warn (GstAmphisto *self, GstBuffer *buffer)
{
  GstVideoFilter *filter = GST_VIDEO_FILTER (self);

  if (self->caps != NULL)
    gst_amphisto_warnings_post (&self->warnings, GST_ELEMENT (self),
        &self->frame_settings, &self->jobs.plan, &filter->in_info, buffer);
  gst_amphisto_allocation_warn (&self->allocation, GST_ELEMENT (self));
}

/* Entering or leaving passthrough changes which pools are proposed, so upstream
 * has to renegotiate its allocation once this frame is done. */
static void
update_settings (GstAmphisto *self, GstBuffer *buffer)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);

  if (gst_amphisto_update_plan (self, buffer)) {
    gst_amphisto_ring_update_latency (&self->ring);
    gst_base_transform_reconfigure_src (trans);
    gst_base_transform_reconfigure_sink (trans);
  }
  warn (self, buffer);
}

/* Settings wait for the next frame: a gap without one neither needs them, nor
 * restarts the mean, the scale or the comparison. */
static void
gst_amphisto_before_transform (GstBaseTransform *trans, GstBuffer *buffer)
{
  GstAmphisto *self = GST_AMPHISTO (trans);
  GstAmphistoTimes times;

  if (self->jobs.cl_frame == NULL) /* the caps were refused */
    return;
  if (GST_BUFFER_IS_DISCONT (buffer))
    gst_amphisto_ring_drain (&self->ring);
  gst_amphisto_times_init (&times, &trans->segment, buffer);
  if (GST_CLOCK_TIME_IS_VALID (times.stream_time))
    gst_object_sync_values (GST_OBJECT (self), times.stream_time);
  if (!is_empty_gap (buffer))
    update_settings (self, buffer);
}

/* Negotiates until it is known whether this frame's scopes are drawn: an answer
 * may offer or withdraw overlay compositions. The base class negotiates once
 * more. */
static gboolean
reconfigure (GstAmphisto *self)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  GstPad *pad = GST_BASE_TRANSFORM_SRC_PAD (trans);

  for (guint n = 0; n < 2 && gst_pad_needs_reconfigure (pad); n++) {
    gst_amphisto_ring_drain (&self->ring);
    if (!gst_base_transform_reconfigure (trans))
      return FALSE;
  }
  return TRUE;
}

/* After a discontinuity, the base class flags the next buffer that it gets from
 * generate_output(). Earlier frames have to be sent on before. */
static GstFlowReturn
gst_amphisto_submit_input_buffer (
    GstBaseTransform *trans, gboolean is_discont, GstBuffer *inbuf)
{
  GstAmphisto *self = GST_AMPHISTO (trans);
  GstFlowReturn ret;

  if (self->jobs.cl_frame == NULL) { /* the caps were refused */
    gst_buffer_unref (inbuf);
    return GST_FLOW_NOT_NEGOTIATED;
  }
  if (!reconfigure (self)) {
    gst_buffer_unref (inbuf);
    return GST_PAD_IS_FLUSHING (GST_BASE_TRANSFORM_SRC_PAD (trans))
        ? GST_FLOW_FLUSHING
        : GST_FLOW_NOT_NEGOTIATED;
  }
  ret = parent_class->submit_input_buffer (trans, is_discont, inbuf);

  self->is_discont = is_discont;
  if (self->is_mistaken
      || gst_amphisto_expect_has_failed (
          &self->expect, &self->frame_settings)) {
    gst_clear_buffer (&trans->queued_buf);
    return GST_FLOW_ERROR;
  }
  if (ret == GST_BASE_TRANSFORM_FLOW_DROPPED) /* late: a discontinuity */
    gst_amphisto_ring_drain (&self->ring);
  if (self->ring.drained != GST_FLOW_OK) {
    gst_clear_buffer (&trans->queued_buf);
    ret = take_drained (self);
  }
  return ret;
}

/* The first frame after a discontinuity is sent on at once, since the base
 * class flags the next buffer that it gets. */
static GstFlowReturn
gst_amphisto_generate_output (GstBaseTransform *trans, GstBuffer **outbuf)
{
  GstAmphisto *self = GST_AMPHISTO (trans);
  GstBuffer *inbuf = g_steal_pointer (&trans->queued_buf);
  GstFlowReturn ret;

  *outbuf = NULL;
  if (inbuf == NULL)
    return GST_FLOW_OK;
  ret = process_buffer (self, inbuf);
  if (ret != GST_FLOW_OK)
    return ret;
  if (gst_amphisto_ring_is_full (&self->ring) || self->is_discont
      || gst_base_transform_is_passthrough (trans))
    ret = gst_amphisto_ring_finish (&self->ring, outbuf);
  gst_amphisto_ring_watch (&self->ring);
  return ret;
}

/* --- events --- */

/* Whether pads and sinks that returned GST_FLOW_EOS take buffers again after
 * the event. */
static gboolean
ends_eos (GstEvent *event)
{
  return GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START
      || GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT;
}

static gboolean
begin_caps (GstAmphisto *self, GstEvent *event)
{
  GstCaps *caps;

  gst_event_parse_caps (event, &caps);
  return gst_amphisto_begin_caps (self, caps);
}

static gboolean
gst_amphisto_sink_event (GstBaseTransform *trans, GstEvent *event)
{
  GstAmphisto *self = GST_AMPHISTO (trans);

  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP) {
    gst_amphisto_ring_flush (&self->ring);
    gst_amphisto_messages_init (&self->messages);
    gst_amphisto_expect_flush (&self->expect);
  } else if (GST_EVENT_IS_SERIALIZED (event)) {
    gst_amphisto_ring_drain (&self->ring);
  }
  if (GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT)
    gst_amphisto_messages_begin_segment (&self->messages);
  if (GST_EVENT_TYPE (event) == GST_EVENT_EOS)
    gst_amphisto_end_expectations (self);
  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS && !begin_caps (self, event)) {
    gst_event_unref (event);
    return FALSE;
  }
  if (ends_eos (event) && self->ring.drained == GST_FLOW_EOS)
    self->ring.drained = GST_FLOW_OK;
  return parent_class->sink_event (trans, event);
}

/* Downstream may take overlay compositions now. The pad has been marked before,
 * and perhaps the streaming thread has asked already. */
static gboolean
gst_amphisto_src_event (GstBaseTransform *trans, GstEvent *event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_RECONFIGURE) {
    gst_amphisto_offer_add_event (
        &GST_AMPHISTO (trans)->offer, GST_AMPHISTO_OFFER_RECONFIGURED);
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

  if (direction == GST_PAD_SINK && GST_QUERY_IS_SERIALIZED (query))
    gst_amphisto_ring_drain (&self->ring);
  if (!parent_class->query (trans, direction, query))
    return FALSE;
  if (direction == GST_PAD_SRC && GST_QUERY_TYPE (query) == GST_QUERY_LATENCY)
    gst_amphisto_ring_add_latency (&self->ring, query);
  /* here, as the base class puts downstream's order first */
  if (direction == GST_PAD_SINK && GST_QUERY_TYPE (query) == GST_QUERY_CAPS)
    gst_amphisto_caps_prefer_system_memory (query);
  return TRUE;
}

/* Most buffers are passed on, so upstream gets downstream's proposal, as in
 * passthrough. Metas that describe a different frame (crop, rotation) are
 * removed, and the requirements of the device are added. */
static gboolean
gst_amphisto_propose_allocation (
    GstBaseTransform *trans, GstQuery *decide_query, GstQuery *query)
{
  const GstAmphisto *self = GST_AMPHISTO (trans);

  (void) decide_query;
  if (!parent_class->propose_allocation (trans, NULL, query))
    GST_DEBUG_OBJECT (trans, "downstream proposes no allocation");
  if (!gst_base_transform_is_passthrough (trans)) {
    gst_amphisto_allocation_remove_metas (query);
    gst_amphisto_allocation_complete (
        &self->allocation, query, gst_amphisto_ring_n_held (&self->ring));
  }
  return TRUE;
}

/* GStreamer would replace a pool that is missing, or refuses its configuration,
 * by one of system memory. Downstream's pool is used even if it is small: fewer
 * frames are held back then. */
static gboolean
decide_other_memory (GstBaseTransform *trans, GstQuery *query)
{
  g_autoptr (GstBufferPool) pool = gst_amphisto_allocation_get_pool (query);
  g_autoptr (GstBufferPool) decided = NULL;

  if (pool != NULL && !parent_class->decide_allocation (trans, query))
    return FALSE;
  decided = gst_amphisto_allocation_get_pool (query);
  if (pool == NULL || decided != pool)
    gst_amphisto_allocation_remove_pools (query);
  return TRUE;
}

static gboolean
gst_amphisto_decide_allocation (GstBaseTransform *trans, GstQuery *query)
{
  GstAmphisto *self = GST_AMPHISTO (trans);

  gst_amphisto_check_composition (self, query);
  self->targets_lack_rows = FALSE;
  if (gst_amphisto_allocation_is_of_other_memory (query))
    return decide_other_memory (trans, query);
  gst_amphisto_allocation_complete (
      &self->allocation, query, gst_amphisto_ring_n_held (&self->ring));
  return parent_class->decide_allocation (trans, query);
}

void
gst_amphisto_stream_class_init (GstBaseTransformClass *class)
{
  parent_class = g_type_class_peek_parent (class);
  class->before_transform = GST_DEBUG_FUNCPTR (gst_amphisto_before_transform);
  class->transform_meta = GST_DEBUG_FUNCPTR (gst_amphisto_transform_meta);
  /* Several frames may be in flight, so submit_input_buffer and generate_output
   * replace transform. With GstVideoFilter's transform_ip, the base class would
   * only work in place. */
  class->transform_ip = NULL;
  class->submit_input_buffer =
      GST_DEBUG_FUNCPTR (gst_amphisto_submit_input_buffer);
  class->generate_output = GST_DEBUG_FUNCPTR (gst_amphisto_generate_output);
  class->sink_event = GST_DEBUG_FUNCPTR (gst_amphisto_sink_event);
  class->src_event = GST_DEBUG_FUNCPTR (gst_amphisto_src_event);
  class->query = GST_DEBUG_FUNCPTR (gst_amphisto_query);
  class->propose_allocation =
      GST_DEBUG_FUNCPTR (gst_amphisto_propose_allocation);
  class->decide_allocation = GST_DEBUG_FUNCPTR (gst_amphisto_decide_allocation);
}
