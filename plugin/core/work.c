/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/work.h"
#include "core/equalize.h"
#include "core/histogram.h"

#include <stdlib.h>
#include <string.h>

bool
amphisto_work_equalizes (const AmphistoWork *work)
{
  return work->equalization != AMPHISTO_EQUALIZATION_NONE;
}

AmphistoChannelMask
amphisto_work_counted (const AmphistoWork *work, const AmphistoLayout *layout)
{
  const AmphistoChannelMask luma = AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_LUMA);
  const AmphistoChannelMask measured = layout->channels & work->channels;

  return amphisto_work_equalizes (work) || measured == 0 ? measured | luma
                                                         : measured;
}

/* Where `first` is not the first of `unit` pixels, on to the next. */
static uint32_t
round_up (uint32_t first, uint32_t unit)
{
  return (first + unit - 1) / unit * unit;
}

/* `end`, or the end of the last whole unit before it, but for the frame's
 * edge. */
static uint32_t
round_down (uint32_t end, uint32_t size, uint32_t unit)
{
  return end < size ? end / unit * unit : end;
}

static AmphistoRegion
whole_chroma (const AmphistoRegion *region, const AmphistoLayout *layout)
{
  const AmphistoComponent *pixels = &layout->component[AMPHISTO_CHANNEL_LUMA];
  const AmphistoComponent *chroma = &layout->component[AMPHISTO_CHANNEL_U];
  const uint32_t unit_x = 1u << chroma->x_shift, unit_y = 1u << chroma->y_shift;
  const uint32_t x = round_up (region->x, unit_x);
  const uint32_t y = round_up (region->y, unit_y);
  const uint32_t end_x =
      round_down (region->x + region->width, pixels->width, unit_x);
  const uint32_t end_y =
      round_down (region->y + region->height, pixels->height, unit_y);

  return end_x > x && end_y > y ? (AmphistoRegion){ x, y, end_x - x, end_y - y }
                                : (AmphistoRegion){ 0 };
}

float
amphisto_work_renewal (const AmphistoWork *work)
{
  return 1.0f - work->smoothing;
}

AmphistoRegion
amphisto_work_region (const AmphistoWork *work, const AmphistoLayout *layout)
{
  AmphistoRegion region = work->region;

  if (region.width == 0)
    region.width = UINT32_MAX;
  if (region.height == 0)
    region.height = UINT32_MAX;
  return amphisto_region_clip (&region, layout);
}

bool
amphisto_work_is_on_all (const AmphistoWork *work, const AmphistoLayout *layout)
{
  const AmphistoComponent *pixels = &layout->component[AMPHISTO_CHANNEL_LUMA];
  const AmphistoRegion region = amphisto_work_region (work, layout);

  return region.width == pixels->width && region.height == pixels->height;
}

void
amphisto_work_crop (const AmphistoWork *work, const AmphistoLayout *layout,
    AmphistoLayout *part, AmphistoLayout *drawn)
{
  const AmphistoRegion region = amphisto_work_region (work, layout);
  const AmphistoRegion drawn_region = whole_chroma (&region, layout);

  amphisto_layout_crop (layout, &region, part);
  amphisto_layout_crop (layout, &drawn_region, drawn);
}

void
amphisto_work_fill_overlay (const AmphistoWork *work,
    const AmphistoLayout *drawn, overlay_params *params)
{
  amphisto_overlay_fill_params (&work->overlay, drawn,
      amphisto_work_counted (work, drawn), work->channels, params);
  params->reset = work->reset;
  params->phase = work->phase;
}

void
amphisto_work_state_clear (AmphistoWorkState *state)
{
  free (state->tile_means);
  *state = (AmphistoWorkState){ 0 };
}

/* Moves luma's mean on, and puts it in place of its bins. Returns: how the
 * means of other bins move. */
static AmphistoSmoothing
smooth_luma (const AmphistoWork *work, uint32_t bins[AMPHISTO_N_BINS],
    float mean[AMPHISTO_N_BINS])
{
  const AmphistoSmoothing smoothing = { amphisto_work_renewal (work),
    work->resets_mean || amphisto_smooth_is_cut (bins, mean) };

  amphisto_smooth_bins (smoothing, AMPHISTO_N_BINS, bins, mean, bins);
  return smoothing;
}

