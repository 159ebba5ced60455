/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Buffers with GstVideoCropMeta: the frame of the caps is part of the buffer's
 * frame.
 */

#include "othermemory.h"

#include <string.h>

#define FULL_WIDTH 200
#define FULL_HEIGHT 150
#define X 8
#define Y 12
#define WIDTH 161
#define HEIGHT 121

/* --- parts of pictures --- */

/* The first component in plane `p`. */
static const PictureComponent *
plane_component (const Picture *picture, guint p)
{
  const PictureComponent *c = picture->format->component;

  while (c->plane != p)
    c++;
  return c;
}

/* Row `row` of plane `p`, in the part of the picture that begins at (x, y). */
static guint8 *
part_row (const Picture *picture, guint x, guint y, guint p, guint row)
{
  const PictureComponent *c = plane_component (picture, p);

  return picture_row (picture, p, row + (y >> c->y_shift))
      + (x >> c->x_shift) * c->step;
}

/* Copies the part of `full` at (x, y), with the size of `part`, to `part`. */
static void
cut (const Picture *full, guint x, guint y, Picture *part)
{
  for (guint p = 0; p < part->n_planes; p++)
    for (guint row = 0; row < part->rows[p]; row++)
      memcpy (picture_row (part, p, row), part_row (full, x, y, p, row),
          part->row_bytes[p]);
}

static void
paste (const Picture *part, guint x, guint y, Picture *full)
{
  for (guint p = 0; p < part->n_planes; p++)
    for (guint row = 0; row < part->rows[p]; row++)
      memcpy (part_row (full, x, y, p, row), picture_row (part, p, row),
          part->row_bytes[p]);
}

static Picture *
part_new (const Picture *full, guint x, guint y)
{
  Picture *part =
      picture_new (full->format->name, WIDTH, HEIGHT, PICTURE_TIGHT, 0, 255, 2);

  cut (full, x, y, part);
  return part;
}

static GstBuffer *
add_crop (GstBuffer *buffer, guint x, guint y, guint width, guint height)
{
  GstVideoCropMeta *meta = gst_buffer_add_video_crop_meta (buffer);

  meta->x = x;
  meta->y = y;
  meta->width = width;
  meta->height = height;
  return buffer;
}

/* --- works on the part --- */

/* The part is measured and changed, in the buffer's own memory or in a new
 * buffer, which has no crop; the rest stays. `reference` gets the part as a
 * whole frame. */
static void
check_part (GstHarness *h, GstHarness *reference, Picture *full,
    gboolean is_shared, gboolean in_planes)
{
  g_autoptr (Picture) before = part_new (full, X, Y);
  g_autoptr (Picture) expected = picture_copy (before);
  g_autoptr (Picture) all = picture_copy (full);
  GstBuffer *buffer =
      in_planes ? picture_wrap_planes (full, 0) : picture_wrap (full);
  g_autoptr (GstMemory) memory = gst_buffer_get_memory (buffer, 0);
  g_autoptr (GstBuffer) shared = NULL, out = NULL;

  harness_set_caps (reference, before);
  harness_change (reference, expected, 0);
  add_crop (buffer, X, Y, WIDTH, HEIGHT);
  if (is_shared)
    shared = gst_buffer_ref (buffer);
  harness_set_caps (h, before);
  out = harness_run (h, buffer);
  assert_histograms (out, before, ALL_NAMES);
  fail_unless_equals_int (gst_buffer_get_video_crop_meta (out) != NULL,
      gst_buffer_peek_memory (out, 0) == memory);
  if (gst_buffer_get_video_crop_meta (out) != NULL)
    paste (expected, X, Y, all);
  else
    assert_pixels (out, expected);
  fail_unless_same_picture (full, all);
}

/* Each format, in memory of every kind. */
TEST (test_part)
{
  GstHarness *reference = harness_new_at_work (__i__);
  g_autoptr (Harness) h = harness_new_at_work (__i__);

  for (guint f = 0; f < PICTURE_N_FORMATS;
       f += test_size () < TEST_FULL ? 3 : 1)
    for (guint i = 0; i < 2; i++) {
      g_autoptr (Picture) full =
          picture_new (picture_formats[f].name, FULL_WIDTH, FULL_HEIGHT,
              (__i__ + i) % PICTURE_N_SHAPES, 20, 130, i + 1);

      check_part (h, reference, full, i, (__i__ + i) & 2);
    }
  harness_free (reference);
}

