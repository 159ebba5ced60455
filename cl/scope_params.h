/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Parameters of every kind of scope: its place in the frame, its panels and
 * their plots. See frame_params.h.
 */

#pragma once

#include "drawing_params.h"

/* Light of the gridlines at quarters and of a logarithmic scale: red, green and
 * blue. */
#define SCOPE_GRIDLINE_LIGHT 88

/* The most figures along an axis. */
#define SCOPE_N_TICKS 5

/* Glyphs of numbers: digits, minus, point and space, in this order. */
#define SCOPE_MINUS 10
#define SCOPE_POINT 11
#define SCOPE_SPACE 12
#define SCOPE_N_GLYPHS 13
/* The most cells that the numbers of a channel take. */
#define SCOPE_MAX_CELLS 16

/* The numbers of a channel in its caption: minimum, mean and maximum of the
 * slot's histogram, in a colour. The number of a code is
 * (code - zero) * 100 / range. */
typedef struct
{
  amphisto_uint slot;
  amphisto_uint zero;
  amphisto_uint range;
  amphisto_uint colour[3];
} number_params;

/* A scope: a rectangle with panels_x by panels_y panels of equal size, 0 by 0
 * if the scope is not drawn, and the plot in each panel. Figures that several
 * panels share are beside the panels. The parameters of each kind of scope
 * begin with these. */
typedef struct
{
  /* The first pixel. x begins a word of every component; y is a multiple of
   * amphisto_drawing_rows(). */
  amphisto_uint x;
  amphisto_uint y;
  /* Multiples of SCOPE_UNIT and of amphisto_drawing_rows(). */
  amphisto_uint width;
  amphisto_uint height;
  /* Where the first panel begins in the scope; multiples of the same. */
  amphisto_uint panels_left;
  amphisto_uint panels_top;
  amphisto_uint panel_width;  /* a multiple of 4 */
  amphisto_uint panel_height; /* a multiple of amphisto_drawing_rows() */
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
  amphisto_uint legend_scale; /* AmphistoFalseColorScale */
  /* The graticule's rows below the scope: labels and digits, which kernels copy
   * to their places; 0: none. */
  amphisto_uint glyph_rows;
  /* The rest is for the graticule. Height of capitals, in rows: the same in all
   * scopes. */
  amphisto_uint text_height;
  /* The channels of a graph, in the order of its panels. */
  amphisto_uint channels;
  /* The figures along the axis of a graph are per cent, not codes. They are at
   * these pixels of the plot, from its left or its lower end. */
  amphisto_uint is_percent;
  amphisto_uint ticks[SCOPE_N_TICKS];
  /* The panel's row of the channels' letters, if has_letters. They are
   * letter_advance columns apart, from the plot's left end on. */
  amphisto_uint has_letters;
  amphisto_uint letters_top;
  amphisto_uint letter_advance;
  /* The numbers of n_numbers channels, 0: none, in the order of the panels:
   * numbers_left columns right of the letters, in cells of cell_width columns.
   * Minimum and maximum have `digits` cells, the mean has two more, and a cell
   * is between them. Glyphs are in the rows below the scope, from column
   * glyphs_left on. */
  amphisto_uint n_numbers;
  amphisto_uint numbers_left;
  amphisto_uint cell_width;
  amphisto_uint digits;
  amphisto_uint glyphs_left;
  number_params number[AMPHISTO_MAX_SLOTS];
} scope_params;
