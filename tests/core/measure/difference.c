/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Luma of a frame compared with the previous one, against cases worked out by
 * hand.
 */

#include "channels.h"
#include "core/measure/difference.h"
#include "layouts.h"
#include "suite.h"

#include <string.h>

#define WIDTH 3
#define HEIGHT 2
#define STRIDE 16

/* The sum of the differences between a frame with these bytes and `previous`.
 */
static uint64_t
update (const AmphistoLayout *layout, const uint8_t bytes[HEIGHT][STRIDE],
    bool is_new, uint8_t previous[WIDTH * HEIGHT])
{
  const AmphistoFrame frame = { .layout = layout,
    .plane = { { (uint8_t *) bytes, STRIDE } } };

  return amphisto_difference_update (&frame, is_new, previous);
}

/* Without a previous frame, the copy is written and not read. */
static void
test_grey (void)
{
  static const uint8_t first[HEIGHT][STRIDE] = { { 0, 1, 2, 99 },
    { 253, 254, 255, 99 } };
  static const uint8_t second[HEIGHT][STRIDE] = { { 255, 1, 0, 7 },
    { 253, 255, 0, 7 } };
  const AmphistoLayout layout = grey_layout (WIDTH, HEIGHT);
  uint8_t previous[WIDTH * HEIGHT] = { 9, 9, 9, 9, 9, 9 };

  g_assert_cmpuint (update (&layout, first, true, previous), ==, 0);
  for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
    g_assert_cmpuint (previous[i], ==, first[i / WIDTH][i % WIDTH]);
  g_assert_cmpuint (
      update (&layout, second, false, previous), ==, 255 + 2 + 1 + 255);
  g_assert_cmpuint (update (&layout, second, false, previous), ==, 0);
}

/* Red and blue change places, and green gets brighter: luma is compared, not R,
 * G and B. */
static void
test_rgb (void)
{
  static const uint8_t first[HEIGHT][STRIDE] = { { 200, 10, 0 } };
  static const uint8_t second[HEIGHT][STRIDE] = { { 0, 20, 200 } };
  const AmphistoLayout layout = rgb_layout (WIDTH, HEIGHT);
  const unsigned before = (19595 * 200 + 38470 * 10 + 7471 * 0 + 32768) / 65536;
  const unsigned after = (19595 * 0 + 38470 * 20 + 7471 * 200 + 32768) / 65536;
  uint8_t previous[WIDTH * HEIGHT];

  update (&layout, first, true, previous);
  g_assert_cmpuint (previous[0], ==, before);
  g_assert_cmpuint (
      update (&layout, second, false, previous), ==, before - after);
}

static void
test_part (void)
{
  static const uint8_t first[HEIGHT][STRIDE] = { { 1, 2, 3 }, { 4, 5, 6 } };
  static const uint8_t second[HEIGHT][STRIDE] = { { 90, 2, 13 },
    { 90, 5, 16 } };
  const AmphistoLayout layout = grey_layout (WIDTH, HEIGHT);
  const AmphistoRegion region = { 1, 0, 2, 2 };
  uint8_t previous[WIDTH * HEIGHT];
  AmphistoLayout part;

  amphisto_layout_crop (&layout, &region, &part);
  for (unsigned i = 0; i < 2; i++) {
    const AmphistoFrame frame = { .layout = &layout,
      .plane = { { (uint8_t *) (i == 0 ? first : second), STRIDE } } };
    const AmphistoFrame cropped = amphisto_frame_crop (&frame, &part);

    g_assert_cmpuint (amphisto_difference_update (&cropped, i == 0, previous),
        ==, i == 0 ? 0 : 20);
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
  { "/sum/grey", test_grey },
  { "/sum/rgb", test_rgb },
  { "/sum/part", test_part },
  { "/compare/numbers", test_compare },
  { "/compare/extremes", test_extremes },
  { NULL },
};
