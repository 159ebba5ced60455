/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Interlaced video: if rows share chroma, each field has its own.
 */

#include "harnesses.h"

/* Formats with a row of chroma for 2 or 4 rows of luma; and one other format of
 * each kind. */
static const gchar *const formats[] = { "I420", "YV12", "NV12", "NV21", "A420",
  "YUV9", "YVU9", "GRAY8", "Y42B", "YUY2", "AYUV", "RGBA" };

#define N_SUBSAMPLED 7

/* Fills the rows of a component in one field of an interlaced picture. */
static void
fill_field (const Picture *picture, guint c, guint field, guint8 value)
{
  const PictureComponent *component = &picture->format->component[c];
  const guint n_columns =
      (picture->width + (1u << component->x_shift) - 1) >> component->x_shift;
  const guint n_rows = picture_rows (picture, component->y_shift);

  for (guint y = field; y < n_rows; y += 2)
    for (guint x = 0; x < n_columns; x++)
      picture_row (picture, component->plane,
          y)[component->offset + x * component->step] = value;
}

/* --- all formats, regions --- */

/* Regions of pictures of each size, some with odd edges. */
static const struct
{
  guint x, y, width, height;
} regions[] = { { 0, 0, 99, 99 }, { 1, 1, 9, 1 }, { 0, 3, 99, 2 },
  { 2, 2, 7, 3 }, { 3, 5, 5, 99 }, { 0, 4, 99, 4 } };

static const guint sizes[][2] = { { 1, 1 }, { 5, 2 }, { 9, 6 }, { 16, 9 },
  { 33, 18 }, { 21, 20 }, { 17, 31 } };

static void
check_region (GstHarness *h, Picture *picture, guint r)
{
  const guint x = MIN (regions[r].x, picture->width - 1);
  const guint y = MIN (regions[r].y, picture->height - 1);

  g_object_set (h->element, "roi-x", x, "roi-y", y, "roi-width",
      regions[r].width, "roi-height", regions[r].height, NULL);
  picture_set_part (picture, x, y, MIN (regions[r].width, picture->width - x),
      MIN (regions[r].height, picture->height - y));
  harness_check (h, picture_wrap (picture), picture, ALL_NAMES, NULL);
}

TEST (test_format)
{
  const gchar *format = formats[__i__];
  g_autoptr (Harness) h =
      harness_new ("channels", CHANNELS_ALL, "verify", TRUE, NULL);

  for (guint i = 0; IS_ROW (sizes, i); i++) {
    g_autoptr (Picture) picture = picture_new (format, sizes[i][0], sizes[i][1],
        i % PICTURE_N_SHAPES, 0, 255, __i__ * 100 + i);

    picture->is_interlaced = true;
    harness_set_fields (h, picture, "interlace-mode=interleaved");
    for (guint r = 0; IS_ROW (regions, r); r++)
      check_region (h, picture, r);
  }
}

/* Regions of interest, with edges of all kinds. */
TEST (test_regions_of_interest)
{
  g_autoptr (Harness) h = harness_new (
      "channels", CHANNELS_ALL, "roi-meta", TRUE, "verify", TRUE, NULL);
  g_autoptr (Picture) picture =
      picture_new (formats[__i__], 13, 14, PICTURE_ODD, 0, 255, 5);
  GstBuffer *buffer = picture_wrap (picture);
  g_autoptr (GstBuffer) out = NULL;
  guint i = 0;

  picture->is_interlaced = true;
  harness_set_fields (h, picture, "interlace-mode=interleaved");
  for (guint y = 0; y < 14; y++)
    for (guint n = 1; n <= 14 - y; n++)
      gst_buffer_add_video_region_of_interest_meta (buffer, "a", 1, y, 5, n);
  out = harness_run (h, buffer);
  for (guint y = 0; y < 14; y++)
    for (guint n = 1; n <= 14 - y; n++) {
      picture_set_part (picture, 1, y, 5, n);
      assert_channels (buffer_region (out, i++), picture, ALL_NAMES);
    }
}

/* --- modes --- */

/* The flag has an effect in mixed streams only. */
TEST (test_progressive)
{
  g_autoptr (Harness) h =
      harness_new ("channels", CHANNELS_RGB, "verify", TRUE, NULL);
  g_autoptr (Picture) picture =
      picture_new ("NV12", 16, 12, PICTURE_TIGHT, 0, 255, 3);
  GstBuffer *buffer = picture_wrap (picture);

  GST_BUFFER_FLAG_SET (buffer, GST_VIDEO_BUFFER_FLAG_INTERLACED);
  harness_set_fields (h, picture, "interlace-mode=progressive");
  harness_check (h, buffer, picture, "red green blue", NULL);
}

/* --- drawing --- */

static guint8
first_sample (const Picture *picture, guint c, guint y)
{
  const PictureComponent *component = &picture->format->component[c];

  return picture_row (picture, component->plane, y)[component->offset];
}

/* White in one field and black in the other: each has its own colour, without
 * any mixture. */
