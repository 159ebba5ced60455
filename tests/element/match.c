/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * equalization=match: luma is given the distribution of a reference.
 */

#include "harnesses.h"
#include "picture.h"

#include <string.h>

#define MATCH 3

static void
set_reference (GstHarness *h, GBytes *bytes)
{
  GstElement *element = gst_harness_find_element (h, "amphisto");

  g_object_set (element, "reference", bytes, NULL);
  gst_object_unref (element);
}

static GBytes *
get_reference (GstHarness *h)
{
  GstElement *element = gst_harness_find_element (h, "amphisto");
  GBytes *bytes;

  g_object_get (element, "reference", &bytes, NULL);
  gst_object_unref (element);
  return bytes;
}

/* A ramp from dark to bright, and chroma that is to stay. */
static Picture *
ramp_new (guint from)
{
  Picture *picture = picture_small ("I420");
  guint8 *luma = picture_row (picture, 0, 0);

  for (guint i = 0; i < 128; i++)
    luma[i] = from + i / 2;
  picture_fill (picture, "u", 90);
  picture_fill (picture, "v", 160);
  return picture;
}

static void
assert_picture (GstBuffer *buffer, const Picture *expected)
{
  Picture *actual = picture_copy (expected);
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READ));
  fail_unless_equals_int (map.size, 192);
  fail_unless (memcmp (map.data, picture_row (actual, 0, 0), map.size) == 0);
  gst_buffer_unmap (buffer, &map);
  picture_free (actual);
}

/* A frame's own bins, as its metadata has them, move nothing; and another
 * frame's give this one that one's pixels, since both are ramps. */
GST_START_TEST (test_metadata)
{
  GstHarness *h = harness_new ("verify", TRUE, NULL);
  Picture *dark = ramp_new (20);
  Picture *bright = ramp_new (150);
  GstElement *element = gst_harness_find_element (h, "amphisto");
  GBytes *bins, *got;
  GstBuffer *out;

  harness_set_caps (h, bright);
  out = harness_run (h, picture_wrap (bright));
  gst_structure_get (
      buffer_histogram (out, "luma"), "bins", G_TYPE_BYTES, &bins, NULL);
  gst_buffer_unref (out);

  g_object_set (element, "equalization", MATCH, NULL);
  set_reference (h, bins);
  got = get_reference (h);
  fail_unless (g_bytes_equal (bins, got));
  g_bytes_unref (got);
  g_bytes_unref (bins);
  out = harness_run (h, picture_wrap (bright));
  assert_picture (out, bright);
  gst_buffer_unref (out);
  out = harness_run (h, picture_wrap (dark));
  assert_picture (out, bright);
  gst_buffer_unref (out);

  /* not at all, by strength, and without a reference */
  g_object_set (element, "strength", 0.0f, NULL);
  out = harness_run (h, picture_wrap (dark));
  assert_picture (out, dark);
  gst_buffer_unref (out);
  g_object_set (element, "strength", 1.0f, NULL);
  set_reference (h, NULL);
  fail_unless (get_reference (h) == NULL);
  out = harness_run (h, picture_wrap (dark));
  assert_picture (out, dark);
  gst_buffer_unref (out);
  gst_object_unref (element);
  picture_free (dark);
  picture_free (bright);
  harness_free (h);
}

GST_END_TEST

/* What is no distribution warns, and is none. */
GST_START_TEST (test_invalid)
{
  GstHarness *h = harness_new ("equalization", MATCH, NULL);
  Picture *picture = ramp_new (20);
  guint32 bins[256] = { 0 };
  GBytes *bytes;
  GstBuffer *out;

  harness_set_caps (h, picture);
  for (guint i = 0; i < 3; i++) {
    if (i == 2)
      memset (bins, 0xff, sizeof bins);
    bytes = g_bytes_new (bins, i == 0 ? sizeof bins - 4 : sizeof bins);
    g_test_expect_message ("amphisto", G_LOG_LEVEL_WARNING, "the reference*");
    set_reference (h, bytes);
    g_test_assert_expected_messages ();
    g_bytes_unref (bytes);
    fail_unless (get_reference (h) == NULL);
    out = harness_run (h, picture_wrap (picture));
    assert_picture (out, picture);
    gst_buffer_unref (out);
  }
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

/* Of every kind of format, checked by the element itself. */
GST_START_TEST (test_verify)
{
  static const gchar *const formats[] = { "GRAY8", "I420", "NV12", "YUY2",
    "AYUV", "RGBA", "RGB", "GBR" };
  GstHarness *h = harness_new (
      "equalization", MATCH, "verify", TRUE, "strength", 0.7f, NULL);
  Picture *picture = picture_small (formats[__i__]);
  guint32 bins[256];
  GBytes *bytes;

  for (guint v = 0; v < 256; v++)
    bins[v] = 1 + (v * v) % 97;
  bytes = g_bytes_new (bins, sizeof bins);
  set_reference (h, bytes);
  g_bytes_unref (bytes);
  harness_set_caps (h, picture);
  gst_buffer_unref (harness_run (h, picture_wrap (picture)));
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

static Suite *
match_suite (void)
{
  Suite *suite = suite_create ("match");
  TCase *tc = tcase_create ("match");

  suite_add_tcase (suite, tc);
  tcase_add_test (tc, test_metadata);
  tcase_add_test (tc, test_invalid);
  tcase_add_loop_test (tc, test_verify, 0, 8);
  return suite;
}

int
main (int argc, char **argv)
{
  return run_suite (argc, argv, "match", match_suite);
}
