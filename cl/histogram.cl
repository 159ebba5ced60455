/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Histograms of 256 bins of all components that are measured, in one
 * submission.
 *
 * GPU shape: each work-group makes a partial histogram; a second kernel merges
 * them. CPU shape: each work-item counts its rows and adds its counts to the
 * bins by atomic adds.
 */

#ifndef AMPHISTO_HISTOGRAM_CL
#define AMPHISTO_HISTOGRAM_CL

#ifndef AMPHISTO_COUNT_CL
#include "count.cl"
#endif

#ifdef AMPHISTO_GPU

/* Counts the frame's measured components. partials: a uint for each partial
 * histogram (one of each work-group), slot and bin, in that order; all of them
 * are written. bins: n_slots * AMPHISTO_N_BINS * n_lanes. */
kernel void
calculate_histogram (global uint *plane0, global uint *plane1,
    global uint *plane2, global uint *plane3, constant frame_params *params,
    global uint *partials, local uint *bins)
{
  const uchar_planes planes =
      planes_at (plane0, plane1, plane2, plane3, params->source);
  const uint n_lanes = params->n_lanes;
  const uint n_bins = params->n_slots * AMPHISTO_N_BINS;
  const uint item = get_local_id (0);

  for (uint i = item; i < n_bins * n_lanes; i += get_local_size (0))
    bins[i] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint slot = 0; slot < params->n_slots; slot++) {
    const counters c = { bins + slot * AMPHISTO_N_BINS * n_lanes, n_lanes,
      item & (n_lanes - 1), item, get_local_size (0) };

    count_rows (
        c, slot, params, planes, own_rows (params->measured[slot].height));
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint i = item; i < n_bins; i += get_local_size (0)) {
    uint sum = 0;

    for (uint lane = 0; lane < n_lanes; lane++)
      sum += bins[i * n_lanes + ((lane + item) & (n_lanes - 1))];
    partials[get_group_id (0) * n_bins + i] = sum;
  }
}

/* Adds up the partials: a work-group takes MERGE_BINS neighbouring bins of each
 * slot; each of its rows of work-items adds up every MERGE_ROWS'th partial;
 * then the rows are added up in a tree. Launched with AMPHISTO_N_BINS /
 * MERGE_BINS groups of MERGE_BINS * MERGE_ROWS. */
#define MERGE_BINS 16
#define MERGE_ROWS 16

kernel void
merge_histogram (constant frame_params *params, global const uint *partials,
    global uint *bins)
{
  local uint sums[MERGE_ROWS][MERGE_BINS];
  const uint column = get_local_id (0) % MERGE_BINS;
  const uint row = get_local_id (0) / MERGE_BINS;
  const uint n_bins = params->n_slots * AMPHISTO_N_BINS;

  for (uint s = 0; s < params->n_slots; s++) {
    const uint bin =
        s * AMPHISTO_N_BINS + get_group_id (0) * MERGE_BINS + column;
    uint sum = 0;

    for (uint p = row; p < params->n_partials; p += MERGE_ROWS)
      sum += partials[p * n_bins + bin];
    sums[row][column] = sum;
    barrier (CLK_LOCAL_MEM_FENCE);
    for (uint n = MERGE_ROWS / 2; n > 0; n /= 2) {
      if (row < n)
        sums[row][column] += sums[row + n][column];
      barrier (CLK_LOCAL_MEM_FENCE);
    }
    if (row == 0)
      bins[bin] = sums[0][column];
    barrier (CLK_LOCAL_MEM_FENCE);
  }
}

#else

/* A work-item takes n rows at a time, whenever it is ready for more, some
 * N_TURNS times: so a core that starts late, or is busy with something else,
 * holds up the others less. */
#define N_TURNS 16

/* Counts the slot's rows from `first` on that this work-item takes, n at a
 * time. taken: how many rows all work-items have taken. */
INLINE void
count_taken_rows (counters c, uint slot, uint first, uint n,
    volatile global uint *taken, constant frame_params *params,
    uchar_planes planes)
{
  const uint height = params->measured[slot].height;

  do {
    const row_range rows = { first, min (first + n, height), 1 };

    count_rows (c, slot, params, planes, rows);
    first = atomic_add (taken, n);
  } while (first < height);
}

/* Counts what this work-item takes of the slot's rows, and adds it to the bins.
 * own: N_COPIES * AMPHISTO_N_BINS. */
INLINE void
count_slot (uint *own, global uint *pairs, uint slot, uint n_items,
    constant frame_params *params, uchar_planes planes,
    volatile global uint *bins)
{
  volatile global uint *taken =
      bins + AMPHISTO_MAX_SLOTS * AMPHISTO_N_BINS + slot;
  const counters c = { own, pairs, params->counts_pairs[slot] != 0 };
  const uint height = params->measured[slot].height;
  const uint n = height / (n_items * N_TURNS) + 1;
  const uint first = atomic_add (taken, n);

  if (first >= height)
    return;
  clear_counts (own);
  if (c.counts_pairs)
    clear_pairs (c);
  count_taken_rows (c, slot, first, n, taken, params, planes);
  if (c.counts_pairs)
    fold_pairs (c);
  add_counts (own, bins + slot * AMPHISTO_N_BINS);
}

OUTLINE void
count_slots (uchar_planes planes, constant frame_params *params,
    global uint *pairs, volatile global uint *bins, uint n_items)
{
  uint own[N_COPIES * AMPHISTO_N_BINS];

  for (uint slot = 0; slot < params->n_slots; slot++)
    count_slot (own, pairs, slot, n_items, params, planes, bins);
}

/* Counts the frame's measured components. pairs: 2 * AMPHISTO_N_PAIRS for each
 * work-item, if params->counts_pairs for any slot. bins: a uint for each slot
 * and bin, then for each slot how many rows work-items have taken; all
 * AMPHISTO_COUNTS of them must be 0. next_bins: as many, for the next frame,
 * which the kernel makes 0. */
kernel void
calculate_histogram (global uint *plane0, global uint *plane1,
    global uint *plane2, global uint *plane3, constant frame_params *params,
    global uint *pairs, volatile global uint *bins, global uint *next_bins)
{
  const size_t item = get_group_id (0);

  if (item == 0)
    for (uint i = 0; i < AMPHISTO_COUNTS; i++)
      next_bins[i] = 0;
  count_slots (planes_at (plane0, plane1, plane2, plane3, params->source),
      params, pairs + item * 2 * AMPHISTO_N_PAIRS, bins,
      (uint) get_num_groups (0));
}

#endif

#endif
