/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/scopes.h"
#include "core/arithmetic.h"
#include "core/drawing.h"
#include "core/font.h"

#include <string.h>

/* Minimum size of a panel in pixels: enlarged up to LEGIBLE if there is room;
 * below LEAST, the scope is skipped. */
#define LEGIBLE_WIDTH 96
#define LEGIBLE_HEIGHT 48
#define LEAST_WIDTH 32
#define LEAST_HEIGHT 16
/* Heights of curves are 16-bit numbers in 1/16 pixel; leaves room for a line on
 * top. */
#define MOST_HEIGHT 4000
/* See scope_params. */
#define SQUARE_PIXEL 4096
/* The size of a panel per pixel of a gridline's width. */
#define GRIDLINE_DIVISOR 240

/* --- places --- */

/* The edge along which scopes are placed. width, height: the picture's size.
 * rows: of a block. margin: distance to the picture's sides, if there is room.
 * used: pixels taken so far along the edge, including space for the next scope.
 */
typedef struct
{
  const AmphistoScopeSettings *settings;
  uint32_t width;
  uint32_t height;
  uint32_t rows;
  uint32_t margin;
  uint32_t used;
} Edge;

/* The size of each of n panels, a multiple of `unit`, that together cover
 * `fraction` of the picture's size. */
static uint32_t
panel_size (
    uint32_t size, double fraction, uint32_t n, uint32_t legible, uint32_t unit)
{
  const uint32_t wanted = (uint32_t) (size * fraction / n / unit + 0.5) * unit;
  const uint32_t most = size / n / unit * unit;

  return MIN (MAX (wanted, legible), most);
}

/* The beginning of a scope, a multiple of `unit`: `margin` pixels from the
 * picture's side if there is room. */
static uint32_t
place (
    uint32_t size, uint32_t scope, uint32_t margin, bool is_far, uint32_t unit)
{
  const uint32_t most = size - scope;
  const uint32_t near = round_up (margin, unit);

  return (is_far ? most - MIN (margin, most) : MIN (near, most)) / unit * unit;
}

/* Places a scope beside the previous ones, or skips it if there is no room. */
static void
add_scope (Edge *edge, scope_params *scope)
{
  const AmphistoScopePosition position = edge->settings->position;
  const bool is_right = position == AMPHISTO_SCOPE_TOP_RIGHT
      || position == AMPHISTO_SCOPE_BOTTOM_RIGHT;
  const bool is_bottom = position == AMPHISTO_SCOPE_BOTTOM_LEFT
      || position == AMPHISTO_SCOPE_BOTTOM_RIGHT;
  const uint32_t width = scope->panels_x * scope->panel_width;
  const uint32_t height = scope->panels_y * scope->panel_height;

  if (scope->panel_width < LEAST_WIDTH || scope->panel_height < LEAST_HEIGHT
      || width > edge->width || height > edge->height
      || (edge->used > 0
          && width > edge->width - MIN (edge->used, edge->width))) {
    *scope = (scope_params){ 0 };
    return;
  }
  scope->x = place (
      edge->width, width, MAX (edge->margin, edge->used), is_right, SCOPE_UNIT);
  scope->y = place (edge->height, height, edge->margin, is_bottom, edge->rows);
  scope->width = width;
  scope->height = height;
  edge->used = (is_right ? edge->width - scope->x : scope->x + width)
      + MAX (SCOPE_UNIT, edge->margin / SCOPE_UNIT * SCOPE_UNIT);
}

/* The panels of a graph of channels: one in mode `overlay`, otherwise one per
 * channel. */
static void
size_graph (const Edge *edge, uint32_t n_channels, scope_params *scope)
{
  const AmphistoScopeSettings *settings = edge->settings;

  scope->panels_x =
      settings->display == AMPHISTO_DISPLAY_PARADE ? n_channels : 1;
  scope->panels_y =
      settings->display == AMPHISTO_DISPLAY_STACK ? n_channels : 1;
  scope->panel_width = panel_size (
      edge->width, settings->width, scope->panels_x, LEGIBLE_WIDTH, SCOPE_UNIT);
  scope->panel_height = MIN (MOST_HEIGHT,
      panel_size (edge->height, settings->height, scope->panels_y,
          LEGIBLE_HEIGHT, edge->rows));
}

