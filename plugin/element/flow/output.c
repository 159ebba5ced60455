/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/flow/private.h"

#include "element/report/meta.h"

static GstBaseTransformClass *parent_class;

/* --- new buffers --- */

/* Makes a copy to change instead of the frame; in place if the plan allows it,
 * so that only the copy is mapped. */
static gboolean
copy_frame (GstAmphisto *self, GstAmphistoInFlight *frame, GError **error)
{
  frame->outbuf =
      gst_amphisto_allocation_copy (&self->allocation, frame->inbuf, error);
  if (frame->outbuf == NULL)
    return FALSE;
  if (amphisto_plan_can_be_in_place (&self->jobs.plan)) {
    gst_buffer_unref (frame->inbuf);
    frame->inbuf = frame->outbuf;
  }
  return TRUE;
}

/* Takes a buffer of the pool without waiting. Copies the frame instead if none
 * is free.
 *
 * Returns: FALSE if the frame's memory can't be copied. */
static gboolean
prepare_at_once (
    GstAmphisto *self, GstAmphistoInFlight *frame, GstBufferPool *pool)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  GstBufferPoolAcquireParams at_once = {
    .flags = GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT
  };

  if (gst_buffer_pool_acquire_buffer (pool, &frame->outbuf, &at_once)
      != GST_FLOW_OK)
    return copy_frame (self, frame, NULL);
  GST_BASE_TRANSFORM_GET_CLASS (trans)->copy_metadata (
      trans, frame->inbuf, frame->outbuf);
  return TRUE;
}

/* The base class posts no error if the pool fails. */
static GstFlowReturn
new_buffer (GstAmphisto *self, GstAmphistoInFlight *frame, GError **error)
{
  const GstFlowReturn ret = parent_class->prepare_output_buffer (
      GST_BASE_TRANSFORM (self), frame->inbuf, &frame->outbuf);

  if (ret == GST_FLOW_ERROR)
    g_set_error_literal (error, GST_RESOURCE_ERROR,
        GST_RESOURCE_ERROR_NO_SPACE_LEFT,
        "There is no buffer for the frame to send on: the buffer pool that "
        "was negotiated with downstream has failed.");
  return ret;
}

/* Pixels change in place if memory and plan allow it, otherwise in a new buffer
 * from the pool. Without a pool, GStreamer makes only system memory. */
static GstFlowReturn
prepare_target (GstAmphisto *self, GstAmphistoInFlight *frame, GError **error)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  g_autoptr (GstBufferPool) pool = NULL;

  if (gst_amphisto_allocation_is_in_place (&self->allocation, frame->inbuf)
      && amphisto_plan_can_be_in_place (&self->jobs.plan)) {
    frame->outbuf = frame->inbuf;
    return GST_FLOW_OK;
  }
  pool = gst_base_transform_get_buffer_pool (trans);
  if (self->allocation.memory != NULL && pool == NULL)
    return copy_frame (self, frame, error) ? GST_FLOW_OK : GST_FLOW_ERROR;
  /* upstream may have all other buffers of the pool, and wait for this one */
  if (pool != NULL && pool == frame->inbuf->pool
      && prepare_at_once (self, frame, pool))
    return GST_FLOW_OK;
  return new_buffer (self, frame, error);
}

/* Makes a buffer of downstream's pool for scopes alone, which are progressive,
 * whatever the picture is. */
static GstFlowReturn
prepare_scopes_only (
    GstAmphisto *self, GstAmphistoInFlight *frame, GError **error)
{
  const GstFlowReturn ret = new_buffer (self, frame, error);

  if (ret == GST_FLOW_OK)
    GST_BUFFER_FLAG_UNSET (frame->outbuf,
        GST_VIDEO_BUFFER_FLAG_INTERLACED | GST_VIDEO_BUFFER_FLAG_TFF
            | GST_VIDEO_BUFFER_FLAG_RFF | GST_VIDEO_BUFFER_FLAG_ONEFIELD
            | GST_VIDEO_BUFFER_FLAG_MULTIPLE_VIEW
            | GST_VIDEO_BUFFER_FLAG_FIRST_IN_BUNDLE);
  return ret;
}

/* Notes new buffers, too: downstream's pool recycles its memory. */
static GstFlowReturn
prepare_written (GstAmphisto *self, GstAmphistoInFlight *frame, GError **error)
{
  const GstFlowReturn ret = amphisto_plan_is_scopes_only (&self->jobs.plan)
      ? prepare_scopes_only (self, frame, error)
      : prepare_target (self, frame, error);

  if (ret == GST_FLOW_OK && frame->outbuf != frame->inbuf)
    gst_amphisto_allocation_note (&self->allocation, frame->outbuf);
  return ret;
}

