/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Scales chroma with the contrast that luma gains by equalization;
 * core/change/chroma.h has the arithmetic.
 */

#pragma once

#include "measure/cdf.cl"
#include "change/map_planes.cl"

/* Returns: the sum of the distances of n samples from their mean, in 1/16. Each
 * work-item has `count` of them, of `value`. */
INLINE ulong
find_spread (local ulong *sums, ulong n, uint count, uint value)
{
  const ulong sum = add_up_group (sums, (ulong) count * value);
  const ulong mean = (16 * sum + n / 2) / max (n, (ulong) 1);

  return add_up_group (sums, count * abs_diff ((ulong) (16 * value), mean));
}

/* Returns: the gain for samples that equalization spreads. Before, each
 * work-item has `count` samples of its local id; after, `equalized` samples of
 * `value`. */
INLINE uint
find_gain (local ulong *sums, uint count, uint equalized, uint value)
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

/* Stores the gain, and the LUT for U and V. For an empty frame, it stores
 * nothing: at a kernel's first launch, several arguments are one buffer. Other
 * frames may have empty bins, too: means that are rounded to 0. */
INLINE void
store_gain (constant frame_params *params, uint gain, global uint *stored,
    global uchar *lut)
{
  const uint i = get_local_id (0);

  if (params->luma.height == 0)
    return;
  lut[i] = scale_sample (params, i, gain);
  if (i == 0)
    *stored = gain;
}

/* For global equalization, matching and stretching. bins, luma: the bins that
 * luma's LUT is made from, and this LUT. */
kernel BINS_GROUP void
find_gain_of_lut (constant frame_params *params, global const uint *bins,
    global const uchar *luma, global uint *gain, global uchar *lut)
{
  local ulong sums[AMPHISTO_N_BINS];
  const uint i = get_local_id (0);

  store_gain (params, find_gain (sums, bins[i], bins[i], luma[i]), gain, lut);
}

/* For CLAHE. bins: as make_tile_tables leaves them; cleared for the next
 * frame. */
kernel BINS_GROUP void
find_gain_of_tiles (constant frame_params *params, global uint *bins,
    global uint *gain, global uchar *lut)
{
  local ulong sums[AMPHISTO_N_BINS];
  const uint i = get_local_id (0);

  store_gain (params, find_gain (sums, bins[i], bins[AMPHISTO_N_BINS + i], i),
      gain, lut);
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
