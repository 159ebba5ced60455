/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Calculates the CDF of a histogram, and sums, with a work-group of
 * AMPHISTO_N_BINS work-items.
 */

#pragma once

#include "frame_params.h"
#include "pixels/packed_uchar.cl"

/* Kernels of one such work-group in both shapes. */
#define BINS_GROUP                                                             \
  __attribute__ ((reqd_work_group_size (AMPHISTO_N_BINS, 1, 1)))

/* The work-group's memory for find_cdf(). */
typedef struct
{
  uint counts[AMPHISTO_N_BINS];
  uint sums[AMPHISTO_N_BINS / 16];
} cdf_memory;

/* One value of a CDF: the number of samples up to a value, and of all samples.
 */
typedef struct
{
  uint samples;
  uint total;
} cdf_value;

/* Returns the CDF at the work-item's value, which is its local id. count: the
 * bin of this value, also stored in own->counts. Adds up groups of 16 bins
 * first, to save barriers. All work-items must call it. */
INLINE cdf_value
find_cdf (local cdf_memory *own, uint count)
{
  const uint i = get_local_id (0);
  local uint *counts = own->counts;
  local uint *sums = own->sums;
  cdf_value cdf = { 0, 0 };

  barrier (CLK_LOCAL_MEM_FENCE);
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

/* Returns the sum of `v` over the work-group. All work-items must call it.
 * sums: AMPHISTO_N_BINS. */
INLINE ulong
add_up_group (local ulong *sums, ulong v)
{
  const uint i = get_local_id (0);
  ulong total = 0;

  barrier (CLK_LOCAL_MEM_FENCE);
  sums[i] = v;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (i < 16)
    for (uint k = 16; k < AMPHISTO_N_BINS; k += 16)
      sums[i] += sums[k + i];
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint k = 0; k < 16; k++)
    total += sums[k];
  return total;
}
