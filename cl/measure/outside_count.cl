/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Adds up the counts of pixels out of gamut.
 */

#pragma once

#include "frame_params.h"
#include "pixels/slices.cl"

/* Adds the counts of all work-items to the bins, at AMPHISTO_OUT_OF_GAMUT.
 * group_count: a word of the work-group, used in the GPU shape. */
INLINE void
add_outside (
    volatile global uint *bins, volatile OWN uint *group_count, uint count)
{
#ifdef AMPHISTO_GPU
  if (get_local_id (0) == 0)
    *group_count = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (count > 0)
    atomic_add (group_count, count);
  barrier (CLK_LOCAL_MEM_FENCE);
  if (get_local_id (0) == 0 && *group_count > 0)
    atomic_add (&bins[AMPHISTO_OUT_OF_GAMUT], *group_count);
#else
  (void) group_count;
  atomic_add (&bins[AMPHISTO_OUT_OF_GAMUT], count);
#endif
}
