/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Equalization by a mean of the histograms over time: steps of exposure are
 * followed little by little, cuts at once.
 */

#include "harnesses.h"

#include <math.h>
#include <string.h>

/* Of CLAHE, one tile without a limit: the whole picture again. */
enum
{
  GLOBAL = 1,
  CLAHE = 2
};

#define SMOOTHING 0.9

#define WIDTH 64
#define HEIGHT 48
/* Columns whose exposure changes: a quarter of the picture. */
#define WINDOW 16

/* A room, and a window that is darker than it at night, and brighter with much
 * light, in levels. */
static Picture *
room_new (guint light)
{
  Picture *picture =
      picture_new ("GRAY8", WIDTH, HEIGHT, PICTURE_TIGHT, 0, 255, 1);

  for (guint y = 0; y < HEIGHT; y++)
    for (guint x = 0; x < WIDTH; x++)
      picture_row (picture, 0, y)[x] =
          x < WIDTH - WINDOW ? 60 + x : 20 + light + y % 8;
  return picture;
}

/* The mean of the room, without the window. */
static gdouble
room_level (const guint8 *data)
{
  gdouble sum = 0;

  for (guint y = 0; y < HEIGHT; y++)
    for (guint x = 0; x < WIDTH - WINDOW; x++)
      sum += data[y * WIDTH + x];
  return sum / (HEIGHT * (WIDTH - WINDOW));
}

static gdouble
run_room (GstHarness *h, guint light)
{
  Picture *picture = room_new (light);
  GstBuffer *out;
  GstMapInfo map;
  gdouble level;

  out = harness_run (h, picture_wrap (picture));
  fail_unless (gst_buffer_map (out, &map, GST_MAP_READ));
  level = room_level (map.data);
  gst_buffer_unmap (out, &map);
  gst_buffer_unref (out);
  picture_free (picture);
  return level;
}

static GstHarness *
room_harness (gint equalization, gdouble smoothing)
{
  GstHarness *h =
      harness_new ("equalization", equalization, "tiles-x", 1, "tiles-y", 1,
          "clip-limit", 0.0, "smoothing", smoothing, "verify", TRUE, NULL);
  Picture *picture = room_new (0);

  harness_set_caps (h, picture);
  picture_free (picture);
  return h;
}

/* What the level of a room whose samples stay as they are does when its window
 * lights up: how far it moves at most from frame to frame, and in the end. */
typedef struct
{
  gdouble greatest;
  gdouble all;
} Moves;

static Moves
light_up (GstHarness *h, guint light, guint n_frames)
{
  const gdouble before = run_room (h, 0);
  gdouble last = run_room (h, 0);
  Moves moves = { 0, 0 };

  fail_unless (last == before);
  for (guint i = 0; i < n_frames; i++) {
    const gdouble level = run_room (h, light);

    moves.greatest = MAX (moves.greatest, fabs (level - last));
    moves.all = fabs (level - before);
    last = level;
  }
  return moves;
}

/* Without smoothing, the room's level jumps; with it, no frame sees more than
 * a tenth of that and what whole levels make of it, and it arrives at the same
 * level. */
GST_START_TEST (test_exposure_step)
{
  GstHarness *h = room_harness (__i__, 0.0);
  const Moves without = light_up (h, 100, 60);
  Moves with;

  harness_free (h);
  h = room_harness (__i__, SMOOTHING);
  with = light_up (h, 100, 60);
  harness_free (h);
  fail_unless (without.greatest > 10, "%f", without.greatest);
  fail_unless (with.greatest < without.greatest / 5, "%f, without %f",
      with.greatest, without.greatest);
  fail_unless (fabs (with.all - without.all) < 1, "%f, without %f", with.all,
      without.all);
}

GST_END_TEST

/* 51 levels in a quarter of the picture are 13 on average; 150 are 38, more
 * than the 32 of a cut. */
GST_START_TEST (test_cut)
{
  GstHarness *with = room_harness (__i__, SMOOTHING);
  GstHarness *without = room_harness (__i__, 0.0);

  run_room (with, 0);
  fail_unless (run_room (with, 51) != run_room (without, 51));
  for (guint i = 0; i < 100; i++)
    run_room (with, 0);
  fail_unless (run_room (with, 150) == run_room (without, 150));
  harness_free (with);
  harness_free (without);
}

GST_END_TEST

