/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * With compare-frames, luma has its difference and distance from the previous
 * frame, against a count of the test's own; and what begins the comparison
 * anew.
 */

#include "harnesses.h"

#define WIDTH 19
#define HEIGHT 11

/* --- expectations --- */

/* Luma of a pixel; of RGB by BT.709. */
static gint
luma_at (const Picture *picture, guint x, guint y)
{
  static const guint weights[] = { 13933, 46871, 4732 };
  const PictureComponent *c = picture->format->component;
  guint sum = 32768;

  if (!picture->format->is_rgb)
    return picture_row (picture, c->plane, y)[c->offset + x * c->step];
  for (guint i = 0; i < 3; i++)
    sum += weights[i]
        * picture_row (picture, c[i].plane, y)[c[i].offset + x * c[i].step];
  return (gint) (sum >> 16);
}

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
      sum += (guint) ABS (luma_at (a, x, y) - luma_at (b, x, y));
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
  gdouble difference = -1, distance = -1;

  fail_unless (luma != NULL);
  fail_unless_equals_int (
      gst_structure_has_field (luma, "difference"), expected != NULL);
  fail_unless_equals_int (
      gst_structure_has_field (luma, "distance"), expected != NULL);
  if (expected == NULL)
    return;
  fail_unless (gst_structure_get (luma, "difference", G_TYPE_DOUBLE,
      &difference, "distance", G_TYPE_DOUBLE, &distance, NULL));
  fail_unless (difference == expected->difference, "%.17g, not %.17g",
      difference, expected->difference);
  fail_unless (distance == expected->distance, "%.17g, not %.17g", distance,
      expected->distance);
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

/* A playing element that has compared two frames, the second `last`. */
static GstHarness *
comparing_harness (const Picture *last)
{
  g_autoptr (Picture) first = grey_new (99);
  GstHarness *h =
      harness_new_for (last, "compare-frames", TRUE, "verify", TRUE, NULL);

  run (h, first, NULL);
  run (h, last, first);
  return h;
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
  GstHarness *h = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++) {
    g_autoptr (Picture) picture = picture_new (format, WIDTH, HEIGHT,
        i % PICTURE_N_SHAPES, ends[i][0], ends[i][1], i + 1);

    if (h == NULL)
      h = harness_new_for (picture, "compare-frames", TRUE, "verify", TRUE,
          "equalization", EQUALIZATION_GLOBAL, NULL);
    run (h, picture, previous);
    run (h, picture, picture);
    g_clear_pointer (&previous, picture_free);
    previous = g_steal_pointer (&picture);
  }
  harness_free (h);
}

/* Without the property, there is nothing. */
TEST (test_off)
{
  g_autoptr (Picture) picture = grey_new (1);
  GstHarness *h = harness_new_for (picture, NULL, NULL);

  run (h, picture, NULL);
  run (h, picture, NULL);
  harness_free (h);
}

/* Only the region counts, and regions of interest are not compared. */
TEST (test_region)
{
  g_autoptr (Picture) first = grey_new (1);
  g_autoptr (Picture) second = grey_new (2);
  g_autoptr (Picture) input = picture_copy (second);
  GstHarness *h = harness_new_for (first, "compare-frames", TRUE, "roi-x", 3,
      "roi-y", 2, "roi-width", 7, "roi-height", 5, "roi-meta", TRUE, NULL);
  GstBuffer *buffer = picture_wrap (input);
  const GValue *regions;
  GstBuffer *out;

  picture_set_part (first, 3, 2, 7, 5);
  picture_set_part (second, 3, 2, 7, 5);
  run (h, first, NULL);
  gst_buffer_add_video_region_of_interest_meta (buffer, "face", 3, 2, 7, 5);
  out = harness_run (h, buffer);
  regions = gst_structure_get_value (buffer_structure (out), "regions");
  assert_luma (
      g_value_get_boxed (gst_structure_get_value (
          g_value_get_boxed (gst_value_array_get_value (regions, 0)), "luma")),
      NULL);
  assert_compared (out, second, first);
  harness_free (h);
}

