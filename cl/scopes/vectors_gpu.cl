/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * GPU shape: counts the vectorscope, and turns its counts into the trace.
 *
 * A plane does not fit into local memory. A work-group reads a slice of the
 * frame's rows, but counts only samples in its sub-plane. The sub-planes take
 * the plane's rows in turn, so that groups have about equal work although
 * most pictures have little colour.
 */

#pragma once

#include "scopes/cells.cl"

/* --- counters --- */

/* A word has two counts: of column u in the lower half, of column u + ROW_WORDS
 * in the upper half, so that neighbouring columns are in different banks. */
#define ROW_WORDS VECTORSCOPE_ROW_WORDS

/* Counts in a sub-plane: rows `subplane`, `subplane` + 2^subplane_shift, ...,
 * from the bottom. */
typedef struct
{
  constant vectorscope_params *vectorscope;
  local uint *counts;
  uint subplane;
  uint subplane_shift;
} vector_counter;

/* Adds a sample to a count, unless it has reached 255: more is not
 * needed, and work-items do not wait for each other in flat pictures. The
 * count may exceed 255, if several work-items read 254, but never
 * carries into the upper half.
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
count_vector (vector_counter c, uint2 vector)
{
  const uint2 cell = cell_of (c.vectorscope, vector);

  if (((cell.y ^ c.subplane) & ((1u << c.subplane_shift) - 1)) == 0)
    add_to_count (c.counts + (cell.y >> c.subplane_shift) * ROW_WORDS, cell.x);
}

/* Counts a chunk: U in chunk.x, V in chunk.y. */
INLINE void
count_vector_chunk (vector_counter c, uint2 chunk)
{
  for (uint shift = 0; shift < 32; shift += 8)
    count_vector (c, chunk >> shift & 0xffu);
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
read_vector_chunk (chroma_source source, chroma_kind kind, uint i, uint y)
{
  if (kind == PLAIN_CHROMA)
    return (uint2) (read_plane_word (source.u, i, y),
        read_plane_word (source.v, i, y));

  const chroma_pixels chroma = kind == RGB_CHROMA
      ? read_rgb_chroma_pixels (
          frame_rgb_row (source.planes, source.samples, y), i,
          source.vectorscope->weights)
      : read_chroma_pixels (
          frame_chroma_row (source.planes, source.samples, y), i);

  return (uint2) (pack_samples (chroma.u), pack_samples (chroma.v));
}

/* Counts the rows. kind must be a constant, to keep tests of it out of the
 * loops. */
INLINE void
count_rows_of_kind (
    vector_counter c, chroma_source source, chroma_kind kind, row_range rows)
{
  const uint width = source.samples->width;
  const uint n = width / N_PIXELS;
  const uint n_rest = width - n * N_PIXELS;
  const uint n_items = (uint) get_local_size (0);
  const uint item = (uint) get_local_id (0);
  const own_chunks own = share_chunks (item, n_items, n, rows.end - rows.first);

  FOR_CHUNKS (at, own)
    count_vector_chunk (
        c, read_vector_chunk (source, kind, at.x, rows.first + at.y));
  for (uint y = rows.first + item; y < rows.end; y += n_items)
    for (uint i = 0; i < n_rest; i++)
      count_vector (c,
          vector_at (source.planes, source.samples, source.vectorscope,
              n * N_PIXELS + i, y));
}

/* Counts a slice of the frame's rows. */
INLINE void
count_slice (vector_counter c, uchar_planes planes,
    constant frame_params *params, constant vectorscope_params *vectorscope,
    uint slice)
{
  constant component_params *samples = vector_samples (params, vectorscope);
  const chroma_source source = { planes, component_plane (planes, &samples[0]),
    component_plane (planes, &samples[1]), samples, vectorscope };
  const row_range rows =
      slice_of (source.samples->height, slice, vectorscope->n_slices);

  if (vectorscope->is_rgb)
    count_rows_of_kind (c, source, RGB_CHROMA, rows);
  else if (source.samples->pixel_stride == 1)
    count_rows_of_kind (c, source, PLAIN_CHROMA, rows);
  else
    count_rows_of_kind (c, source, ITEM_CHROMA, rows);
}

/* --- planes --- */

/* Stores the sub-plane's counts, up to 255. target: the slice's plane. */
INLINE void
store_subplane (vector_counter c, uint n_rows, uint stride, global uint *target)
{
  const local uint4 *counts = (const local uint4 *) c.counts;
  const uint n = ROW_WORDS / 4;

  FOR_COLUMNS (i, n_rows * n) {
    const uint row = c.vectorscope->plane_size - 1
        - ((i / n << c.subplane_shift) + c.subplane);
    const uint word = i % n;
    const uint4 low = min (counts[i] & 0xffffu, (uint4) (255));
    const uint4 high = min (counts[i] >> 16, (uint4) (255));

    if (word < stride / 4)
      target[row * stride / 4 + word] = pack_samples (low);
    if (word + n < stride / 4)
      target[row * stride / 4 + word + n] = pack_samples (high);
  }
}

#define SUBPLANE local uint4

INLINE void
count_own_rows (uchar_planes planes, constant frame_params *params,
    constant vectorscope_params *vectorscope, local uint4 *subplane,
    global uint *counts, volatile global uint *taken)
{
  const uint group = GROUP_INDEX;
  const uint slice = group >> vectorscope->subplane_shift;
  const uint size = vectorscope->plane_size;
  const vector_counter c = { vectorscope, (local uint *) subplane,
    group & ((1u << vectorscope->subplane_shift) - 1),
    vectorscope->subplane_shift };
  const uint n_rows = slice < vectorscope->n_slices
      ? (size + (1u << c.subplane_shift) - 1 - c.subplane) >> c.subplane_shift
      : 0;

  (void) taken;
  FOR_COLUMNS (i, n_rows * ROW_WORDS / 4)
    subplane[i] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (n_rows > 0)
    count_slice (c, planes, params, vectorscope, slice);
  barrier (CLK_LOCAL_MEM_FENCE);
  store_subplane (c, n_rows, vectorscope->stride,
      counts + slice * size * vectorscope->stride / 4);
}

/* --- the trace --- */

/* Work-items that add up a row's slices: CELL_WORDS by N_TURNS, one per word
 * and turn of slices. */
#define CELL_WORDS (AMPHISTO_N_BINS / 4)
#define N_TURNS 4

/* sums: of a row's words in the slices of a turn; 16-bit sums of bytes 0 and 2
 * in x, of bytes 1 and 3 in y. brightness, spots: of the row's cells. spots:
 * the number of probes, then radius^2. */
typedef struct
{
  uint2 sums[N_TURNS][CELL_WORDS];
  uint brightness[AMPHISTO_N_BINS];
  uint spots[AMPHISTO_N_BINS];
  uint has_spots;
  uint arrows;
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
        const uint four =
            counts[(s * vectorscope->plane_size + row) * n + word];

        sum += (uint2) (four, four >> 8) & 0xff00ffu;
      }
    own->sums[turn][word] = sum;
  }
}

