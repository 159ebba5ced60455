/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Finds the picture between black bars: the rows and the columns whose mean
 * luma is above AMPHISTO_BLACK_BAR.
 */

#pragma once

#include "pixels/luma_rows.cl"
#include "pixels/slices.cl"

/* The sums of luma: of each row, then of each column. */
typedef struct
{
  volatile global uint *rows;
  volatile global uint *columns;
} luma_sums;

/* Adds the sums of a chunk's columns. */
INLINE void
add_columns (
    luma_sums sums, constant frame_params *params, uint i, pixels column)
{
  for (uint k = 0; k < N_PIXELS; k++)
    if (i * N_PIXELS + k < params->luma.width)
      atomic_add (&sums.columns[i * N_PIXELS + k], ((const uint *) &column)[k]);
}

#ifdef AMPHISTO_GPU

/* A work-group adds up tiles of a chunk for each work-item, in TILE_ROWS rows.
 * The sum of a row has replicas in different banks of local memory. */
#define TILE_CHUNKS 256
#define TILE_ROWS 8
#define N_REPLICAS 32

/* Luma of chunk i of row y; 0 outside the frame. */
INLINE pixels
read_luma_chunk (
    constant frame_params *params, uchar_planes planes, uint i, uint y)
{
  const uint width = params->luma.width;

  if (y >= params->luma.height || i * N_PIXELS >= width)
    return 0;

  const luma_row row = frame_luma_row (planes, params, y);

  return (i + 1) * N_PIXELS > width ? read_last_luma (row, i * N_PIXELS, width)
                                    : read_luma_pixels (row, i);
}

/* Adds up the tile from chunk `first` of row `top` on. row_sums: a word for
 * each replica. */
INLINE void
add_up_tile (luma_sums sums, uchar_planes planes, constant frame_params *params,
    local uint *row_sums, uint first, uint top)
{
  const uint item = (uint) get_local_id (0);
  pixels column = 0;

  row_sums[item] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint k = 0; k < TILE_ROWS; k++) {
    const pixels p = read_luma_chunk (params, planes, first + item, top + k);

    column += p;
    atomic_add (
        &row_sums[k * N_REPLICAS + item % N_REPLICAS], p.x + p.y + p.z + p.w);
  }
  add_columns (sums, params, first + item, column);
  barrier (CLK_LOCAL_MEM_FENCE);
  if (item < TILE_ROWS && top + item < params->luma.height) {
    uint sum = 0;

    for (uint k = 0; k < N_REPLICAS; k++)
      sum += row_sums[item * N_REPLICAS + k];
    atomic_add (&sums.rows[top + item], sum);
  }
  barrier (CLK_LOCAL_MEM_FENCE);
}

INLINE void
add_up_tiles (luma_sums sums, uchar_planes planes,
    constant frame_params *params, local uint *row_sums)
{
  const uint width = TILE_CHUNKS * N_PIXELS;
  const uint n_x = (params->luma.width + width - 1) / width;
  const uint n_y = (params->luma.height + TILE_ROWS - 1) / TILE_ROWS;

  for (uint tile = GROUP_INDEX; tile < n_x * n_y; tile += N_GROUPS)
    add_up_tile (sums, planes, params, row_sums, tile % n_x * TILE_CHUNKS,
        tile / n_x * TILE_ROWS);
}

#else

/* oclgrind (21.10) takes parts of vectors, as add_up() adds them, for
 * uninitialized. */
INLINE uint
add_up_pixels (pixels p)
{
  uint sum = 0;

  for (uint k = 0; k < N_PIXELS; k++)
    sum += ((const uint *) &p)[k];
  return sum;
}

/* A work-item adds up its rows in strips of at most STRIP_CHUNKS chunks. */
#define STRIP_CHUNKS 128

/* Adds the n chunks of a strip, from chunk `first` on, to the columns. Returns
 * the sum of the row. */
INLINE uint
add_up_row (pixels *columns, luma_row row, uint first, uint n)
{
  pixels sum = 0;

  for (uint i = 0; i < n; i++) {
    const pixels p = read_luma_pixels (row, first + i);

    columns[i] += p;
    sum += p;
  }
  return add_up_pixels (sum);
}

