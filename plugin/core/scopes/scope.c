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
          scope->height + scope->glyph_rows, scope->pixel_aspect))
    return false;
  for (uint32_t p = 0; p < n_panels; p++) {
    graticule->left =
        (int) (scope->panels_left + p % scope->panels_x * scope->panel_width);
    graticule->top =
        (int) (scope->panels_top + p / scope->panels_x * scope->panel_height);
    self->draw_graticule (scope, p, graticule);
  }
  return true;
}

void
amphisto_scope_copy_glyphs (const scope_params *scope, uint32_t left,
    uint32_t width, const uint32_t colour[3], uint32_t x, uint32_t y,
    AmphistoGraticule *graticule)
{
  for (uint32_t j = 0; j < scope->glyph_rows; j++) {
    uint32_t *row = graticule->light + (size_t) (y + j) * graticule->width;
    const uint32_t *glyphs = graticule->light
        + (size_t) (scope->height + j) * graticule->width + left;

    for (uint32_t i = 0; i < width; i++)
      row[x + i] = amphisto_light_tinted (glyphs[i], colour);
  }
}

/* The light of pixel (x, y) of the scope. */
static AmphistoPixelLight
light_at (const AmphistoScope *self, const scope_params *scope,
    const AmphistoGraticule *graticule, const void *trace, uint32_t x,
    uint32_t y)
{
  const uint32_t word = graticule->light[(size_t) y * graticule->width + x];
  const uint32_t right = x - scope->panels_left, down = y - scope->panels_top;
  const uint32_t column = right / scope->panel_width;
  const uint32_t row = down / scope->panel_height;
  AmphistoPixelLight light = amphisto_light_of (word);

  /* left of the panels and above them, `right` and `down` are large */
  if (column < scope->panels_x && row < scope->panels_y)
    self->draw_pixel (scope, trace, row * scope->panels_x + column,
        right % scope->panel_width, down % scope->panel_height, &light);
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
amphisto_scope_margin (const scope_params *scope)
{
  const uint32_t least = 2 * scope->gridline_width;
  const uint32_t most = MAX (least, scope->panel_height / 8);

  return scope->has_graticule ? MIN ((scope->text_height + 1) / 2, most)
                              : least;
}

uint32_t
amphisto_scope_side_margin (const scope_params *scope)
{
  const uint32_t most =
      MAX (2 * scope->gridline_width, scope->panel_width / 16);

  return MIN (
      amphisto_scope_columns (scope, amphisto_scope_margin (scope)), most);
}

uint32_t
amphisto_scope_text_gap (const scope_params *scope)
{
  return (2 * scope->text_height + 3) / 7;
}

uint32_t
amphisto_scope_text_width (const scope_params *scope, const char *text)
{
  return amphisto_graticule_text_width (
      text, scope->text_height, scope->pixel_aspect);
}

AmphistoArea
amphisto_scope_text_area (const scope_params *scope, const char *text)
{
  return amphisto_graticule_text_area (
      0, 0, scope->text_height, text, scope->pixel_aspect);
}
