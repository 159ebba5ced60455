/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Draws the waveform from the light of its traces into the frame.
 */

#ifndef AMPHISTO_WAVEFORM_CL
#define AMPHISTO_WAVEFORM_CL

#ifndef AMPHISTO_WAVEFORM_PARAMS_H
#include "waveform_params.h"
#endif
#ifndef AMPHISTO_BLEND_CL
#include "blend.cl"
#endif
#ifndef AMPHISTO_SLICES_CL
#include "slices.cl"
#endif

/* A component of the trace's colour, scaled by `light`/255. */
INLINE shorts
coloured (shorts light, uint colour)
{
  return (light * (ushort) colour + (shorts) (255)) >> (shorts) (8);
}

/* Adds the trace's light in a chunk of a panel. cells: the light from the
 * chunk's first pixel on. */
INLINE light_chunk
add_trace (
    light_chunk sum, constant trace_params *trace, const global uint *cells)
{
  const samples cell = *(const global samples *) cells;

  /* most of a graph is dark */
  if (are_zeros (cell))
    return sum;

  const shorts light = TO_SHORTS (unpack_samples (cell));

  sum.r = add_sat (sum.r, coloured (light, trace->colour[0]));
  sum.g = add_sat (sum.g, coloured (light, trace->colour[1]));
  sum.b = add_sat (sum.b, coloured (light, trace->colour[2]));
  return sum;
}

/* The light of a chunk of row y of a panel, from column x on. graticule: from
 * the chunk's first pixel on. */
INLINE light_chunk
panel_light (constant waveform_params *params, const global uint *light,
    const global uint *graticule, uint panel, uint x, uint y)
{
  const uint first = panel * params->panel_traces;
  const uint down = y - params->plot_top;
  const light_chunk gridlines = graticule_light (graticule);
  light_chunk sum = { 0, 0, 0, 0 };

  if (down < params->plot_height) {
    const uint row =
        (params->plot_height - 1 - down) * params->rows / params->plot_height;

    for (uint i = first; i < first + params->panel_traces; i++)
      sum = add_trace (sum, &params->trace[i],
          light + ((i * params->rows + row) * params->panel_width + x) / 4);
  }
  return light_on (max (sum.r, gridlines.r), max (sum.g, gridlines.g),
      max (sum.b, gridlines.b), params->background);
}

/* Draws a block of n_chunks chunks. column, row: the block's first pixel in the
 * panel; x, y: in the graph. */
INLINE void
draw_block (uchar_planes planes, constant drawing_params *drawing,
    constant waveform_params *params, const global uint *light,
    const global uint *graticule, uint panel, uint column, uint row, uint x,
    uint y, uint n_chunks)
{
  const uint width = params->panels_x * params->panel_width;
  const uint n_rows = 1u << coarsest (drawing)->y_shift;
  const uint stride = pixel_row_stride (coarsest (drawing));
  light_chunk chunks[RUN_CHUNKS], sum[RUN_CHUNKS];

  clear_light (sum, n_chunks);
  for (uint i = 0; i < n_rows; i++) {
    for (uint k = 0; k < n_chunks; k++) {
      chunks[k] = panel_light (params, light,
          graticule + (y + i * stride) * width + x + k * N_PIXELS, panel,
          column + k * N_PIXELS, row + i * stride);
      add_light (&sum[k], chunks[k]);
    }
    blend_row (planes, drawing, params->x + x, params->y + y + i * stride,
        chunks, n_chunks);
  }
  blend_block (planes, drawing, params->x + x, params->y + y, sum, n_chunks);
}

OUTLINE void
draw_blocks (uchar_planes planes, constant drawing_params *drawing,
    constant waveform_params *params, const global uint *light,
    const global uint *graticule, own_chunks blocks)
{
  const uint n_chunks = params->panel_width / N_PIXELS;
  const uint n_runs = count_runs (n_chunks);

  FOR_CHUNKS (at, blocks) {
    const uint y = first_pixel_row (coarsest (drawing), at.y);
    const uint panel = at.x / n_runs;
    const uint run = at.x % n_runs;
    const uint column = run * RUN_CHUNKS * N_PIXELS;

    draw_block (planes, drawing, params, light, graticule,
        y / params->panel_height * params->panels_x + panel, column,
        y % params->panel_height, panel * params->panel_width + column, y,
        chunks_of_run (run, n_chunks));
  }
}

/* Draws the graph into the target's planes. light: from measure_waveform. */
kernel GROUP void
draw_waveform (global uint *target0, global uint *target1, global uint *target2,
    constant drawing_params *drawing, constant waveform_params *params,
    const global uint *light, const global uint *graticule)
{
  draw_blocks (planes_at (target0, target1, target2, target0, drawing->target),
      drawing, params, light, graticule,
      share_blocks (
          params->panels_x * count_runs (params->panel_width / N_PIXELS),
          params->panels_y * params->panel_height
              >> coarsest (drawing)->y_shift));
}

#endif
