/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/captions.h"
#include "core/pixels/arithmetic.h"
#include "core/change/exposure.h"
#include "core/pixels/channels.h"
#include "core/scopes/axis.h"
#include "core/scopes/curves.h"
#include "core/scopes/drawing.h"
#include "core/scopes/places.h"

#include <math.h>
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

/* Stores the curve's range, columns and colours. */
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
  for (uint32_t i = 0; i < SCOPE_N_TICKS; i++)
    params->scope.ticks[i] =
        axis_column (params, amphisto_captions_tick (work, &params->scope, i));
}

/* An arrow's sides have a slope of two rows per column. */
static void
fill_arrows (histogram_scope_params *params)
{
  const uint32_t height = params->arrow_bottom - params->arrow_top;

  for (uint32_t i = 0; i < params->n_curves; i++) {
    curve_params *curve = &params->curve[i];

    curve->arrow_bins = MIN (
        AMPHISTO_N_BINS, ((height / 2 + 1) * curve->bins_per_column >> 16) + 2);
  }
}

/* --- sizes --- */

/* Heights of the legend and of the space above it, in sevenths of the text's.
 */
#define LEGEND_HEIGHT 3
/* The most that it takes of a panel, as a divisor of its height. */
#define LEGEND_DIVISOR 8

/* Divides a panel's width into bars, and the plot with its curves. Lines are
 * thicker in larger panels. */
static void
divide_width (const AmphistoScopeWork *work, histogram_scope_params *params)
{
  scope_params *scope = &params->scope;
  const uint32_t size = MIN (scope->panel_width, scope->panel_height);
  const uint32_t gridline = scope->gridline_width;
  const uint32_t margin = amphisto_scope_side_margin (scope);

  params->line_width = MAX (work->part->has_fields ? 32 : 20, size * 16 / 180);
  if (work->settings->clipping_bars)
    params->bar_width = MAX (3, scope->panel_width / 64);
  params->bar_left = margin;
  scope->plot_left =
      margin + (params->bar_width > 0 ? params->bar_width + 2 * gridline : 0);
  scope->plot_width = scope->panel_width - 2 * scope->plot_left;
}

/* Whether the first panel has other figures than the last. */
static bool
has_upper_figures (const scope_params *scope)
{
  return !amphisto_captions_are_same (scope, 0, scope->panels_y - 1);
}

/* The figures of panels below each other are once above or below them, in rows
 * of their own. */
static void
share_figures (const AmphistoScopeWork *work, histogram_scope_params *params)
{
  scope_params *scope = &params->scope;
  const uint32_t unit = amphisto_drawing_rows (work->layout);
  const uint32_t rows =
      round_up (scope->text_height + amphisto_scope_margin (scope), unit);
  const uint32_t n = has_upper_figures (scope) ? 2 : 1;
  const uint32_t height = scope->height > n * rows
      ? (scope->height - n * rows) / scope->panels_y / unit * unit
      : 0;

  if (!scope->has_graticule || height < AMPHISTO_LEGIBLE_HEIGHT)
    return;
  params->has_figures = 1;
  scope->panels_top = (n - 1) * rows;
  scope->panel_height = height;
}

/* Divides a panel's height, from the top: letters, labels, headroom, the plot,
 * the legend and figures. */
static void
divide_height (histogram_scope_params *params)
{
  scope_params *scope = &params->scope;
  const uint32_t margin = amphisto_scope_margin (scope);
  const uint32_t row = amphisto_captions_row (scope);
  const uint32_t gridline = scope->gridline_width;
  const uint32_t headroom = gridline + 3 + scope->panel_height / 20;
  const uint32_t legend = (LEGEND_HEIGHT * scope->text_height + 3) / 7;
  uint32_t room = scope->panel_height - 2 * margin - headroom;
  uint32_t top = margin;

  if (scope->has_legend && legend * LEGEND_DIVISOR <= scope->panel_height) {
    params->legend_height = legend;
    room -= legend + amphisto_scope_text_gap (scope);
  }
  scope->has_letters = amphisto_captions_letters_fit (scope)
      && amphisto_captions_take_row (scope, &room);
  if (scope->panels_y == 1)
    params->has_figures = amphisto_captions_take_row (scope, &room);
  params->has_labels =
      params->has_marks && amphisto_captions_take_row (scope, &room);
  if (!scope->has_letters && !params->has_labels) {
    room += margin; /* the headroom is enough */
    top = 0;
  }
  scope->letters_top = top;
  top += scope->has_letters ? row : 0;
  params->label_top = top;
  top += params->has_labels ? row : 0;
  params->arrow_top = top;
  params->arrow_bottom = top + headroom - gridline - MAX (1, headroom / 4);
  scope->plot_top = top + headroom;
  scope->plot_height = room;
}

