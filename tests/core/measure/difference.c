/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A frame compared with the previous one, against cases worked out by hand.
 */

#include "core/measure/difference.h"
#include "channels.h"
#include "layouts.h"
#include "suite.h"

#include <string.h>

#define WIDTH 3
#define HEIGHT 2

/* The sums of the differences of two frames to the one before, of luma and of
 * the picture. Without a previous one, the copies are written and not read. */
static void
test_sums (void)
{
  const struct
  {
    AmphistoLayout layout;
    uint32_t padding;
    AmphistoRegion region;
    uint8_t first[24], second[24];
    uint64_t luma, picture;
  } cases[] = {
    { grey_layout (WIDTH, HEIGHT), 1, { 0, 0, WIDTH, HEIGHT },
        { 0, 1, 2, 99, 253, 254, 255, 99 }, { 255, 1, 0, 7, 253, 255, 0, 7 },
        255 + 2 + 1 + 255, 255 + 2 + 1 + 255 },
    { grey_layout (WIDTH, HEIGHT), 0, { 1, 0, 2, 2 }, { 1, 2, 3, 4, 5, 6 },
        { 90, 2, 13, 90, 5, 16 }, 20, 20 },
    /* red and blue change places, and green gets brighter */
    { rgb_layout (WIDTH, HEIGHT), 0, { 0, 0, WIDTH, HEIGHT }, { 200, 10, 0 },
        { 0, 20, 200 },
        (19595 * 200 + 38470 * 10 + 32768) / 65536
            - (38470 * 20 + 7471 * 200 + 32768) / 65536,
        200 + 10 + 200 },
    /* a U of two pixels, of which one is in the region, and a V beside it */
    { yuv_layout (WIDTH, HEIGHT, 1, 1), 0, { 1, 0, 1, 2 },
        { 1, 2, 3, 4, 5, 6, 50, 60, 70, 80 },
        { 9, 1, 9, 9, 8, 9, 57, 90, 50, 90 }, 1 + 3, 1 + 3 + 7 + 20 },
    /* alpha, and luma and chroma beside the region, do not count */
    { packed_layout ("AYUV", WIDTH, HEIGHT), 0, { 0, 0, 1, 1 }, { 1, 2, 3, 4 },
        { 99, 3, 13, 104, 99, 99, 99, 99 }, 1, 1 + 10 + 100 },
    { packed_layout ("YUYV", 4, 1), 0, { 1, 0, 2, 1 },
        { 10, 20, 30, 40, 50, 60, 70, 80 }, { 0, 21, 32, 44, 58, 76, 0, 144 },
        2 + 8, 2 + 8 + 1 + 4 + 16 + 64 },
  };

  for (guint i = 0; IS_ROW (cases, i); i++) {
    const AmphistoLayout *layout = &cases[i].layout;
    const AmphistoFrame first =
        frame_in (layout, cases[i].first, cases[i].padding);
    const AmphistoFrame second =
        frame_in (layout, cases[i].second, cases[i].padding);
    uint64_t picture = 0;
    AmphistoLayout part;

    amphisto_layout_crop (layout, &cases[i].region, &part);

    const AmphistoFrame old = amphisto_frame_crop (&first, &part);
    const AmphistoFrame new = amphisto_frame_crop (&second, &part);

    for (guint c = 0; c < AMPHISTO_N_CHANNELS; c++) {
      const gboolean is_of_picture =
          (amphisto_picture_channels (layout) & AMPHISTO_CHANNEL_BIT (c)) != 0;
      uint8_t previous[WIDTH * HEIGHT] = { 9, 9, 9, 9, 9, 9 };
      uint64_t sum;

      if (c != AMPHISTO_CHANNEL_LUMA && !is_of_picture)
        continue;
      g_assert_cmpuint (
          amphisto_difference_update (&old, c, true, previous), ==, 0);
      sum = amphisto_difference_update (&new, c, false, previous);
      if (c == AMPHISTO_CHANNEL_LUMA)
        g_assert_cmpuint (sum, ==, cases[i].luma);
      if (is_of_picture)
        picture += sum;
      g_assert_cmpuint (
          amphisto_difference_update (&new, c, false, previous), ==, 0);
    }
    g_assert_cmpuint (picture, ==, cases[i].picture);
  }
}

/* --- what the kernel compares --- */

/* Bytes of the same items are compared at once. Luma is among them in items of
 * three and four bytes, and of RGB it is only compared if it is asked for. */
static void
test_params (void)
{
  const struct
  {
    AmphistoLayout layout;
    bool is_luma_apart;
    uint32_t n;
    bytes_params bytes[AMPHISTO_MAX_COMPARED];
  } cases[] = {
    { grey_layout (8, 4), true, 0, { { 0 } } },
    { yuv_layout (8, 4, 1, 1), true, 2,
        { { 1, 0, 4, 2, ~0u }, { 2, 0, 4, 2, ~0u } } },
    { packed_layout ("YUYV", 8, 4), true, 1, { { 0, 0, 16, 4, 0xff00ff00 } } },
    { packed_layout ("UYVY", 8, 4), true, 1, { { 0, 0, 16, 4, 0x00ff00ff } } },
    { packed_layout ("AYUV", 8, 4), false, 1, { { 0, 0, 32, 4, 0xffffff00 } } },
    { packed_layout ("RGBx", 8, 4), false, 1, { { 0, 0, 32, 4, 0x00ffffff } } },
    { rgb_layout (8, 4), false, 1, { { 0, 0, 24, 4, ~0u } } },
  };

  for (guint i = 0; IS_ROW (cases, i); i++)
    for (guint asked = 1; asked < 4; asked++) {
      const bool luma = asked & 1, picture = asked & 2;
      const guint32 n = picture ? cases[i].n : 0;
      frame_params params = { .n_compared = 99 };

      amphisto_difference_fill_params (
          &cases[i].layout, luma, picture, &params);
      g_assert_cmpuint (
          params.compares_luma, ==, luma || cases[i].is_luma_apart);
      g_assert_cmpmem (params.compared,
          params.n_compared * sizeof (bytes_params), cases[i].bytes,
          n * sizeof (bytes_params));
      g_assert_cmpuint (
          amphisto_difference_of_picture (&cases[i].layout, 3, 40), ==,
          cases[i].is_luma_apart ? 43 : 40);
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
  { "/params", test_params },
  { "/compare/numbers", test_compare },
  { "/compare/extremes", test_extremes },
  { 0 },
};
