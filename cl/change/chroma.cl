/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Scales chroma with the contrast that luma gains by equalization, within the
 * gamut budget; core/change/chroma.h has the arithmetic.
 */

#pragma once

#include "change/gain.cl"
#include "change/map_planes.cl"

/* lut: the 256 bytes of luma's. */
NOINLINE void
find_lut_limits (uchar_planes planes, constant frame_params *params,
    uchar_row lut, noted_limits noted, own_chunks own)
{
  FOR_CHUNKS (at, own) {
    const probes p = read_probes (
        planes, params, at.x, PROBED_PIXEL (at.y, params->luma.height));

    note_limits (
        noted, at, find_limits (params, p, gather_uchars (lut, p.luma)));
  }
}

/* For global equalization, matching and stretching. bins, luma: the bins that
 * luma's LUT is made from, and this LUT. mean: of the budget; unlike `update`
 * used without smoothing, too. */
kernel BINS_GROUP void
find_gain_of_lut (global uint *source0, global uint *source1,
    global uint *source2, constant frame_params *params,
    global const uint *bins, global uint *luma, global limits *found,
    global const mean_update *update, global float *mean, global uint *gain,
    global uchar *lut)
{
  local gain_memory own;
  const uint i = get_local_id (0);
  const uint spread = find_spread_gain (
      own.sums, bins[i], bins[i], ((global const uchar *) luma)[i]);

  clear_limits (&own);
  if (HAS_PROBES)
    find_lut_limits (
        planes_at (source0, source1, source2, source0, params->source), params,
        (uchar_row){ luma, 0 }, NOTED_LIMITS (own, found), own_probes (params));
  store_gain (params, spread,
      share_budget (&own, NOTED_LIMITS (own, found), params, update, mean),
      gain, lut);
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
