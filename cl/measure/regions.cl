/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Counts the histograms of any number of regions of a frame in one launch.
 *
 * Each histogram of a region is a separate job. With more work-groups than
 * histograms, each histogram is divided into several jobs, by rows.
 */

#pragma once

#include "measure/count.cl"

/* Counts rows of the slot and adds them to the histogram's bins. counts: see
 * own_counters(). */
INLINE void
count_region_rows (OWN uint *counts, uint slot, row_range rows,
    constant frame_params *region, uchar_planes planes,
    volatile global uint *bins)
{
  clear_counts (counts);
  GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
  count_rows (
      own_counters (counts), slot, region, planes, own_item_rows (rows));
  GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
  add_counts (counts, bins);
  GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
}

NOINLINE void
count_regions (global uint *plane0, global uint *plane1, global uint *plane2,
    global uint *plane3, constant frame_params *regions, uint n,
    volatile global uint *bins, OWN uint *counts, uint group, uint n_groups)
{
  const uint n_slots = regions->n_slots;
  const uint n_histograms = n * n_slots;
  const uint n_slices = max (n_groups / n_histograms, 1u);

  for (uint job = group; job < n_histograms * n_slices; job += n_groups) {
    const uint histogram = job / n_slices;
    const uint slot = histogram % n_slots;
    constant frame_params *region = regions + histogram / n_slots;

    count_region_rows (counts, slot,
        slice_of (region->measured[slot].height, job % n_slices, n_slices),
        region, planes_at (plane0, plane1, plane2, plane3, region->source),
        bins + (size_t) histogram * AMPHISTO_N_BINS);
  }
}

/* Counts the measured components, the same for all regions, of n >= 1 regions.
 * bins: a uint for each region, slot and bin, in that order; they must be 0.
 * first: the number of regions in `bins` before these. */
kernel GROUP void
calculate_regions (global uint *plane0, global uint *plane1,
    global uint *plane2, global uint *plane3, constant frame_params *regions,
    uint first, uint n, volatile global uint *bins)
{
  OWN uint counts[N_REPLICAS * AMPHISTO_N_BINS];

  count_regions (plane0, plane1, plane2, plane3, regions, n,
      bins + (size_t) first * regions->n_slots * AMPHISTO_N_BINS, counts,
      GROUP_INDEX, N_GROUPS);
}
