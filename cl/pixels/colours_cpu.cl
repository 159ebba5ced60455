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

/* Numbers in 1/65536, modulo 65536. Fractions are less 32768, because CPUs
 * compare signed numbers faster. */
typedef struct
{
  shorts integer;
  short16 fraction;
} fixed_shorts;

/* Numbers to be added to others: there is a carry if the other's fraction is
 * above `limit`. */
typedef struct
{
  shorts integer;
  short16 limit;
} added_shorts;

/* The upper halves of the products. PoCL (3.1) has six instructions for
 * mul_hi(), and x86 has one. */
INLINE shorts
multiply_high (shorts a, shorts b)
{
#if defined __AVX2__ && __has_builtin(__builtin_ia32_pmulhuw256)
  return as_ushort16 (
      __builtin_ia32_pmulhuw256 (as_short16 (a), as_short16 (b)));
#else
  return TO_SHORTS ((TO_PIXELS (a) * TO_PIXELS (b)) >> 16);
#endif
}

/* The products of the samples and a factor in 1/65536. */
INLINE fixed_shorts
multiply_samples (shorts v, uint factor)
{
  const shorts fraction = (shorts) (TO_SHORT (factor));
  const fixed_shorts products = { multiply_high (v, fraction)
        + v * TO_SHORT (factor >> 16),
    as_short16 (v * fraction ^ (shorts) (0x8000)) };

  return products;
}

/* The sums, one for each pixel. */
INLINE added_shorts
split_sums (signed_pixels sums)
{
  const pixels v = AS_UNSIGNED (sums) ^ 0x7fffu;
  const added_shorts split = { TO_SHORTS (v >> 16),
    as_short16 (TO_SHORTS (v)) };

  return split;
}

/* The sums, each copied to two pixels. */
INLINE added_shorts
spread_sums (int8 sums)
{
  const uint8 v = as_uint8 (sums) ^ 0x7fffu;
  const added_shorts spread = { as_ushort16 (v >> 16 | (v & 0xffff0000u)),
    as_short16 (v << 16 | (v & 0xffffu)) };

  return spread;
}

/* The sums a + b, rounded down. */
INLINE short16
add_fixed (fixed_shorts a, added_shorts b)
{
  const short16 carry = a.fraction > b.limit; /* -1: there is one */

  return as_short16 (a.integer + b.integer) - carry;
}

/* The sums for chroma. U does not contribute to red, nor V to blue. */
#define RED_SUM(matrix, v) ((matrix)[0][2] * (v) + (matrix)[0][3])
#define GREEN_SUM(matrix, u, v)                                                \
  ((matrix)[1][1] * (u) + (matrix)[1][2] * (v) + (matrix)[1][3])
#define BLUE_SUM(matrix, u) ((matrix)[2][1] * (u) + (matrix)[2][3])

/* The terms for red, green and blue of a chunk of pixels. of_sums: split_sums
 * or spread_sums. */
typedef struct
{
  added_shorts colour[3];
} chroma_terms;

#define CHROMA_TERMS(of_sums, matrix, u, v)                                    \
  ((chroma_terms){ { of_sums (RED_SUM (matrix, v)),                            \
      of_sums (GREEN_SUM (matrix, u, v)), of_sums (BLUE_SUM (matrix, u)) } })

/* Of chunk i of the row. Its x_phase must be 0. */
INLINE chroma_terms
read_chroma_terms (yuv_row row, uint i, constant int (*matrix)[4])
{
  const signed_pixels u =
      AS_SIGNED (read_shared_samples (row.u, i, row.x_shift));
  const signed_pixels v =
      AS_SIGNED (read_shared_samples (row.v, i, row.x_shift));

  if (row.x_shift == 0)
    return CHROMA_TERMS (split_sums, matrix, u, v);
  if (row.x_shift == 1)
    return CHROMA_TERMS (spread_sums, matrix, u.lo, v.lo);
  return CHROMA_TERMS (spread_sums, matrix, u.s00112233, v.s00112233);
}

/* Luma's term of chunk i of the row. All rows of the matrix must have the same
 * factor of luma. */
INLINE fixed_shorts
read_luma_term (component_row row, uint i, constant int (*matrix)[4])
{
  return multiply_samples (
      TO_SHORTS (read_component_samples (row, i)), matrix[0][0]);
}

/* Red, green and blue of a chunk of pixels. */
typedef struct
{
  shorts colour[3];
} colour_chunk;

/* Calculates the colours of chunk i of the row, clamped to `lo` and `hi`, less
 * `lo`. The row's x_phase must be 0. Operands are vectors, because oclgrind
 * (21.10) clamps only the first component to a number. */
INLINE colour_chunk
calculate_chunk (
    yuv_row row, uint i, constant int (*matrix)[4], short16 lo, short16 hi)
{
  const fixed_shorts luma = read_luma_term (row.y, i, matrix);
  const chroma_terms chroma = read_chroma_terms (row, i, matrix);
  colour_chunk c;

  for (uint k = 0; k < 3; k++)
    c.colour[k] =
        as_ushort16 (clamp (add_fixed (luma, chroma.colour[k]), lo, hi) - lo);
  return c;
}
