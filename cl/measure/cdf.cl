/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Calculates the CDF of a histogram with a work-group of AMPHISTO_N_BINS
 * work-items.
 */

#pragma once

#include "frame_params.h"
#include "pixels/packed_uchar.cl"

/* One value of a CDF: the number of samples up to a value, and of all samples.
 */
typedef struct
{
  uint samples;
  uint total;
} cdf_value;

/* Returns the CDF at the work-item's value, which is its local id. count: the
 * bin of this value. Adds up groups of 16 bins first, to save barriers. All
 * work-items must call it. The caller needs a barrier before it uses `counts`
 * (AMPHISTO_N_BINS) or `sums` (AMPHISTO_N_BINS / 16) again. */
INLINE cdf_value
find_cdf (local uint *counts, local uint *sums, uint count)
{
  const uint i = get_local_id (0);
  cdf_value cdf = { 0, 0 };

  counts[i] = count;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (i < AMPHISTO_N_BINS / 16) {
    uint sum = 0;

    for (uint k = 0; k < 16; k++)
      sum += counts[i * 16 + k];
    sums[i] = sum;
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint k = 0; k < AMPHISTO_N_BINS / 16; k++) {
    cdf.total += sums[k];
    cdf.samples += k < i / 16 ? sums[k] : 0;
  }
  for (uint k = 0; k < 16; k++)
    cdf.samples += k <= i % 16 ? counts[i / 16 * 16 + k] : 0;
  return cdf;
}
