/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The light of the vectorscope. Each point has the colour of its chroma.
 */

#pragma once

#include "vectorscope_params.h"
#include "scopes/blend.cl"
#include "scopes/cells.cl"

/* Red, green or blue of light in the colour of chroma (u, v). */
INLINE shorts
chroma_colour (constant int *row, signed_pixels u, int v, shorts brightness)
{
  const signed_pixels colour =
      clamp ((row[0] * u + (row[1] * v + row[2])) >> (signed_pixels) (16),
          (signed_pixels) (0), (signed_pixels) (255));

  return light_in (brightness, TO_SHORTS (AS_UNSIGNED (colour)));
}

/* The chroma in the middle of pixel i of the plot, from the left or the bottom.
 */
#define CHROMA_AT(chroma_per_pixel, i)                                         \
  (((i) * (chroma_per_pixel) + (chroma_per_pixel) / 2) >> 16)

/* The brightness of the spots near a position of the rows, from column x of the
 * panel on. near_spots: of the row of cells at the position. */
INLINE shorts
spots_at (constant vectorscope_params *params, const global uint *trace,
    uint near_spots, uint x, uint position)
{
  shorts most = 0;

  for (uint rest = near_spots; rest != 0; rest &= rest - 1) {
    const uint i = 31 - clz (rest & -rest);
    const uint row = position / 256 + i - VECTORSCOPE_SPOT_REACH;
    const uint distance = abs_diff (position / 16, row * 16 + 8);
    const global any_shorts *spots =
        (const global any_shorts *) (trace + spots_offset (params, row));

    most = max (most,
        sub_sat (UNPACK_SHORTS (spots[x / N_PIXELS]),
            (shorts) (TO_SHORT (distance * distance))));
  }
  return TO_SHORTS (
      min (TO_PIXELS (most) * params->spot_gain >> 16, (pixels) (255)));
}

/* Which pixels are in arrows of a side. arrows: bits of the side's segments;
 * along, depth: along the side, and from it, in 1/65536 of a segment. */
INLINE pixels
arrows_of_side (uint arrows, pixels along, pixels depth)
{
  const pixels from_middle = abs_diff (along & 0xffffu, (pixels) (32768));
  const pixels is_set = (pixels) (arrows) >> (along >> 16 & 31u) & 1u;

  return select ((pixels) (0), is_set,
      2 * from_middle <= depth && depth < (pixels) (VECTORSCOPE_ARROW));
}

/* The brightness of arrows, for a chunk in row `down` of the plot, from column
 * x of the panel on. */
INLINE shorts
arrows_at (constant vectorscope_params *params, uint arrows, uint x, uint down)
{
  const uint n = VECTORSCOPE_N_ARROWS;
  const pixels across = PIXEL_INDICES + x - params->scope.plot_left;
  const pixels from_left = (across * 2 + 1) * params->segment_column;
  const pixels from_top = (down * 2 + 1) * params->segment_row;
  const pixels side = n << 16;
  const pixels lit = arrows_of_side (arrows, from_left, from_top)
      | arrows_of_side (arrows >> n, from_left, side - from_top)
      | arrows_of_side (arrows >> 2 * n, from_top, from_left)
      | arrows_of_side (arrows >> 3 * n, from_top, side - from_left);

  return TO_SHORTS (select (
      (pixels) (0), lit * 255u, across < (pixels) (params->scope.plot_width)));
}

/* Light in the colours of chroma, for a chunk in row `down` of the plot. */
INLINE light_chunk
coloured_light (
    constant vectorscope_params *params, shorts brightness, uint x, uint down)
{
  const signed_pixels u = AS_SIGNED (CHROMA_AT (
      params->chroma_per_column, PIXEL_INDICES + x - params->scope.plot_left));
  const int v = (int) CHROMA_AT (
      params->chroma_per_row, params->scope.plot_height - 1 - down);
  const light_chunk chunk = { chroma_colour (
                                  params->colours[0], u, v, brightness),
    chroma_colour (params->colours[1], u, v, brightness),
    chroma_colour (params->colours[2], u, v, brightness), 0 };

  return chunk;
}

/* See draw_scope.cl. trace: from merge_vectors. */
INLINE light_chunk
draw_panel (light_chunk graticule, constant vectorscope_params *params,
    const global uint *trace, uint panel, int x, uint y)
{
  const uint down = y - params->scope.plot_top;
  const uint position = POSITION_OF (params->half_row, down);

  (void) panel;
  if (down >= params->scope.plot_height)
    return graticule;

  const cell_pair rows = cells_near (params, position);
  const samples first = *(const global samples *) (trace
      + cells_offset (params, rows.first) + (uint) x / 4);
  const samples second = *(const global samples *) (trace
      + cells_offset (params, rows.second) + (uint) x / 4);
  const uint near_spots = trace[near_spots_offset (params, position / 256)];
  const uint arrows =
      params->first_cell > 0 ? trace[arrows_offset (params)] : 0;

  /* most of the scope is dark */
  if (near_spots == 0 && arrows == 0 && are_zeros (first | second))
    return graticule;

  const shorts cells = INTERPOLATE (shorts, TO_SHORTS (unpack_samples (first)),
      TO_SHORTS (unpack_samples (second)), TO_SHORT (rows.weight));

  shorts brightness =
      max (cells, spots_at (params, trace, near_spots, (uint) x, position));

  if (arrows != 0)
    brightness = max (brightness, arrows_at (params, arrows, (uint) x, down));
  return draw_trace_over (graticule,
      coloured_light (params, brightness, (uint) x, down), brightness);
}

#define SCOPE_PARAMS vectorscope_params
#define DRAW_SCOPE draw_vectorscope
#include "scopes/draw_scope.cl"
