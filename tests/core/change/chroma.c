/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The gain of colours, against cases worked out by hand and the definition in
 * double; chroma and RGB that are scaled by it.
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
  { "/chroma/lut", test_lut },
  { "/chroma/apply", test_apply },
  { "/chroma/planes", test_planes },
  { "/rgb", test_rgb },
  { 0 },
};
