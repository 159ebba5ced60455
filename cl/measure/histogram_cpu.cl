/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * CPU shape: counts a frame pass by pass. Work-items take rows in turn.
 */

#pragma once

#include "measure/count.cl"
#include "measure/shared_cpu.cl"

#define COUNTS global uint

/* A work-item takes at least MIN_TAKEN samples: one core should count a small
 * frame while others still wake up. */
#define MIN_TAKEN 16384

INLINE void
clear_slot (counters c)
{
  clear_counts (c.bins);
  if (c.counts_pairs)
    for (uint i = 0; i < AMPHISTO_N_PAIRS; i++)
      c.pairs[i] = 0;
}

/* Adds the count of each pair to the bins of both its values. */
NOINLINE void
fold_pairs (counters c)
{
  const global any_pixels *pairs = (const global any_pixels *) c.pairs;
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
    c.bins[high] += add_up (sums);
  }
  for (uint i = 0; i < AMPHISTO_N_BINS / 16; i++)
    ((any_pixels *) c.bins)[i] += low[i];
}

/* --- passes --- */

/* Counts the pass's rows that this work-item takes, and adds the counts to the
 * bins. own: N_REPLICAS * AMPHISTO_N_BINS for each slot of the pass. */
INLINE void
count_pass (uint *own, global uint *pairs, constant pass_params *pass,
    uint n_items, constant frame_params *params, uchar_planes planes,
    volatile global uint *bins)
{
  const uint slot = pass->first_slot;
  volatile global uint *taken =
      bins + AMPHISTO_MAX_SLOTS * AMPHISTO_N_BINS + slot;
  const counters c = { own, pairs, params->counts_pairs[slot] != 0 };
  const uint width = max (params->measured[slot].width, 1u);
  const uint height = params->measured[slot].height;
  const uint n = max (height / (n_items * N_TAKES), MIN_TAKEN / width) + 1;
  row_range rows = take_rows (taken, n, height);

  if (rows.first >= height)
    return;
  for (uint s = 0; s < pass->n_slots; s++)
    clear_slot (slot_counters (c, s));
  for (; rows.first < height; rows = take_rows (taken, n, height))
    if (HAS_MULTI_SLOT && pass->n_slots > 1)
      count_shared_rows (c, pass, params, planes, rows);
    else
      count_rows (c, slot, params, planes, rows);
  for (uint s = 0; s < pass->n_slots; s++) {
    const counters counted = slot_counters (c, s);

    if (c.counts_pairs)
      fold_pairs (counted);
    add_counts (counted.bins, bins + (slot + s) * AMPHISTO_N_BINS);
  }
}

/* The slots of the largest pass. */
INLINE uint
max_pass_slots (constant frame_params *params)
{
  uint n_slots = 0;

  for (uint p = 0; p < params->n_passes; p++)
    n_slots = max (n_slots, params->pass[p].n_slots);
  return n_slots;
}

NOINLINE void
count_own_passes (uchar_planes planes, constant frame_params *params,
    global uint *pairs, volatile global uint *bins, uint n_items)
{
  uint own[AMPHISTO_MAX_SLOTS * N_REPLICAS * AMPHISTO_N_BINS];

  for (uint p = 0; p < params->n_passes; p++)
    count_pass (own, pairs, &params->pass[p], n_items, params, planes, bins);
}

/* pairs: AMPHISTO_N_PAIRS for each work-item and slot of the largest pass, if
 * params->counts_pairs is set for any slot. */
INLINE void
count_slots (uchar_planes planes, constant frame_params *params,
    global uint *pairs, volatile global uint *bins)
{
  count_own_passes (planes, params,
      pairs + GROUP_INDEX * max_pass_slots (params) * AMPHISTO_N_PAIRS, bins,
      N_GROUPS);
}
