/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The scales of the histogram's scope: which counts are at the top of the plot.
 */

#include "channels.h"
#include "core/scopes/curves.h"
#include "layouts.h"
#include "placed.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One histogram for each of the channels Y, U, V, R, G and B. */
#define N_CHANNELS 6

typedef uint32_t Bins[AMPHISTO_N_BINS];

/* Measures a limited-range scope with a new scale. Stores the samples at the
 * top of the plot for each curve. */
static void
measure (AmphistoDisplay display, AmphistoScopeScale scale,
    AmphistoChannelMask channels, const Bins *bins, uint32_t tops[N_CHANNELS])
{
  const AmphistoLayout layout = yuv_layout (1920, 1080, 1, 1);
  AmphistoScopeSettings settings = settings_with (HISTOGRAM);
  uint32_t peaks[AMPHISTO_MAX_SLOTS];
  const AmphistoScopeInput input = { NULL, bins, peaks };
  histogram_scope_params params;

  settings.display = display;
  settings.scale = scale;
  params = placed_scopes (&settings, false, &layout, channels, ~0u).histogram;
  params.reset = 1;
  g_free (measured_trace (&amphisto_histogram_scope, &params.scope, &input));
  for (uint32_t i = 0; i < params.n_curves; i++)
    tops[i] = peaks[params.curve[i].scale];
}

/* The top for luma alone. */
static uint32_t
luma_top (const Bins bins, AmphistoScopeScale scale)
{
  uint32_t tops[N_CHANNELS];

  measure (OVERLAY, scale, LUMA, (const Bins *) bins, tops);
  return tops[0];
}

static int
compare_descending (const void *a, const void *b)
{
  const uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;

  return (x < y) - (x > y);
}

/* The samples of n bins that are no taller than `height`. */
static uint64_t
samples_up_to (const uint32_t *bins, guint n, uint32_t height)
{
  uint64_t sum = 0;

  for (guint i = 0; i < n; i++)
    sum += bins[i] <= height ? bins[i] : 0;
  return sum;
}

/* min (tallest, max (3 * 33rd-tallest, 4 * h)) of n bins, where those no taller
 * than h have at least a tenth of the samples. */
static uint64_t
expected_top (const uint32_t *bins, guint n)
{
  uint32_t sorted[AMPHISTO_N_BINS];
  uint64_t h;

  memcpy (sorted, bins, n * sizeof *bins);
  qsort (sorted, n, sizeof *sorted, compare_descending);
  h = sorted[0];
  for (guint i = 1; i < n; i++)
    if (samples_up_to (bins, n, sorted[i]) * 10
        >= samples_up_to (bins, n, sorted[0]))
      h = sorted[i];
  return MIN (sorted[0], MAX (3 * (uint64_t) sorted[32], 4 * h));
}

/* Curves of any width, with any number of spikes. Not all of them lift the same
 * term of the rule. */
static void
test_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (38);

  for (guint n = 0; n < 2000; n++) {
    const gdouble height = exp2 (g_rand_double_range (rand, 1, 24));
    const gdouble sigma = exp2 (g_rand_double_range (rand, 0, 9));
    Bins bins;

    for (guint v = 0; v < AMPHISTO_N_BINS; v++)
      bins[v] = (uint32_t) (height * g_rand_double_range (rand, 0.5, 1)
                    * exp (-pow ((v - 120.0) / sigma, 2) / 2))
          + (v - 117 < 6);
    for (guint k = g_rand_int_range (rand, 0, 45) % 40; k > 0; k--)
      bins[g_rand_int_range (rand, 0, AMPHISTO_N_BINS)] *= 50;
    g_assert_cmpuint (
        luma_top (bins, LINEAR), ==, expected_top (bins + 17, 218));
  }
}

/* A flat grey with a camera's noise is hardly cut. The same as a background
 * does not flatten the rest of the picture. */
static void
test_noise (void)
{
  for (gdouble sigma = 1; sigma <= 8; sigma += 0.5) {
    uint32_t tallest = 0;
    Bins bins;

    for (guint v = 0; v < AMPHISTO_N_BINS; v++) {
      bins[v] =
          (uint32_t) (1e5 / sigma * exp (-pow ((v - 128) / sigma, 2) / 2));
      tallest = MAX (tallest, bins[v]);
    }
    g_assert_cmpuint (luma_top (bins, LINEAR), >, tallest / 2);
    for (guint v = 40; v < 220; v++)
      bins[v] += 600;
    g_assert_cmpuint (luma_top (bins, LINEAR), <=, 600 * 10);
  }
}

