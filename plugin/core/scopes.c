/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/scopes.h"
#include "core/arithmetic.h"
#include "core/drawing.h"
#include "core/graticule.h"

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
/* The size of a panel per pixel of a gridline's width. */
#define RULE_DIVISOR 240

/* The edge along which scopes are placed. width, height: the picture's size.
 * rows: of a block. margin: distance to the picture's sides, if there is room.
 * used: pixels taken so far along the edge, including space for the next scope.
 */
typedef struct
{
  const AmphistoOverlay *overlay;
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
add_scope (Edge *edge, AmphistoScopePlace *scope)
{
  const AmphistoScopePosition position = edge->overlay->position;
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
    *scope = (AmphistoScopePlace){ 0 };
    return;
  }
  scope->x = place (edge->width, width, MAX (edge->margin, edge->used),
      is_right, OVERLAY_UNIT);
  scope->y = place (edge->height, height, edge->margin, is_bottom, edge->rows);
  edge->used = (is_right ? edge->width - scope->x : scope->x + width)
      + MAX (OVERLAY_UNIT, edge->margin / OVERLAY_UNIT * OVERLAY_UNIT);
}

/* The panels of a histogram or waveform: one in mode `overlay`, otherwise one
 * per channel. */
static AmphistoScopePlace
graph_size (const Edge *edge, uint32_t n_channels)
{
  const AmphistoOverlay *overlay = edge->overlay;
  AmphistoScopePlace graph = {
    .panels_x = overlay->display == AMPHISTO_DISPLAY_PARADE ? n_channels : 1,
    .panels_y = overlay->display == AMPHISTO_DISPLAY_STACK ? n_channels : 1,
  };

  graph.panel_width = panel_size (
      edge->width, overlay->width, graph.panels_x, LEGIBLE_WIDTH, OVERLAY_UNIT);
  graph.panel_height = MIN (MOST_HEIGHT,
      panel_size (edge->height, overlay->height, graph.panels_y, LEGIBLE_HEIGHT,
          edge->rows));
  return graph;
}

/* A square panel as high as a graph in mode `overlay`; its width is rounded up
 * to OVERLAY_UNIT. */
static AmphistoScopePlace
square_size (const Edge *edge)
{
  const uint32_t most =
      MIN (MOST_HEIGHT, edge->width) / OVERLAY_UNIT * OVERLAY_UNIT;
  const uint32_t height = MIN (most,
      panel_size (
          edge->height, edge->overlay->height, 1, LEGIBLE_HEIGHT, edge->rows));

  return (AmphistoScopePlace){ .panel_width = round_up (height, OVERLAY_UNIT),
    .panel_height = height,
    .panels_x = 1,
    .panels_y = 1 };
}

void
amphisto_scopes_place (const AmphistoOverlay *overlay,
    const AmphistoLayout *layout, uint32_t n_channels,
    AmphistoScopePlaces *places)
{
  const AmphistoComponent *pixels = &layout->component[AMPHISTO_CHANNEL_LUMA];
  const AmphistoChannelMask coloured = AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_U)
      | AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_RED);
  Edge edge = { overlay, pixels->width, pixels->height,
    amphisto_drawing_rows (layout), MIN (pixels->width, pixels->height) / 40,
    0 };

  *places = (AmphistoScopePlaces){ 0 };
  if (n_channels > 0 && (overlay->scopes & AMPHISTO_SCOPE_HISTOGRAM)) {
    places->histogram = graph_size (&edge, n_channels);
    add_scope (&edge, &places->histogram);
  }
  if (n_channels > 0 && (overlay->scopes & AMPHISTO_SCOPE_WAVEFORM)) {
    places->waveform = graph_size (&edge, n_channels);
    add_scope (&edge, &places->waveform);
  }
  if ((layout->channels & coloured)
      && (overlay->scopes & AMPHISTO_SCOPE_VECTORSCOPE)) {
    places->vectorscope = square_size (&edge);
    add_scope (&edge, &places->vectorscope);
  }
}

/* --- light --- */

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
amphisto_scope_rule (
    const AmphistoLayout *layout, uint32_t width, uint32_t height)
{
  const uint32_t size = MIN (width, height);
  const uint32_t least = layout->has_fields ? 2 : 1;

  return MAX (least, (size + RULE_DIVISOR / 2) / RULE_DIVISOR);
}

uint32_t
amphisto_scope_text_scale (uint32_t height, uint32_t rule)
{
  return MAX (amphisto_graticule_text_scale (height), rule);
}
