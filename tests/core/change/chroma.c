/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The gain of colours, against cases worked out by hand and the definition in
 * double; the gamut budget, against cases worked out by hand and its
 * definition; chroma and RGB that are scaled by the gain.
 */

#include "core/change/chroma.h"
#include "channels.h"
#include "core/change/equalize.h"
#include "layouts.h"
#include "suite.h"

#include <math.h>
#include <string.h>

typedef uint8_t Lut[AMPHISTO_N_BINS];
typedef uint32_t Bins[AMPHISTO_N_BINS];

/* A LUT of i times `factor`, up to 255. */
static void
fill_lut (Lut lut, double factor)
{
  for (unsigned i = 0; i < AMPHISTO_N_BINS; i++)
    lut[i] = (uint8_t) MIN (rint (i * factor), 255);
}

static uint32_t
gain_of (const Bins bins, double factor, float strength)
{
  Lut lut;

  fill_lut (lut, factor);
  return amphisto_chroma_gain (
      1, (const Bins *) bins, (const Lut *) &lut, strength);
}

static void
test_gain (void)
{
  static const struct
  {
    Bins bins;
    double factor;
    float strength;
    uint32_t gain;
  } cases[] = {
    { { [20] = 1, [40] = 1 }, 1, 1, 256 },
    { { [20] = 1, [40] = 1 }, 2, 1, 512 },
    { { [20] = 1, [40] = 1 }, 1.5, 1, 384 },
    /* less contrast, and more than four times as much */
    { { [20] = 1, [40] = 1 }, 0.5, 1, 256 },
    { { [20] = 1, [40] = 1 }, 5, 1, 1024 },
    /* the LUT as it is applied */
    { { [20] = 1, [40] = 1 }, 2, 0.5f, 384 },
    { { [20] = 1, [40] = 1 }, 2, 0, 256 },
    /* 10, 10 and 11: the mean in 1/16 is 165, not 165 1/3, and the sum of the
     * distances 5 + 5 + 11 = 21. Twice as much: 20, 20, 22; 331, 11 + 11 + 21 =
     * 43. 256 * 43 / 21 = 524.2. */
    { { [10] = 2, [11] = 1 }, 2, 1, 524 },
    /* 256 * 107 / 53 = 516.8 */
    { { [10] = 1, [11] = 1, [13] = 1 }, 2, 1, 517 },
    /* a value that is 1/16 above the mean */
    { { [9] = 1, [10] = 15 }, 2, 1, 512 },
    /* without samples, or without contrast */
    { { 0 }, 2, 1, 256 },
    { { [77] = UINT32_MAX }, 2, 1, 256 },
    /* the greatest counts */
    { { [0] = UINT32_MAX / 2, [64] = UINT32_MAX / 2 }, 2, 1, 512 },
    { { [0] = UINT32_MAX / 2, [64] = UINT32_MAX / 2 }, 3.984375, 1, 1020 },
  };

  for (guint i = 0; IS_ROW (cases, i); i++)
    g_assert_cmpuint (
        gain_of (cases[i].bins, cases[i].factor, cases[i].strength), ==,
        cases[i].gain);
}

/* Tiles have one mean: each of these has no contrast of its own. The second LUT
 * inverts. */
static void
test_tiles (void)
{
  const Bins bins[] = { { [50] = 10 }, { [60] = 10 } };
  Lut luts[2];

  for (unsigned i = 0; i < AMPHISTO_N_BINS; i++) {
    luts[0][i] = i;
    luts[1][i] = 255 - i;
  }
  /* 10 between the two before, 145 after: clamped */
  g_assert_cmpuint (
      amphisto_chroma_gain (2, bins, (const Lut *) luts, 1), ==, 1024);
  luts[1][60] = 69;
  g_assert_cmpuint (amphisto_chroma_gain (2, bins, (const Lut *) luts, 1), ==,
      486); /* 19/10 */
}

/* In double, without the rounding of the mean to 1/16: random histograms and
 * LUTs. */
