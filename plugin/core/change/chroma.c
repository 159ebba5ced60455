/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/change/chroma.h"
#include "core/change/equalize.h"
#include "core/pixels/arithmetic.h"
#include "core/pixels/channels.h"
#include "core/pixels/samples.h"

/* Returns: D', or D for strength 0. */
static uint64_t
find_spread (size_t n, const uint32_t bins[][AMPHISTO_N_BINS],
    const uint8_t luts[][AMPHISTO_N_BINS], float strength)
{
  uint64_t samples = 0, sum = 0, spread = 0;

  for (size_t t = 0; t < n; t++)
    for (unsigned i = 0; i < AMPHISTO_N_BINS; i++) {
      const uint8_t v = amphisto_equalize_move (strength, i, luts[t][i]);

      samples += bins[t][i];
      sum += (uint64_t) bins[t][i] * v;
    }

  const uint64_t mean = samples > 0 ? (16 * sum + samples / 2) / samples : 0;

  for (size_t t = 0; t < n; t++)
    for (unsigned i = 0; i < AMPHISTO_N_BINS; i++) {
      const uint64_t v = 16 * amphisto_equalize_move (strength, i, luts[t][i]);

      spread += bins[t][i] * (v > mean ? v - mean : mean - v);
    }
  return spread;
}

uint32_t
amphisto_chroma_gain (size_t n, const uint32_t bins[][AMPHISTO_N_BINS],
    const uint8_t luts[][AMPHISTO_N_BINS], float strength)
{
  const uint64_t before = find_spread (n, bins, luts, 0);
  const uint64_t after = find_spread (n, bins, luts, strength);

  if (before == 0)
    return AMPHISTO_UNIT_GAIN;

  const uint64_t gain = (AMPHISTO_UNIT_GAIN * after + before / 2) / before;

  return (uint32_t) MIN (MAX (gain, AMPHISTO_UNIT_GAIN), AMPHISTO_MAX_GAIN);
}

void
amphisto_chroma_lut (
    const AmphistoLayout *layout, uint32_t gain, uint8_t lut[AMPHISTO_N_BINS])
{
  const AmphistoRange range =
      amphisto_channel_range (layout, AMPHISTO_CHANNEL_U);

  for (int32_t c = 0; c < AMPHISTO_N_BINS; c++) {
    const int32_t scaled = 128 + amphisto_chroma_scale (c - 128, gain);

    lut[c] = (uint8_t) MIN (MAX (scaled, MIN (c, range.lo)), MAX (c, range.hi));
  }
}

void
amphisto_chroma_apply (
    const AmphistoFrame *source, const AmphistoFrame *target, uint32_t gain)
{
  const AmphistoLayout *layout = source->layout;
  uint8_t lut[AMPHISTO_N_BINS];

  if (amphisto_chroma_planes (layout) == 0)
    return;
  amphisto_chroma_lut (layout, gain, lut);
  for (unsigned i = AMPHISTO_CHANNEL_U; i <= AMPHISTO_CHANNEL_V; i++) {
    const AmphistoComponent *c = &layout->component[i];

    for (uint32_t y = 0; y < c->height; y++)
      for (uint32_t x = 0; x < c->width; x++)
        *amphisto_frame_sample (target, c, x, y) =
            lut[*amphisto_frame_sample (source, c, x, y)];
  }
}

uint32_t
amphisto_chroma_planes (const AmphistoLayout *layout)
{
  if (!amphisto_layout_is_yuv (layout))
    return 0;
  return amphisto_channel_planes (layout, AMPHISTO_CHANNEL_SATURATION);
}