/* A square panel as high as a graph in mode `overlay`; its width is rounded up
 * to SCOPE_UNIT. */
static void
size_square (const Edge *edge, scope_params *scope)
{
  const uint32_t most =
      MIN (MOST_HEIGHT, edge->width) / SCOPE_UNIT * SCOPE_UNIT;

  scope->panels_x = scope->panels_y = 1;
  scope->panel_height = MIN (most,
      panel_size (
          edge->height, edge->settings->height, 1, LEGIBLE_HEIGHT, edge->rows));
  scope->panel_width = round_up (scope->panel_height, SCOPE_UNIT);
}

/* Gridlines are at least two pixels wide in frames with fields: a line of one
 * row would be in one field only, and flicker. */
static uint32_t
gridline_width (const AmphistoLayout *layout, const scope_params *scope)
{
  const uint32_t size = MIN (scope->panel_width, scope->panel_height);
  const uint32_t least = layout->has_fields ? 2 : 1;

  return MAX (least, (size + GRIDLINE_DIVISOR / 2) / GRIDLINE_DIVISOR);
}

static void
place_scope (const AmphistoScopeWork *work, const AmphistoScope *self,
    uint32_t n_channels, Edge *edge, scope_params *scope)
{
  if (self->is_square)
    size_square (edge, scope);
  else
    size_graph (edge, n_channels, scope);
  scope->gridline_width = gridline_width (work->drawn, scope);
  scope->pixel_aspect =
      work->drawn->pixel_aspect > 0 ? work->drawn->pixel_aspect : SQUARE_PIXEL;
  scope->background = (uint32_t) (work->settings->opacity * 255 + 0.5);
  scope->has_graticule = work->settings->graticule;
  scope->has_legend = work->has_legend;
  add_scope (edge, scope);
}

const AmphistoScope *const amphisto_scopes[AMPHISTO_N_SCOPES] = {
  &amphisto_histogram_scope, &amphisto_waveform, &amphisto_vectorscope
};

void
amphisto_scopes_list (
    AmphistoScopeParams *params, scope_params *scopes[AMPHISTO_N_SCOPES])
{
  scopes[0] = &params->histogram.scope;
  scopes[1] = &params->waveform.scope;
  scopes[2] = &params->vectorscope.scope;
}

static uint32_t
count_channels (AmphistoChannelMask channels)
{
  uint32_t n = 0;

  for (unsigned c = 0; c < AMPHISTO_N_CHANNELS; c++)
    n += (channels & AMPHISTO_CHANNEL_BIT (c)) != 0;
  return n;
}

AmphistoScopes
amphisto_scopes_fill_params (
    const AmphistoScopeWork *work, AmphistoScopeParams *params)
{
  const AmphistoComponent *pixels =
      &work->drawn->component[AMPHISTO_CHANNEL_LUMA];
  const AmphistoChannelMask coloured = AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_U)
      | AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_RED);
  const uint32_t n_channels = count_channels (work->shown);
  scope_params *scopes[AMPHISTO_N_SCOPES];
  Edge edge = { work->settings, pixels->width, pixels->height,
    amphisto_drawing_rows (work->drawn),
    MIN (pixels->width, pixels->height) / 40, 0 };
  AmphistoScopes drawn = AMPHISTO_SCOPE_NONE;

  memset (params, 0, sizeof *params);
  amphisto_scopes_list (params, scopes);
  for (uint32_t i = 0; i < AMPHISTO_N_SCOPES; i++) {
    const AmphistoScope *self = amphisto_scopes[i];
    const bool has_content = self->is_square
        ? (work->drawn->channels & coloured) != 0
        : n_channels > 0;

    if (has_content && (work->settings->enabled & 1u << i))
      place_scope (work, self, n_channels, &edge, scopes[i]);
    if (scopes[i]->panels_x > 0) {
      self->fill_params (work, scopes[i]);
      drawn |= 1u << i;
    }
  }
  return drawn;
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
  for (uint32_t p = 0; p < n_panels; p++)
    self->draw_graticule (scope, p,
        (int) (p % scope->panels_x * scope->panel_width),
        (int) (p / scope->panels_x * scope->panel_height), graticule);
  return true;
}

