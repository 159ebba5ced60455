/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Counting and statistics, against cases worked out by hand.
 */

#include "channels.h"
#include "core/measure/histogram.h"

#include <glib.h>
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
assert_bins (const AmphistoFrame *frame, AmphistoChannel channel,
    const uint32_t expected[AMPHISTO_N_BINS])
{
  uint32_t bins[AMPHISTO_N_BINS];

  memset (bins, 0xff, sizeof bins);
  amphisto_histogram_count (frame, channel, bins);
  g_assert_cmpmem (
      bins, sizeof bins, expected, AMPHISTO_N_BINS * sizeof *expected);
}

static void
test_count_grey (void)
{
  /* two rows of three samples, and padding (99), which is not counted */
  uint8_t bytes[] = { 0, 255, 7, 99, 7, 7, 0, 99 };
  const AmphistoLayout layout = { .n_planes = 1,
    .plane = { { 3, 2 } },
    .channels = LUMA,
    .component = { [AMPHISTO_CHANNEL_LUMA] = { 0, 0, 1, 3, 2 } } };
  const AmphistoFrame frame = { .layout = &layout, .plane = { { bytes, 4 } } };

  assert_bins (&frame, AMPHISTO_CHANNEL_LUMA,
      (uint32_t[AMPHISTO_N_BINS]){ [0] = 2, [7] = 3, [255] = 1 });
}

static void
test_count_packed (void)
{
  /* YUY2, three pixels wide: there is no fourth Y (99) */
  uint8_t bytes[] = { 1, 101, 2, 201, 3, 102, 99, 202 };
  const AmphistoLayout layout = { .n_planes = 1,
    .plane = { { 8, 1 } },
    .component = { [AMPHISTO_CHANNEL_LUMA] = { 0, 0, 2, 3, 1 },
        [AMPHISTO_CHANNEL_U] = { 0, 1, 4, 2, 1 },
        [AMPHISTO_CHANNEL_V] = { 0, 3, 4, 2, 1 } } };
  const AmphistoFrame frame = { .layout = &layout, .plane = { { bytes, 8 } } };

  assert_bins (&frame, AMPHISTO_CHANNEL_LUMA,
      (uint32_t[AMPHISTO_N_BINS]){ [1] = 1, [2] = 1, [3] = 1 });
  assert_bins (&frame, AMPHISTO_CHANNEL_U,
      (uint32_t[AMPHISTO_N_BINS]){ [101] = 1, [102] = 1 });
  assert_bins (&frame, AMPHISTO_CHANNEL_V,
      (uint32_t[AMPHISTO_N_BINS]){ [201] = 1, [202] = 1 });
}

static void
test_count_rgb (void)
{
  /* BGRx: black, white, red, green, blue; BT.709 */
  uint8_t bytes[] = { 0, 0, 0, 99, 255, 255, 255, 99, 0, 0, 255, 99, 0, 255, 0,
    99, 255, 0, 0, 99 };
  const AmphistoLayout layout = { .n_planes = 1,
    .plane = { { 20, 1 } },
    .component = { [AMPHISTO_CHANNEL_LUMA] = { .width = 5, .height = 1 },
        [AMPHISTO_CHANNEL_RED] = { 0, 2, 4, 5, 1 },
        [AMPHISTO_CHANNEL_GREEN] = { 0, 1, 4, 5, 1 },
        [AMPHISTO_CHANNEL_BLUE] = { 0, 0, 4, 5, 1 } },
    .is_rgb = true,
    .weights = { 13933, 46871, 4732 } };
  const AmphistoFrame frame = { .layout = &layout, .plane = { { bytes, 20 } } };

  /* 0.2126, 0.7152 and 0.0722 of 255: 54.2, 182.4, 18.4 */
  assert_bins (&frame, AMPHISTO_CHANNEL_LUMA,
      (uint32_t[AMPHISTO_N_BINS]){
          [0] = 1, [255] = 1, [54] = 1, [182] = 1, [18] = 1 });
  for (AmphistoChannel c = AMPHISTO_CHANNEL_RED; c <= AMPHISTO_CHANNEL_BLUE;
       c++)
    assert_bins (&frame, c, (uint32_t[AMPHISTO_N_BINS]){ [0] = 3, [255] = 2 });
}

/* Luma is rounded half up. The luma of grey is the same grey, with all weights.
 */
static void
test_rgb_luma (void)
{
  const uint32_t halves[3] = { 32768, 32768, 0 };
  const uint32_t bt601[3] = { 19595, 38470, 7471 };

  g_assert_cmpuint (amphisto_rgb_luma (halves, 1, 0, 0), ==, 1);
  g_assert_cmpuint (amphisto_rgb_luma (halves, 1, 1, 255), ==, 1);
  g_assert_cmpuint (amphisto_rgb_luma (halves, 2, 1, 0), ==, 2);
  for (unsigned v = 0; v < AMPHISTO_N_BINS; v++)
    g_assert_cmpuint (amphisto_rgb_luma (bt601, v, v, v), ==, v);
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/statistics/empty", test_empty);
  g_test_add_func ("/statistics/single-value", test_single_value);
  g_test_add_func ("/statistics/two-values", test_two_values);
  g_test_add_func ("/statistics/uniform", test_uniform);
  g_test_add_func ("/statistics/many-samples", test_many_samples);
  g_test_add_func ("/statistics/median", test_median);
  g_test_add_func ("/statistics/share", test_share);
  g_test_add_func ("/statistics/percentile", test_percentile);
  g_test_add_func ("/count/grey", test_count_grey);
  g_test_add_func ("/count/packed", test_count_packed);
  g_test_add_func ("/count/rgb", test_count_rgb);
  g_test_add_func ("/count/rgb-luma", test_rgb_luma);
  return g_test_run ();
}
