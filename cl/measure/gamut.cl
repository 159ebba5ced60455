/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Counts the pixels of YUV that are out of gamut.
 */

#pragma once

#include "measure/outside_count.cl"
#include "pixels/outside.cl"

/* Chunks that can be counted in 16 bits. */
#define RUN_CHUNKS 1024u

/* Counts the pixels of n chunks of the row. */
INLINE uint
count_chunks (yuv_row row, uint n, constant frame_params *params)
{
  uint count = 0;

  for (uint first = 0; first < n; first += RUN_CHUNKS) {
    lane_masks counts = 0;

    FOR_ROW_CHUNKS (i, min (n - first, RUN_CHUNKS))
      counts -= are_outside (row, first + i, params);
    for (uint k = 0; k < N_PIXELS; k++)
      count += (uint) ((const lane_mask *) &counts)[k];
  }
  return count;
}

/* Counts the pixels of row y. Pixels before and after whole chunks are counted
 * one by one. */
INLINE uint
count_row (uchar_planes planes, constant frame_params *params, uint y)
{
  const yuv_row row = frame_yuv_row (planes, params, y);
  const uint width = params->luma.width;
  const uint head = min (yuv_row_head (row), width);
  const uint n = (width - head) / N_PIXELS;
  const yuv_row chunks = yuv_row_from (row, head);
  uint count = is_half_planar (chunks)
      ? count_chunks (half_planar_row (chunks), n, params)
      : count_chunks (chunks, n, params);

  FOR_ROW_CHUNKS (i, width - n * N_PIXELS)
    count += is_pixel_outside (row, i < head ? i : i + n * N_PIXELS, params);
  return count;
}

DEFINE_COUNT_OUTSIDE (count_outside, count_row, luma)
