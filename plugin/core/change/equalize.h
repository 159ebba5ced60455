/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Global histogram equalization, matching and stretching in plain C: the
 * reference for cl/change/equalize.cl.
 */

#pragma once

#include "core/change/chroma.h"

#include <math.h>

/* Value `i` of a LUT of this strength, 0 to 1, that maps i to `value` at full
 * strength: rint (i + strength * float (value - i)). */
static inline uint8_t
amphisto_equalize_move (float strength, int32_t i, int32_t value)
{
  const float move = strength * (float) (value - i);

  return (uint8_t) rintf ((float) i + move);
}

/* Stores the LUT that spreads the histogram `bins` over [lo, hi]. With h the
 * bins, n their sum, and i0 the smallest value that occurs, in float32, each
 * operation rounded half to even:
 *
 *   scale = float (hi - lo) / float (n - h[i0])
 *   LUT[i] = lo for i <= i0
 *   LUT[i] = lo + rint (float (h[i0 + 1] + ... + h[i]) * scale) for others
 *
 * or the identity if all samples are equal. `strength`, 0 to 1, then blends it
 * with the identity: rint (i + strength * float (LUT[i] - i)). With [0, 255]
 * and strength 1 the LUT equals that of OpenCV's equalizeHist, bit for bit. */
void amphisto_equalize_lut (const uint32_t bins[AMPHISTO_N_BINS], uint8_t lo,
    uint8_t hi, float strength, uint8_t lut[AMPHISTO_N_BINS]);

/* Stores the LUT that gives luma the distribution of `match_bins`, a histogram
 * of 1 to 2^32 - 1 samples: LUT[i] is the smallest v, clamped to [lo, hi], with
 *
 *   CDF (v) of match_bins / their sum >= CDF (i) of bins / their sum
 *
 * or the identity if all samples are equal. `strength` as above. */
void amphisto_match_lut (const uint32_t bins[AMPHISTO_N_BINS],
    const uint32_t match_bins[AMPHISTO_N_BINS], uint8_t lo, uint8_t hi,
    float strength, uint8_t lut[AMPHISTO_N_BINS]);

/* Stores the LUT that spreads luma linearly over [lo, hi]. With h the bins, n
 * their sum, a the smallest value with h[0] + ... + h[a] > low, and b the
 * greatest with h[b] + ... + h[255] > high, in float32, each operation rounded
 * half to even:
 *
 *   scale = float (hi - lo) / float (b - a)
 *   LUT[i] = lo + rint (float (clamp (i, a, b) - a) * scale)
 *
 * or the identity unless a < b. `low` and `high`: how many of the darkest and
 * brightest samples may be clipped. `strength` as above. */
void amphisto_stretch_lut (const uint32_t bins[AMPHISTO_N_BINS], uint32_t low,
    uint32_t high, uint8_t lo, uint8_t hi, float strength,
    uint8_t lut[AMPHISTO_N_BINS]);

/* Gives pixel (x, y) the luma `value`. Grey and YUV: sets Y. RGB: R, G and B
 * become `value` plus their difference from luma, scaled by `gain`; see
 * amphisto_chroma_scale(). Each is clamped to 0 to 255. */
void amphisto_frame_set_luma (const AmphistoFrame *frame, uint32_t x,
    uint32_t y, uint8_t value, uint32_t gain);

/* Returns: amphisto_chroma_budget() of luma that becomes lut[Y]. */
uint32_t amphisto_equalize_budget (
    const AmphistoFrame *source, const uint8_t lut[AMPHISTO_N_BINS]);

/* Writes `source`, equalized, to `target`, which has the same layout and may be
 * the same frame: each pixel gets the luma lut[Y], as by
 * amphisto_frame_set_luma(). Writes whole rows of the planes that hold luma, or
 * R, G and B, with the source's alpha, packed chroma and padding bytes. Leaves
 * other planes alone. */
void amphisto_equalize_apply (const AmphistoFrame *source,
    const AmphistoFrame *target, const uint8_t lut[AMPHISTO_N_BINS],
    uint32_t gain);

/* Copies the planes of luma, or of R, G and B, unless `target` is `source`. */
void amphisto_equalize_copy (
    const AmphistoFrame *source, const AmphistoFrame *target);
