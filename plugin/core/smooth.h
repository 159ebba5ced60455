/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The mean of histograms over time, from which LUTs are made that do not
 * flicker: in plain C the reference that the kernels are held against.
 */

#ifndef AMPHISTO_CORE_SMOOTH_H
#define AMPHISTO_CORE_SMOOTH_H

#include "core/frame.h"

/* Whether the picture is another one: `bins`, of luma, are further from their
 * mean so far than AMPHISTO_CUT_DISTANCE, 32 levels of 255. The distance is the
 * area between the two cumulated distributions,
 *
 *   |CDF (0) - mean's CDF (0)| + ... + |CDF (255) - mean's CDF (255)|
 *
 * divided by the samples, the mean rounded half to even. It is as far as
 * samples would have to move from value to value, on average, to turn one into
 * the other; and as far as the values of two LUTs are apart, on average, that
 * spread them over 0 to 255. So what is no cut is never off by more. */
bool amphisto_smooth_is_cut (
    const uint32_t bins[AMPHISTO_N_BINS], const float mean[AMPHISTO_N_BINS]);

/* How means move on with a frame. */
typedef struct
{
  float renewal; /* 0 to 1: how much of a mean is this frame's */
  bool is_new;   /* the frame is the first of something new */
} AmphistoSmoothing;

/* Moves the mean of n bins on, in float32, each operation rounded half to even:
 *
 *   mean = mean + renewal * (float (bin) - mean)
 *
 * or makes it `bins` where it is new. `smoothed`, which may be `bins`, becomes
 * rint (mean). */
void amphisto_smooth_bins (AmphistoSmoothing smoothing, size_t n,
    const uint32_t *bins, float *mean, uint32_t *smoothed);

#endif
