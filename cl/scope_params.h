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
  amphisto_uint legend_scale; /* AmphistoFalseColorScale */
  /* The graticule's rows below the scope, with text that is shown at changing
   * positions; 0: none. */
  amphisto_uint label_height;
} scope_params;
