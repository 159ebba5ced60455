/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The light of the waveform, in the colours of its traces.
 */

#pragma once

#include "waveform_params.h"
#include "scopes/blend.cl"
#include "scopes/numbers.cl"

/* A chunk of a trace's cells. */
INLINE shorts
read_cells (const global uint *cells)
{
  return TO_SHORTS (unpack_samples (*(const global any_samples *) cells));
}

/* Whether a row of the trace has values from 0 to 100 %. */
INLINE bool
is_legal (constant trace_params *trace, uint row)
{
  return row >= trace->first_legal && row < trace->end_legal;
}

/* The light of trace i in a chunk. row: of the trace. brightness, cells: of its
 * cells. */
INLINE light_chunk
light_of_cells (constant waveform_params *params, uint i, uint row,
    shorts brightness, const global uint *cells)
{
  constant trace_params *trace = &params->trace[i];
  const uint n_words = params->most_rows * params->scope.panel_width / 4;
  const global uint *colours = cells + params->n_traces * n_words;

  if (params->has_picture_colours && i == 0 && is_legal (trace, row))
    return (light_chunk){ read_cells (colours), read_cells (colours + n_words),
      read_cells (colours + 2 * n_words), 0 };
  return light_in_colour (
      brightness, is_legal (trace, row) ? trace->colour : trace->beyond);
}

/* The brighter of the panel's light and of trace i over the graticule, in a
 * chunk. cells: from the chunk's first pixel on. */
INLINE light_chunk
join_cells (light_chunk light, light_chunk graticule,
    constant waveform_params *params, uint i, uint row,
    const global uint *cells)
{
  /* most of a scope is dark */
  if (are_zeros (*(const global any_samples *) cells))
    return light;

  const shorts brightness = read_cells (cells);

  return max_light (light,
      draw_trace_over (graticule,
          light_of_cells (params, i, row, brightness, cells), brightness));
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
      light = join_cells (light, graticule, params, i, row,
          traces + ((i * params->most_rows + row) * width + (uint) x) / 4);
  }
  return light;
}

#define SCOPE_PARAMS waveform_params
#define DRAW_SCOPE draw_waveform
#include "scopes/draw_scope.cl"

/* Writes the numbers of channels into the graticule. One work-group. */
kernel GROUP void
write_waveform_numbers (constant waveform_params *params,
    global const uint *bins, global uint *graticule)
{
  OWN numbers_memory own;

  write_numbers (&params->scope, bins, graticule, &own);
}
