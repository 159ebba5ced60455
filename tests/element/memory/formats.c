/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Every format, in many sizes and memory layouts: histograms and equalized
 * pixels equal the reference's; all other bytes stay.
 */

#include "harnesses.h"

static const struct
{
  guint width, height;
} sizes[] = { { 1, 1 }, { 3, 3 }, { 7, 1 }, { 1, 7 }, { 9, 5 }, { 16, 16 },
  { 17, 9 }, { 31, 33 }, { 127, 63 }, { 320, 241 } };

/* The picture's values: all, near an end, few, one. */
static const struct
{
  guint8 lo, hi;
} ranges[] = { { 0, 255 }, { 254, 255 }, { 40, 103 }, { 0, 1 }, { 77, 77 },
  { 200, 255 } };

static const gfloat strengths[] = { 1.0f, 0.5f, 0.3f, 0.0f };

/* Grey and RGB have full range by themselves. Luma of RGB is BT.709's. */
static const gchar *
colorimetry (const PictureFormat *format, gboolean limited)
{
  if (format->is_rgb)
    return limited ? "2:1:5:1" : NULL;
  if (!limited)
    return format->component[1].channel != NULL ? "1:4:7:1" : NULL;
  return "2:4:16:4";
}

/* If the input buffer alone owns its memory, the pixels change in place, unless
 * the device pins memory. If it is shared, the result is in a new buffer. */
static void
check_buffer (GstHarness *h, const Picture *before, gboolean is_split,
    gboolean is_shared, gfloat strength)
{
  g_autoptr (Picture) picture = picture_copy (before);
  g_autoptr (Picture) expected = picture_copy (before);
  GstBuffer *buffer =
      is_split ? picture_wrap_planes (picture, 0) : picture_wrap (picture);
  G_GNUC_UNUSED g_autoptr (GstBuffer) other =
      is_shared ? gst_buffer_ref (buffer) : NULL;
  g_autoptr (GstBuffer) out = harness_run (h, buffer);
  const gboolean is_new = is_shared || harness_pins_memory (h);

  fail_unless_equals_int (out != buffer, is_new);
  assert_histograms (out, before, ALL_NAMES);
  picture_equalize (expected, strength);
  assert_pixels (out, expected);
  fail_unless_same_picture (picture, is_new ? before : expected);
}

static void
check_picture (GstHarness *h, const gchar *format, guint width, guint height,
    PictureShape shape, guint seed)
{
  const guint range = seed % G_N_ELEMENTS (ranges);
  const gfloat strength = strengths[seed / 5 % G_N_ELEMENTS (strengths)];
  const gboolean is_split = shape != PICTURE_PADDED && seed % 3 == 0;

  g_object_set (h->element, "strength", strength, NULL);
  for (guint limited = 0; limited < 2; limited++) {
    g_autoptr (Picture) picture = picture_new (format, width, height, shape,
        ranges[range].lo, ranges[range].hi, seed + limited);

    picture->is_limited = limited;
    harness_set_colorimetry (
        h, picture, colorimetry (picture->format, limited));
    check_buffer (h, picture, is_split, TRUE, strength);
    check_buffer (h, picture, is_split, FALSE, strength);
  }
}

/* Counting the samples of the largest picture takes its time. */
static guint
n_shapes (guint width)
{
  return test_size () == TEST_FULL && width < 320 ? PICTURE_N_SHAPES : 1;
}

TEST (test_format)
{
  const gchar *format = picture_formats[__i__].name;
  g_autoptr (Harness) h = harness_new ("channels", CHANNELS_ALL, "equalization",
      AMPHISTO_EQUALIZATION_GLOBAL, "qos", FALSE, NULL);
  guint seed = __i__ * 1000;

  for (guint i = 0; IS_ROW (sizes, i); i++)
    for (guint n = 0; n < n_shapes (sizes[i].width); n++)
      check_picture (h, format, sizes[i].width, sizes[i].height,
          (i + n + (guint) __i__) % PICTURE_N_SHAPES, seed++);
  if (test_size ()
      == TEST_FULL) /* so large that two cores count in pairs of samples */
    check_picture (
        h, format, 641, 483, __i__ % PICTURE_N_SHAPES, (guint) __i__ * 6);
}

