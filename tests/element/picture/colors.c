/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * keep-colors: colours of pictures that gain contrast, against the tests' own
 * model, and pixel by pixel.
 */

#include "harnesses.h"

#include <math.h>
#include <string.h>

/* --- formats and regions --- */

/* How the rows of a stream belong to fields. */
typedef enum
{
  PROGRESSIVE,
  MIXED, /* a progressive frame of a stream that may be interlaced */
  INTERLEAVED,
  N_MODES
} Mode;

static void
set_mode (Harness *h, Picture *picture, Mode mode)
{
  static const gchar *const modes[] = { "progressive", "mixed", "interleaved" };
  g_autofree gchar *fields = g_strdup_printf ("interlace-mode=%s", modes[mode]);

  picture->has_fields = mode != PROGRESSIVE;
  picture->is_interlaced = mode == INTERLEAVED;
  harness_set_fields (h, picture, fields);
}

/* A dull picture and a region of it, all of it at first. */
static Picture *
random_picture (Harness *h, guint format, guint i, GRand *random)
{
  Picture *picture = picture_new (picture_formats[format].name,
      g_rand_int_range (random, 1, 70), g_rand_int_range (random, 1, 40),
      i % PICTURE_N_SHAPES, 90, 160, i + 1);
  const guint x = i < 6 ? 0 : g_rand_int_range (random, 0, picture->width);
  const guint y = i < 6 ? 0 : g_rand_int_range (random, 0, picture->height);

  picture_set_part (picture, x, y,
      i < 6 ? picture->width
            : (guint) g_rand_int_range (random, 1, picture->width - x + 1),
      i < 6 ? picture->height
            : (guint) g_rand_int_range (random, 1, picture->height - y + 1));
  g_object_set (h->element, "roi-x", x, "roi-y", y, "roi-width",
      picture->part_width, "roi-height", picture->part_height, NULL);
  set_mode (h, picture, i % N_MODES);
  return picture;
}

TEST (test_format)
{
  static const gdouble clipped[][2] = { { 0, 0 }, { 0.5, 7 }, { 10, 0 },
    { 0, 33.3 }, { 20, 20 } };
  g_autoptr (GRand) random = g_rand_new_with_seed (__i__);
  g_autoptr (Harness) h = harness_new ("verify", TRUE, "qos", FALSE, NULL);

  for (guint i = 0; i < 24; i++) {
    g_autoptr (Picture) picture = random_picture (h, __i__, i, random);
    g_autoptr (Picture) expected = NULL;
    const gboolean stretches = i / 3 & 1;
    const gdouble *percents = clipped[i % G_N_ELEMENTS (clipped)];
    const gfloat strength = i % 4 == 3 ? 0.6f : 1.0f;

    picture->keeps_colors = i % 5 != 4;
    expected = picture_copy (picture);
    if (stretches)
      picture_stretch (expected, percents[0], percents[1], strength);
    else
      picture_equalize (expected, strength);
    g_object_set (h->element, "equalization",
        stretches ? AMPHISTO_EQUALIZATION_STRETCH
                  : AMPHISTO_EQUALIZATION_GLOBAL,
        "stretch-low", percents[0], "stretch-high", percents[1], "strength",
        strength, "keep-colors", picture->keeps_colors, NULL);
    harness_change (h, picture, i);
    fail_unless_same_picture (picture, expected,
        "%s %ux%u, part %u %u %ux%u, mode %u, keeps colours %d",
        picture->format->name, picture->width, picture->height, picture->part_x,
        picture->part_y, picture->part_width, picture->part_height, i % N_MODES,
        picture->keeps_colors);
  }
}

/* Chroma moves away from grey by the gain of luma: here about 255 / 70, in full
 * range. Few pixels are so dark or so bright that this would clip them. */
TEST (test_more_colour)
{
  g_autoptr (Picture) picture =
      picture_new ("Y444", 64, 48, PICTURE_TIGHT, 120, 136, 1);
  g_autoptr (Picture) before = picture_copy (picture);
  g_autoptr (Harness) h =
      harness_new ("equalization", AMPHISTO_EQUALIZATION_STRETCH, "stretch-low",
          0.0, "stretch-high", 0.0, NULL);

  picture_row (picture, 0, 0)[0] = 90;
  picture_row (picture, 0, 0)[1] = 160;
  harness_set_colorimetry (h, picture, "1:4:0:0");
  harness_change (h, picture, 0);
  for (guint plane = 1; plane < 3; plane++)
    for (guint x = 0; x < 64; x++) {
      const gdouble was = picture_row (before, plane, 7)[x] - 128.0;
      const gdouble is = picture_row (picture, plane, 7)[x] - 128.0;

      fail_unless (fabs (is - CLAMP (was * 255 / 70, -128, 127)) < 1);
    }
}

/* --- smoothing --- */

/* Two pixels that become brighter with each frame: in the eighth, all bins of
 * the mean are rounded to 0, and the frame stays. Then the mean restarts. */
