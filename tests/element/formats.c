/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Every format, in many sizes and ways to lie in memory: histograms and
 * equalized pixels against the reference, all other bytes unchanged.
 */

#include "harnesses.h"

#define ALL_CHANNELS 0xf
#define ALL_NAMES "luma u v red green blue alpha"

static const struct
{
  guint width, height;
} sizes[] = { { 1, 1 }, { 3, 3 }, { 7, 1 }, { 1, 7 }, { 9, 5 }, { 16, 16 },
  { 17, 9 }, { 31, 33 }, { 127, 63 }, { 320, 241 } };

/* Values that the picture's bytes are of: all, near extreme, narrow, one. */
static const struct
{
  guint8 lo, hi;
} ranges[] = { { 0, 255 }, { 254, 255 }, { 40, 103 }, { 0, 1 }, { 77, 77 },
  { 200, 255 } };

static const gfloat strengths[] = { 1.0f, 0.5f, 0.3f, 0.0f };

static const gchar *
colorimetry (gboolean limited)
{
  return limited ? "2:4:16:4" : "1:4:7:1";
}

/* The memory's one owner may write: it is equalized where it is. */
static void
check_in_place (GstHarness *h, Picture *picture, gboolean split,
    gboolean limited, gfloat strength)
{
  Picture *expected = picture_copy (picture);
  GstBuffer *buffer =
      split ? picture_wrap_planes (picture, 0) : picture_wrap (picture);
  GstBuffer *out = harness_run (h, buffer);

  fail_unless (out == buffer);
  assert_histograms (out, expected, ALL_NAMES);
  picture_equalize (expected, limited, strength);
  fail_unless (picture_equal (picture, expected));
  gst_buffer_unref (out);
  picture_free (expected);
}

/* Somebody else has it too: it is equalized into a buffer of its own. */
static void
check_shared (GstHarness *h, Picture *picture, GstCaps *caps, gboolean split,
    gboolean limited, gfloat strength)
{
  Picture *expected = picture_copy (picture);
  GstBuffer *buffer =
      split ? picture_wrap_planes (picture, 0) : picture_wrap (picture);
  GstBuffer *out = harness_run (h, gst_buffer_ref (buffer));

  fail_unless (out != buffer);
  fail_unless (picture_equal (picture, expected));
  assert_histograms (out, expected, ALL_NAMES);
  picture_equalize (expected, limited, strength);
  assert_pixels (out, caps, expected);
  gst_buffer_unref (out);
  gst_buffer_unref (buffer);
  picture_free (expected);
}

static void
check_picture (GstHarness *h, const gchar *format, guint width, guint height,
    PictureShape shape, guint seed)
{
  const guint range = seed % G_N_ELEMENTS (ranges);
  const gfloat strength = strengths[seed / 5 % G_N_ELEMENTS (strengths)];
  const gboolean split = shape != PICTURE_PADDED && seed % 3 == 0;
  const gboolean is_yuv = picture_format (format)->component[1].channel != NULL
      && !picture_format (format)->is_rgb;

  g_object_set (h->element, "strength", strength, NULL);
  for (guint limited = 0; limited <= (guint) is_yuv; limited++) {
    GstCaps *caps = video_caps (
        format, width, height, is_yuv ? colorimetry (limited) : NULL);
    Picture *picture = picture_new (format, width, height, shape,
        ranges[range].lo, ranges[range].hi, seed + limited);

    picture->is_limited = limited;
    gst_harness_set_src_caps (h, gst_caps_ref (caps));
    check_shared (h, picture, caps, split, limited, strength);
    check_in_place (h, picture, split, limited, strength);
    gst_caps_unref (caps);
    picture_free (picture);
  }
}

GST_START_TEST (test_format)
{
  const gchar *format = picture_formats[__i__].name;
  GstHarness *h = harness_new (
      "channels", ALL_CHANNELS, "equalization", 1, "qos", FALSE, NULL);
  guint seed = __i__ * 1000;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint shape = 0; shape < PICTURE_N_SHAPES; shape++)
      check_picture (h, format, sizes[i].width, sizes[i].height, shape, seed++);
  check_picture (
      h, format, 1921, 1083, __i__ % PICTURE_N_SHAPES, (guint) __i__ * 6);
  harness_free (h);
}

GST_END_TEST

/* Without a GstVideoMeta a buffer is laid out as its caps say. */
GST_START_TEST (test_default_layout)
{
  const gchar *format = picture_formats[__i__].name;
  GstHarness *h = harness_new ("channels", ALL_CHANNELS, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    GstCaps *caps = video_caps (format, sizes[i].width, sizes[i].height, NULL);
    Picture *picture = picture_new (format, sizes[i].width, sizes[i].height,
        PICTURE_ODD, 0, 255, __i__ + i);
    GstVideoInfo info;
    GstVideoFrame frame;
    GstBuffer *buffer;

    fail_unless (gst_video_info_from_caps (&info, caps));
    buffer = gst_buffer_new_allocate (NULL, info.size, NULL);
    gst_buffer_memset (buffer, 0, 0xa5, info.size);
    fail_unless (gst_video_frame_map (&frame, &info, buffer, GST_MAP_WRITE));
    for (guint p = 0; p < picture->n_planes; p++)
      for (guint y = 0; y < picture->rows[p]; y++)
        memcpy ((guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, p)
                + (gsize) y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, p),
            picture_row (picture, p, y), picture->row_bytes[p]);
    gst_video_frame_unmap (&frame);

    gst_harness_set_src_caps (h, gst_caps_ref (caps));
    buffer = harness_run (h, buffer);
    assert_histograms (buffer, picture, ALL_NAMES);
    assert_pixels (buffer, caps, picture);
    gst_buffer_unref (buffer);
    gst_caps_unref (caps);
    picture_free (picture);
  }
  harness_free (h);
}