/* The part in the last corner ends with the buffer. */
TEST (test_last_corner)
{
  g_autoptr (Picture) full =
      picture_new ("NV12", WIDTH + 4, HEIGHT + 4, PICTURE_TIGHT, 20, 130, 1);
  g_autoptr (Picture) part = part_new (full, 4, 4);
  g_autoptr (Harness) h = harness_new_for (part, NULL, NULL);

  harness_check (h, add_crop (picture_wrap (full), 4, 4, WIDTH, HEIGHT), part,
      "luma", NULL);
}

/* --- crops that are ignored --- */

static const struct
{
  const gchar *format;
  guint x, y, width, height;
  const gchar *why;
} wrong[] = {
  { "GRAY8", 8, 12, WIDTH - 1, HEIGHT, "its size is 160x121" },
  { "GRAY8", 8, 12, WIDTH, HEIGHT + 1, "its size is 161x122" },
  { "GRAY8", 0, 0, 0, 0, "its size is 0x0" },
  { "GRAY8", FULL_WIDTH - WIDTH + 1, 0, WIDTH, HEIGHT, "it reaches out" },
  { "GRAY8", 0, FULL_HEIGHT - HEIGHT + 1, WIDTH, HEIGHT, "it reaches out" },
  { "GRAY8", G_MAXUINT, 0, WIDTH, HEIGHT, "it reaches out" },
  { "I420", 1, 2, WIDTH, HEIGHT, "within a chroma sample" },
  { "I420", 2, 1, WIDTH, HEIGHT, "within a chroma sample" },
  { "YUY2", 3, 2, WIDTH, HEIGHT, "within a chroma sample" },
  { "Y41B", 6, 4, WIDTH, HEIGHT, "within a chroma sample" },
  { "YUV9", 4, 2, WIDTH, HEIGHT, "within a chroma sample" },
};

/* The frame is at the top left, as without the metadata. A warning gives the
 * reason, once per caps. */
TEST (test_wrong)
{
  g_autoptr (Picture) full = picture_new (
      wrong[__i__].format, FULL_WIDTH, FULL_HEIGHT, PICTURE_PADDED, 20, 130, 1);
  g_autoptr (Picture) part = part_new (full, 0, 0);
  g_autoptr (Harness) h = harness_new_for (part, NULL, NULL);

  for (guint round = 0; round < 2; round++) {
    for (guint n = 0; n < 3; n++)
      harness_check (h,
          add_crop (picture_wrap (full), wrong[__i__].x, wrong[__i__].y,
              wrong[__i__].width, wrong[__i__].height),
          part, "luma", NULL);
    assert_warned (h->element, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
        wrong[__i__].why);
    assert_not_warned (h->element);
    harness_set_colorimetry (h, part, "1:3:5:1");
  }
}

/* In these formats, every corner between chroma rows is possible. */
TEST (test_whole_samples)
{
  static const struct
  {
    const gchar *format;
    guint x, y;
  } corners[] = { { "GRAY8", 1, 1 }, { "Y444", 3, 5 }, { "NV24", 1, 7 },
    { "RGB", 5, 3 }, { "IYU2", 7, 1 }, { "Y42B", 2, 3 }, { "UYVY", 6, 1 },
    { "Y41B", 4, 3 } };
  g_autoptr (Picture) full = picture_new (
      corners[__i__].format, FULL_WIDTH, FULL_HEIGHT, PICTURE_ODD, 20, 130, 1);
  g_autoptr (Picture) part =
      part_new (full, corners[__i__].x, corners[__i__].y);
  g_autoptr (Harness) h =
      harness_new_for (part, "channels", CHANNELS_ALL, NULL);

  harness_check (h,
      add_crop (picture_wrap (full), corners[__i__].x, corners[__i__].y, WIDTH,
          HEIGHT),
      part, ALL_NAMES, NULL);
}

/* Strides that are smaller than the width of the buffer's frame, and memory
 * that ends inside the part. */
TEST (test_too_small)
{
  g_autoptr (Picture) part =
      picture_new ("GRAY8", WIDTH, HEIGHT, PICTURE_TIGHT, 20, 130, 1);
  g_autoptr (Harness) h = harness_new_for (part, NULL, NULL);
  GstBuffer *buffer =
      gst_buffer_new_allocate (NULL, FULL_WIDTH * FULL_HEIGHT, NULL);
  gsize offset[GST_VIDEO_MAX_PLANES] = { 0 };
  gint stride[GST_VIDEO_MAX_PLANES] = { __i__ ? FULL_WIDTH : WIDTH };

  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_GRAY8, FULL_WIDTH, __i__ ? 1000 : FULL_HEIGHT, 1, offset,
      stride);
  add_crop (buffer, X, __i__ ? FULL_HEIGHT - HEIGHT + 1 : Y, WIDTH, HEIGHT);
  harness_fail (h, buffer, GST_RESOURCE_ERROR_READ,
      __i__ ? "does not fit" : "161 bytes apart and hold 169 bytes");
}

