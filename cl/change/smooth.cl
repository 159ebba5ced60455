/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The temporal mean of histograms, which keeps LUTs from flickering; it
 * restarts at scene cuts.
 *
 * Floats: as in equalize.cl. Counts are exact up to 2^24, and rounded above, as
 * in the reference.
 */

#pragma once

#include "measure/cdf.cl"
#include "pixels/slices.cl"

#pragma OPENCL FP_CONTRACT OFF

/* Sets is_new if the mean must restart: if the host requests it, or luma is
 * further than AMPHISTO_CUT_DISTANCE levels from its mean. One work-group of
 * AMPHISTO_N_BINS work-items in both shapes. */
kernel __attribute__ ((reqd_work_group_size (AMPHISTO_N_BINS, 1, 1))) void
find_cut (constant frame_params *params, global const uint *bins,
    global const float *mean, global uint *is_new)
{
  local uint counts[AMPHISTO_N_BINS];
  local uint sums[AMPHISTO_N_BINS / 16];
  local ulong distances[AMPHISTO_N_BINS];
  const uint i = get_local_id (0);
  const cdf_value own = find_cdf (counts, sums, bins[i]);

  barrier (CLK_LOCAL_MEM_FENCE);

  const cdf_value mean_cdf = find_cdf (counts, sums, (uint) rint (mean[i]));

  distances[i] = abs_diff (own.samples, mean_cdf.samples);
  barrier (CLK_LOCAL_MEM_FENCE);
  if (i < AMPHISTO_N_BINS / 16)
    for (uint k = 1; k < 16; k++)
      distances[i] += distances[k * (AMPHISTO_N_BINS / 16) + i];
  barrier (CLK_LOCAL_MEM_FENCE);
  if (i == 0) {
    ulong distance = 0;

    for (uint k = 0; k < AMPHISTO_N_BINS / 16; k++)
      distance += distances[k];
    *is_new = params->resets_mean
        || distance > (ulong) AMPHISTO_CUT_DISTANCE * own.total;
  }
}

/* Updates the mean of n bins, or restarts it if *is_new. smoothed: the rounded
 * mean; may be `bins`. */
kernel GROUP void
smooth_bins (constant frame_params *params, global const uint *is_new, uint n,
    global const uint *bins, global float *mean, global uint *smoothed)
{
  const bool restarts = *is_new != 0;

  for (uint i = (uint) get_global_id (0); i < n;
       i += (uint) get_global_size (0)) {
    const float bin = (float) bins[i];
    const float move = params->renewal * (bin - mean[i]);
    const float next = restarts ? bin : mean[i] + move;

    mean[i] = next;
    smoothed[i] = (uint) rint (next);
  }
}