static void
test_definition (void)
{
  for (int n = 0; n < 200; n++) {
    Bins bins;
    Lut lut;
    double samples = 0, sum[2] = { 0 }, spread[2] = { 0 };

    fill_lut (lut, g_test_rand_double_range (0.5, 4));
    for (unsigned i = 0; i < AMPHISTO_N_BINS; i++) {
      bins[i] = (uint32_t) g_test_rand_int_range (0, 1 << 24);
      samples += bins[i];
      sum[0] += (double) bins[i] * i;
      sum[1] += (double) bins[i] * lut[i];
    }
    for (unsigned i = 0; i < AMPHISTO_N_BINS; i++) {
      spread[0] += bins[i] * fabs (i - sum[0] / samples);
      spread[1] += bins[i] * fabs (lut[i] - sum[1] / samples);
    }
    g_assert_cmpfloat_with_epsilon (
        amphisto_chroma_gain (1, (const Bins *) &bins, (const Lut *) &lut, 1),
        CLAMP (256 * spread[1] / spread[0], 256, 1024), 1);
  }
}

/* --- the gamut budget --- */

static void
test_probes (void)
{
  static const uint32_t cases[][3] = { { 0, 1, 0 }, { 63, 1, 0 }, { 0, 64, 0 },
    { 63, 64, 63 }, { 0, 1920, 15 }, { 1, 1920, 45 }, { 63, 1920, 1905 },
    { 63, INT32_MAX, 2130706431 } };

  for (guint i = 0; IS_ROW (cases, i); i++)
    g_assert_cmpuint (
        amphisto_chroma_probe (cases[i][0], cases[i][1]), ==, cases[i][2]);
}

/* A frame of one pixel, which all probes find: its limit is the budget, or the
 * most, 1024, if the pixel is clipped anyway. Luma of RGB is green, the matrix
 * BT.601's. */
static void
test_pixel (void)
{
  static const struct
  {
    const char *format;
    bool is_limited;
    uint8_t pixel[3], equalized;
    uint32_t budget;
  } cases[] = {
    /* 256 * 155 / 100, 256 * 80 / 50, and the lesser one of 396 and 512 */
    { "RGB", false, { 200, 100, 100 }, 100, 396 },
    { "RGB", false, { 50, 100, 100 }, 80, 409 },
    { "RGB", false, { 200, 100, 50 }, 100, 396 },
    { "RGB", false, { 100, 100, 0 }, 150, 384 },
    /* without room for more, with exactly enough, and with a little more */
    { "RGB", false, { 200, 100, 100 }, 200, 1024 },
    { "RGB", false, { 200, 100, 100 }, 155, 1024 },
    { "RGB", false, { 200, 100, 100 }, 154, 258 },
    { "RGB", false, { 200, 100, 100 }, 255, 1024 },
    { "RGB", false, { 77, 77, 77 }, 255, 1024 },
    { "RGB", false, { 101, 100, 100 }, 100, 1024 },
    /* up to 0 and 255 in limited range, too */
    { "RGB", true, { 200, 100, 100 }, 100, 396 },
    { "RGB", true, { 50, 100, 100 }, 80, 409 },
    /* red is 149, or 144 in luma's range: 256 * 85 / 44 */
    { "YUV", true, { 100, 128, 160 }, 150, 494 },
    /* blue is -52, or -28.2 rounded down: 256 * 64 / 49 */
    { "YUV", true, { 20, 100, 128 }, 80, 334 },
    { "YUV", true, { 20, 100, 128 }, 10, 1024 },
    /* blue is -30: 256 * 80 / 50 */
    { "YUV", false, { 20, 100, 128 }, 80, 409 },
  };

  for (guint i = 0; IS_ROW (cases, i); i++) {
    AmphistoLayout layout = packed_layout (cases[i].format, 1, 1);
    const AmphistoFrame frame = frame_in (&layout, cases[i].pixel, 0);
    AmphistoProbedLuma equalized;

    set_range (&layout, cases[i].is_limited);
    amphisto_layout_set_matrix (&layout, 0.299, 0.114);
    if (layout.is_rgb)
      memcpy (
          layout.weights, (uint32_t[3]){ 0, 65536, 0 }, sizeof layout.weights);
    memset (equalized, cases[i].equalized, sizeof equalized);
    g_assert_cmpuint (
        amphisto_chroma_budget (&frame, equalized), ==, cases[i].budget);
  }
}