TEST (test_empty_mean)
{
  static const gint equalizations[] = { AMPHISTO_EQUALIZATION_GLOBAL,
    AMPHISTO_EQUALIZATION_STRETCH, AMPHISTO_EQUALIZATION_CLAHE };
  g_autoptr (Harness) h =
      harness_new ("equalization", equalizations[__i__], "tiles-x", 1,
          "tiles-y", 1, "smoothing", 0.9, "verify", TRUE, "qos", FALSE, NULL);

  for (guint n = 0; n < 12; n++) {
    g_autoptr (Picture) picture =
        picture_new ("Y444", 2, 1, PICTURE_TIGHT, 110, 115, 1);
    g_autoptr (Picture) before = NULL;

    picture_row (picture, 0, 0)[0] = 100 + n;
    picture_row (picture, 0, 0)[1] = 120 + n;
    before = picture_copy (picture);
    harness_set_caps (h, picture);
    harness_change (h, picture, n);
    fail_unless_equals_int (
        picture_row (picture, 1, 0)[0] == picture_row (before, 1, 0)[0],
        n == 7);
  }
}

/* --- CLAHE --- */

/* Tiles of the test's picture: 2 by 2, of 32 by 24 pixels, without a limit. */
enum
{
  N_TILES = 4,
  TILE_WIDTH = 32,
  TILE_HEIGHT = 24
};

typedef struct
{
  gfloat strength;
  guint32 bins[N_TILES][256];
  gint luts[N_TILES][256];    /* of full strength */
  gint applied[N_TILES][256]; /* as they are applied */
} Tiles;

static gint
move (gfloat strength, gint from, gint to)
{
  return (gint) rintf (from + strength * (to - from));
}

static void
make_tile (const Picture *picture, guint tile, Tiles *tiles)
{
  g_autoptr (Picture) part = picture_copy (picture);
  guint32 sum = 0;

  picture_set_part (part, tile % 2 * TILE_WIDTH, tile / 2 * TILE_HEIGHT,
      TILE_WIDTH, TILE_HEIGHT);
  picture_count (part, "luma", tiles->bins[tile]);
  for (gint i = 0; i < 256; i++) {
    sum += tiles->bins[tile][i];
    tiles->luts[tile][i] = 16
        + (gint) rintf ((gfloat) sum * (219.0f / (TILE_WIDTH * TILE_HEIGHT)));
    tiles->applied[tile][i] = move (tiles->strength, i, tiles->luts[tile][i]);
  }
}

/* The weight of the second of two tiles. */
static gdouble
weigh_second (guint pixel, guint size)
{
  return CLAMP ((gdouble) pixel / size - 0.5, 0, 1);
}

/* Luma of a pixel between the tiles' centres. */
static gint
equalize (guint x, guint y, gint luma, gconstpointer data)
{
  const Tiles *tiles = data;
  const gdouble right = weigh_second (x, TILE_WIDTH);
  const gdouble lower = weigh_second (y, TILE_HEIGHT);
  gdouble value = 0;

  for (guint t = 0; t < N_TILES; t++)
    value += tiles->luts[t][luma] * (t % 2 ? right : 1 - right)
        * (t / 2 ? lower : 1 - lower);
  return move (tiles->strength, luma, (gint) rint (value));
}

/* One gain for all tiles, and one budget. Dull colours leave that of luma,
 * others do not. */
TEST (test_tiles)
{
  static const gchar *const formats[] = { "Y444", "NV12", "YUY2", "v308" };
  const gboolean is_dull = __i__ / 4;
  Tiles tiles = { .strength = __i__ % 4 == 1 ? 0.6f : 1.0f };
  gint gain, budget;
  g_autoptr (Picture) picture =
      picture_new (formats[__i__ % 4], 64, 48, PICTURE_PADDED, 90, 160, 1);
  g_autoptr (Picture) expected = NULL;
  g_autoptr (Harness) h = harness_new_for (picture, "equalization",
      AMPHISTO_EQUALIZATION_CLAHE, "tiles-x", 2, "tiles-y", 2, "clip-limit",
      0.0, "strength", tiles.strength, "verify", TRUE, NULL);

  /* tiles of different brightness */
  picture_set_part (picture, 0, 0, TILE_WIDTH, TILE_HEIGHT);
  picture_fill (picture, "luma", 130);
  picture_set_part (picture, 0, 0, 64, 48);
  if (is_dull) {
    picture_fill (picture, "u", 129);
    picture_fill (picture, "v", 128);
  }
  expected = picture_copy (picture);
  for (guint t = 0; t < N_TILES; t++)
    make_tile (picture, t, &tiles);
  gain = picture_find_gain (N_TILES, (const guint32 (*)[256]) tiles.bins,
      (const gint (*)[256]) tiles.applied);
  budget = picture_find_budget (picture, picture_bt709, equalize, &tiles);
  fail_unless_equals_int (budget >= gain, is_dull);
  picture_scale_chroma (expected, MIN (gain, budget));
  harness_change (h, picture, 0);
  for (guint c = 0; c < 2; c++) {
    guint32 counts[2][256];

    picture_count (picture, c ? "v" : "u", counts[0]);
    picture_count (expected, c ? "v" : "u", counts[1]);
    fail_unless (memcmp (counts[0], counts[1], sizeof counts[0]) == 0);
  }
}

const ElementTest element_tests[] = { FORMATS (test_format),
  ONCE (test_more_colour), TIMES (test_empty_mean, 3), TIMES (test_tiles, 8),
  { 0 } };
