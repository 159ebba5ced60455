/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/histogram_caption.h"
#include "core/pixels/arithmetic.h"
#include "core/pixels/channels.h"
#include "core/scopes/axis.h"
#include "core/scopes/curves.h"

#include <string.h>

/* --- parameters --- */

/* The areas below more than BRIGHT_AREAS curves of a panel share the light of
 * BRIGHT_AREAS + 1. To leave room for the colours of other channels, luma's
 * area is darker by SHARED_LUMA_DIVISOR in panels with them. */
#define BRIGHT_AREAS 2
#define SHARED_LUMA_DIVISOR 3

/* On a logarithmic scale, overlaid curves are outlines: areas would cover each
 * other nearly everywhere. */
static void
fill_area (const histogram_scope_params *params, curve_params *curve)
{
  const AmphistoChannelStyle *style = &amphisto_channel_styles[curve->channel];
  const uint32_t n = params->panel_curves;
  const uint32_t whole = BRIGHT_AREAS + 1;
  const bool has_area = n == 1 || !params->is_log;
  const bool is_darker = n > 1 && curve->channel == AMPHISTO_CHANNEL_LUMA;
  const uint32_t divisor =
      MAX (whole, n + 1) * (is_darker ? SHARED_LUMA_DIVISOR : 1);

  for (uint32_t c = 0; c < 3; c++)
    curve->fill[c] = has_area ? style->fill[c] * whole / divisor : 0;
}

/* A position on the axis, in 1/65536 of it, as a column of the plot. */
static uint32_t
axis_column (const histogram_scope_params *params, uint32_t position)
{
  return (position * (params->scope.plot_width - 1) + 32768) >> 16;
}

/* Stores the curve's range, columns and colours. An arrow's sides have a slope
 * of two rows per column. */
static void
fill_curve (const AmphistoScopeWork *work, const histogram_scope_params *params,
    curve_params *curve)
{
  const AmphistoChannel channel = curve->channel;
  const AmphistoRange range = amphisto_channel_range (work->part, channel);
  const AmphistoAxisSpan span =
      amphisto_axis_span (work->part, work->shown, channel);

  curve->slot = amphisto_scope_slot (work, channel);
  curve->black = range.lo;
  curve->white = range.hi;
  curve->left = axis_column (params, span.first);
  curve->width = axis_column (params, span.last) - curve->left + 1;
  curve->bins_per_column =
      ((255u << 16) + curve->width - 2) / (curve->width - 1);
  curve->arrow_bins = MIN (AMPHISTO_N_BINS,
      ((params->arrow_bottom / 2 + 1) * curve->bins_per_column >> 16) + 2);
  memcpy (
      curve->line, amphisto_channel_styles[channel].line, sizeof curve->line);
  fill_area (params, curve);
}

/* Bins of U and V are taller than others, as they are few and near neutral, so
 * they have a scale of their own. On a logarithmic scale, that is no harm: each
 * panel has one. */
static void
fill_curves (const AmphistoScopeWork *work, histogram_scope_params *params)
{
  for (unsigned c = 0; c < AMPHISTO_N_CHANNELS; c++)
    if (work->shown & AMPHISTO_CHANNEL_BIT (c)) {
      const uint32_t i = params->n_curves++;
      curve_params *curve = &params->curve[i];

      curve->channel = c;
      curve->scale = params->is_log ? i / params->panel_curves
                                    : amphisto_channel_is_chroma (c);
      params->n_scales = MAX (params->n_scales, curve->scale + 1);
      fill_curve (work, params, curve);
    }
  params->zero = amphisto_axis_percent (work->part, work->shown, 0);
  params->hundred = amphisto_axis_percent (work->part, work->shown, 100);
  params->is_percent = amphisto_axis_is_mixed (work->part, work->shown);
}

/* Divides a panel into bars, the plot with its curves, and caption. Lines are
 * thicker in larger panels. */
static void
divide_panel (const AmphistoScopeWork *work, histogram_scope_params *params)
{
  scope_params *scope = &params->scope;
  const uint32_t size = MIN (scope->panel_width, scope->panel_height);
  const uint32_t gridline = scope->gridline_width;
  const uint32_t headroom = gridline + 3 + scope->panel_height / 20;
  uint32_t bottom;

  params->line_width = MAX (work->part->has_fields ? 32 : 20, size * 16 / 180);
  if (work->settings->clipping_bars)
    params->bar_width = MAX (3, scope->panel_width / 64);
  scope->plot_left =
      params->bar_width > 0 ? params->bar_width + 3 * gridline : 2 * gridline;
  scope->plot_width = scope->panel_width - 2 * scope->plot_left;
  params->arrow_bottom = headroom - gridline - MAX (1, headroom / 4);
  fill_curves (work, params);
  params->caption_top =
      scope->panel_height - amphisto_histogram_caption_height (params);
  bottom =
      MIN (scope->panel_height - 2 * gridline, params->caption_top - gridline);
  scope->plot_top = headroom;
  scope->plot_height = bottom - headroom;
}

/* --- labels of marks --- */

static const char *const mark_labels[CURVES_N_MARKS] = { "1", "99", "50" };

/* The graticule has the labels below the scope, side by side on their backings.
 *
 * Returns: the backing of label m, relative to its text. */
static AmphistoArea
label_area (const histogram_scope_params *params, uint32_t m)
{
  return amphisto_graticule_text_area (
      0, 0, params->label_text, mark_labels[m], params->scope.pixel_aspect);
}

/* Stores the labels' columns.
 *
 * Returns: the end of the last label. */
