/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/change/smooth.h"
#include "core/measure/statistics.h"

#include <math.h>
#include <string.h>

/* The weight of a frame of n samples whose distance from the mean has the sum
 * `lag`. */
static float
raise_weight (float weight, uint64_t lag, uint64_t n)
{
  const float levels = (float) lag / (float) n;
  const float part = (levels - AMPHISTO_LAG_START) / AMPHISTO_LAG_RANGE;
  const float more = (1 - weight) * fminf (fmaxf (part, 0), 1);

  return weight + more;
}

AmphistoSmoothing
amphisto_smooth_luma (float weight, bool restarts,
    uint32_t bins[AMPHISTO_N_BINS], AmphistoLumaMean *luma)
{
  const uint64_t n = amphisto_histogram_samples (bins);
  AmphistoSmoothing smoothing = { weight, restarts };
  uint32_t rounded[AMPHISTO_N_BINS];

  for (unsigned v = 0; v < AMPHISTO_N_BINS; v++)
    rounded[v] = (uint32_t) rintf (luma->mean[v]);
  if (weight > 0) {
    smoothing.frame_weight =
        raise_weight (weight, amphisto_histogram_area (bins, rounded), n);
    smoothing.is_new |= amphisto_histogram_area (bins, luma->previous)
        > AMPHISTO_CUT_DISTANCE * n;
  }
  memcpy (luma->previous, bins, sizeof luma->previous);
  amphisto_smooth_bins (smoothing, AMPHISTO_N_BINS, bins, luma->mean, bins);
  return smoothing;
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
