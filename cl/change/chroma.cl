/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Scales chroma with the contrast that luma gains by equalization, within the
 * gamut budget; core/change/chroma.h has the arithmetic.
 */

#pragma once

#include "measure/cdf.cl"
#include "change/budget.cl"
#include "change/map_planes.cl"
#include "change/mean_update.cl"

NOINLINE void
find_lut_limits (uchar_planes planes, constant frame_params *params,
    uchar_row lut, global limits *found, own_chunks own)
{
  FOR_CHUNKS (at, own) {
    const probes p = read_probes (
        planes, params, at.x, PROBED_PIXEL (at.y, params->luma.height));

    found[at.y * PROBE_CHUNKS + at.x] =
        find_limits (params, p, gather_uchars (lut, p.luma));
  }
}

/* Stores for each probe, row by row, the greatest gain of colours that does not
 * clip it. lut: the 256 bytes of luma's. */
kernel GROUP void
find_limits_of_lut (global uint *source0, global uint *source1,
    global uint *source2, constant frame_params *params, global uint *lut,
    global limits *found)
{
  find_lut_limits (
      planes_at (source0, source1, source2, source0, params->source), params,
      (uchar_row){ lut, 0 }, found,
      share_blocks (
          PROBE_CHUNKS, params->luma.height > 0 ? AMPHISTO_PROBE_ROWS : 0));
}

#ifdef AMPHISTO_GPU
/* Bin k counts the probes that a gain above AMPHISTO_UNIT_GAIN + k clips. */
#define BUDGET_BINS (AMPHISTO_MAX_GAIN - AMPHISTO_UNIT_GAIN)
#define OWN_BUDGET_BINS (BUDGET_BINS / AMPHISTO_N_BINS)
#define OWN_PROBES (AMPHISTO_N_PROBES / AMPHISTO_N_BINS)
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

#ifdef AMPHISTO_GPU
/* Counts the probes which AMPHISTO_UNIT_GAIN does not clip, but a greater gain
 * does. All are read before the first is counted, so that the work-item waits
 * for memory once. */
INLINE void
count_limits (local gain_memory *own, global const ushort *found)
{
  const uint i = get_local_id (0);
  ushort limits[OWN_PROBES];

  for (uint k = i; k < BUDGET_BINS; k += AMPHISTO_N_BINS)
    own->clipped[k] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint k = 0; k < OWN_PROBES; k++)
    limits[k] = found[k * AMPHISTO_N_BINS + i];
#pragma unroll
  for (uint k = 0; k < OWN_PROBES; k++)
    if (limits[k] > AMPHISTO_UNIT_GAIN && limits[k] < AMPHISTO_MAX_GAIN)
      atomic_inc (&own->clipped[limits[k] - AMPHISTO_UNIT_GAIN]);
  barrier (CLK_LOCAL_MEM_FENCE);
}

/* Returns: the budget of a frame: the greatest gain that clips few enough
 * probes. All work-items must call it. */
INLINE uint
find_budget (local gain_memory *own, global const ushort *found)
{
  local const uint *bins = own->clipped + OWN_BUDGET_BINS * get_local_id (0);
  uint sum = 0;
  uint n_within = 0;

  count_limits (own, found);
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
/* Whether the gain, but not AMPHISTO_UNIT_GAIN, is above the limit: the
 * difference of a lower limit wraps. */
#define IS_CLIPPED(limit, gain)                                                \
  ((limit) - (ushort16) (AMPHISTO_UNIT_GAIN + 1)                               \
      < (ushort16) (gain) - (ushort16) (AMPHISTO_UNIT_GAIN + 1))

/* The number of probes that the gain clips. */
INLINE uint
count_clipped (global const ushort16 *found, uint gain)
{
  short16 counts = 0;
  uint count = 0;

  for (uint k = 0; k < AMPHISTO_N_PROBES / 16; k++)
    counts -= IS_CLIPPED (found[k], (ushort) gain);
  for (uint k = 0; k < 16; k++)
    count += (uint) ((const short *) &counts)[k];
  return count;
}

/* The same; one work-item calls it. */
INLINE uint
find_budget (local gain_memory *own, global const ushort *found)
{
  uint budget = AMPHISTO_UNIT_GAIN;

  (void) own;
  for (uint jump = AMPHISTO_MAX_GAIN / 2; jump > 0; jump /= 2)
    if (budget + jump <= AMPHISTO_MAX_GAIN
        && count_clipped ((global const ushort16 *) found, budget + jump)
            <= AMPHISTO_MAX_CLIPPED)
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

/* Returns: the budget for the work-group's frame. */
INLINE uint
share_budget (local gain_memory *own, constant frame_params *params,
    global const ushort *found, global const mean_update *update,
    global float *mean)
{
  const bool is_first = get_local_id (0) == 0;
  const uint budget = IS_GPU || is_first ? find_budget (own, found) : 0;

  if (is_first)
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

/* For global equalization, matching and stretching. bins, luma: the bins that
 * luma's LUT is made from, and this LUT. found: as find_limits_of_lut leaves
 * them. mean: of the budget; unlike `update` used without smoothing, too. */
kernel BINS_GROUP void
find_gain_of_lut (constant frame_params *params, global const uint *bins,
    global const uchar *luma, global const ushort *found,
    global const mean_update *update, global float *mean, global uint *gain,
    global uchar *lut)
{
  local gain_memory own;
  const uint i = get_local_id (0);
  const uint spread = find_spread_gain (own.sums, bins[i], bins[i], luma[i]);
  const uint budget = share_budget (&own, params, found, update, mean);

  store_gain (params, spread, budget, gain, lut);
}

/* For CLAHE. bins: as make_tile_tables leaves them; cleared for the next
 * frame. */
kernel BINS_GROUP void
find_gain_of_tiles (constant frame_params *params, global uint *bins,
    global const ushort *found, global const mean_update *update,
    global float *mean, global uint *gain, global uchar *lut)
{
  local gain_memory own;
  const uint i = get_local_id (0);
  const uint spread =
      find_spread_gain (own.sums, bins[i], bins[AMPHISTO_N_BINS + i], i);
  const uint budget = share_budget (&own, params, found, update, mean);

  store_gain (params, spread, budget, gain, lut);
  bins[i] = 0;
  bins[AMPHISTO_N_BINS + i] = 0;
}

/* YUV: U and V become lut[U] and lut[V]. source and target may be the same. */
kernel GROUP void
scale_chroma (global uint *source0, global uint *source1, global uint *source2,
    global uint *target0, global uint *target1, global uint *target2,
    constant drawing_params *params, LUT uchar *lut)
{
  map_chroma (planes_at (source0, source1, source2, source0, params->source),
      planes_at (target0, target1, target2, target0, params->target), params,
      lut);
}