static void
test_cases (void)
{
  static const struct
  {
    Bins bins;
    uint32_t others; /* the count of other bins */
    AmphistoScopeScale scale;
    uint32_t top;
  } cases[] = {
    /* with fewer than six bins, nothing is there to be flattened */
    { { [0] = 999,
          [17] = 9,
          [18] = 1,
          [99] = 50,
          [200] = 3,
          [234] = 8,
          [235] = 70 },
        0, LINEAR, 50 },
    /* without any between black and white, those of black and white count */
    { { [2] = 7, [16] = 40, [250] = 11 }, 0, LINEAR, 40 },
    /* a slide: more than half of it in one grey */
    { { [120] = 560000 }, 1720, LINEAR, 4 * 1720 },
    /* more than nine tenths in one bin, or just nine */
    { { [120] = 9 * 2170 + 1 }, 10, LINEAR, 9 * 2170 + 1 },
    { { [120] = 9 * 2170 }, 10, LINEAR, 40 },
    /* a spike is at the top of a logarithmic scale */
    { { [99] = 12345 }, 20, LINEAR, 4 * 20 },
    { { [99] = 12345 }, 20, LOG, 12345 },
    /* counts that have no room for 4 times as much */
    { { [80] = 900000000,
          [81] = 800000000,
          [82] = 5,
          [83] = 5,
          [84] = 5,
          [85] = 5 },
        0, LINEAR, 900000000 },
  };

  for (guint i = 0; IS_ROW (cases, i); i++) {
    Bins bins;

    for (guint v = 0; v < AMPHISTO_N_BINS; v++)
      bins[v] = MAX (cases[i].bins[v], cases[i].others);
    g_assert_cmpuint (luma_top (bins, cases[i].scale), ==, cases[i].top);
  }
}

/* Where a curve has fewer than six bins, the others decide: here, the others of
 * red, green, blue and luma. */
static void
test_few_beside_many (void)
{
  Bins bins[N_CHANNELS];
  uint32_t tops[N_CHANNELS];

  for (guint i = 0; i < N_CHANNELS; i++)
    for (guint v = 0; v < AMPHISTO_N_BINS; v++)
      bins[i][v] = i == 3 ? 0 : i == 0 ? 70 : 30;
  bins[3][128] = 1000000;
  measure (OVERLAY, LINEAR, ~0u, (const Bins *) bins, tops);
  g_assert_cmpuint (tops[0], ==, 70);
  g_assert_cmpuint (tops[3], ==, 70);
}

/* On a linear scale, R, G, B and luma share a scale, in all panels; U and V
 * have theirs. On a logarithmic scale, each panel has its own, of its tallest
 * bin. */
static void
test_channels (void)
{
  static const uint32_t tallest[N_CHANNELS] = { 10, 300, 200, 20, 40, 30 };
  static const uint32_t linear[N_CHANNELS] = { 40, 300, 300, 40, 40, 40 };
  Bins bins[N_CHANNELS];
  uint32_t tops[N_CHANNELS];

  for (guint i = 0; i < N_CHANNELS; i++)
    for (guint v = 0; v < AMPHISTO_N_BINS; v++)
      bins[i][v] = v >= 100 && v < 110 ? tallest[i] : 0;
  for (AmphistoDisplay display = OVERLAY; display <= PARADE; display++)
    for (AmphistoScopeScale scale = LINEAR; scale <= LOG; scale++) {
      measure (display, scale, ~0u, (const Bins *) bins, tops);
      for (guint i = 0; i < N_CHANNELS; i++)
        g_assert_cmpuint (tops[i], ==,
            scale == LINEAR          ? linear[i]
                : display == OVERLAY ? 300
                                     : tallest[i]);
    }
}

/* Levels of a logarithmic scale rise with the count, within 1 %. */
static void
test_levels (void)
{
  uint32_t last = 0;

  for (uint32_t bit = 0; bit < 32; bit++)
    g_assert_cmpuint (
        amphisto_curves_log ((uint32_t) ((1ull << bit) - 1)), ==, bit << 10);
  for (uint32_t n = 0; n < 1 << 20; n++) {
    const uint32_t log = amphisto_curves_log (n);

    g_assert_cmpuint (log, >=, last);
    g_assert_cmpfloat (fabs (log - 1024 * log2 (n + 1.0)), <=, 10.24);
    last = log;
  }
}

/* The scale rises at once, and decays by a sixteenth of the difference. */
static void
test_decay (void)
{
  const AmphistoLayout layout = grey_layout (640, 480);
  const AmphistoScopeSettings settings = settings_with (HISTOGRAM);
  static const struct
  {
    uint32_t count, top;
  } frames[] = { { 1000, 1000 }, { 2000, 2000 }, { 400, 1900 } };
  histogram_scope_params params =
      placed_scopes (&settings, false, &layout, LUMA, ~0u).histogram;
  uint32_t bins[1][AMPHISTO_N_BINS] = { { 0 } };
  uint32_t peaks[AMPHISTO_MAX_SLOTS] = { 0xffffffff };
  const AmphistoScopeInput input = { NULL, (const Bins *) bins, peaks };

  params.reset = 1;
  for (guint i = 0; i < 100; i++) {
    const uint32_t last = peaks[0];

    bins[0][9] = frames[MIN (i, 2)].count;
    g_free (measured_trace (&amphisto_histogram_scope, &params.scope, &input));
    if (i < G_N_ELEMENTS (frames))
      g_assert_cmpuint (peaks[0], ==, frames[i].top);
    else
      g_assert_true (peaks[0] < last || last == 400);
    params.reset = 0;
  }
  g_assert_cmpuint (peaks[0], ==, 400);
}

const CoreTest core_tests[] = {
  { "/random", test_random },
  { "/noise", test_noise },
  { "/cases", test_cases },
  { "/few-beside-many", test_few_beside_many },
  { "/channels", test_channels },
  { "/levels", test_levels },
  { "/decay", test_decay },
  { 0 },
};