/* The light of pixel (x, y) of the scope. */
static AmphistoPixelLight
light_at (const AmphistoScope *self, const scope_params *scope,
    const AmphistoGraticule *graticule, const void *light, uint32_t x,
    uint32_t y)
{
  const uint32_t word = graticule->light[(size_t) y * graticule->width + x];
  const uint32_t column = x / scope->panel_width;
  const uint32_t panel = y / scope->panel_height * scope->panels_x + column;
  AmphistoPixelLight sum = { { word & 0xff, word >> 8 & 0xff, word >> 16 & 0xff,
      word >> 24 } };

  if (column < scope->panels_x)
    self->add_light (scope, graticule, light, panel, x % scope->panel_width,
        y % scope->panel_height, &sum);
  return amphisto_light_on (sum, scope->background);
}

void
amphisto_scope_draw (const AmphistoScope *self, const drawing_params *drawing,
    const scope_params *scope, const AmphistoGraticule *graticule,
    const void *light, const AmphistoFrame *frame)
{
  const uint32_t n_rows = amphisto_drawing_rows (frame->layout);
  AmphistoLightBlock block;

  for (uint32_t y = 0; y < scope->height; y += n_rows)
    for (uint32_t x = 0; x < scope->width; x += SCOPE_UNIT) {
      for (uint32_t j = 0; j < n_rows; j++)
        for (uint32_t i = 0; i < SCOPE_UNIT; i++)
          block[j][i] = light_at (self, scope, graticule, light, x + i, y + j);
      amphisto_blend_block (drawing, block, scope->x + x, scope->y + y, frame);
    }
}

/* --- light and sizes --- */

/* Red, green and blue add up to a neutral grey. */
static const struct
{
  uint32_t light[3];
  const char *letter;
} channels[AMPHISTO_N_CHANNELS] = {
  [AMPHISTO_CHANNEL_LUMA] = { { 236, 236, 236 }, "Y" },
  [AMPHISTO_CHANNEL_U] = { { 72, 150, 255 }, "U" },
  [AMPHISTO_CHANNEL_V] = { { 255, 96, 140 }, "V" },
  [AMPHISTO_CHANNEL_RED] = { { 255, 64, 56 }, "R" },
  [AMPHISTO_CHANNEL_GREEN] = { { 56, 230, 80 }, "G" },
  [AMPHISTO_CHANNEL_BLUE] = { { 72, 112, 255 }, "B" },
  [AMPHISTO_CHANNEL_ALPHA] = { { 60, 200, 190 }, "A" },
};

const uint32_t *
amphisto_channel_light (AmphistoChannel channel)
{
  return channels[channel].light;
}

const char *
amphisto_channel_letter (AmphistoChannel channel)
{
  return channels[channel].letter;
}

void
amphisto_scope_fill_brightness (
    uint64_t half, uint32_t brightness[AMPHISTO_N_BINS / 4])
{
  memset (brightness, 0, AMPHISTO_N_BINS);
  for (uint64_t n = 1; n < AMPHISTO_N_BINS; n++) {
    const uint64_t light = n * (255 * 256 + half) / (n * 256 + half);

    brightness[n / 4] |= (uint32_t) light << n % 4 * 8;
  }
}

uint32_t
amphisto_scope_plot_size (uint32_t most)
{
  const uint32_t whole = most / AMPHISTO_N_BINS * AMPHISTO_N_BINS;

  return whole * 10 >= most * 9 ? whole : most;
}

uint32_t
amphisto_scope_text_height (const scope_params *scope)
{
  return MAX ((scope->panel_height + 8) / 16,
      AMPHISTO_TEXT_LEAST * scope->gridline_width);
}
