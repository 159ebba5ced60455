/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Adds up the Laplacian of luma, and its square, for the picture's sharpness.
 * Each field is a picture of its own.
 */

#pragma once

#include "measure/sums.cl"
#include "pixels/luma_rows.cl"
#include "pixels/slices.cl"

/* A work-group copies luma of a tile, with a chunk and a row around it, to
 * memory of its own. */
#ifdef AMPHISTO_GPU
#define TILE_CHUNKS 256
#define TILE_ROWS 8
#else
#define TILE_CHUNKS 32
#define TILE_ROWS 32
#endif
#define TILE_STRIDE (TILE_CHUNKS + 2)
#define TILE_SIZE ((TILE_ROWS + 2) * TILE_STRIDE)

/* Rows of one field: `height` rows of the frame, `stride` apart. */
typedef struct
{
  uint first;
  uint stride;
  uint height;
} field_rows;

/* A tile: n_chunks from `chunk` on, in n_rows rows of the field from `row` on.
 */
typedef struct
{
  uint chunk;
  uint n_chunks;
  uint row;
  uint n_rows;
} tile_range;

typedef struct
{
  long sum;
  ulong squares;
} laplacian_sums;

INLINE field_rows
rows_of_field (constant frame_params *params, uint field)
{
  const uint n = params->n_fields;

  return (field_rows){ field, n, (params->luma.height + n - 1 - field) / n };
}

/* The border is reflected without its edge. A single row or column is its own
 * neighbour. */
INLINE uint
reflect (int at, uint n)
{
  const int a = abs (at);

  return (uint) clamp (min (a, 2 * (int) n - 2 - a), 0, (int) n - 1);
}

/* Chunk i of the row, with pixels beyond the edges of the frame: one column on
 * each side. */
INLINE samples
read_edge_chunk (luma_row row, int i, uint width)
{
  pixels values = 0;

  for (int k = 0; k < N_PIXELS; k++) {
    const int x = i * N_PIXELS + k;

    if (x >= -1 && x <= (int) width)
      ((uint *) &values)[k] = read_luma (row, reflect (x, width));
  }
  return pack_samples (values);
}

/* Reads chunks `begin` to `end` - 1. */
INLINE void
read_chunks (OWN samples *chunks, luma_row row, uint begin, uint end)
{
  FOR_COLUMNS (x, end - begin)
    chunks[x] = read_luma_samples (row, begin + x);
}

/* Reads a row of the tile, and a chunk on each side. */
INLINE void
read_tile_row (OWN samples *row, constant frame_params *params,
    uchar_planes planes, tile_range tile, uint y)
{
  const uint width = params->luma.width;
  const uint n_whole = width / N_PIXELS;
  const uint begin = max (tile.chunk, 1u) - 1;
  const uint end = min (tile.chunk + tile.n_chunks + 1, n_whole);
  const luma_row luma = frame_luma_row (planes, params, y);
  OWN samples *first = row + (begin + 1 - tile.chunk);

  if (is_plain_luma (luma))
    read_chunks (first, plain_luma_row (luma), begin, end);
  else if (luma.is_rgb)
    read_chunks (first, rgb_luma_row (planes, params, y), begin, end);
  else
    read_chunks (first, luma, begin, end);
  FOR_COLUMNS (k, 2) {
    if (k == 0 && tile.chunk == 0)
      row[0] = read_edge_chunk (luma, -1, width);
    for (uint i = end; k == 1 && i <= tile.chunk + tile.n_chunks; i++)
      row[i + 1 - tile.chunk] = read_edge_chunk (luma, (int) i, width);
  }
}

INLINE void
read_tile (OWN samples *memory, constant frame_params *params,
    uchar_planes planes, field_rows field, tile_range tile)
{
  for (uint k = 0; k < tile.n_rows + 2; k++) {
    const uint row = reflect ((int) (tile.row + k) - 1, field.height);

    read_tile_row (memory + k * TILE_STRIDE, params, planes, tile,
        field.first + row * field.stride);
  }
}

