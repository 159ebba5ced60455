/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * With compare-frames, luma has its difference and distance from the previous
 * frame, and the picture its difference, against a count of the test's own.
 * What restarts the comparison is in flow/history.c.
 */

#include "harnesses.h"

#define WIDTH 19
#define HEIGHT 11

/* --- expectations --- */

typedef struct
{
  gdouble difference, distance, of_picture;
} Numbers;

static Numbers
compare (const Picture *a, const Picture *b)
{
  const guint n = a->part_width * a->part_height;
  guint sum = 0, area = 0;
  guint32 bins[2][256];
  gint ahead = 0;
  guint64 n_samples;
  const guint64 of_picture = picture_compare (a, b, &n_samples);

  for (guint y = a->part_y; y < a->part_y + a->part_height; y++)
    for (guint x = a->part_x; x < a->part_x + a->part_width; x++)
      sum += (guint) ABS ((gint) picture_luma (a, picture_bt709, x, y)
          - (gint) picture_luma (b, picture_bt709, x, y));
  picture_count (a, "luma", bins[0]);
  picture_count (b, "luma", bins[1]);
  for (guint v = 0; v < 256; v++) {
    ahead += (gint) bins[0][v] - (gint) bins[1][v];
    area += (guint) ABS (ahead);
  }
  return (Numbers){ (gdouble) sum / n, (gdouble) area / n,
    (gdouble) of_picture / n_samples };
}

/* Luma has the numbers, or neither if `expected` is NULL. */
static void
assert_luma (const GstStructure *luma, const Numbers *expected)
{
  fail_unless (luma != NULL);
  fail_unless_equals_int (
      gst_structure_has_field (luma, "difference"), expected != NULL);
  fail_unless_equals_int (
      gst_structure_has_field (luma, "distance"), expected != NULL);
  if (expected == NULL)
    return;
  fail_unless (structure_number (luma, "difference") == expected->difference);
  fail_unless (structure_number (luma, "distance") == expected->distance);
}

/* The structure of a frame, or of a message, has the picture's difference, or
 * no picture if `expected` is NULL. */
static void
assert_picture (const GstStructure *structure, const Numbers *expected)
{
  fail_unless_equals_int (
      gst_structure_has_field (structure, "picture"), expected != NULL);
  if (expected != NULL)
    fail_unless (
        structure_number (structure_field (structure, "picture"), "difference")
        == expected->of_picture);
}

/* Takes the buffer. previous: NULL: the frame begins the comparison. */
static void
assert_compared (
    GstBuffer *out, const Picture *picture, const Picture *previous)
{
  const Numbers numbers =
      previous != NULL ? compare (picture, previous) : (Numbers){ 0 };
  const Numbers *expected = previous != NULL ? &numbers : NULL;

  assert_luma (buffer_histogram (out, "luma"), expected);
  assert_picture (buffer_structure (out), expected);
  gst_buffer_unref (out);
}

/* Runs the picture, which the element may change. */
static void
run (GstHarness *h, const Picture *picture, const Picture *previous)
{
  g_autoptr (Picture) input = picture_copy (picture);

  assert_compared (harness_run (h, picture_wrap (input)), picture, previous);
}

static Picture *
grey_new (guint seed)
{
  return picture_new (
      "GRAY8", WIDTH, HEIGHT, PICTURE_PADDED, 20 * (seed % 5), 255, seed);
}

/* --- numbers --- */

/* Random, repeated, flat and extreme frames of each format, in each place, and
 * equalized, which must not change what the next frame is compared with. */
TEST (test_formats)
{
  static const guint8 ends[][2] = { { 0, 255 }, { 0, 255 }, { 77, 77 },
    { 0, 0 }, { 255, 255 }, { 100, 101 } };
  const gchar *format = picture_formats[__i__].name;
  g_autoptr (Picture) previous = NULL;
  g_autoptr (Harness) h = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++) {
    g_autoptr (Picture) picture = picture_new (format, WIDTH, HEIGHT,
        i % PICTURE_N_SHAPES, ends[i][0], ends[i][1], i + 1);

    if (h == NULL)
      h = harness_new_for (picture, "compare-frames", TRUE, "verify", TRUE,
          "equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);
    run (h, picture, previous);
    run (h, picture, picture);
    g_clear_pointer (&previous, picture_free);
    previous = g_steal_pointer (&picture);
  }
}

/* Without the property, there is nothing. */
TEST (test_off)
{
  g_autoptr (Picture) picture = grey_new (1);
  g_autoptr (Harness) h = harness_new_for (picture, NULL, NULL);

  run (h, picture, NULL);
  run (h, picture, NULL);
}

/* Only the region counts, and regions of interest are not compared. */
TEST (test_region)
{
  g_autoptr (Picture) first = grey_new (1);
  g_autoptr (Picture) second = grey_new (2);
  g_autoptr (Picture) input = picture_copy (second);
  g_autoptr (Harness) h =
      harness_new_for (first, "compare-frames", TRUE, "roi-x", 3, "roi-y", 2,
          "roi-width", 7, "roi-height", 5, "roi-meta", TRUE, NULL);
  GstBuffer *buffer = picture_wrap (input);
  GstBuffer *out;

  picture_set_part (first, 3, 2, 7, 5);
  picture_set_part (second, 3, 2, 7, 5);
  run (h, first, NULL);
  gst_buffer_add_video_region_of_interest_meta (buffer, "face", 3, 2, 7, 5);
  out = harness_run (h, buffer);
  assert_luma (structure_field (buffer_region (out, 0), "luma"), NULL);
  assert_compared (out, second, first);
}

