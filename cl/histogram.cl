/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Histograms of 256 bins of all components that are measured, in one
 * submission.
 *
 * A work-group (CPU shape: a work-item) counts its rows in memory of its own
 * and adds its counts to the bins by atomic adds.
 */

#ifndef AMPHISTO_HISTOGRAM_CL
#define AMPHISTO_HISTOGRAM_CL

#ifndef AMPHISTO_COUNT_CL
#include "count.cl"
#endif
#ifndef AMPHISTO_PASSES_CL
#include "passes.cl"
#endif

#ifdef AMPHISTO_GPU

/* What work-items count in. */
#define COUNTS local uint4

/* counts: n_lanes * AMPHISTO_N_BINS for each slot of the largest pass. */
INLINE void
count_slots (uchar_planes planes, constant frame_params *params,
    local uint4 *counts, volatile global uint *bins)
{
  count_own_pass (params, planes, counts, bins);
}

#else

#define COUNTS global uint

/* A work-item takes n rows at a time, whenever it is ready for more, some
 * N_TURNS times: so a core that starts late, or is busy with something else,
 * holds up the others less. But it takes no fewer than MIN_TAKEN samples, so
 * that one core counts a small frame while the other still wakes up. */
#define N_TURNS 16
#define MIN_TAKEN 16384

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
  const uint width = max (params->measured[slot].width, 1u);
  const uint height = params->measured[slot].height;
  const uint n = max (height / (n_items * N_TURNS), MIN_TAKEN / width) + 1;
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
count_own_slots (uchar_planes planes, constant frame_params *params,
    global uint *pairs, volatile global uint *bins, uint n_items)
{
  uint own[N_COPIES * AMPHISTO_N_BINS];

  for (uint slot = 0; slot < params->n_slots; slot++)
    count_slot (own, pairs, slot, n_items, params, planes, bins);
}

/* pairs: AMPHISTO_N_PAIRS for each work-item, if params->counts_pairs for
 * any slot. */
INLINE void
count_slots (uchar_planes planes, constant frame_params *params,
    global uint *pairs, volatile global uint *bins)
{
  count_own_slots (planes, params, pairs + get_group_id (0) * AMPHISTO_N_PAIRS,
      bins, (uint) get_num_groups (0));
}

#endif

/* Counts the frame's measured components. counts: what count_slots() needs.
 * bins: a uint for each slot and bin, then, in the CPU shape, for each slot how
 * many rows work-items have taken; all AMPHISTO_COUNTS of them must be 0.
 * next_bins: as many, for the next frame, which the kernel makes 0. */
kernel COUNTING_GROUP void
calculate_histogram (global uint *plane0, global uint *plane1,
    global uint *plane2, global uint *plane3, constant frame_params *params,
    COUNTS *counts, volatile global uint *bins, global uint *next_bins)
{
  if (get_group_id (0) == 0)
    FOR_COLUMNS (i, AMPHISTO_COUNTS)
      next_bins[i] = 0;
  count_slots (planes_at (plane0, plane1, plane2, plane3, params->source),
      params, counts, bins);
}

#endif
