/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The temporal mean, and the scene cuts at which it restarts, against cases
 * worked out by hand.
 */

#include "core/change/smooth.h"
#include "suite.h"

#include <string.h>

typedef struct
{
  uint32_t bins[AMPHISTO_N_BINS];
  float mean[AMPHISTO_N_BINS];
} Case;

static void
case_init (Case *c, unsigned mean_at, float mean, unsigned bins_at, uint32_t n)
{
  memset (c, 0, sizeof *c);
  c->mean[mean_at] = mean;
  c->bins[bins_at] = n;
}

/* All samples move up or down: 32 levels are no cut, 33 are one. */
static void
test_threshold (void)
{
  Case c;

  case_init (&c, 100, 1000, 132, 1000);
  g_assert_false (amphisto_smooth_is_cut (c.bins, c.mean));
  case_init (&c, 100, 1000, 133, 1000);
  g_assert_true (amphisto_smooth_is_cut (c.bins, c.mean));
  case_init (&c, 100, 1000, 68, 1000);
  g_assert_false (amphisto_smooth_is_cut (c.bins, c.mean));
  case_init (&c, 100, 1000, 67, 1000);
  g_assert_true (amphisto_smooth_is_cut (c.bins, c.mean));
}

/* The mean distance counts: 3200 of 25500 samples by 255 levels are 32, no cut;
 * with one more sample, it is a cut. */
static void
test_mean_move (void)
{
  Case c;

  case_init (&c, 0, 25500, 0, 25500 - 3200);
  c.bins[255] = 3200;
  g_assert_false (amphisto_smooth_is_cut (c.bins, c.mean));
  c.bins[0]--;
  c.bins[255]++;
  g_assert_true (amphisto_smooth_is_cut (c.bins, c.mean));
}

/* Samples that move to the former place of other samples count as moved, too.
 */
static void
test_shift (void)
{
  Case c;

  case_init (&c, 0, 0, 0, 0);
  for (unsigned v = 10; v < 200; v++) {
    c.mean[v] = 7;
    c.bins[v + 32] = 7;
  }
  g_assert_false (amphisto_smooth_is_cut (c.bins, c.mean));
  c.bins[42]--;
  c.bins[250]++;
  g_assert_true (amphisto_smooth_is_cut (c.bins, c.mean));
}

/* Sums beyond 2^32, and no samples. */
static void
test_extremes (void)
{
  Case c;

  case_init (&c, 0, 1u << 28, 255, 1u << 28);
  g_assert_true (amphisto_smooth_is_cut (c.bins, c.mean));
  case_init (&c, 0, 1u << 28, 0, 1u << 28);
  g_assert_false (amphisto_smooth_is_cut (c.bins, c.mean));
  case_init (&c, 0, 0, 0, 0);
  g_assert_false (amphisto_smooth_is_cut (c.bins, c.mean));
}

static void
smooth (float renewal, bool is_new, size_t n, const uint32_t *bins, float *mean,
    uint32_t *smoothed)
{
  amphisto_smooth_bins (
      (AmphistoSmoothing){ renewal, is_new }, n, bins, mean, smoothed);
}

static void
test_mean (void)
{
  const uint32_t bins[] = { 100, 0, 8, 3 };
  float mean[] = { 0, 100, 4, 2 };
  uint32_t smoothed[4];

  smooth (0.25f, false, 4, bins, mean, smoothed);
  g_assert_cmpfloat (mean[0], ==, 25);
  g_assert_cmpfloat (mean[1], ==, 75);
  g_assert_cmpfloat (mean[2], ==, 5);
  g_assert_cmpfloat (mean[3], ==, 2.25);
  g_assert_cmpuint (smoothed[0], ==, 25);
  g_assert_cmpuint (smoothed[1], ==, 75);
  g_assert_cmpuint (smoothed[2], ==, 5);
  g_assert_cmpuint (smoothed[3], ==, 2);

  smooth (0.5f, false, 4, bins, mean, smoothed);
  g_assert_cmpfloat (mean[0], ==, 62.5);
  g_assert_cmpuint (smoothed[0], ==, 62); /* half to even */
  g_assert_cmpfloat (mean[1], ==, 37.5);
  g_assert_cmpuint (smoothed[1], ==, 38);

  /* an update by nothing, and a restart, which discards the old mean */
  smooth (0, false, 4, bins, mean, smoothed);
  g_assert_cmpfloat (mean[0], ==, 62.5);
  smooth (0, true, 4, bins, mean, smoothed);
  for (unsigned i = 0; i < 4; i++) {
    g_assert_cmpfloat (mean[i], ==, bins[i]);
    g_assert_cmpuint (smoothed[i], ==, bins[i]);
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
  { "/cut/threshold", test_threshold },
  { "/cut/mean-move", test_mean_move },
  { "/cut/shift", test_shift },
  { "/cut/extremes", test_extremes },
  { "/bins/mean", test_mean },
  { "/bins/comes-near", test_comes_near },
  { NULL },
};
