/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The gain of colours, within the gamut budget, and the LUT for U and V;
 * core/change/chroma.h has the arithmetic.
 */

#pragma once

#include "measure/cdf.cl"
#include "change/budget.cl"
#include "change/mean_update.cl"

/* Where limits are noted. GPU shape: counted in the work-group's memory; bin k
 * counts the probes that gains above AMPHISTO_UNIT_GAIN + k clip. CPU shape: in
 * a buffer of AMPHISTO_N_PROBES, row by row, since PoCL (3.1) loses writes to
 * local memory in functions that are not inlined. */
#ifdef AMPHISTO_GPU
#define BUDGET_BINS (AMPHISTO_MAX_GAIN - AMPHISTO_UNIT_GAIN)
#define OWN_BUDGET_BINS (BUDGET_BINS / AMPHISTO_N_BINS)
typedef local uint *noted_limits;
#define NOTED_LIMITS(own, buffer) ((void) (buffer), (own).clipped)
#else
typedef global limits *noted_limits;
#define NOTED_LIMITS(own, buffer) (buffer)
#endif

/* A work-group's memory. */
typedef struct
{
  ulong sums[AMPHISTO_N_BINS];
#ifdef AMPHISTO_GPU
  uint clipped[BUDGET_BINS];
  cdf_memory cdf;
#endif
  uint budget;
} gain_memory;

/* The work-item's chunks of probes. CPU shape: the first work-item has all. */
INLINE own_chunks
own_probes (constant frame_params *params)
{
  return share_chunks (IS_GPU ? (uint) get_local_id (0) : 0,
      IS_GPU ? AMPHISTO_N_BINS : 1, PROBE_CHUNKS,
      params->luma.height > 0 ? AMPHISTO_PROBE_ROWS : 0);
}

#define HAS_PROBES (IS_GPU || get_local_id (0) == 0)

#ifdef AMPHISTO_GPU
/* All work-items must call it before any notes limits. */
INLINE void
clear_limits (local gain_memory *own)
{
  for (uint k = get_local_id (0); k < BUDGET_BINS; k += AMPHISTO_N_BINS)
    own->clipped[k] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
}

/* Notes the limits of the chunk of probes. */
INLINE void
note_limits (noted_limits noted, chunk_position at, limits found)
{
  (void) at;
#pragma unroll
  for (uint k = 0; k < N_PIXELS; k++) {
    const uint limit = ((const ushort *) &found)[k];

    if (limit > AMPHISTO_UNIT_GAIN && limit < AMPHISTO_MAX_GAIN)
      atomic_inc (&noted[limit - AMPHISTO_UNIT_GAIN]);
  }
}

/* Returns: the budget of a frame: the greatest gain that clips few enough
 * probes. All work-items must call it. */
INLINE uint
find_budget (local gain_memory *own, noted_limits noted)
{
  local const uint *bins = noted + OWN_BUDGET_BINS * get_local_id (0);
  uint sum = 0;
  uint n_within = 0;

  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint k = 0; k < OWN_BUDGET_BINS; k++)
    sum += bins[k];

  uint clipped = find_cdf (&own->cdf, sum).samples - sum;

  for (uint k = 0; k < OWN_BUDGET_BINS; k++) {
    clipped += bins[k];
    n_within += clipped <= AMPHISTO_MAX_CLIPPED;
  }
  return AMPHISTO_UNIT_GAIN + (uint) add_up_group (own->sums, n_within);
}
#else
INLINE void
clear_limits (local gain_memory *own)
{
  (void) own;
}

INLINE void
note_limits (noted_limits noted, chunk_position at, limits found)
{
  noted[at.y * PROBE_CHUNKS + at.x] = found;
}

/* Whether the gain, but not AMPHISTO_UNIT_GAIN, is above the limit: the
 * difference of a lower limit wraps. */
#define IS_CLIPPED(limit, gain)                                                \
  ((limit) - (limits) (AMPHISTO_UNIT_GAIN + 1)                                 \
      < (limits) (gain) - (limits) (AMPHISTO_UNIT_GAIN + 1))

