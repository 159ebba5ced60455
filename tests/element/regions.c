/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The element's own region, and regions of interest.
 */

#include "harnesses.h"

/* Regions of a picture of 33x17; 0 wide or high: to the edge. */
static const struct
{
  guint x, y, width, height;
} regions[] = { { 0, 0, 0, 0 }, { 3, 5, 0, 0 }, { 7, 3, 18, 9 },
  { 8, 4, 16, 8 }, { 32, 16, 1, 1 }, { 1, 0, 1, 17 },
  { 30, 15, 99, G_MAXINT } };

#define N_REGIONS G_N_ELEMENTS (regions)

static void
set_region (GstHarness *h, guint i)
{
  g_object_set (h->element, "roi-x", regions[i].x, "roi-y", regions[i].y,
      "roi-width", regions[i].width, "roi-height", regions[i].height, NULL);
}

static guint
extent (guint first, guint n, guint size)
{
  return n == 0 ? size - first : MIN (n, size - first);
}

static void
set_part (Picture *picture, guint i)
{
  picture_set_part (picture, regions[i].x, regions[i].y,
      extent (regions[i].x, regions[i].width, picture->width),
      extent (regions[i].y, regions[i].height, picture->height));
}

static Picture *
picture_nth (guint format, guint i)
{
  return picture_new (picture_formats[format].name, 33, 17,
      i % PICTURE_N_SHAPES, 30 + i, 150 - i, i + 1);
}

/* The region moves from frame to frame. */
GST_START_TEST (test_measured)
{
  GstHarness *h = harness_new ("channels", CHANNELS_ALL, "verify", TRUE, NULL);

  for (guint i = 0; i < N_REGIONS; i++) {
    g_autoptr (Picture) picture = picture_nth (__i__, i);
    g_autoptr (GstBuffer) out = NULL;

    set_region (h, i);
    set_part (picture, i);
    harness_set_caps (h, picture);
    out = harness_run (h, picture_wrap (picture));
    assert_histograms (out, picture, ALL_NAMES);
  }
  harness_free (h);
}

GST_END_TEST

/* The region is equalized as if it were a picture of its own, and the rest
 * stays: in place, and in the new buffer for a shared one. */
GST_START_TEST (test_equalized)
{
  GstHarness *h =
      harness_new ("equalization", EQUALIZATION_GLOBAL, "verify", TRUE, NULL);

  for (guint i = 0; i < 2 * N_REGIONS; i++) {
    g_autoptr (Picture) picture = picture_nth (__i__, i / 2);
    g_autoptr (Picture) expected = picture_copy (picture);
    GstBuffer *buffer = picture_wrap (picture);
    g_autoptr (GstBuffer) other = i & 1 ? gst_buffer_ref (buffer) : NULL;
    g_autoptr (GstBuffer) out = NULL;

    set_region (h, i / 2);
    set_part (expected, i / 2);
    picture_equalize (expected, 1.0f);
    harness_set_caps (h, picture);
    out = harness_run (h, buffer);
    assert_pixels (out, expected);
  }
  harness_free (h);
}

GST_END_TEST

/* Some bytes of an I420 buffer differ from the picture's, all of them in
 * columns x to end_x - 1 of rows y to end_y - 1. */
static void
assert_changed_within (GstBuffer *buffer, const Picture *before, guint x,
    guint y, guint end_x, guint end_y)
{
  GstMapInfo map;
  guint n_changed = 0;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READ));
  for (guint p = 0; p < 3; p++)
    for (guint row = 0; row < before->rows[p]; row++)
      for (guint column = 0; column < before->row_bytes[p]; column++) {
        const gsize at =
            before->offset[p] + (gsize) row * before->stride[p] + column;
        const guint shift = p > 0;

        if (map.data[at] == before->data[at])
          continue;
        n_changed++;
        fail_unless (column << shift >= x && column << shift < end_x
                && row << shift >= y && row << shift < end_y,
            "plane %u, column %u, row %u is changed", p, column, row);
      }
  fail_unless (n_changed > 0);
  gst_buffer_unmap (buffer, &map);
}

/* The overlay fills the region, but for chroma samples that pixels outside
 * share. */
GST_START_TEST (test_drawn)
{
  g_autoptr (Picture) picture =
      picture_new ("I420", 200, 130, PICTURE_TIGHT, 16, 235, 1);
  g_autoptr (Picture) before = picture_copy (picture);
  g_autoptr (GstBuffer) out = NULL;
  GstHarness *h = harness_new_for (picture, "verify", TRUE, "overlay", 1,
      "overlay-width", 1.0, "overlay-height", 1.0, "overlay-opacity", 1.0,
      "roi-x", 21, "roi-y", 13, "roi-width", 150, "roi-height", 102, NULL);

  out = harness_run (h, picture_wrap (picture));
  assert_changed_within (out, before, 22, 14, 170, 114);
  harness_free (h);
}

