/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * CPU shape: counts chunks of pairs a little later than they have been stored
 * in private memory. So the CPU stores the next ones at the same time, and does
 * not read what it has just stored.
 */

#pragma once

#include "measure/count.cl"

/* Chunks are counted COUNTING_LAG rounds later; N_STAGED is a power of 2 above
 * that. */
#define COUNTING_LAG 2
#define N_STAGED 4

/* Two chunks of a slot's samples, in any order. */
typedef ulong4 two_chunks;

/* Counts pairs, alternately of the first and the last two words. */
INLINE void
count_staged (counters c, const two_chunks *staged)
{
  const ulong *words = (const ulong *) staged;

  c.counts_pairs = true; /* tells the compiler */
  count_two_chunks (c, words[0], words[1], words[2], words[3]);
}
