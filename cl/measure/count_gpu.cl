/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * GPU shape: counters for regions and tiles; count.cl describes the functions.
 *
 * A work-group counts in local memory by atomic adds. Each bin has several
 * replicas in different banks, and neighbouring work-items use neighbouring
 * replicas, so that they do not wait for each other in a flat picture.
 */

#pragma once

#include "pixels/slices.cl"
#include "pixels/pixels.cl"

#define N_REPLICAS 8
#define REPLICA_OF_BIN(replica, v) ((v) *N_REPLICAS + (replica))

/* The bins of one channel; the work-item counts in replica number `replica`. It
 * counts every n_columns'th chunk of a row, from chunk `column` on. */
typedef struct
{
  local uint *bins;
  uint replica;
  uint column;
  uint n_columns;
} counters;

#define FOR_COUNTED(x, n, c)                                                   \
  for (uint x = (c).column; x < (n); x += (c).n_columns)

INLINE void
count (counters c, uint value)
{
  atomic_inc (&c.bins[REPLICA_OF_BIN (c.replica, value)]);
}

INLINE void
count_samples (counters c, samples s)
{
  count (c, s & 0xff);
  count (c, s >> 8 & 0xff);
  count (c, s >> 16 & 0xff);
  count (c, s >> 24);
}

INLINE void
count_plain_chunks (counters c, uchar_row row, uint n)
{
  FOR_COUNTED (i, n, c) {
    const uint4 words = read_4_words (row, i * 16);

    count_samples (c, words.x);
    count_samples (c, words.y);
    count_samples (c, words.z);
    count_samples (c, words.w);
  }
}

#define count_row_pairs(c, plane, width, rows) (rows)

/* The number of work-items that count a row together. */
#define GROUP_COLUMNS 16
#define ITEM_ROW (uint) (get_local_id (0) / GROUP_COLUMNS)
#define GROUP_ROWS (uint) (get_local_size (0) / GROUP_COLUMNS)

INLINE counters
own_counters (local uint *counts)
{
  const uint item = (uint) get_local_id (0);

  return (counters){ counts, item % N_REPLICAS, item % GROUP_COLUMNS,
    GROUP_COLUMNS };
}
