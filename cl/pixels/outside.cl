/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Finds the pixels of YUV that are out of gamut (EBU R103): red, green or blue,
 * before clamping, or luma is out of its bounds.
 *
 * For both shapes:
 *
 *   lane_masks                -1 in the lanes of a chunk of pixels, or 0; a
 *                             lane is a lane_mask
 *   are_none (masks)          whether all are 0
 *   are_outside (row, i, params)  the pixels of chunk i that are outside; the
 *                             row's x_phase must be 0
 */

#pragma once

#include "pixels/yuv.cl"
#ifndef AMPHISTO_GPU
#include "pixels/colours_cpu.cl"
#endif

/* Whether a number is outside; of vectors, -1 in lanes that are. */
#define IS_BEYOND(type, v, lo, hi) (((v) < (type) (lo)) | ((v) > (type) (hi)))
#define DEFINE_IS_OUTSIDE(type)                                                \
  INLINE type OVERLOAD is_outside (                                            \
      type y, type u, type v, constant frame_params *params)                   \
  {                                                                            \
    type is_outside = IS_BEYOND (type, y, params->legal_lo, params->legal_hi); \
                                                                               \
    for (uint c = 0; c < 3; c++)                                               \
      is_outside |=                                                            \
          IS_BEYOND (type, UNCLAMPED_ROW (params->matrix[c], y, u, v),         \
              AMPHISTO_GAMUT_LO, AMPHISTO_GAMUT_HI);                           \
    return is_outside;                                                         \
  }

DEFINE_IS_OUTSIDE (int)

/* Whether pixel x of the row is outside: 1 or 0. */
INLINE uint
is_pixel_outside (yuv_row row, uint x, constant frame_params *params)
{
  const int4 p = read_yuv (row, x);

  return (uint) is_outside (p.x, p.y, p.z, params);
}

#ifdef AMPHISTO_GPU

typedef int lane_mask;
typedef int4 lane_masks;

DEFINE_IS_OUTSIDE (int4)

INLINE lane_masks
are_outside (yuv_row row, uint i, constant frame_params *params)
{
  const yuv_pixels p = read_yuv_pixels (row, i);

  return is_outside (p.y, p.u, p.v, params);
}

#else

typedef short lane_mask;
typedef short16 lane_masks;

/* The products of luma that are inside, of pixels with the same chroma. */
typedef struct
{
  int8 lo, hi;
} luma_bounds;

/* A colour is cy Y + a term for chroma, in 1/65536: only the lowest and the
 * highest of the three terms matter. */
INLINE luma_bounds
find_luma_bounds (int8 u, int8 v, constant frame_params *params)
{
  constant int (*matrix)[4] = params->matrix;
  const int cy = matrix[0][0];
  const int8 r = RED_SUM (matrix, v);
  const int8 g = GREEN_SUM (matrix, u, v);
  const int8 b = BLUE_SUM (matrix, u);
  const luma_bounds bounds = { max (AMPHISTO_GAMUT_LO * 65536
                                       - min (min (r, g), b),
                                   (int8) ((int) params->legal_lo * cy)),
    min (AMPHISTO_GAMUT_HI * 65536 + 65535 - max (max (r, g), b),
        (int8) ((int) params->legal_hi * cy)) };

  return bounds;
}

INLINE int8
are_out_of_bounds (int8 y, luma_bounds bounds, constant frame_params *params)
{
  const int8 product = y * params->matrix[0][0];

  return (product < bounds.lo) | (product > bounds.hi);
}

/* Lanes of 32 bits: the even pixels of a chunk, and the odd ones. */
#define EVEN_PIXELS(v) as_int8 (as_uint8 (v) & 0xffffu)
#define ODD_PIXELS(v) as_int8 (as_uint8 (v) >> 16)

INLINE lane_masks
are_outside (yuv_row row, uint i, constant frame_params *params)
{
  const shorts y = TO_SHORTS (read_component_samples (row.y, i));
  const signed_pixels u =
      AS_SIGNED (read_shared_samples (row.u, i, row.x_shift));
  const signed_pixels v =
      AS_SIGNED (read_shared_samples (row.v, i, row.x_shift));
  luma_bounds even, odd;

  if (row.x_shift == 0) {
    const shorts us = TO_SHORTS (AS_UNSIGNED (u));
    const shorts vs = TO_SHORTS (AS_UNSIGNED (v));

    even = find_luma_bounds (EVEN_PIXELS (us), EVEN_PIXELS (vs), params);
    odd = find_luma_bounds (ODD_PIXELS (us), ODD_PIXELS (vs), params);
  } else {
    even = row.x_shift == 1
        ? find_luma_bounds (u.lo, v.lo, params)
        : find_luma_bounds (u.s00112233, v.s00112233, params);
    odd = even;
  }
  return as_short16 (
      (are_out_of_bounds (EVEN_PIXELS (y), even, params) & 0xffff)
      | (are_out_of_bounds (ODD_PIXELS (y), odd, params) << 16));
}

#endif

INLINE bool
are_none (lane_masks masks)
{
  return are_zero_shorts (__builtin_astype (masks, shorts));
}
