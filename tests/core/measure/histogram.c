/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Counting, against cases worked out by hand.
 */

#include "channels.h"
#include "core/measure/histogram.h"
#include "layouts.h"
#include "suite.h"

#include <string.h>

/* Padding, and samples that belong to no pixel (99), are not counted. */
static void
test_count (void)
{
  const struct
  {
    AmphistoLayout layout;
    uint32_t padding;
    uint8_t bytes[20];
    AmphistoChannelMask channels; /* with these bins */
    uint32_t bins[AMPHISTO_N_BINS];
  } cases[] = {
    { grey_layout (3, 2), 1, { 0, 255, 7, 99, 7, 7, 0, 99 }, LUMA,
        { [0] = 2, [7] = 3, [255] = 1 } },
    { packed_layout ("YUYV", 3, 1), 0, { 1, 101, 2, 201, 3, 102, 99, 202 },
        LUMA, { [1] = 1, [2] = 1, [3] = 1 } },
    { packed_layout ("YUYV", 3, 1), 0, { 1, 101, 2, 201, 3, 102, 99, 202 },
        AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_U), { [101] = 1, [102] = 1 } },
    { packed_layout ("YUYV", 3, 1), 0, { 1, 101, 2, 201, 3, 102, 99, 202 },
        AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_V), { [201] = 1, [202] = 1 } },
    /* black, white, red, green and blue: 0.299, 0.587 and 0.114 of 255 are
     * 76.2, 149.7 and 29.1 */
    { packed_layout ("BGRx", 5, 1), 0,
        { 0, 0, 0, 99, 255, 255, 255, 99, 0, 0, 255, 99, 0, 255, 0, 99, 255, 0,
            0, 99 },
        LUMA, { [0] = 1, [255] = 1, [76] = 1, [150] = 1, [29] = 1 } },
    { packed_layout ("BGRx", 5, 1), 0,
        { 0, 0, 0, 99, 255, 255, 255, 99, 0, 0, 255, 99, 0, 255, 0, 99, 255, 0,
            0, 99 },
        RGB, { [0] = 3, [255] = 2 } },
  };

  for (guint i = 0; IS_ROW (cases, i); i++)
    for (guint c = 0; c < AMPHISTO_N_CHANNELS; c++) {
      const AmphistoFrame frame =
          frame_in (&cases[i].layout, cases[i].bytes, cases[i].padding);
      uint32_t bins[AMPHISTO_N_BINS];

      if (!(cases[i].channels & AMPHISTO_CHANNEL_BIT (c)))
        continue;
      memset (bins, 0xff, sizeof bins);
      amphisto_histogram_count (&frame, c, bins);
      g_assert_cmpmem (bins, sizeof bins, cases[i].bins, sizeof bins);
    }
}

const CoreTest core_tests[] = {
  { "/count", test_count },
  { 0 },
};
