/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * CPU shape: counters; count.cl describes the functions.
 *
 * A work-item, one per core, counts in its own memory, without atomics. Most of
 * the time is spent on the stores, one for each sample. So in large frames
 * *pairs* of neighbouring samples are counted, in 65536 bins, and folded at the
 * end. In smaller frames neighbours use different replicas of the bins: with
 * equal pixels, an increment would otherwise wait for the previous store. For
 * the same reason both halves of a row are counted alternately. Chunks of a
 * single value are counted at once.
 */

#ifndef AMPHISTO_COUNT_SHAPE
#define AMPHISTO_COUNT_SHAPE

#ifndef AMPHISTO_SLICES_CL
#include "slices.cl"
#endif
#ifndef AMPHISTO_PIXELS_CL
#include "pixels.cl"
#endif

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

#define FOR_COUNTED(x, n, c) for (uint x = 0; x < (n); x++)

INLINE void
count (counters c, uint value)
{
  c.bins[value]++;
}

INLINE void
count_word (counters c, uint word)
{
  c.bins[word & 0xff]++;
  c.bins[AMPHISTO_N_BINS + (word >> 8 & 0xff)]++;
  c.bins[2 * AMPHISTO_N_BINS + (word >> 16 & 0xff)]++;
  c.bins[3 * AMPHISTO_N_BINS + (word >> 24)]++;
}

INLINE void
count_chunk (counters c, samples s)
{
  count_word (c, s.x);
  count_word (c, s.y);
  count_word (c, s.z);
  count_word (c, s.w);
}

/* Counts the pairs of two words alternately, to avoid waiting for stores. */
INLINE void
count_pairs (counters c, uint word, uint other)
{
  c.pairs[word & 0xffff]++;
  c.pairs[other & 0xffff]++;
  c.pairs[word >> 16]++;
  c.pairs[other >> 16]++;
}

/* The chunk's first sample, sixteen times. */
INLINE samples
first_sample (samples s)
{
  return as_uint4 ((uchar16) (as_uchar16 (s).s0));
}

INLINE void
count_samples (counters c, samples s)
{
  if (are_zeros (s ^ first_sample (s))) {
    c.bins[s.x & 0xff] += N_PIXELS;
  } else if (c.counts_pairs) {
    count_pairs (c, s.x, s.z);
    count_pairs (c, s.y, s.w);
  } else {
    count_chunk (c, s);
  }
}

INLINE void
count_two_chunks (counters c, samples s, samples t)
{
  const samples first = first_sample (s);

  if (are_zeros ((s ^ first) | (t ^ first))) {
    c.bins[s.x & 0xff] += 2 * N_PIXELS;
  } else if (c.counts_pairs) {
    count_pairs (c, s.x, t.x);
    count_pairs (c, s.y, t.y);
    count_pairs (c, s.z, t.z);
    count_pairs (c, s.w, t.w);
  } else {
    count_chunk (c, s);
    count_chunk (c, t);
  }
}

/* Counts n chunks of two rows alternately. */
INLINE void
count_two_rows (counters c, uchar_row row, uchar_row other, uint n)
{
  for (uint i = 0; i < n; i++)
    count_two_chunks (c, read_samples (row, i), read_samples (other, i));
}

INLINE void
count_plain_chunks (counters c, uchar_row row, uint n)
{
  count_two_rows (c, row, row_from (row, n / 2 * N_PIXELS), n / 2);
  if (n % 2 > 0)
    count_chunk (c, read_samples (row, n - 1));
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

#define PART_ROW 0
#define PART_ROWS 1

INLINE counters
own_counters (uint *counts)
{
  const counters c = { counts, 0, false };

  return c;
}

#endif
