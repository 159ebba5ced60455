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
 * further than AMPHISTO_CUT_DISTANCE levels from its mean. */
kernel BINS_GROUP void
find_cut (constant frame_params *params, global const uint *bins,
    global const float *mean, global uint *is_new)
{
  local cdf_memory own;
  local ulong distances[AMPHISTO_N_BINS];
  const uint i = get_local_id (0);
  const cdf_value found = find_cdf (&own, bins[i]);
  const cdf_value expected = find_cdf (&own, (uint) rint (mean[i]));
  const ulong distance =
      add_up_group (distances, abs_diff (found.samples, expected.samples));

  if (i == 0)
    *is_new = params->resets_mean
        || distance > (ulong) AMPHISTO_CUT_DISTANCE * found.total;
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
    const float move = params->frame_weight * (bin - mean[i]);
    const float next = restarts ? bin : mean[i] + move;

    mean[i] = next;
    smoothed[i] = (uint) rint (next);
  }
}
