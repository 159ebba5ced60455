/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "pixels.h"
#include "report.h"

#include <string.h>

void
fuzz_compare (const Picture *expected, const Picture *actual)
{
  char text[PICTURE_TEXT];

  if (picture_differs (actual, expected, text))
    fuzz_fail ("%s", text);
}

static gboolean
is_within (const Picture *picture, const guint8 *byte)
{
  return byte >= picture->block && byte < picture->block + picture->block_size;
}

static void
copy_plane (const Picture *source, const Picture *target, guint p)
{
  for (guint y = 0; y < picture_plane_rows (source, p); y++)
    memcpy (picture_row (target, p, y), picture_row (source, p, y),
        source->row_bytes[p]);
}

/* Maps the frame, and copies its samples to the picture. */
static void
read_frame (GstVideoFrame *map, const GstVideoInfo *info, GstBuffer *buffer,
    const Picture *picture)
{
  if (!gst_video_frame_map (map, info, buffer, GST_MAP_READ))
    fuzz_fail ("the buffer that came out can't be mapped");
  for (guint p = 0; p < picture->n_planes; p++) {
    const guint8 *data = GST_VIDEO_FRAME_PLANE_DATA (map, p);

    for (guint y = 0; y < picture_plane_rows (picture, p); y++)
      memcpy (picture_row (picture, p, y),
          data + (gssize) y * GST_VIDEO_FRAME_PLANE_STRIDE (map, p),
          picture->row_bytes[p]);
  }
}

void
fuzz_take_output (const FuzzFrame *self, GstBuffer *out, Picture *input,
    gboolean is_shared, Picture *result)
{
  GstVideoFrame map;

  if (is_shared)
    fuzz_compare (self->before, input);
  read_frame (&map, self->info, out, result);
  for (guint p = 0; p < result->n_planes; p++)
    if (is_within (input, GST_VIDEO_FRAME_PLANE_DATA (&map, p)))
      copy_plane (self->before, input, p);
  gst_video_frame_unmap (&map);
  fuzz_compare (self->before, input);
}

Picture *
fuzz_take_scopes_only (const FuzzFrame *self, GstBuffer *out,
    const GstVideoInfo *info, const Picture *input)
{
  Picture *result =
      picture_new ("BGRA", info->width, info->height, PICTURE_TIGHT, 0, 0, 1);
  GstVideoFrame map;

  if (GST_BUFFER_FLAG_IS_SET (out, GST_VIDEO_BUFFER_FLAG_INTERLACED))
    fuzz_fail ("the picture's flag INTERLACED");
  if (gst_buffer_get_video_region_of_interest_meta_id (out, 0) != NULL)
    fuzz_fail ("the picture's region of interest");
  if (gst_buffer_get_video_overlay_composition_meta (out) != NULL)
    fuzz_fail ("a composition");
  read_frame (&map, info, out, result);
  gst_video_frame_unmap (&map);
  for (guint y = 0; y < result->height; y++)
    for (guint x = 0; x < result->width; x++) {
      const guint8 alpha = picture_row (result, 0, y)[4 * x + 3];

      if (alpha != 255)
        fuzz_fail ("alpha of pixel (%u, %u) is %u", x, y, alpha);
    }
  fuzz_compare (self->before, input);
  return result;
}

static guint8 *
sample (const Picture *picture, const PictureComponent *c, guint x, guint y)
{
  return picture_row (picture, c->plane, y) + c->offset + (gsize) x * c->step;
}

/* Restores a component's samples in the selected part. */
static void
restore (const FuzzFrame *self, Picture *result, guint component)
{
  const PictureComponent *c = &result->format->component[component];
  const Picture *before = self->before;
  const guint end_x = before->part_x + before->part_width;
  guint y, end_y;

  if (c->channel == NULL || fuzz_picture_part_is_empty (before))
    return;
  picture_part_rows (before, c->y_shift, &y, &end_y);
  for (; y < end_y; y++)
    for (guint x = before->part_x >> c->x_shift; x << c->x_shift < end_x; x++)
      *sample (result, c, x, y) = *sample (before, c, x, y);
}

void
fuzz_check_pixels (
    const FuzzFrame *self, const Picture *result, gboolean composes)
{
  const FuzzSettings *settings = &self->settings;
  const gboolean has_scopes =
      settings->scopes != AMPHISTO_SCOPE_NONE && !composes;
  const gboolean scales_chroma = settings->keep_colors
      && settings->equalization != AMPHISTO_EQUALIZATION_NONE;
  const gboolean is_drawn_into =
      has_scopes || settings->exposure != AMPHISTO_EXPOSURE_NONE;
  g_autoptr (Picture) expected = NULL;
  g_autoptr (Picture) restored = NULL;

  fuzz_frame_select_region (self);
  if (!is_drawn_into && settings->equalization == AMPHISTO_EQUALIZATION_NONE) {
    fuzz_compare (self->before, result);
    return;
  }
  if (!is_drawn_into
      && settings->equalization == AMPHISTO_EQUALIZATION_GLOBAL) {
    expected = fuzz_picture_copy (self->before);
    expected->keeps_colors = settings->keep_colors;
    expected->budget = self->budget;
    expected->has_fields = GST_VIDEO_INFO_IS_INTERLACED (self->info);
    if (!fuzz_picture_part_is_empty (expected))
      picture_equalize_weighted (
          expected, self->weights, self->smoothed, (gfloat) settings->strength);
    fuzz_compare (expected, result);
    return;
  }
  restored = fuzz_picture_copy (result);
  /* scopes stand in the frame's corner, and are drawn into alpha */
  if (has_scopes && !fuzz_picture_part_is_empty (self->before))
    fuzz_picture_set_part (self->before, 0, 0, G_MAXUINT, G_MAXUINT);
  for (guint i = 0; i < 4; i++)
    if (i == 0 || has_scopes
        || (i < 3
            && (restored->format->is_rgb || scales_chroma
                || settings->exposure
                    & (AMPHISTO_EXPOSURE_FALSE_COLOR
                        | AMPHISTO_EXPOSURE_PEAKING))))
      restore (self, restored, i);
  fuzz_compare (self->before, restored);
}

