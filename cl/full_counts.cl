/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * GPU shape: a work-group's counts of which nobody wants to know more than that
 * they are full, at 255.
 *
 * They are two to a word. A count that is full takes no atomic, so that flat
 * pictures do not queue up; the others take one atomic add. All work-items of a
 * group may see a count of 254 and add to it, but no more than 65535 - 254
 * together, so that it never carries into its neighbour. Packed uchars would
 * need a compare-and-exchange for that, for which work-items that count in the
 * same word wait again and again.
 */

#ifndef AMPHISTO_FULL_COUNTS_CL
#define AMPHISTO_FULL_COUNTS_CL

#ifndef AMPHISTO_PACKED_UCHAR_CL
#include "packed_uchar.cl"
#endif

#ifdef AMPHISTO_GPU

/* Adds n samples, as many as a step has or fewer, to count i. */
INLINE void
add_to_count (local uint *counts, uint i, uint n)
{
  volatile local uint *word = (volatile local uint *) counts + i / 2;
  const uint shift = i % 2 * 16;

  if ((*word >> shift & 0xffff) < 255)
    atomic_add (word, n << shift);
}

/* Count i, up to 255. All have been added. */
INLINE uint
read_count (const local uint *counts, uint i)
{
  return min (counts[i / 2] >> i % 2 * 16 & 0xffff, 255u);
}

#endif

#endif
