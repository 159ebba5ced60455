/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Global histogram equalization, and matching, in plain C: the reference that
 * the kernels are held against.
 */

#ifndef AMPHISTO_CORE_EQUALIZE_H
#define AMPHISTO_CORE_EQUALIZE_H

#include "core/frame.h"

/* The LUT that spreads the distribution `bins` over [lo, hi]. With i0 the
 * smallest value that occurs, n samples, and h the bins, in float32, each
 * operation rounded half to even:
 *
 *   scale = float (hi - lo) / float (n - h[i0])
 *   LUT[i] = lo for i <= i0
 *   LUT[i] = lo + rint (float (h[i0 + 1] + ... + h[i]) * scale) for others
 *
 * and the identity where all samples are equal; then, with `strength` 0 to 1,
 * rint (i + strength * float (LUT[i] - i)). With [0, 255] and strength 1 it is
 * OpenCV's equalizeHist, bit for bit. */
void amphisto_equalize_lut (const uint32_t bins[AMPHISTO_N_BINS], uint8_t lo,
    uint8_t hi, float strength, uint8_t lut[AMPHISTO_N_BINS]);

/* The LUT that gives luma the distribution `reference`, in sum 1 to 2^32 - 1:
 * LUT[i] is the smallest value up to which `reference` has as great a share of
 * its samples as `bins` has up to i; then `strength` as above. */
void amphisto_match_lut (const uint32_t bins[AMPHISTO_N_BINS],
    const uint32_t reference[AMPHISTO_N_BINS], float strength,
    uint8_t lut[AMPHISTO_N_BINS]);

/* Gives pixel (x, y) the luma `value`. Grey and YUV: Y becomes it. RGB: with d
 * what luma changes by, R, G and B become clamp (c + d, 0, 255). */
void amphisto_frame_set_luma (
    const AmphistoFrame *frame, uint32_t x, uint32_t y, uint8_t value);

/* Writes `source`, equalized, to `target` (of the same layout; it may be the
 * same frame): each pixel gets the luma lut[Y]. Of the planes that are changed
 * whole rows are written, alpha, chroma and padding within pixels as in the
 * source; the other planes are left alone. */
void amphisto_equalize_apply (const AmphistoFrame *source,
    const AmphistoFrame *target, const uint8_t lut[AMPHISTO_N_BINS]);

/* The planes that equalization changes, a bit each. */
uint32_t amphisto_equalize_planes (const AmphistoLayout *layout);

/* Copies those, where `target` is not `source` itself. */
void amphisto_equalize_copy (
    const AmphistoFrame *source, const AmphistoFrame *target);

#endif
