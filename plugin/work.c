/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "work.h"
#include "equalize.h"
#include "histogram.h"

AmphistoChannelMask
amphisto_work_counted (const AmphistoWork *work, const AmphistoLayout *layout)
{
  const AmphistoChannelMask luma = AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_LUMA);
  const AmphistoChannelMask measured = layout->channels & work->channels;

  return work->equalize || measured == 0 ? measured | luma : measured;
}

void
amphisto_work_fill_overlay (const AmphistoWork *work,
    const AmphistoLayout *layout, overlay_params *params)
{
  amphisto_overlay_fill_params (&work->overlay, layout,
      amphisto_work_counted (work, layout), work->channels, params);
  params->reset = work->reset;
  params->phase = work->phase;
}

static void
equalize (const AmphistoWork *work, const AmphistoFrame *source,
    const AmphistoFrame *target)
{
  const AmphistoLayout *layout = source->layout;
  uint32_t bins[AMPHISTO_N_BINS];
  uint8_t lut[AMPHISTO_N_BINS];

  amphisto_histogram_count (source, AMPHISTO_CHANNEL_LUMA, bins);
  if (work->reference != NULL)
    amphisto_match_lut (bins, work->reference, work->strength, lut);
  else
    amphisto_equalize_lut (bins, layout->lo, layout->hi, work->strength, lut);
  amphisto_equalize_apply (source, target, lut);
}

void
amphisto_work_do (const AmphistoWork *work, const AmphistoFrame *source,
    const AmphistoFrame *target, AmphistoOverlayState *state)
{
  const AmphistoChannelMask counted =
      amphisto_work_counted (work, source->layout);
  uint32_t bins[AMPHISTO_MAX_SLOTS][AMPHISTO_N_BINS];
  uint32_t n_slots = 0;
  overlay_params params;

  for (unsigned c = 0; c < AMPHISTO_N_CHANNELS; c++)
    if (counted & AMPHISTO_CHANNEL_BIT (c))
      amphisto_histogram_count (source, c, bins[n_slots++]);
  if (work->equalize)
    equalize (work, source, target);
  amphisto_work_fill_overlay (work, source->layout, &params);
  if (params.n_judged > 0)
    amphisto_overlay_draw_zebra (&params, source, target);
  if (params.n_curves > 0)
    amphisto_overlay_draw (&params, bins, state, target);
}