/* --- scopes --- */

static GstBuffer *
pixels_of (GstVideoOverlayRectangle *rectangle)
{
  return gst_video_overlay_rectangle_get_pixels_unscaled_raw (
      rectangle, GST_VIDEO_OVERLAY_FORMAT_FLAG_PREMULTIPLIED_ALPHA);
}

/* Compares BGRA, whose rows follow each other directly. */
static void
compare_rectangle_pixels (
    guint i, guint width, const GstMapInfo *expected, const GstMapInfo *actual)
{
  gsize at = 0;

  if (expected->size != actual->size)
    fuzz_fail (
        "rectangle %u has %zu bytes, not %zu", i, actual->size, expected->size);
  while (at < expected->size && expected->data[at] == actual->data[at])
    at++;
  if (at < expected->size)
    fuzz_fail ("rectangle %u: byte %zu of pixel (%zu, %zu) is %u, not %u", i,
        at % 4, at / 4 % width, at / 4 / width, actual->data[at],
        expected->data[at]);
}

static void
compare_rectangles (guint i, GstVideoOverlayRectangle *expected,
    GstVideoOverlayRectangle *actual)
{
  GstVideoOverlayRectangle *both[] = { expected, actual };
  gint x[2], y[2];
  guint width[2], height[2];
  GstMapInfo map[2];

  for (guint r = 0; r < 2; r++) {
    gst_video_overlay_rectangle_get_render_rectangle (
        both[r], &x[r], &y[r], &width[r], &height[r]);
    g_assert_true (gst_buffer_map (pixels_of (both[r]), &map[r], GST_MAP_READ));
  }
  if (x[0] != x[1] || y[0] != y[1] || width[0] != width[1]
      || height[0] != height[1])
    fuzz_fail ("rectangle %u is %ux%u at (%d, %d), not %ux%u at (%d, %d)", i,
        width[1], height[1], x[1], y[1], width[0], height[0], x[0], y[0]);
  compare_rectangle_pixels (i, width[0], &map[0], &map[1]);
  for (guint r = 0; r < 2; r++)
    gst_buffer_unmap (pixels_of (both[r]), &map[r]);
}

void
fuzz_compare_scopes (
    GstVideoOverlayComposition *expected, GstVideoOverlayComposition *actual)
{
  const guint n = expected != NULL
      ? gst_video_overlay_composition_n_rectangles (expected)
      : 0;
  const guint n_actual =
      actual != NULL ? gst_video_overlay_composition_n_rectangles (actual) : 0;

  if (n_actual != n)
    fuzz_fail ("%u rectangles, not %u", n_actual, n);
  for (guint i = 0; i < n; i++)
    compare_rectangles (i,
        gst_video_overlay_composition_get_rectangle (expected, i),
        gst_video_overlay_composition_get_rectangle (actual, i));
}

/* Whether a side of the scopes is no further from the frame's than a margin,
 * 1/40 of the frame, rounded to multiples of `unit`. The margin shrinks with
 * the scopes. */
static gboolean
is_at_side (const FuzzFrame *self, guint distance, guint unit)
{
  const guint margin = MIN (self->before->width, self->before->height) / 40;

  return distance <= MAX (margin + unit / 2, unit - 1);
}

void
fuzz_check_scopes (const FuzzFrame *self, GstVideoOverlayComposition *scopes)
{
  const guint n =
      scopes != NULL ? gst_video_overlay_composition_n_rectangles (scopes) : 0;
  const gint position = self->settings.position;
  const PictureComponent *chroma = &self->before->format->component[1];
  const guint unit_x = 4u << chroma->x_shift;
  const gboolean has_fields = GST_VIDEO_INFO_IS_INTERLACED (self->info);
  const guint unit_y = MAX (4u, (has_fields ? 2u : 1u) << chroma->y_shift);
  gint x, y;
  guint width, height, right, bottom;

  if (n == 0)
    return;
  gst_video_overlay_rectangle_get_render_rectangle (
      gst_video_overlay_composition_get_rectangle (scopes, n - 1), &x, &y,
      &width, &height);
  right = self->before->width - x - width;
  bottom = self->before->height - y - height;
  if (x < 0 || y < 0
      || !is_at_side (
          self, position & AMPHISTO_SCOPE_TOP_RIGHT ? right : (guint) x, unit_x)
      || !is_at_side (self,
          position & AMPHISTO_SCOPE_BOTTOM_LEFT ? bottom : (guint) y, unit_y))
    fuzz_fail ("%ux%u at (%d, %d), corner %d", width, height, x, y, position);
}
