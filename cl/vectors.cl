/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Counts the vectorscope: the two-dimensional histogram of U and V.
 *
 * CPU: a work-item counts a slice of the frame's rows in its own plane.
 *
 * GPU: a plane does not fit into local memory. A work-group reads a slice of
 * the frame's rows, but counts only samples in its part of the plane. The parts
 * take the plane's rows in turn, so that groups have about equal work although
 * most pictures have little colour.
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

/* U or V of RGB, 0 to 255; r, g and b are of `type`. */
#define CHROMA(type, weights, r, g, b)                                         \
  clamp (((weights)[0] * (r) + (weights)[1] * (g) + (weights)[2] * (b)         \
             + (weights)[3])                                                   \
          >> 16,                                                               \
      (type) (0), (type) (255))

/* --- counters --- */

#ifdef AMPHISTO_GPU

/* A word has two counts: of column u in the lower half, of column u + ROW_WORDS
 * in the upper half, so that neighbouring columns are in different banks. */
#define ROW_WORDS VECTORSCOPE_ROW_WORDS

/* Counts in one part of the plane: rows `part`, `part` + 2^part_shift, ...,
 * from the bottom. */
typedef struct
{
  local uint *counts;
  uint size;
  uint part;
  uint part_shift;
} vector_counter;

/* Adds a sample to a count, unless it has reached 255: more is not needed, and
 * work-items do not wait for each other in flat pictures. The count may exceed
 * 255, if several work-items read 254, but never carries into the upper half.
 */
INLINE void
add_to_count (local uint *row, uint column)
{
  volatile local uint *word = row + column % ROW_WORDS;
  const uint shift = column / ROW_WORDS * 16;

  if ((*word >> shift & 0xffff) < 255)
    atomic_add (word, 1u << shift);
}

INLINE void
count (vector_counter c, uint u, uint v)
{
  const uint row = v * c.size >> 8;

  if (((row ^ c.part) & ((1u << c.part_shift) - 1)) == 0)
    add_to_count (
        c.counts + (row >> c.part_shift) * ROW_WORDS, u * c.size >> 8);
}

/* Counts a chunk: U in step.x, V in step.y. */
INLINE void
count_step (vector_counter c, uint2 step)
{
  for (uint shift = 0; shift < 32; shift += 8)
    count (c, step.x >> shift & 0xff, step.y >> shift & 0xff);
}

#else

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

/* Counts sixteen equal samples at once; puts others into the list. */
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

#ifdef AMPHISTO_GPU

/* How U and V are read. */
typedef enum
{
  PLAIN_CHROMA,
  ITEM_CHROMA,
  RGB_CHROMA
} chroma_kind;

typedef struct
{
  uchar_planes planes;
  uchar_plane u, v; /* PLAIN_CHROMA */
  constant component_params *samples;
  constant vectorscope_params *scope;
} chroma_source;

/* U and V of chunk i of row y, packed. */
INLINE uint2
read_step (chroma_source source, chroma_kind kind, uint i, uint y)
{
  if (kind == PLAIN_CHROMA)
    return (uint2) (read_plane_word (source.u, i, y),
        read_plane_word (source.v, i, y));
  if (kind == RGB_CHROMA) {
    constant int *u = source.scope->weights[0];
    constant int *v = source.scope->weights[1];
    const rgb_pixels p =
        read_rgb_pixels (frame_rgb_row (source.planes, source.samples, y), i);
    const signed_pixels r = AS_SIGNED (p.r);
    const signed_pixels g = AS_SIGNED (p.g);
    const signed_pixels b = AS_SIGNED (p.b);

    return (
        uint2) (pack_samples (AS_UNSIGNED (CHROMA (signed_pixels, u, r, g, b))),
        pack_samples (AS_UNSIGNED (CHROMA (signed_pixels, v, r, g, b))));
  }

  const component_row u =
      frame_component_row (source.planes, &source.samples[0], y);
  const component_row v =
      frame_component_row (source.planes, &source.samples[1], y);

  return (uint2) (pack_samples (read_component_samples (u, i)),
      pack_samples (read_component_samples (v, i)));
}

