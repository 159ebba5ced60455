/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Equalization by the temporal mean of the histograms follows changes of
 * exposure gradually, and scene cuts at once. What restarts the mean is in
 * flow/history.c.
 */

#include "harnesses.h"

#include <math.h>
#include <string.h>

#define SMOOTHING 0.9

#define WIDTH 64
#define HEIGHT 48
/* Columns with changing exposure: a quarter of the picture. */
#define WINDOW 16

/* A room with a window. With little `light` (in levels), the window is darker
 * than the room, with much light it is brighter. */
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

/* The room's mean level, without the window. */
static gdouble
room_level (const Picture *picture)
{
  gdouble sum = 0;

  for (guint y = 0; y < HEIGHT; y++)
    for (guint x = 0; x < WIDTH - WINDOW; x++)
      sum += picture_row (picture, 0, y)[x];
  return sum / (HEIGHT * (WIDTH - WINDOW));
}

/* The room's level in the next frame, equalized. */
static gdouble
run_room (GstHarness *h, guint light)
{
  g_autoptr (Picture) picture = room_new (light);

  harness_change (h, picture, 0);
  return room_level (picture);
}

/* CLAHE has one tile and no limit, so it spreads the whole picture, like global
 * equalization. */
static GstHarness *
room_harness (gint equalization, gdouble smoothing)
{
  g_autoptr (Picture) picture = room_new (0);

  return harness_new_for (picture, "equalization", equalization, "tiles-x", 1,
      "tiles-y", 1, "clip-limit", 0.0, "smoothing", smoothing, "verify", TRUE,
      NULL);
}

/* The change of a room's level when its window lights up: the largest from one
 * frame to the next, and the total. The room's own samples stay. */
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

/* Without smoothing, the room's level jumps. With it, the level arrives at the
 * same value, in changes of less than a fifth of the jump. */
TEST (test_exposure_step)
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

/* A cut is a mean distance of more than 32 levels. 51 levels in a quarter of
 * the picture are 13, which is no cut; 150 are 38. */
TEST (test_cut)
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

/* The mean, bin by bin, as defined in the documentation. */
TEST (test_exact)
{
  const gfloat renewal = 1.0f - (gfloat) SMOOTHING;
  g_autoptr (Harness) h = room_harness (EQUALIZATION_GLOBAL, SMOOTHING);
  gfloat mean[256];

  for (guint i = 0; i < 30; i++) {
    g_autoptr (Picture) picture = room_new (i * 37 % 60);
    g_autoptr (Picture) expected = picture_copy (picture);
    guint32 bins[256];

    picture_count (picture, "luma", bins);
    for (guint v = 0; v < 256; v++) {
      const gfloat move = renewal * ((gfloat) bins[v] - mean[v]);

      mean[v] = i == 0 ? (gfloat) bins[v] : mean[v] + move;
      bins[v] = (guint32) rintf (mean[v]);
    }
    picture_equalize_by (expected, bins, 1.0f);
    harness_change (h, picture, 0);
    fail_unless (picture_equal (picture, expected), "frame %u", i);
  }
}

/* The first `n` pixels have one value, the others another. */
static Picture *
two_valued (guint n, guint8 value, guint8 other)
{
  Picture *picture =
      picture_new ("GRAY8", WIDTH, HEIGHT, PICTURE_TIGHT, other, other, 1);

  for (guint i = 0; i < n; i++)
    picture_row (picture, 0, i / WIDTH)[i % WIDTH] = value;
  return picture;
}

/* After frames of value 100: the number of pixels that move, and their
 * distance. 32 levels on average are no cut yet. */
static const struct
{
  guint n_moved;
  gint levels;
  gboolean is_cut;
} cuts[] = {
  { WIDTH * HEIGHT, 32, FALSE },
  { WIDTH * HEIGHT, 33, TRUE },
  { WIDTH * HEIGHT, -32, FALSE },
  { WIDTH * HEIGHT, -33, TRUE },
  { WIDTH * HEIGHT / 2, 64, FALSE },
  { WIDTH * HEIGHT / 2 + 1, 64, TRUE },
  { WIDTH * HEIGHT / 2, -64, FALSE },
  { WIDTH * HEIGHT / 2 + 1, -64, TRUE },
};

/* At a cut, the LUT is the frame's own immediately; otherwise it is the mean's.
 */
TEST (test_threshold)
{
  g_autoptr (Picture) first = two_valued (0, 0, 100);
  g_autoptr (Picture) picture =
      two_valued (cuts[__i__].n_moved, 100 + cuts[__i__].levels, 100);
  g_autoptr (Picture) expected = picture_copy (picture);
  g_autoptr (Harness) h = room_harness (EQUALIZATION_GLOBAL, 0.5);
  guint32 bins[256];

  picture_count (picture, "luma", bins);
  if (!cuts[__i__].is_cut) {
    for (guint v = 0; v < 256; v++)
      bins[v] =
          (guint32) rintf (0.5f * (bins[v] + (v == 100 ? WIDTH * HEIGHT : 0)));
  }
  picture_equalize_by (expected, bins, 1.0f);
  harness_change (h, first, 0);
  harness_change (h, picture, 1);
  fail_unless (picture_equal (picture, expected));
}

const ElementTest element_tests[] = {
  RANGE (test_exposure_step, EQUALIZATION_GLOBAL, EQUALIZATION_MATCH),
  RANGE (test_cut, EQUALIZATION_GLOBAL, EQUALIZATION_MATCH),
  RANGE (test_cut, EQUALIZATION_STRETCH, EQUALIZATION_STRETCH + 1),
  ONCE (test_exact), EACH (test_threshold, cuts), { NULL }
};