/* The number of probes that the gain clips. */
INLINE uint
count_clipped (noted_limits noted, uint gain)
{
  short16 counts = 0;
  uint count = 0;

  for (uint k = 0; k < AMPHISTO_N_PROBES / N_PIXELS; k++)
    counts -= IS_CLIPPED (noted[k], (ushort) gain);
  for (uint k = 0; k < N_PIXELS; k++)
    count += (uint) ((const short *) &counts)[k];
  return count;
}

/* The same; for the first work-item, 0 for others. */
INLINE uint
find_budget (local gain_memory *own, noted_limits noted)
{
  uint budget = AMPHISTO_UNIT_GAIN;

  (void) own;
  if (get_local_id (0) != 0)
    return 0;
  for (uint jump = AMPHISTO_MAX_GAIN / 2; jump > 0; jump /= 2)
    if (budget + jump <= AMPHISTO_MAX_GAIN
        && count_clipped (noted, budget + jump) <= AMPHISTO_MAX_CLIPPED)
      budget += jump;
  return budget;
}
#endif

/* Returns: the rounded mean of the budget, which it updates with the budget of
 * a frame; for an empty frame that budget. Without smoothing, frames have the
 * weight 1, and `update` has not been written. */
INLINE uint
smooth_budget (constant frame_params *params, global const mean_update *update,
    global float *mean, uint budget)
{
  mean_update frame = { 1, 1 };

  if (params->luma.height == 0)
    return budget;
  if (params->frame_weight < 1) {
    frame = *update;
    frame.is_new |= params->resets_budget;
  }
  *mean = move_mean (frame, *mean, budget);
  return (uint) rint (*mean);
}

/* Returns: the budget for the work-group's frame, whose limits are noted. All
 * work-items must call it. */
INLINE uint
share_budget (local gain_memory *own, noted_limits noted,
    constant frame_params *params, global const mean_update *update,
    global float *mean)
{
  const uint budget = find_budget (own, noted);

  if (get_local_id (0) == 0)
    own->budget = smooth_budget (params, update, mean, budget);
  barrier (CLK_LOCAL_MEM_FENCE);
  return own->budget;
}

/* Returns: the sum of the distances of n samples from their mean, in 1/16. Each
 * work-item has `count` of them, of `value`. */
INLINE ulong
find_spread (local ulong *sums, ulong n, uint count, uint value)
{
  const ulong sum = add_up_group (sums, (ulong) count * value);
  const ulong mean = (16 * sum + n / 2) / max (n, (ulong) 1);

  return add_up_group (sums, count * abs_diff ((ulong) (16 * value), mean));
}

/* Returns: the gain for samples that equalization spreads, without a budget.
 * Before, each work-item has `count` samples of its local id; after,
 * `equalized` samples of `value`. */
INLINE uint
find_spread_gain (local ulong *sums, uint count, uint equalized, uint value)
{
  const ulong n = add_up_group (sums, count);
  const ulong before = find_spread (sums, n, count, get_local_id (0));
  const ulong after = find_spread (sums, n, equalized, value);
  const ulong gain =
      (AMPHISTO_UNIT_GAIN * after + before / 2) / max (before, (ulong) 1);

  return before == 0 ? AMPHISTO_UNIT_GAIN
                     : (uint) clamp (gain, (ulong) AMPHISTO_UNIT_GAIN,
                         (ulong) AMPHISTO_MAX_GAIN);
}

/* Chroma c, 0 to 255, scaled. */
INLINE uchar
scale_sample (constant frame_params *params, uint c, uint gain)
{
  const int scaled = (int) ((abs_diff (c, 128u) * gain + 128) >> 8);

  return (uchar) clamp (c < 128 ? 128 - scaled : 128 + scaled,
      (int) min (c, params->chroma_lo), (int) max (c, params->chroma_hi));
}

/* Stores the gain within the budget, and the LUT for U and V. For an empty
 * frame, it stores nothing: at a kernel's first launch, several arguments are
 * one buffer. Other frames may have empty bins, too: means that are rounded to
 * 0. */
INLINE void
store_gain (constant frame_params *params, uint spread, uint budget,
    global uint *stored, global uchar *lut)
{
  const uint i = get_local_id (0);
  const uint gain = min (spread, budget);

  if (params->luma.height == 0)
    return;
  lut[i] = scale_sample (params, i, gain);
  if (i == 0)
    *stored = gain;
}
