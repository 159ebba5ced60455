/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The temporal mean of histograms, which keeps LUTs from flickering, in plain
 * C: the reference for cl/change/smooth.cl.
 */

#pragma once

#include "core/pixels/frame.h"

/* Whether there was a scene cut: luma's `bins` are more than
 * AMPHISTO_CUT_DISTANCE, 32 levels, away from their mean. The distance is
 * amphisto_histogram_area() divided by the number of samples, the mean rounded
 * half to even: how far samples have moved on average. It is also the average
 * difference of the two LUTs that spread the histograms over 0 to 255, so a
 * missed cut puts no LUT further off than that. */
bool amphisto_smooth_is_cut (
    const uint32_t bins[AMPHISTO_N_BINS], const float mean[AMPHISTO_N_BINS]);

/* How a frame updates the means. */
typedef struct
{
  float frame_weight; /* weight of the frame, 0 to 1 */
  bool is_new;        /* discard the previous mean */
} AmphistoSmoothing;

/* Updates the mean of n bins, in float32, each operation rounded half to even:
 *
 *   mean = mean + frame_weight * (float (bin) - mean)
 *
 * or sets it to the bins if is_new. Stores rint (mean) in `smoothed`, which may
 * be `bins`. */
void amphisto_smooth_bins (AmphistoSmoothing smoothing, size_t n,
    const uint32_t *bins, float *mean, uint32_t *smoothed);
