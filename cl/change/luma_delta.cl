/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Changes R, G and B of pixels by as much as their luma, which preserves hue.
 */

#pragma once

#include "pixels/rgb.cl"

/* The components plus delta, clamped to 0 to 255. All operands are vectors,
 * because oclgrind (21.10) clamps only the first component to a scalar. */
INLINE uint4 OVERLOAD
move_components (uint4 components, int4 delta)
{
  return as_uint4 (
      clamp (as_int4 (components) + delta, (int4) (0), (int4) (255)));
}

#ifndef AMPHISTO_GPU

INLINE uint16 OVERLOAD
move_components (uint16 components, int16 delta)
{
  return as_uint16 (
      clamp (as_int16 (components) + delta, (int16) (0), (int16) (255)));
}

#endif

/* The pixels with luma changed to `to`. */
INLINE rgb_pixels
move_pixels (rgb_pixels p, pixels luma, pixels to)
{
  const signed_pixels delta = AS_SIGNED (to) - AS_SIGNED (luma);

  p.r = move_components (p.r, delta);
  p.g = move_components (p.g, delta);
  p.b = move_components (p.b, delta);
  return p;
}

#ifdef AMPHISTO_GPU

/* Writes the pixels, with luma changed to `to`, to chunk i of a row. The row
 * must begin at a word. */
INLINE void
write_moved_pixels (rgb_row row, uint i, rgb_pixels p, pixels luma, pixels to)
{
  write_rgb_pixels (row, i, move_pixels (p, luma, to));
}

#else

/* Bytes processed at once: a chunk, or a quarter of it if the compiler's target
 * is not a CPU. Mesa compiles to SPIR-V, which has no vectors of 64 elements.
 */
#if defined __x86_64__ || defined __aarch64__
#define VECTOR_BYTES 64
#else
#define VECTOR_BYTES 16
#endif
typedef uchar byte_vector __attribute__ ((ext_vector_type (VECTOR_BYTES)));

/* Saturating addition and subtraction of bytes: idioms that the compiler
 * recognizes. */
INLINE byte_vector
add_bytes (byte_vector a, byte_vector b)
{
  const byte_vector sum = a + b;

  return sum < a ? (byte_vector) (255) : sum;
}

INLINE byte_vector
subtract_bytes (byte_vector a, byte_vector b)
{
  return a > b ? a - b : (byte_vector) (0);
}

#define FOUR_TIMES(i) i, i, i, i
#define SIXTEEN(i)                                                             \
  FOUR_TIMES (i), FOUR_TIMES (i + 4), FOUR_TIMES (i + 8), FOUR_TIMES (i + 12)
#if VECTOR_BYTES == 64
#define FIRST_OF_WORDS SIXTEEN (0), SIXTEEN (16), SIXTEEN (32), SIXTEEN (48)
#else
#define FIRST_OF_WORDS SIXTEEN (0)
#endif

/* Repeats each pixel's sample in all bytes of the pixel. */
INLINE byte_vector
repeat_samples (byte_vector v)
{
  return __builtin_shufflevector (v, v, FIRST_OF_WORDS);
}

/* Byte vector i of a vector of pixels. */
#define VECTOR_OF(v, i) (((byte_vector *) &(v))[i])

/* The packed pixels with luma changed to `to`. mask: of a pixel's R, G and B
 * bytes. */
INLINE pixels
move_packed_pixels (pixels packed, pixels luma, pixels to, uint mask)
{
  pixels masks = mask, moved;

  for (uint i = 0; i < sizeof (pixels) / VECTOR_BYTES; i++) {
    const byte_vector from =
        repeat_samples (VECTOR_OF (luma, i)) & VECTOR_OF (masks, i);
    const byte_vector into =
        repeat_samples (VECTOR_OF (to, i)) & VECTOR_OF (masks, i);
    const byte_vector up =
        add_bytes (VECTOR_OF (packed, i), subtract_bytes (into, from));

    VECTOR_OF (moved, i) = subtract_bytes (up, subtract_bytes (from, into));
  }
  return moved;
}

/* Writes the pixels, with luma changed to `to`, to chunk i of a row. The row
 * must begin at a word. */
INLINE void
write_moved_pixels (rgb_row row, uint i, rgb_pixels p, pixels luma, pixels to)
{
  const uint mask = 0xffu << (row.r_offset * 8) | 0xffu << (row.g_offset * 8)
      | 0xffu << (row.b_offset * 8);

  if (row.pixel_stride == 1)
    write_rgb_pixels (row, i, move_pixels (p, luma, to));
  else
    write_pixels (row.r, i, row.pixel_stride,
        move_packed_pixels (p.packed, luma, to, mask));
}

#endif

/* Writes pixel x, with luma changed to `to`, byte by byte. Copies the fourth
 * byte of a packed pixel. */
INLINE void
move_pixel (rgb_row source, rgb_row target, uint x, uint luma, uint to)
{
  const size_t at = (size_t) x * source.pixel_stride;
  const int delta = (int) to - (int) luma;
  const uint4 moved = move_components (read_rgb (source, x), (int4) (delta));

  if (source.pixel_stride == 4) {
    const size_t other =
        at + 6 - source.r_offset - source.g_offset - source.b_offset;

    write_uchar (target.r, other, read_uchar (source.r, other));
  }
  write_rgb (target, x, moved);
}
