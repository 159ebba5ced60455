/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Counting the vectorscope: the two-dimensional histogram of U and V.
 *
 * CPU: a work-item counts a slice of the rows in a plane of its own.
 *
 * GPU: a plane does not fit into local memory. A work-group counts a slice of
 * the rows, and only what falls into its part of the plane. Counts are packed
 * uchars; a sample whose uchar is 255 takes no atomic, so that flat pictures do
 * not queue up.
 */

#ifndef AMPHISTO_VECTORS_CL
#define AMPHISTO_VECTORS_CL

#ifndef AMPHISTO_VECTORSCOPE_PARAMS_H
#include "vectorscope_params.h"
#endif
#ifndef AMPHISTO_SLICES_CL
#include "slices.cl"
#endif
#ifndef AMPHISTO_RGB_CL
#include "rgb.cl"
#endif
#ifndef AMPHISTO_FULL_COUNTS_CL
#include "full_counts.cl"
#endif

/* U or V of RGB, 0 to 255; r, g and b are of `type`. */
#define CHROMA(type, weights, r, g, b)                                         \
  clamp (((weights)[0] * (r) + (weights)[1] * (g) + (weights)[2] * (b)         \
             + (weights)[3])                                                   \
          >> 16,                                                               \
      (type) (0), (type) (255))

/* --- counters --- */

#ifdef AMPHISTO_GPU

/* Counts part_rows rows of the plane, from `first` on. */
typedef struct
{
  local uint *counts;
  uint size;
  uint stride;
  uint first;
  uint n_rows;
} vector_counter;

INLINE void
add_samples (vector_counter c, uint u, uint v, uint n)
{
  const uint column = u * c.size >> 8;
  const uint row = c.size - 1 - (v * c.size >> 8) - c.first;

  if (row < c.n_rows)
    add_to_count (c.counts, row * c.stride + column, n);
}

INLINE void
count (vector_counter c, uint u, uint v)
{
  add_samples (c, u, v, 1);
}

/* Equal neighbours are counted at once. */
INLINE void
count_step (vector_counter c, pixels us, pixels vs)
{
  const uint *u = (const uint *) &us;
  const uint *v = (const uint *) &vs;
  uint n = 1;

  for (uint k = 0; k < N_PIXELS; k++, n++) {
    if (k + 1 < N_PIXELS && u[k + 1] == u[k] && v[k + 1] == v[k])
      continue;
    add_samples (c, u[k], v[k], n);
    n = 0;
  }
}

#else

/* Places of samples in the plane that are not counted yet: n of them, a
 * multiple of N_PIXELS. */
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

/* Counts the places. Neighbours are often equal: they are counted far from each
 * other, so that none waits for the one before. */
INLINE void
finish_steps (vector_counter c)
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

/* Sixteen equal samples are counted at once. */
INLINE void
count_step (vector_counter c, pixels u, pixels v)
{
  const shorts size = (ushort) c.size;
  const shorts rows =
      size - (shorts) (1) - (TO_SHORTS (v) * size >> (shorts) (8));
  const shorts places =
      rows * (ushort) c.stride + (TO_SHORTS (u) * size >> (shorts) (8));
  const ulong4 words = as_ulong4 (places ^ places.s0);

  if ((words.x | words.y | words.z | words.w) == 0) {
    add_samples (c, places.s0, N_PIXELS);
    return;
  }
  if (c.places->n == MAX_PLACES)
    finish_steps (c);
  *(shorts *) (c.places->place + c.places->n) = places;
  c.places->n += N_PIXELS;
}

#endif

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

    FOR_ROW_STEPS (i, n)
      count_step (
          c, read_component_samples (u, i), read_component_samples (v, i));
    FOR_ROW_STEPS (i, width - n * N_PIXELS)
      count (c, read_sample (u, n * N_PIXELS + i),
          read_sample (v, n * N_PIXELS + i));
  }
}