/* 64 by 64 pixels of RGB, whose luma is green. */
typedef struct
{
  AmphistoLayout layout;
  uint8_t pixels[AMPHISTO_N_PROBES][3];
  AmphistoProbedLuma equalized;
} Probed;

static uint32_t
budget_of (Probed *self)
{
  AmphistoFrame frame;

  self->layout = rgb_layout (AMPHISTO_PROBE_ROWS, AMPHISTO_PROBE_ROWS);
  memcpy (self->layout.weights, (uint32_t[3]){ 0, 65536, 0 },
      sizeof self->layout.weights);
  frame = frame_in (&self->layout, self->pixels[0], 0);
  return amphisto_chroma_budget (&frame, self->equalized);
}

/* How many pixels have each of two limits, in a grey picture. */
static void
test_twentieth (void)
{
  static const struct
  {
    guint n_301, n_400;
    uint32_t budget;
  } cases[] = { { 0, 204, 1024 }, { 0, 205, 400 }, { 204, 0, 1024 },
    { 205, 0, 301 }, { 4096, 0, 301 }, { 100, 104, 1024 }, { 100, 105, 400 },
    { 204, 1, 400 }, { 204, 3892, 400 } };

  for (guint i = 0; IS_ROW (cases, i); i++) {
    Probed probed;

    memset (probed.pixels, 80, sizeof probed.pixels);
    memset (probed.equalized, 55, sizeof probed.equalized);
    /* room for 200: 256 * 200 / 170, rounded down, and 256 * 200 / 128 */
    for (guint k = 0; k < cases[i].n_301; k++)
      probed.pixels[k * 4095 % 4096][0] = 80 + 170;
    for (guint k = 0; k < cases[i].n_400; k++)
      probed.pixels[(cases[i].n_301 + k) * 4095 % 4096][2] = 80 + 128;
    g_assert_cmpuint (budget_of (&probed), ==, cases[i].budget);
  }
}

/* Noise: no greater gain clips as few pixels. */
static void
test_noise (void)
{
  for (guint n = 0; n < 20; n++) {
    Probed probed;
    uint32_t budget;

    for (guint k = 0; k < AMPHISTO_N_PROBES; k++) {
      probed.equalized[k / 64][k % 64] = g_test_rand_int_range (0, 256);
      for (guint c = 0; c < 3; c++)
        probed.pixels[k][c] =
            g_test_rand_int_range (CLAMP (118 - (int) n * 10, 0, 117),
                CLAMP (138 + (int) n * 10, 139, 256));
    }
    budget = budget_of (&probed);
    for (uint32_t gain = 256; gain <= 1024; gain++) {
      guint n_clipped = 0;

      for (guint k = 0; k < AMPHISTO_N_PROBES; k++) {
        const int to = probed.equalized[k / 64][k % 64];
        bool is_clipped = false, was_clipped = false;

        for (guint c = 0; c < 3; c++) {
          const int d = probed.pixels[k][c] - probed.pixels[k][1];
          const int room = 256 * (d > 0 ? 255 - to : to);

          is_clipped |= (int) gain * abs (d) > room;
          was_clipped |= 257 * abs (d) > room;
        }
        n_clipped += is_clipped && !was_clipped;
      }
      g_assert_cmpint (gain <= budget, ==, n_clipped <= 204);
    }
  }
}

/* The mean moves as a bin's, and is used to the nearest. */
static void
test_smoothed (void)
{
  static const struct
  {
    AmphistoSmoothing smoothing;
    float mean;
    uint32_t gain, budget;
    float expected_mean;
    uint32_t expected;
  } cases[] = {
    { { 1, true }, 0, 512, 400, 400, 400 },
    { { 1, true }, 0, 300, 400, 400, 300 },
    { { 0.25f, false }, 300, 512, 400, 325, 325 },
    { { 0.25f, false }, 300, 310, 400, 325, 310 },
    { { 0.25f, true }, 300, 512, 400, 400, 400 },
    { { 0.5f, false }, 300, 512, 401, 350.5f, 350 },
    { { 0.5f, false }, 301, 512, 402, 351.5f, 352 },
    { { 0, false }, 300, 512, 400, 300, 300 },
  };

  for (guint i = 0; IS_ROW (cases, i); i++) {
    AmphistoColours colours = { cases[i].smoothing, cases[i].mean, 0 };

    amphisto_chroma_limit_gain (&colours, cases[i].gain, cases[i].budget);
    g_assert_cmpfloat (colours.mean_budget, ==, cases[i].expected_mean);
    g_assert_cmpuint (colours.gain, ==, cases[i].expected);
  }
}