/* The count, up to 255, in a column of a plane. */
INLINE uint
sum_vector_cell (const local row_memory *own, uint column)
{
  uint2 sum = 0;

  for (uint turn = 0; turn < N_TURNS; turn++)
    sum += own->sums[turn][column / 4];
  return min (
      (column % 2 == 0 ? sum.x : sum.y) >> column / 2 % 2 * 16 & 0xffff, 255u);
}

/* Counts the probes of a row of cells. */
INLINE void
find_probes (constant vectorscope_params *vectorscope,
    const global ushort *probes, uint row, local row_memory *own)
{
  FOR_COLUMNS (i, vectorscope->probe_columns * vectorscope->probe_rows)
    if (probes[i] >> 8 == row)
      atomic_inc (&own->spots[probes[i] & 0xff]);
}

/* The brightness of the cells in a chunk from column x of the panel on, packed.
 */
INLINE uint
cells_in_chunk (constant vectorscope_params *vectorscope,
    const local row_memory *own, uint x)
{
  uint word = 0;

  for (uint k = 0; k < N_PIXELS; k++) {
    const uint across = x + k - vectorscope->scope.plot_left;

    if (across < vectorscope->scope.plot_width) {
      const cell_pair pair = cells_near (
          vectorscope, POSITION_OF (vectorscope->half_column, across));

      word |= INTERPOLATE (uint, own->brightness[pair.first],
                  own->brightness[pair.second], pair.weight)
          << k * 8;
    }
  }
  return word;
}

