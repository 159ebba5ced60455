/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The mean of histograms over time, so that the LUTs made from it do not
 * flicker; it restarts where the picture changes.
 *
 * Floats as in equalize.cl. Whole numbers of samples are exact up to 2^24 and
 * rounded beyond, as in the reference.
 */

#ifndef AMPHISTO_SMOOTH_CL
#define AMPHISTO_SMOOTH_CL

#ifndef AMPHISTO_CDF_CL
#include "cdf.cl"
#endif
#ifndef AMPHISTO_SLICES_CL
#include "slices.cl"
#endif

#pragma OPENCL FP_CONTRACT OFF

/* Sets is_new if the mean must restart: because the host asks for it, or
 * because luma is further from its mean than AMPHISTO_CUT_DISTANCE levels.
 * Launched as equalize_lut. */
kernel __attribute__ ((reqd_work_group_size (AMPHISTO_N_BINS, 1, 1))) void
find_cut (constant frame_params *params, global const uint *bins,
    global const float *mean, global uint *is_new)
{
  local uint counts[AMPHISTO_N_BINS];
  local uint sums[AMPHISTO_N_BINS / 16];
  local ulong distances[AMPHISTO_N_BINS];
  const uint i = get_local_id (0);
  const cdf_value own =
      find_cdf (counts, sums, bins[params->luma_slot * AMPHISTO_N_BINS + i]);

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

/* Adds the n bins to their mean over time, or restarts it if *is_new. smoothed,
 * which may be the bins themselves, becomes the mean in whole samples. */
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

#endif
