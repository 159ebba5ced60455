/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The temporal mean, and the scene cuts at which it restarts, against cases
 * worked out by hand.
 */

#include "core/change/smooth.h"
#include "suite.h"

/* A mean of n samples of one value, and samples of two values. */
static void
test_cut (void)
{
  static const struct
  {
    uint32_t n;
    uint8_t mean, value, other;
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

  for (guint i = 0; IS_ROW (cases, i); i++) {
    uint32_t bins[AMPHISTO_N_BINS] = { 0 };
    float mean[AMPHISTO_N_BINS] = { 0 };

    mean[cases[i].mean] = cases[i].n;
    bins[cases[i].value] += cases[i].n - cases[i].n_others;
    bins[cases[i].other] += cases[i].n_others;
    g_assert_true (amphisto_smooth_is_cut (bins, mean) == cases[i].is_cut);
  }
}

/* Samples that move to the former place of other samples count as moved, too.
 */
static void
test_shift (void)
{
  uint32_t bins[AMPHISTO_N_BINS] = { 0 };
  float mean[AMPHISTO_N_BINS] = { 0 };

  for (unsigned v = 10; v < 200; v++) {
    mean[v] = 7;
    bins[v + 32] = 7;
  }
  g_assert_false (amphisto_smooth_is_cut (bins, mean));
  bins[42]--;
  bins[250]++;
  g_assert_true (amphisto_smooth_is_cut (bins, mean));
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
  { "/bins/mean", test_mean },
  { "/bins/comes-near", test_comes_near },
  { 0 },
};