/* Four frames are in flight. */
TEST (test_in_flight)
{
  Picture *pictures[9], *inputs[G_N_ELEMENTS (pictures)];
  GstHarness *h;

  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++) {
    pictures[i] = grey_new (i + 1);
    inputs[i] = picture_copy (pictures[i]);
  }
  h = harness_new_for (pictures[0], "compare-frames", TRUE, "verify", TRUE,
      "frames-in-flight", 4, "equalization", EQUALIZATION_CLAHE, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++)
    fail_unless_equals_int (
        gst_harness_push (h, picture_wrap (inputs[i])), GST_FLOW_OK);
  harness_drain (h);
  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++)
    assert_compared (
        gst_harness_try_pull (h), pictures[i], i > 0 ? pictures[i - 1] : NULL);
  harness_free (h);
  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++) {
    picture_free (pictures[i]);
    picture_free (inputs[i]);
  }
}

/* The luma that the next message on the bus reports. */
static void
assert_message (GstHarness *h, const Numbers *expected)
{
  GstMessage *message = bus_pop (h->element, GST_MESSAGE_ELEMENT);

  fail_unless (message != NULL);
  assert_luma (gst_value_get_structure (gst_structure_get_value (
                   gst_message_get_structure (message), "luma")),
      expected);
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

/* --- gaps --- */

/* A gap without a frame. */
static GstBuffer *
gap_new (void)
{
  GstBuffer *buffer = gst_buffer_new ();

  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_GAP);
  return buffer;
}

/* Settings with which the comparison begins anew. */
static const struct
{
  const gchar *property;
  guint there, back;
} elsewhere[] = { { "roi-x", 3, 0 }, { "compare-frames", FALSE, TRUE },
  { "attach-meta", FALSE, TRUE }, { "verify", FALSE, TRUE } };

/* A frame that videorate repeats is flagged as a gap, and has no difference.
 * A gap without a frame does not count. */
TEST (test_gaps)
{
  g_autoptr (Picture) last = grey_new (1);
  g_autoptr (Picture) next = grey_new (2);
  GstHarness *h = comparing_harness (last);
  GstBuffer *repeated = picture_wrap (last);

  GST_BUFFER_FLAG_SET (repeated, GST_BUFFER_FLAG_GAP);
  assert_compared (harness_run (h, repeated), last, last);
  harness_pass (h, gap_new ());
  run (h, next, last);
  harness_free (h);
}

/* Settings that no frame has are none: the region that goes and comes back
 * around a gap without a frame is the same. */
TEST (test_gap_of_other_settings)
{
  g_autoptr (Picture) last = grey_new (1);
  g_autoptr (Picture) next = grey_new (2);
  GstHarness *h = comparing_harness (last);

  for (guint i = 0; i < G_N_ELEMENTS (elsewhere); i++) {
    g_object_set (h->element, elsewhere[i].property, elsewhere[i].there, NULL);
    harness_pass (h, gap_new ());
    g_object_set (h->element, elsewhere[i].property, elsewhere[i].back, NULL);
    run (h, i % 2 == 0 ? next : last, i % 2 == 0 ? last : next);
  }
  harness_free (h);
}

/* Frames that are dropped as late do not count. */
TEST (test_dropped)
{
  g_autoptr (Picture) last = grey_new (1);
  g_autoptr (Picture) late = grey_new (2);
  g_autoptr (Picture) next = grey_new (3);
  GstHarness *h = comparing_harness (last);

  g_object_set (h->element, "qos", TRUE, NULL);
  gst_harness_push_upstream_event (h,
      gst_event_new_qos (
          GST_QOS_TYPE_UNDERFLOW, 2.0, 20 * GST_MSECOND, 40 * GST_MSECOND));
  fail_unless_equals_int (
      gst_harness_push (h, picture_wrap (late)), GST_FLOW_OK);
  fail_unless_equals_int (gst_harness_buffers_in_queue (h), 0);
  g_object_set (h->element, "qos", FALSE, NULL);
  run (h, next, last);
  harness_free (h);
}

/* --- what begins anew --- */

TEST (test_flush)
{
  g_autoptr (Picture) last = grey_new (1);
  GstHarness *h = comparing_harness (last);

  harness_flush (h);
  run (h, last, NULL);
  run (h, last, last);
  harness_free (h);
}

