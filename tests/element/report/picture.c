/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The structure `picture` in metadata and messages, and conditions on it,
 * against a model that shares no code with the plugin.
 */

#include "expectations.h"

#include <string.h>

#define WIDTH 19
#define HEIGHT 11

/* --- the picture between black bars --- */

typedef struct
{
  guint x, y, width, height;
} Rectangle;

/* The model, in floating point. */
static Rectangle
find_active (const Picture *picture)
{
  gdouble rows[HEIGHT] = { 0 }, columns[WIDTH] = { 0 };
  guint left = G_MAXUINT, right = 0, top = G_MAXUINT, bottom = 0;

  for (guint y = 0; y < picture->part_height; y++)
    for (guint x = 0; x < picture->part_width; x++) {
      const gdouble luma = picture_luma (
          picture, picture_bt709, picture->part_x + x, picture->part_y + y);

      rows[y] += luma / picture->part_width;
      columns[x] += luma / picture->part_height;
    }
  for (guint y = 0; y < picture->part_height; y++)
    if (rows[y] > 24.0001) {
      top = MIN (top, y);
      bottom = y + 1;
    }
  for (guint x = 0; x < picture->part_width; x++)
    if (columns[x] > 24.0001) {
      left = MIN (left, x);
      right = x + 1;
    }
  if (right == 0 || bottom == 0)
    return (Rectangle){ 0 };
  return (Rectangle){ picture->part_x + left, picture->part_y + top,
    right - left, bottom - top };
}

/* The structure of a frame, or of a message, has this rectangle. */
static void
assert_active (const GstStructure *structure, Rectangle expected)
{
  const GstStructure *picture = structure_field (structure, "picture");

  fail_unless (picture != NULL && gst_structure_has_name (picture, "picture"));
  fail_unless_equals_int (gst_structure_n_fields (picture), 4);
  fail_unless_equals_float (structure_number (picture, "active-x"), expected.x);
  fail_unless_equals_float (structure_number (picture, "active-y"), expected.y);
  fail_unless_equals_float (
      structure_number (picture, "active-width"), expected.width);
  fail_unless_equals_float (
      structure_number (picture, "active-height"), expected.height);
}

/* Runs the buffer, whose frame has this rectangle. */
static void
check_active (GstHarness *h, GstBuffer *buffer, Rectangle expected)
{
  g_autoptr (GstBuffer) out = harness_run (h, buffer);

  assert_active (buffer_structure (out), expected);
}

static void
run_letterbox (GstHarness *h, const Picture *picture)
{
  g_autoptr (Picture) input = picture_copy (picture);

  check_active (h, picture_wrap (input), find_active (picture));
}

/* Runs the picture, which has no structure. */
static void
check_none (GstHarness *h, Picture *picture)
{
  g_autoptr (GstBuffer) out = harness_run (h, picture_wrap (picture));

  fail_unless (!gst_structure_has_field (buffer_structure (out), "picture"));
}

/* Black, dim and bright frames of each format, in each place, and equalized,
 * which must not change the result. */
