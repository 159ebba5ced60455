/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The light of the waveform, in the colours of its traces.
 */

#pragma once

#include "waveform_params.h"
#include "scopes/blend.cl"

/* Red, green or blue of the light of cells in the trace's colour. */
INLINE shorts
trace_colour (shorts brightness, uint colour)
{
  return (brightness * (ushort) colour + (shorts) (255)) >> (shorts) (8);
}

/* Reads a chunk of cells. CPU shape: it may begin at any word. */
#ifdef AMPHISTO_GPU
#define read_cells(cells) (*(cells))
#else
#define read_cells(cells) (*(const global words4 *) (cells))
#endif

/* Adds the trace's light in a chunk of a panel. cells: from the chunk's first
 * pixel on. */
INLINE light_chunk
add_trace (
    light_chunk sum, constant trace_params *trace, const global uint *cells)
{
  const samples cell = read_cells (cells);

  /* most of a scope is dark */
  if (are_zeros (cell))
    return sum;

  const shorts brightness = TO_SHORTS (unpack_samples (cell));

  sum.r = add_sat (sum.r, trace_colour (brightness, trace->colour[0]));
  sum.g = add_sat (sum.g, trace_colour (brightness, trace->colour[1]));
  sum.b = add_sat (sum.b, trace_colour (brightness, trace->colour[2]));
  return sum;
}

/* See draw_scope.cl. traces: from measure_waveform. */
INLINE light_chunk
add_scope (light_chunk graticule, constant waveform_params *params,
    const global uint *traces, const global uint *picture, uint panel, int x,
    uint y)
{
  const uint first = panel * params->panel_traces;
  const uint height = params->scope.plot_height;
  const uint width = params->scope.panel_width;
  const uint down = y - params->scope.plot_top;
  light_chunk sum = { 0, 0, 0, 0 };

  (void) picture;
  if (down >= height)
    return graticule;

  const uint row = (height - 1 - down) * params->rows / height;

  for (uint i = first; i < first + params->panel_traces; i++)
    sum = add_trace (sum, &params->trace[i],
        traces + ((i * params->rows + row) * width + (uint) x) / 4);
  return add_scope_light (graticule, sum);
}

#define SCOPE_PARAMS waveform_params
#define DRAW_SCOPE draw_waveform
#include "scopes/draw_scope.cl"
