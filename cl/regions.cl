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
  const row_run run = { share_start (height, share, n_shares),
    share_start (height, share + 1, n_shares) };

  return run;
}

/* counts: N_COPIES * AMPHISTO_BINS; bins: of the histogram that they are added
 * to. */
INLINE void
count_region_rows (OWN uint *counts, counters c, uint slot, row_run run,
    constant frame_params *region, uchar_planes planes,
    volatile global uint *bins)
{
  clear_counts (counts);
  GROUP_BARRIER ();
  for (uint y = run.first; y < run.end; y++)
    count_row (c, slot, y, region, planes);
  GROUP_BARRIER ();
  add_counts (counts, bins);
  GROUP_BARRIER ();
}

/* Counts the measured components of n regions, at least one, that all measure
 * the same ones. bins: a uint for each region, slot and bin in that order,
 * those of other regions before the `first` of these; zeros when the kernel
 * begins. */
kernel void
calculate_regions (global uint *plane0, global uint *plane1,
    global uint *plane2, global uint *plane3, constant frame_params *regions,
    uint first, uint n, volatile global uint *bins)
{
  OWN uint counts[N_COPIES * AMPHISTO_BINS];
#ifdef AMPHISTO_GPU
  const uint item = get_local_id (0);
  const counters c = { counts, N_COPIES, item % N_COPIES, item,
    get_local_size (0) };
#else
  const counters c = { counts, 0, false };
#endif
  const uint n_slots = regions->n_slots;
  const uint n_histograms = n * n_slots;
  const uint n_shares = max ((uint) get_num_groups (0) / n_histograms, 1u);

  for (uint job = get_group_id (0); job < n_histograms * n_shares;
       job += get_num_groups (0)) {
    const uint histogram = job / n_shares;
    const uint slot = histogram % n_slots;
    constant frame_params *region = regions + histogram / n_slots;
    const uchar_planes planes =
        source_planes (plane0, plane1, plane2, plane3, region);

    count_region_rows (counts, c, slot,
        share_rows (region->measured[slot].height, job % n_shares, n_shares),
        region, planes,
        bins + (size_t) (first * n_slots + histogram) * AMPHISTO_BINS);
  }
}
