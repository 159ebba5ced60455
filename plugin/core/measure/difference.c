/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/measure/difference.h"
#include "core/measure/statistics.h"
#include "core/pixels/samples.h"

#include <stdlib.h>
#include <string.h>

uint64_t
amphisto_difference_update (
    const AmphistoFrame *frame, bool is_new, uint8_t *previous)
{
  const AmphistoComponent *luma = amphisto_layout_luma (frame->layout);
  uint64_t sum = 0;

  for (uint32_t y = 0; y < luma->height; y++)
    for (uint32_t x = 0; x < luma->width; x++) {
      const uint8_t value = amphisto_frame_luma (frame, x, y);

      if (!is_new)
        sum += (uint64_t) abs (value - *previous);
      *previous++ = value;
    }
  return sum;
}

void
amphisto_difference_compare (uint64_t sum, const uint32_t bins[AMPHISTO_N_BINS],
    bool is_new, uint32_t previous[AMPHISTO_N_BINS],
    AmphistoComparison *comparison)
{
  *comparison = (AmphistoComparison){ .has_previous = !is_new };
  if (!is_new) {
    const double samples = (double) amphisto_histogram_samples (bins);

    comparison->difference = (double) sum / samples;
    comparison->distance =
        (double) amphisto_histogram_area (bins, previous) / samples;
  }
  memcpy (previous, bins, AMPHISTO_N_BINS * sizeof *bins);
}
