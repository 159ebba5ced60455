/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Parameters of the kernels of the histogram's scope; see frame_params.h.
 *
 * Each panel has one or more curves. From left to right, a panel has a bar of
 * black samples, the plot and a bar of white samples. There are no bars if
 * bar_width is 0:
 *
 *   0       plot_left             + plot_width        panel_width
 *   | bar |  |        plot          |        | bar |
 *
 * From top to bottom, it has letters, labels of marks, headroom, the plot
 * (plot_height rows from row plot_top on), the base line, the legend of false
 * colour and figures; the headroom begins in row arrow_top. Bins taller than
 * the plot are cut off and marked by an arrow in the headroom, above
 * arrow_bottom; arrows side by side merge:
 *
 *                   Y
 *   arrow_top       ^
 *   arrow_bottom
 *   plot_top       _________________
 *                  |        /.
 *    + plot_height |_______/__._____
 *                   0    128    255
 */

#pragma once

#include "scope_params.h"

/* Slope of an arrow's sides, in 1/16 pixel per column. */
#define CURVES_ARROW_SLOPE 32

/* On a linear scale, the top of the plot for a curve is at most the greater of
 * CURVES_RANK_FACTOR times the bin of rank CURVES_RANK, where the tallest bin
 * has rank 0, and CURVES_TENTH_FACTOR times the smallest height such that the
 * bins no taller than it have at least a tenth of the samples. A curve with
 * fewer than CURVES_LEAST_BINS filled bins counts only if no other has more. */
#define CURVES_RANK 32
#define CURVES_RANK_FACTOR 3
#define CURVES_TENTH_FACTOR 4
#define CURVES_LEAST_BINS 6

/* There are bars from one clipped sample in CURVES_CLIPPED on. */
#define CURVES_CLIPPED 1000

/* Percentiles to mark. Labels of later ones are left out where they would touch
 * earlier ones. */
#define CURVES_N_MARKS 3
#define CURVES_MARK(i) ((i) == 0 ? 1u : (i) == 1 ? 99u : 50u)
/* Length of a mark's dashes, and of the gaps between them, in widths of a
 * gridline. */
#define CURVES_DASH 4

/* A curve: the slot of its histogram, its black (values <= `black`) and white
 * (values >= `white`), the peak that it is scaled by, its columns, and the
 * colours, R, G, B, of the line and of the area below. The channel is for the
 * graticule. */
typedef struct
{
  amphisto_uint slot;
  amphisto_uint channel;
  amphisto_uint black;
  amphisto_uint white;
  amphisto_uint scale;
  /* The columns of the plot from bin 0 to bin 255: all, or a part if channels
   * with other ranges share the axis. At least two. */
  amphisto_uint left;
  amphisto_uint width;
  /* Bins per column, in 1/65536, rounded so that the last column is at bin 255
   * or just beyond it. */
  amphisto_uint bins_per_column;
  /* On either side of a column, the bins whose arrows may reach it. */
  amphisto_uint arrow_bins;
  amphisto_uint line[3];
  amphisto_uint fill[3];
} curve_params;

typedef struct
{
  scope_params scope;

  /* Panel i has panel_curves curves, from curve i * panel_curves on. */
  amphisto_uint panel_curves;
  curve_params curve[AMPHISTO_MAX_SLOTS];
  amphisto_uint n_curves; /* 0: the scope is not drawn */
  amphisto_uint n_scales;

  amphisto_uint arrow_top;
  amphisto_uint arrow_bottom;
  amphisto_uint bar_width;
  amphisto_uint bar_left; /* columns outside the bars */

  /* Width of the curves' lines, in 1/16 pixel. */
  amphisto_uint line_width;
  /* Luma's range, for the legend of false colour. */
  amphisto_uint lo;
  amphisto_uint hi;
  /* Where 0 and 100 % are, in 1/65536 of the plot's width. */
  amphisto_uint zero;
  amphisto_uint hundred;
  /* Rows of the legend, 0: none; figures below each panel, or once below and,
   * if the first panel has others, above all panels. */
  amphisto_uint legend_height;
  amphisto_uint has_figures;

  amphisto_uint is_log;
  amphisto_uint has_marks;
  /* The labels of the marks, if has_labels: label m is in columns
   * label_left[m] to before label_left[m + 1] of the graticule's glyph_rows
   * rows below the scope. They are copied to as many rows of the panel, from
   * label_top on. */
  amphisto_uint has_labels;
  amphisto_uint label_left[CURVES_N_MARKS + 1];
  amphisto_uint label_top;
  /* Whether the peaks restart with this frame. */
  amphisto_uint reset;
} histogram_scope_params;
