/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Parameters of all kernels that draw into a frame: its planes, the matrix from
 * light to samples of its components, and the places of scopes. See
 * frame_params.h.
 */

#pragma once

#include "frame_params.h"

/* Scopes are multiples of SCOPE_UNIT pixels wide: whole words of every
 * component in every format, and whole chunks of the kernels. */
#define SCOPE_UNIT 16
/* Vertical alignment of scopes and panels, in rows, for whole chroma samples.
 * SCOPE_MAX_ROWS is for interlaced frames with one chroma row per four rows.
 */
#define SCOPE_ROWS 4
#define SCOPE_MAX_ROWS 8

/* Light from this on is opaque; fainter light lets the picture shine through. A
 * divisor of 256. */
#define SCOPE_OPAQUE_LIGHT 32

/* Light of the gridlines at quarters and of a logarithmic scale: red, green and
 * blue. */
#define SCOPE_GRIDLINE_LIGHT 88

/* A component to draw into. A subsampled component shows the mean light of each
 * sample's pixels. Light r, g, b (0 to 255) with alpha (0 to 255) changes a
 * sample to
 *
 *   (sample (255 - alpha) + weights . (r, g, b) + offset alpha) / 255
 *
 * rounded. weights, modulo 2^32, are a row of the colour matrix in 1/255;
 * offset is the sample for black. Light never exceeds its alpha, so the result
 * stays within 0 to 255. */
typedef struct
{
  component_params samples;
  amphisto_uint weights[3];
  amphisto_uint offset;
} drawn_params;

/* What to draw into: the frame, or the region. */
typedef struct
{
  plane_params source[AMPHISTO_N_PLANES];
  plane_params target[AMPHISTO_N_PLANES];

  /* Y, U, V, or R, G, B, or grey alone; the last is the coarsest. The first
   * n_whole components are not subsampled. */
  drawn_params drawn[3];
  amphisto_uint n_drawn;
  amphisto_uint n_whole;

  /* The picture's own alpha, which rises to the light's. */
  component_params alpha;
  amphisto_uint has_alpha;

  /* Whether it is a canvas: light replaces its pixels, as they are transparent;
   * see plugin/core/scopes/canvas.h. */
  amphisto_uint is_canvas;
} drawing_params;

/* A scope: a rectangle of panels_x by panels_y panels of equal size, 0 by 0 if
 * the scope is not drawn, and the plot in each panel. The parameters of each
 * kind of scope begin with these. */
typedef struct
{
  /* The first pixel. x begins a word of every component; y is a multiple of
   * amphisto_drawing_rows(). */
  amphisto_uint x;
  amphisto_uint y;
  /* Multiples of SCOPE_UNIT and of amphisto_drawing_rows(). The width exceeds
   * the panels' by less than SCOPE_UNIT. */
  amphisto_uint width;
  amphisto_uint height;
  amphisto_uint panel_width; /* a multiple of 4 */
  amphisto_uint panel_height;
  amphisto_uint panels_x;
  amphisto_uint panels_y;
  /* A pixel's width on the display, in 1/AMPHISTO_SQUARE_PIXEL of its height.
   */
  amphisto_uint pixel_aspect;
  /* The plot, relative to its panel. */
  amphisto_uint plot_left;
  amphisto_uint plot_top;
  amphisto_uint plot_width;
  amphisto_uint plot_height;
  amphisto_uint gridline_width;
  /* Alpha of the background, 0 to 255. */
  amphisto_uint background;
  amphisto_uint has_graticule;
  /* Whether there may be a legend of false colour. */
  amphisto_uint has_legend;
  /* The graticule's rows below the scope, with text that is shown at changing
   * positions; 0: none. */
  amphisto_uint label_height;
} scope_params;