/* Counts pixel x of row y. */
INLINE void
count_pixel (
    vector_counter c, chroma_source source, chroma_kind kind, uint x, uint y)
{
  if (kind == RGB_CHROMA) {
    constant int *u = source.scope->weights[0];
    constant int *v = source.scope->weights[1];
    const int4 p = as_int4 (
        read_rgb (frame_rgb_row (source.planes, source.samples, y), x));

    count (c, CHROMA (int, u, p.x, p.y, p.z), CHROMA (int, v, p.x, p.y, p.z));
    return;
  }
  count (c,
      read_sample (
          frame_component_row (source.planes, &source.samples[0], y), x),
      read_sample (
          frame_component_row (source.planes, &source.samples[1], y), x));
}

/* Counts the rows. kind must be a constant, to keep tests of it out of the
 * loops. */
INLINE void
count_kind (
    vector_counter c, chroma_source source, chroma_kind kind, row_range rows)
{
  const uint width = source.samples->width;
  const uint n = width / N_PIXELS;
  const uint n_rest = width - n * N_PIXELS;
  const uint n_items = (uint) get_local_size (0);
  const uint item = (uint) get_local_id (0);
  const own_steps own = share_steps (item, n_items, n, rows.end - rows.first);

  FOR_STEPS (at, own)
    count_step (c, read_step (source, kind, at.x, rows.first + at.y));
  for (uint y = rows.first + item; y < rows.end; y += n_items)
    for (uint i = 0; i < n_rest; i++)
      count_pixel (c, source, kind, n * N_PIXELS + i, y);
}

/* Counts a slice of the frame's rows. */
INLINE void
count_slice (vector_counter c, uchar_planes planes,
    constant frame_params *params, constant vectorscope_params *scope,
    uint slice)
{
  constant component_params *samples =
      scope->is_rgb ? params->rgb : params->chroma;
  const chroma_source source = { planes, component_plane (planes, &samples[0]),
    component_plane (planes, &samples[1]), samples, scope };
  const row_range rows =
      slice_of (source.samples->height, slice, scope->n_slices);

  if (scope->is_rgb)
    count_kind (c, source, RGB_CHROMA, rows);
  else if (source.samples->pixel_stride == 1)
    count_kind (c, source, PLAIN_CHROMA, rows);
  else
    count_kind (c, source, ITEM_CHROMA, rows);
}

#else

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

/* Counts a slice of the frame's rows. */
INLINE void
count_slice (vector_counter c, uchar_planes planes,
    constant frame_params *params, constant vectorscope_params *scope,
    uint slice)
{
  constant component_params *samples =
      scope->is_rgb ? params->rgb : params->chroma;
  const row_range rows = slice_of (samples->height, slice, scope->n_slices);

  if (scope->is_rgb)
    count_rgb (c, planes, samples, scope, rows);
  else
    count_chroma (c, planes, samples, rows);
}

#endif

/* --- planes --- */

#ifdef AMPHISTO_GPU

/* Stores the part's counts, up to 255. target: the slice's plane. */
INLINE void
store_part (vector_counter c, uint n_rows, uint stride, global uint *target)
{
  const local uint4 *counts = (const local uint4 *) c.counts;
  const uint n = ROW_WORDS / 4;

  FOR_COLUMNS (i, n_rows * n) {
    const uint row = c.size - 1 - ((i / n << c.part_shift) + c.part);
    const uint word = i % n;
    const uint4 low = min (counts[i] & 0xffffu, (uint4) (255));
    const uint4 high = min (counts[i] >> 16, (uint4) (255));

    if (word < stride / 4)
      target[row * stride / 4 + word] = pack_samples (low);
    if (word + n < stride / 4)
      target[row * stride / 4 + word + n] = pack_samples (high);
  }
}

/* The memory that a group counts in. */
#define PART local uint4

/* Counts the group's part. part: VECTORSCOPE_ROW_WORDS words for each of its
 * rows. counts: the planes of all slices. */
INLINE void
count_part (uchar_planes planes, constant frame_params *params,
    constant vectorscope_params *scope, local uint4 *part, global uint *counts)
{
  const uint group = (uint) get_group_id (0);
  const uint slice = group >> scope->part_shift;
  const uint size = scope->size;
  const vector_counter c = { (local uint *) part, size,
    group & ((1u << scope->part_shift) - 1), scope->part_shift };
  const uint n_rows = slice < scope->n_slices
      ? (size + (1u << c.part_shift) - 1 - c.part) >> c.part_shift
      : 0;

  FOR_COLUMNS (i, n_rows * ROW_WORDS / 4)
    part[i] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (n_rows > 0)
    count_slice (c, planes, params, scope, slice);
  barrier (CLK_LOCAL_MEM_FENCE);
  store_part (
      c, n_rows, scope->stride, counts + slice * size * scope->stride / 4);
}

