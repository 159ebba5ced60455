/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Counts the pixels of YUV that are out of gamut (EBU R103): red, green or
 * blue, before clamping, or luma is out of its bounds.
 */

#pragma once

#include "pixels/slices.cl"
#include "pixels/yuv.cl"
#ifndef AMPHISTO_GPU
#include "pixels/colours_cpu.cl"
#endif

/* Whether a number is outside; of vectors, -1 in lanes that are. */
#define IS_OUTSIDE(type, v, lo, hi) (((v) < (type) (lo)) | ((v) > (type) (hi)))
#define IS_COLOUR_OUTSIDE(type, v)                                             \
  IS_OUTSIDE (type, v, AMPHISTO_GAMUT_LO, AMPHISTO_GAMUT_HI)
#define IS_LUMA_OUTSIDE(type, v, params)                                       \
  IS_OUTSIDE (type, v, (params)->legal_lo, (params)->legal_hi)

/* Red, green or blue before clamping. */
#define COLOUR(row, y, u, v)                                                   \
  (((row)[0] * (y) + (row)[1] * (u) + (row)[2] * (v) + (row)[3]) >> 16)

/* Returns 1 if pixel x of the row is outside, else 0. */
INLINE uint
count_pixel (yuv_row row, uint x, constant frame_params *params)
{
  const uint chroma_x = (row.x_phase + x) >> row.x_shift;
  const int y = (int) read_sample (row.y, x);
  const int u = (int) read_sample (row.u, chroma_x);
  const int v = (int) read_sample (row.v, chroma_x);
  int is_outside = IS_LUMA_OUTSIDE (int, y, params);

  for (uint c = 0; c < 3; c++)
    is_outside |= IS_COLOUR_OUTSIDE (int, COLOUR (params->matrix[c], y, u, v));
  return (uint) is_outside;
}

#ifdef AMPHISTO_GPU

/* Counts the pixels of n chunks of the row. */
INLINE uint
count_chunks (yuv_row row, uint n, constant frame_params *params)
{
  int4 counts = 0;

  FOR_ROW_CHUNKS (i, n) {
    const yuv_pixels p = read_yuv_pixels (row, i);
    int4 is_outside = IS_LUMA_OUTSIDE (int4, p.y, params);

    for (uint c = 0; c < 3; c++)
      is_outside |=
          IS_COLOUR_OUTSIDE (int4, COLOUR (params->matrix[c], p.y, p.u, p.v));
    counts -= is_outside;
  }
  return (uint) (counts.x + counts.y + counts.z + counts.w);
}

#else

/* Chunks that can be counted in 16 bits. */
#define RUN_CHUNKS 1024

INLINE short16
are_colours_outside (
    fixed_shorts y, fixed_shorts r, fixed_shorts g, fixed_shorts b)
{
  return IS_COLOUR_OUTSIDE (short16, add_fixed (y, r))
      | IS_COLOUR_OUTSIDE (short16, add_fixed (y, g))
      | IS_COLOUR_OUTSIDE (short16, add_fixed (y, b));
}

/* For chroma that is shared by two pixels. */
INLINE short16
are_shared_outside (fixed_shorts y, int8 u, int8 v, constant int (*matrix)[4])
{
  return are_colours_outside (y, spread_sums (RED_SUM (matrix, v)),
      spread_sums (GREEN_SUM (matrix, u, v)),
      spread_sums (BLUE_SUM (matrix, u)));
}

/* -1 for each pixel of chunk i that is outside. The row's x_phase must be 0. */
INLINE short16
are_outside (yuv_row row, uint i, constant frame_params *params)
{
  constant int (*matrix)[4] = params->matrix;
  const shorts luma = TO_SHORTS (read_component_samples (row.y, i));
  const fixed_shorts y = multiply_samples (luma, matrix[0][0]);
  const short16 is_outside =
      IS_LUMA_OUTSIDE (short16, as_short16 (luma), params);
  const signed_pixels u =
      AS_SIGNED (read_shared_samples (row.u, i, row.x_shift));
  const signed_pixels v =
      AS_SIGNED (read_shared_samples (row.v, i, row.x_shift));

  if (row.x_shift == 0)
    return is_outside
        | are_colours_outside (y, split_sums (RED_SUM (matrix, v)),
            split_sums (GREEN_SUM (matrix, u, v)),
            split_sums (BLUE_SUM (matrix, u)));
  if (row.x_shift == 1)
    return is_outside | are_shared_outside (y, u.lo, v.lo, matrix);
  return is_outside | are_shared_outside (y, u.s00112233, v.s00112233, matrix);
}

INLINE uint
count_chunks (yuv_row row, uint n, constant frame_params *params)
{
  uint count = 0;

  for (uint first = 0; first < n; first += RUN_CHUNKS) {
    const uint end = min (n, first + RUN_CHUNKS);
    short16 counts = 0;

    for (uint i = first; i < end; i++)
      counts -= are_outside (row, i, params);
    for (uint k = 0; k < N_PIXELS; k++)
      count += (uint) ((const short *) &counts)[k];
  }
  return count;
}

#endif

/* Counts the pixels of the row. Pixels before and after whole chunks are
 * counted one by one. */
INLINE uint
count_row (yuv_row row, constant frame_params *params)
{
  const uint width = params->luma.width;
  const uint head = min (yuv_row_head (row), width);
  const uint n = (width - head) / N_PIXELS;
  const yuv_row chunks = yuv_row_from (row, head);
  uint count = is_half_planar (chunks)
      ? count_chunks (planar_yuv_row (chunks, 1), n, params)
      : count_chunks (chunks, n, params);

  FOR_ROW_CHUNKS (i, width - n * N_PIXELS)
    count += count_pixel (row, i < head ? i : i + n * N_PIXELS, params);
  return count;
}

OUTLINE uint
count_outside_rows (
    uchar_planes planes, constant frame_params *params, row_range rows)
{
  uint count = 0;

  FOR_ROWS (y, rows)
    count += count_row (frame_yuv_row (planes, params, y), params);
  return count;
}

/* bins: as calculate_histogram() leaves them; the number of pixels is added at
 * AMPHISTO_OUT_OF_GAMUT. */
kernel GROUP void
count_outside (global uint *plane0, global uint *plane1, global uint *plane2,
    constant frame_params *params, volatile global uint *bins)
{
  const uchar_planes planes =
      planes_at (plane0, plane1, plane2, plane0, params->source);
  const uint count =
      count_outside_rows (planes, params, own_chunk_rows (params->luma.height));

#ifdef AMPHISTO_GPU
  local uint group_count;

  if (get_local_id (0) == 0)
    group_count = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (count > 0)
    atomic_add (&group_count, count);
  barrier (CLK_LOCAL_MEM_FENCE);
  if (get_local_id (0) == 0 && group_count > 0)
    atomic_add (&bins[AMPHISTO_OUT_OF_GAMUT], group_count);
#else
  atomic_add (&bins[AMPHISTO_OUT_OF_GAMUT], count);
#endif
}
