/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * GPU shape: counts the vectorscope, and turns its counts into light.
 *
 * A plane does not fit into local memory. A work-group reads a slice of the
 * frame's rows, but counts only samples in its part of the plane. The parts
 * take the plane's rows in turn, so that groups have about equal work although
 * most pictures have little colour.
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

/* Counts a chunk: U in chunk.x, V in chunk.y. */
INLINE void
count_chunk (vector_counter c, uint2 chunk)
{
  for (uint shift = 0; shift < 32; shift += 8)
    count (c, chunk.x >> shift & 0xff, chunk.y >> shift & 0xff);
}

/* --- rows --- */

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
  constant vectorscope_params *vectorscope;
} chroma_source;

/* U and V of chunk i of row y, packed. */
INLINE uint2
read_chunk (chroma_source source, chroma_kind kind, uint i, uint y)
{
  if (kind == PLAIN_CHROMA)
    return (uint2) (read_plane_word (source.u, i, y),
        read_plane_word (source.v, i, y));
  if (kind == RGB_CHROMA) {
    constant int *u = source.vectorscope->weights[0];
    constant int *v = source.vectorscope->weights[1];
    const rgb_pixels p =
        read_rgb_pixels (frame_rgb_row (source.planes, source.samples, y), i);
    const signed_pixels r = AS_SIGNED (p.r);
    const signed_pixels g = AS_SIGNED (p.g);
    const signed_pixels b = AS_SIGNED (p.b);

    return (uint2) (pack_samples (
                        AS_UNSIGNED (MATRIX_ROW (signed_pixels, u, r, g, b))),
        pack_samples (AS_UNSIGNED (MATRIX_ROW (signed_pixels, v, r, g, b))));
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
    constant int *u = source.vectorscope->weights[0];
    constant int *v = source.vectorscope->weights[1];
    const int4 p = as_int4 (
        read_rgb (frame_rgb_row (source.planes, source.samples, y), x));

    count (c, MATRIX_ROW (int, u, p.x, p.y, p.z),
        MATRIX_ROW (int, v, p.x, p.y, p.z));
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
  const own_chunks own = share_chunks (item, n_items, n, rows.end - rows.first);

  FOR_CHUNKS (at, own)
    count_chunk (c, read_chunk (source, kind, at.x, rows.first + at.y));
  for (uint y = rows.first + item; y < rows.end; y += n_items)
    for (uint i = 0; i < n_rest; i++)
      count_pixel (c, source, kind, n * N_PIXELS + i, y);
}

/* Counts a slice of the frame's rows. */
INLINE void
count_slice (vector_counter c, uchar_planes planes,
    constant frame_params *params, constant vectorscope_params *vectorscope,
    uint slice)
{
  constant component_params *samples =
      vectorscope->is_rgb ? params->rgb : params->chroma;
  const chroma_source source = { planes, component_plane (planes, &samples[0]),
    component_plane (planes, &samples[1]), samples, vectorscope };
  const row_range rows =
      slice_of (source.samples->height, slice, vectorscope->n_slices);

  if (vectorscope->is_rgb)
    count_kind (c, source, RGB_CHROMA, rows);
  else if (source.samples->pixel_stride == 1)
    count_kind (c, source, PLAIN_CHROMA, rows);
  else
    count_kind (c, source, ITEM_CHROMA, rows);
}

/* --- planes --- */

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

#define PART local uint4

INLINE void
count_part (uchar_planes planes, constant frame_params *params,
    constant vectorscope_params *vectorscope, local uint4 *part,
    global uint *counts)
{
  const uint group = (uint) get_group_id (0);
  const uint slice = group >> vectorscope->part_shift;
  const uint size = vectorscope->size;
  const vector_counter c = { (local uint *) part, size,
    group & ((1u << vectorscope->part_shift) - 1), vectorscope->part_shift };
  const uint n_rows = slice < vectorscope->n_slices
      ? (size + (1u << c.part_shift) - 1 - c.part) >> c.part_shift
      : 0;

  FOR_COLUMNS (i, n_rows * ROW_WORDS / 4)
    part[i] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (n_rows > 0)
    count_slice (c, planes, params, vectorscope, slice);
  barrier (CLK_LOCAL_MEM_FENCE);
  store_part (c, n_rows, vectorscope->stride,
      counts + slice * size * vectorscope->stride / 4);
}

/* --- light --- */

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
add_slices (constant vectorscope_params *vectorscope, const global uint *counts,
    uint row, local row_memory *own)
{
  const uint n = vectorscope->stride / 4;

  FOR_COLUMNS (i, N_TURNS * CELL_WORDS) {
    const uint turn = i / CELL_WORDS;
    const uint word = i % CELL_WORDS;
    uint2 sum = 0;

    if (word < n)
      for (uint s = turn; s < vectorscope->n_slices; s += N_TURNS) {
        const uint four = counts[(s * vectorscope->size + row) * n + word];

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
make_row_light (constant vectorscope_params *vectorscope,
    const global uint *counts, uint row, uint row_kind, local row_memory *own,
    global uint *light)
{
  add_slices (vectorscope, counts, row, own);
  barrier (CLK_LOCAL_MEM_FENCE);
  FOR_COLUMNS (i, vectorscope->size) {
    const uint sum = sum_cell (own, i);

    own->light[i] =
        sum > 0 ? cell_brightness (vectorscope, row_kind, i, sum) : 0;
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  FOR_COLUMNS (i, vectorscope->scope.panel_width / 4) {
    uint word = 0;

    for (uint k = 0; k < 4; k++) {
      const uint x = i * 4 + k - vectorscope->scope.plot_left;

      if (x < vectorscope->scope.plot_width)
        word |= own->light[cell_at (vectorscope, x)] << k * 8;
    }
    light[i] = word;
  }
  barrier (CLK_LOCAL_MEM_FENCE);
}

#endif