/* The luma that the next message on the bus reports. */
static void
assert_message (GstHarness *h, const Numbers *expected)
{
  GstMessage *message = bus_pop (h->element, GST_MESSAGE_ELEMENT);

  fail_unless (message != NULL);
  assert_luma (
      structure_field (gst_message_get_structure (message), "luma"), expected);
  assert_picture (gst_message_get_structure (message), expected);
  gst_message_unref (message);
}

/* A message every third frame compares that with the second one, although
 * nobody asks for the frames between. */
TEST (test_messages)
{
  Picture *pictures[4];
  Numbers numbers;
  GstHarness *h;

  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++)
    pictures[i] = grey_new (i + 1);
  numbers = compare (pictures[3], pictures[2]);
  h = harness_new_for (pictures[0], "compare-frames", TRUE, "post-messages",
      TRUE, "attach-meta", FALSE, "interval", (guint64) (120 * GST_MSECOND),
      NULL);
  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++)
    harness_pass (h, picture_wrap_nth (pictures[i], i));
  assert_message (h, NULL);
  assert_message (h, &numbers);
  fail_unless (bus_pop (h->element, GST_MESSAGE_ELEMENT) == NULL);
  harness_free (h);
  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++)
    picture_free (pictures[i]);
}

/* The picture's difference of the next frame, which lacks luma's. */
static void
run_picture (GstHarness *h, const Picture *picture, const Picture *previous)
{
  g_autoptr (Picture) input = picture_copy (picture);
  g_autoptr (GstBuffer) out = harness_run (h, picture_wrap (input));
  const GstStructure *luma = structure_field (buffer_structure (out), "luma");
  const Numbers numbers =
      previous != NULL ? compare (picture, previous) : (Numbers){ 0 };

  fail_unless (luma == NULL || !gst_structure_has_field (luma, "difference"));
  assert_picture (buffer_structure (out), previous != NULL ? &numbers : NULL);
}

/* Whatever channels are measured, or none; and for a condition on the picture,
 * which does not ask for luma's. */
TEST (test_picture_alone)
{
  static const gchar *const settings[] = { "compare-frames=true channels=none",
    "compare-frames=true channels=chroma",
    "compare-frames=true channels=none post-messages=true",
    "expect=picture.difference>=0 expect-error=false" };
  g_autoptr (Picture) first = picture_small ("I420");
  g_autoptr (Picture) second = picture_copy (first);

  picture_fill (second, "u", 200);
  for (guint i = 0; IS_ROW (settings, i); i++) {
    g_autoptr (Harness) h = harness_new_for (first, NULL, NULL);

    element_set_properties (h->element, settings[i]);
    run_picture (h, first, NULL);
    run_picture (h, second, first);
    run_picture (h, second, second);
    assert_not_warned (h->element);
  }
}

/* A condition on luma compares luma alone. */
TEST (test_luma_alone)
{
  g_autoptr (Picture) picture = picture_small ("I420");
  g_autoptr (Harness) h =
      harness_new_for (picture, "expect", "luma.difference>=0", NULL);

  for (guint i = 0; i < 2; i++) {
    g_autoptr (Picture) input = picture_copy (picture);
    g_autoptr (GstBuffer) out = harness_run (h, picture_wrap (input));

    fail_unless_equals_int (
        gst_structure_has_field (buffer_histogram (out, "luma"), "difference"),
        i);
    assert_picture (buffer_structure (out), NULL);
  }
}

/* The picture is still compared, also by the reference, when luma of RGB, which
 * is none of its channels, is no longer. */
TEST (test_luma_dropped)
{
  g_autoptr (Picture) first =
      picture_new ("RGBA", WIDTH, HEIGHT, PICTURE_PADDED, 0, 255, 1);
  g_autoptr (Picture) second =
      picture_new ("RGBA", WIDTH, HEIGHT, PICTURE_PADDED, 0, 255, 2);
  g_autoptr (Harness) h =
      harness_new_for (first, "compare-frames", TRUE, "verify", TRUE, NULL);

  run (h, first, NULL);
  run (h, second, first);
  g_object_set (h->element, "channels", 0, NULL);
  run_picture (h, first, second);
}

/* Rows 2 and 3 of progressive frames share a chroma row, those of interlaced
 * frames have two. When that changes, the picture begins anew, but not luma. */
TEST (test_fields)
{
  g_autoptr (Picture) picture =
      picture_new ("I420", WIDTH, 10, PICTURE_PADDED, 0, 255, 1);
  g_autoptr (Harness) h = harness_new_for (
      picture, "compare-frames", TRUE, "roi-y", 2, "roi-height", 2, NULL);
  static const gboolean interlaced[] = { FALSE, FALSE, TRUE, TRUE, FALSE };

  harness_set_fields (h, picture, "interlace-mode=mixed");
  for (guint i = 0; IS_ROW (interlaced, i); i++) {
    g_autoptr (Picture) input = picture_copy (picture);
    GstBuffer *buffer = picture_wrap (input);
    g_autoptr (GstBuffer) out = NULL;

    if (interlaced[i])
      GST_BUFFER_FLAG_SET (buffer, GST_VIDEO_BUFFER_FLAG_INTERLACED);
    out = harness_run (h, buffer);
    fail_unless_equals_int (
        gst_structure_has_field (buffer_histogram (out, "luma"), "difference"),
        i > 0);
    fail_unless_equals_int (
        gst_structure_has_field (buffer_structure (out), "picture"),
        i > 0 && interlaced[i] == interlaced[i - 1]);
  }
}

const ElementTest element_tests[] = { FORMATS (test_formats), ONCE (test_off),
  ONCE (test_region), ONCE (test_messages), ONCE (test_picture_alone),
  ONCE (test_luma_alone), ONCE (test_luma_dropped), ONCE (test_fields), { 0 } };
