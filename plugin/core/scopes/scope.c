/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/scope.h"
#include "core/pixels/arithmetic.h"
#include "core/scopes/drawing.h"
#include "core/pixels/channels.h"

#include <math.h>
#include <string.h>

uint32_t
amphisto_scope_slot (const AmphistoScopeWork *work, AmphistoChannel channel)
{
  return amphisto_channels_count (
      work->counted & (AMPHISTO_CHANNEL_BIT (channel) - 1));
}

/* --- drawing --- */

bool
amphisto_scope_init_graticule (const AmphistoScope *self,
    const scope_params *scope, AmphistoGraticule *graticule)
{
  const uint32_t n_panels = scope->panels_x * scope->panels_y;

  if (!amphisto_graticule_init (graticule, scope->width,
          scope->height + scope->label_height, scope->pixel_aspect))
    return false;
  for (uint32_t p = 0; p < n_panels; p++) {
    graticule->left = (int) (p % scope->panels_x * scope->panel_width);
    graticule->top = (int) (p / scope->panels_x * scope->panel_height);
    self->draw_graticule (scope, p, graticule);
  }
  return true;
}

/* The light of pixel (x, y) of the scope. */
static AmphistoPixelLight
light_at (const AmphistoScope *self, const scope_params *scope,
    const AmphistoGraticule *graticule, const void *trace, uint32_t x,
    uint32_t y)
{
  const uint32_t word = graticule->light[(size_t) y * graticule->width + x];
  const uint32_t column = x / scope->panel_width;
  const uint32_t panel = y / scope->panel_height * scope->panels_x + column;
  AmphistoPixelLight light = amphisto_light_of (word);

  if (column < scope->panels_x)
    self->draw_pixel (scope, graticule, trace, panel, x % scope->panel_width,
        y % scope->panel_height, &light);
  return amphisto_light_on (light, scope->background);
}

void
amphisto_scope_draw (const AmphistoScope *self, const drawing_params *drawing,
    const scope_params *scope, const AmphistoGraticule *graticule,
    const void *trace, const AmphistoFrame *frame)
{
  const uint32_t n_rows = amphisto_drawing_rows (frame->layout);
  AmphistoLightBlock block;

  for (uint32_t y = 0; y < scope->height; y += n_rows)
    for (uint32_t x = 0; x < scope->width; x += SCOPE_UNIT) {
      for (uint32_t j = 0; j < n_rows; j++)
        for (uint32_t i = 0; i < SCOPE_UNIT; i++)
          block[j][i] = light_at (self, scope, graticule, trace, x + i, y + j);
      amphisto_blend_block (drawing, block, scope->x + x, scope->y + y, frame);
    }
}

/* --- colours, brightness and sizes --- */

const AmphistoChannelStyle amphisto_channel_styles[AMPHISTO_N_CHANNELS] = {
  [AMPHISTO_CHANNEL_LUMA] = { "Y", { 236, 236, 236 }, { 104, 106, 110 } },
  [AMPHISTO_CHANNEL_U] = { "U", { 72, 150, 255 }, { 24, 60, 120 } },
  [AMPHISTO_CHANNEL_V] = { "V", { 255, 96, 140 }, { 120, 36, 60 } },
  [AMPHISTO_CHANNEL_RED] = { "R", { 255, 48, 32 }, { 136, 20, 12 } },
  [AMPHISTO_CHANNEL_GREEN] = { "G", { 88, 255, 152 }, { 20, 112, 60 } },
  [AMPHISTO_CHANNEL_BLUE] = { "B", { 72, 112, 255 }, { 20, 44, 104 } },
  [AMPHISTO_CHANNEL_ALPHA] = { "A", { 60, 200, 190 }, { 16, 76, 72 } },
};

AmphistoChannelMask
amphisto_scope_channels (AmphistoChannelMask channels)
{
  AmphistoChannelMask drawn = 0;

  for (unsigned c = 0; c < AMPHISTO_N_CHANNELS; c++)
    if (amphisto_channel_styles[c].letter != NULL)
      drawn |= channels & AMPHISTO_CHANNEL_BIT (c);
  return drawn;
}

void
amphisto_scope_fill_brightness (
    uint64_t half, double intensity, uint32_t brightness[AMPHISTO_N_BINS / 4])
{
  memset (brightness, 0, AMPHISTO_N_BINS);
  for (uint64_t n = 1; n < AMPHISTO_N_BINS; n++) {
    const uint64_t usual = n * (255 * 256 + half) / (n * 256 + half);
    const uint32_t value = (uint32_t) fmin (255, rint (usual * intensity));
    const uint32_t light =
        SCOPE_TRACE_LIGHT + ((255 - SCOPE_TRACE_LIGHT) * value + 127) / 255;

    brightness[n / 4] |= light << n % 4 * 8;
  }
}

uint32_t
amphisto_scope_plot_size (uint32_t most)
{
  const uint32_t whole = most / AMPHISTO_N_BINS * AMPHISTO_N_BINS;

  return whole * 10 >= most * 9 ? whole : most;
}

void
amphisto_scope_draw_border (
    const scope_params *scope, AmphistoGraticule *graticule)
{
  const uint32_t gridline = scope->gridline_width;

  amphisto_graticule_box (graticule, scope->plot_left - gridline,
      scope->plot_top - gridline, scope->plot_width + 2 * gridline,
      scope->plot_height + 2 * gridline, gridline, AMPHISTO_SCOPE_BORDER);
}

uint32_t
amphisto_scope_columns (const scope_params *scope, uint32_t rows)
{
  return (uint64_t) rows * AMPHISTO_SQUARE_PIXEL / scope->pixel_aspect;
}

uint32_t
amphisto_scope_text_height (const scope_params *scope)
{
  return MAX ((scope->panel_height + 8) / 16,
      AMPHISTO_TEXT_LEAST * scope->gridline_width);
}

uint32_t
amphisto_scope_letter_advance (const scope_params *scope, uint32_t height)
{
  return amphisto_graticule_text_width ("Y", height, scope->pixel_aspect)
      + 3 * height * AMPHISTO_SQUARE_PIXEL / (7 * scope->pixel_aspect);
}
