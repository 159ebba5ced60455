/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Applies two LUTs to the bytes of rows, which alternate: luma and chroma of
 * packed 4:2:2.
 */

#pragma once

#include "change/map_row.cl"

/* A LUT for even bytes, and one for odd bytes. */
typedef struct
{
  lut_view even, odd;
} lut_pair;

/* A mask of the even bytes of words. */
#define EVEN_BYTES 0x00ff00ffu

/* The LUTs, and the bytes of a row: luma in every second byte from
 * `first_luma`, 0 or 1, to before `end_luma`, then padding. The others are
 * chroma. */
typedef struct
{
  LUT uchar *luma, *chroma;
  uint first_luma;
  uint end_luma;
} packed_luts;

INLINE uchar
map_paired_byte (packed_luts luts, uint x, uint value)
{
  if (x % 2 != luts.first_luma)
    return luts.chroma[value];
  return x < luts.end_luma ? luts.luma[value] : (uchar) value;
}

/* The LUTs of words that begin at byte x of a row. */
INLINE lut_pair
view_lut_pair (packed_luts luts, uint x)
{
  const bool is_luma_even = x % 2 == luts.first_luma;
  const lut_pair views = { view_lut (is_luma_even ? luts.luma : luts.chroma),
    view_lut (is_luma_even ? luts.chroma : luts.luma) };

  return views;
}

#ifndef AMPHISTO_GPU

/* Maps n words, a multiple of 2 N_LUT_WORDS. The even bytes of two vectors are
 * looked up together, and so are the odd ones. */
INLINE void
map_paired_vectors (lut_pair luts, uchar_row source, uchar_row target, uint n)
{
  for (uint i = 0; i < n; i += 2 * N_LUT_WORDS) {
    const global lut_words_at_byte *from =
        (const global lut_words_at_byte *) row_bytes (source, i * 4);
    global lut_words_at_byte *to =
        (global lut_words_at_byte *) (target.words + i);
    const lut_words first = from[0], second = from[1];
    const lut_words even =
        map_lut_words (luts.even, MERGE (second << 8, first, EVEN_BYTES));
    const lut_words odd =
        map_lut_words (luts.odd, MERGE (second, first >> 8, EVEN_BYTES));

    to[0] = MERGE (odd << 8, even, EVEN_BYTES);
    to[1] = MERGE (odd, even >> 8, EVEN_BYTES);
  }
}

#endif

/* Maps n whole words of the target, which no other work-item may write. */
INLINE void
map_paired_words (lut_pair luts, uchar_row source, uchar_row target, uint n)
{
  uint done = 0;

#ifdef AMPHISTO_GPU
  done = n / 4 * 4;
  FOR_ROW_CHUNKS (i, n / 4)
    write_4_words (target, i * 16,
        map_4_words (luts.even, luts.odd, read_4_words (source, i * 16)));
#else
  done = n - n % (2 * N_LUT_WORDS);
  map_paired_vectors (luts, source, target, done);
#endif
  FOR_ROW_CHUNKS (i, n - done) {
    const uint x = (done + i) * 4;

    write_word (
        target, x, map_word (luts.even, luts.odd, read_word (source, x)));
  }
}

/* Maps the bytes of a row. Bytes of incomplete words at its ends are written
 * one by one: other work-items may write the rest of these words. */
INLINE void
map_paired_row (
    packed_luts luts, uchar_row source, uchar_row target, uint row_bytes)
{
  const uint head = min (row_head (target), row_bytes);
  const uint n_words = luts.end_luma > head ? (luts.end_luma - head) / 4 : 0;

  map_paired_words (view_lut_pair (luts, head), row_from (source, head),
      row_from (target, head), n_words);
  FOR_ROW_CHUNKS (i, row_bytes - n_words * 4) {
    const uint x = i < head ? i : i + n_words * 4;

    put_uchar (target, x, map_paired_byte (luts, x, read_uchar (source, x)));
  }
}
