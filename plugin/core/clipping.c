/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/clipping.h"

#include <string.h>

#define MAX(a, b) ((a) > (b) ? (a) : (b))

void
amphisto_clipping_fill_params (const AmphistoOverlay *overlay,
    const AmphistoLayout *layout, clipping_params *params)
{
  const uint32_t range = layout->hi - layout->lo;
  const uint32_t height = layout->component[AMPHISTO_CHANNEL_LUMA].height;

  memset (params, 0, sizeof *params);
  if (overlay->clipping != AMPHISTO_CLIPPING_ZEBRA)
    return;
  params->n_components = layout->is_rgb ? 3 : 1;
  params->black = layout->lo;
  params->white = layout->hi;
  params->on_black = layout->lo + range / 2;
  params->on_white = layout->lo + range / 4;
  for (params->stripe = 4; params->stripe < height / 160;)
    params->stripe *= 2;
}

static uint8_t *
drawn_sample (const drawing_params *drawing, const AmphistoFrame *frame,
    uint32_t c, uint32_t x, uint32_t y)
{
  const component_params *samples = &drawing->drawn[c].samples;

  return amphisto_frame_row (frame, samples->plane, y) + samples->offset
      + (size_t) x * samples->pixel_stride;
}

void
amphisto_clipping_draw (const drawing_params *drawing,
    const clipping_params *params, const AmphistoFrame *source,
    const AmphistoFrame *target)
{
  for (uint32_t y = 0; y < drawing->drawn[0].samples.height; y++)
    for (uint32_t x = 0; x < drawing->drawn[0].samples.width; x++) {
      uint8_t brightest = 0;

      if (!((x + y + params->phase) & params->stripe))
        continue;
      for (uint32_t c = 0; c < params->n_components; c++)
        brightest = MAX (brightest, *drawn_sample (drawing, source, c, x, y));
      if (brightest > params->black && brightest < params->white)
        continue;
      for (uint32_t c = 0; c < params->n_components; c++)
        *drawn_sample (drawing, target, c, x, y) =
            brightest >= params->white ? params->on_white : params->on_black;
    }
}
