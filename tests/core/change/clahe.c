/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Tiles, their LUTs and the interpolation between them, against cases worked
 * out by hand. The test cvclahe compares whole pictures with OpenCV.
 */

#include "core/change/clahe.h"
#include "core/measure/statistics.h"
#include "layouts.h"
#include "suite.h"

#include <float.h>
#include <string.h>

static clahe_params
make_params (const AmphistoLayout *layout, uint32_t tiles_x, uint32_t tiles_y,
    double clip)
{
  const AmphistoClahe clahe = { tiles_x, tiles_y, clip };
  clahe_params params;

  amphisto_clahe_fill_params (&clahe, layout, &params);
  return params;
}

/* All tiles have the same size, and they cover the picture. */
static void
test_tiles (void)
{
  static const struct
  {
    uint32_t width, height, tiles_x, tiles_y;
    uint32_t tile_width, tile_height;
  } cases[] = { { 16, 8, 4, 2, 4, 4 }, { 1920, 1080, 8, 8, 240, 135 },
    /* if one side is not a multiple of its number of tiles, both are extended
     */
    { 17, 8, 4, 2, 5, 5 }, { 16, 9, 4, 2, 5, 5 }, { 1, 1, 64, 64, 1, 1 },
    { 100, 1, 64, 3, 2, 1 }, { 7, 7, 1, 1, 7, 7 } };

  for (gsize i = 0; IS_ROW (cases, i); i++) {
    const AmphistoLayout layout = grey_layout (cases[i].width, cases[i].height);
    const clahe_params params =
        make_params (&layout, cases[i].tiles_x, cases[i].tiles_y, 40);

    g_assert_cmpuint (params.tile_width, ==, cases[i].tile_width);
    g_assert_cmpuint (params.tile_height, ==, cases[i].tile_height);
    g_assert_cmpuint (amphisto_clahe_n_tiles (&params), ==,
        cases[i].tiles_x * cases[i].tiles_y);
  }
}

/* 32 x 16 pixels per tile: two for each value of a flat histogram. */
static void
test_limit (void)
{
  static const struct
  {
    double clip;
    uint32_t limit;
  } cases[] = { { 0, 512 }, { 1, 2 }, { 0.1, 1 }, { 2.4, 4 }, { 2.5, 5 },
    { 40, 80 }, { 256, 512 }, { DBL_MAX, 512 } };
  const AmphistoLayout layout = grey_layout (64, 32);

  for (gsize i = 0; IS_ROW (cases, i); i++)
    g_assert_cmpuint (
        make_params (&layout, 2, 2, cases[i].clip).limit, ==, cases[i].limit);
}

/* Counts a row of pixels in a row of tiles. */
static void
count_row (uint8_t *pixels, uint32_t width, uint32_t tiles_x,
    uint32_t bins[][AMPHISTO_N_BINS])
{
  const AmphistoLayout layout = grey_layout (width, 1);
  const AmphistoFrame frame = frame_in (&layout, pixels, 0);
  const clahe_params params = make_params (&layout, tiles_x, 1, 0);

  amphisto_clahe_count (&frame, &params, bins);
  for (uint32_t t = 0; t < tiles_x; t++)
    g_assert_cmpuint (amphisto_histogram_samples (bins[t]), ==,
        params.tile_width * params.tile_height);
}

/* Beyond its edges, the picture is mirrored, repeatedly if necessary. */
static void
test_mirror (void)
{
  uint8_t three[] = { 10, 20, 30 }, two[] = { 40, 50 }, one[] = { 60 };
  uint32_t bins[7][AMPHISTO_N_BINS];

  /* 10 20 | 30 20, and a second row like it */
  count_row (three, 3, 2, bins);
  g_assert_cmpuint (bins[0][10], ==, 2);
  g_assert_cmpuint (bins[0][20], ==, 2);
  g_assert_cmpuint (bins[1][30], ==, 2);
  g_assert_cmpuint (bins[1][20], ==, 2);
  /* 40 | 50 | 40 | 50 | ... */
  count_row (two, 2, 7, bins);
  for (unsigned t = 0; t < 7; t++)
    g_assert_cmpuint (bins[t][two[t % 2]], ==, 2);
  count_row (one, 1, 7, bins);
  for (unsigned t = 0; t < 7; t++)
    g_assert_cmpuint (bins[t][60], ==, 2);
}

/* The distribution of the samples beyond the limit, and the resulting LUT, of a
 * square tile. */