/* The spots in a chunk from column x of the panel on. */
INLINE shorts
spots_in_chunk (constant vectorscope_params *vectorscope,
    const local row_memory *own, uint x)
{
  const uint half_column = vectorscope->half_column;
  const int across = (int) (x - vectorscope->scope.plot_left);
  const shorts positions =
      spot_positions (vectorscope, PIXEL_INDICES + (uint) across);
  const uint end = end_reaching (vectorscope,
      POSITION_OF (half_column, (uint) max (across + N_PIXELS - 1, 0)));
  shorts spots = 0;

  for (uint i =
           first_reaching (POSITION_OF (half_column, (uint) max (across, 0)));
       i < end; i++)
    spots = max (spots, spot_at (positions, i, own->spots[i]));
  return spots;
}

/* Adds arrows to the samples of a row of a plane that are not shown. */
INLINE void
add_arrows (
    constant vectorscope_params *vectorscope, uint row, local row_memory *own)
{
  FOR_COLUMNS (i, vectorscope->plane_size) {
    const uint arrow = arrow_to (vectorscope, i, row);

    if (arrow != 0 && sum_vector_cell (own, i) > 0)
      atomic_or (&own->arrows, arrow);
  }
}

/* Stores the cells and spots of a row that is shown. */
INLINE void
store_row (constant vectorscope_params *vectorscope,
    const local row_memory *own, uint row, global uint *trace)
{
  global uint *cells = trace + cells_offset (vectorscope, row);
  global any_shorts *spots =
      (global any_shorts *) (trace + spots_offset (vectorscope, row));

  FOR_COLUMNS (i, vectorscope->scope.panel_width / N_PIXELS) {
    cells[i] = cells_in_chunk (vectorscope, own, i * N_PIXELS);
    if (own->has_spots)
      spots[i] =
          convert_ushort4 (spots_in_chunk (vectorscope, own, i * N_PIXELS));
  }
  if (own->has_spots)
    set_near_spots (vectorscope, row, trace);
}

INLINE void
make_row_trace (constant vectorscope_params *vectorscope,
    const global uint *counts, const global ushort *probes, uint row,
    local row_memory *own, global uint *trace)
{
  const uint first = vectorscope->first_cell;
  const uint shown_row = row - first;
  const uint n_shown = shown_row < vectorscope->size ? vectorscope->size : 0;
  const uint row_is_wide = n_shown > 0
      ? is_wide (vectorscope, vectorscope->size - 1 - shown_row)
      : 0;

  add_slices (vectorscope, counts, row, own);
  FOR_COLUMNS (i, AMPHISTO_N_BINS)
    own->spots[i] = 0;
  if (get_local_id (0) == 0)
    own->has_spots = own->arrows = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  find_probes (vectorscope, probes, shown_row, own);
  FOR_COLUMNS (i, n_shown)
    own->brightness[i] = cell_brightness (
        vectorscope, row_is_wide, i, sum_vector_cell (own, first + i));
  if (first > 0)
    add_arrows (vectorscope, row, own);
  barrier (CLK_LOCAL_MEM_FENCE);
  FOR_COLUMNS (i, n_shown) {
    own->spots[i] = spot_area (vectorscope, own->spots[i]);
    if (own->spots[i] > 0)
      atomic_or (&own->has_spots, 1);
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  if (n_shown > 0)
    store_row (vectorscope, own, shown_row, trace);
  if (own->arrows != 0 && get_local_id (0) == 0)
    atomic_or (&trace[arrows_offset (vectorscope)], own->arrows);
  barrier (CLK_LOCAL_MEM_FENCE);
}