/* Counts rows of pixels of RGB. */
OUTLINE void
count_rgb (vector_counter c, uchar_planes planes,
    constant component_params *rgb, constant vectorscope_params *scope,
    row_range rows)
{
  constant int *u = scope->weights[0];
  constant int *v = scope->weights[1];
  const uint n = rgb->width / N_PIXELS;

  FOR_ROWS (y, rows) {
    const rgb_row row = frame_rgb_row (planes, rgb, y);

    FOR_ROW_STEPS (i, n) {
      const rgb_pixels p = read_rgb_pixels (row, i);
      const signed_pixels r = AS_SIGNED (p.r);
      const signed_pixels g = AS_SIGNED (p.g);
      const signed_pixels b = AS_SIGNED (p.b);

      count_step (c, AS_UNSIGNED (CHROMA (signed_pixels, u, r, g, b)),
          AS_UNSIGNED (CHROMA (signed_pixels, v, r, g, b)));
    }
    FOR_ROW_STEPS (i, rgb->width - n * N_PIXELS) {
      const int4 p = as_int4 (read_rgb (row, n * N_PIXELS + i));

      count (c, CHROMA (int, u, p.x, p.y, p.z), CHROMA (int, v, p.x, p.y, p.z));
    }
  }
}

/* The rows that a work-item counts steps of. */
INLINE row_range
own_rows_of (row_range rows)
{
#ifdef AMPHISTO_GPU
  rows.first += (uint) get_local_id (0) / ROW_ITEMS;
  rows.step = (uint) get_local_size (0) / ROW_ITEMS;
#endif
  return rows;
}

/* Counts a slice of the frame's rows. */
INLINE void
count_slice (vector_counter c, uchar_planes planes,
    constant frame_params *params, constant vectorscope_params *scope,
    uint slice)
{
  constant component_params *samples =
      scope->is_rgb ? params->rgb : params->chroma;
  const row_range rows =
      own_rows_of (slice_of (samples->height, slice, scope->n_slices));

  if (scope->is_rgb)
    count_rgb (c, planes, samples, scope, rows);
  else
    count_chroma (c, planes, samples, rows);
}

/* --- planes --- */

#ifdef AMPHISTO_GPU

#define PART_WORDS (VECTORSCOPE_PART_SIZE / 2)

/* Counts the group's part. counts: the planes of all slices. */
INLINE void
count_part (uchar_planes planes, constant frame_params *params,
    constant vectorscope_params *scope, local uint *part, global uint *counts)
{
  const uint group = (uint) get_group_id (0);
  const uint n_parts = max (scope->n_parts, 1u);
  const uint slice = group / n_parts;
  const uint first = group % n_parts * scope->part_rows;
  const uint n_rows = slice < scope->n_slices && first < scope->size
      ? min (scope->part_rows, scope->size - first)
      : 0;
  const uint n_words = n_rows * scope->stride / 4;
  const vector_counter c = { part, scope->size, scope->stride, first, n_rows };
  global uint *target =
      counts + (slice * scope->size + first) * scope->stride / 4;

  FOR_COLUMNS (i, n_words * 2)
    part[i] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (n_rows > 0)
    count_slice (c, planes, params, scope, slice);
  barrier (CLK_LOCAL_MEM_FENCE);
  FOR_COLUMNS (i, n_words)
    target[i] = read_count (part, i * 4) | read_count (part, i * 4 + 1) << 8
        | read_count (part, i * 4 + 2) << 16
        | read_count (part, i * 4 + 3) << 24;
}

#else

#define PART_WORDS 1

INLINE void
count_part (uchar_planes planes, constant frame_params *params,
    constant vectorscope_params *scope, uint *part, global uint *counts)
{
  const uint slice = (uint) get_group_id (0);
  const uint n_words = scope->size * scope->stride / 4;
  global uint *plane = counts + slice * n_words;
  place_list places;
  const vector_counter c = { (global uchar *) plane, scope->size, scope->stride,
    &places };

  (void) part;
  if (slice >= scope->n_slices)
    return;
  for (uint i = 0; i < n_words; i++)
    plane[i] = 0;
  places.n = 0;
  count_slice (c, planes, params, scope, slice);
  finish_steps (c);
}

#endif

