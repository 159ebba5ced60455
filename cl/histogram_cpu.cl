/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * CPU shape: counts a frame slot by slot. Work-items take rows in turn.
 */

#ifndef AMPHISTO_HISTOGRAM_SHAPE
#define AMPHISTO_HISTOGRAM_SHAPE

#ifndef AMPHISTO_COUNT_CL
#include "count.cl"
#endif

#define COUNTS global uint

/* A work-item takes n rows at a time, about N_TURNS times, so that a core that
 * starts late or is busy delays the others less. It takes at least MIN_TAKEN
 * samples: one core should count a small frame while others still wake up. */
#define N_TURNS 16
#define MIN_TAKEN 16384

INLINE void
clear_pairs (counters c)
{
  for (uint i = 0; i < AMPHISTO_N_PAIRS; i++)
    c.pairs[i] = 0;
}

/* Adds the count of each pair to the bins of both its values. */
OUTLINE void
fold_pairs (counters c)
{
  const global words16 *pairs = (const global words16 *) c.pairs;
  uint16 low[AMPHISTO_N_BINS / 16];

  for (uint i = 0; i < AMPHISTO_N_BINS / 16; i++)
    low[i] = 0;
  for (uint high = 0; high < AMPHISTO_N_BINS; high++) {
    uint16 sums = 0;

    for (uint i = 0; i < AMPHISTO_N_BINS / 16; i++) {
      const uint16 n = pairs[high * (AMPHISTO_N_BINS / 16) + i];

      low[i] += n;
      sums += n;
    }

    const uint8 sums8 = sums.lo + sums.hi;
    const uint4 sums4 = sums8.lo + sums8.hi;

    c.bins[high] += sums4.x + sums4.y + sums4.z + sums4.w;
  }
  for (uint i = 0; i < AMPHISTO_N_BINS / 16; i++)
    ((words16 *) c.bins)[i] += low[i];
}

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
 * bins. own: N_REPLICAS * AMPHISTO_N_BINS. */
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
  uint own[N_REPLICAS * AMPHISTO_N_BINS];

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
