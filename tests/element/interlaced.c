/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Interlaced video: if rows share chroma, each field has its own.
 */

#include "harnesses.h"

/* Formats with a row of chroma for 2 or 4 rows of luma; and one other format of
 * each kind. */
static const gchar *const formats[] = { "I420", "YV12", "NV12", "NV21", "A420",
  "YUV9", "YVU9", "GRAY8", "Y42B", "YUY2", "AYUV", "RGBA" };

#define N_SUBSAMPLED 7

static const gchar *const rgb_names[] = { "red", "green", "blue" };

static void
set_caps (GstHarness *h, const Picture *picture, const gchar *mode)
{
  GstCaps *caps =
      video_caps (picture->format->name, picture->width, picture->height, NULL);

  gst_caps_set_simple (caps, "interlace-mode", G_TYPE_STRING, mode, NULL);
  gst_harness_set_src_caps (h, caps);
}

/* Fills the rows of a component in one field. */
static void
fill_field (const Picture *picture, guint c, guint field, guint8 value)
{
  const PictureComponent *component = &picture->format->component[c];
  const guint n_columns =
      (picture->width + (1u << component->x_shift) - 1) >> component->x_shift;
  const guint n_rows =
      (picture->height + (1u << component->y_shift) - 1) >> component->y_shift;

  for (guint y = field; y < n_rows; y += 2)
    for (guint x = 0; x < n_columns; x++)
      picture_row (picture, component->plane,
          y)[component->offset + x * component->step] = value;
}

/* A picture with a red and a green field, in BT.601. */
static Picture *
red_and_green (const gchar *format, guint width, guint height)
{
  static const guint8 colours[2][3] = { { 81, 90, 240 }, { 145, 54, 34 } };
  Picture *picture = picture_new (format, width, height, 0, 0, 255, 1);

  for (guint field = 0; field < 2; field++)
    for (guint c = 0; c < 3; c++)
      fill_field (picture, c, field, colours[field][c]);
  return picture;
}

static void
get_bins (GstBuffer *buffer, const gchar *channel, guint32 bins[258])
{
  const GValue *value =
      gst_structure_get_value (buffer_histogram (buffer, channel), "bins");
  gsize size;
  const gpointer data =
      (gpointer) g_bytes_get_data (g_value_get_boxed (value), &size);

  fail_unless_equals_int (size, 258 * sizeof *bins);
  memcpy (bins, data, size);
}

/* --- two colours --- */

/* The channel has two values, one per field. */
static void
assert_two_values (
    GstBuffer *buffer, const gchar *channel, guint width, guint height)
{
  const guint rows[2] = { (height + 1) / 2, height / 2 };
  guint32 bins[258];
  guint n_values = 0;

  get_bins (buffer, channel, bins);
  for (guint v = 0; v < 256; v++) {
    if (bins[v] == 0)
      continue;
    fail_unless (bins[v] == rows[0] * width || bins[v] == rows[1] * width,
        "%s: %u samples have the value %u", channel, bins[v], v);
    n_values++;
  }
  fail_unless_equals_int (n_values, 2);
}

/* All numbers of rows modulo 4 and 8. */
GST_START_TEST (test_two_colours)
{
  GstHarness *h = harness_new ("channels", CHANNELS_RGB, "verify", TRUE, NULL);

  for (guint height = 5; height < 21; height++) {
    g_autoptr (Picture) picture = red_and_green (formats[__i__], 16, height);
    g_autoptr (GstBuffer) out = NULL;

    set_caps (h, picture, "interleaved");
    out = harness_run (h, picture_wrap (picture));
    assert_two_values (out, "red", 16, height);
    assert_two_values (out, "green", 16, height);
  }
  harness_free (h);
}

GST_END_TEST

/* --- GStreamer's converter --- */

static GstVideoInfo
info_new (const gchar *format, guint width, guint height, const gchar *mode)
{
  g_autoptr (GstCaps) caps = video_caps (format, width, height, NULL);
  GstVideoInfo info;

  gst_caps_set_simple (caps, "interlace-mode", G_TYPE_STRING, mode, NULL);
  fail_unless (gst_video_info_from_caps (&info, caps));
  return info;
}

/* Returns: (transfer full): the buffer converted by GStreamer, which repeats
 * shared samples. */
static GstBuffer *
convert (GstBuffer *buffer, GstVideoInfo *from, GstVideoInfo *to)
{
  GstVideoConverter *converter = gst_video_converter_new (from, to,
      gst_structure_new ("options", GST_VIDEO_CONVERTER_OPT_CHROMA_MODE,
          GST_TYPE_VIDEO_CHROMA_MODE, GST_VIDEO_CHROMA_MODE_NONE, NULL));
  GstBuffer *converted = gst_buffer_new_allocate (NULL, to->size, NULL);
  GstVideoFrame source, target;

  fail_unless (gst_video_frame_map (&source, from, buffer, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&target, to, converted, GST_MAP_WRITE));
  gst_video_converter_frame (converter, &source, &target);
  gst_video_frame_unmap (&source);
  gst_video_frame_unmap (&target);
  gst_video_converter_free (converter);
  return converted;
}

