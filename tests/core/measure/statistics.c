/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Statistics, against cases worked out by hand.
 */

#include "channels.h"
#include "core/measure/statistics.h"
#include "layouts.h"
#include "suite.h"

#include <math.h>
#include <string.h>

typedef uint32_t Bins[AMPHISTO_N_BINS];

typedef struct
{
  Bins bins;
  uint64_t samples;
  unsigned min, max, median;
  double mean, stddev, entropy;
} Case;

static void
check (const Case *c)
{
  AmphistoStatistics s;

  memset (&s, 0xff, sizeof s);
  amphisto_histogram_statistics (c->bins, &s);
  g_assert_cmpuint (s.samples, ==, c->samples);
  g_assert_cmpuint (s.min, ==, c->min);
  g_assert_cmpuint (s.max, ==, c->max);
  g_assert_cmpuint (s.median, ==, c->median);
  g_assert_cmpfloat_with_epsilon (s.mean, c->mean, 1e-12);
  g_assert_cmpfloat_with_epsilon (s.stddev, c->stddev, 1e-12);
  g_assert_cmpfloat_with_epsilon (s.entropy, c->entropy, 1e-12);
  g_assert_false (signbit (s.entropy));
}

static void
test_values (void)
{
  static const Case cases[] = {
    { { 0 }, 0, 0, 0, 0, 0, 0, 0 },
    { { [0] = 1 << 28 }, 1 << 28, 0, 0, 0, 0, 0, 0 },
    { { [128] = 1 << 28 }, 1 << 28, 128, 128, 128, 128, 0, 0 },
    { { [255] = 7 }, 7, 255, 255, 255, 255, 0, 0 },
    /* of the population: not 5 sqrt (2) */
    { { [10] = 1, [20] = 1 }, 2, 10, 20, 10, 15, 5, 1 },
    /* 1/4 and 3/4: variance 7.5^2 / 4 + 2.5^2 * 3 / 4 = 18.75, entropy 2 - 3/4
     * log2 (3) */
    { { [10] = 1, [20] = 3 }, 4, 10, 20, 20, 17.5, 4.330127018922193,
        0.8112781244591328 },
    /* the sum of the bins may pass 2^32 */
    { { [0] = UINT32_MAX, [255] = UINT32_MAX }, 2ull * UINT32_MAX, 0, 255, 0,
        127.5, 127.5, 1 },
  };
  /* sqrt ((256^2 - 1) / 12) */
  Case uniform = { { 0 }, 256000, 0, 255, 127, 127.5, 73.90027063549903, 8 };

  for (gsize i = 0; IS_ROW (cases, i); i++)
    check (&cases[i]);
  for (unsigned v = 0; v < AMPHISTO_N_BINS; v++)
    uniform.bins[v] = 1000;
  check (&uniform);
}

/* The median is the smallest v with 2 CDF (v) >= n. */
static void
test_median (void)
{
  static const struct
  {
    uint32_t bins[4];
    unsigned median;
  } cases[] = {
    { { 1, 1, 1, 0 }, 1 },
    { { 2, 1, 1, 0 }, 0 },
    { { 2, 0, 0, 2 }, 0 },
    { { 2, 0, 0, 3 }, 3 },
    { { 1, 2, 2, 0 }, 1 },
    { { 1, 1, 2, 0 }, 1 },
    { { 1, 1, 2, 1 }, 2 },
    { { 0, 0, 0, 1 }, 3 },
  };

  for (gsize i = 0; IS_ROW (cases, i); i++) {
    uint32_t bins[AMPHISTO_N_BINS] = { 0 };
    AmphistoStatistics s;

    memcpy (bins, cases[i].bins, sizeof cases[i].bins);
    amphisto_histogram_statistics (bins, &s);
    g_assert_cmpuint (s.median, ==, cases[i].median);
  }
}

static void
test_share (void)
{
  static const struct
  {
    unsigned from, to;
    double fraction;
  } cases[] = { { 0, 16, 0.5 }, { 17, 255, 0.5 }, { 18, 254, 0 },
    { 255, 255, 0.25 }, { 0, 255, 1 } };
  const Bins none = { 0 };
  const Bins bins = {
    [0] = 1u << 31, [16] = 1u << 31, [17] = 1u << 31, [255] = 1u << 31
  };

  g_assert_cmpfloat (amphisto_histogram_fraction (none, 0, 255), ==, 0);
  for (gsize i = 0; IS_ROW (cases, i); i++)
    g_assert_cmpfloat (
        amphisto_histogram_fraction (bins, cases[i].from, cases[i].to), ==,
        cases[i].fraction);
}

static void
test_percentile (void)
{
  static const struct
  {
    double percent;
    unsigned value;
  } expected[] = { { 0, 10 }, { 1, 10 }, { 1.01, 20 }, { 50, 20 },
    { 50.5, 250 }, { 99, 250 }, { 100, 250 } };
  const Bins none = { 0 }, bins = { [10] = 1, [20] = 49, [250] = 50 };

  g_assert_cmpuint (amphisto_histogram_percentile (none, 50), ==, 0);
  for (gsize i = 0; IS_ROW (expected, i); i++)
    g_assert_cmpuint (amphisto_histogram_percentile (bins, expected[i].percent),
        ==, expected[i].value);
}

/* --- by name and channel --- */