/* `bins`: luma's; they are not kept. And so below. */
static void
equalize_globally (const AmphistoWork *work, const AmphistoFrame *source,
    const AmphistoFrame *target, uint32_t bins[AMPHISTO_N_BINS],
    AmphistoWorkState *state)
{
  const AmphistoLayout *layout = source->layout;
  uint8_t lut[AMPHISTO_N_BINS];

  if (work->smoothing > 0)
    smooth_luma (work, bins, state->mean);
  if (work->equalization == AMPHISTO_EQUALIZATION_MATCH)
    amphisto_match_lut (bins, work->reference, work->strength, lut);
  else
    amphisto_equalize_lut (bins, layout->lo, layout->hi, work->strength, lut);
  amphisto_equalize_apply (source, target, lut);
}

static bool
reserve_tile_means (AmphistoWorkState *state, size_t n_tiles)
{
  void *means;

  if (n_tiles <= state->n_tiles)
    return true;
  means = realloc (state->tile_means, n_tiles * sizeof *state->tile_means);
  if (means == NULL)
    return false;
  state->tile_means = means;
  state->n_tiles = n_tiles;
  return true;
}

/* Returns: FALSE if there is not memory enough; and so below. */
static bool
equalize_tiles (const AmphistoWork *work, const AmphistoFrame *source,
    const AmphistoFrame *target, uint32_t bins[AMPHISTO_N_BINS],
    AmphistoWorkState *state)
{
  const AmphistoClahe *clahe = &work->clahe;
  AmphistoSmoothing smoothing = { 1, true };

  if (work->smoothing == 0)
    return amphisto_clahe_equalize (
        clahe, source, target, work->strength, smoothing, NULL);
  smoothing = smooth_luma (work, bins, state->mean);
  if (source->layout->component[AMPHISTO_CHANNEL_LUMA].width == 0)
    return true;
  if (!reserve_tile_means (state, (size_t) clahe->tiles_x * clahe->tiles_y))
    return false;
  return amphisto_clahe_equalize (
      clahe, source, target, work->strength, smoothing, state->tile_means[0]);
}

static bool
equalize (const AmphistoWork *work, const AmphistoFrame *source,
    const AmphistoFrame *target, const uint32_t luma[AMPHISTO_N_BINS],
    AmphistoWorkState *state)
{
  uint32_t bins[AMPHISTO_N_BINS];

  memcpy (bins, luma, sizeof bins);
  if (work->equalization == AMPHISTO_EQUALIZATION_CLAHE)
    return equalize_tiles (work, source, target, bins, state);
  equalize_globally (work, source, target, bins, state);
  return true;
}

bool
amphisto_work_do (const AmphistoWork *work, const AmphistoFrame *source,
    const AmphistoFrame *target, AmphistoWorkState *state)
{
  AmphistoLayout part, drawn;
  uint32_t bins[AMPHISTO_MAX_SLOTS][AMPHISTO_N_BINS];
  uint32_t n_slots = 0;
  overlay_params params;

  amphisto_work_crop (work, source->layout, &part, &drawn);

  const AmphistoChannelMask counted = amphisto_work_counted (work, &part);
  const AmphistoFrame from = amphisto_frame_crop (source, &part);
  const AmphistoFrame to = amphisto_frame_crop (target, &part);
  const AmphistoFrame judged = amphisto_frame_crop (source, &drawn);
  const AmphistoFrame canvas = amphisto_frame_crop (target, &drawn);

  for (unsigned c = 0; c < AMPHISTO_N_CHANNELS; c++)
    if (counted & AMPHISTO_CHANNEL_BIT (c))
      amphisto_histogram_count (&from, c, bins[n_slots++]);
  /* luma is the first channel */
  if (amphisto_work_equalizes (work)
      && !equalize (work, &from, &to, bins[0], state))
    return false;
  amphisto_work_fill_overlay (work, &drawn, &params);
  if (params.n_judged > 0)
    amphisto_overlay_draw_zebra (&params, &judged, &canvas);
  if (params.n_curves > 0)
    amphisto_overlay_draw (&params, bins, &state->overlay, &canvas);
  return true;
}