#else

#define PART global uint /* not used */

INLINE void
count_part (uchar_planes planes, constant frame_params *params,
    constant vectorscope_params *scope, global uint *part, global uint *counts)
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
    PART *part, global uint *counts)
{
  count_part (planes_at (plane0, plane1, plane2, plane0, params->source),
      params, scope, part, counts);
}

/* --- light --- */

/* 1 if column or row i of cells spans one more value than the narrowest ones,
 * otherwise 0. */
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

/* Work-items that add up a row's slices: CELL_WORDS by N_TURNS, one per word
 * and turn of slices. */
#define CELL_WORDS (AMPHISTO_N_BINS / 4)
#define N_TURNS 4

/* sums: of a row's words in the slices of a turn; 16-bit sums of bytes 0 and 2
 * in x, of bytes 1 and 3 in y. light: of the row's cells. */
typedef struct
{
  uint2 sums[N_TURNS][CELL_WORDS];
  uint light[AMPHISTO_N_BINS];
} row_memory;

INLINE void
add_slices (constant vectorscope_params *scope, const global uint *counts,
    uint row, local row_memory *own)
{
  const uint n = scope->stride / 4;

  FOR_COLUMNS (i, N_TURNS * CELL_WORDS) {
    const uint turn = i / CELL_WORDS;
    const uint word = i % CELL_WORDS;
    uint2 sum = 0;

    if (word < n)
      for (uint s = turn; s < scope->n_slices; s += N_TURNS) {
        const uint four = counts[(s * scope->size + row) * n + word];

        sum += (uint2) (four, four >> 8) & 0xff00ffu;
      }
    own->sums[turn][word] = sum;
  }
}

/* The cell's count, up to 255. */
INLINE uint
sum_cell (const local row_memory *own, uint column)
{
  uint2 sum = 0;

  for (uint turn = 0; turn < N_TURNS; turn++)
    sum += own->sums[turn][column / 4];
  return min (
      (column % 2 == 0 ? sum.x : sum.y) >> column / 2 % 2 * 16 & 0xffff, 255u);
}

INLINE void
make_row_light (constant vectorscope_params *scope, const global uint *counts,
    uint row, uint row_kind, local row_memory *own, global uint *light)
{
  add_slices (scope, counts, row, own);
  barrier (CLK_LOCAL_MEM_FENCE);
  FOR_COLUMNS (i, scope->size) {
    const uint sum = sum_cell (own, i);

    own->light[i] = sum > 0 ? cell_brightness (scope, row_kind, i, sum) : 0;
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  FOR_COLUMNS (i, scope->width / 4) {
    uint word = 0;

    for (uint k = 0; k < 4; k++) {
      const uint x = i * 4 + k - scope->plot_left;

      if (x < scope->plot_size)
        word |= own->light[cell_at (scope, x)] << k * 8;
    }
    light[i] = word;
  }
  barrier (CLK_LOCAL_MEM_FENCE);
}

#else

typedef uint row_memory; /* not used */

/* Stores the row's counts, up to 255, in `sums`.
 *
 * Returns: whether any count is not 0. */
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
    uint row, uint row_kind, row_memory *own, global uint *light)
{
  uchar sums[AMPHISTO_N_BINS] __attribute__ ((aligned (16)));
  global uchar *cells = (global uchar *) light;

  (void) own;
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
    OWN row_memory *own, global uint *light, row_range rows)
{
  FOR_ROWS (row, rows)
    make_row_light (scope, counts, row,
        cell_kind (scope, scope->size - 1 - row), own,
        light + row * scope->width / 4);
}

/* Adds up the planes of all slices and stores their light. */
kernel GROUP void
merge_vectors (constant vectorscope_params *scope, const global uint *counts,
    global uint *light)
{
  OWN row_memory own;

  make_light (scope, counts, &own, light, own_rows (scope->size));
}

#endif
