/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/change/chroma.h"
#include "core/change/equalize.h"
#include "core/pixels/arithmetic.h"
#include "core/pixels/channels.h"
#include "core/pixels/samples.h"

#include <stdlib.h>

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

/* --- the gamut budget --- */

/* Returns: red, green or blue of the pixel, of YUV in luma's range. 256 * 255
 * keeps the dividend positive, so that the division rounds down. */
static int32_t
find_code (
    const AmphistoFrame *frame, AmphistoChannel channel, uint32_t x, uint32_t y)
{
  const AmphistoLayout *layout = frame->layout;
  int32_t c;

  if (layout->is_rgb)
    return *amphisto_frame_sample (frame, &layout->component[channel], x, y);
  c = amphisto_frame_unclamped (frame, channel, x, y);
  return layout->lo > 0 ? (219 * c + 4207 + 256 * 255) / 255 - 256 : c;
}

/* Returns: the greatest gain that does not clip the pixel, whose luma becomes
 * `equalized`. */
static uint32_t
find_limit (
    const AmphistoFrame *frame, uint32_t x, uint32_t y, int32_t equalized)
{
  const AmphistoLayout *layout = frame->layout;
  const int32_t lo = layout->is_rgb ? 0 : layout->lo;
  const int32_t hi = layout->is_rgb ? 255 : layout->hi;
  const int32_t luma = amphisto_frame_luma (frame, x, y);
  int32_t limit = AMPHISTO_MAX_GAIN;

  for (unsigned c = AMPHISTO_CHANNEL_RED; c <= AMPHISTO_CHANNEL_BLUE; c++) {
    const int32_t d = find_code (frame, c, x, y) - luma;
    const int32_t room = d > 0 ? hi - equalized : equalized - lo;

    if (d != 0)
      limit = MIN (limit, AMPHISTO_UNIT_GAIN * MAX (room, 0) / abs (d));
  }
  return (uint32_t) limit;
}

uint32_t
amphisto_chroma_budget (
    const AmphistoFrame *source, AmphistoProbedLuma equalized)
{
  const AmphistoComponent *luma = amphisto_layout_luma (source->layout);
  uint32_t counts[AMPHISTO_MAX_GAIN + 1] = { 0 };
  uint32_t clipped = 0;
  uint32_t budget = AMPHISTO_UNIT_GAIN;

  for (uint32_t j = 0; j < AMPHISTO_PROBE_ROWS; j++)
    for (uint32_t i = 0; i < AMPHISTO_PROBE_ROWS; i++)
      counts[find_limit (source, amphisto_chroma_probe (i, luma->width),
          amphisto_chroma_probe (j, luma->height), equalized[j][i])]++;
  while (budget < AMPHISTO_MAX_GAIN && clipped <= AMPHISTO_MAX_CLIPPED)
    clipped += counts[++budget];
  return budget;
}

void
amphisto_chroma_limit_gain (
    AmphistoColours *colours, uint32_t gain, uint32_t budget)
{
  amphisto_smooth_bins (
      colours->smoothing, 1, &budget, &colours->mean_budget, &budget);
  colours->gain = MIN (gain, budget);
}

/* --- U and V --- */

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
