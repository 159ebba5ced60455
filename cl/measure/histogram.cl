/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Counts the histograms of all measured components in one launch.
 *
 * A work-group (CPU shape: a work-item) counts in its own memory, and finally
 * adds its counts to the bins by atomic adds.
 *
 * For both shapes:
 *
 *   COUNTS                    the memory that work-items count in
 *   count_slots (planes, params, counts, bins)    counts the work-
 *                             group's rows or chunks of the slots
 */

#pragma once

#ifdef AMPHISTO_GPU
#include "measure/histogram_gpu.cl"
#else
#include "measure/histogram_cpu.cl"
#endif

/* Counts the frame's measured components. counts: see count_slots(). bins: a
 * uint for each slot and bin, then, in the CPU shape, for each slot the number
 * of rows taken by work-items; all AMPHISTO_COUNTS uints must be 0. next_bins:
 * AMPHISTO_COUNTS uints for the next frame, cleared by the kernel. */
kernel COUNTING_GROUP void
calculate_histogram (global uint *plane0, global uint *plane1,
    global uint *plane2, global uint *plane3, constant frame_params *params,
    COUNTS *counts, volatile global uint *bins, global uint *next_bins)
{
  if (GROUP_INDEX == 0)
    FOR_COLUMNS (i, AMPHISTO_COUNTS)
      next_bins[i] = 0;
  count_slots (planes_at (plane0, plane1, plane2, plane3, params->source),
      params, counts, bins);
}