/* --- U and V --- */

/* Any gain, by the definition in double: halves move away from grey. */
static void
test_lut (void)
{
  for (uint32_t gain = 256; gain <= 1024; gain++)
    for (unsigned n = 0; n < 2; n++) {
      const AmphistoLayout layout = { .lo = n ? 16 : 0, .hi = n ? 235 : 255 };
      const double lo = n ? 16 : 0, hi = n ? 240 : 255;
      Lut lut;

      amphisto_chroma_lut (&layout, gain, lut);
      for (unsigned i = 0; i < AMPHISTO_N_BINS; i++) {
        const double scaled = 128 + round (((double) i - 128) * gain / 256);

        g_assert_cmpfloat (
            lut[i], ==, CLAMP (scaled, MIN (i, lo), MAX (i, hi)));
      }
    }
}

/* Two pixels of AYUV, and padding: only U and V are written. */
static void
test_apply (void)
{
  const AmphistoLayout layout = packed_layout ("AYUV", 2, 1);
  uint8_t source[] = { 1, 2, 118, 138, 3, 4, 10, 250, 99 };
  uint8_t target[] = { 9, 9, 9, 9, 9, 9, 9, 9, 98 };
  const uint8_t expected[] = { 9, 9, 108, 148, 9, 9, 10, 250, 98 };
  const uint8_t in_place[] = { 1, 2, 108, 148, 3, 4, 10, 250, 99 };
  const AmphistoFrame from = frame_in (&layout, source, 1);
  const AmphistoFrame to = frame_in (&layout, target, 1);

  g_assert_cmpuint (amphisto_chroma_planes (&layout), ==, 1);
  amphisto_chroma_apply (&from, &to, 512);
  g_assert_cmpmem (target, sizeof target, expected, sizeof expected);
  amphisto_chroma_apply (&from, &from, 512);
  g_assert_cmpmem (source, sizeof source, in_place, sizeof in_place);
}

static void
test_planes (void)
{
  AmphistoLayout layout = yuv_layout (4, 4, 1, 1);
  const AmphistoLayout rgb = rgb_layout (4, 4);

  g_assert_cmpuint (amphisto_chroma_planes (&layout), ==, 6);
  layout.channels = LUMA;
  g_assert_cmpuint (amphisto_chroma_planes (&layout), ==, 0);
  g_assert_cmpuint (amphisto_chroma_planes (&rgb), ==, 0);
}

/* --- RGB --- */

/* Any red, luma and gain; luma is green. */
static void
test_rgb (void)
{
  AmphistoLayout layout = rgb_layout (1, 1);

  memcpy (layout.weights, (uint32_t[3]){ 0, 65536, 0 }, sizeof layout.weights);
  for (int gain = 256; gain <= 1024; gain += 37)
    for (int luma = 0; luma < 256; luma += 3)
      for (int red = 0; red < 256; red++) {
        const double scaled = round ((red - luma) * gain / 256.0);
        uint8_t pixel[] = { red, luma, luma };
        const AmphistoFrame frame = frame_in (&layout, pixel, 0);

        amphisto_frame_set_luma (&frame, 0, 0, 100, gain);
        g_assert_cmpfloat (pixel[0], ==, CLAMP (100 + scaled, 0, 255));
        g_assert_cmpuint (pixel[1], ==, 100);
        g_assert_cmpuint (pixel[2], ==, 100);
      }
}

const CoreTest core_tests[] = {
  { "/gain/values", test_gain },
  { "/gain/tiles", test_tiles },
  { "/gain/definition", test_definition },
  { "/budget/probes", test_probes },
  { "/budget/pixel", test_pixel },
  { "/budget/twentieth", test_twentieth },
  { "/budget/noise", test_noise },
  { "/budget/smoothed", test_smoothed },
  { "/chroma/lut", test_lut },
  { "/chroma/apply", test_apply },
  { "/chroma/planes", test_planes },
  { "/rgb", test_rgb },
  { 0 },
};
