/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Changes luma of RGB pixels. R, G and B keep their difference from luma, or
 * scale it by the gain of colours, which preserves hue.
 */

#pragma once

#include "pixels/luma.cl"

/* The gain that chroma.cl leaves, in 1/256. */
INLINE uint
read_gain (constant frame_params *params, global const uint *gain)
{
  return params->keeps_colors ? *gain : AMPHISTO_UNIT_GAIN;
}

/* The components of pixels whose luma changes to `to`:
 *
 *   clamp (to +- ((|component - luma| gain + 128) >> 8), 0, 255)
 *
 * A shift to the right rounds down; 127 instead of 128 makes up for it if the
 * difference is negative. All operands are vectors, because oclgrind (21.10)
 * clamps only the first component to a scalar. */
#define DEFINE_MOVE_COMPONENTS(uintN, intN)                                    \
  INLINE uintN OVERLOAD move_components (                                      \
      uintN components, uintN luma, uintN to, uint gain)                       \
  {                                                                            \
    const intN difference = as_##intN (components) - as_##intN (luma);         \
    const intN scaled =                                                        \
        (difference * (intN) ((int) gain) + (difference >> 31) + 128) >> 8;    \
                                                                               \
    return as_##uintN (                                                        \
        clamp (as_##intN (to) + scaled, (intN) (0), (intN) (255)));            \
  }

DEFINE_MOVE_COMPONENTS (uint4, int4)
#ifndef AMPHISTO_GPU
DEFINE_MOVE_COMPONENTS (uint16, int16)
#endif

/* The pixels with luma changed to `to`. */
INLINE rgb_pixels
move_pixels (rgb_pixels p, pixels luma, pixels to, uint gain)
{
  p.r = move_components (p.r, luma, to, gain);
  p.g = move_components (p.g, luma, to, gain);
  p.b = move_components (p.b, luma, to, gain);
  return p;
}

#ifndef AMPHISTO_GPU

/* Bytes processed at once: a chunk, or a quarter of it if the compiler's target
 * is not a CPU. Mesa compiles to SPIR-V, which has no vectors of 64 elements.
 */
#if defined __x86_64__ || defined __aarch64__
#define VECTOR_BYTES 64
#else
#define VECTOR_BYTES 16
#endif
typedef uchar byte_vector __attribute__ ((ext_vector_type (VECTOR_BYTES)));
typedef ushort short_vector
    __attribute__ ((ext_vector_type (VECTOR_BYTES / 2)));
#define AS_BYTE_VECTOR(v) __builtin_astype (v, byte_vector)
#define AS_SHORT_VECTOR(v) __builtin_astype (v, short_vector)

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

/* Indices of eight bytes, each behind a zero of another vector. */
#define BEHIND_ZEROS(i)                                                        \
  0, i, 0, i + 1, 0, i + 2, 0, i + 3, 0, i + 4, 0, i + 5, 0, i + 6, 0, i + 7

/* N_SCALED_BYTES: the number of bytes that CPU instructions scale at once, in
 * two halves of 16-bit numbers; 0 if there are none. BEHIND_ALL_ZEROS (i): of
 * each 16 bytes, the indices of the eight from byte i on. */
#if N_LUMA_WORDS == 16 && __has_builtin(__builtin_ia32_pmulhrsw512)            \
    && __has_builtin(__builtin_ia32_packuswb512)
#define N_SCALED_BYTES 64
#define MULTIPLY_ROUNDED __builtin_ia32_pmulhrsw512
#define PACK_HALVES __builtin_ia32_packuswb512
#define BEHIND_ALL_ZEROS(i)                                                    \
  BEHIND_ZEROS (64 + i), BEHIND_ZEROS (80 + i), BEHIND_ZEROS (96 + i),         \
      BEHIND_ZEROS (112 + i)
#elif N_LUMA_WORDS >= 8 && __has_builtin(__builtin_ia32_pmulhrsw256)           \
    && __has_builtin(__builtin_ia32_packuswb256)
#define N_SCALED_BYTES 32
#define MULTIPLY_ROUNDED __builtin_ia32_pmulhrsw256
#define PACK_HALVES __builtin_ia32_packuswb256
#define BEHIND_ALL_ZEROS(i) BEHIND_ZEROS (32 + i), BEHIND_ZEROS (48 + i)
#else
#define N_SCALED_BYTES 0
#endif

/* scale_bytes (v, gain): (v gain + 128) >> 8 of each byte, at most 255. */
#if N_SCALED_BYTES > 0

typedef uchar scaled_bytes __attribute__ ((ext_vector_type (N_SCALED_BYTES)));
typedef ushort scaled_ushorts
    __attribute__ ((ext_vector_type (N_SCALED_BYTES / 2)));
typedef short scaled_shorts
    __attribute__ ((ext_vector_type (N_SCALED_BYTES / 2)));

/* A half of the bytes, scaled: of each 16 bytes, eight from byte i on. The
 * instruction computes (a b + 16384) >> 15, here of 128 v and the gain. */
#define SCALE_HALF(v, i, gain)                                                 \
  MULTIPLY_ROUNDED (                                                           \
      __builtin_astype (                                                       \
          __builtin_astype (__builtin_shufflevector (                          \
                                (scaled_bytes) (0), v, BEHIND_ALL_ZEROS (i)),  \
              scaled_ushorts)                                                  \
              >> (ushort) 1,                                                   \
          scaled_shorts),                                                      \
      (scaled_shorts) ((short) (gain)))

INLINE byte_vector
scale_bytes (byte_vector v, uint gain)
{
  scaled_bytes *part = (scaled_bytes *) &v;

  for (uint i = 0; i < VECTOR_BYTES / N_SCALED_BYTES; i++)
    part[i] = __builtin_astype (PACK_HALVES (SCALE_HALF (part[i], 0, gain),
                                    SCALE_HALF (part[i], 8, gain)),
        scaled_bytes);
  return v;
}

#else

/* The whole part of the gain is multiplied apart, so that 16 bits suffice. */
INLINE short_vector
scale_shorts (short_vector v, uint gain)
{
  const short_vector scaled = v * (ushort) (gain >> 8)
      + ((v * (ushort) (gain & 255) + (ushort) 128) >> (ushort) 8);

  return scaled > (ushort) 255 ? (short_vector) (255) : scaled;
}

INLINE byte_vector
scale_bytes (byte_vector v, uint gain)
{
  const short_vector shorts = AS_SHORT_VECTOR (v);

  return AS_BYTE_VECTOR (scale_shorts (shorts & (ushort) 255, gain)
      | scale_shorts (shorts >> (ushort) 8, gain) << (ushort) 8);
}

#endif

/* The bytes plus what `into` has more than `from`. */
INLINE byte_vector
move_bytes (byte_vector v, byte_vector from, byte_vector into)
{
  return subtract_bytes (
      add_bytes (v, subtract_bytes (into, from)), subtract_bytes (from, into));
}

/* `into` plus the difference between the bytes and `from`, scaled. */
INLINE byte_vector
scale_difference (byte_vector v, byte_vector from, byte_vector into, uint gain)
{
  const byte_vector above = subtract_bytes (v, from);
  const byte_vector scaled =
      scale_bytes (above | subtract_bytes (from, v), gain);

  return v > from ? add_bytes (into, scaled) : subtract_bytes (into, scaled);
}

/* The packed pixels with luma changed to `to`. mask: of a pixel's R, G and B
 * bytes. */
INLINE pixels
move_packed_pixels (pixels packed, pixels luma, pixels to, uint gain, uint mask)
{
  pixels masks = mask, moved;

  for (uint i = 0; i < sizeof (pixels) / VECTOR_BYTES; i++) {
    const byte_vector v = VECTOR_OF (packed, i);
    const byte_vector from = repeat_samples (VECTOR_OF (luma, i));
    const byte_vector into = repeat_samples (VECTOR_OF (to, i));
    const byte_vector bytes = VECTOR_OF (masks, i);

    VECTOR_OF (moved, i) = gain == AMPHISTO_UNIT_GAIN
        ? move_bytes (v, from & bytes, into & bytes)
        : (scale_difference (v, from, into, gain) & bytes) | (v & ~bytes);
  }
  return moved;
}

#endif

/* Writes the pixels, with luma changed to `to`, to chunk i of a row; see
 * write_pixels(). */
INLINE void
write_moved_pixels (
    rgb_row row, uint i, rgb_pixels p, pixels luma, pixels to, uint gain)
{
#ifndef AMPHISTO_GPU
  if (row.pixel_stride > 1) {
    write_pixels (row.r, i, row.pixel_stride,
        move_packed_pixels (p.packed, luma, to, gain, rgb_mask (row)));
    return;
  }
#endif
  write_rgb_pixels (row, i, move_pixels (p, luma, to, gain));
}

/* Writes pixel x, with luma changed to `to`, byte by byte. Copies the fourth
 * byte of a packed pixel. */
INLINE void
move_pixel (
    rgb_row source, rgb_row target, uint x, uint luma, uint to, uint gain)
{
  const size_t at = (size_t) x * source.pixel_stride;
  const uint4 moved = move_components (
      read_rgb (source, x), (uint4) (luma), (uint4) (to), gain);

  if (source.pixel_stride == 4) {
    const size_t other =
        at + 6 - source.r_offset - source.g_offset - source.b_offset;

    put_uchar (target.r, other, read_uchar (source.r, other));
  }
  write_rgb (target, x, moved);
}