/* --- labels of marks --- */

static const char *const mark_labels[CURVES_N_MARKS] = { "P1", "P99", "P50" };

/* Columns beside a label. */
static uint32_t
label_space (const scope_params *scope)
{
  return amphisto_scope_columns (scope, amphisto_scope_text_gap (scope) / 2);
}

/* Places the labels below the scope, side by side with their backings, unless
 * they are wider than the scope. */
static void
fill_labels (histogram_scope_params *params)
{
  scope_params *scope = &params->scope;
  const AmphistoArea first = amphisto_scope_text_area (scope, mark_labels[0]);
  uint32_t left = 0;

  for (uint32_t m = 0; m < CURVES_N_MARKS; m++) {
    const AmphistoArea area = amphisto_scope_text_area (scope, mark_labels[m]);

    params->label_left[m] = left;
    left += (uint32_t) (area.right - area.left) + 2 * label_space (scope);
  }
  params->label_left[CURVES_N_MARKS] = left;
  params->label_top -= (uint32_t) -first.top;
  params->has_labels = left <= scope->width;
  scope->glyph_rows =
      params->has_labels ? (uint32_t) (first.bottom - first.top) : 0;
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
  amphisto_captions_init (work, scope);
  if (scope->panels_y > 1)
    share_figures (work, params);
  divide_width (work, params);
  fill_curves (work, params);
  divide_height (params);
  fill_arrows (params);
  if (params->has_labels)
    fill_labels (params);
  if (scope->has_letters)
    amphisto_captions_place (work, scope, params->label_left[CURVES_N_MARKS]);
}

/* --- graticule --- */

/* A line across the headroom and the plot, in a column of the plot. */
static void
draw_column (const histogram_scope_params *params, uint32_t column,
    uint32_t light, AmphistoGraticule *graticule)
{
  const scope_params *scope = &params->scope;

  amphisto_graticule_fill (graticule,
      scope->plot_left + column - scope->gridline_width / 2, params->arrow_top,
      scope->gridline_width,
      scope->plot_top + scope->plot_height - params->arrow_top, light);
}

/* A line across the plot, and the bars beside it. */
static void
draw_row (const histogram_scope_params *params, uint32_t y, uint32_t light,
    AmphistoGraticule *graticule)
{
  const scope_params *scope = &params->scope;
  const uint32_t left =
      (params->bar_width > 0 ? params->bar_left : scope->plot_left)
      - scope->gridline_width;

  amphisto_graticule_fill (graticule, left, y, scope->panel_width - 2 * left,
      scope->gridline_width, light);
}

/* The plot's border, the ticks of the axis, the first and the last where codes
 * are beyond, and, on a linear scale, the quarters of the height. */
static void
draw_gridlines (
    const histogram_scope_params *params, AmphistoGraticule *graticule)
{
  const scope_params *scope = &params->scope;
  const uint32_t gridline = scope->gridline_width;
  const uint32_t bottom = scope->plot_top + scope->plot_height;

  for (uint32_t i = 1; i + 1 < SCOPE_N_TICKS; i++) {
    draw_column (params, scope->ticks[i], AMPHISTO_SCOPE_QUARTER, graticule);
    if (!params->is_log)
      draw_row (params, bottom - scope->plot_height * i / 4 - gridline,
          AMPHISTO_SCOPE_QUARTER, graticule);
  }
  amphisto_graticule_box (graticule, scope->plot_left - gridline,
      params->arrow_top, scope->plot_width + 2 * gridline,
      bottom + gridline - params->arrow_top, gridline, AMPHISTO_SCOPE_BORDER);
  draw_row (params, bottom, AMPHISTO_SCOPE_BORDER, graticule);
  draw_row (
      params, scope->plot_top - gridline, AMPHISTO_SCOPE_BORDER, graticule);
  if (amphisto_captions_have_limits (scope, scope->plot_width)) {
    draw_column (params, scope->ticks[0], AMPHISTO_SCOPE_LIMIT, graticule);
    draw_column (params, scope->ticks[SCOPE_N_TICKS - 1], AMPHISTO_SCOPE_LIMIT,
        graticule);
  }
}

