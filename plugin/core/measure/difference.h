/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * How far luma of a frame is from luma of the previous one, in plain C: the
 * reference for cl/measure/difference.cl.
 */

#pragma once

#include "core/measure/histogram.h"

/* Returns the sum of the absolute differences between luma of the frame's
 * pixels and `previous`, which it replaces by luma: a byte for each pixel, row
 * by row. is_new: there is no previous frame; the sum is 0. */
uint64_t amphisto_difference_update (
    const AmphistoFrame *frame, bool is_new, uint8_t *previous);

/* Stores the comparison of a frame with the previous one, by the sum of the
 * differences and by luma's `bins`, which replace those of the previous frame.
 * is_new: there is no previous frame. */
void amphisto_difference_compare (uint64_t sum,
    const uint32_t bins[AMPHISTO_N_BINS], bool is_new,
    uint32_t previous[AMPHISTO_N_BINS], AmphistoComparison *comparison);
