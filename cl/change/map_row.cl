/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Applies a LUT to bytes of rows: to all of them, or to those of a pattern that
 * repeats, as packed samples do.
 */

#pragma once

#include "pixels/components.cl"
#include "change/lut.cl"
#include "pixels/slices.cl"

/* The bytes of a row that are mapped: of each item of `size` bytes, 1 to 4,
 * byte i if bit i of `bytes` is set. */
typedef struct
{
  uint size;
  uint bytes;
} byte_pattern;

INLINE bool
has_all_bytes (byte_pattern pattern)
{
  return pattern.bytes == (1u << pattern.size) - 1;
}

/* Mask of the mapped bytes among bytes x to x + 3 of a row. */
INLINE uint
mapped_bytes (byte_pattern pattern, uint x)
{
  uint mask = 0;

  if (has_all_bytes (pattern))
    return ~0u;
  for (uint i = 0; i < 4; i++)
    if (pattern.bytes >> ((x + i) % pattern.size) & 1)
      mask |= 0xffu << (8 * i);
  return mask;
}

/* b where the mask is set, otherwise a. */
#define MERGE(a, b, mask) (((a) & ~(mask)) | ((b) & (mask)))

/* Maps byte x of the row if the pattern has it, otherwise copies it. n: bytes
 * of the row with the pattern. */
INLINE void
map_byte (lut_view lut, byte_pattern pattern, uchar_row source,
    uchar_row target, uint x, uint n)
{
  const uint value = read_uchar (source, x);
  const bool is_mapped = x < n && (mapped_bytes (pattern, x) & 0xff);

  put_uchar (target, x, is_mapped ? lut.values[value] : value);
}

#ifndef AMPHISTO_GPU

/* Maps n words, a multiple of N_LUT_WORDS. masks: of the first three words,
 * unless all bytes are mapped. Returns the masks of the next words. */
INLINE uint4
map_vectors (lut_view lut, uchar_row source, uchar_row target, uint4 masks,
    uint n, bool maps_all)
{
  for (uint i = 0; i < n; i += N_LUT_WORDS) {
    const lut_words words =
        *(const global lut_words_at_byte *) row_bytes (source, i * 4);
    const lut_words mapped = map_lut_words (lut, words);

    *(global lut_words_at_byte *) (target.words + i) =
        maps_all ? mapped : MERGE (words, mapped, REPEAT_THREE (masks));
    masks = N_LUT_WORDS % 3 == 1 ? masks.yzxw : masks.zxyw;
  }
  return masks;
}

#endif

/* Maps n whole words of the target, which no other work-item may write. source
 * and target begin at the first word, byte x of the whole row. */
INLINE void
map_words (lut_view lut, byte_pattern pattern, uchar_row source,
    uchar_row target, uint x, uint n)
{
  /* the pattern in words repeats after three words, or after one */
  uint4 masks = (uint4) (mapped_bytes (pattern, x),
      mapped_bytes (pattern, x + 4), mapped_bytes (pattern, x + 8), 0);
  uint done = 0;

#ifdef AMPHISTO_GPU
  FOR_ROW_CHUNKS (i, n / 4) {
    const uint4 words = read_4_words (source, i * 16);
    const uint4 mask = i % 3 == 0 ? masks.xyzx
        : i % 3 == 1              ? masks.yzxy
                                  : masks.zxyz;

    write_4_words (
        target, i * 16, MERGE (words, map_4_words (lut, lut, words), mask));
  }
  done = n / 4 * 4;
  masks = done % 3 == 0 ? masks : done % 3 == 1 ? masks.yzxw : masks.zxyw;
#else
  done = n - n % N_LUT_WORDS;
  if (has_all_bytes (pattern))
    map_vectors (lut, source, target, 0, done, true);
  else
    masks = map_vectors (lut, source, target, masks, done, false);
#endif
  FOR_ROW_CHUNKS (i, n - done) {
    const uint word = read_word (source, (done + i) * 4);
    const uint mask = i % 3 == 0 ? masks.x : i % 3 == 1 ? masks.y : masks.z;

    write_word (
        target, (done + i) * 4, MERGE (word, map_word (lut, lut, word), mask));
  }
}

/* Maps the first n bytes of a row by the pattern, and copies the others up to
 * byte row_bytes. Bytes of incomplete words at the row's ends are written one
 * by one: other work-items may write the rest of these words. */
INLINE void
map_row (lut_view lut, byte_pattern pattern, uchar_row source, uchar_row target,
    uint n, uint row_bytes)
{
  const uint head = min (row_head (target), row_bytes);
  const uint n_words = n > head ? (n - head) / 4 : 0;
  const uint tail = head + n_words * 4;

  FOR_ROW_CHUNKS (x, head)
    map_byte (lut, pattern, source, target, x, n);
  map_words (lut, pattern, row_from (source, head), row_from (target, head),
      head, n_words);
  FOR_ROW_CHUNKS (i, row_bytes - tail)
    map_byte (lut, pattern, source, target, tail + i, n);
}
