/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * GPU shape: reads and writes chunks of 4 pixels. pixels.cl describes the types
 * and functions.
 */

#pragma once

#include "pixels/packed_uchar.cl"

#define IS_GPU true
#define N_PIXELS 4
typedef uint4 pixels;
typedef int4 signed_pixels;
#define AS_UNSIGNED as_uint4
#define AS_SIGNED as_int4
typedef uint samples;
typedef uint4 shorts;
#define TO_SHORT(n) (n)
#define TO_SHORTS(v) (v)
#define TO_PIXELS(v) (v)
#define PIXEL_INDICES (uint4) (0, 1, 2, 3)
typedef samples any_samples;
typedef pixels any_pixels;
typedef ushort4 any_shorts;
#define UNPACK_SHORTS convert_uint4
#define put_uchar write_uchar

INLINE samples
pack_samples (pixels v)
{
  return v.x | v.y << 8 | v.z << 16 | v.w << 24;
}

INLINE pixels
unpack_samples (samples s)
{
  return ((uint4) (s) >> (uint4) (0, 8, 16, 24)) & 0xffu;
}

INLINE pixels OVERLOAD
gather_words (global const uint *words, pixels i)
{
  return (uint4) (words[i.x], words[i.y], words[i.z], words[i.w]);
}

INLINE pixels
gather_uchars (uchar_row row, pixels i)
{
  return (uint4) (read_uchar (row, i.x), read_uchar (row, i.y),
      read_uchar (row, i.z), read_uchar (row, i.w));
}

INLINE bool
are_zeros (samples s)
{
  return s == 0;
}

INLINE bool
are_zero_shorts (shorts v)
{
  return (v.x | v.y | v.z | v.w) == 0;
}

INLINE samples
read_samples (uchar_row row, size_t i)
{
  return read_word (row, i * 4);
}

/* The row's uchars x to x + 15, in one load if they are aligned. */
INLINE uint4
read_4_words (uchar_row row, size_t x)
{
  const global uint *words = row.words + (x >> 2);

  if ((row.first | (x & 3) | ((uintptr_t) words & 15)) == 0)
    return *(const global uint4 *) words;
  return (uint4) (read_word (row, x), read_word (row, x + 4),
      read_word (row, x + 8), read_word (row, x + 12));
}

/* Writes four words from uchar x of the row on; as for write_word(), it must be
 * at a word. */
INLINE void
write_4_words (uchar_row row, size_t x, uint4 words)
{
  global uint *target = row.words + ((row.first + x) >> 2);

  if (((uintptr_t) target & 15) == 0)
    *(global uint4 *) target = words;
  else
    vstore4 (words, 0, target);
}

/* Four pixels of 3 bytes from three words, and back. */
INLINE uint4
unpack_pixels3 (uint a, uint b, uint c)
{
  return (uint4) (a, a >> 24 | b << 8, b >> 16 | c << 16, c >> 8) & 0xffffffu;
}

INLINE uint3
pack_pixels3 (uint4 p)
{
  return (uint3) (p.x | p.y << 24, p.y >> 8 | p.z << 16, p.z >> 16 | p.w << 8);
}

INLINE pixels
read_pixels (uchar_row row, size_t i, uint size)
{
  const size_t at = i * 4 * size;

  if (size == 4)
    return read_4_words (row, at);

  const uint first = read_word (row, at);

  if (size == 1)
    return unpack_samples (first);

  const uint second = read_word (row, at + 4);

  if (size == 2)
    return (uint4) (first, first >> 16, second, second >> 16) & 0xffffu;
  return unpack_pixels3 (first, second, read_word (row, at + 8));
}

INLINE void
write_pixels (uchar_row row, size_t i, uint size, pixels p)
{
  const size_t at = i * 4 * size;

  if (size == 1) {
    write_word (row, at, pack_samples (p));
  } else if (size == 2) {
    write_word (row, at, p.x | p.y << 16);
    write_word (row, at + 4, p.z | p.w << 16);
  } else if (size == 3) {
    const uint3 words = pack_pixels3 (p);

    write_word (row, at, words.x);
    write_word (row, at + 4, words.y);
    write_word (row, at + 8, words.z);
  } else {
    write_4_words (row, at, p);
  }
}

/* The row's uchars x and x + 1, mostly in one load. */
INLINE uint2
read_two_uchars (uchar_row row, size_t x)
{
  const size_t at = row.first + x;
  const uint word = row.words[at >> 2];
  const uint shift = uchar_shift (at);

  return (uint2) (word >> shift,
             shift < 24 ? word >> shift >> 8 : row.words[(at >> 2) + 1])
      & 0xffu;
}

INLINE pixels
read_items (uchar_row row, size_t i, uint size, uint x_shift)
{
  if (x_shift == 0)
    return read_pixels (row, i, size);
  if (x_shift == 2)
    return (uint4) (read_uchar (row, i), 0, 0, 0);
  if (size == 1)
    return (uint4) (read_two_uchars (row, i * 2), 0, 0);

  const uint first = read_word (row, i * 2 * size);

  if (size == 2)
    return (uint4) (first & 0xffffu, first >> 16, 0, 0);
  return (uint4) (first, read_word (row, i * 8 + 4), 0, 0);
}

/* Incomplete words are written byte by byte: the rest of the word belongs to
 * the next chunk, which another work-item may write. */
INLINE void
write_items (uchar_row row, size_t i, uint size, uint x_shift, pixels p)
{
  if (x_shift == 0) {
    write_pixels (row, i, size, p);
  } else if (x_shift == 2) {
    write_uchar (row, i, p.x);
  } else if (size == 1) {
    write_uchar (row, i * 2, p.x);
    write_uchar (row, i * 2 + 1, p.y);
  } else if (size == 2) {
    write_word (row, i * 4, p.x | p.y << 16);
  } else {
    write_word (row, i * 8, p.x);
    write_word (row, i * 8 + 4, p.y);
  }
}

INLINE pixels
spread_samples (pixels v, uint x_shift)
{
  return x_shift == 0 ? v : x_shift == 1 ? v.xxyy : v.xxxx;
}