INLINE uint
add_up_stored_row (pixels *columns, luma_row row, uint first, uint n)
{
  return is_plain_luma (row)
      ? add_up_row (columns, plain_luma_row (row), first, n)
      : add_up_row (columns, row, first, n);
}

NOINLINE void
add_up_strip (luma_sums sums, uchar_planes planes,
    constant frame_params *params, uint first, uint n, row_range rows)
{
  pixels columns[STRIP_CHUNKS];

  for (uint i = 0; i < n; i++)
    columns[i] = 0;
  FOR_ROWS (y, rows) {
    const uint sum = is_luma_of_rgb (params)
        ? add_up_row (columns, rgb_luma_row (planes, params, y), first, n)
        : add_up_stored_row (
            columns, stored_luma_row (planes, params, y), first, n);

    atomic_add (&sums.rows[y], sum);
  }
  for (uint i = 0; i < n; i++)
    add_columns (sums, params, first + i, columns[i]);
}

NOINLINE void
add_up_rows (luma_sums sums, uchar_planes planes, constant frame_params *params,
    row_range rows)
{
  const uint n = params->luma.width / N_PIXELS;
  pixels last = 0;

  for (uint first = 0; first < n; first += STRIP_CHUNKS)
    add_up_strip (sums, planes, params, first,
        min (n - first, (uint) STRIP_CHUNKS), rows);
  if (n * N_PIXELS == params->luma.width)
    return;
  FOR_ROWS (y, rows) {
    const pixels p = read_last_luma (
        frame_luma_row (planes, params, y), n * N_PIXELS, params->luma.width);

    last += p;
    atomic_add (&sums.rows[y], add_up_pixels (p));
  }
  add_columns (sums, params, n, last);
}

#endif

/* sums: of luma in each row, then in each column: zeros. */
kernel GROUP void
add_up_luma (global uint *plane0, global uint *plane1, global uint *plane2,
    constant frame_params *params, volatile global uint *sums)
{
  const uchar_planes planes =
      planes_at (plane0, plane1, plane2, plane0, params->source);
  const luma_sums own = { sums, sums + params->luma.height };

#ifdef AMPHISTO_GPU
  local uint row_sums[TILE_ROWS * N_REPLICAS];

  add_up_tiles (own, planes, params, row_sums);
#else
  add_up_rows (own, planes, params, own_rows (params->luma.height));
#endif
}

/* --- the edges --- */

/* Of n rows or columns: their number from the first bright one on, and the
 * number up to the last bright one; 0 if none is bright. So both grow. */
typedef struct
{
  uint from_first;
  uint to_last;
} bright_extent;

/* Finds the work-item's bright ones of n rows or columns of `length` pixels,
 * and clears their sums. */
INLINE bright_extent
find_bright (global uint *sums, uint n, uint length)
{
#ifdef AMPHISTO_GPU
  const row_range own = { (uint) get_global_id (0), n,
    (uint) get_global_size (0) };
#else
  const row_range own = own_rows (n);
#endif
  bright_extent extent = { 0, 0 };

  FOR_ROWS (i, own) {
    if (sums[i] > AMPHISTO_BLACK_BAR * length) {
      extent.from_first = max (extent.from_first, n - i);
      extent.to_last = i + 1;
    }
    sums[i] = 0;
  }
  return extent;
}

INLINE void
widen (volatile global uint *words, bright_extent extent)
{
  if (extent.to_last > 0) {
    atomic_max (&words[0], extent.from_first);
    atomic_max (&words[1], extent.to_last);
  }
}

/* sums: as add_up_luma() leaves them; cleared for the next frame. bins: the
 * extents of rows and columns are stored at AMPHISTO_LETTERBOX. */
kernel GROUP void
find_letterbox (constant frame_params *params, global uint *sums,
    volatile global uint *bins)
{
  const uint width = params->luma.width;
  const uint height = params->luma.height;

  widen (bins + AMPHISTO_LETTERBOX, find_bright (sums, height, width));
  widen (bins + AMPHISTO_LETTERBOX + 2,
      find_bright (sums + height, width, height));
}