/* Each field has a value of its own. */
static const AmphistoStatistics statistics = { .samples = 1000,
  .min = 1,
  .max = 200,
  .median = 99,
  .mean = 100.5,
  .stddev = 20.25,
  .entropy = 7.5,
  .clipped_low = 0.125,
  .clipped_high = 0.25,
  .has_difference = true,
  .difference = 3.5,
  .distance = 2.5 };

#define UINT64 AMPHISTO_FIELD_UINT64
#define UINT AMPHISTO_FIELD_UINT
#define DOUBLE AMPHISTO_FIELD_DOUBLE

static void
test_fields (void)
{
  static const struct
  {
    const gchar *name;
    AmphistoFieldType type;
    double value;
  } fields[] = { { "samples", UINT64, 1000 }, { "min", UINT, 1 },
    { "max", UINT, 200 }, { "median", UINT, 99 }, { "mean", DOUBLE, 100.5 },
    { "stddev", DOUBLE, 20.25 }, { "entropy", DOUBLE, 7.5 },
    { "clipped-low", DOUBLE, 0.125 }, { "clipped-high", DOUBLE, 0.25 },
    { "difference", DOUBLE, 3.5 }, { "distance", DOUBLE, 2.5 } };

  for (guint f = 0; f < AMPHISTO_N_FIELDS; f++) {
    double value = -1;

    g_assert_cmpstr (amphisto_field_name (f), ==,
        f < G_N_ELEMENTS (fields) ? fields[f].name : NULL);
    g_assert_true (amphisto_field_type (f) == fields[f].type);
    g_assert_true (amphisto_statistics_get (&statistics, f, &value));
    g_assert_cmpfloat (value, ==, fields[f].value);
    g_assert_true (amphisto_field_is_comparison (f)
        == (f == AMPHISTO_FIELD_DIFFERENCE || f == AMPHISTO_FIELD_DISTANCE));
  }
}

/* Limited-range luma ends at 16 and 235, chroma at 16 and 240; R, G and B at 16
 * and 235 if they are stored, at 0 and 255 if they are computed. Saturation
 * ends at 0, where there is no colour, and where U or V alone is at its end: at
 * 112 in YUV of limited range, at 127 in RGB, whose U and V have full range. */
static void
test_clipped (void)
{
  static const struct
  {
    AmphistoChannel channel;
    double low, high;
    bool is_rgb;
  } cases[] = { { AMPHISTO_CHANNEL_LUMA, 0.25, 0.5, false },
    { AMPHISTO_CHANNEL_V, 0.25, 0, false },
    { AMPHISTO_CHANNEL_GREEN, 0, 0, false },
    { AMPHISTO_CHANNEL_SATURATION, 0.125, 0.375, false },
    { AMPHISTO_CHANNEL_LUMA, 0.25, 0.5, true },
    { AMPHISTO_CHANNEL_GREEN, 0.25, 0.5, true },
    { AMPHISTO_CHANNEL_SATURATION, 0.125, 0.125, true } };
  AmphistoLayout layouts[] = { yuv_layout (4, 4, 1, 1), rgb_layout (4, 4) };
  AmphistoHistograms histograms = { .channels = ALL_CHANNELS,
    .bins = { [AMPHISTO_CHANNEL_SATURATION] = {
                  [0] = 1, [1] = 2, [111] = 2, [112] = 2, [181] = 1 } } };
  AmphistoStatistics s;

  set_range (&layouts[1], true);
  for (guint c = 0; c <= AMPHISTO_CHANNEL_BLUE; c++) {
    histograms.bins[c][3] = histograms.bins[c][16] = 1;
    histograms.bins[c][17] = histograms.bins[c][234] = 1;
    histograms.bins[c][235] = histograms.bins[c][239] = 2;
  }
  for (guint i = 0; IS_ROW (cases, i); i++) {
    memset (&s, 0xff, sizeof s);
    amphisto_histograms_statistics (
        &histograms, &layouts[cases[i].is_rgb], cases[i].channel, &s);
    g_assert_cmpuint (s.samples, ==, 8);
    g_assert_cmpfloat (s.clipped_low, ==, cases[i].low);
    g_assert_cmpfloat (s.clipped_high, ==, cases[i].high);
    g_assert_false (s.has_difference);
  }
}

/* Luma alone has the numbers among its statistics. */
static void
test_comparison (void)
{
  const AmphistoLayout layout = grey_layout (4, 4);
  AmphistoHistograms histograms = { .channels = LUMA | ALPHA,
    .bins = { [AMPHISTO_CHANNEL_LUMA] = { [3] = 1 } } };
  AmphistoStatistics s;

  amphisto_histograms_statistics (
      &histograms, &layout, AMPHISTO_CHANNEL_LUMA, &s);
  g_assert_cmpuint (s.max, ==, 3);
  g_assert_false (s.has_difference);
  histograms.comparison = (AmphistoComparison){ true, 1.5, 0.25 };
  amphisto_histograms_statistics (
      &histograms, &layout, AMPHISTO_CHANNEL_LUMA, &s);
  g_assert_true (s.has_difference);
  g_assert_cmpfloat (s.difference, ==, 1.5);
  g_assert_cmpfloat (s.distance, ==, 0.25);
  amphisto_histograms_statistics (
      &histograms, &layout, AMPHISTO_CHANNEL_ALPHA, &s);
  g_assert_false (s.has_difference);
}

const CoreTest core_tests[] = {
  { "/values", test_values },
  { "/median", test_median },
  { "/share", test_share },
  { "/percentile", test_percentile },
  { "/fields", test_fields },
  { "/clipped", test_clipped },
  { "/comparison", test_comparison },
  { 0 },
};
