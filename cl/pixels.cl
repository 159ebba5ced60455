/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Reads and writes the rows of a frame's planes in chunks (`step` in
 * identifiers) of N_PIXELS neighbouring pixels: 4 in the GPU shape, 16 in the
 * CPU shape.
 *
 * A row is a sequence of *items* of 1 to 4 bytes: a sample, a packed pixel, or
 * the repeating unit of packed pixels (YUY2). An item may belong to 2^x_shift
 * pixels: 1, 2 or 4. A chunk then has N_PIXELS >> x_shift items, in the first
 * lanes.
 *
 * For both shapes:
 *
 *   pixels                    an item or a sample in a lane for each pixel
 *   signed_pixels             signed pixels; AS_SIGNED, AS_UNSIGNED convert
 *   samples                   a sample for each pixel, packed, the first in the
 *                             lowest byte
 *   pack_samples (pixels), unpack_samples (samples)
 *   read_samples (row, i)     reads chunk i of a row of samples
 *   read_pixels (row, i, size)           reads chunk i of a row of items of
 *                             `size` bytes, one for each pixel
 *   write_pixels (row, i, size, pixels)  writes it. The row must begin at a
 *                             word; no other work-item may write the items
 *   read_items (row, i, size, x_shift), write_items (row, i, size, x_shift,
 *                             pixels)    read and write shared items
 *   spread_samples (pixels, x_shift)     copies shared samples to the lanes of
 *                             all their pixels
 *   are_zeros (samples)       whether all samples are zero
 *   FIRST_PIXELS              0, 1, 2 ... in the lanes
 *   shorts                    16-bit numbers; 32-bit in the GPU shape, since
 *                             GPUs calculate with 32 bits. TO_SHORTS, TO_PIXELS
 *                             convert vectors, TO_SHORT a number
 *
 * No format has shared items of 3 bytes. Items shared by four pixels are single
 * bytes in all formats.
 */

#ifndef AMPHISTO_PIXELS_CL
#define AMPHISTO_PIXELS_CL

#ifndef AMPHISTO_FRAME_PARAMS_H
#include "frame_params.h"
#endif
#ifndef AMPHISTO_PACKED_UCHAR_CL
#include "packed_uchar.cl"
#endif

/* Compilers without __has_builtin have no builtins for CPU instructions. */
#ifndef __has_builtin
#define __has_builtin(name) 0
#endif

/* The plane at `place` in its buffer. */
INLINE uchar_plane
plane_at (global uint *words, constant plane_params *place)
{
  const uchar_plane plane = { words, place->offset, place->stride };

  return plane;
}

INLINE uchar_planes
planes_at (global uint *plane0, global uint *plane1, global uint *plane2,
    global uint *plane3, constant plane_params *places)
{
  const uchar_planes planes = { plane_at (plane0, &places[0]),
    plane_at (plane1, &places[1]), plane_at (plane2, &places[2]),
    plane_at (plane3, &places[3]) };

  return planes;
}

/* --- chunks --- */

/* IS_GPU: compile loops separately for each frequent item size. Otherwise GPUs
 * would test the size in each chunk, and execute both branches. */
#ifdef AMPHISTO_GPU

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
#define FIRST_PIXELS (uint4) (0, 1, 2, 3)

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

