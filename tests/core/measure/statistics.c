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

/* For results that a double cannot represent exactly. */
#define assert_close(a, b) g_assert_cmpfloat_with_epsilon (a, b, 1e-12)

static void
test_empty (void)
{
  const uint32_t bins[AMPHISTO_N_BINS] = { 0 };
  AmphistoStatistics s;

  memset (&s, 0xff, sizeof s);
  amphisto_histogram_statistics (bins, &s);
  g_assert_cmpuint (s.samples, ==, 0);
  g_assert_cmpuint (s.min, ==, 0);
  g_assert_cmpuint (s.max, ==, 0);
  g_assert_cmpuint (s.median, ==, 0);
  g_assert_cmpfloat (s.mean, ==, 0.0);
  g_assert_cmpfloat (s.stddev, ==, 0.0);
  g_assert_cmpfloat (s.entropy, ==, 0.0);
}

static void
test_single_value (void)
{
  static const unsigned values[] = { 0, 1, 128, 255 };

  for (gsize i = 0; i < G_N_ELEMENTS (values); i++) {
    uint32_t bins[AMPHISTO_N_BINS] = { 0 };
    AmphistoStatistics s;

    bins[values[i]] = 1 << 28;
    amphisto_histogram_statistics (bins, &s);
    g_assert_cmpuint (s.samples, ==, 1 << 28);
    g_assert_cmpuint (s.min, ==, values[i]);
    g_assert_cmpuint (s.max, ==, values[i]);
    g_assert_cmpuint (s.median, ==, values[i]);
    g_assert_cmpfloat (s.mean, ==, values[i]);
    g_assert_cmpfloat (s.stddev, ==, 0.0);
    g_assert_cmpfloat (s.entropy, ==, 0.0);
    g_assert_false (signbit (s.entropy));
  }
}

static void
test_two_values (void)
{
  uint32_t bins[AMPHISTO_N_BINS] = { 0 };
  AmphistoStatistics s;

  bins[10] = 1;
  bins[20] = 1;
  amphisto_histogram_statistics (bins, &s);
  g_assert_cmpuint (s.samples, ==, 2);
  g_assert_cmpuint (s.min, ==, 10);
  g_assert_cmpuint (s.max, ==, 20);
  g_assert_cmpuint (s.median, ==, 10);
  g_assert_cmpfloat (s.mean, ==, 15.0);
  /* of the population: not 5 sqrt (2) */
  g_assert_cmpfloat (s.stddev, ==, 5.0);
  g_assert_cmpfloat (s.entropy, ==, 1.0);

  /* 1/4 and 3/4: mean 17.5, variance 7.5^2 / 4 + 2.5^2 * 3 / 4 = 18.75,
   * entropy 2 - 3/4 log2 (3) */
  bins[20] = 3;
  amphisto_histogram_statistics (bins, &s);
  g_assert_cmpuint (s.median, ==, 20);
  g_assert_cmpfloat (s.mean, ==, 17.5);
  assert_close (s.stddev, 4.330127018922193);
  assert_close (s.entropy, 0.8112781244591328);
}

static void
test_uniform (void)
{
  uint32_t bins[AMPHISTO_N_BINS];
  AmphistoStatistics s;

  for (unsigned v = 0; v < AMPHISTO_N_BINS; v++)
    bins[v] = 1000;
  amphisto_histogram_statistics (bins, &s);
  g_assert_cmpuint (s.samples, ==, 256000);
  g_assert_cmpuint (s.min, ==, 0);
  g_assert_cmpuint (s.max, ==, 255);
  g_assert_cmpuint (s.median, ==, 127);
  g_assert_cmpfloat (s.mean, ==, 127.5);
  /* sqrt ((256^2 - 1) / 12) */
  assert_close (s.stddev, 73.90027063549903);
  g_assert_cmpfloat (s.entropy, ==, 8.0);
}

