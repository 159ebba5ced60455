/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Finds the pixels of YUV that are out of gamut (EBU R103): red, green or blue,
 * before clamping, or luma is out of its bounds.
 *
 * For both shapes:
 *
 *   lane_masks                -1 in the lanes of a chunk of pixels, or 0, of
 *                             type lane_mask
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
#define IS_OUTSIDE(type, v, lo, hi) (((v) < (type) (lo)) | ((v) > (type) (hi)))
#define IS_COLOUR_OUTSIDE(type, v)                                             \
  IS_OUTSIDE (type, v, AMPHISTO_GAMUT_LO, AMPHISTO_GAMUT_HI)
#define IS_LUMA_OUTSIDE(type, v, params)                                       \
  IS_OUTSIDE (type, v, (params)->legal_lo, (params)->legal_hi)

/* Red, green or blue before clamping. */
#define COLOUR(row, y, u, v)                                                   \
  (((row)[0] * (y) + (row)[1] * (u) + (row)[2] * (v) + (row)[3]) >> 16)

/* Whether pixel x of the row is outside: 1 or 0. */
INLINE uint
is_pixel_outside (yuv_row row, uint x, constant frame_params *params)
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

typedef int lane_mask;
typedef int4 lane_masks;

INLINE bool
are_none (lane_masks masks)
{
  return are_zero_shorts (as_uint4 (masks));
}

INLINE lane_masks
are_outside (yuv_row row, uint i, constant frame_params *params)
{
  const yuv_pixels p = read_yuv_pixels (row, i);
  lane_masks masks = IS_LUMA_OUTSIDE (int4, p.y, params);

  for (uint c = 0; c < 3; c++)
    masks |=
        IS_COLOUR_OUTSIDE (int4, COLOUR (params->matrix[c], p.y, p.u, p.v));
  return masks;
}

#else

typedef short lane_mask;
typedef short16 lane_masks;

INLINE bool
are_none (lane_masks masks)
{
  return are_zero_shorts (as_ushort16 (masks));
}

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

INLINE lane_masks
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

#endif
