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
#include "change/divide_rounded.cl"
#include "change/mean_update.cl"
#include "pixels/slices.cl"

#pragma OPENCL FP_CONTRACT OFF

/* The weight of a frame of n samples whose distance from the mean has the sum
 * `lag`: at least `weight`. Up to AMPHISTO_LAG_START levels, the quotient that
 * would be 0 or less need not be calculated. */
INLINE float
raise_weight (float weight, ulong lag, ulong n)
{
  float part = 0;

  if (lag > AMPHISTO_LAG_START * n)
    part = clamp ((divide_rounded ((float) lag, (float) max (n, (ulong) 1))
                      - AMPHISTO_LAG_START)
            * (1.0f / AMPHISTO_LAG_RANGE),
        0.0f, 1.0f);

  const float more = (1 - weight) * part;

  return weight + more;
}

/* Finds the update for a frame with the luma `bins`, and stores these in
 * `previous`, which has luma of the frame before; see amphisto_smooth_luma().
 */
kernel BINS_GROUP void
find_update (constant frame_params *params, global const uint *bins,
    global const float *mean, global uint *previous, global mean_update *update)
{
  local cdf_memory own;
  local ulong distances[AMPHISTO_N_BINS];
  const uint i = get_local_id (0);
  const float weight = params->frame_weight;
  const cdf_value found = find_cdf (&own, bins[i]);
  const cdf_value before = find_cdf (&own, previous[i]);
  const cdf_value expected = find_cdf (&own, (uint) rint (mean[i]));
  const ulong move =
      add_up_group (distances, abs_diff (found.samples, before.samples));
  const ulong lag =
      add_up_group (distances, abs_diff (found.samples, expected.samples));
  const bool is_cut = move > (ulong) AMPHISTO_CUT_DISTANCE * found.total;

  previous[i] = bins[i];
  if (i == 0) {
    update->weight = weight > 0 ? raise_weight (weight, lag, found.total) : 0;
    update->is_new = params->resets_mean || (weight > 0 && is_cut);
  }
}

/* Updates the mean of n bins, or restarts it. smoothed: the rounded mean; may
 * be `bins`. */
kernel GROUP void
smooth_bins (global const mean_update *update, uint n, global const uint *bins,
    global float *mean, global uint *smoothed)
{
  const mean_update own = *update;
  const uint n_items = N_GROUPS * (uint) get_local_size (0);

  for (uint i = (uint) get_global_id (0); i < n; i += n_items) {
    const float next = move_mean (own, mean[i], bins[i]);

    mean[i] = next;
    smoothed[i] = (uint) rint (next);
  }
}