static const struct
{
  const gchar *colorimetry;
  guint weights[3]; /* 65536 Kr, the rest, 65536 Kb */
  gboolean is_limited;
} matrices[] = {
  { "sRGB", { 13933, 46871, 4732 }, FALSE },
  { "bt709", { 13933, 46871, 4732 }, TRUE },
  { "1:3:5:1", { 13933, 46871, 4732 }, FALSE },
  { "1:0:0:0", { 13933, 46871, 4732 }, FALSE },
  { "2:0:0:0", { 13933, 46871, 4732 }, TRUE },
  { "2:1:5:1", { 13933, 46871, 4732 }, TRUE },
  { "0:4:0:0", { 19595, 38470, 7471 }, FALSE },
  { "bt601", { 19595, 38470, 7471 }, TRUE },
  { "smpte240m", { 13894, 45940, 5702 }, TRUE },
  { "bt2020", { 17216, 44434, 3886 }, TRUE },
};

/* Luma of RGB is computed with the matrix in the caps, and equalized to their
 * range. */
TEST (test_matrix)
{
  const guint *weights = matrices[__i__].weights;
  g_autoptr (Picture) picture =
      picture_new ("RGB", 37, 21, PICTURE_ODD, 0, 200, 5);
  g_autoptr (Picture) expected = picture_copy (picture);
  g_autoptr (GstBuffer) out = NULL;
  g_autoptr (Harness) h =
      harness_new ("equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);
  guint32 bins[256], measured[258];

  expected->is_limited = matrices[__i__].is_limited;
  harness_set_colorimetry (h, picture, matrices[__i__].colorimetry);
  out = harness_run (h, picture_wrap (picture));
  buffer_bins (out, "luma", measured);
  picture_count_luma (expected, weights, bins);
  fail_unless (memcmp (measured, bins, sizeof bins) == 0);
  picture_equalize_weighted (expected, weights, bins, 1.0f);
  assert_pixels (out, expected);
}

static const struct
{
  const gchar *colorimetry;
  gdouble kr, kb;
  gboolean is_limited;
} yuv_matrices[] = {
  /* GStreamer's default for small pictures */
  { NULL, 0.299, 0.114, TRUE },
  { "bt709", 0.2126, 0.0722, TRUE },
  { "bt601", 0.299, 0.114, TRUE },
  { "smpte240m", 0.212, 0.087, TRUE },
  { "bt2020", 0.2627, 0.0593, TRUE },
  { "1:3:5:1", 0.2126, 0.0722, FALSE },
  { "1:4:0:0", 0.299, 0.114, FALSE },
  { "1:6:0:0", 0.2627, 0.0593, FALSE },
};

/* Red, green and blue of YUV are computed with the matrix and the range in the
 * caps. */
TEST (test_yuv_matrix)
{
  static const gchar *const formats[] = { "I420", "Y41B", "NV21", "UYVY",
    "AYUV", "IYU2" };
  g_autoptr (Harness) h = harness_new ("channels", CHANNELS_RGB, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_autoptr (Picture) picture =
        picture_new (formats[i], 37, 21, PICTURE_ODD, 0, 255, i);

    picture->kr = yuv_matrices[__i__].kr;
    picture->kb = yuv_matrices[__i__].kb;
    picture->is_limited = yuv_matrices[__i__].is_limited;
    harness_set_colorimetry (h, picture, yuv_matrices[__i__].colorimetry);
    harness_check (h, picture_wrap (picture), picture, "red green blue", NULL);
  }
}

const ElementTest element_tests[] = { FORMATS (test_format),
  EACH (test_matrix, matrices), EACH (test_yuv_matrix, yuv_matrices), { 0 } };
