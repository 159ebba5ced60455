/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The cells of the vectorscope: their samples, positions and brightness.
 */

#pragma once

#include "vectorscope_params.h"
#include "pixels/components.cl"
#include "pixels/slices.cl"
#include "pixels/saturation.cl"

/* --- samples --- */

/* The components to count. */
INLINE constant component_params *
vector_samples (
    constant frame_params *params, constant vectorscope_params *vectorscope)
{
  return HAS_RGB && vectorscope->is_rgb ? params->rgb : params->chroma;
}

/* U and V of sample x of row y. */
INLINE uint2
vector_at (uchar_planes planes, constant component_params *samples,
    constant vectorscope_params *vectorscope, uint x, uint y)
{
  if (HAS_RGB && vectorscope->is_rgb)
    return read_rgb_chroma (
        frame_rgb_row (planes, samples, y), x, vectorscope->weights);
  return read_chroma (frame_chroma_row (planes, samples, y), x);
}

/* The cell of U and V in a plane: its column and, from the bottom, its row. */
INLINE uint2
cell_of (constant vectorscope_params *vectorscope, uint2 vector)
{
  return vector * vectorscope->plane_size >> 8;
}

/* --- positions --- */

/* The position of pixel i of the plot, in 1/256 of a cell. half: of a column or
 * row. */
#define POSITION_OF(half, i) (((i) *2 + 1) * (half) >> 14)

/* The nearest two cells, and the weight of the second in 1/256. */
typedef struct
{
  uint first;
  uint second;
  uint weight;
} cell_pair;

/* The cells near a position. Around a cell's middle, for a sixth of the way to
 * the next one, its neighbour has no weight. */
INLINE cell_pair
cells_near (constant vectorscope_params *vectorscope, uint position)
{
  const uint from_middle = max (position, 128u) - 128;
  const uint first = from_middle / 256;

  return (cell_pair){ first, min (first + 1, vectorscope->size - 1),
    clamp (from_middle % 256 * 3 / 2, 64u, 320u) - 64 };
}

/* The brightness between two cells, of `type`: a number or a vector. */
#define INTERPOLATE(type, first, second, weight)                               \
  (((first) * ((type) (256) - (type) (weight)) + (second) * (type) (weight)    \
       + (type) (128))                                                         \
      >> (type) (8))

/* --- the trace --- */

/* Where the data of a row of cells are in the trace, in words. Spots come
 * first, so that chunks of them are aligned. */

INLINE uint
spots_offset (constant vectorscope_params *vectorscope, uint row)
{
  return row * vectorscope->scope.panel_width / 2;
}

INLINE uint
cells_offset (constant vectorscope_params *vectorscope, uint row)
{
  return (vectorscope->size * 2 + row) * vectorscope->scope.panel_width / 4;
}

INLINE uint
near_spots_offset (constant vectorscope_params *vectorscope, uint row)
{
  return cells_offset (vectorscope, vectorscope->size) + row;
}

INLINE uint
arrows_offset (constant vectorscope_params *vectorscope)
{
  return near_spots_offset (vectorscope, vectorscope->size);
}

INLINE uint
is_wide (constant vectorscope_params *vectorscope, uint i)
{
  return vectorscope->wide_cells[i / 32] >> i % 32 & 1;
}

/* The brightness of a cell. row_is_wide: 1 or 0. */
INLINE uint
cell_brightness (constant vectorscope_params *vectorscope, uint row_is_wide,
    uint column, uint count)
{
  const uint kind = row_is_wide + is_wide (vectorscope, column);

  return ((constant uchar *) vectorscope->brightness[kind])[count];
}

/* --- arrows --- */

/* The arrow that points to a cell of a plane, if it is not shown; 0: none. row:
 * from the top. */
INLINE uint
arrow_to (constant vectorscope_params *vectorscope, uint column, uint row)
{
  const uint n = VECTORSCOPE_N_ARROWS;
  const int x = (int) (2 * column + 1 - vectorscope->plane_size);
  const int y = (int) (2 * row + 1 - vectorscope->plane_size);
  const bool is_upright = abs (y) > abs (x);
  const uint away = max (abs (x), abs (y));
  const uint along = (uint) ((is_upright ? x : y) + (int) away);
  const uint side = (is_upright ? y : x) < 0 ? 0 : n;

  if (away < vectorscope->size)
    return 0;
  return 1u << (min (along * n / (2 * away), n - 1) + side
             + (is_upright ? 0 : 2 * n));
}

/* --- spots --- */

/* radius^2 of the spot of a cell with n probes; 0: it has none. */
INLINE uint
spot_area (constant vectorscope_params *vectorscope, uint n)
{
  const uint area = min (n * vectorscope->spot_growth, vectorscope->spot_max);

  return area < vectorscope->spot_min ? 0 : area;
}

/* The cells with spots that may reach a position: the first, and the end. */

INLINE uint
first_reaching (uint position)
{
  return max (position / 256, (uint) VECTORSCOPE_SPOT_REACH)
      - VECTORSCOPE_SPOT_REACH;
}

INLINE uint
end_reaching (constant vectorscope_params *vectorscope, uint position)
{
  return min (position / 256 + VECTORSCOPE_SPOT_REACH + 1, vectorscope->size);
}

/* Sets the bit of a row with spots in near_spots of its neighbours. */
INLINE void
set_near_spots (
    constant vectorscope_params *vectorscope, uint row, global uint *trace)
{
  FOR_COLUMNS (i, 2 * VECTORSCOPE_SPOT_REACH + 1) {
    const uint other = row + VECTORSCOPE_SPOT_REACH - i;

    if (other < vectorscope->size)
      atomic_or (&trace[near_spots_offset (vectorscope, other)], 1u << i);
  }
}

/* The positions of pixels of the plot, in 1/16 of a cell. Pixels outside are
 * far from all cells. */
INLINE shorts
spot_positions (constant vectorscope_params *vectorscope, pixels x)
{
  return TO_SHORTS (
      select ((pixels) (0xffff), POSITION_OF (vectorscope->half_column, x) >> 4,
          x < vectorscope->scope.plot_width));
}

/* radius^2 - distance^2 of a spot at the positions, 0 outside it. area:
 * radius^2
 */
INLINE shorts
spot_at (shorts positions, uint column, uint area)
{
  const shorts middle = (shorts) (TO_SHORT (column * 16 + 8));
  const shorts distance = min (abs_diff (positions, middle), (shorts) (255));

  return sub_sat ((shorts) (TO_SHORT (area)), distance * distance);
}
