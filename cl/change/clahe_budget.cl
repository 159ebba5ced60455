/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Probes for the gamut budget of CLAHE.
 */

#pragma once

#include "change/budget.cl"
#include "change/clahe_apply.cl"

NOINLINE void
find_tile_limits (uchar_planes planes, constant frame_params *params,
    constant clahe_params *clahe, global const uint *tables,
    global limits *found, own_chunks own)
{
  FOR_CHUNKS (at, own) {
    const uint y = PROBED_PIXEL (at.y, params->luma.height);
    const probes p = read_probes (planes, params, at.x, y);

    found[at.y * PROBE_CHUNKS + at.x] = find_limits (params, p,
        equalize (find_tile_row (params, clahe, tables, y), p.x, p.luma));
  }
}

/* The same as find_limits_of_lut, with the tables of tiles. */
kernel GROUP void
find_limits_of_tiles (global uint *source0, global uint *source1,
    global uint *source2, constant frame_params *params,
    constant clahe_params *clahe, global const uint *tables,
    global limits *found)
{
  find_tile_limits (
      planes_at (source0, source1, source2, source0, params->source), params,
      clahe, tables, found,
      share_blocks (
          PROBE_CHUNKS, params->luma.height > 0 ? AMPHISTO_PROBE_ROWS : 0));
}
