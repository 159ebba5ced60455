/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "downstream.h"

#include <gst/video/video.h>

static guint
frame_size (GstQuery *query)
{
  GstVideoInfo info;
  GstCaps *caps;

  gst_query_parse_allocation (query, &caps, NULL);
  fail_unless (gst_video_info_from_caps (&info, caps));
  return GST_VIDEO_INFO_SIZE (&info);
}

static GstPadProbeReturn
propose (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  const Proposal *self = user_data;
  GstQuery *query = info->data;

  (void) pad;
  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;
  if (self->pool != NULL)
    gst_query_add_allocation_pool (query, self->pool,
        self->size > 0 ? self->size : frame_size (query), self->min, self->max);
  if (self->allocator != NULL)
    gst_query_set_nth_allocation_param (
        query, 0, self->allocator, &self->params);
  return GST_PAD_PROBE_OK;
}

void
harness_propose (GstHarness *h, Proposal *proposal)
{
  harness_probe_queries (h, propose, proposal);
}

void
harness_probe_queries (
    GstHarness *h, GstPadProbeCallback probe, gpointer user_data)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (h->element, "src");

  gst_pad_add_probe (pad,
      GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM | GST_PAD_PROBE_TYPE_PULL, probe,
      user_data, NULL);
}

GstQuery *
harness_query_allocation (GstHarness *h, gboolean needs_pool)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (h->srcpad);
  GstQuery *query = gst_query_new_allocation (caps, needs_pool);

  fail_unless (gst_pad_peer_query (h->srcpad, query));
  return query;
}

GstBufferPool *
query_pool (GstQuery *query, guint i)
{
  GstBufferPool *pool = NULL;

  if (i < gst_query_get_n_allocation_pools (query))
    gst_query_parse_nth_allocation_pool (query, i, &pool, NULL, NULL, NULL);
  return pool;
}

GstAllocator *
query_allocator (GstQuery *query)
{
  GstAllocator *allocator = NULL;

  gst_query_parse_nth_allocation_param (query, 0, &allocator, NULL);
  return allocator;
}

void
pool_activate (GstBufferPool *pool, GstCaps *caps, guint size, guint min,
    guint max, GstAllocator *allocator)
{
  GstStructure *config = gst_buffer_pool_get_config (pool);

  gst_buffer_pool_config_set_params (config, caps, size, min, max);
  if (allocator != NULL)
    gst_buffer_pool_config_set_allocator (config, allocator, NULL);
  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  fail_unless (gst_buffer_pool_set_config (pool, config));
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
}

GstBuffer *
pool_acquire (GstBufferPool *pool)
{
  GstBufferPoolAcquireParams at_once = {
    .flags = GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT
  };
  GstBuffer *buffer = NULL;

  fail_unless_equals_int (
      gst_buffer_pool_acquire_buffer (pool, &buffer, &at_once), GST_FLOW_OK);
  return buffer;
}

GstBufferPool *
harness_propose_pool (GstHarness *h)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (h->srcpad);
  g_autoptr (GstQuery) query = harness_query_allocation (h, TRUE);
  GstBufferPool *pool = query_pool (query, 0);
  GstStructure *config;
  guint size, min, max;

  if (pool == NULL)
    return NULL;
  gst_query_parse_nth_allocation_pool (query, 0, NULL, &size, &min, &max);
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, size, min, max);
  if (gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL))
    gst_buffer_pool_config_add_option (
        config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  fail_unless (gst_buffer_pool_set_config (pool, config));
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  return pool;
}