GST_END_TEST

static void
assert_empty (const GstStructure *histogram)
{
  guint64 samples = 1;

  fail_unless (gst_structure_get_uint64 (histogram, "samples", &samples));
  fail_unless_equals_uint64 (samples, 0);
}

/* A region outside the frame has no samples, and nothing changes. */
GST_START_TEST (test_outside)
{
  g_autoptr (Picture) picture = picture_small ("RGBA");
  g_autoptr (Picture) before = picture_copy (picture);
  g_autoptr (GstBuffer) out = NULL;
  GstHarness *h = harness_new_for (picture, "verify", TRUE, "equalization",
      EQUALIZATION_GLOBAL, "overlay", 1, "clipping", 6, "roi-x", 16, "channels",
      CHANNELS_ALL, NULL);

  out = harness_run (h, picture_wrap (picture));
  assert_pixels (out, before);
  assert_empty (buffer_histogram (out, "red"));
  assert_refused (h->element, "from (16, 0) on is outside the frame of 16x8");
  harness_free (h);
}

GST_END_TEST

/* --- regions of interest --- */

static const GValue *
get_regions (GstBuffer *buffer)
{
  const GValue *value =
      gst_structure_get_value (buffer_structure (buffer), "regions");

  fail_unless (value == NULL || GST_VALUE_HOLDS_ARRAY (value));
  return value;
}

static const GstStructure *
get_region (GstBuffer *buffer, guint i)
{
  const GstStructure *region = gst_value_get_structure (
      gst_value_array_get_value (get_regions (buffer), i));

  fail_unless (gst_structure_has_name (region, "region"));
  return region;
}

static void
add_region (GstBuffer *buffer, gint id, const gchar *type, guint i)
{
  GstVideoRegionOfInterestMeta *meta =
      gst_buffer_add_video_region_of_interest_meta (buffer, type, regions[i].x,
          regions[i].y, regions[i].width, regions[i].height);

  fail_unless (meta != NULL);
  meta->id = id;
}

static void
assert_region (const GstStructure *region, gint id, const gchar *type, guint i)
{
  gint got_id = -1;
  guint x = 0, y = 0, w = 0, h = 0;

  fail_unless (gst_structure_get (region, "id", G_TYPE_INT, &got_id, "x",
      G_TYPE_UINT, &x, "y", G_TYPE_UINT, &y, "w", G_TYPE_UINT, &w, "h",
      G_TYPE_UINT, &h, NULL));
  fail_unless_equals_int (got_id, id);
  fail_unless_equals_string (
      gst_structure_get_string (region, "roi-type"), type);
  fail_unless_equals_int (x, regions[i].x);
  fail_unless_equals_int (y, regions[i].y);
  fail_unless_equals_int (w, regions[i].width);
  fail_unless_equals_int (h, regions[i].height);
}

/* Regions of interest beside the element's own region. The first one is empty.
 */
GST_START_TEST (test_regions)
{
  g_autoptr (Picture) picture = picture_nth (__i__, 3);
  g_autoptr (Picture) before = picture_copy (picture);
  GstBuffer *buffer = picture_wrap (picture);
  g_autoptr (GstBuffer) out = NULL;
  GstHarness *h =
      harness_new_for (picture, "channels", CHANNELS_ALL, "roi-meta", TRUE,
          "verify", TRUE, "equalization", EQUALIZATION_GLOBAL, NULL);

  set_region (h, 2);
  for (guint i = 0; i < N_REGIONS; i++)
    add_region (buffer, 100 - i, i & 1 ? "face" : "car", i);
  out = harness_run (h, buffer);
  fail_unless_equals_int (
      gst_value_array_get_size (get_regions (out)), N_REGIONS);
  for (guint i = 0; i < N_REGIONS; i++) {
    const GstStructure *region = get_region (out, i);

    assert_region (region, 100 - i, i & 1 ? "face" : "car", i);
    if (regions[i].width == 0)
      continue;
    set_part (before, i);
    assert_channels (region, before, ALL_NAMES);
  }
  assert_empty (gst_value_get_structure (
      gst_structure_get_value (get_region (out, 0), "luma")));
  set_part (before, 2);
  assert_histograms (out, before, ALL_NAMES);
  harness_free (h);
}

GST_END_TEST

