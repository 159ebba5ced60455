/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the kernels of the vectorscope read; see frame_params.h.
 *
 * It shows the two-dimensional histogram of U and V, in `size` by `size` cells:
 * values u and v count in column u * size >> 8 and, from below, row
 * v * size >> 8. Counts saturate at 255. They are counted in n_slices planes,
 * which are added up; a plane is `size` rows, the highest v first, `stride`
 * bytes apart.
 *
 * What is drawn of it is its light, 0 to 255: a picture of `size` rows, the
 * highest v first, of `width` bytes, so that steps of the graph are aligned.
 * Pixel x of the plot shows column x * size / plot_size, and so down.
 */

#ifndef AMPHISTO_VECTORSCOPE_PARAMS_H
#define AMPHISTO_VECTORSCOPE_PARAMS_H

/* a device reads it before this, in one text */
#ifndef AMPHISTO_FRAME_PARAMS_H
#include "frame_params.h"
#endif

/* GPU shape: words of a row of a plane in local memory, two counts to a word,
 * and the most rows of a work-group's part. The whole plane does not fit. */
#define VECTORSCOPE_ROW_WORDS (AMPHISTO_N_BINS / 2)
#define VECTORSCOPE_PART_ROWS 64

typedef struct
{
  /* The graph, in pixels of what is drawn into, and its plot. The width is 0 if
   * there is none. */
  amphisto_uint x;
  amphisto_uint y;
  amphisto_uint width;
  amphisto_uint height;
  amphisto_uint plot_left;
  amphisto_uint plot_top;
  amphisto_uint plot_size;
  amphisto_uint rule_width;

  /* U, and upwards V, from pixel to pixel of the plot, in 1/65536. */
  amphisto_uint step;

  amphisto_uint size;
  amphisto_uint stride;
  /* Slices of the frame's rows. A group counts a slice; in the GPU shape, a
   * part of the plane: every 2^part_shift'th row. */
  amphisto_uint n_slices;
  amphisto_uint part_shift;

  /* RGB: the rows of the matrix that U and V are computed by, in 1/65536, from
   * the vector (R, G, B, 1). */
  amphisto_uint is_rgb;
  amphisto_int weights[2][4];

  /* The colours of chroma: R, G and B of a middling luma are the rows, in
   * 1/65536, times the vector (u, v, 1). */
  amphisto_int colours[3][3];
  /* The light of counts 0 to 255, a byte each, in words from the lowest byte
   * on, for cells of as few values as any; whose columns or whose rows have one
   * more; both. */
  amphisto_uint brightness[3][AMPHISTO_N_BINS / 4];

  /* Alpha of the graph's background, 0 to 255. */
  amphisto_uint background;
  /* The graticule: whether there is one, weights of R, G and B in luma in
   * 1/65536, and the range of U and V. */
  amphisto_uint has_graticule;
  amphisto_uint luma_weights[3];
  amphisto_uint range;
} vectorscope_params;

#endif