/* Whether the frame is treated as a stream's first. */
static gboolean
is_first (GstHarness *h, gint equalization, guint light)
{
  GstHarness *other = room_harness (equalization, 0.0);
  const gboolean is_equal = run_room (h, light) == run_room (other, light);

  harness_free (other);
  return is_equal;
}

GST_START_TEST (test_flush)
{
  GstHarness *h = room_harness (__i__, SMOOTHING);
  GstSegment segment;

  run_room (h, 0);
  fail_unless (!is_first (h, __i__, 90));
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
  fail_unless (is_first (h, __i__, 50));
  fail_unless (!is_first (h, __i__, 90));
  harness_free (h);
}

GST_END_TEST

/* Of another range, for the same pixels. */
GST_START_TEST (test_caps)
{
  GstHarness *h = room_harness (__i__, SMOOTHING);
  GstCaps *caps = video_caps ("GRAY8", WIDTH, HEIGHT, "bt709");

  run_room (h, 0);
  fail_unless (!is_first (h, __i__, 90));
  gst_harness_set_src_caps (h, caps);
  fail_unless (is_first (h, __i__, 50));
  fail_unless (!is_first (h, __i__, 90));
  harness_free (h);
}

GST_END_TEST

/* From a restart on, and from when it is switched on. */
GST_START_TEST (test_restart)
{
  GstHarness *h = room_harness (__i__, SMOOTHING);
  GstElement *element = gst_harness_find_element (h, "amphisto");
  Picture *picture = room_new (0);

  run_room (h, 0);
  fail_unless (!is_first (h, __i__, 90));
  g_object_set (element, "smoothing", 0.0, NULL);
  fail_unless (is_first (h, __i__, 10));
  g_object_set (element, "smoothing", SMOOTHING, NULL);
  fail_unless (is_first (h, __i__, 50));
  fail_unless (!is_first (h, __i__, 90));

  fail_unless_equals_int (gst_element_set_state (element, GST_STATE_READY),
      GST_STATE_CHANGE_SUCCESS);
  fail_unless_equals_int (gst_element_set_state (element, GST_STATE_PLAYING),
      GST_STATE_CHANGE_SUCCESS);
  harness_set_caps (h, picture);
  fail_unless (is_first (h, __i__, 50));
  gst_object_unref (element);
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

/* The mean, bin by bin, as the documentation has it. */
GST_START_TEST (test_exact)
{
  GstHarness *h = room_harness (GLOBAL, SMOOTHING);
  GstCaps *caps = video_caps ("GRAY8", WIDTH, HEIGHT, NULL);
  const gfloat renewal = 1.0f - (gfloat) SMOOTHING;
  gfloat mean[256];

  for (guint i = 0; i < 30; i++) {
    Picture *picture = room_new (i * 37 % 60);
    Picture *expected = picture_copy (picture);
    guint32 bins[256];
    GstBuffer *out;

    picture_count (picture, "luma", bins);
    for (guint v = 0; v < 256; v++) {
      const gfloat move = renewal * ((gfloat) bins[v] - mean[v]);

      mean[v] = i == 0 ? (gfloat) bins[v] : mean[v] + move;
      bins[v] = (guint32) rintf (mean[v]);
    }
    picture_equalize_by (expected, bins, FALSE, 1.0f);
    out = harness_run (h, picture_wrap (picture));
    assert_pixels (out, caps, expected);
    gst_buffer_unref (out);
    picture_free (expected);
    picture_free (picture);
  }
  gst_caps_unref (caps);
  harness_free (h);
}

GST_END_TEST

static Suite *
smoothing_suite (void)
{
  Suite *suite = suite_create ("smoothing");
  TCase *tc = tcase_create ("smoothing");

  suite_add_tcase (suite, tc);
  tcase_add_loop_test (tc, test_exposure_step, GLOBAL, CLAHE + 1);
  tcase_add_loop_test (tc, test_cut, GLOBAL, CLAHE + 1);
  tcase_add_loop_test (tc, test_flush, GLOBAL, CLAHE + 1);
  tcase_add_loop_test (tc, test_caps, GLOBAL, CLAHE + 1);
  tcase_add_loop_test (tc, test_restart, GLOBAL, CLAHE + 1);
  tcase_add_test (tc, test_exact);
  return suite;
}

int
main (int argc, char **argv)
{
  return run_suite (argc, argv, "smoothing", smoothing_suite);
}
