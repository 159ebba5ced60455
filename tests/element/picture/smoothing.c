/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Equalization by the temporal mean of the histograms follows changes of
 * exposure gradually, and scene cuts at once. What restarts the mean is in
 * flow/history.c.
 */

#include "harnesses.h"

#include <math.h>

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

/* CLAHE has one tile and no limit, so it spreads the whole picture, like global
 * equalization. */
static GstHarness *
smoothing_new (gint equalization, gdouble smoothing)
{
  g_autoptr (Picture) picture = room_new (0);

  return harness_new_for (picture, "equalization", equalization, "tiles-x", 1,
      "tiles-y", 1, "clip-limit", 0.0, "smoothing", smoothing, "verify", TRUE,
      NULL);
}

/* CLAHE's LUT does not begin at black. */
static void
equalize_by (Picture *picture, const guint32 bins[256], gint equalization)
{
  gdouble lut[256];
  guint32 sum = 0;

  if (equalization == AMPHISTO_EQUALIZATION_GLOBAL) {
    picture_equalize_by (picture, bins, 1.0f);
    return;
  }
  for (guint v = 0; v < 256; v++)
    lut[v] = rintf ((gfloat) (sum += bins[v]) * (255.0f / (WIDTH * HEIGHT)));
  for (guint y = 0; y < HEIGHT; y++)
    for (guint x = 0; x < WIDTH; x++) {
      guint8 *value = &picture_row (picture, 0, y)[x];

      *value = MIN (lut[*value], 255);
    }
}

/* The mean, bin by bin, as defined in the documentation. */
TEST (test_exact)
{
  const gfloat frame_weight = 1.0f - (gfloat) SMOOTHING;
  g_autoptr (Harness) h = smoothing_new (__i__, SMOOTHING);
  gfloat mean[256];

  for (guint i = 0; i < 30; i++) {
    g_autoptr (Picture) picture = room_new (i * 37 % 60);
    g_autoptr (Picture) expected = picture_copy (picture);
    guint32 bins[256];

    picture_count (picture, "luma", bins);
    for (guint v = 0; v < 256; v++) {
      const gfloat move = frame_weight * ((gfloat) bins[v] - mean[v]);

      mean[v] = i == 0 ? (gfloat) bins[v] : mean[v] + move;
      bins[v] = (guint32) rintf (mean[v]);
    }
    equalize_by (expected, bins, __i__);
    harness_change (h, picture, 0);
    fail_unless_same_picture (picture, expected, "frame %u", i);
  }
}

#define N_PIXELS (WIDTH * HEIGHT)

/* The first `n` pixels have one value, the rest of the first half the other,
 * and the second half is dark and bright. */
static Picture *
blocks_new (guint n, guint8 value, guint8 other)
{
  Picture *picture =
      picture_new ("GRAY8", WIDTH, HEIGHT, PICTURE_TIGHT, 40, 40, 1);

  for (guint i = 0; i < N_PIXELS; i++)
    if (i < n || i < N_PIXELS / 2 || i >= N_PIXELS / 4 * 3)
      picture_row (picture, 0, i / WIDTH)[i % WIDTH] = i < n ? value
          : i < N_PIXELS / 2                                 ? other
                                                             : 220;
  return picture;
}

/* The first pixels of the second frame move. 32 levels on average are no cut
 * yet. Stretching shows it only of flat frames. */
static const struct
{
  guint n_moved;
  guint8 from, to;
  gboolean is_cut;
} cuts[] = {
  { N_PIXELS, 100, 68, FALSE },
  { N_PIXELS, 100, 67, TRUE },
  { N_PIXELS / 4, 60, 188, FALSE },
  { N_PIXELS / 4 + 1, 60, 188, TRUE },
  { N_PIXELS / 4, 188, 60, FALSE },
  { N_PIXELS / 4 + 1, 188, 60, TRUE },
};

/* At a cut, the LUT is the frame's own immediately; otherwise it is the mean's.
 */
TEST (test_cut)
{
  const guint n =
      __i__ == AMPHISTO_EQUALIZATION_STRETCH ? 2 : G_N_ELEMENTS (cuts);

  for (guint i = 0; i < n; i++) {
    const gboolean is_flat = cuts[i].n_moved == N_PIXELS;
    g_autoptr (Picture) first =
        blocks_new (is_flat ? N_PIXELS : 0, cuts[i].from, cuts[i].from);
    g_autoptr (Picture) picture =
        blocks_new (cuts[i].n_moved, cuts[i].to, cuts[i].from);
    g_autoptr (Picture) alone = picture_copy (picture);
    g_autoptr (Harness) with = smoothing_new (__i__, 0.5);
    g_autoptr (Harness) without = smoothing_new (__i__, 0.0);

    harness_change (with, first, 0);
    harness_change (with, picture, 1);
    harness_change (without, alone, 0);
    fail_unless (picture_equal (picture, alone) == cuts[i].is_cut,
        "%u pixels from %u to %u", cuts[i].n_moved, cuts[i].from, cuts[i].to);
  }
}

const ElementTest element_tests[] = {
  RANGE (test_exact, AMPHISTO_EQUALIZATION_GLOBAL, AMPHISTO_EQUALIZATION_MATCH),
  RANGE (test_cut, AMPHISTO_EQUALIZATION_GLOBAL, AMPHISTO_EQUALIZATION_MATCH),
  RANGE (test_cut, AMPHISTO_EQUALIZATION_STRETCH,
      AMPHISTO_EQUALIZATION_STRETCH + 1),
  { 0 }
};