TEST (test_formats)
{
  static const guint8 ends[][2] = { { 0, 48 }, { 20, 28 }, { 0, 0 }, { 0, 49 },
    { 255, 255 }, { 18, 31 } };
  const gchar *format = picture_formats[__i__].name;
  g_autoptr (Harness) h = NULL;

  for (guint i = 0; IS_ROW (ends, i); i++) {
    g_autoptr (Picture) picture = picture_new (format, WIDTH, HEIGHT,
        i % PICTURE_N_SHAPES, ends[i][0], ends[i][1], i + 1);

    if (h == NULL)
      h = harness_new_for (picture, "find-letterbox", TRUE, "verify", TRUE,
          "equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);
    run_letterbox (h, picture);
  }
}

/* A black frame with a white part, whose position is in the frame. */
static Picture *
bars_new (guint x, guint y, guint width, guint height)
{
  Picture *picture =
      picture_new ("GRAY8", WIDTH, HEIGHT, PICTURE_PADDED, 0, 0, 1);

  picture_set_part (picture, x, y, width, height);
  picture_fill (picture, "luma", 235);
  picture_set_part (picture, 0, 0, WIDTH, HEIGHT);
  return picture;
}

TEST (test_region)
{
  static const Rectangle region = { 3, 2, 10, 7 };
  g_autoptr (Picture) picture = bars_new (5, 4, 13, 3);
  g_autoptr (Picture) input = picture_copy (picture);
  g_autoptr (Harness) h = harness_new_for (picture, "find-letterbox", TRUE,
      "roi-x", region.x, "roi-y", region.y, "roi-width", region.width,
      "roi-height", region.height, "roi-meta", TRUE, NULL);
  GstBuffer *buffer = picture_wrap (input);
  GstBuffer *out;

  gst_buffer_add_video_region_of_interest_meta (buffer, "face", 3, 2, 7, 5);
  out = harness_run (h, buffer);
  assert_active (buffer_structure (out), (Rectangle){ 5, 4, 8, 3 });
  fail_unless (structure_field (buffer_region (out, 0), "picture") == NULL);
  gst_buffer_unref (out);
}

/* Random grey. */
static Picture *
grey_new (guint seed)
{
  return picture_new ("GRAY8", WIDTH, HEIGHT, PICTURE_PADDED, 0, 255, seed);
}

/* --- gamut --- */

static void
check_gamut (GstHarness *h, GstBuffer *buffer, const Picture *expected)
{
  g_autoptr (GstBuffer) out = harness_run (h, buffer);
  const GstStructure *picture =
      structure_field (buffer_structure (out), "picture");
  const gdouble fraction = picture_count_outside (expected)
      / (gdouble) (expected->part_width * expected->part_height);

  fail_unless (picture != NULL);
  fail_unless_equals_int (gst_structure_n_fields (picture), 1);
  fail_unless (structure_number (picture, "out-of-gamut") == fraction);
}

/* Narrow and wide ranges of values, of limited and full range, in interlaced
 * and progressive frames of each format; and a region. */
TEST (test_gamut)
{
  static const guint8 ends[][2] = { { 0, 255 }, { 90, 170 }, { 128, 128 },
    { 4, 248 } };
  static const gchar *const colorimetries[] = { "2:4:7:1", "1:4:7:1" };
  const gchar *format = picture_formats[__i__].name;

  for (guint i = 0; i < 2 * G_N_ELEMENTS (ends); i++) {
    g_autoptr (Picture) picture = picture_new (format, WIDTH, HEIGHT,
        i % PICTURE_N_SHAPES, ends[i / 2][0], ends[i / 2][1], i + 1);
    g_autoptr (Harness) h =
        harness_new ("check-gamut", TRUE, "verify", TRUE, NULL);

    picture->is_limited = i % 2 == 0;
    harness_set_colorimetry (h, picture, colorimetries[i % 2]);
    if (i % 3 == 2) {
      g_object_set (h->element, "roi-x", 3, "roi-y", 1, "roi-width", 11,
          "roi-height", 7, NULL);
      picture_set_part (picture, 3, 1, 11, 7);
    }
    check_gamut (h, picture_wrap (picture), picture);
  }
}

/* R103's alarm measures by itself. */
TEST (test_gamut_condition)
{
  static const gchar condition[] = "picture.out-of-gamut <= 0.01";
  g_autoptr (Picture) inside =
      picture_new ("I420", WIDTH, HEIGHT, PICTURE_TIGHT, 128, 128, 1);
  g_autoptr (Picture) outside =
      picture_new ("I420", WIDTH, HEIGHT, PICTURE_TIGHT, 254, 254, 1);
  g_autoptr (Harness) h = posting_new (inside, condition);

  check_gamut (h, picture_wrap_nth (inside, 0), inside);
  assert_none_told (h);
  harness_pass (h, picture_wrap_nth (outside, 1));
  assert_told (h, condition, FALSE, 1, 40, NONE);
  assert_none_told (h);
}

/* --- sharpness --- */

/* Luma beside pixel (x, y) of the part, beyond the border reflected within the
 * pixel's field. */
static gdouble
luma_beside (const Picture *picture, guint x, guint y, gint dx, gint dy)
{
  const guint stride = picture->is_interlaced ? 2 : 1;
  const guint n_rows =
      (picture->part_height + stride - 1 - y % stride) / stride;
  const guint n[2] = { picture->part_width, n_rows };
  gint at[2] = { (gint) x + dx, (gint) (y / stride) + dy };

  for (guint d = 0; d < 2; d++) {
    at[d] = ABS (at[d]);
    if (at[d] >= (gint) n[d])
      at[d] = MAX (2 * (gint) n[d] - 2 - at[d], 0);
  }
  return picture_luma (picture, picture_bt709, picture->part_x + (guint) at[0],
      picture->part_y + (guint) at[1] * stride + y % stride);
}

/* The model, by the definition of the variance. */
static gdouble
find_sharpness (const Picture *picture)
{
  const guint width = picture->part_width, n = width * picture->part_height;
  gdouble laplacian[WIDTH * HEIGHT], mean = 0, variance = 0;

  for (guint i = 0; i < n; i++) {
    const guint x = i % width, y = i / width;

    laplacian[i] = luma_beside (picture, x, y, -1, 0)
        + luma_beside (picture, x, y, 1, 0) + luma_beside (picture, x, y, 0, -1)
        + luma_beside (picture, x, y, 0, 1)
        - 4 * luma_beside (picture, x, y, 0, 0);
    mean += laplacian[i] / n;
  }
  for (guint i = 0; i < n; i++)
    variance += (laplacian[i] - mean) * (laplacian[i] - mean) / n;
  return variance;
}

/* Runs the buffer, whose frame is as sharp as the picture. */
static void
check_sharpness (GstHarness *h, GstBuffer *buffer, const Picture *expected)
{
  const gdouble sharpness = find_sharpness (expected);
  g_autoptr (GstBuffer) out = harness_run (h, buffer);
  const GstStructure *picture =
      structure_field (buffer_structure (out), "picture");

  fail_unless (picture != NULL);
  fail_unless_equals_int (gst_structure_n_fields (picture), 1);
  fail_unless (ABS (structure_number (picture, "sharpness") - sharpness)
      <= 1e-12 * sharpness);
}

/* Progressive and interlaced frames of each format, in each place, also in
 * mixed streams; a region; and equalized, which must not change the result. */
TEST (test_sharpness)
{
  static const AmphistoRegion regions[] = { { 0, 0, WIDTH, HEIGHT },
    { 3, 1, 11, 7 }, { 2, 4, 9, 1 }, { 5, 0, 1, HEIGHT } };
  const gchar *format = picture_formats[__i__].name;

  for (guint i = 0; i < 3 * G_N_ELEMENTS (regions); i++) {
    const AmphistoRegion *region = &regions[i / 3];
    g_autoptr (Picture) picture = picture_new (
        format, WIDTH, HEIGHT, i % PICTURE_N_SHAPES, 0, 255, i + 1);
    g_autoptr (Picture) input = picture_copy (picture);
    g_autoptr (Harness) h = harness_new_for (picture, "measure-sharpness", TRUE,
        "verify", TRUE, "equalization", AMPHISTO_EQUALIZATION_GLOBAL, "roi-x",
        region->x, "roi-y", region->y, "roi-width", region->width, "roi-height",
        region->height, NULL);
    GstBuffer *buffer;

    picture_set_part (
        picture, region->x, region->y, region->width, region->height);
    picture->is_interlaced = i % 3 > 0;
    if (i % 3 == 1)
      harness_set_fields (h, picture, "interlace-mode=interleaved");
    if (i % 3 == 2)
      harness_set_fields (h, picture, "interlace-mode=mixed");
    buffer = picture_wrap (input);
    GST_BUFFER_FLAG_SET (
        buffer, i % 3 == 2 ? GST_VIDEO_BUFFER_FLAG_INTERLACED : 0);
    check_sharpness (h, buffer, picture);
  }
}

/* In mixed streams, frames without chroma rows of fields change, too. Regions
 * of interest are not measured. */
TEST (test_sharpness_of_fields)
{
  g_autoptr (Picture) picture = grey_new (3);
  g_autoptr (Harness) h =
      harness_new ("measure-sharpness", TRUE, "roi-meta", TRUE, NULL);

  harness_set_fields (h, picture, "interlace-mode=mixed");
  for (guint i = 0; i < 4; i++) {
    g_autoptr (Picture) input = picture_copy (picture);
    GstBuffer *buffer = picture_wrap (input);

    picture->is_interlaced = i % 2;
    if (picture->is_interlaced)
      GST_BUFFER_FLAG_SET (buffer, GST_VIDEO_BUFFER_FLAG_INTERLACED);
    check_sharpness (h, buffer, picture);
  }
}

/* A flat picture is as little in focus as can be. */
TEST (test_sharpness_condition)
{
  static const gchar condition[] = "picture.sharpness > 60";
  g_autoptr (Picture) sharp = grey_new (3);
  g_autoptr (Picture) covered = bars_new (0, 0, WIDTH, HEIGHT);
  g_autoptr (Harness) h = posting_new (sharp, condition);

  check_sharpness (h, picture_wrap_nth (sharp, 0), sharp);
  assert_none_told (h);
  harness_pass (h, picture_wrap_nth (covered, 1));
  assert_told (h, condition, FALSE, 0, 40, NONE);
  assert_none_told (h);
}

/* --- all of them --- */

/* Nobody asks for it. */
TEST (test_off)
{
  g_autoptr (Picture) picture = picture_small ("I420");
  g_autoptr (Harness) h = harness_new_for (picture, NULL, NULL);

  check_none (h, picture);
}

/* The format has none of the channels. */
TEST (test_no_channels)
{
  g_autoptr (Picture) picture = bars_new (2, 3, 4, 5);
  g_autoptr (Harness) h = harness_new_for (
      picture, "channels", CHANNELS_ALPHA, "find-letterbox", TRUE, NULL);

  check_active (h, picture_wrap (picture), (Rectangle){ 2, 3, 4, 5 });
  assert_refused (h->element, "has none of the channels");
}

/* A region beside the frame has no pixels, and no picture. */
TEST (test_no_pixels)
{
  g_autoptr (Picture) picture = picture_small ("I420");
  g_autoptr (Harness) h = harness_new_for (
      picture, "find-letterbox", TRUE, "roi-x", picture->width, NULL);

  check_none (h, picture);
  assert_refused (h->element, "outside the frame");
}

TEST (test_message)
{
  g_autoptr (Picture) picture = bars_new (2, 3, 4, 5);
  g_autoptr (Harness) h = harness_new_for (picture, "find-letterbox", TRUE,
      "attach-meta", FALSE, "post-messages", TRUE, NULL);
  GstMessage *message;

  harness_pass (h, picture_wrap (picture));
  message = bus_pop (h->element, GST_MESSAGE_ELEMENT);
  fail_unless (message != NULL);
  assert_active (
      gst_message_get_structure (message), (Rectangle){ 2, 3, 4, 5 });
  gst_message_unref (message);
}

/* A condition measures by itself, and what it measures is reported. */
TEST (test_condition)
{
  static const gchar condition[] = "picture.active-height >= 8";
  g_autoptr (Picture) wide = bars_new (0, 3, WIDTH, 5);
  g_autoptr (Picture) full = bars_new (0, 0, WIDTH, HEIGHT);
  g_autoptr (Harness) h = posting_new (full, condition);

  harness_pass (h, picture_wrap_nth (full, 0));
  assert_none_told (h);
  check_active (h, picture_wrap_nth (wide, 1), (Rectangle){ 0, 3, WIDTH, 5 });
  assert_told (h, condition, FALSE, 5, 40, NONE);
  g_object_set (h->element, "attach-meta", FALSE, NULL);
  harness_pass (h, picture_wrap_nth (full, 2));
  assert_told (h, condition, TRUE, 5, 40, 40);
  assert_none_told (h);
}

/* The error's debug text has all fields. */
TEST (test_error)
{
  g_autoptr (Picture) picture = bars_new (1, 2, 3, 4);
  g_autoptr (Harness) h =
      harness_new_for (picture, "expect", "picture.active-x = 0", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree gchar *debug = NULL;

  fail_unless_equals_int (
      gst_harness_push (h, picture_wrap (picture)), GST_FLOW_ERROR);
  error = bus_pop_error (h->element, &debug);
  assert_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
      "picture.active-x = 0 is not met: 1 at 0:00:00.000");
  fail_unless (strstr (debug,
                   "The picture of the last frame: active-x 1, active-y 2, "
                   "active-width 3, active-height 4")
          != NULL,
      "%s", debug);
}

const ElementTest element_tests[] = { FORMATS (test_formats),
  ONCE (test_region), FORMATS (test_gamut), ONCE (test_gamut_condition),
  FORMATS (test_sharpness), ONCE (test_sharpness_of_fields),
  ONCE (test_sharpness_condition), ONCE (test_off), ONCE (test_no_channels),
  ONCE (test_no_pixels), ONCE (test_message), ONCE (test_condition),
  ONCE (test_error), { 0 } };
