/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Counts the histograms of all measured components in one launch.
 *
 * A work-group (CPU shape: a work-item) counts in its own memory, and finally
 * adds its counts to the bins by atomic adds.
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

/* The memory that work-items count in. */
#define COUNTS local uint4

/* counts: n_lanes * AMPHISTO_N_BINS uints for each slot of the largest pass. */
INLINE void
count_slots (uchar_planes planes, constant frame_params *params,
    local uint4 *counts, volatile global uint *bins)
{
  count_own_pass (params, planes, counts, bins);
}

#else

#define COUNTS global uint

/* A work-item takes n rows at a time, about N_TURNS times, so that a core that
 * starts late or is busy delays the others less. It takes at least MIN_TAKEN
 * samples: one core should count a small frame while others still wake up. */
#define N_TURNS 16
#define MIN_TAKEN 16384

/* Counts n rows of the slot from `first` on, and takes n more while there are
 * any. taken: the number of rows taken by all work-items. */
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

/* Counts the slot's rows that this work-item takes, and adds the counts to the
 * bins. own: N_COPIES * AMPHISTO_N_BINS. */
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

/* pairs: AMPHISTO_N_PAIRS for each work-item, if params->counts_pairs is set
 * for any slot. */
INLINE void
count_slots (uchar_planes planes, constant frame_params *params,
    global uint *pairs, volatile global uint *bins)
{
  count_own_slots (planes, params, pairs + get_group_id (0) * AMPHISTO_N_PAIRS,
      bins, (uint) get_num_groups (0));
}

#endif

/* Counts the frame's measured components. counts: see count_slots(). bins: a
 * uint for each slot and bin, then, in the CPU shape, for each slot the number
 * of rows taken by work-items; all AMPHISTO_COUNTS uints must be 0. next_bins:
 * AMPHISTO_COUNTS uints for the next frame, cleared by the kernel. */
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