static void
test_luts (void)
{
  static const struct
  {
    uint32_t side;
    double clip;
    uint32_t bins[1][AMPHISTO_N_BINS];
    bool is_limited;
    uint8_t points[4][2]; /* values, and what they become */
  } cases[] = {
    /* no limit */
    { 4, 0, { { [100] = 16 } }, false, { { 99, 0 }, { 100, 255 } } },
    /* 1 stays, 15 go to 0, 17, 34, ..., six of them up to 85 */
    { 4, 1, { { [100] = 16 } }, false, { { 99, 96 }, { 100, 112 } } },
    /* 2 stay, 14 go to 0, 18, 36, ...: six and two times 255 / 16, 127.5 */
    { 4, 40, { { [100] = 16 } }, false, { { 99, 96 }, { 100, 128 } } },
    /* More samples are cut off than there are bins. 4 of 1024 samples stay;
     * each bin gets 3, and the remaining 252 go to the first 252 bins. So 8,
     * 12, 1012 and 1015 of 1024 are up to these values. */
    { 32, 1, { { 1024 } }, false,
        { { 0, 2 }, { 1, 3 }, { 251, 252 }, { 252, 253 } } },
    /* 126 is 16 + 109.5 */
    { 4, 0, { { [20] = 8, [30] = 8 } }, true,
        { { 19, 16 }, { 20, 126 }, { 30, 235 } } },
  };

  for (gsize i = 0; IS_ROW (cases, i); i++) {
    AmphistoLayout layout = grey_layout (cases[i].side, cases[i].side);
    uint8_t luts[1][AMPHISTO_N_BINS];

    set_range (&layout, cases[i].is_limited);

    const clahe_params params = make_params (&layout, 1, 1, cases[i].clip);

    amphisto_clahe_luts (&layout, &params, cases[i].bins, luts);
    for (guint p = 0; p < 4 && (p == 0 || cases[i].points[p][0] > 0); p++)
      g_assert_cmpuint (
          luts[0][cases[i].points[p][0]], ==, cases[i].points[p][1]);
    g_assert_cmpuint (luts[0][255], ==, layout.hi);
  }
}

/* A row of tiles of two pixels. Values are interpolated between the centres of
 * two tiles, and constant beyond the outermost centres. */
static void
test_between (void)
{
  static const uint8_t expected[] = { 0, 0, 100, 200, 150, 100 };
  const AmphistoLayout layout = grey_layout (6, 1);
  const clahe_params params = make_params (&layout, 3, 1, 0);
  uint8_t source[6], target[6], luts[3][AMPHISTO_N_BINS];
  const AmphistoFrame from = frame_in (&layout, source, 0);
  const AmphistoFrame to = frame_in (&layout, target, 0);

  memset (source, 10, sizeof source);
  memset (luts[0], 0, sizeof luts[0]);
  memset (luts[1], 200, sizeof luts[1]);
  memset (luts[2], 100, sizeof luts[2]);
  amphisto_clahe_apply (&from, &to, &params, luts, 1.0f, AMPHISTO_UNIT_GAIN);
  g_assert_cmpmem (target, 6, expected, 6);
  amphisto_clahe_apply (&from, &to, &params, luts, 0.5f, AMPHISTO_UNIT_GAIN);
  g_assert_cmpuint (target[0], ==, 5);
  g_assert_cmpuint (target[2], ==, 55);
  g_assert_cmpuint (target[3], ==, 105);
  amphisto_clahe_apply (&from, &to, &params, luts, 0.0f, AMPHISTO_UNIT_GAIN);
  g_assert_cmpmem (target, 6, source, 6);
  /* in place */
  amphisto_clahe_apply (&from, &from, &params, luts, 1.0f, AMPHISTO_UNIT_GAIN);
  g_assert_cmpmem (source, 6, expected, 6);
}

/* R, G and B change by as much as luma; padding bytes stay. */
static void
test_rgb (void)
{
  AmphistoLayout layout = packed_layout ("RGBx", 2, 1);
  /* two tiles of one pixel, whose luma becomes 255 */
  static const uint8_t expected[] = { 205, 255, 255, 7, 255, 255, 155, 9 };
  const AmphistoClahe clahe = { 2, 1, 0 };
  uint8_t pixels[] = { 50, 100, 150, 7, 210, 200, 100, 9 };
  const AmphistoFrame frame = frame_in (&layout, pixels, 0);

  /* luma is green */
  memcpy (layout.weights, (uint32_t[3]){ 0, 65536, 0 }, sizeof layout.weights);
  g_assert_true (amphisto_clahe_equalize (&clahe, &frame, &frame, 1.0f,
      (AmphistoSmoothing){ 1, true }, NULL, NULL));
  g_assert_cmpmem (pixels, 8, expected, 8);
}

static void
test_empty (void)
{
  const AmphistoLayout layout = grey_layout (0, 0);
  const AmphistoFrame frame = frame_in (&layout, NULL, 0);
  const AmphistoClahe clahe = { 8, 8, 40 };

  g_assert_true (amphisto_clahe_equalize (&clahe, &frame, &frame, 1.0f,
      (AmphistoSmoothing){ 1, true }, NULL, NULL));
}

const CoreTest core_tests[] = {
  { "/clahe/tiles", test_tiles },
  { "/clahe/limit", test_limit },
  { "/clahe/mirror", test_mirror },
  { "/clahe/luts", test_luts },
  { "/clahe/between", test_between },
  { "/clahe/rgb", test_rgb },
  { "/clahe/empty", test_empty },
  { 0 },
};
