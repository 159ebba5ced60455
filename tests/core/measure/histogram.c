/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Counting, against cases worked out by hand.
 */

#include "channels.h"
#include "core/measure/histogram.h"
#include "suite.h"

#include <string.h>

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

const CoreTest core_tests[] = {
  { "/count/grey", test_count_grey },
  { "/count/packed", test_count_packed },
  { "/count/rgb", test_count_rgb },
  { NULL },
};
