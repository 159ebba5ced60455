/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Adds up the counts of pixels out of gamut.
 */

#pragma once

#include "measure/sums.cl"
#include "pixels/slices.cl"

/* Defines a kernel that counts pixels out of gamut. count_row (planes, params,
 * y) counts those of row y; `component` has the rows. bins: as
 * calculate_histogram() leaves them; the number of pixels is added at
 * AMPHISTO_OUT_OF_GAMUT: fewer than 2^32. */
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
    OWN uint group_sum[2];                                                     \
                                                                               \
    add_group_to_sum (bins + AMPHISTO_OUT_OF_GAMUT, group_sum,                 \
        name##_rows (                                                          \
            planes, params, own_chunk_rows (params->component.height)));       \
  }
