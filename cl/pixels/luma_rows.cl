/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Reads luma row by row: stored luma, or luma of red, green and blue.
 */

#pragma once

#include "pixels/luma.cl"

/* A row: `stored`, or, if is_rgb, `rgb`, with the weights, also as luma_of()
 * takes them. */
typedef struct
{
  component_row stored;
  rgb_row rgb;
  constant uint *weights;
  luma_view view;
  bool is_rgb;
} luma_row;

INLINE luma_row
stored_luma_row (uchar_planes planes, constant frame_params *params, uint y)
{
  luma_row row;

  row.is_rgb = false;
  row.stored = frame_component_row (planes, &params->luma, y);
  return row;
}

INLINE luma_row
rgb_luma_row (uchar_planes planes, constant frame_params *params, uint y)
{
  luma_row row;

  row.is_rgb = true;
  row.rgb = frame_rgb_row (planes, params->rgb, y);
  row.weights = params->weights;
  row.view = view_luma (row.rgb, row.weights);
  return row;
}

INLINE bool
is_luma_of_rgb (constant frame_params *params)
{
  return HAS_RGB && params->luma.plane == AMPHISTO_RGB_LUMA;
}

INLINE luma_row
frame_luma_row (uchar_planes planes, constant frame_params *params, uint y)
{
  return is_luma_of_rgb (params) ? rgb_luma_row (planes, params, y)
                                 : stored_luma_row (planes, params, y);
}

/* A row of bytes, as of luma. */
INLINE luma_row
row_of_bytes (uchar_row bytes)
{
  luma_row row;

  row.is_rgb = false;
  row.stored = (component_row){ bytes, 1, 0 };
  return row;
}

INLINE bool
is_plain_luma (luma_row row)
{
  return !row.is_rgb && row.stored.pixel_stride == 1;
}

/* Tells the compiler that the row is_plain_luma(), for faster loops. */
INLINE luma_row
plain_luma_row (luma_row row)
{
  return row_of_bytes (row.stored.row);
}

/* Chunk i of the row, as pixels or as samples. */

INLINE pixels
read_luma_pixels (luma_row row, uint i)
{
  return row.is_rgb ? luma_of (row.view, read_rgb_pixels (row.rgb, i))
                    : read_component_samples (row.stored, i);
}

INLINE samples
read_luma_samples (luma_row row, uint i)
{
  return is_plain_luma (row) ? read_samples (row.stored.row, i)
                             : pack_samples (read_luma_pixels (row, i));
}

/* Luma of pixel x. */
INLINE uint
read_luma (luma_row row, uint x)
{
  return row.is_rgb ? read_rgb_luma (row.rgb, x, row.weights)
                    : read_sample (row.stored, x);
}

/* Luma of the last pixels, from pixel `first` on, fewer than a chunk. */
INLINE pixels
read_last_luma (luma_row row, uint first, uint width)
{
  pixels values = 0;

  for (uint k = 0; k < N_PIXELS; k++)
    if (first + k < width)
      ((uint *) &values)[k] = read_luma (row, first + k);
  return values;
}
