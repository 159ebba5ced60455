/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Equalization by the temporal mean of the histograms follows changes of
 * exposure gradually, and scene cuts at once.
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

/* Whether the frame is equalized like the first frame of a stream. */
static gboolean
is_first (GstHarness *h, gint equalization, guint light)
{
  GstHarness *other = room_harness (equalization, 0.0);
  const gboolean is_equal = run_room (h, light) == run_room (other, light);

  harness_free (other);
  return is_equal;
}

/* A flush restarts the mean. */
TEST (test_flush)
{
  GstHarness *h = room_harness (__i__, SMOOTHING);

  run_room (h, 0);
  fail_unless (!is_first (h, __i__, 90));
  harness_flush (h);
  fail_unless (is_first (h, __i__, 50));
  fail_unless (!is_first (h, __i__, 90));
  harness_free (h);
}

/* New caps restart the mean, even if only the colorimetry is new. */
TEST (test_caps)
{
  g_autoptr (Picture) picture = room_new (0);
  GstHarness *h = room_harness (__i__, SMOOTHING);

  run_room (h, 0);
  fail_unless (!is_first (h, __i__, 90));
  harness_set_colorimetry (h, picture, "bt709");
  fail_unless (is_first (h, __i__, 50));
  fail_unless (!is_first (h, __i__, 90));
  harness_free (h);
}

/* Smoothing restarts the mean when it is enabled, and so does a restart. */
TEST (test_restart)
{
  g_autoptr (Picture) picture = room_new (0);
  GstHarness *h = room_harness (__i__, SMOOTHING);

  run_room (h, 0);
  fail_unless (!is_first (h, __i__, 90));
  g_object_set (h->element, "smoothing", 0.0, NULL);
  fail_unless (is_first (h, __i__, 10));
  g_object_set (h->element, "smoothing", SMOOTHING, NULL);
  fail_unless (is_first (h, __i__, 50));
  fail_unless (!is_first (h, __i__, 90));

  element_set_state (h->element, GST_STATE_READY);
  harness_restart (h, picture);
  fail_unless (is_first (h, __i__, 50));
  harness_free (h);
}

/* Settings that no frame has do not restart the mean: those of a gap without a
 * frame. */
TEST (test_gap)
{
  GstHarness *h = room_harness (EQUALIZATION_GLOBAL, SMOOTHING);
  GstBuffer *gap = gst_buffer_new ();

  run_room (h, 0);
  g_object_set (h->element, "smoothing", 0.0, "roi-x", 5, NULL);
  GST_BUFFER_FLAG_SET (gap, GST_BUFFER_FLAG_GAP);
  harness_pass (h, gap);
  g_object_set (h->element, "smoothing", SMOOTHING, "roi-x", 0, NULL);
  fail_unless (!is_first (h, EQUALIZATION_GLOBAL, 90));
  harness_free (h);
}

/* A frame with a level near `level`, too close to others for a cut. */
static Picture *
dim_new (guint level)
{
  return picture_new (
      "GRAY8", WIDTH, HEIGHT, PICTURE_TIGHT, level, level + 40, level);
}

/* Whether the element equalizes the frame like a new one without smoothing,
 * with the same properties. */
static gboolean
is_as_new (GstHarness *h, guint level, const gchar *first_property, ...)
{
  g_autoptr (Picture) picture = dim_new (level);
  g_autoptr (Picture) expected = picture_copy (picture);
  GstHarness *other = harness_new_for (picture, NULL, NULL);
  va_list args;

  va_start (args, first_property);
  g_object_set_valist (G_OBJECT (other->element), first_property, args);
  va_end (args);
  harness_change (other, expected, 0);
  harness_free (other);
  harness_change (h, picture, 0);
  return picture_equal (picture, expected);
}

static const struct
{
  guint x, width, next_x, next_width; /* width 0: to the edge, 64 */
  gboolean restarts;
} moves[] = {
  { 3, 40, 3, 39, TRUE },
  { 3, 40, 9, 40, FALSE },
  { 3, 0, 4, 0, TRUE },
  { 20, 44, 21, 44, TRUE },
  { 3, 0, 3, 61, FALSE },
};