INLINE bool
are_zeros (samples s)
{
  return s == 0;
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

INLINE pixels
read_items (uchar_row row, size_t i, uint size, uint x_shift)
{
  if (x_shift == 0)
    return read_pixels (row, i, size);
  if (x_shift == 2)
    return (uint4) (read_uchar (row, i), 0, 0, 0);
  if (size == 1)
    return (uint4) (read_uchar (row, i * 2), read_uchar (row, i * 2 + 1), 0, 0);

  const uint first = read_word (row, i * 2 * size);

  if (size == 2)
    return (uint4) (first & 0xffffu, first >> 16, 0, 0);
  return (uint4) (first, read_word (row, i * 8 + 4), 0, 0);
}

/* Parts of a word are written byte by byte: the rest of the word belongs to the
 * next chunk, which another work-item may write. */
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

#else

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
#define FIRST_PIXELS                                                           \
  (uint16) (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)

/* Vectors for writing at any word. PoCL (3.1) splits vstore16() and the like
 * into small stores, which the compiler does not merge. */
typedef uint2 words2 __attribute__ ((aligned (4)));
typedef uint4 words4 __attribute__ ((aligned (4)));
typedef uint8 words8 __attribute__ ((aligned (4)));
typedef uint16 words16 __attribute__ ((aligned (4)));

/* Vectors for reading at any byte. */
typedef uint2 bytes8 __attribute__ ((aligned (1)));
typedef uint4 bytes16 __attribute__ ((aligned (1)));
typedef uint8 bytes32 __attribute__ ((aligned (1)));
typedef uint16 bytes64 __attribute__ ((aligned (1)));

INLINE const global uchar *
row_bytes (uchar_row row, size_t at)
{
  return (const global uchar *) row.words + row.first + at;
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

/* Avoids any(), which PoCL (3.1) compiles to a chain of branches. */
INLINE bool
are_zeros (samples s)
{
  const ulong2 words = as_ulong2 (s);

  return (words.x | words.y) == 0;
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
write_pixels3 (global uint *words, pixels p)
{
  const uint8 first = pack_pixels3 (p.lo);
  const uint8 last = pack_pixels3 (last_half (p));

  *(global words8 *) words = (uint8) (first.s0, first.s1, first.s2, first.s3,
      first.s4, first.s5, last.s0, last.s1);
  *(global words4 *) (words + 8) = last.s2345;
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
  global uint *words = row.words + i * 4 * size;

  if (size == 1) {
    *(global words4 *) words = pack_samples (p);
  } else if (size == 2) {
    *(global words8 *) words = as_uint8 (convert_ushort16 (p));
  } else if (size == 3) {
    write_pixels3 (words, p);
  } else {
    *(global words16 *) words = p;
  }
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
write_8_items (global uint *words, uint size, uint8 items)
{
  if (size == 1)
    *(global words2 *) words = as_uint2 (convert_uchar8 (items));
  else if (size == 2)
    *(global words4 *) words = as_uint4 (convert_ushort8 (items));
  else
    *(global words8 *) words = items;
}

INLINE pixels
read_items (uchar_row row, size_t i, uint size, uint x_shift)
{
  if (x_shift == 0)
    return read_pixels (row, i, size);
  if (x_shift == 1)
    return join_halves (read_8_items (row, i, size), 0);
  return unpack_samples ((uint4) (read_word (row, i * 4), 0, 0, 0));
}

INLINE void
write_items (uchar_row row, size_t i, uint size, uint x_shift, pixels p)
{
  if (x_shift == 0)
    write_pixels (row, i, size, p);
  else if (x_shift == 1)
    write_8_items (row.words + i * 2 * size, size, p.lo);
  else
    row.words[i] = pack_samples (p).x;
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

#endif

/* --- components --- */

/* A row of a component's samples: byte `offset` of each item of `pixel_stride`
 * bytes. */
typedef struct
{
  uchar_row row;
  uint pixel_stride;
  uint offset;
} component_row;

/* offset % size, for a size of 1 to 4, without a division. */
INLINE uint
offset_in_item (uint offset, uint size)
{
  return size == 3 ? offset % 3 : offset & (size - 1);
}

/* The component's sample row for pixel row y; see frame_params.h. */
INLINE uint
sample_row (constant component_params *component, uint y)
{
  const uint fields = component->is_interlaced;
  const uint p = component->y_phase + y;
  const uint row = ((p >> (component->y_shift + fields)) << fields)
      + (p & fields) - component->row_offset;

  return row < component->height ? row : row - 2;
}

/* The first pixel row covered by the component's sample row `row`; the others
 * are pixel_row_stride() apart. */
INLINE uint
first_pixel_row (constant component_params *component, uint row)
{
  const uint fields = component->is_interlaced;

  return ((row >> fields) << (component->y_shift + fields)) + (row & fields);
}

INLINE uint
pixel_row_stride (constant component_params *component)
{
  return 1 + component->is_interlaced;
}

INLINE component_row
frame_component_row (
    uchar_planes planes, constant component_params *component, uint y)
{
  const uint pixel_stride = component->pixel_stride;
  const uint offset = offset_in_item (component->offset, pixel_stride);
  const uchar_row row = frame_row (frame_plane (planes, component->plane), y);
  const component_row samples = { row_from (row, component->offset - offset),
    pixel_stride, offset };

  return samples;
}

/* Tells the compiler that the row's samples are contiguous. */
INLINE component_row
plain_row (component_row row)
{
  row.pixel_stride = 1;
  row.offset = 0;
  return row;
}

/* The row from sample x on. */
INLINE component_row
component_row_from (component_row row, uint x)
{
  row.row = row_from (row.row, (size_t) x * row.pixel_stride);
  return row;
}

/* The plane, from the component's first sample on. */
INLINE uchar_plane
component_plane (uchar_planes planes, constant component_params *component)
{
  uchar_plane plane = frame_plane (planes, component->plane);

  plane.offset += component->offset;
  return plane;
}

INLINE uint
read_sample (component_row row, uint x)
{
  return read_uchar (row.row, (size_t) x * row.pixel_stride + row.offset);
}

INLINE void
write_sample (component_row row, uint x, uint value)
{
  write_uchar (row.row, (size_t) x * row.pixel_stride + row.offset, value);
}

/* Chunk i of the row, with a sample for each pixel. */
INLINE pixels
read_component_samples (component_row row, uint i)
{
  return read_pixels (row.row, i, row.pixel_stride) >> (row.offset * 8) & 0xffu;
}

/* Chunk i of a row of shared samples, in the first lanes. */
INLINE pixels
read_shared_samples (component_row row, uint i, uint x_shift)
{
  const pixels items = read_items (row.row, i, row.pixel_stride, x_shift);

  return row.pixel_stride == 1 ? items : items >> (row.offset * 8) & 0xffu;
}

/* Writes chunk i of shared samples, and leaves other samples of their items
 * alone. */
INLINE void
merge_shared_samples (component_row row, uint i, uint x_shift, pixels values)
{
  const uint size = row.pixel_stride;
  const uint shift = row.offset * 8;
  const pixels items = read_items (row.row, i, size, x_shift);

  write_items (
      row.row, i, size, x_shift, (items & ~(0xffu << shift)) | values << shift);
}

/* Writes chunk i of a row of shared samples. The row may begin at any byte. */
INLINE void
write_shared_samples (component_row row, uint i, uint x_shift, pixels values)
{
  const uint *value = (const uint *) &values;
  const uint n = N_PIXELS >> x_shift;

  if (row.row.first != 0)
    for (uint k = 0; k < n; k++)
      write_sample (row, i * n + k, value[k]);
  else if (row.pixel_stride == 1)
    write_items (row.row, i, 1, x_shift, values);
  else
    merge_shared_samples (row, i, x_shift, values);
}

/* The number of the row's n pixels, of 1 to 4 bytes, before the first pixel at
 * the beginning of a word: 0 to 3, or n if there is none. */
INLINE uint
head_pixels (uchar_row row, uint pixel_stride, uint n)
{
  for (uint x = 0; x < min (n, 4u); x++)
    if ((row.first + x * pixel_stride) % 4 == 0)
      return x;
  return n;
}

#endif