/* Luma at a column of the plot. */
static uint32_t
luma_at (const histogram_scope_params *params, uint32_t column)
{
  const double position = 65536.0 * column / (params->scope.plot_width - 1);
  const long v = lround (params->lo
      + (position - params->zero) / (params->hundred - params->zero)
          * (params->hi - params->lo));

  return (uint32_t) MAX (0, MIN (v, AMPHISTO_N_BINS - 1));
}

/* The legend of false colour, below the plot. */
static void
draw_legend (const histogram_scope_params *params, AmphistoGraticule *graticule)
{
  const scope_params *scope = &params->scope;
  const uint32_t top =
      scope->plot_top + scope->plot_height + amphisto_scope_text_gap (scope);

  for (uint32_t x = 0; x < scope->plot_width; x++)
    amphisto_graticule_fill (graticule, scope->plot_left + x, top, 1,
        params->legend_height,
        amphisto_exposure_light (
            scope->legend_scale, params->lo, params->hi, luma_at (params, x)));
}

/* The figures of a panel, in a row of it. */
static void
draw_figures (const scope_params *scope, uint32_t panel, int y,
    AmphistoGraticule *graticule)
{
  AmphistoFigure figures[SCOPE_N_TICKS];
  const uint32_t n = amphisto_captions_figures (scope, panel, false, figures);

  for (uint32_t i = 0; i < n; i++)
    amphisto_graticule_text (graticule, figures[i].begin, y, scope->text_height,
        figures[i].text, AMPHISTO_SCOPE_TEXT);
}

/* Figures are below panels side by side; below the last of panels below each
 * other, and above the first if it has others. */
static void
draw_all_figures (
    const scope_params *scope, uint32_t panel, AmphistoGraticule *graticule)
{
  const bool is_stack = scope->panels_y > 1;
  const int margin = (int) amphisto_scope_margin (scope);
  const int text = (int) scope->text_height;

  if (!is_stack)
    draw_figures (
        scope, panel, (int) scope->panel_height - margin - text, graticule);
  else if (panel == scope->panels_y - 1)
    draw_figures (scope, panel, (int) scope->panel_height, graticule);
  else if (panel == 0 && has_upper_figures (scope))
    draw_figures (scope, panel, -text, graticule);
}

/* The labels of marks, below the scope. They are white; see
 * amphisto_curves_draw_labels(). */
static void
draw_labels (const histogram_scope_params *params, AmphistoGraticule *graticule)
{
  const scope_params *scope = &params->scope;

  graticule->left = graticule->top = 0;
  for (uint32_t m = 0; m < CURVES_N_MARKS; m++) {
    const AmphistoArea area = amphisto_scope_text_area (scope, mark_labels[m]);

    amphisto_graticule_text (graticule,
        (int) (params->label_left[m] + label_space (scope)) - area.left,
        (int) scope->height - area.top, scope->text_height, mark_labels[m],
        AMPHISTO_LIGHT (255, 255, 255));
  }
}

static void
draw_graticule (
    const scope_params *scope, uint32_t p, AmphistoGraticule *graticule)
{
  const histogram_scope_params *params = (const histogram_scope_params *) scope;

  if (scope->has_graticule)
    draw_gridlines (params, graticule);
  if (params->legend_height > 0)
    draw_legend (params, graticule);
  if (scope->has_letters)
    amphisto_captions_draw_letters (scope, p, graticule);
  if (params->has_figures)
    draw_all_figures (scope, p, graticule);
  if (params->has_labels && p == 0)
    draw_labels (params, graticule);
  if (scope->n_numbers > 0 && p == 0)
    amphisto_captions_draw_glyphs (scope, graticule);
}

static void
draw_text (const scope_params *scope, const AmphistoScopeInput *input,
    AmphistoGraticule *graticule)
{
  amphisto_curves_draw_labels (scope, input, graticule);
  amphisto_captions_draw_numbers (scope, input, graticule);
}

const AmphistoScope amphisto_histogram_scope = { "histogram", "Histogram",
  offsetof (AmphistoScopeParams, histogram), false, fill_params, draw_graticule,
  amphisto_curves_trace_size, amphisto_curves_measure,
  amphisto_curves_draw_pixel, draw_text };
