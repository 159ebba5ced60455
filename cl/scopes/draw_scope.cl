/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Draws a scope from its trace and its graticule into the frame. The scope's
 * own file comes first and defines:
 *
 *   SCOPE_PARAMS              the type of its parameters, which begin with
 *                             scope_params
 *   DRAW_SCOPE                the name of its kernel
 *   draw_panel (graticule, params, trace, panel, x, y)    draws the scope's
 *                             light over the graticule's, for a chunk of row y
 *                             of a panel from column x on; see draw_over(). x
 *                             may be negative; see light_of_panels()
 */

#pragma once

#include "pixels/slices.cl"

/* The light of a chunk from column x on: a before column `begin`, b from there
 * on. */
#ifdef AMPHISTO_GPU

#define join_light(a, b, x, begin) ((begin) > (x) ? (a) : (b))

#else

INLINE shorts
join_lanes (shorts a, shorts b, shorts is_a)
{
  return (a & is_a) | (b & ~is_a);
}

INLINE light_chunk
join_light (light_chunk a, light_chunk b, uint x, uint begin)
{
  if (begin <= x)
    return b;
  if (begin >= x + N_PIXELS)
    return a;

  const shorts is_a =
      as_ushort16 (TO_SHORTS (PIXEL_INDICES) < (shorts) ((ushort) (begin - x)));
  const light_chunk light = { join_lanes (a.r, b.r, is_a),
    join_lanes (a.g, b.g, is_a), join_lanes (a.b, b.b, is_a),
    join_lanes (a.alpha, b.alpha, is_a) };

  return light;
}

#endif

/* The light of a chunk of the scope from column x on, in row `row` of the
 * panels from panel `first` on; a row beyond them is above or below all panels.
 * Chunks left of the panels have the graticule alone. CPU shape: a chunk may be
 * in two panels, or extend past the last one. GPU shape: panels consist of
 * whole chunks. */
INLINE light_chunk
light_of_panels (light_chunk graticule, constant SCOPE_PARAMS *params,
    const global uint *trace, uint first, uint x, uint row)
{
  const uint n_panels = params->scope.panels_x;
  const uint width = params->scope.panel_width;
  const uint right = x - params->scope.panels_left;
  uint panel = n_panels == 1 ? 0 : right / width;
  uint begin = panel * width;
  light_chunk sum = graticule;

  /* left of the panels, `right` is large */
  if (right >= n_panels * width || row >= params->scope.panel_height)
    return graticule;
  if (n_panels == 1)
    return draw_panel (graticule, params, trace, first, (int) right, row);
  for (; panel < n_panels && begin < right + N_PIXELS;
       panel++, begin += width) {
    const light_chunk panel_light = draw_panel (
        graticule, params, trace, first + panel, (int) (right - begin), row);

    sum = join_light (sum, panel_light, right, begin);
  }
  return join_light (sum, graticule, right, begin);
}

/* Draws a block of n_chunks chunks. first, row: of the panels; x, y: the
 * block's first pixel in the scope. */
INLINE void
draw_block (uchar_planes planes, constant drawing_params *drawing,
    constant SCOPE_PARAMS *params, const global uint *trace,
    const global uint *graticule, uint first, uint row, uint x, uint y,
    uint n_chunks)
{
  constant scope_params *scope = &params->scope;
  const uint n_rows = 1u << coarsest (drawing)->y_shift;
  const uint stride = pixel_row_stride (coarsest (drawing));
  const bool is_subsampled = n_rows > 1 || coarsest (drawing)->x_shift > 0;
  light_chunk chunks[BLOCK_CHUNKS], sum[BLOCK_CHUNKS];

  if (is_subsampled)
    clear_light (sum, n_chunks);
  for (uint i = 0; i < n_rows; i++) {
    for (uint k = 0; k < n_chunks; k++) {
      const uint column = x + k * N_PIXELS;

      chunks[k] = light_on (
          light_of_panels (graticule_light (graticule
                               + (y + i * stride) * scope->width + column),
              params, trace, first, column, row + i * stride),
          scope->background);
      if (is_subsampled)
        add_light (&sum[k], chunks[k]);
    }
    blend_row (planes, drawing, scope->x + x, scope->y + y + i * stride, chunks,
        n_chunks);
  }
  blend_block (planes, drawing, scope->x + x, scope->y + y, sum, n_chunks,
      scope->background);
}

NOINLINE void
draw_blocks (uchar_planes planes, constant drawing_params *drawing,
    constant SCOPE_PARAMS *params, const global uint *trace,
    const global uint *graticule, own_chunks blocks)
{
  constant scope_params *scope = &params->scope;

  FOR_CHUNKS (at, blocks) {
    const uint y = first_pixel_row (coarsest (drawing), at.y);
    const uint down = y - scope->panels_top;
    const uint line = down / scope->panel_height;
    const uint row = line < scope->panels_y ? down % scope->panel_height
                                            : scope->panel_height;

    /* above the panels, `down` is large */
    draw_block (planes, drawing, params, trace, graticule,
        line * scope->panels_x, row, at.x * BLOCK_CHUNKS * N_PIXELS, y,
        chunks_of_block (at.x, scope->width / N_PIXELS));
  }
}

/* Draws the scope into the target's planes. */
kernel GROUP void
DRAW_SCOPE (global uint *target0, global uint *target1, global uint *target2,
    global uint *target3, constant drawing_params *drawing,
    constant SCOPE_PARAMS *params, const global uint *trace,
    const global uint *graticule)
{
  constant scope_params *scope = &params->scope;

  draw_blocks (planes_at (target0, target1, target2, target3, drawing->target),
      drawing, params, trace, graticule,
      share_blocks (blocks_of_row (scope->width / N_PIXELS),
          scope->height >> coarsest (drawing)->y_shift));
}
