/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Sums of 64 bits, in two words: devices may lack atomics for more.
 */

#pragma once

#include "pixels/packed_uchar.cl"

/* Adds to a sum. A lower word that passes 2^32 carries into the upper one. */
#define DEFINE_ADD_TO_SUM(space)                                               \
  INLINE void OVERLOAD add_to_sum (volatile space uint *words, ulong amount)   \
  {                                                                            \
    const uint low = (uint) amount;                                            \
    const uint carry = atomic_add (&words[0], low) > UINT_MAX - low ? 1 : 0;   \
    const uint high = (uint) (amount >> 32) + carry;                           \
                                                                               \
    if (high > 0)                                                              \
      atomic_add (&words[1], high);                                            \
  }

DEFINE_ADD_TO_SUM (global)

/* Adds the sum of the amounts of the work-group's work-items. group_sum: two
 * words. */
#ifdef AMPHISTO_GPU

DEFINE_ADD_TO_SUM (local)

INLINE void
add_group_to_sum (
    volatile global uint *words, volatile local uint *group_sum, ulong amount)
{
  barrier (CLK_LOCAL_MEM_FENCE);
  if (get_local_id (0) == 0)
    group_sum[0] = group_sum[1] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (amount > 0)
    add_to_sum (group_sum, amount);
  barrier (CLK_LOCAL_MEM_FENCE);
  if (get_local_id (0) == 0)
    add_to_sum (words, (ulong) group_sum[1] << 32 | group_sum[0]);
}

#else

#define add_group_to_sum(words, group_sum, amount)                             \
  ((void) (group_sum), add_to_sum (words, amount))

#endif
