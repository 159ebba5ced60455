/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/measure/histogram.h"
#include "core/pixels/samples.h"
#include "core/pixels/channels.h"

#include <string.h>

/* Faster than amphisto_frame_value() for each sample; tests spend much time
 * here. */
static void
count_plane (const AmphistoFrame *frame, const AmphistoComponent *c,
    uint32_t bins[AMPHISTO_N_BINS])
{
  for (uint32_t y = 0; y < c->height; y++) {
    const uint8_t *sample = amphisto_frame_sample (frame, c, 0, y);

    for (uint32_t x = 0; x < c->width; x++)
      bins[sample[(size_t) x * c->pixel_stride]]++;
  }
}

void
amphisto_histogram_count (const AmphistoFrame *frame, AmphistoChannel channel,
    uint32_t bins[AMPHISTO_N_BINS])
{
  const AmphistoComponent *c = &frame->layout->component[channel];

  memset (bins, 0, AMPHISTO_N_BINS * sizeof *bins);
  if (!amphisto_channel_is_computed (frame->layout, channel)) {
    count_plane (frame, c, bins);
    return;
  }
  for (uint32_t y = 0; y < c->height; y++)
    for (uint32_t x = 0; x < c->width; x++)
      bins[amphisto_frame_value (frame, channel, x, y)]++;
}
