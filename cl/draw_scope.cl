/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Draws a scope from its light and its graticule into the frame. The scope's
 * own file comes first and defines:
 *
 *   SCOPE_PARAMS              the type of its parameters, which begin with
 *                             scope_params
 *   DRAW_SCOPE                the name of its kernel
 *   add_scope (sum, params, light, panel, x, y)    adds the scope's light to
 *                             sum, the graticule's light, for a chunk of row y
 *                             of a panel from column x on; light above 255
 *                             counts as 255
 */

#ifndef AMPHISTO_DRAW_SCOPE_CL
#define AMPHISTO_DRAW_SCOPE_CL

#ifndef DRAW_SCOPE
#include "waveform.cl"
#endif
#ifndef AMPHISTO_SLICES_CL
#include "slices.cl"
#endif

/* Draws a block of n_chunks chunks. column, row: the block's first pixel in the
 * panel; x, y: in the scope. */
INLINE void
draw_block (uchar_planes planes, constant drawing_params *drawing,
    constant SCOPE_PARAMS *params, const global uint *light,
    const global uint *graticule, uint panel, uint column, uint row, uint x,
    uint y, uint n_chunks)
{
  constant scope_params *scope = &params->scope;
  const uint width = scope->panels_x * scope->panel_width;
  const uint n_rows = 1u << coarsest (drawing)->y_shift;
  const uint stride = pixel_row_stride (coarsest (drawing));
  light_chunk chunks[RUN_CHUNKS], sum[RUN_CHUNKS];

  clear_light (sum, n_chunks);
  for (uint i = 0; i < n_rows; i++) {
    for (uint k = 0; k < n_chunks; k++) {
      const light_chunk gridlines = graticule_light (
          graticule + (y + i * stride) * width + x + k * N_PIXELS);

      chunks[k] = light_on (add_scope (gridlines, params, light, panel,
                                column + k * N_PIXELS, row + i * stride),
          scope->background);
      add_light (&sum[k], chunks[k]);
    }
    blend_row (planes, drawing, scope->x + x, scope->y + y + i * stride, chunks,
        n_chunks);
  }
  blend_block (planes, drawing, scope->x + x, scope->y + y, sum, n_chunks);
}

OUTLINE void
draw_blocks (uchar_planes planes, constant drawing_params *drawing,
    constant SCOPE_PARAMS *params, const global uint *light,
    const global uint *graticule, own_chunks blocks)
{
  constant scope_params *scope = &params->scope;
  const uint n_chunks = scope->panel_width / N_PIXELS;
  const uint n_runs = count_runs (n_chunks);

  FOR_CHUNKS (at, blocks) {
    const uint y = first_pixel_row (coarsest (drawing), at.y);
    const uint panel = at.x / n_runs;
    const uint run = at.x % n_runs;
    const uint column = run * RUN_CHUNKS * N_PIXELS;

    draw_block (planes, drawing, params, light, graticule,
        y / scope->panel_height * scope->panels_x + panel, column,
        y % scope->panel_height, panel * scope->panel_width + column, y,
        chunks_of_run (run, n_chunks));
  }
}

/* Draws the scope into the target's planes. */
kernel GROUP void
DRAW_SCOPE (global uint *target0, global uint *target1, global uint *target2,
    constant drawing_params *drawing, constant SCOPE_PARAMS *params,
    const global uint *light, const global uint *graticule)
{
  constant scope_params *scope = &params->scope;

  draw_blocks (planes_at (target0, target1, target2, target0, drawing->target),
      drawing, params, light, graticule,
      share_blocks (
          scope->panels_x * count_runs (scope->panel_width / N_PIXELS),
          scope->panels_y * scope->panel_height
              >> coarsest (drawing)->y_shift));
}

#endif
