/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Parameters of the waveform's kernels; see frame_params.h.
 *
 * Each panel has one or more traces. Its plot shows the region's columns from
 * left to right, and values from the bottom up, on the axis that all traces of
 * the scope share. So a trace has its own rows of the plot: `height` rows, from
 * row `bottom`, counted from the plot's lowest row.
 *
 * A trace is a two-dimensional histogram. It has sample x of a row in column
 * x * columns / width, value v in row (2 v + 1) * rows >> 9; counts saturate at
 * 255. A value is a sample or, in a trace that is_unclamped, red, green or blue
 * as a code of limited range: (219 c + 4207) / 255, clamped to 0 to 255, where
 * c is the colour before it is clamped. Column p of the plot shows column p *
 * columns / plot_width. Row y of the trace's rows of the plot shows row y *
 * row_scale >> 16.
 *
 * A trace is stored as the brightness of its cells, 0 to 255: `rows` rows, the
 * lowest values first, of panel_width bytes each, to align chunks of the panel.
 *
 * If the waveform has_picture_colours, three planes like traces follow the last
 * trace: red, green and blue of the cells of luma's, which is the first. A cell
 * has the colour of its samples' mean Y, U and V, or R, G and B, whose greatest
 * component becomes the cell's brightness. Sums of pixels are modulo 2^32:
 * enough for 16 million pixels in a cell. */

#pragma once

#include "scope_params.h"

/* Maximum of `strip`, in the CPU and the GPU shape. CPU shape: a pass counts up
 * to WAVEFORM_PASS_TRACES traces, whose strips are side by side in memory. */
#define WAVEFORM_MAX_STRIP 48
#define WAVEFORM_GPU_STRIP 32
#define WAVEFORM_PASS_TRACES 3

/* Colours below the least have its code, and those above the greatest have that
 * one's. The code of a colour between them, and how many of these are below the
 * code's first, for codes 0 to 256. */
#define WAVEFORM_LEAST_COLOUR -19
#define WAVEFORM_MOST_COLOUR 278
#define WAVEFORM_CODE(c) ((219 * (c) + 4207) / 255)
#define WAVEFORM_COLOURS_BELOW(code) ((255 * (code) + 172) / 219)
#define WAVEFORM_N_COLOURS (WAVEFORM_MOST_COLOUR - WAVEFORM_LEAST_COLOUR + 1)

#define WAVEFORM_MAX_REFERENCE_LINES 16

/* A trace: the component to count, whether it is red, green or blue of YUV of
 * limited range, the number of columns, 1 to plot_width, and the colour.
 * row_scale is 65536 * rows / height, rounded up. Channel and range are for the
 * graticule. The CPU shape adds the counts up to the channel's histogram, in
 * slot `slot` of the bins. `brightness` is the brightness of counts 0 to 255, a
 * byte each, in words from the lowest byte on, for cells that span
 *
 *   [0]  the fewest columns of samples and the fewest values,
 *   [1]  one column more,
 *   [2]  one value more,
 *   [3]  one column and one value more,
 *
 * so that an even distribution is evenly bright. */
typedef struct
{
  component_params samples;
  amphisto_uint is_unclamped;
  amphisto_uint columns;
  amphisto_uint bottom;
  amphisto_uint height;
  amphisto_uint rows;
  amphisto_uint row_scale;
  /* Rows below `first_legal`, and from `end_legal` on, have only values beyond
   * 0 and 100 %, and the colour `beyond`. */
  amphisto_uint first_legal;
  amphisto_uint end_legal;
  amphisto_uint colour[3];
  amphisto_uint beyond[3];
  amphisto_uint channel;
  amphisto_uint slot;
  amphisto_uint lo;
  amphisto_uint hi;
  amphisto_uint brightness[4][AMPHISTO_N_BINS / 4];
} trace_params;

typedef struct
{
  scope_params scope;

  /* Panel i has panel_traces traces, from trace i * panel_traces on. */
  amphisto_uint panel_traces;
  trace_params trace[AMPHISTO_MAX_SLOTS];
  amphisto_uint n_traces;  /* 0: the scope is not drawn */
  amphisto_uint most_rows; /* of a trace; traces begin this many rows apart */
  amphisto_uint has_picture_colours;

  /* Pass i counts traces first_trace[i] to before first_trace[i + 1]. GPU
   * shape: one trace each. Luma is in no pass if it has_picture_colours. */
  amphisto_uint n_passes;
  amphisto_uint first_trace[AMPHISTO_MAX_SLOTS + 1];

  /* A strip is the range of columns that a work-group counts at once: columns
   * per strip, and strips per panel. */
  amphisto_uint strip;
  amphisto_uint n_strips;

  /* Width of the legend of false colour, left of luma's plot; 0: none. */
  amphisto_uint legend_width;
  /* Figures at the left of the first panels; right: of the last panel, if it
   * has others. */
  amphisto_uint has_figures;
  amphisto_uint has_right_figures;
  /* The plot's rows of the reference lines, counted from its lowest. */
  amphisto_uint n_reference_lines;
  amphisto_uint reference_row[WAVEFORM_MAX_REFERENCE_LINES];
} waveform_params;
