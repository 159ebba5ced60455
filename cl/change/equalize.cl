/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Makes the LUT from the bins, for global equalization, matching and
 * stretching.
 *
 * Floats: every operation is rounded separately, half to even, and none is
 * contracted, so that the LUT is the same on every device.
 */

#pragma once

#include "measure/cdf.cl"
#include "change/divide_rounded.cl"
#include "change/move_value.cl"
#include "pixels/slices.cl"

#pragma OPENCL FP_CONTRACT OFF

/* Makes the LUT of global equalization. GPU shape: one work-group of
 * AMPHISTO_N_BINS work-items, one per value of the LUT; CPU shape: one
 * work-item. bins: as calculate_histogram leaves them. lut: AMPHISTO_N_BINS
 * values, lo to hi. */
#ifdef AMPHISTO_GPU

kernel BINS_GROUP void
equalize_lut (
    constant frame_params *params, global const uint *bins, global uchar *lut)
{
  local cdf_memory own;
  /* the smallest value that occurs, its count, and the LUT values per other
   * sample */
  local uint first, count_of_first;
  local float scale;
  const uint i = get_local_id (0);
  const uint count = bins[i];

  if (i == 0)
    first = count_of_first = 0; /* for empty histograms */

  const cdf_value cdf = find_cdf (&own, count);

  if (count > 0 && cdf.samples == count) {
    first = i;
    count_of_first = count;
    if (cdf.total > count)
      scale =
          divide_rounded (params->hi - params->lo, (float) (cdf.total - count));
  }
  barrier (CLK_LOCAL_MEM_FENCE);

  uint value = i;

  if (cdf.total > count_of_first) {
    value = params->lo;
    if (i > first)
      value += (uint) rint ((float) (cdf.samples - count_of_first) * scale);
  }
  lut[i] = move_value (params, i, value);
}

#else

NOINLINE void
fill_equalize_lut (
    constant frame_params *params, global const uint *counts, global uchar *lut)
{
  uint samples[AMPHISTO_N_BINS]; /* samples above `first`, cumulative */
  uint first = 0;
  uint rest = 0;

  while (first < AMPHISTO_N_BINS - 1 && counts[first] == 0)
    first++;
  for (uint i = 0; i < AMPHISTO_N_BINS; i++)
    samples[i] = rest += i > first ? counts[i] : 0;

  const float scale =
      rest > 0 ? divide_rounded (params->hi - params->lo, (float) rest) : 0;

  for (uint i = 0; i < AMPHISTO_N_BINS; i++) {
    const uint value = params->lo + (uint) rint ((float) samples[i] * scale);

    lut[i] = move_value (params, i, rest > 0 ? value : i);
  }
}

kernel void
equalize_lut (
    constant frame_params *params, global const uint *bins, global uchar *lut)
{
  fill_equalize_lut (params, bins, lut);
}

#endif

/* Makes the LUT that matches luma's histogram to another: LUT[i] is the
 * smallest value with at least the cumulative fraction in `match_bins` that i
 * has in the frame, within the range; the identity if all samples are equal.
 * match_bins: AMPHISTO_N_BINS bins, with a sum below 2^32. */
kernel BINS_GROUP void
match_lut (constant frame_params *params, global const uint *bins,
    global uchar *lut, constant uint *match_bins)
{
  local cdf_memory own;
  local uint match_cdf[AMPHISTO_N_BINS];
  local bool is_flat;
  const uint i = get_local_id (0);

  if (i == 0)
    is_flat = false;

  const cdf_value found = find_cdf (&own, bins[i]);
  const cdf_value wanted = find_cdf (&own, match_bins[i]);

  match_cdf[i] = wanted.samples;
  if (bins[i] == found.total)
    is_flat = true;
  barrier (CLK_LOCAL_MEM_FENCE);

  const ulong reached = (ulong) found.samples * wanted.total;
  uint value = 0;

  for (uint jump = AMPHISTO_N_BINS / 2; jump > 0; jump /= 2)
    if ((ulong) match_cdf[value + jump - 1] * found.total < reached)
      value += jump;
  value = is_flat ? i : clamp (value, params->lo, params->hi);
  lut[i] = move_value (params, i, value);
}

/* Makes the LUT that spreads luma linearly, without the darkest `stretch_low`
 * and the brightest `stretch_high` samples. */
kernel BINS_GROUP void
stretch_lut (
    constant frame_params *params, global const uint *bins, global uchar *lut)
{
  local cdf_memory own;
  local uint first, last; /* the range of values that is spread */
  local float scale;
  const uint i = get_local_id (0);
  const uint count = bins[i];

  if (i == 0) {
    first = AMPHISTO_N_BINS - 1;
    last = 0;
  }

  const cdf_value cdf = find_cdf (&own, count);
  const uint above = cdf.total - cdf.samples;

  if (cdf.samples - count <= params->stretch_low
      && cdf.samples > params->stretch_low)
    first = i;
  if (above <= params->stretch_high && above + count > params->stretch_high)
    last = i;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (i == 0 && first < last)
    scale = divide_rounded (params->hi - params->lo, (float) (last - first));
  barrier (CLK_LOCAL_MEM_FENCE);

  uint value = i;

  if (first < last)
    value = params->lo
        + (uint) rint ((float) (clamp (i, first, last) - first) * scale);
  lut[i] = move_value (params, i, value);
}
