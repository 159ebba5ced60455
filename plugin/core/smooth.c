/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/smooth.h"
#include "cl/frame_params.h"

#include <math.h>

bool
amphisto_smooth_is_cut (
    const uint32_t bins[AMPHISTO_N_BINS], const float mean[AMPHISTO_N_BINS])
{
  int64_t ahead = 0; /* the frame's CDF minus the mean's */
  uint64_t samples = 0, distance = 0;

  for (unsigned v = 0; v < AMPHISTO_N_BINS; v++) {
    samples += bins[v];
    ahead += (int64_t) bins[v] - (int64_t) rintf (mean[v]);
    distance += (uint64_t) (ahead < 0 ? -ahead : ahead);
  }
  return distance > AMPHISTO_CUT_DISTANCE * samples;
}

void
amphisto_smooth_bins (AmphistoSmoothing smoothing, size_t n,
    const uint32_t *bins, float *mean, uint32_t *smoothed)
{
  for (size_t i = 0; i < n; i++) {
    const float bin = (float) bins[i];
    const float move = smoothing.renewal * (bin - mean[i]);

    mean[i] = smoothing.is_new ? bin : mean[i] + move;
    smoothed[i] = (uint32_t) rintf (mean[i]);
  }
}
