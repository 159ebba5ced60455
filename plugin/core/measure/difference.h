/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * How far channels of a frame are from those of the previous one, in plain C:
 * the reference for cl/measure/difference.cl.
 */

#pragma once

#include "core/measure/histogram.h"

/* Stores what to compare in a part of a frame: luma; or all channels of the
 * picture, bytes in the same items at once; or both. */
void amphisto_difference_fill_params (const AmphistoLayout *part,
    bool compares_luma, bool compares_picture, frame_params *params);

/* The bytes of the kernel's copies of luma and of other channels, which are not
 * empty: in rows of a multiple of 16 bytes, so that no two work-items share a
 * word. */
size_t amphisto_difference_luma_size (const frame_params *params);
size_t amphisto_difference_bytes_size (const frame_params *params);

/* Returns the sum of the differences of all channels of the picture from the
 * kernel's sums: of luma, if it was compared, and of bytes. */
uint64_t amphisto_difference_of_picture (
    const AmphistoLayout *part, uint64_t luma, uint64_t bytes);

/* Returns the sum of the absolute differences between a channel of the frame
 * and `previous`, which it replaces: a byte for each sample, row by row.
 * is_new: there is no previous frame; the sum is 0. */
uint64_t amphisto_difference_update (const AmphistoFrame *frame,
    AmphistoChannel channel, bool is_new, uint8_t *previous);

/* Stores the comparison of a frame with the previous one, by the sum of luma's
 * differences and by luma's `bins`, which replace those of the previous frame.
 * is_new: there is no previous frame. */
void amphisto_difference_compare (uint64_t sum,
    const uint32_t bins[AMPHISTO_N_BINS], bool is_new,
    uint32_t previous[AMPHISTO_N_BINS], AmphistoComparison *comparison);
