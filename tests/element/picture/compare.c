/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * With compare-frames, luma has its difference and distance from the previous
 * frame, against a count of the test's own. What restarts the comparison is in
 * flow/history.c.
 */

#include "harnesses.h"

#define WIDTH 19
#define HEIGHT 11

/* --- expectations --- */

typedef struct
{
  gdouble difference, distance;
} Numbers;

static Numbers
compare (const Picture *a, const Picture *b)
{
  const guint n = a->part_width * a->part_height;
  guint sum = 0, area = 0;
  guint32 bins[2][256];
  gint ahead = 0;

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
  return (Numbers){ (gdouble) sum / n, (gdouble) area / n };
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

/* Takes the buffer. previous: NULL: the frame begins the comparison. */
static void
assert_compared (
    GstBuffer *out, const Picture *picture, const Picture *previous)
{
  Numbers numbers;

  if (previous != NULL)
    numbers = compare (picture, previous);
  assert_luma (
      buffer_histogram (out, "luma"), previous != NULL ? &numbers : NULL);
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

const ElementTest element_tests[] = { FORMATS (test_formats), ONCE (test_off),
  ONCE (test_region), ONCE (test_messages), { 0 } };
