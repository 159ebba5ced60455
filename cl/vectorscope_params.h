/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Parameters of the vectorscope's kernels; see frame_params.h.
 *
 * The vectorscope shows the two-dimensional histogram of U and V, in `size` by
 * `size` cells: values u and v belong to column u * size >> 8 and, from the
 * bottom, row v * size >> 8. Counts saturate at 255, in each of n_slices
 * planes, one per slice, and in their sum. A plane has `size` rows, the highest
 * v first, `stride` bytes apart.
 *
 * It is drawn from its light, 0 to 255: a picture of `size` rows, the highest v
 * first, of panel_width bytes each, to align chunks of the panel. Column x of
 * the plot shows column x * size / plot_width of the cells; rows likewise.
 */

#ifndef AMPHISTO_VECTORSCOPE_PARAMS_H
#define AMPHISTO_VECTORSCOPE_PARAMS_H

/* on a device, it is concatenated before this file */
#ifndef AMPHISTO_DRAWING_PARAMS_H
#include "drawing_params.h"
#endif

/* GPU shape: words per row of a plane in local memory, with two counts per
 * word, and the maximum number of rows in a work-group's part. A whole plane
 * would not fit. */
#define VECTORSCOPE_ROW_WORDS (AMPHISTO_N_BINS / 2)
#define VECTORSCOPE_PART_ROWS 64

typedef struct
{
  scope_params scope; /* of one panel; its plot is a square */

  /* U per column of the plot, and V per row upwards, in 1/65536. */
  amphisto_uint chroma_per_column;

  amphisto_uint size;
  amphisto_uint stride;
  /* Slices of the frame's rows. A group counts one slice; in the GPU shape,
   * only one part of the plane: every 2^part_shift'th row. */
  amphisto_uint n_slices;
  amphisto_uint part_shift;

  /* RGB: the matrix from (R, G, B, 1) to U and V, in 1/65536. */
  amphisto_uint is_rgb;
  amphisto_int weights[2][4];

  /* The colours of the plot: the matrix from (u, v, 1) to R, G and B at medium
   * luma, in 1/65536. */
  amphisto_int colours[3][3];
  /* The light of counts 0 to 255, a byte each, in words from the lowest byte
   * on. [0]: for cells that span the fewest values; [1]: for cells with one
   * more value in either direction; [2]: in both directions. */
  amphisto_uint brightness[3][AMPHISTO_N_BINS / 4];

  /* The graticule: the weights of R, G and B in luma, in 1/65536, and the range
   * of U and V. */
  amphisto_uint luma_weights[3];
  amphisto_uint range;
} vectorscope_params;

#endif
