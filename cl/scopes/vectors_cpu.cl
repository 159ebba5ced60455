/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * CPU shape: counts the vectorscope, and turns its counts into the trace.
 *
 * A work-item counts in its own plane. Work-items take rows in turn.
 */

#pragma once

#include "scopes/cells.cl"

/* --- counters --- */

/* The indices, in the plane, of the counts of n samples that are not counted
 * yet; n is a multiple of N_PIXELS. */
#define MAX_INDICES 1024

typedef struct
{
  ushort index[MAX_INDICES] __attribute__ ((aligned (32)));
  uint n;
} index_list;

/* With copies of the parameters, which the compiler would read again after each
 * count that is stored. */
typedef struct
{
  constant vectorscope_params *vectorscope;
  global uchar *counts;
  uint plane_size;
  uint stride;
  index_list *indices;
} vector_counter;

INLINE void
add_samples (vector_counter c, uint index, uint n)
{
  c.counts[index] = (uchar) min (c.counts[index] + n, 255u);
}

INLINE void
count_vector (vector_counter c, uint2 vector)
{
  const uint2 cell = cell_of (c.vectorscope, vector);

  add_samples (c, (c.plane_size - 1 - cell.y) * c.stride + cell.x, 1);
}

/* Increments the listed counts, from each sixteenth of the list in turn:
 * neighbours are often equal, and an increment would wait for the previous
 * store. */
INLINE void
finish_chunks (vector_counter c)
{
  const ushort *index = c.indices->index;
  const uint n = c.indices->n / N_PIXELS;

  for (uint i = 0; i < n; i++) {
#pragma unroll
    for (uint k = 0; k < N_PIXELS; k++)
      add_samples (c, index[i + k * n], 1);
  }
  c.indices->n = 0;
}

/* The indices of the samples' counts. */
INLINE shorts
indices_of (vector_counter c, chroma_pixels chroma)
{
  const shorts size = (ushort) c.plane_size;
  const shorts rows =
      size - (ushort) 1 - (TO_SHORTS (chroma.v) * size >> (shorts) (8));

  return rows * (ushort) c.stride
      + (TO_SHORTS (chroma.u) * size >> (shorts) (8));
}

/* Counts sixteen equal samples at once; puts others into the list. */
INLINE void
count_vector_chunk (vector_counter c, chroma_pixels chroma)
{
  const shorts indices = indices_of (c, chroma);

  if (are_zero_shorts (indices ^ indices.s0)) {
    add_samples (c, indices.s0, N_PIXELS);
    return;
  }
  if (c.indices->n == MAX_INDICES)
    finish_chunks (c);
  *(shorts *) (c.indices->index + c.indices->n) = indices;
  c.indices->n += N_PIXELS;
}

/* --- rows --- */

/* Counts rows of samples of U and V. */
NOINLINE void
count_chroma_vectors (vector_counter c, uchar_planes planes,
    constant component_params *chroma, row_range rows)
{
  const uint width = chroma->width;
  const uint n = width / N_PIXELS;

  FOR_ROWS (y, rows) {
    const chroma_row row = frame_chroma_row (planes, chroma, y);

    FOR_ROW_CHUNKS (i, n)
      count_vector_chunk (c, read_chroma_pixels (row, i));
    FOR_ROW_CHUNKS (i, width - n * N_PIXELS)
      count_vector (
          c, vector_at (planes, chroma, c.vectorscope, n * N_PIXELS + i, y));
  }
}

/* Counts rows of pixels of RGB. */
NOINLINE void
count_rgb_vectors (vector_counter c, uchar_planes planes,
    constant component_params *rgb, row_range rows)
{
  const uint n = rgb->width / N_PIXELS;

  FOR_ROWS (y, rows) {
    const rgb_row row = frame_rgb_row (planes, rgb, y);

    FOR_ROW_CHUNKS (i, n)
      count_vector_chunk (
          c, read_rgb_chroma_pixels (row, i, c.vectorscope->weights));
    FOR_ROW_CHUNKS (i, rgb->width - n * N_PIXELS)
      count_vector (
          c, vector_at (planes, rgb, c.vectorscope, n * N_PIXELS + i, y));
  }
}

