/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * CPU shape: counters; count.cl describes the functions.
 *
 * A work-item, one per core, counts in its own memory, without atomics. Most of
 * the time is spent on the stores, one for each sample. So in large frames
 * *pairs* of neighbouring samples are counted, in 65536 bins, and folded at the
 * end. In smaller frames neighbours use different replicas of the bins: with
 * equal pixels, an increment would otherwise wait for the previous store. For
 * the same reason two distant rows, or both halves of a row, are counted
 * alternately. Chunks of a single value are counted at once.
 */

#pragma once

#include "pixels/slices.cl"
#include "pixels/pixels.cl"

#define N_REPLICAS 4
#define REPLICA_OF_BIN(replica, v) ((replica) *AMPHISTO_N_BINS + (v))

/* bins: N_REPLICAS * AMPHISTO_N_BINS; pairs: AMPHISTO_N_PAIRS, used only if
 * counts_pairs. */
typedef struct
{
  uint *bins;
  global uint *pairs;
  bool counts_pairs;
} counters;

/* The counters of slot s of a pass. c: of its first slot. */
INLINE counters
slot_counters (counters c, uint s)
{
  c.bins += s * N_REPLICAS * AMPHISTO_N_BINS;
  c.pairs += s * AMPHISTO_N_PAIRS;
  return c;
}

/* Eight samples, at any byte. Read as numbers, because taking words out of
 * vectors takes longer. */
typedef ulong byte_word __attribute__ ((aligned (1)));

#define FOR_COUNTED(x, n, c) for (uint x = 0; x < (n); x++)

INLINE void
count (counters c, uint value)
{
  c.bins[value]++;
}

INLINE void
count_word (counters c, ulong word)
{
  c.bins[word & 0xff]++;
  c.bins[AMPHISTO_N_BINS + (word >> 8 & 0xff)]++;
  c.bins[2 * AMPHISTO_N_BINS + (word >> 16 & 0xff)]++;
  c.bins[3 * AMPHISTO_N_BINS + (word >> 24 & 0xff)]++;
  c.bins[word >> 32 & 0xff]++;
  c.bins[AMPHISTO_N_BINS + (word >> 40 & 0xff)]++;
  c.bins[2 * AMPHISTO_N_BINS + (word >> 48 & 0xff)]++;
  c.bins[3 * AMPHISTO_N_BINS + (word >> 56)]++;
}

/* Counts the pairs of two words alternately, to avoid waiting for stores. */
INLINE void
count_pairs (counters c, ulong word, ulong other)
{
  c.pairs[word & 0xffff]++;
  c.pairs[other & 0xffff]++;
  c.pairs[word >> 16 & 0xffff]++;
  c.pairs[other >> 16 & 0xffff]++;
  c.pairs[word >> 32 & 0xffff]++;
  c.pairs[other >> 32 & 0xffff]++;
  c.pairs[word >> 48]++;
  c.pairs[other >> 48]++;
}

INLINE void
count_words (counters c, ulong word, ulong other)
{
  if (c.counts_pairs) {
    count_pairs (c, word, other);
  } else {
    count_word (c, word);
    count_word (c, other);
  }
}

/* Whether all samples of the word are equal. */
INLINE bool
is_flat (ulong word)
{
  return word == rotate (word, 8ul);
}

INLINE void
count_samples (counters c, samples s)
{
  const ulong2 words = as_ulong2 (s);

  if (words.x == words.y && is_flat (words.x))
    c.bins[words.x & 0xff] += N_PIXELS;
  else
    count_words (c, words.x, words.y);
}

/* Counts two chunks, of two words each, alternately. The test for a single
 * value mostly ends with its first comparison. */
INLINE void
count_two_chunks (
    counters c, ulong word0, ulong word1, ulong other0, ulong other1)
{
  if (word0 == other1 && word0 == word1 && word0 == other0 && is_flat (word0)) {
    c.bins[word0 & 0xff] += 2 * N_PIXELS;
  } else {
    count_words (c, word0, other0);
    count_words (c, word1, other1);
  }
}

/* Counts n chunks of two rows alternately. */
NOINLINE void
count_two_rows (counters c, uchar_row row, uchar_row other, uint n)
{
  const global byte_word *words = (const global byte_word *) row_bytes (row, 0);
  const global byte_word *others =
      (const global byte_word *) row_bytes (other, 0);

  for (uint i = 0; i < 2 * n; i += 2)
    count_two_chunks (c, words[i], words[i + 1], others[i], others[i + 1]);
}

INLINE void
count_plain_chunks (counters c, uchar_row row, uint n)
{
  count_two_rows (c, row, row_from (row, n / 2 * N_PIXELS), n / 2);
  if (n % 2 > 0)
    count_samples (c, read_samples (row, n - 1));
}

INLINE row_range
count_row_pairs (counters c, uchar_plane plane, uint width, row_range rows)
{
  const uint n_pairs = (rows.end - rows.first) / 2;
  const uint n = width / N_PIXELS;

  for (uint i = 0; i < n_pairs; i++, rows.first++) {
    const uchar_row row = frame_row (plane, rows.first);
    const uchar_row other = frame_row (plane, rows.first + n_pairs);

    count_two_rows (c, row, other, n);
    for (uint x = n * N_PIXELS; x < width; x++) {
      count (c, read_uchar (row, x));
      count (c, read_uchar (other, x));
    }
  }
  rows.first += n_pairs;
  return rows;
}

#define ITEM_ROW 0
#define GROUP_ROWS 1

INLINE counters
own_counters (uint *counts)
{
  return (counters){ counts, 0, false };
}
