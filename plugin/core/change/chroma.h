/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Chroma that keeps up with the contrast of equalized luma, as far as colours
 * stay within the gamut, in plain C: the reference for cl/change/chroma.cl.
 */

#pragma once

#include "core/change/smooth.h"
#include "core/pixels/frame.h"

/* The gain of colours, and the temporal mean of the gamut budget. */
typedef struct
{
  AmphistoSmoothing smoothing; /* how this frame updates the mean */
  float mean_budget;
  uint32_t gain;
} AmphistoColours;

/* Luma that equalization writes to the probes: to pixels of 64 rows, row by
 * row; see amphisto_chroma_probe(). */
typedef uint8_t AmphistoProbedLuma[AMPHISTO_PROBE_ROWS][AMPHISTO_PROBE_ROWS];

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

/* Returns: the pixels' column for column i of the probes, or their row for row
 * i, in a frame of `size` columns or rows. */
static inline uint32_t
amphisto_chroma_probe (uint32_t i, uint32_t size)
{
  return (uint32_t) ((uint64_t) (2 * i + 1) * size / (2 * AMPHISTO_PROBE_ROWS));
}

/* Returns: the gamut budget of a frame: the greatest gain, AMPHISTO_UNIT_GAIN
 * to AMPHISTO_MAX_GAIN, that clips no more than AMPHISTO_MAX_CLIPPED probes
 * which AMPHISTO_UNIT_GAIN does not clip. A probe is clipped by gains above its
 * limit. With y its luma, y' its equalized luma, c' its red, green or blue, in
 * luma's range and not clamped, and [lo, hi] the range of luma, or 0 to 255 of
 * RGB:
 *
 *   d = c' - y
 *   r = hi - y' for d > 0, y' - lo for d < 0, at least 0
 *   limit = the least 256 r / |d|, rounded down, of the three, at most
 *           AMPHISTO_MAX_GAIN
 *
 * c' is a sample of RGB, or a colour c that is calculated from YUV: in full
 * range c, in limited range (219 c + 4207) / 255, rounded down. */
uint32_t amphisto_chroma_budget (
    const AmphistoFrame *source, AmphistoProbedLuma equalized);

/* Updates the mean of the budget, as amphisto_smooth_bins() updates a bin's,
 * and sets the gain: `gain`, but at most the rounded mean. */
void amphisto_chroma_limit_gain (
    AmphistoColours *colours, uint32_t gain, uint32_t budget);

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