/* The sum of the bins may pass 2^32. */
static void
test_many_samples (void)
{
  uint32_t bins[AMPHISTO_N_BINS] = { 0 };
  AmphistoStatistics s;

  bins[0] = G_MAXUINT32;
  bins[254] = 1;
  bins[255] = G_MAXUINT32;
  amphisto_histogram_statistics (bins, &s);
  g_assert_cmpuint (s.samples, ==, G_GUINT64_CONSTANT (0x1ffffffff));
  g_assert_cmpuint (s.median, ==, 254);
  assert_close (
      s.mean, 127.5 - 1.0 / (double) 0x1ffffffff + 127.5 / 0x1ffffffff);
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

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
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
  uint32_t bins[AMPHISTO_N_BINS] = { 0 };

  g_assert_cmpfloat (amphisto_histogram_fraction (bins, 0, 255), ==, 0.0);
  bins[16] = 1u << 31;
  bins[17] = 1u << 31;
  bins[255] = 1u << 31;
  bins[0] = 1u << 31;
  g_assert_cmpfloat (amphisto_histogram_fraction (bins, 0, 16), ==, 0.5);
  g_assert_cmpfloat (amphisto_histogram_fraction (bins, 17, 255), ==, 0.5);
  g_assert_cmpfloat (amphisto_histogram_fraction (bins, 18, 254), ==, 0.0);
  g_assert_cmpfloat (amphisto_histogram_fraction (bins, 255, 255), ==, 0.25);
  g_assert_cmpfloat (amphisto_histogram_fraction (bins, 0, 255), ==, 1.0);
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
  uint32_t bins[AMPHISTO_N_BINS] = { 0 };

  g_assert_cmpuint (amphisto_histogram_percentile (bins, 50), ==, 0);
  bins[10] = 1;
  bins[20] = 49;
  bins[250] = 50;
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
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

static void
test_fields (void)
{
  static const struct
  {
    const gchar *name;
    double value;
  } fields[] = { { "samples", 1000 }, { "min", 1 }, { "max", 200 },
    { "median", 99 }, { "mean", 100.5 }, { "stddev", 20.25 },
    { "entropy", 7.5 }, { "clipped-low", 0.125 }, { "clipped-high", 0.25 },
    { "difference", 3.5 }, { "distance", 2.5 } };

  g_assert_cmpuint (G_N_ELEMENTS (fields), ==, AMPHISTO_N_FIELDS);
  for (guint f = 0; f < AMPHISTO_N_FIELDS; f++) {
    double value = -1;

    g_assert_cmpstr (amphisto_field_name (f), ==, fields[f].name);
    g_assert_true (amphisto_statistics_get (&statistics, f, &value));
    g_assert_cmpfloat (value, ==, fields[f].value);
    g_assert_true (amphisto_field_is_comparison (f)
        == (f == AMPHISTO_FIELD_DIFFERENCE || f == AMPHISTO_FIELD_DISTANCE));
  }
}

/* Limited-range luma ends at 16 and 235, chroma at 16 and 240. */
static void
test_clipped (void)
{
  const AmphistoLayout layout = yuv_layout (4, 4, 1, 1);
  AmphistoHistograms histograms = { .channels = LUMA | CHROMA };
  AmphistoStatistics s;

  for (guint c = 0; c < AMPHISTO_N_CHANNELS; c++) {
    histograms.bins[c][3] = histograms.bins[c][16] = 1;
    histograms.bins[c][17] = histograms.bins[c][234] = 1;
    histograms.bins[c][235] = histograms.bins[c][239] = 2;
  }
  memset (&s, 0xff, sizeof s);
  amphisto_histograms_statistics (
      &histograms, &layout, AMPHISTO_CHANNEL_LUMA, &s);
  g_assert_cmpuint (s.samples, ==, 8);
  g_assert_cmpuint (s.max, ==, 239);
  g_assert_cmpfloat (s.clipped_low, ==, 0.25);
  g_assert_cmpfloat (s.clipped_high, ==, 0.5);
  g_assert_false (s.has_difference);
  amphisto_histograms_statistics (&histograms, &layout, AMPHISTO_CHANNEL_V, &s);
  g_assert_cmpfloat (s.clipped_high, ==, 0);
}

/* Saturation has a sample in eight without colour, and three that a single
 * component of limited range reaches at its ends. */
static void
test_clipped_saturation (void)
{
  const AmphistoLayout layout = yuv_layout (4, 4, 1, 1);
  const AmphistoHistograms histograms = { .channels = SATURATION,
    .bins = { [AMPHISTO_CHANNEL_SATURATION] = {
                  [0] = 1, [1] = 2, [111] = 2, [112] = 2, [181] = 1 } } };
  AmphistoStatistics s;

  amphisto_histograms_statistics (
      &histograms, &layout, AMPHISTO_CHANNEL_SATURATION, &s);
  g_assert_cmpfloat (s.clipped_low, ==, 0.125);
  g_assert_cmpfloat (s.clipped_high, ==, 0.375);
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
  { "/empty", test_empty },
  { "/single-value", test_single_value },
  { "/two-values", test_two_values },
  { "/uniform", test_uniform },
  { "/many-samples", test_many_samples },
  { "/median", test_median },
  { "/share", test_share },
  { "/percentile", test_percentile },
  { "/fields", test_fields },
  { "/clipped", test_clipped },
  { "/clipped-saturation", test_clipped_saturation },
  { "/comparison", test_comparison },
  { NULL },
};