/* Counts the rows that this work-item takes. */
INLINE void
count_taken_rows (vector_counter c, uchar_planes planes,
    constant frame_params *params, volatile global uint *taken)
{
  constant component_params *samples = vector_samples (params, c.vectorscope);
  const uint height = samples->height;
  const uint n = height / (c.vectorscope->n_slices * N_TAKES) + 1;

  for (row_range rows = take_rows (taken, n, height); rows.first < height;
       rows = take_rows (taken, n, height))
    if (HAS_RGB && c.vectorscope->is_rgb)
      count_rgb_vectors (c, planes, samples, rows);
    else
      count_chroma_vectors (c, planes, samples, rows);
}

/* --- planes --- */

#define SUBPLANE global uint /* not used */

INLINE void
count_own_rows (uchar_planes planes, constant frame_params *params,
    constant vectorscope_params *vectorscope, global uint *subplane,
    global uint *counts, volatile global uint *taken)
{
  const uint group = GROUP_INDEX;
  const uint n_words = vectorscope->plane_size * vectorscope->stride / 4;
  global uint *plane = counts + group * n_words;
  index_list indices;
  const vector_counter c = { vectorscope, (global uchar *) plane,
    vectorscope->plane_size, vectorscope->stride, &indices };

  (void) subplane;
  if (group >= vectorscope->n_slices)
    return;
  for (uint i = 0; i < n_words; i++)
    plane[i] = 0;
  indices.n = 0;
  count_taken_rows (c, planes, params, taken);
  finish_chunks (c);
}

/* --- the trace --- */

typedef uint row_memory; /* not used */

/* Stores the counts of a row of a plane, up to 255, in `sums`.
 *
 * Returns: a range with all cells that have samples. */
INLINE row_range
sum_vector_row (constant vectorscope_params *vectorscope,
    const global uint *counts, uint row, uchar *sums)
{
  const uint size = vectorscope->plane_size;
  const uint n = vectorscope->stride / 16;
  row_range lit = { size, 0, 1 };

  for (uint i = 0; i < n; i++) {
    uchar16 sum = 0;

    for (uint s = 0; s < vectorscope->n_slices; s++)
      sum = add_sat (
          sum, ((const global uchar16 *) counts)[(s * size + row) * n + i]);
    ((uchar16 *) sums)[i] = sum;
    if (!are_zeros (as_uint4 (sum))) {
      lit.first = min (lit.first, i * 16);
      lit.end = min (i * 16 + 16, size);
    }
  }
  return lit;
}

/* Stores the brightness of a row of cells in the plot's columns. lit: a range
 * with all cells that are not dark. */
INLINE void
interpolate_cells (constant vectorscope_params *vectorscope, const uchar *cells,
    row_range lit, global uchar *brightness)
{
  const uint width = vectorscope->scope.plot_width;
  const uint size = vectorscope->size;
  const row_range columns = { (max (lit.first, 1u) - 1) * width / size,
    (min (lit.end + 1, size) * width + size - 1) / size, 1 };

  FOR_ROWS (x, columns) {
    const cell_pair pair =
        cells_near (vectorscope, POSITION_OF (vectorscope->half_column, x));

    brightness[x] = (uchar) INTERPOLATE (
        uint, cells[pair.first], cells[pair.second], pair.weight);
  }
}

/* Adds a spot to the spots of a row. */
INLINE void
add_spot (constant vectorscope_params *vectorscope, uint column, uint area,
    global shorts *spots)
{
  const uint n = vectorscope->scope.plot_width;
  const uint left = vectorscope->scope.plot_left;
  const uint first = first_reaching (column * 256) * n / vectorscope->size;
  const uint end =
      (column + VECTORSCOPE_SPOT_REACH + 1) * n / vectorscope->size + 1;
  const row_range chunks = { (left + first) / N_PIXELS,
    min ((left + end - 1) / N_PIXELS + 1,
        vectorscope->scope.panel_width / N_PIXELS),
    1 };

  FOR_ROWS (i, chunks)
    spots[i] = max (spots[i],
        spot_at (
            spot_positions (vectorscope, PIXEL_INDICES + i * N_PIXELS - left),
            column, area));
}

/* Counts the probes of each cell of a row in `found`, of zeros, and lists the
 * columns of cells with probes, in any order.
 *
 * Returns: the number of columns. */