static uint32_t
divide_labels (histogram_scope_params *params)
{
  uint32_t left = 1;

  for (uint32_t m = 0; m < CURVES_N_MARKS; m++) {
    const AmphistoArea area = label_area (params, m);

    params->label_left[m] = left;
    left += (uint32_t) (area.right - area.left);
  }
  params->label_left[CURVES_N_MARKS] = left;
  return left;
}

/* The labels of a curve take at most half of the plot's width. The labels of
 * all curves take at most two thirds of its height. */
static void
fill_labels (histogram_scope_params *params)
{
  scope_params *scope = &params->scope;
  const uint32_t room = scope->plot_height * 2 / 3 - scope->gridline_width;

  params->label_text = amphisto_scope_text_height (scope);
  while (params->label_text >= AMPHISTO_TEXT_LEAST
      && divide_labels (params) > scope->plot_width / 2)
    params->label_text--;
  if (params->label_text < AMPHISTO_TEXT_LEAST)
    return;

  const AmphistoArea area = label_area (params, 0);
  const uint32_t height = (uint32_t) (area.bottom - area.top);

  params->label_top = scope->plot_top + scope->gridline_width;
  params->n_labelled = MIN (params->panel_curves, room / height);
  scope->label_height = params->n_labelled > 0 ? height : 0;
}

static void
fill_params (const AmphistoScopeWork *work, scope_params *scope)
{
  histogram_scope_params *params = (histogram_scope_params *) scope;

  params->lo = work->part->lo;
  params->hi = work->part->hi;
  params->is_log = work->settings->scale == AMPHISTO_SCOPE_LOG;
  params->has_marks = work->settings->percentile_marks;
  params->panel_curves = amphisto_channels_count (work->shown)
      / (scope->panels_x * scope->panels_y);
  divide_panel (work, params);
  if (params->has_marks && scope->has_graticule)
    fill_labels (params);
}

/* --- graticule --- */

typedef struct
{
  const histogram_scope_params *params;
  const curve_params *curve; /* of the panel */
  AmphistoGraticule *graticule;
} Panel;

/* A line over a code, or a per cent, of the axis. */
static void
draw_value (const Panel *panel, uint32_t at, uint32_t light)
{
  const histogram_scope_params *params = panel->params;
  const uint32_t gridline = params->scope.gridline_width;

  amphisto_graticule_fill (panel->graticule,
      amphisto_histogram_axis_column (params, at) - gridline / 2, 0, gridline,
      params->caption_top, light);
}

/* A line across the panel. */
static void
draw_row (const Panel *panel, uint32_t y, uint32_t light)
{
  const scope_params *scope = &panel->params->scope;

  amphisto_graticule_fill (
      panel->graticule, 0, y, scope->panel_width, scope->gridline_width, light);
}

/* The limits of limited range: black and white, or the extremes of chroma. */
static void
draw_limits (const Panel *panel)
{
  const bool is_percent = panel->params->is_percent;

  if ((is_percent ? panel->params->lo : panel->curve->black) == 0)
    return;
  draw_value (
      panel, is_percent ? 0 : panel->curve->black, AMPHISTO_SCOPE_LIMIT);
  draw_value (
      panel, is_percent ? 100 : panel->curve->white, AMPHISTO_SCOPE_LIMIT);
}

/* The plot's border, the quarters of the axis and, for limited range, its ends;
 * on a linear scale, the quarters of the height. */
static void
draw_gridlines (const Panel *panel)
{
  const histogram_scope_params *params = panel->params;
  const scope_params *scope = &params->scope;
  const uint32_t gridline = scope->gridline_width;
  const uint32_t bottom = scope->plot_top + scope->plot_height;

  for (uint32_t quarter = 1; quarter < 4; quarter++) {
    draw_value (panel, (params->is_percent ? 25 : 64) * quarter,
        AMPHISTO_SCOPE_QUARTER);
    if (!params->is_log)
      draw_row (panel, bottom - scope->plot_height * quarter / 4 - gridline,
          AMPHISTO_SCOPE_QUARTER);
  }
  amphisto_graticule_fill (panel->graticule, scope->plot_left - gridline, 0,
      gridline, params->caption_top, AMPHISTO_SCOPE_BORDER);
  amphisto_graticule_fill (panel->graticule,
      scope->plot_left + scope->plot_width, 0, gridline, params->caption_top,
      AMPHISTO_SCOPE_BORDER);
  draw_row (panel, bottom, AMPHISTO_SCOPE_BORDER);
  draw_row (panel, scope->plot_top - gridline, AMPHISTO_SCOPE_BORDER);
  draw_limits (panel);
}

/* The labels of marks, below the scope. They are white; kernels colour them. */
static void
draw_labels (const histogram_scope_params *params, AmphistoGraticule *graticule)
{
  for (uint32_t m = 0; m < CURVES_N_MARKS; m++) {
    const AmphistoArea area = label_area (params, m);

    amphisto_graticule_text (graticule, (int) params->label_left[m] - area.left,
        (int) params->scope.height - area.top, params->label_text,
        mark_labels[m], AMPHISTO_LIGHT (255, 255, 255));
  }
}

static void
draw_graticule (
    const scope_params *scope, uint32_t p, AmphistoGraticule *graticule)
{
  const histogram_scope_params *params = (const histogram_scope_params *) scope;
  const Panel panel = { params, &params->curve[p * params->panel_curves],
    graticule };

  if (scope->has_graticule)
    draw_gridlines (&panel);
  amphisto_histogram_caption_draw (params, p, graticule);
  if (p == 0 && scope->label_height > 0)
    draw_labels (params, graticule);
}

const AmphistoScope amphisto_histogram_scope = { "histogram", "Histogram",
  offsetof (AmphistoScopeParams, histogram), false, fill_params, draw_graticule,
  amphisto_curves_trace_size, amphisto_curves_measure,
  amphisto_curves_draw_pixel };
