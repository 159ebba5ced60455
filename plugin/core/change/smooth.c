/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/change/smooth.h"
#include "core/measure/statistics.h"

#include <math.h>

bool
amphisto_smooth_is_cut (
    const uint32_t bins[AMPHISTO_N_BINS], const float mean[AMPHISTO_N_BINS])
{
  uint32_t rounded[AMPHISTO_N_BINS];

  for (unsigned v = 0; v < AMPHISTO_N_BINS; v++)
    rounded[v] = (uint32_t) rintf (mean[v]);
  return amphisto_histogram_area (bins, rounded)
      > AMPHISTO_CUT_DISTANCE * amphisto_histogram_samples (bins);
}

void
amphisto_smooth_bins (AmphistoSmoothing smoothing, size_t n,
    const uint32_t *bins, float *mean, uint32_t *smoothed)
{
  for (size_t i = 0; i < n; i++) {
    const float bin = (float) bins[i];
    const float move = smoothing.frame_weight * (bin - mean[i]);

    mean[i] = smoothing.is_new ? bin : mean[i] + move;
    smoothed[i] = (uint32_t) rintf (mean[i]);
  }
}
