/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Histograms of regions of a frame, all in one launch, however many there are
 * and however large.
 *
 * Each of a region's histograms is a job of its own, or several, of some rows
 * each, as long as there are work-groups without one.
 */

/* The rows of a job's histogram that are its own. */
typedef struct
{
  uint first;
  uint end;
} row_run;

INLINE row_run
share_rows (uint height, uint share, uint n_shares)
{
  const row_run run = { (uint) ((ulong) height * share / n_shares),
    (uint) ((ulong) height * (share + 1) / n_shares) };

  return run;
}

#ifdef AMPHISTO_GPU

/* Copies of each bin in local memory, a power of two. */
#define REGION_LANES 8

/* counts: AMPHISTO_BINS * REGION_LANES, where a group counts rows of a region;
 * bins: of the histogram that they are added to. */
INLINE void
count_region_rows (local uint *counts, uint slot, row_run run,
    constant frame_params *region, uchar_planes planes,
    volatile global uint *bins)
{
  const uint item = get_local_id (0);
  const counters c = { counts, REGION_LANES, item & (REGION_LANES - 1), item,
    get_local_size (0) };

  for (uint i = item; i < AMPHISTO_BINS * REGION_LANES; i += get_local_size (0))
    counts[i] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint y = run.first; y < run.end; y++)
    count_row (c, slot, y, region, planes);
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint v = item; v < AMPHISTO_BINS; v += get_local_size (0)) {
    uint sum = 0;

    for (uint lane = 0; lane < REGION_LANES; lane++)
      sum += counts[v * REGION_LANES + lane];
    if (sum > 0)
      atomic_add (&bins[v], sum);
  }
  barrier (CLK_LOCAL_MEM_FENCE);
}

#else

/* counts: N_COPIES * AMPHISTO_BINS, the work-item's own. */
INLINE void
count_region_rows (uint *counts, uint slot, row_run run,
    constant frame_params *region, uchar_planes planes,
    volatile global uint *bins)
{
  const counters c = { counts, 0, false };

  for (uint i = 0; i < N_COPIES * AMPHISTO_BINS; i++)
    counts[i] = 0;
  for (uint y = run.first; y < run.end; y++)
    count_row (c, slot, y, region, planes);
  add_counts (counts, bins);
}

#endif

/* Counts the measured components of n regions, at least one, that all measure
 * the same ones. bins: a uint for each region, slot and bin in that order,
 * those of other regions before the `first` of these; zeros when the kernel
 * begins. */
kernel void
calculate_regions (global uint *plane0, global uint *plane1,
    global uint *plane2, global uint *plane3, constant frame_params *regions,
    uint first, uint n, volatile global uint *bins)
{
#ifdef AMPHISTO_GPU
  local uint counts[AMPHISTO_BINS * REGION_LANES];
#else
  uint counts[N_COPIES * AMPHISTO_BINS];
#endif
  const uint n_slots = regions->n_slots;
  const uint n_histograms = n * n_slots;
  const uint n_shares = max ((uint) get_num_groups (0) / n_histograms, 1u);

  for (uint job = get_group_id (0); job < n_histograms * n_shares;
       job += get_num_groups (0)) {
    const uint histogram = job / n_shares;
    const uint slot = histogram % n_slots;
    constant frame_params *region = regions + histogram / n_slots;
    const uchar_planes planes = { source_plane (plane0, region, 0),
      source_plane (plane1, region, 1), source_plane (plane2, region, 2),
      source_plane (plane3, region, 3) };

    count_region_rows (counts, slot,
        share_rows (region->measured[slot].height, job % n_shares, n_shares),
        region, planes,
        bins + (size_t) (first * n_slots + histogram) * AMPHISTO_BINS);
  }
}