/* More regions than one launch can count. */
GST_START_TEST (test_many)
{
  enum
  {
    N = 1000
  };
  g_autoptr (Picture) picture = picture_small ("NV12");
  GstBuffer *buffer = picture_wrap (picture);
  g_autoptr (GstBuffer) out = NULL;
  GstHarness *h =
      harness_new_for (picture, "roi-meta", TRUE, "verify", TRUE, NULL);

  for (guint i = 0; i < N; i++)
    fail_unless (gst_buffer_add_video_region_of_interest_meta (
                     buffer, "face", i % 15, i % 7, 1 + i % 2, 1)
        != NULL);
  out = harness_run (h, buffer);
  fail_unless_equals_int (gst_value_array_get_size (get_regions (out)), N);
  for (guint i = 0; i < N; i++) {
    picture_set_part (picture, i % 15, i % 7, 1 + i % 2, 1);
    assert_channels (get_region (out, i), picture, "luma");
  }
  harness_free (h);
}

GST_END_TEST

/* The picture in a buffer with `n` regions, which have a pixel each
 * and their number as `id`. */
static GstBuffer *
wrap_with_regions (Picture *picture, guint n)
{
  GstBuffer *buffer = picture_wrap (picture);

  for (guint i = 0; i < n; i++) {
    GstVideoRegionOfInterestMeta *meta =
        gst_buffer_add_video_region_of_interest_meta (
            buffer, "face", i % 16, i / 16 % 8, 1, 1);

    fail_unless (meta != NULL);
    meta->id = i;
  }
  return buffer;
}

/* Of more regions than 1024, these are measured, in their order. */
static void
check_limit (GstHarness *h, Picture *picture, guint n)
{
  g_autoptr (GstBuffer) out = harness_run (h, wrap_with_regions (picture, n));

  fail_unless_equals_int (gst_value_array_get_size (get_regions (out)), 1024);
  for (guint i = 0; i < 1024; i++) {
    gint id = -1;

    fail_unless (gst_structure_get_int (get_region (out, i), "id", &id));
    fail_unless_equals_int (id, i);
  }
  picture_set_part (picture, 1023 % 16, 1023 / 16 % 8, 1, 1);
  assert_channels (get_region (out, 1023), picture, "luma");
}

/* That is told once, and again after new caps. */
GST_START_TEST (test_too_many)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  GstHarness *h = harness_new_for (picture, "roi-meta", TRUE, NULL);

  check_limit (h, picture, 1024);
  assert_not_warned (h->element);
  for (guint i = 0; i < 2; i++) {
    check_limit (h, picture, 1025);
    assert_refused (h->element, "1025 regions of interest; the first 1024");
    check_limit (h, picture, 1024);
    check_limit (h, picture, 1030);
    assert_not_warned (h->element);
    harness_set_colorimetry (h, picture, i == 0 ? "1:4:0:0" : "bt709");
  }

  /* they are not asked for */
  g_object_set (h->element, "roi-meta", FALSE, NULL);
  harness_pass (h, wrap_with_regions (picture, 1025));
  assert_not_warned (h->element);
  harness_free (h);
}

GST_END_TEST

/* Regions that are not asked for (0) are not measured. A frame that has none
 * gets an empty list (1). */
GST_START_TEST (test_none)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  GstBuffer *buffer = picture_wrap (picture);
  g_autoptr (GstBuffer) out = NULL;
  GstHarness *h = harness_new_for (picture, "roi-meta", __i__, NULL);

  if (__i__ == 0)
    add_region (buffer, 1, "face", 1);
  out = harness_run (h, buffer);
  if (__i__ == 0)
    fail_unless (get_regions (out) == NULL);
  else
    fail_unless_equals_int (gst_value_array_get_size (get_regions (out)), 0);
  harness_free (h);
}

GST_END_TEST

static Suite *
regions_suite (void)
{
  Suite *suite = suite_create ("regions");
  TCase *tc = tcase_create ("regions");

  suite_add_tcase (suite, tc);
  tcase_add_loop_test (tc, test_measured, 0, PICTURE_N_FORMATS);
  tcase_add_loop_test (tc, test_equalized, 0, PICTURE_N_FORMATS);
  tcase_add_test (tc, test_drawn);
  tcase_add_test (tc, test_outside);
  tcase_add_loop_test (tc, test_regions, 0, PICTURE_N_FORMATS);
  tcase_add_test (tc, test_many);
  tcase_add_test (tc, test_too_many);
  tcase_add_loop_test (tc, test_none, 0, 2);
  return suite;
}

int
main (int argc, char **argv)
{
  return run_suite (argc, argv, "regions", regions_suite);
}
