/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "element/allocation.h"

void
gst_amphisto_allocation_add_alignment (GstQuery *query, gsize alignment)
{
  const guint n = gst_query_get_n_allocation_params (query);
  GstAllocationParams params;

  if (n == 0) {
    gst_allocation_params_init (&params);
    params.align = alignment - 1;
    gst_query_add_allocation_param (query, NULL, &params);
  }
  for (guint i = 0; i < n; i++) {
    GstAllocator *allocator = NULL;

    gst_query_parse_nth_allocation_param (query, i, &allocator, &params);
    params.align |= alignment - 1;
    gst_query_set_nth_allocation_param (query, i, allocator, &params);
    gst_clear_object (&allocator);
  }
}

/* Whether upstream may attach metadata that only downstream understands.
 *
 * GstVideoMeta is honoured here: strides, offsets, padding. Regions of
 * interest, time codes, captions and the like say something about the frame,
 * and stay true. These four do not:
 *
 * - GstVideoCropMeta: the caps are those of a part of the frame in the buffer,
 *   and another part would be measured. As in videoconvert, upstream crops.
 * - GstVideoAffineTransformationMeta: the viewer sees the frame turned, and the
 *   scope with it.
 * - GstVideoOverlayCompositionMeta: a text drawn upstream would not be in the
 *   frame. Whether it is measured and equalized, and whether the scope is above
 *   it, must not depend on the sink.
 * - GstVideoGLTextureUploadMeta: the texture is that of the frame before it was
 *   changed. */
static gboolean
may_come (GType api)
{
  return api != GST_VIDEO_CROP_META_API_TYPE
      && api != GST_VIDEO_AFFINE_TRANSFORMATION_META_API_TYPE
      && api != GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE
      && api != GST_VIDEO_GL_TEXTURE_UPLOAD_META_API_TYPE;
}

void
gst_amphisto_allocation_remove_metas (GstQuery *query)
{
  for (guint i = gst_query_get_n_allocation_metas (query); i-- > 0;)
    if (!may_come (gst_query_parse_nth_allocation_meta (query, i, NULL)))
      gst_query_remove_nth_allocation_meta (query, i);
}

/* An upstream element that crops by metadata although it was told not to: the
 * frame is treated as its caps say. In place, the metadata stays, for a sink
 * that crops. A new buffer has only the pixels of the caps' size, and the
 * rectangle would reach out of them. */
gboolean
gst_amphisto_allocation_keeps_meta (const GstMeta *meta)
{
  return meta->info->api != GST_VIDEO_CROP_META_API_TYPE;
}

gboolean
gst_amphisto_allocation_is_own (GstBuffer *buffer)
{
  if (!gst_buffer_is_writable (buffer)
      || !gst_buffer_is_all_memory_writable (buffer))
    return FALSE;
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++)
    if (GST_MEMORY_IS_READONLY (gst_buffer_peek_memory (buffer, i)))
      return FALSE;
  return TRUE;
}
