/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Parameters of the vectorscope's kernels; see frame_params.h.
 *
 * The vectorscope shows the two-dimensional histogram of n_values values of U
 * and V, from `first` on, in `size` by `size` cells. They are the inner ones of
 * plane_size by plane_size cells, for all values: u and v belong to column u *
 * plane_size >> 8 and, from the bottom, row v * plane_size >> 8. Counts
 * saturate at 255, in each of n_slices planes, and in their sum.
 * A plane has plane_size rows, the highest v first, `stride` bytes apart.
 *
 * It is drawn from the brightness of its cells, 0 to 255, interpolated between
 * their middles. Column x of the plot is at (2 x + 1) * half_column >> 14, in
 * 1/256 of a cell from the left; rows likewise, from the top.
 *
 * Cells with a large fraction of the frame's samples, such as a colour bar,
 * also have a round spot, which grows with the fraction. Counts of cells
 * saturate, so the fraction is estimated by probes: the samples at the points
 * of a grid over the frame, in rows of probe_columns. The brightness of a spot
 * is (radius^2 - distance^2) * spot_gain >> 16, at most 255, with lengths in
 * 1/16 of a cell.
 *
 * The trace from merge_vectors has, for `size` rows of cells, the highest v
 * first: panel_width 16-bit numbers, the largest radius^2 - distance^2 of the
 * row's spots, undefined if there are none; then panel_width bytes, the
 * brightness of the cells, interpolated horizontally; then a word, near_spots:
 * bit i is set if row + i - VECTORSCOPE_SPOT_REACH has spots. The last word has
 * the arrows.
 *
 * Arrows point to samples beyond the plot. Each side has VECTORSCOPE_N_ARROWS
 * segments, and a bit for each segment's arrow, from the left or the top on;
 * first the top, then the bottom, the left and the right. A sample belongs to
 * the segment that lies between it and the plot's middle. Arrows are drawn
 * within the plot, with their tips in the middle of segments, VECTORSCOPE_ARROW
 * long, and as wide at their base. Lengths are in 1/65536 of a segment: column
 * x of the plot is at (2 x + 1) * segment_column, and rows likewise.
 */

#pragma once

#include "scope_params.h"

/* GPU shape: words per row of a plane in local memory, with two counts per
 * word, and the maximum number of rows in a work-group's sub-plane. A whole
 * plane would not fit. */
#define VECTORSCOPE_ROW_WORDS (AMPHISTO_N_BINS / 2)
#define VECTORSCOPE_SUBPLANE_ROWS 64

/* The maximum number of probes in a row or column of the grid, and of cells
 * between a spot's cell and its rim. */
#define VECTORSCOPE_MAX_PROBES 32
/* The column of probe i of row j, or the row of probe j of column i, with the
 * probes' distance in 1/256 of a sample. Each row and column of the grid is
 * shifted by the golden ratio of the distance: with straight ones, a narrow
 * edge would catch a whole row of probes, or none. */
#define PROBE_POSITION(distance, i, j)                                         \
  ((amphisto_uint) (((i) *256 + ((j) *158 & 255))                              \
          * (amphisto_ulong) (distance)                                        \
      >> 16))
#define VECTORSCOPE_SPOT_REACH 7
/* A probe of a sample beyond the plot, instead of its cell. */
#define VECTORSCOPE_NO_CELL 0xffff

#define VECTORSCOPE_N_ARROWS 8
#define VECTORSCOPE_ARROW 28672

typedef struct
{
  scope_params scope; /* of one panel; its plot is square on the display */

  /* The values that are shown: 256, 128 or 64. */
  amphisto_uint first;
  amphisto_uint n_values;

  /* U per column of the plot, and V per row upwards, in 1/65536. */
  amphisto_uint chroma_per_column;
  amphisto_uint chroma_per_row;
  /* Half of a column and of a row of the plot, in 1/2^22 of a cell. */
  amphisto_uint half_column;
  amphisto_uint half_row;

  amphisto_uint segment_column;
  amphisto_uint segment_row;

  amphisto_uint size;       /* even, unless all values are shown */
  amphisto_uint plane_size; /* size * 256 / n_values */
  amphisto_uint first_cell; /* (plane_size - size) / 2 */
  amphisto_uint stride;
  /* The number of planes. CPU shape: one per group; groups take rows in turn.
   * GPU shape: one per slice of the frame's rows; a group counts a slice in one
   * sub-plane, every 2^subplane_shift'th row of the plane. */
  amphisto_uint n_slices;
  amphisto_uint subplane_shift;

  /* RGB: the matrix from (R, G, B, 1) to U and V, in 1/65536. */
  amphisto_uint is_rgb;
  amphisto_int weights[2][4];

  /* The colours of the plot: the matrix from (u, v, 1) to R, G and B at medium
   * luma, in 1/65536. */
  amphisto_int colours[3][3];
  /* The brightness of counts 0 to 255, a byte each, in words from the lowest
   * byte on. [0]: for cells that span the fewest values; [1]: for cells with
   * one more value in either direction; [2]: in both directions. */
  amphisto_uint brightness[3][AMPHISTO_N_BINS / 4];
  /* Bit i % 32 of word i / 32: whether column i of cells, or row i from the
   * bottom, spans one more value than the narrowest ones. */
  amphisto_uint wide_cells[AMPHISTO_N_BINS / 32];

  /* The grid, and the distance of its points in 1/256 of a sample. */
  amphisto_uint probe_columns;
  amphisto_uint probe_rows;
  amphisto_uint probe_width;
  amphisto_uint probe_height;
  /* radius^2 of the largest spot, and of a spot for each of its probes. Smaller
   * spots than spot_min are left out. */
  amphisto_uint spot_max;
  amphisto_uint spot_min;
  amphisto_uint spot_growth;
  amphisto_uint spot_gain;

  /* The graticule: the weights of R, G and B in luma, in 1/65536, and the range
   * of U and V. */
  amphisto_uint luma_weights[3];
  amphisto_uint range;
} vectorscope_params;