/* GStreamer spreads chroma over the pixels of their field as the element does.
 */
GST_START_TEST (test_converted)
{
  const guint width = 32, height = 48;
  GstHarness *h = harness_new ("channels", CHANNELS_RGB, NULL);
  GstVideoInfo from = info_new (formats[__i__], width, height, "interleaved");
  GstVideoInfo to = info_new ("Y444", width, height, "interleaved");
  g_autoptr (Picture) picture =
      picture_new (formats[__i__], width, height, 0, 0, 255, __i__ + 1);
  g_autoptr (GstBuffer) buffer = picture_wrap (picture);
  g_autoptr (GstBuffer) spread = convert (buffer, &from, &to);
  g_autoptr (GstBuffer) out = NULL, expected = NULL;

  gst_harness_set_src_caps (h, gst_video_info_to_caps (&from));
  out = harness_run (h, g_steal_pointer (&buffer));
  gst_harness_set_src_caps (h, gst_video_info_to_caps (&to));
  expected = harness_run (h, g_steal_pointer (&spread));
  for (guint c = 0; c < G_N_ELEMENTS (rgb_names); c++) {
    guint32 bins[2][258];

    get_bins (out, rgb_names[c], bins[0]);
    get_bins (expected, rgb_names[c], bins[1]);
    fail_unless (memcmp (bins[0], bins[1], sizeof bins[0]) == 0,
        "%s: %s differs", formats[__i__], rgb_names[c]);
  }
  harness_free (h);
}

GST_END_TEST

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
  g_autoptr (GstBuffer) out = NULL;

  g_object_set (h->element, "roi-x", x, "roi-y", y, "roi-width",
      regions[r].width, "roi-height", regions[r].height, NULL);
  picture_set_part (picture, x, y, MIN (regions[r].width, picture->width - x),
      MIN (regions[r].height, picture->height - y));
  out = harness_run (h, picture_wrap (picture));
  assert_histograms (out, picture, ALL_NAMES);
}

GST_START_TEST (test_format)
{
  const gchar *format = formats[__i__];
  GstHarness *h = harness_new ("channels", CHANNELS_ALL, "verify", TRUE, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autoptr (Picture) picture = picture_new (format, sizes[i][0], sizes[i][1],
        i % PICTURE_N_SHAPES, 0, 255, __i__ * 100 + i);

    picture->is_interlaced = true;
    set_caps (h, picture, "interleaved");
    for (guint r = 0; r < G_N_ELEMENTS (regions); r++)
      check_region (h, picture, r);
  }
  harness_free (h);
}

GST_END_TEST

/* Regions of interest, with edges of all kinds. */
GST_START_TEST (test_regions_of_interest)
{
  GstHarness *h = harness_new (
      "channels", CHANNELS_ALL, "roi-meta", TRUE, "verify", TRUE, NULL);
  g_autoptr (Picture) picture =
      picture_new (formats[__i__], 13, 14, PICTURE_ODD, 0, 255, 5);
  GstBuffer *buffer = picture_wrap (picture);
  g_autoptr (GstBuffer) out = NULL;
  const GValue *array;
  guint i = 0;

  picture->is_interlaced = true;
  set_caps (h, picture, "interleaved");
  for (guint y = 0; y < 14; y++)
    for (guint n = 1; n <= 14 - y; n++)
      gst_buffer_add_video_region_of_interest_meta (buffer, "a", 1, y, 5, n);
  out = harness_run (h, buffer);
  array = gst_structure_get_value (buffer_structure (out), "regions");
  for (guint y = 0; y < 14; y++)
    for (guint n = 1; n <= 14 - y; n++) {
      picture_set_part (picture, 1, y, 5, n);
      assert_channels (
          gst_value_get_structure (gst_value_array_get_value (array, i++)),
          picture, ALL_NAMES);
    }
  harness_free (h);
}

GST_END_TEST

/* --- mixed streams --- */

