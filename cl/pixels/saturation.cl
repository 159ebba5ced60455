/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Reads U and V, of YUV and of RGB, and calculates their saturation: their
 * distance from neutral, rounded down, 0 to 181.
 */

#pragma once

#include "pixels/components.cl"
#include "pixels/rgb.cl"

/* --- U and V --- */

/* A row of samples of U and V. */
typedef struct
{
  component_row u, v;
} chroma_row;

INLINE chroma_row
frame_chroma_row (
    uchar_planes planes, constant component_params *chroma, uint y)
{
  return (chroma_row){ frame_component_row (planes, &chroma[0], y),
    frame_component_row (planes, &chroma[1], y) };
}

/* Tells the compiler that the row's samples are contiguous. */
INLINE chroma_row
plain_chroma_row (chroma_row row)
{
  row.u = plain_row (row.u);
  row.v = plain_row (row.v);
  return row;
}

/* U and V of sample x of a row. */
INLINE uint2
read_chroma (chroma_row row, uint x)
{
  return (uint2) (read_sample (row.u, x), read_sample (row.v, x));
}

/* U and V of pixel x of a row of RGB. matrix: chroma_matrix in frame_params.h.
 */
INLINE uint2
read_rgb_chroma (rgb_row row, uint x, constant int (*matrix)[4])
{
  const int4 p = as_int4 (read_rgb (row, x));

  return (uint2) (MATRIX_ROW (int, matrix[0], p.x, p.y, p.z),
      MATRIX_ROW (int, matrix[1], p.x, p.y, p.z));
}

/* A chunk of samples. */
typedef struct
{
  pixels u, v;
} chroma_pixels;

INLINE chroma_pixels
read_chroma_pixels (chroma_row row, uint i)
{
  const chroma_pixels chroma = { read_component_samples (row.u, i),
    read_component_samples (row.v, i) };

  return chroma;
}

INLINE chroma_pixels
read_rgb_chroma_pixels (rgb_row row, uint i, constant int (*matrix)[4])
{
  const rgb_pixels p = read_rgb_pixels (row, i);
  const signed_pixels r = AS_SIGNED (p.r);
  const signed_pixels g = AS_SIGNED (p.g);
  const signed_pixels b = AS_SIGNED (p.b);
  const chroma_pixels chroma = { AS_UNSIGNED (MATRIX_ROW (
                                     signed_pixels, matrix[0], r, g, b)),
    AS_UNSIGNED (MATRIX_ROW (signed_pixels, matrix[1], r, g, b)) };

  return chroma;
}

/* --- saturation --- */

/* The distance of (a, b) from 0, rounded down, for 0 to 128 each.
 *
 * A distance is the largest of its projections on all directions. With four
 * directions, in 1/256 and rounded down, the largest is 0 or 1 below the
 * distance, so that one comparison of squares is left. All numbers fit into 16
 * bits. */
INLINE shorts
distance_of (shorts a, shorts b)
{
  const shorts x = max (a, b);
  const shorts y = min (a, b);
  const shorts low =
      max (x * TO_SHORT (256), x * TO_SHORT (251) + y * TO_SHORT (49));
  const shorts high = max (x * TO_SHORT (232) + y * TO_SHORT (108),
      x * TO_SHORT (199) + y * TO_SHORT (161));
  const shorts below = max (low, high) >> (shorts) (8);
  const shorts above = below + TO_SHORT (1);

  return above * above <= x * x + y * y ? above : below;
}

INLINE shorts
distance_from_neutral (shorts v)
{
  const shorts neutral = 128;

  return max (v, neutral) - min (v, neutral);
}

INLINE pixels
saturation_of (chroma_pixels chroma)
{
  return TO_PIXELS (distance_of (distance_from_neutral (TO_SHORTS (chroma.u)),
      distance_from_neutral (TO_SHORTS (chroma.v))));
}

/* Saturation of one sample. The square root, which devices may round to either
 * side, is at most 1 too long or too short. */
INLINE uint
saturation_at (uint2 chroma)
{
  const int2 v = as_int2 (chroma) - (int2) (128, 128);
  const uint square = (uint) (v.x * v.x + v.y * v.y);
  const uint root = (uint) sqrt ((float) square);

  if (root * root > square)
    return root - 1;
  return (root + 1) * (root + 1) <= square ? root + 1 : root;
}
