/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/memory/pool.h"

#include "element/memory/memory.h"

#include <string.h>

struct _GstAmphistoPool
{
  GstVideoBufferPool parent;

  GstAllocator *allocator;
  gsize alignment; /* of planes and rows in bytes, or 0 */
};

#define parent_class gst_amphisto_pool_parent_class
G_DEFINE_TYPE (GstAmphistoPool, gst_amphisto_pool, GST_TYPE_VIDEO_BUFFER_POOL)

/* Whether a GstVideoAlignment is configured that asks for anything.
 * GstVideoFilter of GStreamer 1.28 configures zeros. */
static gboolean
is_aligned (GstStructure *config)
{
  GstVideoAlignment align, none;

  gst_video_alignment_reset (&align);
  gst_video_alignment_reset (&none);
  return gst_buffer_pool_config_has_option (
             config, GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT)
      && gst_buffer_pool_config_get_video_alignment (config, &align)
      && memcmp (&align, &none, sizeof align) != 0;
}

static void
align_rows (GstStructure *config, gsize alignment)
{
  GstVideoAlignment align;

  gst_video_alignment_reset (&align);
  for (guint p = 0; p < GST_VIDEO_MAX_PLANES; p++)
    align.stride_align[p] = alignment - 1;
  gst_buffer_pool_config_add_option (
      config, GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT);
  gst_buffer_pool_config_set_video_alignment (config, &align);
}

/* Returns: the largest stride alignment of all planes, less 1. */
static gsize
stride_mask (GstStructure *config)
{
  GstVideoAlignment align;
  gsize mask = 0;

  gst_video_alignment_reset (&align);
  gst_buffer_pool_config_get_video_alignment (config, &align);
  for (guint p = 0; p < GST_VIDEO_MAX_PLANES; p++)
    mask |= align.stride_align[p];
  return mask;
}

/* GstVideoBufferPool also aligns strides to the alignment of the memory.
 * Decoders insist on the strides that they ask for, so the memory's alignment
 * is lowered to the strides' alignment. Memory of the allocator is aligned to a
 * page anyway. */
static gboolean
gst_amphisto_pool_set_config (GstBufferPool *pool, GstStructure *config)
{
  GstAmphistoPool *self = GST_AMPHISTO_POOL (pool);
  GstAllocationParams params;

  gst_allocation_params_init (&params);
  gst_buffer_pool_config_get_allocator (config, NULL, &params);
  if (self->alignment > 0
      && gst_buffer_pool_config_has_option (
          config, GST_BUFFER_POOL_OPTION_VIDEO_META)
      && !is_aligned (config))
    align_rows (config, self->alignment);
  if (gst_buffer_pool_config_has_option (
          config, GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT)
      && params.align <= GST_AMPHISTO_PAGE_MASK)
    params.align = stride_mask (config);
  gst_buffer_pool_config_set_allocator (config, self->allocator, &params);
  return GST_BUFFER_POOL_CLASS (parent_class)->set_config (pool, config);
}

static void
gst_amphisto_pool_finalize (GObject *object)
{
  gst_object_unref (GST_AMPHISTO_POOL (object)->allocator);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
gst_amphisto_pool_class_init (GstAmphistoPoolClass *class)
{
  G_OBJECT_CLASS (class)->finalize = gst_amphisto_pool_finalize;
  GST_BUFFER_POOL_CLASS (class)->set_config = gst_amphisto_pool_set_config;
}

static void
gst_amphisto_pool_init (GstAmphistoPool *self)
{
  (void) self;
}

GstBufferPool *
gst_amphisto_pool_new (GstAllocator *allocator, gsize alignment)
{
  GstAmphistoPool *self = g_object_new (GST_TYPE_AMPHISTO_POOL, NULL);

  gst_object_ref_sink (self);
  self->allocator = gst_object_ref (allocator);
  self->alignment = alignment;
  return GST_BUFFER_POOL (self);
}
