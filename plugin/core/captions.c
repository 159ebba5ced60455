/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/captions.h"
#include "core/arithmetic.h"
#include "core/clipping.h"
#include "core/scopes.h"

/* Spaces in dots: between the letters of the channels, between the letters and
 * the ends of the scale, and above and below the legend and the text. */
#define LETTER_SPACE 3
#define END_SPACE 6
#define LINE_SPACE 2
/* Height of the legend in dots. */
#define KEY_HEIGHT 3
/* Maximum heights of legend and text, as divisors of the panel's height. */
#define MOST_KEY_FRACTION 8
#define MOST_TEXT_FRACTION 4

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
text_width (const overlay_params *params, uint32_t scale)
{
  return amphisto_graticule_text_width (scale_ends[0], scale)
      + letters_width (params, scale)
      + amphisto_graticule_text_width (scale_ends[1], scale)
      + 2 * END_SPACE * scale;
}

/* Includes the space below the text, but not above it. */
static uint32_t
text_height (uint32_t scale)
{
  return amphisto_graticule_text_height (scale) + LINE_SPACE * scale;
}

static uint32_t
key_height (uint32_t scale)
{
  return (KEY_HEIGHT + LINE_SPACE) * scale;
}

/* The scale of the text, in multiples of the font's size. Reduced as far as the
 * width of gridlines if there is too little room; 0: no text. */
static uint32_t
text_scale (const overlay_params *params, const AmphistoOverlay *overlay)
{
  uint32_t scale = overlay->graticule
      ? amphisto_scope_text_scale (params->panel_height, params->gridline_width)
      : 0;

  while (scale > 0
      && (text_width (params, scale) > params->plot_width
          || text_height (scale) > params->panel_height / MOST_TEXT_FRACTION))
    scale = scale > params->gridline_width ? scale - 1 : 0;
  return scale;
}

/* The scale of the legend; 0: no legend. Grey has no false colour. */
static uint32_t
key_scale (const overlay_params *params, const AmphistoOverlay *overlay,
    const AmphistoLayout *layout)
{
  const bool is_grey =
      !(layout->channels & AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_RED));
  const bool has_key =
      (overlay->exposure & AMPHISTO_EXPOSURE_FALSE_COLOR) && !is_grey;
  uint32_t scale = has_key
      ? amphisto_scope_text_scale (params->panel_height, params->gridline_width)
      : 0;

  while (key_height (scale) > params->panel_height / MOST_KEY_FRACTION)
    scale--;
  return scale;
}

uint32_t
amphisto_captions_height (const overlay_params *params,
    const AmphistoOverlay *overlay, const AmphistoLayout *layout)
{
  const uint32_t text = text_scale (params, overlay);
  const uint32_t key = key_scale (params, overlay, layout);

  return LINE_SPACE * MAX (key, text) + key_height (key) + text_height (text);
}

/* The legend of false colour, aligned with the plot's values. y: the first row.
 */
static void
draw_key (AmphistoGraticule *captions, const overlay_params *params,
    const AmphistoLayout *layout, uint32_t scale, uint32_t y)
{
  const uint32_t last = params->plot_width - 1;

  for (uint32_t x = 0; x <= last; x++)
    amphisto_graticule_fill (captions, params->plot_left + x, y, 1,
        KEY_HEIGHT * scale,
        amphisto_clipping_light (
            layout->lo, layout->hi, (x * 255 + last / 2) / last));
}

/* The values at both ends of the scale, below the plot's ends. y: the first
 * row. */
static void
draw_ends (AmphistoGraticule *captions, const overlay_params *params,
    uint32_t scale, uint32_t y)
{
  const uint32_t right = params->plot_left + params->plot_width
      - amphisto_graticule_text_width (scale_ends[1], scale);

  amphisto_graticule_text (
      captions, params->plot_left, y, scale, scale_ends[0], END_LIGHT);
  amphisto_graticule_text (captions, right, y, scale, scale_ends[1], END_LIGHT);
}

/* A little whiter than the line, because letters are small. */
static uint32_t
letter_light (const uint32_t line[3])
{
  return AMPHISTO_LIGHT (
      line[0] * 3 / 4 + 63, line[1] * 3 / 4 + 63, line[2] * 3 / 4 + 63);
}

/* Letter i of a panel. The letters are centred, side by side. */
static void
draw_letter (AmphistoGraticule *captions, const overlay_params *params,
    uint32_t scale, uint32_t i, AmphistoChannel channel, uint32_t light,
    uint32_t y)
{
  const uint32_t first =
      (params->panel_width - letters_width (params, scale)) / 2;

  amphisto_graticule_text (captions, first + i * letter_advance (scale), y,
      scale, channel_letters[channel], light);
}

/* The letters of all panels. Captions are `height` rows apart. */
static void
draw_letters (AmphistoGraticule *captions, const overlay_params *params,
    AmphistoChannelMask channels, uint32_t scale, uint32_t y, uint32_t height)
{
  uint32_t curve = 0;

  for (unsigned c = 0; c < AMPHISTO_N_CHANNELS; c++)
    if (channels & AMPHISTO_CHANNEL_BIT (c)) {
      draw_letter (captions, params, scale, curve % params->panel_curves, c,
          letter_light (params->curve[curve].line),
          y + curve / params->panel_curves * height);
      curve++;
    }
}

bool
amphisto_captions_init (AmphistoGraticule *captions,
    const overlay_params *params, const AmphistoOverlay *overlay,
    const AmphistoLayout *layout, AmphistoChannelMask channels)
{
  const uint32_t n_panels = params->panels_x * params->panels_y;
  const uint32_t height = params->panel_height - params->caption_top;
  const uint32_t text = text_scale (params, overlay);
  const uint32_t key = key_scale (params, overlay, layout);
  const uint32_t key_y = LINE_SPACE * MAX (key, text);
  const uint32_t text_y = key_y + key_height (key);

  if (!amphisto_graticule_init (
          captions, params->panel_width, n_panels * height))
    return false;
  for (uint32_t y = 0; y < n_panels * height; y += height) {
    draw_key (captions, params, layout, key, y + key_y);
    draw_ends (captions, params, text, y + text_y);
  }
  draw_letters (captions, params, channels, text, text_y, height);
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
