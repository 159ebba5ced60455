/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The gain of colours for CLAHE.
 */

#pragma once

#include "change/clahe_apply.cl"
#include "change/gain.cl"

NOINLINE void
find_tile_limits (uchar_planes planes, constant frame_params *params,
    constant clahe_params *clahe, global const uint *tables, noted_limits noted,
    own_chunks own)
{
  FOR_CHUNKS (at, own) {
    const uint y = PROBED_PIXEL (at.y, params->luma.height);
    const probes p = read_probes (planes, params, at.x, y);

    note_limits (noted, at,
        find_limits (params, p,
            equalize (find_tile_row (params, clahe, tables, y), p.x, p.luma)));
  }
}

/* As find_gain_of_lut, with the tables of tiles. bins: as make_tile_tables
 * leaves them; cleared for the next frame. */
kernel BINS_GROUP void
find_gain_of_tiles (global uint *source0, global uint *source1,
    global uint *source2, constant frame_params *params,
    constant clahe_params *clahe, global const uint *tables, global uint *bins,
    global limits *found, global const mean_update *update, global float *mean,
    global uint *gain, global uchar *lut)
{
  local gain_memory own;
  const uint i = get_local_id (0);
  const uint spread =
      find_spread_gain (own.sums, bins[i], bins[AMPHISTO_N_BINS + i], i);

  clear_limits (&own);
  if (HAS_PROBES)
    find_tile_limits (
        planes_at (source0, source1, source2, source0, params->source), params,
        clahe, tables, NOTED_LIMITS (own, found), own_probes (params));
  store_gain (params, spread,
      share_budget (&own, NOTED_LIMITS (own, found), params, update, mean),
      gain, lut);
  bins[i] = 0;
  bins[AMPHISTO_N_BINS + i] = 0;
}
