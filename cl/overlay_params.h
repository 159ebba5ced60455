/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the kernels of the overlay read; see frame_params.h.
 *
 * The graph is a rectangle of panels, each with one or more curves. Across, a
 * panel is a bar of black samples, the plot, a bar of white samples; the bars
 * are there only where bar_width is not 0:
 *
 *   0       plot_left             + plot_width        panel_width
 *   | bar |  |        plot          |        | bar |
 *
 * Down, it is some headroom, plot_height rows of plot that end above row
 * plot_bottom, the base line, and from row caption_top on the caption, if there
 * is one. A bin that is higher than the plot is cut off, and has an arrow in
 * the headroom, in rows 1 up to arrow_bottom:
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

/* a device reads it before this, in one text */
#ifndef AMPHISTO_DRAWING_PARAMS_H
#include "drawing_params.h"
#endif

/* Light of the graticule: its frame and its quarter lines, which are grey, and
 * the lines at the limits of limited range. */
#define OVERLAY_FRAME_LIGHT 88
#define OVERLAY_QUARTER_LIGHT 44
#define OVERLAY_LIMIT_R 168
#define OVERLAY_LIMIT_G 112
#define OVERLAY_LIMIT_B 16

/* By how much an arrow is lower from column to column, in 1/16 pixel. */
#define OVERLAY_ARROW_SLOPE 32

/* The percentiles that are marked: 1, 50 and 99. */
#define OVERLAY_N_MARKS 3
#define OVERLAY_MARK(i) ((i) == 0 ? 1u : (i) == 1 ? 50u : 99u)

/* A curve: the histogram in slot `slot` of the bins; which of its values count
 * as black (up to `black`) and white (from `white` on); and the light, R, G,
 * B, of the line and of what is under it. */
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
  /* The graph's first pixel, in pixels of the frame; panels_x by panels_y
   * panels, or none at all; panel i has the curves from i * panel_curves on. */
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

  /* Bins from column to column of the plot, in 1/65536, so that the last
   * column comes to bin 255 or just beyond it. */
  amphisto_uint step;
  /* Width of the curves' lines, in 1/16 pixel, and of the graticule's and the
   * marks' lines, in pixels. */
  amphisto_uint line_width;
  amphisto_uint rule_width;
  /* Alpha of the graph's background, 0 to 255. */
  amphisto_uint background;

  amphisto_uint is_log;
  amphisto_uint has_graticule;
  amphisto_uint has_marks;
  /* Whether the peaks restart with this frame. */
  amphisto_uint reset;
} overlay_params;

#endif
