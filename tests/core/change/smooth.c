/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The temporal mean, and the scene cuts at which it restarts, against cases
 * worked out by hand.
 */

#include "core/change/smooth.h"
#include "suite.h"

#include <string.h>

#define WEIGHT 0.25f

/* All n samples of the mean have one value, and those of the previous frame. */
static void
fill_mean (AmphistoLumaMean *luma, uint32_t n, uint8_t mean, uint8_t previous)
{
  *luma = (AmphistoLumaMean){ 0 };
  luma->mean[mean] = (float) n;
  luma->previous[previous] = n;
}

/* Updates the mean, and checks that the bins, the mean and the previous frame
 * are what the update says.
 *
 * Returns: the weight of the frame, or 2 if the mean restarts. */
static float
update (
    float weight, const uint32_t bins[AMPHISTO_N_BINS], AmphistoLumaMean *luma)
{
  AmphistoLumaMean before = *luma, again = *luma;
  uint32_t updated[AMPHISTO_N_BINS], expected[AMPHISTO_N_BINS];

  memcpy (updated, bins, sizeof updated);
  g_assert_true (amphisto_smooth_luma (weight, true, updated, &again).is_new);
  g_assert_cmpmem (updated, sizeof updated, bins, sizeof updated);

  const AmphistoSmoothing smoothing =
      amphisto_smooth_luma (weight, false, updated, luma);

  amphisto_smooth_bins (
      smoothing, AMPHISTO_N_BINS, bins, before.mean, expected);
  g_assert_cmpmem (updated, sizeof updated, expected, sizeof expected);
  g_assert_cmpmem (
      luma->mean, sizeof luma->mean, before.mean, sizeof before.mean);
  g_assert_cmpmem (luma->previous, sizeof luma->previous, bins, sizeof updated);
  return smoothing.is_new ? 2 : smoothing.frame_weight;
}

/* A previous frame of n samples of one value, and samples of two values. The
 * mean, of another value, makes no cut. */
static void
test_cut (void)
{
  static const struct
  {
    uint32_t n;
    uint8_t previous, value, other;
    uint32_t n_others;
    bool is_cut;
  } cases[] = {
    /* all samples move up or down: 32 levels are no cut, 33 are one */
    { 1000, 100, 132, 0, 0, false },
    { 1000, 100, 133, 0, 0, true },
    { 1000, 100, 68, 0, 0, false },
    { 1000, 100, 67, 0, 0, true },
    /* the mean distance counts: 3200 of 25500 samples by 255 levels are 32 */
    { 25500, 0, 0, 255, 3200, false },
    { 25500, 0, 0, 255, 3201, true },
    /* sums beyond 2^32, and no samples */
    { 1u << 28, 0, 255, 0, 0, true },
    { 1u << 28, 0, 0, 0, 0, false },
    { 0, 0, 0, 0, 0, false },
  };

  for (guint i = 0; IS_ROW (cases, i); i++)
    for (unsigned mean = 0; mean < AMPHISTO_N_BINS; mean += 51) {
      uint32_t bins[AMPHISTO_N_BINS] = { 0 };
      AmphistoLumaMean luma, locked;

      fill_mean (&luma, cases[i].n, mean, cases[i].previous);
      locked = luma;
      bins[cases[i].value] += cases[i].n - cases[i].n_others;
      bins[cases[i].other] += cases[i].n_others;
      g_assert_true ((update (WEIGHT, bins, &luma) == 2) == cases[i].is_cut);
      g_assert_true (update (0, bins, &locked) == 0);
    }
}

/* Samples that move to the former place of other samples count as moved, too.
 */
static void
test_shift (void)
{
  uint32_t bins[AMPHISTO_N_BINS] = { 0 };
  AmphistoLumaMean first = { 0 }, luma;

  for (unsigned v = 10; v < 200; v++) {
    first.previous[v] = 7;
    bins[v + 32] = 7;
  }
  luma = first;
  g_assert_true (update (WEIGHT, bins, &luma) != 2);
  bins[42]--;
  bins[250]++;
  luma = first;
  g_assert_true (update (WEIGHT, bins, &luma) == 2);
}