TEST (test_false_color)
{
  g_autoptr (Harness) h =
      harness_new ("exposure", 2 /* false-color */, "verify", TRUE, NULL);

  for (guint height = 5; height < 21; height++) {
    g_autoptr (Picture) picture = picture_new (
        formats[__i__], 24, height, height % PICTURE_N_SHAPES, 0, 255, 3);

    picture->is_interlaced = true;
    for (guint c = 0; c < 3; c++) {
      fill_field (picture, c, 0, c == 0 ? 235 : 128);
      fill_field (picture, c, 1, c == 0 ? 16 : 128);
    }
    harness_set_fields (h, picture, "interlace-mode=interleaved");
    harness_change (h, picture, 0);
    for (guint c = 0; c < 3; c++) {
      const guint n_rows =
          picture_rows (picture, picture->format->component[c].y_shift);

      /* red, and purple; in BT.601 */
      fail_unless (first_sample (picture, 2, 0) > 200);
      for (guint y = 2; y < n_rows; y++)
        fail_unless_equals_int (
            first_sample (picture, c, y), first_sample (picture, c, y % 2));
      if (n_rows > 1 && c > 0)
        fail_unless (
            first_sample (picture, c, 0) != first_sample (picture, c, 1));
    }
  }
}

/* One field is brighter than the other: only in progressive frames is that an
 * edge, at the top and at the bottom, where rows repeat. In the other rows,
 * those above and below are of the other field. */
TEST (test_peaking)
{
  g_autoptr (Harness) h =
      harness_new ("exposure", 8 /* peaking */, "verify", TRUE, NULL);

  for (guint i = 0; i < 4; i++) {
    const gboolean has_flag = i % 2;
    g_autoptr (Picture) picture =
        picture_new ("GRAY8", 24, 12, PICTURE_TIGHT, 0, 255, 3);
    g_autoptr (Picture) expected = picture_copy (picture);
    GstBuffer *buffer;

    for (guint y = 0; y < 12; y++) {
      const gboolean is_edge = !has_flag && (y == 0 || y == 11);

      memset (picture_row (picture, 0, y), y % 2 == 0 ? 50 : 200, 24);
      memset (picture_row (expected, 0, y),
          is_edge          ? 255
              : y % 2 == 0 ? 50
                           : 200,
          24);
    }
    buffer = picture_wrap (picture);
    GST_BUFFER_FLAG_SET (
        buffer, has_flag ? GST_VIDEO_BUFFER_FLAG_INTERLACED : 0);
    harness_set_fields (h, picture, "interlace-mode=mixed");
    harness_check (h, buffer, NULL, NULL, expected);
  }
}

/* A region's false colour changes the rows that have two chroma rows, of both
 * fields, to themselves. It changes no other row's chroma. */
static void
check_drawn_region (GstHarness *h, Picture *picture, guint y, guint n)
{
  const gchar *format = picture->format->name;
  const guint height = picture->height;
  const guint shift = picture->format->component[1].y_shift;
  const guint n_rows = picture_rows (picture, shift);
  const guint unit = 2u << shift;

  picture_fill (picture, "luma", 126);
  picture_fill (picture, "u", 110);
  picture_fill (picture, "v", 110);
  harness_set_fields (h, picture, "interlace-mode=interleaved");
  g_object_set (h->element, "roi-y", y, "roi-height", n, NULL);
  harness_change (h, picture, 0);
  for (guint row = 0; row < n_rows; row++) {
    guint first = row / 2 * unit, end = first + unit;
    gboolean is_drawn;

    /* the last rows, where the lower field has no chroma of its own: the
     * planes lie close together */
    if (n_rows % 2 == 1 && height % unit > 1 && end + unit > height) {
      first = height - height % unit - unit;
      end = height;
    }
    is_drawn = y <= first && y + n >= MIN (end, height);

    fail_unless (first_sample (picture, 1, row) == (is_drawn ? 128 : 110),
        "%s, %u rows: the region of %u rows from %u on: row %u of chroma: %u",
        format, height, n, y, row, first_sample (picture, 1, row));
  }
}

static void
check_drawn_regions (
    GstHarness *h, const gchar *format, guint height, PictureShape shape)
{
  g_autoptr (Picture) picture =
      picture_new (format, 16, height, shape, 110, 110, 1);

  picture->is_interlaced = true;
  for (guint y = 0; y < height; y++)
    for (guint n = 1; n <= height - y; n++)
      check_drawn_region (h, picture, y, n);
}

/* With 14 rows, the lower field uses one row of chroma more than progressive
 * frames have. Only padded pictures have it. */
TEST (test_drawn_regions)
{
  const gchar *format = formats[__i__];
  g_autoptr (Harness) h =
      harness_new ("exposure", 2 /* false-color */, "verify", TRUE, NULL);

  check_drawn_regions (h, format, 14, PICTURE_TIGHT);
  check_drawn_regions (h, format, 14, PICTURE_PADDED);
  for (guint height = 13; height < 17 && test_size () == TEST_FULL; height++)
    check_drawn_regions (h, format, height, PICTURE_TIGHT);
  while (bus_pop (h->element, GST_MESSAGE_WARNING) != NULL)
    continue;
}

const ElementTest element_tests[] = { EACH (test_format, formats),
  TIMES (test_regions_of_interest, N_SUBSAMPLED), ONCE (test_progressive),
  TIMES (test_false_color, N_SUBSAMPLED), ONCE (test_peaking),
  TIMES (test_drawn_regions, N_SUBSAMPLED), { 0 } };
