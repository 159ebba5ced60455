/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * CPU shape: calculates red, green and blue of YUV together.
 *
 * The sums of MATRIX_ROW are exact in 16-bit numbers: integers and fractions
 * are added separately, with a carry. Each sum has a term for luma, the same
 * for the three colours, and a term for chroma, calculated once for each chroma
 * sample.
 */

#pragma once

#include "pixels/slices.cl"
#include "pixels/yuv.cl"

/* Numbers in 1/65536, modulo 65536. */
typedef struct
{
  shorts integer;
  shorts fraction;
} fixed_shorts;

/* The products of the samples and a factor in 1/65536. */
INLINE fixed_shorts
multiply_samples (shorts v, uint factor)
{
  const shorts fraction = (shorts) (TO_SHORT (factor));
  const fixed_shorts products = {
    mul_hi (v, fraction) + v * TO_SHORT (factor >> 16), v * fraction
  };

  return products;
}

/* The sums, one for each pixel. */
INLINE fixed_shorts
split_sums (signed_pixels sums)
{
  const fixed_shorts split = { TO_SHORTS (AS_UNSIGNED (sums) >> 16),
    TO_SHORTS (AS_UNSIGNED (sums)) };

  return split;
}

/* The sums, each copied to two pixels. */
INLINE fixed_shorts
spread_sums (int8 sums)
{
  const uint8 v = as_uint8 (sums);
  const fixed_shorts spread = { as_ushort16 (v >> 16 | (v & 0xffff0000u)),
    as_ushort16 (v << 16 | (v & 0xffffu)) };

  return spread;
}

/* The sums a + b, rounded down. */
INLINE short16
add_fixed (fixed_shorts a, fixed_shorts b)
{
  const short16 carry = a.fraction > ~b.fraction; /* -1: there is one */

  return as_short16 (a.integer + b.integer) - carry;
}

/* The same, clamped to 0 to 255. oclgrind (21.10) clamps only the first
 * component to a number. */
INLINE shorts
add_clamped (fixed_shorts a, fixed_shorts b)
{
  return as_ushort16 (clamp (add_fixed (a, b), (short16) (0), (short16) (255)));
}

/* The terms for chroma. U does not contribute to red, nor V to blue. */
#define RED_SUM(matrix, v) ((matrix)[0][2] * (v) + (matrix)[0][3])
#define GREEN_SUM(matrix, u, v)                                                \
  ((matrix)[1][1] * (u) + (matrix)[1][2] * (v) + (matrix)[1][3])
#define BLUE_SUM(matrix, u) ((matrix)[2][1] * (u) + (matrix)[2][3])

/* Red, green and blue of a chunk of pixels. */
typedef struct
{
  shorts colour[3];
} colour_chunk;

INLINE colour_chunk
calculate_shared (fixed_shorts y, int8 u, int8 v, constant int (*matrix)[4])
{
  const colour_chunk c = { { add_clamped (y, spread_sums (RED_SUM (matrix, v))),
      add_clamped (y, spread_sums (GREEN_SUM (matrix, u, v))),
      add_clamped (y, spread_sums (BLUE_SUM (matrix, u))) } };

  return c;
}

INLINE colour_chunk
calculate_single (
    fixed_shorts y, signed_pixels u, signed_pixels v, constant int (*matrix)[4])
{
  const colour_chunk c = { { add_clamped (y, split_sums (RED_SUM (matrix, v))),
      add_clamped (y, split_sums (GREEN_SUM (matrix, u, v))),
      add_clamped (y, split_sums (BLUE_SUM (matrix, u))) } };

  return c;
}

/* Calculates the colours of chunk i of the row. Its x_phase must be 0. All rows
 * of the matrix must have the same factor of luma. */
INLINE colour_chunk
calculate_chunk (yuv_row row, uint i, constant int (*matrix)[4])
{
  const fixed_shorts y = multiply_samples (
      TO_SHORTS (read_component_samples (row.y, i)), matrix[0][0]);
  const signed_pixels u =
      AS_SIGNED (read_shared_samples (row.u, i, row.x_shift));
  const signed_pixels v =
      AS_SIGNED (read_shared_samples (row.v, i, row.x_shift));

  if (row.x_shift == 0)
    return calculate_single (y, u, v, matrix);
  if (row.x_shift == 1)
    return calculate_shared (y, u.lo, v.lo, matrix);
  return calculate_shared (y, u.s00112233, v.s00112233, matrix);
}