GstFlowReturn
gst_amphisto_prepare_output (
    GstAmphisto *self, GstAmphistoInFlight *frame, GError **error)
{
  const AmphistoPlan *plan = &self->jobs.plan;
  const gboolean attaches =
      self->frame_settings->attach_meta || amphisto_plan_has_canvas (plan);
  GstBuffer *inbuf = frame->inbuf;

  if (frame->is_gap
      || gst_amphisto_settings_is_passthrough (self->frame_settings)) {
    frame->outbuf = inbuf;
    return GST_FLOW_OK;
  }
  gst_amphisto_allocation_note (&self->allocation, inbuf);
  if (amphisto_plan_is_scopes_only (plan) || plan->written != 0)
    return prepare_written (self, frame, error);
  if (gst_buffer_is_writable (inbuf) || !attaches)
    frame->outbuf = inbuf;
  else /* metadata alone needs no new memory */
    frame->outbuf = gst_buffer_copy (inbuf);
  return frame->outbuf != NULL ? GST_FLOW_OK : GST_FLOW_ERROR;
}

/* Whether to copy `meta` to a new buffer: except the element's own meta when a
 * new one is attached, and, if scopes alone are the output, metas of the
 * picture. Upstream may attach a GstVideoCropMeta although the answer to its
 * query did not allow it. In place, the meta stays, for a sink that crops. A
 * new buffer holds only the cropped frame, and the rectangle would exceed it.
 * The base class never asks for GST_META_TAG_MEMORY. */
static gboolean
gst_amphisto_transform_meta (
    GstBaseTransform *trans, GstBuffer *outbuf, GstMeta *meta, GstBuffer *inbuf)
{
  GstAmphisto *self = GST_AMPHISTO (trans);

  (void) inbuf; /* the newest buffer */
  if (gst_amphisto_meta_is (meta))
    return !self->frame_settings->attach_meta;
  if (self->frame_settings->scopes_only)
    return !gst_amphisto_allocation_is_of_picture (meta);
  return meta->info->api != GST_VIDEO_CROP_META_API_TYPE
      && !gst_amphisto_crop_copy_region (&self->crop, outbuf, meta);
}

/* --- allocation --- */

/* Most buffers are passed on, so upstream gets downstream's proposal, as in
 * passthrough. Metas that describe a different frame (crop, rotation) are
 * removed, and the requirements of the device are added. If scopes alone are
 * the output, downstream's proposal is for other frames. */
static gboolean
gst_amphisto_propose_allocation (
    GstBaseTransform *trans, GstQuery *decide_query, GstQuery *query)
{
  const GstAmphisto *self = GST_AMPHISTO (trans);

  (void) decide_query;
  if (self->jobs.executor == NULL) /* inactive, or the caps were refused */
    return FALSE;
  if (self->frame_settings->scopes_only)
    gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  else if (!parent_class->propose_allocation (trans, NULL, query))
    GST_DEBUG_OBJECT (trans, "downstream proposes no allocation");
  if (!gst_base_transform_is_passthrough (trans)) {
    gst_amphisto_allocation_remove_metas (query);
    gst_amphisto_allocation_complete (
        &self->allocation, query, self->ring.n_entries - 1);
  }
  return TRUE;
}

/* Returns: (transfer full) (nullable): the first pool in the query. */
static GstBufferPool *
first_pool (GstQuery *query)
{
  GstBufferPool *pool = NULL;

  if (gst_query_get_n_allocation_pools (query) > 0)
    gst_query_parse_nth_allocation_pool (query, 0, &pool, NULL, NULL, NULL);
  return pool;
}

/* GStreamer would replace a pool that is missing, or refuses its configuration,
 * by one of system memory. */
static gboolean
decide_other_memory (GstBaseTransform *trans, GstQuery *query)
{
  g_autoptr (GstBufferPool) pool = first_pool (query);
  g_autoptr (GstBufferPool) decided = NULL;

  if (pool != NULL && !parent_class->decide_allocation (trans, query))
    return FALSE;
  decided = first_pool (query);
  if (pool == NULL || decided != pool)
    while (gst_query_get_n_allocation_pools (query) > 0)
      gst_query_remove_nth_allocation_pool (query, 0);
  return TRUE;
}

static gboolean
gst_amphisto_decide_allocation (GstBaseTransform *trans, GstQuery *query)
{
  GstAmphisto *self = GST_AMPHISTO (trans);

  gst_amphisto_note_composition (self, query);
  self->targets_lack_rows = FALSE;
  if (gst_amphisto_allocation_is_of_other_memory (query))
    return decide_other_memory (trans, query);
  gst_amphisto_allocation_complete (
      &self->allocation, query, self->ring.n_entries - 1);
  return parent_class->decide_allocation (trans, query);
}

void
gst_amphisto_output_class_init (GstBaseTransformClass *class)
{
  parent_class = g_type_class_peek_parent (class);
  class->transform_meta = gst_amphisto_transform_meta;
  class->propose_allocation = gst_amphisto_propose_allocation;
  class->decide_allocation = gst_amphisto_decide_allocation;
}