/* A frame of one value, like the previous one. Beyond 16 levels from the mean,
 * its weight grows, to 1 at 80 levels. */
static void
test_lag (void)
{
  static const struct
  {
    uint32_t n;
    uint8_t mean, value;
    float weight, expected;
  } cases[] = {
    { 1000, 100, 100, 0.25f, 0.25f },
    { 1000, 100, 116, 0.25f, 0.25f },
    { 1000, 100, 84, 0.25f, 0.25f },
    { 1000, 100, 148, 0.25f, 0.625f },
    { 1000, 100, 52, 0.25f, 0.625f },
    { 1000, 100, 180, 0.25f, 1 },
    { 1000, 100, 255, 0.25f, 1 },
    { 1u << 28, 0, 48, 0.5f, 0.75f },
    { 1u << 28, 0, 255, 0.5f, 1 },
    /* 1 / 64 more of the rest */
    { 999, 0, 17, 0.5f, 0.5078125f },
    { 1000, 100, 148, 1, 1 },
    /* locked */
    { 1000, 100, 148, 0, 0 },
    { 1000, 100, 255, 0, 0 },
  };

  for (guint i = 0; IS_ROW (cases, i); i++) {
    uint32_t bins[AMPHISTO_N_BINS] = { 0 };
    AmphistoLumaMean luma;

    fill_mean (&luma, cases[i].n, cases[i].mean, cases[i].value);
    bins[cases[i].value] = cases[i].n;
    g_assert_cmpfloat (
        update (cases[i].weight, bins, &luma), ==, cases[i].expected);
  }
}

static void
smooth (float frame_weight, bool is_new, size_t n, const uint32_t *bins,
    float *mean, uint32_t *smoothed)
{
  amphisto_smooth_bins (
      (AmphistoSmoothing){ frame_weight, is_new }, n, bins, mean, smoothed);
}

/* After an update by nothing comes a restart, which discards the old mean.
 * Halves are rounded to even. */
static void
test_mean (void)
{
  static const struct
  {
    float frame_weight;
    bool is_new;
    float mean[4];
    uint32_t smoothed[4];
  } cases[] = {
    { 0.25f, false, { 25, 75, 5, 2.25f }, { 25, 75, 5, 2 } },
    { 0.5f, false, { 62.5f, 37.5f, 6.5f, 2.625f }, { 62, 38, 6, 3 } },
    { 0, false, { 62.5f, 37.5f, 6.5f, 2.625f }, { 62, 38, 6, 3 } },
    { 0, true, { 100, 0, 8, 3 }, { 100, 0, 8, 3 } },
  };
  const uint32_t bins[] = { 100, 0, 8, 3 };
  float mean[] = { 0, 100, 4, 2 };
  uint32_t smoothed[4];

  for (guint i = 0; IS_ROW (cases, i); i++) {
    smooth (cases[i].frame_weight, cases[i].is_new, 4, bins, mean, smoothed);
    g_assert_cmpmem (mean, sizeof mean, cases[i].mean, sizeof mean);
    g_assert_cmpmem (
        smoothed, sizeof smoothed, cases[i].smoothed, sizeof smoothed);
  }
}

/* In place. With smoothing 0.99, the mean is within 20 samples of the bin after
 * 1600 frames: rounding does not stop it earlier. */
static void
test_comes_near (void)
{
  uint32_t bin = 0;
  float mean = 0;

  for (unsigned i = 0; i < 1600; i++) {
    bin = 2073600;
    smooth (1.0f - 0.99f, false, 1, &bin, &mean, &bin);
  }
  g_assert_cmpuint (bin, >=, 2073600 - 20);
  g_assert_cmpuint (bin, <=, 2073600);
}

const CoreTest core_tests[] = {
  { "/cut/distance", test_cut },
  { "/cut/shift", test_shift },
  { "/lag", test_lag },
  { "/bins/mean", test_mean },
  { "/bins/comes-near", test_comes_near },
  { 0 },
};
