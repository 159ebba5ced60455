/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/overlay.h"
#include "core/captions.h"

#include <string.h>

/* Pixels of a panel: legible, and still of some use. */
#define LEGIBLE_WIDTH 96
#define LEGIBLE_HEIGHT 48
#define LEAST_WIDTH 32
#define LEAST_HEIGHT 16
/* Heights are 16-bit numbers in 1/16 pixel, with room for a line on top. */
#define MOST_HEIGHT 4000

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* --- parameters --- */

/* The light of each channel's line, and of the area under it. Red, green and
 * blue add up to a neutral grey. To leave room for it, luma's area is darker by
 * SHARED_LUMA_DIVISOR where luma shares a graph with others. */
#define SHARED_LUMA_DIVISOR 3

static const struct
{
  uint32_t line[3];
  uint32_t fill[3];
} channel_light[AMPHISTO_N_CHANNELS] = {
  [AMPHISTO_CHANNEL_LUMA] = { { 236, 236, 236 }, { 104, 106, 110 } },
  [AMPHISTO_CHANNEL_U] = { { 72, 150, 255 }, { 24, 60, 120 } },
  [AMPHISTO_CHANNEL_V] = { { 255, 96, 140 }, { 120, 36, 60 } },
  [AMPHISTO_CHANNEL_RED] = { { 255, 64, 56 }, { 132, 20, 18 } },
  [AMPHISTO_CHANNEL_GREEN] = { { 56, 230, 80 }, { 16, 112, 28 } },
  [AMPHISTO_CHANNEL_BLUE] = { { 72, 112, 255 }, { 20, 36, 140 } },
  [AMPHISTO_CHANNEL_ALPHA] = { { 60, 200, 190 }, { 16, 76, 72 } },
};

static uint32_t
divide_rounded (uint32_t a, uint32_t b)
{
  return (a + b / 2) / b;
}

static void
fill_curve (const AmphistoLayout *layout, AmphistoChannel channel,
    uint32_t divisor, curve_params *curve)
{
  uint8_t lo, hi;

  amphisto_channel_range (layout, channel, &lo, &hi);
  curve->black = lo;
  curve->white = hi;
  for (uint32_t c = 0; c < 3; c++) {
    curve->line[c] = channel_light[channel].line[c];
    curve->fill[c] = channel_light[channel].fill[c] / divisor;
  }
}

static void
fill_curves (const AmphistoOverlay *overlay, const AmphistoLayout *layout,
    AmphistoChannelMask measured, AmphistoChannelMask shown,
    overlay_params *params)
{
  const AmphistoChannelMask luma = AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_LUMA);
  const bool shares_graph =
      overlay->mode == AMPHISTO_OVERLAY_OVERLAY && (shown & ~luma) != 0;
  uint32_t slot = 0;

  for (unsigned c = 0; c < AMPHISTO_N_CHANNELS; c++) {
    const AmphistoChannelMask bit = AMPHISTO_CHANNEL_BIT (c);
    curve_params *curve = &params->curve[params->n_curves];

    if (shown & bit) {
      fill_curve (layout, c,
          bit == luma && shares_graph ? SHARED_LUMA_DIVISOR : 1, curve);
      curve->slot = slot;
      params->n_curves++;
    }
    slot += (measured & bit) != 0;
  }
}

/* The size of each of n panels that together have `fraction` of the frame's
 * size, a multiple of `unit`. */
static uint32_t
panel_size (
    uint32_t size, double fraction, uint32_t n, uint32_t legible, uint32_t unit)
{
  const uint32_t wanted = (uint32_t) (size * fraction / n / unit + 0.5) * unit;
  const uint32_t most = size / n / unit * unit;

  return MIN (MAX (wanted, legible), most);
}

/* Where the graph begins: `margin` from the frame's side where there is room,
 * at a multiple of `unit`. */
static uint32_t
place (
    uint32_t size, uint32_t graph, uint32_t margin, bool is_far, uint32_t unit)
{
  const uint32_t most = size - graph;
  const uint32_t near = (margin + unit - 1) / unit * unit;

  return (is_far ? most - MIN (margin, most) : MIN (near, most)) / unit * unit;
}

