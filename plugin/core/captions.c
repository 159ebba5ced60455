/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/captions.h"

/* Dots between the letters of the channels, between these and the ends of the
 * scale, and above and below the text. */
#define LETTER_SPACE 3
#define END_SPACE 6
#define LINE_SPACE 2
/* A caption takes no more of a panel's height. */
#define MOST_FRACTION 4

#define END_LIGHT AMPHISTO_LIGHT (176, 176, 176)

static const char *const scale_ends[2] = { "0", "255" };

static const char *const channel_letters[AMPHISTO_N_CHANNELS] = {
  [AMPHISTO_CHANNEL_LUMA] = "Y",
  [AMPHISTO_CHANNEL_U] = "U",
  [AMPHISTO_CHANNEL_V] = "V",
  [AMPHISTO_CHANNEL_RED] = "R",
  [AMPHISTO_CHANNEL_GREEN] = "G",
  [AMPHISTO_CHANNEL_BLUE] = "B",
  [AMPHISTO_CHANNEL_ALPHA] = "A",
};

static uint32_t
letter_advance (uint32_t scale)
{
  return amphisto_graticule_text_width ("Y", scale) + LETTER_SPACE * scale;
}

static uint32_t
letters_width (const overlay_params *params, uint32_t scale)
{
  return params->panel_curves * letter_advance (scale) - LETTER_SPACE * scale;
}

static uint32_t
caption_width (const overlay_params *params, uint32_t scale)
{
  return amphisto_graticule_text_width (scale_ends[0], scale)
      + letters_width (params, scale)
      + amphisto_graticule_text_width (scale_ends[1], scale)
      + 2 * END_SPACE * scale;
}

static uint32_t
caption_height (uint32_t scale)
{
  return amphisto_graticule_text_height (scale) + 2 * LINE_SPACE * scale;
}

/* How many times the font's size the text has: as a panel of this height has it
 * if there is room, else less; 0: none. */
static uint32_t
text_scale (const overlay_params *params)
{
  uint32_t scale = amphisto_graticule_text_scale (params->panel_height);

  while (scale > 0
      && (caption_width (params, scale) > params->plot_width
          || caption_height (scale) > params->panel_height / MOST_FRACTION))
    scale--;
  return scale;
}

uint32_t
amphisto_captions_height (const overlay_params *params)
{
  const uint32_t scale = text_scale (params);

  return scale > 0 ? caption_height (scale) : 0;
}

/* The scale's ends stand below those of the plot. y: the text's first row. */
static void
draw_ends (
    AmphistoGraticule *captions, const overlay_params *params, uint32_t y)
{
  const uint32_t scale = text_scale (params);
  const uint32_t right = params->plot_left + params->plot_width
      - amphisto_graticule_text_width (scale_ends[1], scale);

  amphisto_graticule_text (
      captions, params->plot_left, y, scale, scale_ends[0], END_LIGHT);
  amphisto_graticule_text (captions, right, y, scale, scale_ends[1], END_LIGHT);
}

/* A little whiter than the line, since letters are small. */
static uint32_t
letter_light (const uint32_t line[3])
{
  return AMPHISTO_LIGHT (
      line[0] * 3 / 4 + 63, line[1] * 3 / 4 + 63, line[2] * 3 / 4 + 63);
}

/* The letters stand side by side in the middle, in the colours of the curves.
 */
static void
draw_letter (AmphistoGraticule *captions, const overlay_params *params,
    uint32_t curve, AmphistoChannel channel, uint32_t y)
{
  const uint32_t scale = text_scale (params);
  const uint32_t first =
      (params->panel_width - letters_width (params, scale)) / 2;

  amphisto_graticule_text (captions,
      first + curve % params->panel_curves * letter_advance (scale), y, scale,
      channel_letters[channel], letter_light (params->curve[curve].line));
}

bool
amphisto_captions_init (AmphistoGraticule *captions,
    const overlay_params *params, AmphistoChannelMask channels)
{
  const uint32_t n_panels = params->panels_x * params->panels_y;
  const uint32_t height = params->panel_height - params->caption_top;
  const uint32_t top = LINE_SPACE * text_scale (params);
  uint32_t curve = 0;

  if (!amphisto_graticule_init (
          captions, params->panel_width, n_panels * height))
    return false;
  if (height == 0)
    return true;
  for (uint32_t p = 0; p < n_panels; p++)
    draw_ends (captions, params, p * height + top);
  for (unsigned c = 0; c < AMPHISTO_N_CHANNELS; c++)
    if (channels & AMPHISTO_CHANNEL_BIT (c)) {
      draw_letter (captions, params, curve, c,
          curve / params->panel_curves * height + top);
      curve++;
    }
  return true;
}

void
amphisto_captions_split (const AmphistoGraticule *captions, uint16_t *columns)
{
  const uint32_t *light = captions->light;

  for (uint32_t y = 0; y < captions->height; y++) {
    for (uint32_t c = 0; c < 3; c++)
      for (uint32_t x = 0; x < captions->width; x++)
        *columns++ = light[x] >> 8 * c & 0xff;
    light += captions->width;
  }
}
