/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the kernels of the waveform read; see frame_params.h.
 *
 * The graph is a rectangle of panels, each with one or more traces. A panel has
 * a plot: the region's columns from left to right, values from its bottom up.
 *
 * A trace is a two-dimensional histogram. Sample x of a row counts in column
 * x * columns / width, value v in row v * rows >> 8; counts saturate at 255.
 * Column p of the plot shows column p * columns / plot_width, row y above its
 * bottom row y * rows / plot_height.
 *
 * What is drawn of a trace is its light, 0 to 255: a picture of `rows` rows,
 * the lowest values first, of panel_width bytes; so steps of the panel are
 * aligned.
 */

#ifndef AMPHISTO_WAVEFORM_PARAMS_H
#define AMPHISTO_WAVEFORM_PARAMS_H

/* a device reads it before this, in one text */
#ifndef AMPHISTO_FRAME_PARAMS_H
#include "frame_params.h"
#endif

/* The most columns of a panel that a work-group counts at once, in the CPU and
 * in the GPU shape. */
#define WAVEFORM_MAX_STRIP 48
#define WAVEFORM_GPU_STRIP 32

/* A trace: the component that is counted, in how many columns, 1 to plot_width;
 * and its colour. The graticule needs its channel and its range. `brightness`
 * has the light of counts 0 to 255, a byte each, in words from the lowest byte
 * on, for cells that are made of
 *
 *   [0]  as few columns of samples and as few values as any,
 *   [1]  one column more,
 *   [2]  one value more,
 *   [3]  one of both more,
 *
 * so that what is even is evenly bright. */
typedef struct
{
  component_params samples;
  amphisto_uint columns;
  amphisto_uint colour[3];
  amphisto_uint channel;
  amphisto_uint lo;
  amphisto_uint hi;
  amphisto_uint brightness[4][AMPHISTO_N_BINS / 4];
} trace_params;

typedef struct
{
  /* The graph's first pixel, in pixels of what is drawn into; panels_x by
   * panels_y panels, or none at all; panel i has the traces from
   * i * panel_traces on. */
  amphisto_uint x;
  amphisto_uint y;
  amphisto_uint panel_width;
  amphisto_uint panel_height;
  amphisto_uint panels_x;
  amphisto_uint panels_y;
  amphisto_uint panel_traces;

  trace_params trace[AMPHISTO_MAX_SLOTS];
  amphisto_uint n_traces;

  /* The plot, in a panel. */
  amphisto_uint plot_left;
  amphisto_uint plot_width;
  amphisto_uint plot_top;
  amphisto_uint plot_height;
  amphisto_uint rule_width;
  amphisto_uint rows;

  /* Columns of a panel that a work-group counts at once, and how many such
   * strips a panel has. */
  amphisto_uint strip;
  amphisto_uint n_strips;
  /* Alpha of the graph's background, 0 to 255. */
  amphisto_uint background;
  amphisto_uint has_graticule;
  /* Pixels at the left of luma's plot that have a key of false colour. */
  amphisto_uint key_width;
} waveform_params;

#endif