GST_END_TEST

/* Grey has no limited range, whatever the caps say. */
GST_START_TEST (test_grey_range)
{
  GstHarness *h = harness_new ("equalization", 1, NULL);
  Picture *picture = picture_small ("GRAY8");
  Picture *expected = picture_copy (picture);

  gst_harness_set_src_caps (h, video_caps ("GRAY8", 16, 8, "bt709"));
  gst_buffer_unref (harness_run (h, picture_wrap (picture)));
  picture_equalize (expected, FALSE, 1.0f);
  fail_unless (picture_equal (picture, expected));
  picture_free (picture);
  picture_free (expected);
  harness_free (h);
}

GST_END_TEST

/* YUV without colorimetry in its caps is of limited range. */
GST_START_TEST (test_default_range)
{
  GstHarness *h = harness_new ("equalization", 1, NULL);
  Picture *picture = picture_small ("I420");
  Picture *expected = picture_copy (picture);

  harness_set_caps (h, picture);
  gst_buffer_unref (harness_run (h, picture_wrap (picture)));
  picture_equalize (expected, TRUE, 1.0f);
  fail_unless (picture_equal (picture, expected));
  picture_free (picture);
  picture_free (expected);
  harness_free (h);
}

GST_END_TEST

static const struct
{
  const gchar *colorimetry;
  guint weights[3]; /* 65536 Kr, the rest, 65536 Kb */
} matrices[] = {
  { "sRGB", { 13933, 46871, 4732 } },
  { "bt709", { 13933, 46871, 4732 } },
  { "1:0:0:0", { 13933, 46871, 4732 } },
  { "bt601", { 19595, 38470, 7471 } },
  { "smpte240m", { 13894, 45940, 5702 } },
  { "bt2020", { 17216, 44434, 3886 } },
};

/* The luma of RGB is by the caps' matrix. */
GST_START_TEST (test_matrix)
{
  const guint *weights = matrices[__i__].weights;
  GstHarness *h = harness_new ("equalization", 1, NULL);
  Picture *picture = picture_new ("RGB", 37, 21, PICTURE_ODD, 0, 200, 5);
  Picture *expected = picture_copy (picture);
  guint32 bins[256];
  const guint32 *measured;
  GBytes *bytes = NULL;
  GstBuffer *out;

  gst_harness_set_src_caps (
      h, video_caps ("RGB", 37, 21, matrices[__i__].colorimetry));
  out = harness_run (h, picture_wrap (picture));
  fail_unless (gst_structure_get (
      buffer_histogram (out, "luma"), "bins", G_TYPE_BYTES, &bytes, NULL));
  measured = g_bytes_get_data (bytes, NULL);
  picture_count_luma (expected, weights, bins);
  fail_unless (memcmp (measured, bins, sizeof bins) == 0);
  picture_equalize_rgb (expected, weights, 1.0f);
  fail_unless (picture_equal (picture, expected));
  g_bytes_unref (bytes);
  gst_buffer_unref (out);
  picture_free (picture);
  picture_free (expected);
  harness_free (h);
}

GST_END_TEST

static const struct
{
  const gchar *colorimetry;
  gdouble kr, kb;
  gboolean is_limited;
} yuv_matrices[] = {
  /* GStreamer's for small pictures whose caps say nothing */
  { NULL, 0.299, 0.114, TRUE },
  { "bt709", 0.2126, 0.0722, TRUE },
  { "bt601", 0.299, 0.114, TRUE },
  { "smpte240m", 0.212, 0.087, TRUE },
  { "bt2020", 0.2627, 0.0593, TRUE },
  { "1:3:5:1", 0.2126, 0.0722, FALSE },
  { "1:4:0:0", 0.299, 0.114, FALSE },
  { "1:6:0:0", 0.2627, 0.0593, FALSE },
};

/* Red, green and blue of YUV are by the caps' matrix and range. */
GST_START_TEST (test_yuv_matrix)
{
  static const gchar *const formats[] = { "I420", "Y41B", "NV21", "UYVY",
    "AYUV", "IYU2" };
  GstHarness *h = harness_new ("channels", 4, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    Picture *picture = picture_new (formats[i], 37, 21, PICTURE_ODD, 0, 255, i);
    GstBuffer *out;

    picture->kr = yuv_matrices[__i__].kr;
    picture->kb = yuv_matrices[__i__].kb;
    picture->is_limited = yuv_matrices[__i__].is_limited;
    gst_harness_set_src_caps (
        h, video_caps (formats[i], 37, 21, yuv_matrices[__i__].colorimetry));
    out = harness_run (h, picture_wrap (picture));
    assert_histograms (out, picture, "red green blue");
    gst_buffer_unref (out);
    picture_free (picture);
  }
  harness_free (h);
}

GST_END_TEST

static Suite *
formats_suite (void)
{
  Suite *suite = suite_create ("formats");
  TCase *tc = tcase_create ("formats");

  suite_add_tcase (suite, tc);
  tcase_add_loop_test (tc, test_format, 0, PICTURE_N_FORMATS);
  tcase_add_loop_test (tc, test_default_layout, 0, PICTURE_N_FORMATS);
  tcase_add_test (tc, test_grey_range);
  tcase_add_test (tc, test_default_range);
  tcase_add_loop_test (tc, test_matrix, 0, G_N_ELEMENTS (matrices));
  tcase_add_loop_test (tc, test_yuv_matrix, 0, G_N_ELEMENTS (yuv_matrices));
  return suite;
}

int
main (int argc, char **argv)
{
  return run_suite (argc, argv, "formats", formats_suite);
}
