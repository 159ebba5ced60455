/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/report/composition.h"

#include <string.h>

static void
clear_lines (GstAmphistoComposition *self)
{
  for (guint i = 0; i < GST_AMPHISTO_N_LINES; i++)
    g_clear_pointer (&self->lines[i], gst_video_overlay_rectangle_unref);
  self->outline = (outline_params){ 0 };
}

static void
clear_pool (GstAmphistoComposition *self)
{
  if (self->pool != NULL)
    gst_buffer_pool_set_active (self->pool, FALSE);
  gst_clear_object (&self->pool);
}

void
gst_amphisto_composition_clear (GstAmphistoComposition *self)
{
  clear_pool (self);
  clear_lines (self);
}

/* --- canvases --- */

GstBuffer *
gst_amphisto_composition_new_canvas (GstAmphistoComposition *self,
    const AmphistoPlan *plan, const GstAmphistoAllocation *allocation,
    GError **error)
{
  const AmphistoRegion *region = &plan->canvas.region;
  GstBuffer *canvas = NULL;

  if (self->pool == NULL
      || (guint) GST_VIDEO_INFO_WIDTH (&self->info) != region->width
      || (guint) GST_VIDEO_INFO_HEIGHT (&self->info) != region->height) {
    clear_pool (self);
    gst_video_info_set_format (&self->info,
        GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB, region->width,
        region->height);
    self->pool = gst_amphisto_allocation_new_pool (allocation, &self->info);
  }
  if (self->pool != NULL
      && gst_buffer_pool_acquire_buffer (self->pool, &canvas, NULL)
          == GST_FLOW_OK)
    return canvas;
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
      "There is no memory for scopes of %ux%u.", region->width, region->height);
  return NULL;
}

/* --- rectangles --- */

static GstVideoOverlayRectangle *
rectangle_new (GstBuffer *pixels, const AmphistoRegion *region)
{
  return gst_video_overlay_rectangle_new_raw (pixels, region->x, region->y,
      region->width, region->height,
      GST_VIDEO_OVERLAY_FORMAT_FLAG_PREMULTIPLIED_ALPHA);
}

/* Returns: (transfer full): a white rectangle. */
static GstVideoOverlayRectangle *
line_new (const AmphistoRegion *region)
{
  const gsize size = (gsize) region->width * region->height * 4;
  g_autoptr (GstBuffer) pixels = gst_buffer_new_allocate (NULL, size, NULL);

  gst_buffer_memset (pixels, 0, 0xff, size);
  gst_buffer_add_video_meta (pixels, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB, region->width, region->height);
  return rectangle_new (pixels, region);
}

/* Makes the lines of the outline, unless there are such already. Lines may
 * overlap in small regions. */
static void
make_lines (GstAmphistoComposition *self, const outline_params *outline)
{
  const guint width = MIN (outline->line_width, outline->width);
  const guint height = MIN (outline->line_width, outline->height);
  const guint right = outline->x + outline->width - width;
  const guint bottom = outline->y + outline->height - height;
  const AmphistoRegion lines[GST_AMPHISTO_N_LINES] = {
    { outline->x, outline->y, outline->width, height },
    { outline->x, bottom, outline->width, height },
    { outline->x, outline->y, width, outline->height },
    { right, outline->y, width, outline->height },
  };

  if (memcmp (&self->outline, outline, sizeof *outline) == 0)
    return;
  clear_lines (self);
  self->outline = *outline;
  if (outline->width > 0)
    for (guint i = 0; i < GST_AMPHISTO_N_LINES; i++)
      self->lines[i] = line_new (&lines[i]);
}

/* Replaces the buffer's composition, if any, which others may have, by one with
 * the same rectangles. Not by a copy: it would have copies of the rectangles,
 * which renderers would upload again.
 *
 * Returns: (transfer none): the new composition, which is writable. */
static GstVideoOverlayComposition *
replace_composition (GstBuffer *buffer)
{
  GstVideoOverlayCompositionMeta *meta =
      gst_buffer_get_video_overlay_composition_meta (buffer);
  GstVideoOverlayComposition *composition =
      gst_video_overlay_composition_new (NULL);
  guint n;

  if (meta == NULL) {
    gst_buffer_add_video_overlay_composition_meta (buffer, composition);
    gst_video_overlay_composition_unref (composition);
    return composition;
  }
  n = gst_video_overlay_composition_n_rectangles (meta->overlay);
  for (guint i = 0; i < n; i++)
    gst_video_overlay_composition_add_rectangle (composition,
        gst_video_overlay_composition_get_rectangle (meta->overlay, i));
  gst_video_overlay_composition_unref (meta->overlay);
  return meta->overlay = composition;
}

void
gst_amphisto_composition_attach (GstAmphistoComposition *self,
    const AmphistoPlan *plan, GstBuffer *canvas, GstBuffer *buffer)
{
  GstVideoOverlayComposition *composition = replace_composition (buffer);
  GstVideoOverlayRectangle *scopes =
      rectangle_new (canvas, &plan->canvas.region);

  make_lines (self, &plan->params.outline);
  for (guint i = 0; i < GST_AMPHISTO_N_LINES; i++)
    if (self->lines[i] != NULL)
      gst_video_overlay_composition_add_rectangle (composition, self->lines[i]);
  gst_video_overlay_composition_add_rectangle (composition, scopes);
  gst_video_overlay_rectangle_unref (scopes);
}
