/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * CPU shape: reads and writes chunks of 16 pixels. pixels.cl describes the
 * types and functions.
 */

#pragma once

#include "pixels/packed_uchar.cl"

#define IS_GPU false
#define N_PIXELS 16
typedef uint16 pixels;
typedef int16 signed_pixels;
#define AS_UNSIGNED as_uint16
#define AS_SIGNED as_int16
typedef uint4 samples;
typedef ushort16 shorts;
#define TO_SHORT(n) ((ushort) (n))
#define TO_SHORTS convert_ushort16
#define TO_PIXELS convert_uint16
#define PIXEL_INDICES                                                          \
  (uint16) (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)

/* PoCL (3.1) splits vstore16() and the like into small stores, which the
 * compiler does not merge. */
typedef samples any_samples __attribute__ ((aligned (4)));
typedef pixels any_pixels __attribute__ ((aligned (4)));
typedef shorts any_shorts __attribute__ ((aligned (2)));
#define UNPACK_SHORTS(v) (v)

/* Vectors for reading and writing at any byte. */
typedef uint bytes4 __attribute__ ((aligned (1)));
typedef uint2 bytes8 __attribute__ ((aligned (1)));
typedef uint4 bytes16 __attribute__ ((aligned (1)));
typedef uint8 bytes32 __attribute__ ((aligned (1)));
typedef uint16 bytes64 __attribute__ ((aligned (1)));

INLINE global uchar *
row_bytes (uchar_row row, size_t at)
{
  return (global uchar *) row.words + row.first + at;
}

INLINE void
put_uchar (uchar_row row, size_t x, uint value)
{
  *row_bytes (row, x) = (uchar) value;
}

/* 2, 4, 8 or 16 words from word i of the row on. */
#define READ_2_WORDS(row, i) (*(const global bytes8 *) row_bytes (row, (i) *4))
#define READ_4_WORDS(row, i) (*(const global bytes16 *) row_bytes (row, (i) *4))
#define READ_8_WORDS(row, i) (*(const global bytes32 *) row_bytes (row, (i) *4))
#define READ_16_WORDS(row, i)                                                  \
  (*(const global bytes64 *) row_bytes (row, (i) *4))

INLINE samples
pack_samples (pixels v)
{
  return as_uint4 (convert_uchar16 (v));
}

INLINE pixels
unpack_samples (samples s)
{
  return convert_uint16 (as_uchar16 (s));
}

INLINE uint
add_up (pixels p)
{
  const uint8 sums8 = p.lo + p.hi;
  const uint4 sums4 = sums8.lo + sums8.hi;

  return sums4.x + sums4.y + sums4.z + sums4.w;
}

/* Written out: PoCL (3.1) compiles a loop over lanes to slower code. */
INLINE pixels OVERLOAD
gather_words (global const uint *words, pixels i)
{
  return (uint16) (words[i.s0], words[i.s1], words[i.s2], words[i.s3],
      words[i.s4], words[i.s5], words[i.s6], words[i.s7], words[i.s8],
      words[i.s9], words[i.sa], words[i.sb], words[i.sc], words[i.sd],
      words[i.se], words[i.sf]);
}

INLINE pixels
gather_uchars (uchar_row row, pixels i)
{
  const volatile global uchar *v = row_bytes (row, 0);

  return unpack_samples (as_uint4 ((uchar16) (v[i.s0], v[i.s1], v[i.s2],
      v[i.s3], v[i.s4], v[i.s5], v[i.s6], v[i.s7], v[i.s8], v[i.s9], v[i.sa],
      v[i.sb], v[i.sc], v[i.sd], v[i.se], v[i.sf])));
}

/* These avoid any(), which PoCL (3.1) compiles to a chain of branches. */

INLINE bool
are_zeros (samples s)
{
  const ulong2 words = as_ulong2 (s);

  return (words.x | words.y) == 0;
}

INLINE bool
are_zero_shorts (shorts v)
{
  const ulong4 words = as_ulong4 (v);

  return are_zeros (as_uint4 (words.lo | words.hi));
}

INLINE samples
read_samples (uchar_row row, size_t i)
{
  return READ_4_WORDS (row, i * 4);
}

/* (uint16) (first, last), and v.hi. oclgrind (21.10) miscompiles moves of more
 * than eight elements of a vector. */
INLINE uint16
join_halves (uint8 first, uint8 last)
{
  return (uint16) (first.s0, first.s1, first.s2, first.s3, first.s4, first.s5,
      first.s6, first.s7, last.s0, last.s1, last.s2, last.s3, last.s4, last.s5,
      last.s6, last.s7);
}

