/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Equalization by the temporal mean of the histograms follows changes of
 * exposure gradually, and scene cuts at once. What restarts the mean is in
 * flow/history.c.
 */

#include "harnesses.h"

#include <math.h>
#include <string.h>

#define SMOOTHING 0.9 /* README's value */

#define WIDTH 64
#define HEIGHT 48
/* Columns with changing exposure: a quarter of the picture. */
#define WINDOW 16
#define N_PIXELS (WIDTH * HEIGHT)

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

/* The area between the cumulative histograms, in levels. */
static gfloat
distance (const guint32 a[256], const guint32 b[256])
{
  guint64 area = 0;
  gint64 ahead = 0;

  for (guint v = 0; v < 256; v++) {
    ahead += (gint64) a[v] - b[v];
    area += (guint64) ABS (ahead);
  }
  return (gfloat) area / (gfloat) N_PIXELS;
}

/* The weight of a frame in the mean; see the documentation. */
static gfloat
weight_of (const guint32 bins[256], const gfloat mean[256])
{
  const gfloat least = 1.0f - (gfloat) SMOOTHING;
  guint32 rounded[256];
  gfloat more;

  for (guint v = 0; v < 256; v++)
    rounded[v] = (guint32) rintf (mean[v]);
  more = CLAMP ((distance (bins, rounded) - 16) / 64, 0, 1);
  more *= 1 - least;
  return least + more;
}

/* The mean, bin by bin, as defined in the documentation: of frames that differ
 * by up to 15 levels, with a cut of 40 after every third one. */
TEST (test_exact)
{
  g_autoptr (Harness) h = smoothing_new (__i__, SMOOTHING);
  guint32 previous[256] = { 0 };
  guint n_cuts = 0, n_late = 0;
  gfloat mean[256] = { 0 };

  for (guint i = 0; i < 30; i++) {
    g_autoptr (Picture) picture = room_new (i * 60 % 220);
    g_autoptr (Picture) expected = picture_copy (picture);
    guint32 bins[256];
    gboolean is_cut;
    gfloat weight;

    picture_count (picture, "luma", bins);
    is_cut = i == 0 || distance (bins, previous) > 32;
    weight = weight_of (bins, mean);
    n_cuts += is_cut;
    n_late += weight > 0.11f && !is_cut;
    memcpy (previous, bins, sizeof previous);
    for (guint v = 0; v < 256; v++) {
      const gfloat move = weight * ((gfloat) bins[v] - mean[v]);

      mean[v] = is_cut ? (gfloat) bins[v] : mean[v] + move;
      bins[v] = (guint32) rintf (mean[v]);
    }
    equalize_by (expected, bins, __i__);
    harness_change (h, picture, 0);
    fail_unless_same_picture (picture, expected, "frame %u", i);
  }
  fail_unless (n_cuts > 5 && n_late > 5,
      "%u cuts, %u frames that the mean lags behind", n_cuts, n_late);
}

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

/* --- fades, and locked levels --- */

/* A second of a fade to black, without the black frame. */
#define N_FADED 25
/* Levels by which luma's mean may change from frame to frame; unsmoothed, it
 * changes by up to 5. */
#define MAX_STEP 20

/* 60 to 217, at `light` of N_FADED. */
static Picture *
gradient_new (guint light)
{
  Picture *picture =
      picture_new ("GRAY8", WIDTH, HEIGHT, PICTURE_TIGHT, 0, 255, 1);

  for (guint y = 0; y < HEIGHT; y++)
    for (guint x = 0; x < WIDTH; x++)
      picture_row (picture, 0, y)[x] = (60 + x + 2 * y) * light / N_FADED;
  return picture;
}

static gdouble
mean_luma (const Picture *picture)
{
  guint32 bins[256];
  gdouble sum = 0;

  picture_count (picture, "luma", bins);
  for (guint v = 0; v < 256; v++)
    sum += (gdouble) bins[v] * v;
  return sum / N_PIXELS;
}

/* Smoothed equalization by the histogram of the unfaded picture, for matching.
 */
static GstHarness *
fade_new (gint equalization, gdouble smoothing)
{
  g_autoptr (Picture) picture = gradient_new (N_FADED);
  GstHarness *h = smoothing_new (equalization, smoothing);
  guint32 bins[256];

  picture_count (picture, "luma", bins);
  g_autoptr (GBytes) reference = g_bytes_new (bins, sizeof bins);
  g_object_set (h->element, "reference", reference, NULL);
  return h;
}

/* A mean that lags behind a fade catches up, and does not restart: that would
 * be a flash. */
TEST (test_fade)
{
  g_autoptr (Harness) h = fade_new (__i__, SMOOTHING);
  gdouble last = -1;

  for (guint i = 0; i < N_FADED; i++) {
    g_autoptr (Picture) picture = gradient_new (N_FADED - i);
    gdouble mean;

    harness_change (h, picture, i);
    mean = mean_luma (picture);
    fail_unless (last < 0 || fabs (mean - last) <= MAX_STEP,
        "frame %u: luma's mean is %.0f after %.0f", i, mean, last);
    last = mean;
  }
}

/* With smoothing=1, the LUT stays, also at cuts and far from the mean. A frame
 * like the one before is no cut afterwards. */
TEST (test_locked)
{
  g_autoptr (Harness) h = fade_new (__i__, SMOOTHING);
  g_autoptr (Harness) new = fade_new (__i__, SMOOTHING);
  g_autoptr (Picture) bright = gradient_new (N_FADED);
  g_autoptr (Picture) bright_again = picture_copy (bright);
  g_autoptr (Picture) dark = gradient_new (15);
  g_autoptr (Picture) dark_again = picture_copy (dark);
  g_autoptr (Picture) unlocked = picture_copy (dark);
  g_autoptr (Picture) alone = picture_copy (dark);

  harness_change (h, bright, 0);
  g_object_set (h->element, "smoothing", 1.0, NULL);
  harness_change (h, dark, 1);
  fail_unless (mean_luma (dark) < 100, "dark: %.0f", mean_luma (dark));
  harness_change (h, bright_again, 2);
  fail_unless_same_picture (bright_again, bright, "after a dark frame");
  harness_change (h, dark_again, 3);
  fail_unless_same_picture (dark_again, dark, "after a bright frame");

  g_object_set (h->element, "smoothing", SMOOTHING, NULL);
  harness_change (h, unlocked, 4);
  harness_change (new, alone, 0);
  fail_if (picture_equal (unlocked, alone), "a cut after a frame alike");
  fail_if (picture_equal (unlocked, dark), "the levels are still locked");
}

const ElementTest element_tests[] = {
  RANGE (test_exact, AMPHISTO_EQUALIZATION_GLOBAL, AMPHISTO_EQUALIZATION_MATCH),
  RANGE (test_cut, AMPHISTO_EQUALIZATION_GLOBAL, AMPHISTO_EQUALIZATION_MATCH),
  RANGE (test_cut, AMPHISTO_EQUALIZATION_STRETCH,
      AMPHISTO_EQUALIZATION_STRETCH + 1),
  RANGE (test_fade, AMPHISTO_EQUALIZATION_GLOBAL,
      AMPHISTO_EQUALIZATION_STRETCH + 1),
  RANGE (test_locked, AMPHISTO_EQUALIZATION_GLOBAL,
      AMPHISTO_EQUALIZATION_STRETCH + 1),
  { 0 }
};
