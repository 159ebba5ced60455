/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The light of the waveform, in the colours of its traces.
 */

#pragma once

#include "waveform_params.h"
#include "scopes/blend.cl"

/* The colour of the trace's cells in a row. */
INLINE constant uint *
colour_of_row (constant trace_params *trace, uint row)
{
  return row >= trace->first_legal && row < trace->end_legal ? trace->colour
                                                             : trace->beyond;
}

/* The brighter of the panel's light and of a trace over the graticule, in a
 * chunk. cells: from the chunk's first pixel on. */
INLINE light_chunk
join_cells (light_chunk light, light_chunk graticule, constant uint *colour,
    const global uint *cells)
{
  const samples cell = *(const global any_samples *) cells;

  /* most of a scope is dark */
  if (are_zeros (cell))
    return light;

  const shorts brightness = TO_SHORTS (unpack_samples (cell));

  return max_light (light,
      draw_trace_over (
          graticule, light_in_colour (brightness, colour), brightness));
}

/* See draw_scope.cl. traces: from measure_waveform. */
INLINE light_chunk
draw_panel (light_chunk graticule, constant waveform_params *params,
    const global uint *traces, uint panel, int x, uint y)
{
  const uint first = panel * params->panel_traces;
  const uint width = params->scope.panel_width;
  const uint up = params->scope.plot_top + params->scope.plot_height - 1 - y;
  light_chunk light = graticule;

  for (uint i = first; i < first + params->panel_traces; i++) {
    constant trace_params *trace = &params->trace[i];
    const uint at = up - trace->bottom;
    const uint row = at * trace->row_scale >> 16;

    if (at < trace->height)
      light = join_cells (light, graticule, colour_of_row (trace, row),
          traces + ((i * params->most_rows + row) * width + (uint) x) / 4);
  }
  return light;
}

#define SCOPE_PARAMS waveform_params
#define DRAW_SCOPE draw_waveform
#include "scopes/draw_scope.cl"
