/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Contrast limited adaptive histogram equalization: counts the tiles.
 */

#pragma once

#include "clahe_params.h"
#include "measure/count.cl"

INLINE uint
n_tiles (constant clahe_params *clahe)
{
  return clahe->tiles_x * clahe->tiles_y;
}

/* The pixel, below n, that pixel i mirrors: backwards from the last pixel, and
 * forwards again from the first. */
INLINE uint
mirror (uint i, uint n)
{
  const uint period = n > 1 ? 2 * (n - 1) : 1;

  if (i < n)
    return i;
  i %= period;
  return i < n ? i : period - i;
}

/* Counts luma of n pixels of row y, from pixel x on. */
INLINE void
count_luma (counters c, constant frame_params *params, uchar_planes planes,
    uint x, uint y, uint n)
{
  constant component_params *luma = &params->luma;

  if (HAS_RGB && luma->plane == AMPHISTO_RGB_LUMA)
    count_rgb_luma (c, rgb_row_from (frame_rgb_row (planes, params->rgb, y), x),
        n, params->weights);
  else
    count_component (
        c, component_row_from (frame_component_row (planes, luma, y), x), n);
}

/* Counts a slice of a tile's rows. slice: n_slices for the first tile, then for
 * the second, and so on. */
INLINE void
count_tile_slice (counters c, uint slice, constant frame_params *params,
    constant clahe_params *clahe, uchar_planes planes)
{
  const uint width = params->luma.width;
  const uint tile = slice / clahe->n_slices;
  const row_range rows = own_item_rows (
      slice_of (clahe->tile_height, slice % clahe->n_slices, clahe->n_slices));
  const uint top = tile / clahe->tiles_x * clahe->tile_height;
  const uint x = tile % clahe->tiles_x * clahe->tile_width;
  const uint n = x < width ? min (clahe->tile_width, width - x) : 0;

  FOR_ROWS (row, rows) {
    const uint y = mirror (top + row, params->luma.height);

    count_luma (c, params, planes, x, y, n);
    FOR_COUNTED (i, clahe->tile_width - n, c)
      count (c,
          read_channel (
              params, planes, &params->luma, mirror (x + n + i, width), y));
  }
}

NOINLINE void
count_slices (uchar_planes planes, constant frame_params *params,
    constant clahe_params *clahe, global uint *bins, OWN uint *own,
    row_range rows)
{
  const counters c = own_counters (own);

  FOR_ROWS (slice, rows) {
    clear_counts (own);
    GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
    count_tile_slice (c, slice, params, clahe, planes);
    GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
    FOR_COLUMNS (v, AMPHISTO_N_BINS)
      bins[slice * AMPHISTO_N_BINS + v] = sum_replicas (own, v);
    GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
  }
}

/* Counts luma in the tiles. bins: AMPHISTO_N_BINS for each slice of the first
 * tile, then of the second, and so on. */
kernel GROUP void
count_tiles (global uint *plane0, global uint *plane1, global uint *plane2,
    constant frame_params *params, constant clahe_params *clahe,
    global uint *bins)
{
  OWN uint own[N_REPLICAS * AMPHISTO_N_BINS];

  count_slices (planes_at (plane0, plane1, plane2, plane0, params->source),
      params, clahe, bins, own, own_rows (n_tiles (clahe) * clahe->n_slices));
}

NOINLINE void
merge_slices (constant clahe_params *clahe, global const uint *partials,
    global uint *bins, row_range rows)
{
  FOR_ROWS (tile, rows)
    FOR_COLUMNS (v, AMPHISTO_N_BINS) {
      uint sum = 0;

      for (uint slice = 0; slice < clahe->n_slices; slice++)
        sum += partials[(tile * clahe->n_slices + slice) * AMPHISTO_N_BINS + v];
      bins[tile * AMPHISTO_N_BINS + v] = sum;
    }
}

/* Adds up the partial histograms of each tile. */
kernel GROUP void
merge_tiles (constant clahe_params *clahe, global const uint *partials,
    global uint *bins)
{
  merge_slices (clahe, partials, bins, own_rows (n_tiles (clahe)));
}

NOINLINE void
add_tiles (global const uint *tiles, volatile global uint *bins, row_range rows)
{
  FOR_COLUMNS (v, AMPHISTO_N_BINS) {
    uint sum = 0;

    FOR_ROWS (tile, rows)
      sum += tiles[tile * AMPHISTO_N_BINS + v];
    if (sum > 0)
      atomic_add (&bins[v], sum);
  }
}

/* Adds the tiles' bins to luma's histogram, instead of counting luma again.
 * Only if each pixel is in exactly one tile. bins: of all slots, as
 * calculate_histogram leaves them. */
kernel GROUP void
sum_tiles (constant clahe_params *clahe, global const uint *tiles,
    volatile global uint *bins)
{
  add_tiles (tiles, bins, own_rows (n_tiles (clahe)));
}