INLINE uint8
last_half (uint16 v)
{
  return (uint8) (v.s8, v.s9, v.sa, v.sb, v.sc, v.sd, v.se, v.sf);
}

/* Eight pixels of 3 bytes, from the words in which they begin and end. Shifts
 * to the left twice, because a shift by 32 would shift by 0. */
#define UNPACK_PIXELS3(begin, end)                                             \
  (((begin) >> (uint8) (0, 24, 16, 8, 0, 24, 16, 8)                            \
       | (end) << (uint8) (31, 7, 15, 23, 31, 7, 15, 23) << 1)                 \
      & 0xffffffu)

/* Eight pixels from the first six of twelve words, eight from the last six. */
INLINE pixels
read_pixels3 (uchar_row row, size_t i)
{
  const uint8 first = READ_8_WORDS (row, i * 12);
  const uint8 last = READ_8_WORDS (row, i * 12 + 4);

  return join_halves (UNPACK_PIXELS3 (first.s00123345, first.s11234456),
      UNPACK_PIXELS3 (last.s22345567, last.s33456677));
}

/* Eight pixels, in the first six words. */
INLINE uint8
pack_pixels3 (uint8 p)
{
  return p.s01245677 >> (uint8) (0, 8, 16, 0, 8, 16, 0, 0)
      | p.s12356777 << (uint8) (24, 16, 8, 24, 16, 8, 0, 0);
}

INLINE void
write_pixels3 (global uchar *bytes, pixels p)
{
  const uint8 first = pack_pixels3 (p.lo);
  const uint8 last = pack_pixels3 (last_half (p));

  *(global bytes32 *) bytes = (uint8) (first.s0, first.s1, first.s2, first.s3,
      first.s4, first.s5, last.s0, last.s1);
  *(global bytes16 *) (bytes + 32) = last.s2345;
}

INLINE pixels
read_pixels (uchar_row row, size_t i, uint size)
{
  if (size == 1)
    return unpack_samples (READ_4_WORDS (row, i * 4));
  if (size == 2)
    return convert_uint16 (as_ushort16 (READ_8_WORDS (row, i * 8)));
  if (size == 3)
    return read_pixels3 (row, i);
  return READ_16_WORDS (row, i * 16);
}

INLINE void
write_pixels (uchar_row row, size_t i, uint size, pixels p)
{
  global uchar *bytes = row_bytes (row, i * N_PIXELS * size);

  if (size == 1)
    *(global bytes16 *) bytes = pack_samples (p);
  else if (size == 2)
    *(global bytes32 *) bytes = as_uint8 (convert_ushort16 (p));
  else if (size == 3)
    write_pixels3 (bytes, p);
  else
    *(global bytes64 *) bytes = p;
}

INLINE uint8
read_8_items (uchar_row row, size_t i, uint size)
{
  if (size == 1)
    return convert_uint8 (as_uchar8 (READ_2_WORDS (row, i * 2)));
  if (size == 2)
    return convert_uint8 (as_ushort8 (READ_4_WORDS (row, i * 4)));
  return READ_8_WORDS (row, i * 8);
}

INLINE void
write_8_items (global uchar *bytes, uint size, uint8 items)
{
  if (size == 1)
    *(global bytes8 *) bytes = as_uint2 (convert_uchar8 (items));
  else if (size == 2)
    *(global bytes16 *) bytes = as_uint4 (convert_ushort8 (items));
  else
    *(global bytes32 *) bytes = items;
}

INLINE pixels
read_items (uchar_row row, size_t i, uint size, uint x_shift)
{
  if (x_shift == 0)
    return read_pixels (row, i, size);
  if (x_shift == 1)
    return join_halves (read_8_items (row, i, size), 0);
  return unpack_samples (
      (uint4) (*(const global bytes4 *) row_bytes (row, i * 4), 0, 0, 0));
}

INLINE void
write_items (uchar_row row, size_t i, uint size, uint x_shift, pixels p)
{
  if (x_shift == 0)
    write_pixels (row, i, size, p);
  else if (x_shift == 1)
    write_8_items (row_bytes (row, i * 8 * size), size, p.lo);
  else
    *(global bytes4 *) row_bytes (row, i * 4) = pack_samples (p).x;
}

INLINE pixels
spread_samples (pixels v, uint x_shift)
{
  if (x_shift == 0)
    return v;
  if (x_shift == 1)
    return join_halves (v.s00112233, v.s44556677);
  return join_halves (v.s00001111, v.s22223333);
}
