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

/* Defines a kernel that counts pixels out of gamut. count_row (planes, params,
 * y) counts those of row y; `component` has the rows. bins: as
 * calculate_histogram() leaves them; the number of pixels is added at
 * AMPHISTO_OUT_OF_GAMUT. */
#define DEFINE_COUNT_OUTSIDE(name, count_row, component)                       \
  NOINLINE uint name##_rows (                                                  \
      uchar_planes planes, constant frame_params *params, row_range rows)      \
  {                                                                            \
    uint count = 0;                                                            \
                                                                               \
    FOR_ROWS (y, rows)                                                         \
      count += count_row (planes, params, y);                                  \
    return count;                                                              \
  }                                                                            \
                                                                               \
  kernel GROUP void name (global uint *plane0, global uint *plane1,            \
      global uint *plane2, constant frame_params *params,                      \
      volatile global uint *bins)                                              \
  {                                                                            \
    const uchar_planes planes =                                                \
        planes_at (plane0, plane1, plane2, plane0, params->source);            \
    OWN uint group_count;                                                      \
                                                                               \
    add_outside (bins, &group_count,                                           \
        name##_rows (                                                          \
            planes, params, own_chunk_rows (params->component.height)));       \
  }
