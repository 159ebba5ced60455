/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Counts the pixels of RGB, or of grey, of limited range that are out of gamut.
 */

#pragma once

#include "measure/outside_count.cl"
#include "pixels/outside_rgb.cl"

/* Counts the pixels of n chunks of the row. */
INLINE uint
count_rgb_chunks (rgb_row row, uint n, constant frame_params *params)
{
  signed_pixels counts = 0;
  uint count = 0;

  FOR_ROW_CHUNKS (i, n)
    counts -= are_rgb_outside (read_rgb_pixels (row, i), params);
  for (uint k = 0; k < N_PIXELS; k++)
    count += ((const uint *) &counts)[k];
  return count;
}

INLINE uint
count_rgb_row (uchar_planes planes, constant frame_params *params, uint y)
{
  const rgb_row row = frame_rgb_row (planes, params->rgb, y);
  const uint width = params->rgb[0].width;
  const uint n = width / N_PIXELS;
  uint count;

  if (row.pixel_stride == 4)
    count = count_rgb_chunks (packed_row (row, 4), n, params);
  else if (row.pixel_stride == 3)
    count = count_rgb_chunks (packed_row (row, 3), n, params);
  else
    count = count_rgb_chunks (planar_row (row), n, params);
  FOR_ROW_CHUNKS (i, width - n * N_PIXELS)
    count += is_rgb_outside (read_rgb (row, n * N_PIXELS + i), params);
  return count;
}

DEFINE_COUNT_OUTSIDE (count_rgb_outside, count_rgb_row, rgb[0])