/* Caps with another colorimetry, and the same caps again. */
TEST (test_caps)
{
  g_autoptr (Picture) last = grey_new (1);
  GstHarness *h = comparing_harness (last);

  harness_set_colorimetry (h, last, "bt709");
  run (h, last, NULL);
  run (h, last, last);
  harness_set_colorimetry (h, last, "bt709");
  run (h, last, last);
  harness_free (h);
}

TEST (test_restart)
{
  g_autoptr (Picture) last = grey_new (1);
  GstHarness *h = comparing_harness (last);

  element_set_state (h->element, GST_STATE_READY);
  harness_restart (h, last);
  run (h, last, NULL);
  run (h, last, last);
  harness_free (h);
}

/* The region moves, and changes to another number that leaves it as it is. */
TEST (test_moved_region)
{
  g_autoptr (Picture) last = grey_new (1);
  GstHarness *h = comparing_harness (last);

  g_object_set (h->element, "roi-width", 9, NULL);
  run (h, last, NULL);
  g_object_set (h->element, "roi-x", 1, NULL);
  run (h, last, NULL);
  g_object_set (h->element, "roi-width", WIDTH - 1, NULL);
  run (h, last, NULL);
  g_object_set (h->element, "roi-width", 0, "roi-height", HEIGHT + 5, NULL);
  picture_set_part (last, 1, 0, WIDTH - 1, HEIGHT);
  run (h, last, last);
  harness_free (h);
}

/* Frames that pass without being compared: with the property off (0), in
 * passthrough (1), and without luma among the channels (2), which posts a
 * warning. */
TEST (test_not_compared)
{
  static const struct
  {
    const gchar *property;
    guint off, on;
  } cases[] = { { "compare-frames", FALSE, TRUE },
    { "attach-meta", FALSE, TRUE },
    { "channels", CHANNELS_CHROMA | CHANNELS_ALPHA, CHANNELS_ALL } };
  g_autoptr (Picture) last = grey_new (1);
  g_autoptr (Picture) other = grey_new (2);
  GstHarness *h = comparing_harness (last);

  g_object_set (h->element, cases[__i__].property, cases[__i__].off, NULL);
  harness_pass (h, picture_wrap (other));
  if (__i__ == 2) {
    assert_refused_first (h->element, "none of the channels");
    assert_refused (h->element, "compare-frames compares luma");
  }
  g_object_set (h->element, cases[__i__].property, cases[__i__].on, NULL);
  run (h, last, NULL);
  run (h, other, last);
  harness_free (h);
}

/* Settings that change everything but luma, while playing. */
TEST (test_other_settings)
{
  g_autoptr (Picture) last = grey_new (1);
  GstHarness *h = comparing_harness (last);

  g_object_set (h->element, "equalization", EQUALIZATION_CLAHE, "smoothing",
      0.5, "exposure", 1, "roi-meta", TRUE, "interval", (guint64) 1,
      "post-messages", TRUE, "channels", CHANNELS_ALL, NULL);
  run (h, last, last);
  g_object_set (h->element, "equalization", EQUALIZATION_NONE, "exposure", 0,
      "channels", CHANNELS_LUMA, "attach-meta", TRUE, NULL);
  run (h, last, last);
  harness_free (h);
}

/* A controller switches the property on at frame 5 of 8, which begins. */
TEST (test_controlled)
{
  g_autoptr (Picture) picture = grey_new (1);
  GstHarness *h = harness_new_for (picture, NULL, NULL);

  element_control (h->element, "compare-frames", 0, 1);
  for (guint i = 0; i < 8; i++)
    assert_compared (harness_run (h, picture_wrap_nth (picture, i)), picture,
        i > 4 ? picture : NULL);
  harness_free (h);
}

const ElementTest element_tests[] = { FORMATS (test_formats), ONCE (test_off),
  ONCE (test_region), ONCE (test_in_flight), ONCE (test_messages),
  ONCE (test_gaps), ONCE (test_gap_of_other_settings), ONCE (test_dropped),
  ONCE (test_flush), ONCE (test_caps), ONCE (test_restart),
  ONCE (test_moved_region), TIMES (test_not_compared, 3),
  ONCE (test_other_settings), ONCE (test_controlled), { NULL } };
