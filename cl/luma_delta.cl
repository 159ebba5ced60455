/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * RGB pixels moved by what their luma moves, so that hue stays.
 */

#ifndef AMPHISTO_LUMA_DELTA_CL
#define AMPHISTO_LUMA_DELTA_CL

#ifndef AMPHISTO_RGB_CL
#include "rgb.cl"
#endif

/* The components moved by delta. All operands are vectors, because oclgrind
 * (21.10) clamps only the first component to a scalar. */
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

/* The pixels, whose luma moves to `to`. */
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

/* Writes step i of a row that begins at words: the pixels, whose luma moves to
 * `to`. */
INLINE void
write_moved_pixels (rgb_row row, uint i, rgb_pixels p, pixels luma, pixels to)
{
  write_rgb_pixels (row, i, move_pixels (p, luma, to));
}

#else

typedef uchar uchar64 __attribute__ ((ext_vector_type (64)));
#define as_uchar64(v) __builtin_astype (v, uchar64)
/* NVIDIA's as_uint16() (580) is a function, which knows no uchar64. */
#define AS_PIXELS(v) __builtin_astype (v, pixels)

/* Add and subtract bytes, and saturate: idioms that the compiler recognizes. */
INLINE pixels
add_bytes (pixels a, pixels b)
{
  const uchar64 sum = as_uchar64 (a) + as_uchar64 (b);

  return AS_PIXELS (sum < as_uchar64 (a) ? (uchar64) (255) : sum);
}

INLINE pixels
subtract_bytes (pixels a, pixels b)
{
  const uchar64 difference = as_uchar64 (a) - as_uchar64 (b);

  return AS_PIXELS (
      as_uchar64 (a) > as_uchar64 (b) ? difference : (uchar64) (0));
}

#define FOUR_TIMES(i) i, i, i, i
#define SIXTEEN_TIMES(i)                                                       \
  FOUR_TIMES (i), FOUR_TIMES (i + 4), FOUR_TIMES (i + 8), FOUR_TIMES (i + 12)

/* The samples in each byte of their pixels. */
INLINE pixels
repeat_samples (pixels v)
{
  return AS_PIXELS (__builtin_shufflevector (as_uchar64 (v), as_uchar64 (v),
      SIXTEEN_TIMES (0), SIXTEEN_TIMES (16), SIXTEEN_TIMES (32),
      SIXTEEN_TIMES (48)));
}

/* The packed pixels, whose luma moves to `to`. mask: bytes of a pixel that are
 * R, G or B. */
INLINE pixels
move_packed_pixels (pixels packed, pixels luma, pixels to, uint mask)
{
  const pixels from = repeat_samples (luma) & mask;

  to = repeat_samples (to) & mask;
  return subtract_bytes (
      add_bytes (packed, subtract_bytes (to, from)), subtract_bytes (from, to));
}

/* Writes step i of a row that begins at words: the pixels, whose luma moves to
 * `to`. */
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

/* Writes pixel x, whose luma moves to `to`, byte by byte; copies what of a
 * packed pixel is neither R, G nor B. pixel: from read_rgb(). */
INLINE void
move_pixel (
    rgb_row source, rgb_row target, uint x, uint4 pixel, uint luma, uint to)
{
  const size_t at = (size_t) x * source.pixel_stride;
  const int delta = (int) to - (int) luma;
  const uint4 moved = move_components (pixel, (int4) (delta));

  if (source.pixel_stride == 4) {
    const size_t other =
        at + 6 - source.r_offset - source.g_offset - source.b_offset;

    write_uchar (target.r, other, read_uchar (source.r, other));
  }
  write_rgb (target, x, moved);
}

#endif
