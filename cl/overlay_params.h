/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Parameters of the overlay's kernels; see frame_params.h.
 *
 * The graph is a rectangle of panels, each with one or more curves. From left
 * to right, a panel has a bar of black samples, the plot and a bar of white
 * samples. There are no bars if bar_width is 0:
 *
 *   0       plot_left             + plot_width        panel_width
 *   | bar |  |        plot          |        | bar |
 *
 * From top to bottom, it has headroom, the plot (plot_height rows, the last
 * above row plot_bottom), the base line and, from row caption_top on, an
 * optional caption. Bins taller than the plot are cut off and marked by an
 * arrow in the headroom, from row 1 to above arrow_bottom:
 *
 *   0               ^
 *   arrow_bottom
 *                  _________________
 *                  |        /.
 *   plot_bottom    |_______/__._____
 *   caption_top     0     Y      255
 */

#ifndef AMPHISTO_OVERLAY_PARAMS_H
#define AMPHISTO_OVERLAY_PARAMS_H

/* on a device, it is concatenated before this file */
#ifndef AMPHISTO_DRAWING_PARAMS_H
#include "drawing_params.h"
#endif

/* Light of the graticule: its frame and its quarter lines, both grey, and the
 * lines at black and white of limited range. */
#define OVERLAY_FRAME_LIGHT 88
#define OVERLAY_QUARTER_LIGHT 44
#define OVERLAY_LIMIT_R 168
#define OVERLAY_LIMIT_G 112
#define OVERLAY_LIMIT_B 16

/* Slope of an arrow's sides, in 1/16 pixel per column. */
#define OVERLAY_ARROW_SLOPE 32

/* Percentiles to mark: 1, 50 and 99. */
#define OVERLAY_N_MARKS 3
#define OVERLAY_MARK(i) ((i) == 0 ? 1u : (i) == 1 ? 50u : 99u)

/* A curve: the slot of its histogram, its black (values <= `black`) and white
 * (values >= `white`), and the light, R, G, B, of the line and of the area
 * below. */
typedef struct
{
  amphisto_uint slot;
  amphisto_uint black;
  amphisto_uint white;
  amphisto_uint line[3];
  amphisto_uint fill[3];
} curve_params;

typedef struct
{
  /* The graph's first pixel, relative to the frame, and its panels: panels_x by
   * panels_y, 0 by 0 without a graph. Panel i has panel_curves curves, from
   * curve i * panel_curves on. */
  amphisto_uint x;
  amphisto_uint y;
  amphisto_uint panel_width;
  amphisto_uint panel_height;
  amphisto_uint panels_x;
  amphisto_uint panels_y;
  amphisto_uint panel_curves;

  curve_params curve[AMPHISTO_MAX_SLOTS];
  amphisto_uint n_curves;

  amphisto_uint plot_left;
  amphisto_uint plot_width;
  amphisto_uint plot_bottom;
  amphisto_uint plot_height;
  amphisto_uint arrow_bottom;
  amphisto_uint caption_top;
  amphisto_uint bar_width;

  /* Bins per column of the plot, in 1/65536, rounded so that the last column is
   * at bin 255 or just beyond it. */
  amphisto_uint bins_per_column;
  /* Width of the curves' lines, in 1/16 pixel, and of gridlines and marks, in
   * pixels. */
  amphisto_uint line_width;
  amphisto_uint gridline_width;
  /* Alpha of the graph's background, 0 to 255. */
  amphisto_uint background;

  amphisto_uint is_log;
  amphisto_uint has_graticule;
  amphisto_uint has_marks;
  /* Whether the peaks restart with this frame. */
  amphisto_uint reset;
} overlay_params;

#endif