/* Counts U and V in a plane for each slice of the frame's rows. */
kernel COUNTING_GROUP void
count_vectors (global uint *plane0, global uint *plane1, global uint *plane2,
    constant frame_params *params, constant vectorscope_params *scope,
    global uint *counts)
{
  OWN uint part[PART_WORDS];

  count_part (planes_at (plane0, plane1, plane2, plane0, params->source),
      params, scope, part, counts);
}

/* --- light --- */

/* Whether the column, or row, of cells has one value more than others. */
INLINE uint
cell_kind (constant vectorscope_params *scope, uint i)
{
  const uint size = scope->size;
  const uint first = (i * AMPHISTO_N_BINS + size - 1) / size;
  const uint end = ((i + 1) * AMPHISTO_N_BINS + size - 1) / size;

  return end - first - AMPHISTO_N_BINS / size;
}

/* The cell of pixel i of the plot. */
INLINE uint
cell_at (constant vectorscope_params *scope, uint i)
{
  return i * scope->size / scope->plot_size;
}

INLINE uint
cell_brightness (
    constant vectorscope_params *scope, uint row_kind, uint column, uint count)
{
  const uint kind = row_kind + cell_kind (scope, column);

  return ((constant uchar *) scope->brightness[kind])[count];
}

#ifdef AMPHISTO_GPU

/* The cell's samples, cut off. */
INLINE uint
sum_cell (constant vectorscope_params *scope, const global uint *counts,
    uint row, uint column)
{
  uint sum = 0;

  for (uint s = 0; s < scope->n_slices; s++)
    sum += read_uchar (counts, s * scope->size + row, column, scope->stride);
  return min (sum, 255u);
}

INLINE void
make_row_light (constant vectorscope_params *scope, const global uint *counts,
    uint row, uint row_kind, global uint *light)
{
  FOR_COLUMNS (i, scope->width / 4) {
    uint word = 0;

    for (uint k = 0; k < 4; k++) {
      const uint x = i * 4 + k - scope->plot_left;

      if (x < scope->plot_size) {
        const uint column = cell_at (scope, x);

        word |= cell_brightness (scope, row_kind, column,
                    sum_cell (scope, counts, row, column))
            << k * 8;
      }
    }
    light[i] = word;
  }
}

#else

/* Stores the row's counts, cut off. Returns: whether there are any. */
INLINE bool
sum_row (constant vectorscope_params *scope, const global uint *counts,
    uint row, uchar *sums)
{
  uchar16 any = 0;

  for (uint i = 0; i < scope->stride / 16; i++) {
    uchar16 sum = 0;

    for (uint s = 0; s < scope->n_slices; s++)
      sum = add_sat (sum,
          ((const global uchar16 *)
                  counts)[(s * scope->size + row) * scope->stride / 16 + i]);
    ((uchar16 *) sums)[i] = sum;
    any |= sum;
  }
  return !are_zeros (as_uint4 (any));
}

INLINE void
make_row_light (constant vectorscope_params *scope, const global uint *counts,
    uint row, uint row_kind, global uint *light)
{
  uchar sums[AMPHISTO_N_BINS] __attribute__ ((aligned (16)));
  global uchar *cells = (global uchar *) light;

  for (uint i = 0; i < scope->width / 4; i++)
    light[i] = 0;
  if (!sum_row (scope, counts, row, sums))
    return;
  for (uint x = 0; x < scope->plot_size; x++) {
    const uint column = cell_at (scope, x);

    if (sums[column] > 0)
      cells[scope->plot_left + x] =
          cell_brightness (scope, row_kind, column, sums[column]);
  }
}

#endif

OUTLINE void
make_light (constant vectorscope_params *scope, const global uint *counts,
    global uint *light, row_range rows)
{
  FOR_ROWS (row, rows)
    make_row_light (scope, counts, row,
        cell_kind (scope, scope->size - 1 - row),
        light + row * scope->width / 4);
}

/* Adds up the planes of all slices and stores their light. */
kernel void
merge_vectors (constant vectorscope_params *scope, const global uint *counts,
    global uint *light)
{
  make_light (scope, counts, light, own_rows (scope->size));
}

#endif
