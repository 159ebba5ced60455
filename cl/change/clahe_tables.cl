/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Contrast limited adaptive histogram equalization: makes a LUT for each tile.
 *
 * The LUTs of the four tiles around a corner are interleaved in one table, so
 * that a pixel takes one look-up. For each value of luma, a table has a word
 * with the values of the upper left tile's LUT in the lowest byte, then of the
 * upper right, lower left and lower right ones. There are (tiles_x + 1) *
 * (tiles_y + 1) tables, row by row. At the picture's edges, the nearest tiles
 * are repeated.
 *
 * Floats: as in equalize.cl, every operation is rounded separately.
 */

#pragma once

#include "measure/cdf.cl"
#include "change/clahe_count.cl"
#include "change/move_value.cl"
#include "pixels/slices.cl"

#pragma OPENCL FP_CONTRACT OFF

/* How samples above the limit are redistributed: `each` to every bin, and one
 * more to `rest` bins, `stride` apart. */
typedef struct
{
  uint each;
  uint rest;
  uint stride;
} excess_split;

INLINE excess_split
divide_excess (uint excess)
{
  const uint rest = excess % AMPHISTO_N_BINS;

  return (excess_split){ excess / AMPHISTO_N_BINS, rest,
    rest > 0 ? AMPHISTO_N_BINS / rest : 1 };
}

INLINE uint
lut_value (
    uint cdf, constant frame_params *params, constant clahe_params *clahe)
{
  const float value = (float) cdf * clahe->scale;

  return min (params->lo + (uint) rint (value), params->hi);
}

/* A work-group's memory: a LUT, the sums of add_tile() and, in the GPU shape,
 * for find_cdf(). */
typedef struct
{
  uint lut[AMPHISTO_N_BINS];
  uint sums[2 * AMPHISTO_N_BINS];
#ifdef AMPHISTO_GPU
  cdf_memory cdf;
#endif
} tables_memory;

#ifdef AMPHISTO_GPU

/* Makes the tile's LUT, in a work-group of AMPHISTO_N_BINS work-items, one per
 * value. */
INLINE void
make_tile_lut (constant frame_params *params, constant clahe_params *clahe,
    global const uint *bins, local tables_memory *own)
{
  const uint i = get_local_id (0);
  const uint count = min (bins[i], clahe->limit);
  const excess_split excess =
      divide_excess (find_cdf (&own->cdf, bins[i] - count).total);
  const bool gets_one =
      i % excess.stride == 0 && i < excess.rest * excess.stride;

  own->lut[i] = lut_value (
      find_cdf (&own->cdf, count + excess.each + (gets_one ? 1 : 0)).samples,
      params, clahe);
}

#else

INLINE void
make_tile_lut (constant frame_params *params, constant clahe_params *clahe,
    global const uint *bins, tables_memory *own)
{
  uint *lut = own->lut;
  uint excess = 0, cdf = 0;

  for (uint i = 0; i < AMPHISTO_N_BINS; i++)
    excess += bins[i] - min (bins[i], clahe->limit);

  const excess_split split = divide_excess (excess);

  for (uint i = 0; i < AMPHISTO_N_BINS; i++)
    lut[i] = min (bins[i], clahe->limit) + split.each;
  for (uint i = 0; i < split.rest; i++)
    lut[i * split.stride]++;
  for (uint i = 0; i < AMPHISTO_N_BINS; i++)
    lut[i] = cdf += lut[i];
  for (uint i = 0; i < AMPHISTO_N_BINS; i++)
    lut[i] = lut_value (lut[i], params, clahe);
}

#endif

/* Writes the tile's LUT to the tables of its four corners. In tables at the
 * picture's edges, it takes several of the four bytes. */
INLINE void
write_tile_lut (constant clahe_params *clahe, uint tile, const OWN uint *lut,
    global uchar *tables)
{
  const uint tiles_x = clahe->tiles_x, tiles_y = clahe->tiles_y;
  const uint x = tile % tiles_x, y = tile / tiles_x;

  for (uint k = 0; k < 16; k++) {
    const uint column = x + (k & 1), row = y + (k >> 1 & 1);
    const uint byte = k >> 2;
    const uint tile_x =
        byte & 1 ? min (column, tiles_x - 1) : max (column, 1u) - 1;
    const uint tile_y = byte & 2 ? min (row, tiles_y - 1) : max (row, 1u) - 1;
    global uchar *table =
        tables + (row * (tiles_x + 1) + column) * AMPHISTO_N_BINS * 4 + byte;

    if (tile_x == x && tile_y == y)
      FOR_COLUMNS (i, AMPHISTO_N_BINS)
        table[i * 4] = lut[i];
  }
}

#ifdef AMPHISTO_GPU
#define ADD_TO_OWN(sum, n) atomic_add (&(sum), n)
#else
#define ADD_TO_OWN(sum, n) ((sum) += (n))
#endif

/* Adds the tile's bins to `sums`, and behind them to the bins of the values
 * that the LUT gives its samples. */
INLINE void
add_tile (constant frame_params *params, global const uint *bins,
    const OWN uint *lut, OWN uint *sums)
{
  FOR_COLUMNS (i, AMPHISTO_N_BINS)
    if (bins[i] > 0) {
      sums[i] += bins[i];
      ADD_TO_OWN (
          sums[AMPHISTO_N_BINS + move_value (params, i, lut[i])], bins[i]);
    }
}

NOINLINE void
make_tables (constant frame_params *params, constant clahe_params *clahe,
    global const uint *bins, global uchar *tables, volatile global uint *sums,
    OWN tables_memory *own, row_range rows)
{
  FOR_COLUMNS (i, 2 * AMPHISTO_N_BINS)
    own->sums[i] = 0;
  FOR_ROWS (tile, rows) {
    global const uint *tile_bins = bins + tile * AMPHISTO_N_BINS;

    make_tile_lut (params, clahe, tile_bins, own);
    GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
    write_tile_lut (clahe, tile, own->lut, tables);
    if (params->keeps_colors)
      add_tile (params, tile_bins, own->lut, own->sums);
    GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
  }
  FOR_COLUMNS (i, 2 * AMPHISTO_N_BINS)
    if (own->sums[i] > 0)
      atomic_add (&sums[i], own->sums[i]);
}

/* Makes the tables. bins: AMPHISTO_N_BINS for each tile. If colours are kept,
 * adds to `sums`, 2 * AMPHISTO_N_BINS, the bins of all tiles before and after
 * equalization, for find_gain_of_tiles. GPU shape: the work-group size must be
 * AMPHISTO_N_BINS. */
kernel GROUP void
make_tile_tables (constant frame_params *params, constant clahe_params *clahe,
    global const uint *bins, global uchar *tables, volatile global uint *sums)
{
  OWN tables_memory own;

  make_tables (
      params, clahe, bins, tables, sums, &own, own_rows (n_tiles (clahe)));
}
