/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/overlay.h"
#include "core/arithmetic.h"
#include "core/captions.h"
#include "core/scopes.h"

#include <string.h>

/* --- parameters --- */

/* The light of each channel's line, and of the area below it. Red, green and
 * blue add up to a neutral grey. To leave room for them, luma's area is darker
 * by SHARED_LUMA_DIVISOR in graphs with other channels. */
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

const uint32_t *
amphisto_channel_light (AmphistoChannel channel)
{
  return channel_light[channel].line;
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
      overlay->display == AMPHISTO_DISPLAY_OVERLAY && (shown & ~luma) != 0;
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

/* Returns: false if there is no room for the graph. */
static bool
place_graph (const AmphistoOverlay *overlay, const AmphistoLayout *layout,
    overlay_params *params)
{
  AmphistoScopePlaces places;

  amphisto_scopes_place (overlay, layout, params->n_curves, &places);
  params->x = places.histogram.x;
  params->y = places.histogram.y;
  params->panel_width = places.histogram.panel_width;
  params->panel_height = places.histogram.panel_height;
  params->panels_x = places.histogram.panels_x;
  params->panels_y = places.histogram.panels_y;
  params->panel_curves =
      overlay->display == AMPHISTO_DISPLAY_OVERLAY ? params->n_curves : 1;
  return params->panels_x > 0;
}

/* Divides a panel into bars, plot and caption. Lines are thicker in larger
 * panels. */
static void
divide_panel (const AmphistoOverlay *overlay, const AmphistoLayout *layout,
    overlay_params *params)
{
  const uint32_t size = MIN (params->panel_width, params->panel_height);
  const uint32_t rule =
      amphisto_scope_rule (layout, params->panel_width, params->panel_height);
  const uint32_t headroom = rule + 3 + params->panel_height / 20;

  params->gridline_width = rule;
  params->line_width = MAX (layout->has_fields ? 32 : 20, size * 16 / 180);
  params->bar_width =
      overlay->clipping_bars ? MAX (3, params->panel_width / 64) : 0;
  params->plot_left =
      params->bar_width > 0 ? params->bar_width + 3 * rule : 2 * rule;
  params->plot_width = params->panel_width - 2 * params->plot_left;
  params->caption_top =
      params->panel_height - amphisto_captions_height (params, overlay, layout);
  params->plot_bottom =
      MIN (params->panel_height - 2 * rule, params->caption_top - rule);
  params->plot_height = params->plot_bottom - headroom;
  params->arrow_bottom = headroom - rule - MAX (1, headroom / 4);
  params->bins_per_column =
      ((255u << 16) + params->plot_width - 2) / (params->plot_width - 1);
}

void
amphisto_overlay_fill_params (const AmphistoOverlay *overlay,
    const AmphistoLayout *layout, AmphistoChannelMask measured,
    AmphistoChannelMask shown, overlay_params *params)
{
  memset (params, 0, sizeof *params);
  measured &= layout->channels;
  fill_curves (overlay, layout, measured, shown & measured, params);
  if (params->n_curves == 0)
    return;
  if (!place_graph (overlay, layout, params)) {
    params->n_curves = 0;
    return;
  }
  divide_panel (overlay, layout, params);
  params->background = (uint32_t) (overlay->opacity * 255 + 0.5);
  params->is_log = overlay->scale == AMPHISTO_SCOPE_LOG;
  params->has_graticule = overlay->graticule;
  params->has_marks = overlay->percentile_marks;
}

/* For each panel, one number per row and three per column; for each curve, nine
 * per column. */
size_t
amphisto_overlay_n_columns (const overlay_params *params)
{
  const size_t n_panels = (size_t) params->panels_x * params->panels_y;

  return n_panels * (params->panel_height + 3 * params->panel_width)
      + (size_t) params->n_curves * 9 * params->panel_width;
}
