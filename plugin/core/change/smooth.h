/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The temporal mean of histograms, which keeps LUTs from flickering, in plain
 * C: the reference for cl/change/smooth.cl.
 */

#pragma once

#include "core/pixels/frame.h"

/* Luma's temporal mean, and luma's bins in the last frame. */
typedef struct
{
  float mean[AMPHISTO_N_BINS];
  uint32_t previous[AMPHISTO_N_BINS];
} AmphistoLumaMean;

/* How a frame updates the means. */
typedef struct
{
  float frame_weight; /* weight of the frame, 0 to 1 */
  bool is_new;        /* discard the previous mean */
} AmphistoSmoothing;

/* Updates luma's mean with the bins of a frame, and replaces these by the
 * rounded mean. The distance between two histograms of n samples is
 * amphisto_histogram_area() divided by n: how far samples have moved on
 * average.
 *
 * The mean restarts if `restarts`, or at a scene cut: luma is more than
 * AMPHISTO_CUT_DISTANCE, 32 levels, away from the previous frame's. Otherwise
 * the frame's weight is `weight`, and more if the mean lags behind, as it does
 * in a fade: with d the distance between luma and the rounded mean, in float32,
 * each operation rounded half to even,
 *
 *   weight + (1 - weight) * clamp ((d - 16) / 64, 0, 1)
 *
 * With the weight 0, the mean stays as it is, and there are no cuts.
 *
 * Returns: how to update the means of tiles. */
AmphistoSmoothing amphisto_smooth_luma (float weight, bool restarts,
    uint32_t bins[AMPHISTO_N_BINS], AmphistoLumaMean *luma);

/* Updates the mean of n bins, in float32, each operation rounded half to even:
 *
 *   mean = mean + frame_weight * (float (bin) - mean)
 *
 * or sets it to the bins if is_new. Stores rint (mean) in `smoothed`, which may
 * be `bins`. */
void amphisto_smooth_bins (AmphistoSmoothing smoothing, size_t n,
    const uint32_t *bins, float *mean, uint32_t *smoothed);