/* The Laplacian of a chunk: chunk x of the middle one of three rows. */
INLINE signed_pixels
laplacian_of (OWN const samples *rows, uint x)
{
  OWN const samples *middle = rows + TILE_STRIDE + x;

#ifdef AMPHISTO_GPU
  const uint before = middle[-1], chunk = middle[0], after = middle[1];

  return AS_SIGNED (unpack_samples (rows[x])
      + unpack_samples (rows[2 * TILE_STRIDE + x])
      + unpack_samples (chunk << 8 | before >> 24)
      + unpack_samples (chunk >> 8 | after << 24) - 4 * unpack_samples (chunk));
#else
  const bytes16 *left = (const bytes16 *) ((const uchar *) middle - 1);
  const bytes16 *right = (const bytes16 *) ((const uchar *) middle + 1);

  return convert_int16 (convert_short16 (as_uchar16 (rows[x]))
      + convert_short16 (as_uchar16 (rows[2 * TILE_STRIDE + x]))
      + convert_short16 (as_uchar16 (*left))
      + convert_short16 (as_uchar16 (*right))
      - (short16) (4) * convert_short16 (as_uchar16 (*middle)));
#endif
}

/* Adds the work-item's columns of the tile. Lanes stay below 2^32. */
INLINE void
add_up_tile (laplacian_sums *total, OWN const samples *memory,
    constant frame_params *params, tile_range tile)
{
  signed_pixels sums = 0;
  pixels squares = 0;

  for (uint k = 0; k < tile.n_rows; k++)
    FOR_COLUMNS (x, tile.n_chunks) {
      const uint n_left = params->luma.width - (tile.chunk + x) * N_PIXELS;
      signed_pixels l = laplacian_of (memory + k * TILE_STRIDE, x + 1);

      if (n_left < N_PIXELS)
        l &= PIXEL_INDICES < (pixels) (n_left);
      sums += l;
      squares += AS_UNSIGNED (l * l);
    }
  for (uint k = 0; k < N_PIXELS; k++) {
    total->sum += ((const int *) &sums)[k];
    total->squares += ((const uint *) &squares)[k];
  }
}

/* Tiles side by side, and one below another. */
INLINE uint2
count_tiles (constant frame_params *params, field_rows field)
{
  const uint width = TILE_CHUNKS * N_PIXELS;

  return (uint2) ((params->luma.width + width - 1) / width,
      (field.height + TILE_ROWS - 1) / TILE_ROWS);
}

/* Tile `at` of a field, in reading order. n_x: tiles side by side. */
INLINE tile_range
tile_at (constant frame_params *params, field_rows field, uint at, uint n_x)
{
  const uint n_chunks = (params->luma.width + N_PIXELS - 1) / N_PIXELS;
  const uint chunk = at % n_x * TILE_CHUNKS;
  const uint row = at / n_x * TILE_ROWS;

  return (tile_range){ chunk, min (n_chunks - chunk, (uint) TILE_CHUNKS), row,
    min (field.height - row, (uint) TILE_ROWS) };
}

/* Adds these tiles of a field. memory: for a tile. */
NOINLINE void
add_up_tiles (laplacian_sums *total, OWN samples *memory,
    constant frame_params *params, uchar_planes planes, field_rows field,
    row_range tiles)
{
  const uint n_x = count_tiles (params, field).x;

  FOR_ROWS (at, tiles) {
    const tile_range tile = tile_at (params, field, at, n_x);

    GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
    read_tile (memory, params, planes, field, tile);
    GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
    add_up_tile (total, memory, params, tile);
  }
}

/* bins: as calculate_histogram() leaves them; the sums of the Laplacian and of
 * its square are added at AMPHISTO_LAPLACIAN. */
kernel GROUP void
calculate_sharpness (global uint *plane0, global uint *plane1,
    global uint *plane2, constant frame_params *params,
    volatile global uint *bins)
{
  const uchar_planes planes =
      planes_at (plane0, plane1, plane2, plane0, params->source);
  laplacian_sums total = { 0, 0 };
  OWN samples memory[TILE_SIZE];
  OWN uint group_sum[2];

  for (uint i = 0; i < params->n_fields; i++) {
    const field_rows field = rows_of_field (params, i);
    const uint2 n = count_tiles (params, field);

    add_up_tiles (&total, memory, params, planes, field, own_rows (n.x * n.y));
  }
  add_group_to_sum (bins + AMPHISTO_LAPLACIAN, group_sum, (ulong) total.sum);
  add_group_to_sum (bins + AMPHISTO_LAPLACIAN + 2, group_sum, total.squares);
}
