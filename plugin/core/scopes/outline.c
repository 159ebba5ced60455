/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/outline.h"
#include "core/scopes/drawing.h"
#include "core/pixels/samples.h"

void
amphisto_outline_fill_params (const AmphistoLayout *layout,
    const AmphistoRegion *region, outline_params *params)
{
  *params = (outline_params){ region->x, region->y, region->width,
    region->height, amphisto_drawing_least_line (layout) };
}

static bool
is_on_line (const outline_params *params, AmphistoPosition at)
{
  const uint32_t left = at.x - params->x, right = params->width - left;
  const uint32_t top = at.y - params->y, bottom = params->height - top;
  const uint32_t width = params->line_width;

  return left < params->width && top < params->height
      && (left < width || right <= width || top < width || bottom <= width);
}

/* The sample's pixels on the line. */
static uint32_t
count_pixels (const outline_params *params, const component_params *pixels,
    const component_params *samples, uint32_t x, uint32_t y)
{
  uint32_t n = 0;

  for (uint32_t i = 0; i < amphisto_component_n_pixels (samples); i++)
    n += is_on_line (
        params, amphisto_component_pixel (samples, pixels, x, y, i));
  return n;
}

/* white: the component's sample for white. */
static void
draw_component (const outline_params *params, const component_params *pixels,
    const component_params *samples, uint32_t white, const AmphistoFrame *frame)
{
  const uint32_t n_pixels = amphisto_component_n_pixels (samples);

  for (uint32_t y = 0; y < samples->height; y++)
    for (uint32_t x = 0; x < samples->width; x++) {
      const uint32_t n = count_pixels (params, pixels, samples, x, y);
      const uint32_t alpha = (n * 255 + n_pixels / 2) / n_pixels;
      uint8_t *sample = amphisto_frame_sample (frame, samples, x, y);

      *sample = (*sample * (255 - alpha) + white * alpha + 127) / 255;
    }
}

void
amphisto_outline_draw (const drawing_params *drawing,
    const outline_params *params, const AmphistoFrame *frame)
{
  const component_params *pixels = &drawing->drawn[0].samples;

  for (uint32_t c = 0; c < drawing->n_drawn; c++) {
    const drawn_params *drawn = &drawing->drawn[c];

    draw_component (params, pixels, &drawn->samples,
        drawn->weights[0] + drawn->weights[1] + drawn->weights[2]
            + drawn->offset,
        frame);
  }
  if (drawing->has_alpha)
    draw_component (params, pixels, &drawing->alpha, 255, frame);
}
