/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/memory/crop.h"

/* Whether a sample of each component begins at the corner; in interlaced video,
 * one of each field. */
static gboolean
is_at_samples (const GstVideoCropMeta *meta, const GstVideoInfo *info)
{
  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (info); c++) {
    const guint x_shift = GST_VIDEO_FORMAT_INFO_W_SUB (info->finfo, c);
    guint y_shift = GST_VIDEO_FORMAT_INFO_H_SUB (info->finfo, c);

    if (y_shift > 0 && GST_VIDEO_INFO_IS_INTERLACED (info))
      y_shift++;
    if (meta->x % (1u << x_shift) != 0 || meta->y % (1u << y_shift) != 0)
      return FALSE;
  }
  return TRUE;
}

gchar *
gst_amphisto_crop_init (
    GstAmphistoCrop *self, GstBuffer *buffer, const GstVideoInfo *info)
{
  const GstVideoCropMeta *meta = gst_buffer_get_video_crop_meta (buffer);
  const GstVideoMeta *video = gst_buffer_get_video_meta (buffer);
  const guint width = video != NULL ? video->width : (guint) info->width;
  const guint height = video != NULL ? video->height : (guint) info->height;

  *self = (GstAmphistoCrop){ 0 };
  if (meta == NULL)
    return NULL;
  if (meta->width != (guint) info->width
      || meta->height != (guint) info->height)
    return g_strdup_printf ("its size is %ux%u, the caps' %dx%d", meta->width,
        meta->height, info->width, info->height);
  if ((guint64) meta->x + meta->width > width
      || (guint64) meta->y + meta->height > height)
    return g_strdup_printf ("from (%u, %u) on, it reaches out of the buffer's "
                            "frame of %ux%u",
        meta->x, meta->y, width, height);
  if (!is_at_samples (meta, info))
    return g_strdup_printf (
        "it begins at (%u, %u), within a chroma sample", meta->x, meta->y);
  *self = (GstAmphistoCrop){ meta->x, meta->y };
  return NULL;
}

void
gst_amphisto_crop_find_corner (const GstAmphistoCrop *self,
    const GstVideoFormatInfo *format, guint p, guint *row, gsize *byte)
{
  *row = 0;
  *byte = 0;
  for (guint c = 0; c < GST_VIDEO_FORMAT_INFO_N_COMPONENTS (format); c++)
    if (GST_VIDEO_FORMAT_INFO_PLANE (format, c) == p) {
      *row = self->y >> GST_VIDEO_FORMAT_INFO_H_SUB (format, c);
      *byte = (gsize) (self->x >> GST_VIDEO_FORMAT_INFO_W_SUB (format, c))
          * GST_VIDEO_FORMAT_INFO_PSTRIDE (format, c);
    }
}

/* Makes an interval relative to `origin`, and cuts off the part before it. */
static void
move (guint origin, guint *first, guint *size)
{
  const guint cut = origin > *first ? MIN (origin - *first, *size) : 0;

  *size -= cut;
  *first = *first > origin ? *first - origin : 0;
}

void
gst_amphisto_crop_move (
    const GstAmphistoCrop *self, guint *x, guint *y, guint *w, guint *h)
{
  move (self->x, x, w);
  move (self->y, y, h);
}

gboolean
gst_amphisto_crop_copy_region (
    const GstAmphistoCrop *self, GstBuffer *outbuf, const GstMeta *meta)
{
  const GstVideoRegionOfInterestMeta *region = (gconstpointer) meta;
  GstVideoRegionOfInterestMeta *copy;

  if (meta->info->api != GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE
      || !gst_amphisto_crop_is_shifted (self))
    return FALSE;
  copy = gst_buffer_add_video_region_of_interest_meta_id (
      outbuf, region->roi_type, region->x, region->y, region->w, region->h);
  gst_amphisto_crop_move (self, &copy->x, &copy->y, &copy->w, &copy->h);
  copy->id = region->id;
  copy->parent_id = region->parent_id;
  for (GList *l = region->params; l != NULL; l = l->next)
    gst_video_region_of_interest_meta_add_param (
        copy, gst_structure_copy (l->data));
  return TRUE;
}