/* In a mixed stream, buffers with the flag are interlaced. */
static void
check_mixed (guint n_in_flight)
{
  GstHarness *h = harness_new ("channels", CHANNELS_RGB, "frames-in-flight",
      n_in_flight, "verify", TRUE, NULL);
  g_autoptr (Picture) picture =
      picture_new ("I420", 16, 12, PICTURE_TIGHT, 0, 255, 3);

  set_caps (h, picture, "mixed");
  for (guint i = 0; i < 8; i++) {
    GstBuffer *buffer = picture_wrap_nth (picture, i);

    if (i % 3 > 0)
      GST_BUFFER_FLAG_SET (buffer, GST_VIDEO_BUFFER_FLAG_INTERLACED);
    fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
  }
  harness_drain (h);
  for (guint i = 0; i < 8; i++) {
    g_autoptr (GstBuffer) out = gst_harness_pull (h);

    picture->is_interlaced = i % 3 > 0;
    fail_unless_equals_uint64 (GST_BUFFER_PTS (out), i * 40 * GST_MSECOND);
    assert_histograms (out, picture, "red green blue");
  }
  harness_free (h);
}

GST_START_TEST (test_mixed)
{
  check_mixed (1);
  check_mixed (4);
}

GST_END_TEST

/* The flag has an effect in mixed streams only. */
GST_START_TEST (test_progressive)
{
  GstHarness *h = harness_new ("channels", CHANNELS_RGB, "verify", TRUE, NULL);
  g_autoptr (Picture) picture =
      picture_new ("NV12", 16, 12, PICTURE_TIGHT, 0, 255, 3);
  GstBuffer *buffer = picture_wrap (picture);
  g_autoptr (GstBuffer) out = NULL;

  GST_BUFFER_FLAG_SET (buffer, GST_VIDEO_BUFFER_FLAG_INTERLACED);
  set_caps (h, picture, "progressive");
  out = harness_run (h, buffer);
  assert_histograms (out, picture, "red green blue");
  harness_free (h);
}

GST_END_TEST

/* A crop must begin with chroma rows of both fields, else it is ignored. */
GST_START_TEST (test_cropped)
{
  GstHarness *h = harness_new ("channels", CHANNELS_RGB, NULL);

  for (guint y = 0; y <= 8; y += 2) {
    g_autoptr (Picture) picture =
        picture_new ("I420", 16, 24, PICTURE_TIGHT, 0, 255, 7);
    GstBuffer *buffer = picture_wrap (picture);
    GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);
    g_autoptr (GstCaps) caps = video_caps ("I420", 16, 12, NULL);
    g_autoptr (GstBuffer) out = NULL;

    crop->y = y;
    crop->width = 16;
    crop->height = 12;
    gst_caps_set_simple (
        caps, "interlace-mode", G_TYPE_STRING, "interleaved", NULL);
    gst_harness_set_src_caps (h, gst_caps_copy (caps));
    out = harness_run (h, buffer);
    picture->is_interlaced = true;
    picture_set_part (picture, 0, y % 4 == 0 ? y : 0, 16, 12);
    assert_histograms (out, picture, "red green blue");
    if (y % 4 != 0) {
      g_autoptr (GstMessage) warning =
          bus_pop (h->element, GST_MESSAGE_WARNING);

      fail_unless (warning != NULL);
    }
    /* other caps, so that the next crop is warned of, too */
    gst_caps_set_simple (caps, "height", G_TYPE_INT, 10, NULL);
    gst_harness_set_src_caps (h, gst_caps_ref (caps));
  }
  harness_free (h);
}

GST_END_TEST

/* Fields that are stored separately. */
GST_START_TEST (test_fields_refused)
{
  GstHarness *h = harness_new (NULL, NULL);
  g_autoptr (Picture) picture = picture_small ("I420");

  set_caps (h, picture, "fields");
  fail_unless_equals_int (
      gst_harness_push (h, picture_wrap (picture)), GST_FLOW_NOT_NEGOTIATED);
  harness_free (h);
}

GST_END_TEST

GST_START_TEST (test_alternate_refused)
{
  GstElement *element = element_new (NULL, NULL);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "sink");
  g_autoptr (GstCaps) caps = gst_caps_from_string (
      "video/x-raw(format:Interlaced), format=I420, width=16, height=16, "
      "framerate=25/1, interlace-mode=alternate");

  element_set_state (element, GST_STATE_PAUSED);
  fail_if (gst_pad_query_accept_caps (pad, caps));
  element_free (element);
}

GST_END_TEST

/* --- drawing --- */

static guint8
first_sample (const Picture *picture, guint c, guint y)
{
  const PictureComponent *component = &picture->format->component[c];

  return picture_row (picture, component->plane, y)[component->offset];
}

/* White in one field and black in the other: each has its own colour, without
 * any mixture. */
