/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Buffers whose planes are stored from the bottom up: GstVideoMeta has negative
 * strides. They come out as the same pictures that are stored upright.
 */

#include "othermemory.h"

#include <string.h>

#define WIDTH 131
#define HEIGHT 68

/* Planes that are stored from the bottom up: all, or some. */
static const guint turned[] = { 15, 1, 6 };

/* The picture's part at (x, y), upright and alone. */
static Picture *
upright_new (
    const Picture *picture, guint x, guint y, guint width, guint height)
{
  Picture *upright = picture_new (
      picture->format->name, width, height, PICTURE_TIGHT, 0, 255, 1);

  for (guint i = 0; i < PICTURE_MAX_CHANNELS; i++) {
    const PictureComponent *c = &picture->format->component[i];

    for (guint row = 0; c->channel != NULL && row < upright->rows[c->plane];
         row++)
      memcpy (picture_row (upright, c->plane, row),
          picture_row (picture, c->plane, row + (y >> c->y_shift))
              + (x >> c->x_shift) * c->step,
          upright->row_bytes[c->plane]);
  }
  return upright;
}

/* Writes the pixels of `part` into the picture, from (x, y) on. */
static void
paste (const Picture *part, guint x, guint y, Picture *picture)
{
  for (guint i = 0; i < PICTURE_MAX_CHANNELS; i++) {
    const PictureComponent *c = &picture->format->component[i];

    for (guint row = 0; c->channel != NULL && row < part->rows[c->plane]; row++)
      memcpy (picture_row (picture, c->plane, row + (y >> c->y_shift))
              + (x >> c->x_shift) * c->step,
          picture_row (part, c->plane, row), part->row_bytes[c->plane]);
  }
}

static void
assert_bottom_up (GstBuffer *buffer, const Picture *picture)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);

  for (guint p = 0; p < picture->n_planes; p++)
    fail_unless_equals_int (meta->stride[p], picture->stride[p]);
}

/* The part of the frame at (x, y), which may be all of it, is measured and
 * changed as `reference` does with the upright picture. In its own memory, the
 * frame stays bottom-up, and all other bytes stay as they are; a frame that
 * must not change is copied. */
static void
check_frame (GstHarness *h, GstHarness *reference, Picture *picture, guint x,
    guint y, gboolean is_shared)
{
  const guint width = picture->width - 2 * x, height = picture->height - 2 * y;
  g_autoptr (Picture) before = upright_new (picture, x, y, width, height);
  g_autoptr (Picture) after = picture_copy (before);
  g_autoptr (Picture) expected = picture_copy (picture);
  GstBuffer *buffer = picture_wrap (picture);
  g_autoptr (GstMemory) memory = gst_buffer_get_memory (buffer, 0);
  g_autoptr (GstBuffer) shared = NULL, out = NULL;

  if (x > 0) {
    GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);

    *crop = (GstVideoCropMeta){ crop->meta, x, y, width, height };
  }
  if (is_shared)
    shared = gst_buffer_ref (buffer);
  harness_set_caps (reference, before);
  harness_change (reference, after, 0);
  harness_set_caps (h, before);
  out = harness_run (h, buffer);
  assert_histograms (out, before, ALL_NAMES);
  if (gst_buffer_peek_memory (out, 0) == memory) {
    paste (after, x, y, expected);
    assert_bottom_up (out, picture);
  } else {
    assert_pixels (out, after);
  }
  fail_unless_same_picture (picture, expected);
}

/* All formats, all kinds of work, with and without a crop. */
TEST (test_formats)
{
  GstHarness *reference = harness_new_at_work (__i__);
  g_autoptr (Harness) h = harness_new_at_work (__i__);

  g_object_set (h->element, "verify", TRUE, NULL);
  for (guint f = 0; f < PICTURE_N_FORMATS;
       f += test_size () < TEST_FULL ? 5 : 1)
    for (guint i = 0; i < 6; i++) {
      g_autoptr (Picture) picture = picture_new (picture_formats[f].name, WIDTH,
          HEIGHT, (f + i) % PICTURE_N_SHAPES, 20, 230, i + 1);

      picture_turn (picture, turned[i % G_N_ELEMENTS (turned)]);
      check_frame (h, reference, picture, i / 3 * 8, i / 3 * 16, (f + i) % 2);
    }
  harness_free (reference);
}

/* Frames with one row, which may have any stride, and with two. */
TEST (test_few_rows)
{
  g_autoptr (Harness) h = harness_new ("equalization", 1, "verify", TRUE, NULL);
  GstHarness *reference = harness_new ("equalization", 1, NULL);
  g_autoptr (Picture) picture =
      picture_new ("I420", WIDTH, 1 + __i__, PICTURE_ODD, 20, 230, 1);

  g_object_set (h->element, "channels", CHANNELS_ALL, NULL);
  picture_turn (picture, 7);
  check_frame (h, reference, picture, 0, 0, FALSE);
  harness_free (reference);
}

/* Fields keep their chroma rows. Only padded pictures have the row that only
 * the lower field uses: behind the plane's last row, that is, below it. */
TEST (test_interlaced)
{
  g_autoptr (Harness) h = harness_new ("channels", CHANNELS_ALL, "equalization",
      1, "keep-colors", TRUE, "verify", TRUE, NULL);

  for (guint height = 12; height < 16; height++)
    for (guint shape = 0; shape < PICTURE_N_SHAPES; shape++) {
      g_autoptr (Picture) picture =
          picture_new ("I420", 32, height, shape, 20, 230, height);
      g_autoptr (Picture) before = NULL;

      picture_turn (picture, turned[(height + shape) % 3]);
      picture->is_interlaced = true;
      before = picture_copy (picture);
      harness_set_fields (h, picture, "interlace-mode=interleaved");
      harness_check (h, picture_wrap (picture), before, ALL_NAMES, NULL);
    }
}

/* Regions, and regions of interest, lie where they lie in the picture. */
TEST (test_regions)
{
  g_autoptr (Harness) h = harness_new ("channels", CHANNELS_ALL, "roi-meta",
      TRUE, "roi-x", 3, "roi-y", 5, "roi-width", 40, "roi-height", 20, NULL);
  g_autoptr (Picture) picture =
      picture_new ("NV12", WIDTH, HEIGHT, PICTURE_PADDED, 20, 230, 1);
  g_autoptr (GstBuffer) out = NULL;
  GstBuffer *buffer;

  picture_turn (picture, 3);
  buffer = picture_wrap (picture);
  gst_buffer_add_video_region_of_interest_meta (buffer, "face", 7, 9, 21, 30);
  harness_set_caps (h, picture);
  out = harness_run (h, buffer);
  picture_set_part (picture, 3, 5, 40, 20);
  assert_histograms (out, picture, ALL_NAMES);
  picture_set_part (picture, 7, 9, 21, 30);
  assert_channels (buffer_region (out, 0), picture, ALL_NAMES);
}

/* Rows that reach beyond the memory, before its first byte. */
TEST (test_outside)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h = harness_new_for (picture, NULL, NULL);
  GstBuffer *buffer;

  picture_turn (picture, 1);
  if (__i__ == 0)
    picture->offset[0]--;
  else
    picture->stride[0] = G_MININT;
  buffer = picture_wrap (picture);
  harness_fail (h, buffer, GST_RESOURCE_ERROR_READ, "do not fit");
}

const ElementTest element_tests[] = {
  TIMES (test_formats, N_WORKS),
  TIMES (test_few_rows, 2),
  ONCE (test_interlaced),
  ONCE (test_regions),
  TIMES (test_outside, 2),
  { 0 },
};
