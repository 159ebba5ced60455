/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Luma of a frame compared with the previous one, against cases worked out by
 * hand.
 */

#include "core/measure/difference.h"
#include "layouts.h"
#include "suite.h"

#include <string.h>

#define WIDTH 3
#define HEIGHT 2

/* The sums of the differences of two frames to the one before. Without one, the
 * copy of luma is written and not read. */
static void
test_sums (void)
{
  const struct
  {
    AmphistoLayout layout;
    uint32_t padding;
    AmphistoRegion region;
    uint8_t first[18], second[18];
    uint64_t sum;
  } cases[] = {
    { grey_layout (WIDTH, HEIGHT), 1, { 0, 0, WIDTH, HEIGHT },
        { 0, 1, 2, 99, 253, 254, 255, 99 }, { 255, 1, 0, 7, 253, 255, 0, 7 },
        255 + 2 + 1 + 255 },
    { grey_layout (WIDTH, HEIGHT), 0, { 1, 0, 2, 2 }, { 1, 2, 3, 4, 5, 6 },
        { 90, 2, 13, 90, 5, 16 }, 20 },
    /* red and blue change places, and green gets brighter: luma is compared,
     * not R, G and B */
    { rgb_layout (WIDTH, HEIGHT), 0, { 0, 0, WIDTH, HEIGHT }, { 200, 10, 0 },
        { 0, 20, 200 },
        (19595 * 200 + 38470 * 10 + 32768) / 65536
            - (38470 * 20 + 7471 * 200 + 32768) / 65536 },
  };

  for (guint i = 0; IS_ROW (cases, i); i++) {
    const AmphistoLayout *layout = &cases[i].layout;
    const AmphistoFrame first =
        frame_in (layout, cases[i].first, cases[i].padding);
    const AmphistoFrame second =
        frame_in (layout, cases[i].second, cases[i].padding);
    uint8_t previous[WIDTH * HEIGHT] = { 9, 9, 9, 9, 9, 9 };
    AmphistoLayout part;
    AmphistoFrame frame;

    amphisto_layout_crop (layout, &cases[i].region, &part);
    frame = amphisto_frame_crop (&first, &part);
    g_assert_cmpuint (
        amphisto_difference_update (&frame, true, previous), ==, 0);
    frame = amphisto_frame_crop (&second, &part);
    g_assert_cmpuint (
        amphisto_difference_update (&frame, false, previous), ==, cases[i].sum);
    g_assert_cmpuint (
        amphisto_difference_update (&frame, false, previous), ==, 0);
  }
}

/* --- the numbers --- */

static AmphistoComparison
compare (uint64_t sum, const uint32_t bins[AMPHISTO_N_BINS], bool is_new,
    uint32_t previous[AMPHISTO_N_BINS])
{
  AmphistoComparison comparison;

  memset (&comparison, 0xff, sizeof comparison);
  amphisto_difference_compare (sum, bins, is_new, previous, &comparison);
  g_assert_cmpmem (previous, AMPHISTO_N_BINS * sizeof *bins, bins,
      AMPHISTO_N_BINS * sizeof *bins);
  return comparison;
}

static void
test_compare (void)
{
  uint32_t bins[AMPHISTO_N_BINS] = { [10] = 3, [20] = 5 };
  uint32_t previous[AMPHISTO_N_BINS] = { [7] = 100000 };
  AmphistoComparison comparison = compare (5, bins, true, previous);

  g_assert_false (comparison.has_previous);

  /* two samples move by 4 and 100 levels; others change places */
  bins[10]--;
  bins[14]++;
  bins[20]--;
  bins[120]++;
  comparison = compare (42, bins, false, previous);
  g_assert_true (comparison.has_previous);
  g_assert_cmpfloat (comparison.difference, ==, 42.0 / 8);
  g_assert_cmpfloat (comparison.distance, ==, 104.0 / 8);

  comparison = compare (0, bins, false, previous);
  g_assert_true (comparison.has_previous);
  g_assert_cmpfloat (comparison.difference, ==, 0);
  g_assert_cmpfloat (comparison.distance, ==, 0);
}

/* All of 2^28 samples change from black to white. */
static void
test_extremes (void)
{
  const uint32_t black[AMPHISTO_N_BINS] = { [0] = 1u << 28 };
  const uint32_t white[AMPHISTO_N_BINS] = { [255] = 1u << 28 };
  uint32_t previous[AMPHISTO_N_BINS];
  AmphistoComparison comparison;

  compare (0, black, true, previous);
  comparison = compare (255ull << 28, white, false, previous);
  g_assert_cmpfloat (comparison.difference, ==, 255);
  g_assert_cmpfloat (comparison.distance, ==, 255);
}

const CoreTest core_tests[] = {
  { "/sums", test_sums },
  { "/compare/numbers", test_compare },
  { "/compare/extremes", test_extremes },
  { 0 },
};