GST_START_TEST (test_false_color)
{
  GstHarness *h =
      harness_new ("exposure", 2 /* false-color */, "verify", TRUE, NULL);

  for (guint height = 5; height < 21; height++) {
    g_autoptr (Picture) picture =
        picture_new (formats[__i__], 24, height, PICTURE_ODD, 0, 255, 3);

    for (guint c = 0; c < 3; c++) {
      fill_field (picture, c, 0, c == 0 ? 235 : 128);
      fill_field (picture, c, 1, c == 0 ? 16 : 128);
    }
    set_caps (h, picture, "interleaved");
    harness_change (h, picture, 0);
    for (guint c = 0; c < 3; c++) {
      const guint shift = picture->format->component[c].y_shift;
      const guint n_rows = (height + (1u << shift) - 1) >> shift;

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
  harness_free (h);
}

GST_END_TEST

/* A region's false colour changes the rows that have two chroma rows, of both
 * fields, to themselves. It changes no other row's chroma. */
static void
check_drawn_region (GstHarness *h, guint format, guint height, guint y, guint n)
{
  const guint shift = format < 5 ? 1 : 2;
  const guint n_rows = (height + (1u << shift) - 1) >> shift;
  const guint unit = 2u << shift;
  g_autoptr (Picture) picture =
      picture_new (formats[format], 16, height, PICTURE_TIGHT, 110, 110, 1);

  set_caps (h, picture, "interleaved");
  g_object_set (h->element, "roi-y", y, "roi-height", n, NULL);
  harness_change (h, picture, 0);
  for (guint row = 0; row < n_rows; row++) {
    guint first = row / 2 * unit, end = first + unit;
    gboolean is_drawn;

    /* the last rows, where the lower field has no chroma of its own */
    if (n_rows % 2 == 1 && height % unit > 1 && end + unit > height) {
      first = height - height % unit - unit;
      end = height;
    }
    is_drawn = y <= first && y + n >= MIN (end, height);

    fail_unless (first_sample (picture, 1, row) == (is_drawn ? 128 : 110),
        "%s, %u rows: the region of %u rows from %u on: row %u of chroma: %u",
        formats[format], height, n, y, row, first_sample (picture, 1, row));
  }
}

GST_START_TEST (test_drawn_regions)
{
  GstHarness *h =
      harness_new ("exposure", 2 /* false-color */, "verify", TRUE, NULL);

  for (guint height = 13; height < 17;
       height += test_size () < TEST_FULL ? 2 : 1)
    for (guint y = 0; y < height; y++)
      for (guint n = 1; n <= height - y; n++)
        check_drawn_region (h, __i__, height, y, n);
  while (bus_pop (h->element, GST_MESSAGE_WARNING) != NULL)
    continue;
  harness_free (h);
}

GST_END_TEST

/* Scopes over a picture with different fields, in place and in a new buffer: as
 * in the reference. Their place does not depend on the frame's fields. */
GST_START_TEST (test_scopes)
{
  static const gchar *const modes[] = { "interleaved", "mixed" };

  for (guint m = 0; m < G_N_ELEMENTS (modes); m++) {
    GstHarness *h = harness_new ("scope-display", (guint) __i__ % 3, "scopes",
        7, "channels", CHANNELS_LUMA | CHANNELS_RGB, "exposure", 3, "verify",
        TRUE, NULL);

    for (guint i = 0; i < 4; i++) {
      g_autoptr (Picture) picture =
          red_and_green (formats[__i__], 480, 230 + i);
      GstBuffer *buffer = picture_wrap_nth (picture, i);
      g_autoptr (GstBuffer) out = NULL;

      if (i & 1)
        GST_BUFFER_FLAG_SET (buffer, GST_VIDEO_BUFFER_FLAG_INTERLACED);
      set_caps (h, picture, modes[m]);
      out = harness_run (h, buffer);
    }
    harness_free (h);
  }
}

GST_END_TEST

static Suite *
interlaced_suite (void)
{
  Suite *suite = suite_create ("interlaced");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (suite, tc);
  tcase_add_loop_test (tc, test_two_colours, 0, N_SUBSAMPLED);
  tcase_add_loop_test (tc, test_converted, 0, N_SUBSAMPLED);
  tcase_add_loop_test (tc, test_format, 0, G_N_ELEMENTS (formats));
  tcase_add_loop_test (tc, test_regions_of_interest, 0, N_SUBSAMPLED);
  tcase_add_test (tc, test_mixed);
  tcase_add_test (tc, test_progressive);
  tcase_add_test (tc, test_cropped);
  tcase_add_test (tc, test_fields_refused);
  tcase_add_test (tc, test_alternate_refused);
  tcase_add_loop_test (tc, test_false_color, 0, N_SUBSAMPLED);
  tcase_add_loop_test (tc, test_drawn_regions, 0, N_SUBSAMPLED);
  tcase_add_loop_test (tc, test_scopes, 0, N_SUBSAMPLED);
  return suite;
}

gint
main (gint argc, gchar **argv)
{
  return run_suite (argc, argv, "interlaced", interlaced_suite);
}