INLINE uint
find_probes (constant vectorscope_params *vectorscope,
    const global ushort *probes, uint row, uchar *columns, ushort *found)
{
  const uint n = vectorscope->probe_columns * vectorscope->probe_rows;
  uint n_columns = 0;

  for (uint i = 0; i < n; i += N_PIXELS) {
    const uint n_rest = min (n - i, (uint) N_PIXELS);

    /* most have none */
    if (n_rest == N_PIXELS
        && are_zero_shorts (
            as_ushort16 (*(const global shorts *) (probes + i) >> (shorts) (8)
                == (shorts) ((ushort) row))))
      continue;
    for (uint k = 0; k < n_rest; k++)
      if (probes[i + k] >> 8 == row && found[probes[i + k] & 0xff]++ == 0)
        columns[n_columns++] = (uchar) probes[i + k];
  }
  return n_columns;
}

/* Stores a row's spots.
 *
 * Returns: whether there are any. */
INLINE bool
add_spots (constant vectorscope_params *vectorscope,
    const global ushort *probes, uint row, global shorts *spots)
{
  ushort found[AMPHISTO_N_BINS] = { 0 };
  uchar columns[AMPHISTO_N_BINS];
  const uint n = find_probes (vectorscope, probes, row, columns, found);
  bool has_spots = false;

  for (uint i = 0; i < n; i++) {
    const uint area = spot_area (vectorscope, found[columns[i]]);

    if (area == 0)
      continue;
    if (!has_spots)
      for (uint k = 0; k < vectorscope->scope.panel_width / N_PIXELS; k++)
        spots[k] = 0;
    has_spots = true;
    add_spot (vectorscope, columns[i], area, spots);
  }
  return has_spots;
}

/* The part of a range of a plane's cells that is shown, from the first one
 * shown on. */
INLINE row_range
shown_part (constant vectorscope_params *vectorscope, row_range cells)
{
  const uint first = vectorscope->first_cell;
  const uint end = first + vectorscope->size;

  return (row_range){ clamp (cells.first, first, end) - first,
    clamp (cells.end, first, end) - first, 1 };
}

/* Adds arrows to the samples of a row of a plane that are not shown. */
INLINE void
add_arrows (constant vectorscope_params *vectorscope, const uchar *sums,
    row_range lit, uint row, global uint *trace)
{
  uint arrows = 0;

  FOR_ROWS (i, lit)
    if (sums[i] > 0)
      arrows |= arrow_to (vectorscope, i, row);
  if (arrows != 0)
    atomic_or (&trace[arrows_offset (vectorscope)], arrows);
}

/* Stores the brightness of a row of cells that are shown. lit: a range with all
 * cells that have samples. */
INLINE void
store_cells (constant vectorscope_params *vectorscope, uchar *cells,
    row_range lit, uint row, global uint *trace)
{
  const uint row_is_wide = is_wide (vectorscope, vectorscope->size - 1 - row);
  const uint n_words = vectorscope->scope.panel_width / 4;
  global uint *row_cells = trace + cells_offset (vectorscope, row);

  for (uint i = 0; i < n_words; i++)
    row_cells[i] = 0;
  if (lit.first >= lit.end)
    return;
  FOR_ROWS (i, lit)
    cells[i] = (uchar) cell_brightness (vectorscope, row_is_wide, i, cells[i]);
  interpolate_cells (vectorscope, cells, lit,
      (global uchar *) row_cells + vectorscope->scope.plot_left);
}

INLINE void
make_row_trace (constant vectorscope_params *vectorscope,
    const global uint *counts, const global ushort *probes, uint row,
    row_memory *own, global uint *trace)
{
  uchar sums[AMPHISTO_N_BINS] __attribute__ ((aligned (16)));
  const row_range lit = sum_vector_row (vectorscope, counts, row, sums);
  const row_range shown = shown_part (vectorscope, lit);
  const uint shown_row = row - vectorscope->first_cell;

  (void) own;
  if (vectorscope->first_cell > 0)
    add_arrows (vectorscope, sums, lit, row, trace);
  if (shown_row >= vectorscope->size)
    return;
  store_cells (
      vectorscope, sums + vectorscope->first_cell, shown, shown_row, trace);
  if (shown.first < shown.end
      && add_spots (vectorscope, probes, shown_row,
          (global shorts *) (trace + spots_offset (vectorscope, shown_row))))
    set_near_spots (vectorscope, shown_row, trace);
}