/* The mean restarts if the region's clipped size changes, not if it moves. */
TEST (test_region)
{
  g_autoptr (Picture) before = dim_new (60);
  GstHarness *h = harness_new_for (before, "equalization", EQUALIZATION_GLOBAL,
      "smoothing", SMOOTHING, "roi-x", moves[__i__].x, "roi-width",
      moves[__i__].width, NULL);

  harness_pass (h, picture_wrap (before));
  g_object_set (h->element, "roi-x", moves[__i__].next_x, "roi-width",
      moves[__i__].next_width, NULL);
  fail_unless_equals_int (
      is_as_new (h, 70, "equalization", EQUALIZATION_GLOBAL, "roi-x",
          moves[__i__].next_x, "roi-width", moves[__i__].next_width, NULL),
      moves[__i__].restarts);
  fail_unless (!is_as_new (h, 80, "equalization", EQUALIZATION_GLOBAL, "roi-x",
      moves[__i__].next_x, "roi-width", moves[__i__].next_width, NULL));
  harness_free (h);
}

/* After a flush, a frame that is not equalized leaves the restart of the mean
 * to the next frame: without a reference (0), outside the region (1). */
TEST (test_restart_left)
{
  const gint equalization =
      __i__ == 0 ? EQUALIZATION_MATCH : EQUALIZATION_GLOBAL;
  g_autoptr (Picture) before = dim_new (60);
  g_autoptr (Picture) second = dim_new (60);
  g_autoptr (GBytes) reference = NULL;
  GstHarness *h;
  guint32 bins[256];

  for (guint v = 0; v < 256; v++)
    bins[v] = 1 + v;
  reference = g_bytes_new (bins, sizeof bins);
  h = harness_new_for (before, "equalization", equalization, "smoothing",
      SMOOTHING, "reference", reference, NULL);
  harness_pass (h, picture_wrap (before));
  harness_flush (h);
  if (__i__ == 0)
    g_object_set (h->element, "reference", NULL, NULL);
  else
    g_object_set (h->element, "roi-y", HEIGHT, NULL);
  harness_pass (h, picture_wrap (second));
  drop_refused (h->element, __i__ == 0 ? "no reference" : "outside");
  g_object_set (h->element, "reference", reference, "roi-y", 0, NULL);
  fail_unless (is_as_new (
      h, 70, "equalization", equalization, "reference", reference, NULL));
  fail_unless (!is_as_new (
      h, 80, "equalization", equalization, "reference", reference, NULL));
  harness_free (h);
}

/* The mean, bin by bin, as defined in the documentation. */
TEST (test_exact)
{
  const gfloat renewal = 1.0f - (gfloat) SMOOTHING;
  GstHarness *h = room_harness (EQUALIZATION_GLOBAL, SMOOTHING);
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
  harness_free (h);
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
  GstHarness *h = room_harness (EQUALIZATION_GLOBAL, 0.5);
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
  harness_free (h);
}

const ElementTest element_tests[] = {
  RANGE (test_exposure_step, EQUALIZATION_GLOBAL, EQUALIZATION_MATCH),
  RANGE (test_cut, EQUALIZATION_GLOBAL, EQUALIZATION_MATCH),
  RANGE (test_flush, EQUALIZATION_GLOBAL, EQUALIZATION_MATCH),
  RANGE (test_caps, EQUALIZATION_GLOBAL, EQUALIZATION_MATCH),
  RANGE (test_restart, EQUALIZATION_GLOBAL, EQUALIZATION_MATCH),
  RANGE (test_cut, EQUALIZATION_STRETCH, EQUALIZATION_STRETCH + 1),
  RANGE (test_flush, EQUALIZATION_STRETCH, EQUALIZATION_STRETCH + 1),
  RANGE (test_restart, EQUALIZATION_STRETCH, EQUALIZATION_STRETCH + 1),
  ONCE (test_gap), EACH (test_region, moves), TIMES (test_restart_left, 2),
  ONCE (test_exact), EACH (test_threshold, cuts), { NULL }
};
