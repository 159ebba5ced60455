/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Chroma that keeps up with the contrast of equalized luma, in plain C: the
 * reference for cl/change/chroma.cl.
 */

#pragma once

#include "core/pixels/frame.h"

/* A difference from grey, -255 to 255, times `gain` in 1/256: rounded, halves
 * away from zero. */
static inline int32_t
amphisto_chroma_scale (int32_t difference, uint32_t gain)
{
  const int32_t n = (int32_t) gain;

  return difference < 0 ? -((-difference * n + 128) >> 8)
                        : (difference * n + 128) >> 8;
}

/* Returns: how much more contrast luma has after equalization, in 1/256:
 * AMPHISTO_UNIT_GAIN to AMPHISTO_MAX_GAIN. Luma of `bins[t]` is mapped by
 * luts[t] for each of n tiles, or for n = 1 in the whole picture; `strength`, 0
 * to 1, blends the LUTs with the identity. With f the blended LUTs, and sums
 * over all tiles, in integers of 64 bits:
 *
 *   N = sum bins[i]
 *   m = (16 sum bins[i] i + N / 2) / N
 *   D = sum bins[i] |16 i - m|
 *
 * m' and D' likewise with f[i] for i; the gain is (256 D' + D / 2) / D. Without
 * contrast, D = 0, it is AMPHISTO_UNIT_GAIN. */
uint32_t amphisto_chroma_gain (size_t n, const uint32_t bins[][AMPHISTO_N_BINS],
    const uint8_t luts[][AMPHISTO_N_BINS], float strength);

/* Stores the LUT for U and V: 128 plus the scaled difference from 128. It
 * leaves the range of chroma no further than the original sample did. */
void amphisto_chroma_lut (
    const AmphistoLayout *layout, uint32_t gain, uint8_t lut[AMPHISTO_N_BINS]);

/* Writes U and V of `source`, scaled by `gain`, to `target`, which has the same
 * layout and may be the same frame. Leaves other bytes alone. */
void amphisto_chroma_apply (
    const AmphistoFrame *source, const AmphistoFrame *target, uint32_t gain);

/* The planes of U and V, bit p for plane p; 0 for grey and RGB. */
uint32_t amphisto_chroma_planes (const AmphistoLayout *layout);