static void
place_graph (const AmphistoOverlay *overlay, const AmphistoLayout *layout,
    overlay_params *params)
{
  const uint32_t width = layout->component[AMPHISTO_CHANNEL_LUMA].width;
  const uint32_t height = layout->component[AMPHISTO_CHANNEL_LUMA].height;
  const uint32_t margin = MIN (width, height) / 40;
  const bool is_right = overlay->position == AMPHISTO_OVERLAY_TOP_RIGHT
      || overlay->position == AMPHISTO_OVERLAY_BOTTOM_RIGHT;
  const bool is_bottom = overlay->position == AMPHISTO_OVERLAY_BOTTOM_LEFT
      || overlay->position == AMPHISTO_OVERLAY_BOTTOM_RIGHT;

  params->panels_x =
      overlay->mode == AMPHISTO_OVERLAY_PARADE ? params->n_curves : 1;
  params->panels_y =
      overlay->mode == AMPHISTO_OVERLAY_STACK ? params->n_curves : 1;
  params->panel_curves =
      overlay->mode == AMPHISTO_OVERLAY_OVERLAY ? params->n_curves : 1;
  params->panel_width = panel_size (
      width, overlay->width, params->panels_x, LEGIBLE_WIDTH, OVERLAY_UNIT);
  params->panel_height = MIN (MOST_HEIGHT,
      panel_size (height, overlay->height, params->panels_y, LEGIBLE_HEIGHT,
          OVERLAY_ROWS));
  params->x = place (width, params->panels_x * params->panel_width, margin,
      is_right, OVERLAY_UNIT);
  params->y = place (height, params->panels_y * params->panel_height, margin,
      is_bottom, OVERLAY_ROWS);
}

/* What lies where in a panel. Lines are thicker in larger panels. */
static void
divide_panel (const AmphistoOverlay *overlay, const AmphistoLayout *layout,
    overlay_params *params)
{
  const uint32_t size = MIN (params->panel_width, params->panel_height);
  const uint32_t rule = MAX (1, divide_rounded (size, 240));
  const uint32_t headroom = rule + 3 + params->panel_height / 20;

  params->rule_width = rule;
  params->line_width = MAX (20, size * 16 / 180);
  params->bar_width = overlay->clipping & AMPHISTO_CLIPPING_BARS
      ? MAX (3, params->panel_width / 64)
      : 0;
  params->plot_left =
      params->bar_width > 0 ? params->bar_width + 3 * rule : 2 * rule;
  params->plot_width = params->panel_width - 2 * params->plot_left;
  params->caption_top =
      params->panel_height - amphisto_captions_height (params, overlay, layout);
  params->plot_bottom =
      MIN (params->panel_height - 2 * rule, params->caption_top - rule);
  params->plot_height = params->plot_bottom - headroom;
  params->arrow_bottom = headroom - rule - MAX (1, headroom / 4);
  params->step =
      ((255u << 16) + params->plot_width - 2) / (params->plot_width - 1);
}

void
amphisto_overlay_fill_params (const AmphistoOverlay *overlay,
    const AmphistoLayout *layout, AmphistoChannelMask measured,
    AmphistoChannelMask shown, overlay_params *params)
{
  memset (params, 0, sizeof *params);
  if (overlay->mode == AMPHISTO_OVERLAY_NONE)
    return;
  measured &= layout->channels;
  fill_curves (overlay, layout, measured, shown & measured, params);
  if (params->n_curves == 0)
    return;
  place_graph (overlay, layout, params);
  if (params->panel_width < LEAST_WIDTH
      || params->panel_height < LEAST_HEIGHT) {
    params->n_curves = params->panels_x = 0;
    return;
  }
  divide_panel (overlay, layout, params);
  params->background = (uint32_t) (overlay->opacity * 255 + 0.5);
  params->is_log = overlay->scale == AMPHISTO_OVERLAY_LOG;
  params->has_graticule = overlay->graticule;
  params->has_marks = overlay->percentile_marks;
}

/* A panel: a number for each row, three for each column; a curve: nine. */
size_t
amphisto_overlay_n_columns (const overlay_params *params)
{
  const size_t n_panels = (size_t) params->panels_x * params->panels_y;

  return n_panels * (params->panel_height + 3 * params->panel_width)
      + (size_t) params->n_curves * 9 * params->panel_width;
}
