/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/blend.h"
#include "core/pixels/arithmetic.h"
#include "core/scopes/drawing.h"
#include "core/pixels/samples.h"

AmphistoPixelLight
amphisto_light_of (uint32_t word)
{
  return (AmphistoPixelLight){ { word & 0xff, word >> 8 & 0xff,
      word >> 16 & 0xff, word >> 24 } };
}

uint32_t
amphisto_light_tinted (uint32_t word, const uint32_t colour[3])
{
  const AmphistoPixelLight light = amphisto_light_of (word);
  uint32_t tinted = word & 0xff000000;

  for (uint32_t c = 0; c < 3; c++)
    tinted |= (light.channel[c] * colour[c] + 127) / 255 << 8 * c;
  return tinted;
}

void
amphisto_light_draw_over (AmphistoPixelLight *graticule, const uint32_t rgb[3])
{
  const uint32_t shade = graticule->channel[3];

  for (uint32_t c = 0; c < 3; c++) {
    const uint32_t light = (MIN (rgb[c], 255) * (255 - shade) + 127) / 255;

    graticule->channel[c] = MAX (graticule->channel[c], light);
  }
}

void
amphisto_light_draw_trace_over (
    AmphistoPixelLight *graticule, const uint32_t rgb[3], uint32_t brightness)
{
  const uint32_t strongest = MAX (MAX (rgb[0], rgb[1]), rgb[2]);
  const uint32_t rise = MIN (brightness, SCOPE_TRACE_LIGHT);

  for (uint32_t c = 0; c < 3; c++)
    if (rgb[c] == strongest)
      graticule->channel[c] = MIN (graticule->channel[c] + rise, 255);
  amphisto_light_draw_over (graticule, rgb);
}

AmphistoPixelLight
amphisto_light_on (AmphistoPixelLight light, uint32_t background)
{
  uint32_t *c = light.channel;
  const uint32_t most = MAX (MAX (c[0], c[1]), c[2]);

  c[3] = MAX (
      c[3], MAX (background, MIN (most * (256 / SCOPE_OPAQUE_LIGHT), 255)));
  return light;
}

static uint8_t
blend (
    const drawn_params *drawn, uint8_t sample, const AmphistoPixelLight *light)
{
  const uint32_t *c = light->channel;
  const uint32_t sum = sample * (255 - c[3]) + drawn->weights[0] * c[0]
      + drawn->weights[1] * c[1] + drawn->weights[2] * c[2]
      + drawn->offset * c[3];

  return (sum + 127) / 255;
}

/* The light of the component's sample (x, y) of the block. */
static AmphistoPixelLight
mean_light (const AmphistoLightBlock block, const component_params *samples,
    uint32_t x, uint32_t y)
{
  const uint32_t shift = samples->x_shift + samples->y_shift;
  AmphistoPixelLight mean;

  for (uint32_t c = 0; c < 4; c++) {
    uint32_t sum = (1u << shift) >> 1;

    for (uint32_t j = 0; j < 1u << samples->y_shift; j++)
      for (uint32_t i = 0; i < 1u << samples->x_shift; i++)
        sum += block[amphisto_component_pixel_row (samples, y, j)]
                    [(x << samples->x_shift) + i]
                        .channel[c];
    mean.channel[c] = sum >> shift;
  }
  return mean;
}

static void
blend_component (const drawn_params *drawn, const AmphistoLightBlock block,
    uint32_t x, uint32_t y, const AmphistoFrame *frame)
{
  const component_params *c = &drawn->samples;

  for (uint32_t j = 0; j < amphisto_drawing_rows (frame->layout) >> c->y_shift;
       j++) {
    uint8_t *sample = amphisto_frame_sample (
        frame, c, x >> c->x_shift, (y >> c->y_shift) + j);

    for (uint32_t i = 0; i < (uint32_t) SCOPE_UNIT >> c->x_shift; i++) {
      const AmphistoPixelLight light = mean_light (block, c, i, j);

      *sample = blend (drawn, *sample, &light);
      sample += c->pixel_stride;
    }
  }
}

static void
raise_alpha (const component_params *alpha, const AmphistoLightBlock block,
    uint32_t x, uint32_t y, const AmphistoFrame *frame)
{
  for (uint32_t j = 0; j < amphisto_drawing_rows (frame->layout); j++)
    for (uint32_t i = 0; i < SCOPE_UNIT; i++) {
      uint8_t *sample = amphisto_frame_sample (frame, alpha, x + i, y + j);

      *sample = MAX (*sample, block[j][i].channel[3]);
    }
}

void
amphisto_blend_block (const drawing_params *drawing,
    const AmphistoLightBlock block, uint32_t x, uint32_t y,
    const AmphistoFrame *frame)
{
  for (uint32_t c = 0; c < drawing->n_drawn; c++)
    blend_component (&drawing->drawn[c], block, x, y, frame);
  if (drawing->has_alpha)
    raise_alpha (&drawing->alpha, block, x, y, frame);
}
