/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The gamut budget: at which gain of colours a pixel begins to be clipped, for
 * a grid of pixels; core/change/chroma.h has the arithmetic.
 */

#pragma once

#include "pixels/luma.cl"
#include "pixels/slices.cl"
#include "pixels/yuv.cl"

#ifdef AMPHISTO_GPU
typedef float4 float_pixels;
#define TO_FLOATS convert_float4
#define FROM_FLOATS convert_int4
typedef ushort4 limits;
#define TO_LIMITS convert_ushort4
#else
typedef float16 float_pixels;
#define TO_FLOATS convert_float16
#define FROM_FLOATS convert_int16
typedef ushort16 limits;
#define TO_LIMITS convert_ushort16
#endif

/* A chunk of probes in a row: their pixels and luma. above, below: how far the
 * greatest and the least of red, green and blue are above and below luma. */
typedef struct
{
  pixels x;
  pixels luma;
  signed_pixels above, below;
} probes;

/* The chunks in a row of probes. */
#define PROBE_CHUNKS (AMPHISTO_PROBE_ROWS / N_PIXELS)

/* The pixel of probe i along a side of n pixels: (2 i + 1) n / 128. The product
 * may have more than 32 bits. */
#define PROBED_PIXEL(i, n)                                                     \
  ((2 * (i) + 1) * ((n) / (2 * AMPHISTO_PROBE_ROWS))                           \
      + (2 * (i) + 1) * ((n) % (2 * AMPHISTO_PROBE_ROWS))                      \
          / (2 * AMPHISTO_PROBE_ROWS))

INLINE probes
read_rgb_probes (rgb_row row, constant uint *weights, pixels x)
{
  const pixels at = x * row.pixel_stride;
  const pixels r = gather_uchars (row.r, at + row.r_offset);
  const pixels g = gather_uchars (row.g, at + row.g_offset);
  const pixels b = gather_uchars (row.b, at + row.b_offset);
  const pixels luma = LUMA (weights, r, g, b);

  return (probes){ x, luma, AS_SIGNED (max (max (r, g), b)) - AS_SIGNED (luma),
    AS_SIGNED (luma) - AS_SIGNED (min (min (r, g), b)) };
}

/* Red, green or blue of full range, in luma's range, rounded down. 256 times
 * 255 keep the dividend positive, and 1/2 keeps the quotient away from
 * integers, farther than it is from the product. */
INLINE signed_pixels
code_in_luma (constant frame_params *params, signed_pixels c)
{
  const float_pixels dividend = TO_FLOATS (c * 219 + (4207 + 256 * 255)) + 0.5f;

  return params->lo == 0 ? c : FROM_FLOATS (dividend * (1.0f / 255)) - 256;
}

INLINE probes
read_yuv_probes (yuv_row row, constant frame_params *params, pixels x)
{
  constant int (*matrix)[4] = params->matrix;
  const pixels chroma_x = (row.x_phase + x) >> row.x_shift;
  const signed_pixels y = AS_SIGNED (gather_samples (row.y, x));
  const signed_pixels u = AS_SIGNED (gather_samples (row.u, chroma_x));
  const signed_pixels v = AS_SIGNED (gather_samples (row.v, chroma_x));
  const signed_pixels r = UNCLAMPED_ROW (matrix[0], y, u, v);
  const signed_pixels g = UNCLAMPED_ROW (matrix[1], y, u, v);
  const signed_pixels b = UNCLAMPED_ROW (matrix[2], y, u, v);

  return (probes){ x, AS_UNSIGNED (y),
    code_in_luma (params, max (max (r, g), b)) - y,
    y - code_in_luma (params, min (min (r, g), b)) };
}

/* Chunk i of a row of probes in row y of the frame. */
INLINE probes
read_probes (uchar_planes planes, constant frame_params *params, uint i, uint y)
{
  const pixels x = PROBED_PIXEL (
      i * N_PIXELS + PIXEL_INDICES, (pixels) (params->luma.width));

  if (HAS_RGB && params->luma.plane == AMPHISTO_RGB_LUMA)
    return read_rgb_probes (
        frame_rgb_row (planes, params->rgb, y), params->weights, x);
  return read_yuv_probes (frame_yuv_row (planes, params, y), params, x);
}

/* 256 room / distance rounded down, at most AMPHISTO_MAX_GAIN; this also where
 * the distance is 0 or less. The quotients that count are at least 1/1024 away
 * from an integer: more than any device's error. */
INLINE signed_pixels
divide_room (signed_pixels room, signed_pixels distance)
{
  const float_pixels quotient =
      (TO_FLOATS (max (room, (signed_pixels) (0)) * AMPHISTO_UNIT_GAIN) + 0.5f)
      / TO_FLOATS (max (distance, (signed_pixels) (1)));

  return distance > 0
      ? min (FROM_FLOATS (quotient), (signed_pixels) (AMPHISTO_MAX_GAIN))
      : (signed_pixels) (AMPHISTO_MAX_GAIN);
}

/* The limits of probes whose luma becomes `to`. */
INLINE limits
find_limits (constant frame_params *params, probes p, pixels to)
{
  const bool is_rgb = HAS_RGB && params->luma.plane == AMPHISTO_RGB_LUMA;
  const int lo = is_rgb ? 0 : (int) params->lo;
  const int hi = is_rgb ? 255 : (int) params->hi;

  return TO_LIMITS (min (divide_room (hi - AS_SIGNED (to), p.above),
      divide_room (AS_SIGNED (to) - lo, p.below)));
}
