/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * CPU shape: counts the vectorscope, and turns its counts into light.
 *
 * A work-item counts a slice of the frame's rows in its own plane.
 */

#ifndef AMPHISTO_VECTORS_SHAPE
#define AMPHISTO_VECTORS_SHAPE

#ifndef AMPHISTO_CELLS_CL
#include "cells.cl"
#endif
#ifndef AMPHISTO_COMPONENTS_CL
#include "components.cl"
#endif
#ifndef AMPHISTO_SLICES_CL
#include "slices.cl"
#endif
#ifndef AMPHISTO_RGB_CL
#include "rgb.cl"
#endif

/* --- counters --- */

/* The indices, in the plane, of n samples still to be counted; n is a multiple
 * of N_PIXELS. */
#define MAX_PLACES 1024

typedef struct
{
  ushort place[MAX_PLACES] __attribute__ ((aligned (32)));
  uint n;
} place_list;

typedef struct
{
  global uchar *counts;
  uint size;
  uint stride;
  place_list *places;
} vector_counter;

INLINE void
add_samples (vector_counter c, uint place, uint n)
{
  c.counts[place] = (uchar) min (c.counts[place] + n, 255u);
}

INLINE void
count (vector_counter c, uint u, uint v)
{
  add_samples (
      c, (c.size - 1 - (v * c.size >> 8)) * c.stride + (u * c.size >> 8), 1);
}

/* Counts the places. Takes them from four distant parts of the list in turn:
 * neighbours are often equal, and an increment would wait for the previous
 * store. */
INLINE void
finish_chunks (vector_counter c)
{
  const ushort *place = c.places->place;
  const uint n = c.places->n / 4;

  for (uint i = 0; i < n; i++) {
#pragma unroll
    for (uint k = 0; k < 4; k++)
      add_samples (c, place[i + k * n], 1);
  }
  c.places->n = 0;
}

/* Counts sixteen equal samples at once; puts others into the list. */
INLINE void
count_chunk (vector_counter c, pixels u, pixels v)
{
  const shorts size = (ushort) c.size;
  const shorts rows =
      size - (shorts) (1) - (TO_SHORTS (v) * size >> (shorts) (8));
  const shorts places =
      rows * (ushort) c.stride + (TO_SHORTS (u) * size >> (shorts) (8));

  if (are_zero_shorts (places ^ places.s0)) {
    add_samples (c, places.s0, N_PIXELS);
    return;
  }
  if (c.places->n == MAX_PLACES)
    finish_chunks (c);
  *(shorts *) (c.places->place + c.places->n) = places;
  c.places->n += N_PIXELS;
}

/* --- rows --- */

/* Counts rows of samples of U and V. */
OUTLINE void
count_chroma (vector_counter c, uchar_planes planes,
    constant component_params *chroma, row_range rows)
{
  const uint width = chroma->width;
  const uint n = width / N_PIXELS;

  FOR_ROWS (y, rows) {
    const component_row u = frame_component_row (planes, &chroma[0], y);
    const component_row v = frame_component_row (planes, &chroma[1], y);

    FOR_ROW_CHUNKS (i, n)
      count_chunk (
          c, read_component_samples (u, i), read_component_samples (v, i));
    FOR_ROW_CHUNKS (i, width - n * N_PIXELS)
      count (c, read_sample (u, n * N_PIXELS + i),
          read_sample (v, n * N_PIXELS + i));
  }
}

/* Counts rows of pixels of RGB. */
OUTLINE void
count_rgb (vector_counter c, uchar_planes planes,
    constant component_params *rgb, constant vectorscope_params *vectorscope,
    row_range rows)
{
  constant int *u = vectorscope->weights[0];
  constant int *v = vectorscope->weights[1];
  const uint n = rgb->width / N_PIXELS;

  FOR_ROWS (y, rows) {
    const rgb_row row = frame_rgb_row (planes, rgb, y);

    FOR_ROW_CHUNKS (i, n) {
      const rgb_pixels p = read_rgb_pixels (row, i);
      const signed_pixels r = AS_SIGNED (p.r);
      const signed_pixels g = AS_SIGNED (p.g);
      const signed_pixels b = AS_SIGNED (p.b);

      count_chunk (c, AS_UNSIGNED (MATRIX_ROW (signed_pixels, u, r, g, b)),
          AS_UNSIGNED (MATRIX_ROW (signed_pixels, v, r, g, b)));
    }
    FOR_ROW_CHUNKS (i, rgb->width - n * N_PIXELS) {
      const int4 p = as_int4 (read_rgb (row, n * N_PIXELS + i));

      count (c, MATRIX_ROW (int, u, p.x, p.y, p.z),
          MATRIX_ROW (int, v, p.x, p.y, p.z));
    }
  }
}

/* Counts a slice of the frame's rows. */
INLINE void
count_slice (vector_counter c, uchar_planes planes,
    constant frame_params *params, constant vectorscope_params *vectorscope,
    uint slice)
{
  constant component_params *samples =
      vectorscope->is_rgb ? params->rgb : params->chroma;
  const row_range rows =
      slice_of (samples->height, slice, vectorscope->n_slices);

  if (vectorscope->is_rgb)
    count_rgb (c, planes, samples, vectorscope, rows);
  else
    count_chroma (c, planes, samples, rows);
}

/* --- planes --- */

#define PART global uint /* not used */

INLINE void
count_part (uchar_planes planes, constant frame_params *params,
    constant vectorscope_params *vectorscope, global uint *part,
    global uint *counts)
{
  const uint slice = (uint) get_group_id (0);
  const uint n_words = vectorscope->size * vectorscope->stride / 4;
  global uint *plane = counts + slice * n_words;
  place_list places;
  const vector_counter c = { (global uchar *) plane, vectorscope->size,
    vectorscope->stride, &places };

  (void) part;
  if (slice >= vectorscope->n_slices)
    return;
  for (uint i = 0; i < n_words; i++)
    plane[i] = 0;
  places.n = 0;
  count_slice (c, planes, params, vectorscope, slice);
  finish_chunks (c);
}

/* --- light --- */

typedef uint row_memory; /* not used */

/* Stores the row's counts, up to 255, in `sums`.
 *
 * Returns: whether any count is not 0. */
INLINE bool
sum_row (constant vectorscope_params *vectorscope, const global uint *counts,
    uint row, uchar *sums)
{
  uchar16 any = 0;

  for (uint i = 0; i < vectorscope->stride / 16; i++) {
    uchar16 sum = 0;

    for (uint s = 0; s < vectorscope->n_slices; s++)
      sum = add_sat (sum,
          ((const global uchar16 *) counts)[(s * vectorscope->size + row)
                  * vectorscope->stride / 16
              + i]);
    ((uchar16 *) sums)[i] = sum;
    any |= sum;
  }
  return !are_zeros (as_uint4 (any));
}

INLINE void
make_row_light (constant vectorscope_params *vectorscope,
    const global uint *counts, uint row, uint row_kind, row_memory *own,
    global uint *light)
{
  uchar sums[AMPHISTO_N_BINS] __attribute__ ((aligned (16)));
  global uchar *cells = (global uchar *) light;

  (void) own;
  for (uint i = 0; i < vectorscope->scope.panel_width / 4; i++)
    light[i] = 0;
  if (!sum_row (vectorscope, counts, row, sums))
    return;
  for (uint x = 0; x < vectorscope->scope.plot_width; x++) {
    const uint column = cell_at (vectorscope, x);

    if (sums[column] > 0)
      cells[vectorscope->scope.plot_left + x] =
          cell_brightness (vectorscope, row_kind, column, sums[column]);
  }
}

#endif
