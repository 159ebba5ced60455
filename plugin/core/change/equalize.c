/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/change/equalize.h"
#include "core/measure/statistics.h"
#include "core/pixels/arithmetic.h"
#include "core/pixels/samples.h"
#include "core/pixels/channels.h"

#include <math.h>

static void
fill_identity (uint8_t lut[AMPHISTO_N_BINS])
{
  for (int i = 0; i < AMPHISTO_N_BINS; i++)
    lut[i] = i;
}

void
amphisto_equalize_lut (const uint32_t bins[AMPHISTO_N_BINS], uint8_t lo,
    uint8_t hi, float strength, uint8_t lut[AMPHISTO_N_BINS])
{
  const uint64_t samples = amphisto_histogram_samples (bins);
  uint32_t sum = 0;
  unsigned first = 0;

  fill_identity (lut);
  while (first < AMPHISTO_N_BINS - 1 && bins[first] == 0)
    first++;
  if (samples == bins[first])
    return;

  const float scale =
      (float) (hi - lo) / (float) (uint32_t) (samples - bins[first]);

  for (unsigned i = 0; i < AMPHISTO_N_BINS; i++) {
    if (i > first)
      sum += bins[i];
    lut[i] = amphisto_equalize_move (
        strength, i, lo + (int32_t) rintf ((float) sum * scale));
  }
}

void
amphisto_match_lut (const uint32_t bins[AMPHISTO_N_BINS],
    const uint32_t match_bins[AMPHISTO_N_BINS], uint8_t lo, uint8_t hi,
    float strength, uint8_t lut[AMPHISTO_N_BINS])
{
  const uint64_t samples = amphisto_histogram_samples (bins);
  const uint64_t wanted = amphisto_histogram_samples (match_bins);
  uint64_t cdf = 0, match_cdf = match_bins[0];
  unsigned v = 0;

  fill_identity (lut);
  for (unsigned i = 0; i < AMPHISTO_N_BINS; i++)
    if (bins[i] == samples)
      return;
  for (unsigned i = 0; i < AMPHISTO_N_BINS; i++) {
    cdf += bins[i];
    while (match_cdf * samples < cdf * wanted)
      match_cdf += match_bins[++v];
    lut[i] = amphisto_equalize_move (strength, i, MIN (MAX (v, lo), hi));
  }
}

void
amphisto_stretch_lut (const uint32_t bins[AMPHISTO_N_BINS], uint32_t low,
    uint32_t high, uint8_t lo, uint8_t hi, float strength,
    uint8_t lut[AMPHISTO_N_BINS])
{
  uint64_t below = bins[0], above = bins[AMPHISTO_N_BINS - 1];
  int a = 0, b = AMPHISTO_N_BINS - 1;

  fill_identity (lut);
  while (below <= low && a < AMPHISTO_N_BINS - 1)
    below += bins[++a];
  while (above <= high && b > 0)
    above += bins[--b];
  if (a >= b)
    return;

  const float scale = (float) (hi - lo) / (float) (b - a);

  for (int i = 0; i < AMPHISTO_N_BINS; i++) {
    const int steps = MIN (MAX (i, a), b) - a;

    lut[i] = amphisto_equalize_move (
        strength, i, lo + (int32_t) rintf ((float) steps * scale));
  }
}

void
amphisto_frame_set_luma (const AmphistoFrame *frame, uint32_t x, uint32_t y,
    uint8_t value, uint32_t gain)
{
  const AmphistoLayout *layout = frame->layout;

  if (!layout->is_rgb) {
    *amphisto_frame_sample (frame, amphisto_layout_luma (layout), x, y) = value;
    return;
  }

  const int32_t luma = amphisto_frame_luma (frame, x, y);

  for (unsigned i = AMPHISTO_CHANNEL_RED; i <= AMPHISTO_CHANNEL_BLUE; i++) {
    uint8_t *sample =
        amphisto_frame_sample (frame, &layout->component[i], x, y);
    const int32_t moved = value + amphisto_chroma_scale (*sample - luma, gain);

    *sample = (uint8_t) MIN (MAX (moved, 0), 255);
  }
}

void
amphisto_equalize_copy (
    const AmphistoFrame *source, const AmphistoFrame *target)
{
  const uint32_t changed =
      amphisto_channel_planes (source->layout, AMPHISTO_CHANNEL_LUMA);

  for (uint32_t p = 0; p < source->layout->n_planes; p++)
    if (changed & 1u << p && source->plane[p].data != target->plane[p].data)
      amphisto_frame_copy_plane (source, target, p);
}

uint32_t
amphisto_equalize_budget (
    const AmphistoFrame *source, const uint8_t lut[AMPHISTO_N_BINS])
{
  const AmphistoComponent *luma = amphisto_layout_luma (source->layout);
  AmphistoProbedLuma equalized;

  for (uint32_t j = 0; j < AMPHISTO_PROBE_ROWS; j++)
    for (uint32_t i = 0; i < AMPHISTO_PROBE_ROWS; i++)
      equalized[j][i] = lut[amphisto_frame_luma (source,
          amphisto_chroma_probe (i, luma->width),
          amphisto_chroma_probe (j, luma->height))];
  return amphisto_chroma_budget (source, equalized);
}

void
amphisto_equalize_apply (const AmphistoFrame *source,
    const AmphistoFrame *target, const uint8_t lut[AMPHISTO_N_BINS],
    uint32_t gain)
{
  const AmphistoComponent *luma = amphisto_layout_luma (source->layout);

  amphisto_equalize_copy (source, target);
  for (uint32_t y = 0; y < luma->height; y++)
    for (uint32_t x = 0; x < luma->width; x++)
      amphisto_frame_set_luma (
          target, x, y, lut[amphisto_frame_luma (target, x, y)], gain);
}