/* --- regions of interest --- */

static const struct
{
  guint x, y, w, h;                     /* in the buffer's frame */
  guint part_x, part_y, part_w, part_h; /* in the frame of the caps, moved */
} regions[] = {
  { X + 4, Y + 6, 20, 10, 4, 6, 20, 10 },
  { 0, 0, X + 20, Y + 10, 0, 0, 20, 10 },
  { X - 2, Y + 100, 500, 500, 0, 100, 498, 500 },
};

/* Regions are given in the buffer's frame. Only their parts in the caps' frame
 * are measured; in a new buffer (1), they are moved with that frame. */
TEST (test_regions)
{
  g_autoptr (Picture) full =
      picture_new ("I420", FULL_WIDTH, FULL_HEIGHT, PICTURE_PADDED, 20, 130, 1);
  g_autoptr (Picture) part = part_new (full, X, Y);
  GstBuffer *buffer = add_crop (picture_wrap (full), X, Y, WIDTH, HEIGHT);
  g_autoptr (Harness) h = harness_new_for (part, "roi-meta", TRUE,
      "equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);
  g_autoptr (GstBuffer) shared = NULL, out = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (regions); i++) {
    GstVideoRegionOfInterestMeta *meta =
        gst_buffer_add_video_region_of_interest_meta (buffer, "face",
            regions[i].x, regions[i].y, regions[i].w, regions[i].h);

    meta->id = i;
    meta->parent_id = i - 1;
  }
  if (__i__ == 1)
    shared = gst_buffer_ref (buffer);
  out = harness_run (h, buffer);
  for (guint i = 0; IS_ROW (regions, i); i++) {
    const GstVideoRegionOfInterestMeta *meta =
        gst_buffer_get_video_region_of_interest_meta_id (out, i);
    const gboolean is_moved = gst_buffer_get_video_crop_meta (out) == NULL;

    picture_set_part (part, regions[i].part_x, regions[i].part_y,
        MIN (regions[i].part_w, WIDTH - regions[i].part_x),
        MIN (regions[i].part_h, HEIGHT - regions[i].part_y));
    assert_channels (buffer_region (out, i), part, "luma");
    fail_unless (meta != NULL);
    fail_unless_equals_int (meta->parent_id, (gint) i - 1);
    fail_unless_equals_int (
        meta->x, is_moved ? regions[i].part_x : regions[i].x);
    fail_unless_equals_int (
        meta->h, is_moved ? regions[i].part_h : regions[i].h);
  }
}

/* --- interlaced frames --- */

static void
check_fields (GstHarness *h, guint shape, guint height, guint crop_height)
{
  for (guint y = 0; y <= 8; y += 2) {
    g_autoptr (Picture) picture =
        picture_new ("I420", 16, height, shape, 0, 255, 7);
    GstBuffer *buffer =
        add_crop (picture_wrap (picture), 0, y, 16, crop_height);
    g_autoptr (Picture) part =
        picture_new ("I420", 16, crop_height, PICTURE_TIGHT, 0, 0, 1);

    harness_set_fields (h, part, "interlace-mode=interleaved");
    picture->is_interlaced = true;
    picture_set_part (picture, 0, y % 4 == 0 ? y : 0, 16, crop_height);
    harness_check (h, buffer, picture, ALL_NAMES, NULL);
    if (y % 4 != 0)
      assert_warned (h->element, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "");
    /* other caps, so that the next crop is warned of, too */
    harness_set_caps (h, part);
  }
}

/* A crop must begin with chroma rows of both fields, else it is ignored. The
 * last row of chroma of 14 rows is below those of progressive frames. It lies
 * outside only if the crop reaches the last row of a tight picture. */
TEST (test_fields)
{
  g_autoptr (Harness) h =
      harness_new ("channels", CHANNELS_ALL, "verify", TRUE, NULL);

  for (guint shape = 0; shape < PICTURE_N_SHAPES; shape++) {
    check_fields (h, shape, 24, 12);
    check_fields (h, shape, 24, 14);
    check_fields (h, shape, 22, 14);
  }
}

const ElementTest element_tests[] = { TIMES (test_part, N_WORKS),
  ONCE (test_last_corner), EACH (test_wrong, wrong),
  TIMES (test_whole_samples, 8), TIMES (test_too_small, 2),
  TIMES (test_regions, 2), ONCE (test_fields), { 0 } };
