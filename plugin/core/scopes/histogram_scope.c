/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/histogram_scope.h"
#include "core/pixels/arithmetic.h"
#include "core/change/exposure.h"
#include "core/scopes/font.h"
#include "core/pixels/channels.h"

/* --- parameters --- */

/* To leave room for the colours of other channels, luma's area is darker by
 * SHARED_LUMA_DIVISOR in panels with them. */
#define SHARED_LUMA_DIVISOR 3

static void
fill_curve (const AmphistoLayout *layout, AmphistoChannel channel,
    uint32_t divisor, curve_params *curve)
{
  const AmphistoChannelStyle *style = &amphisto_channel_styles[channel];
  uint8_t lo, hi;

  amphisto_channel_range (layout, channel, &lo, &hi);
  curve->channel = channel;
  curve->black = lo;
  curve->white = hi;
  for (uint32_t c = 0; c < 3; c++) {
    curve->line[c] = style->line[c];
    curve->fill[c] = style->fill[c] / divisor;
  }
}

static void
fill_curves (const AmphistoScopeWork *work, histogram_scope_params *params)
{
  const AmphistoChannelMask luma = AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_LUMA);
  const bool shares_panel = work->settings->display == AMPHISTO_DISPLAY_OVERLAY
      && (work->shown & ~luma) != 0;

  for (unsigned c = 0; c < AMPHISTO_N_CHANNELS; c++) {
    const AmphistoChannelMask bit = AMPHISTO_CHANNEL_BIT (c);
    curve_params *curve = &params->curve[params->n_curves];

    if (!(work->shown & bit))
      continue;
    fill_curve (work->part, c,
        bit == luma && shares_panel ? SHARED_LUMA_DIVISOR : 1, curve);
    curve->slot = amphisto_scope_slot (work, c);
    params->n_curves++;
  }
}

/* Divides a panel into bars, plot and caption. Lines are thicker in larger
 * panels. */
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
  params->caption_top =
      scope->panel_height - amphisto_histogram_scope_caption_height (params);
  bottom =
      MIN (scope->panel_height - 2 * gridline, params->caption_top - gridline);
  scope->plot_top = headroom;
  scope->plot_height = bottom - headroom;
  params->arrow_bottom = headroom - gridline - MAX (1, headroom / 4);
  params->bins_per_column =
      ((255u << 16) + scope->plot_width - 2) / (scope->plot_width - 1);
}

/* For each panel, one number per row and per column; for each curve, ten per
 * column. Kernels read SCOPE_UNIT columns at once, even at the end. */
size_t
amphisto_histogram_scope_n_columns (const histogram_scope_params *params)
{
  const scope_params *scope = &params->scope;
  const size_t n_panels = (size_t) scope->panels_x * scope->panels_y;

  return n_panels * (scope->panel_height + scope->panel_width)
      + (size_t) params->n_curves * 10 * scope->panel_width + SCOPE_UNIT;
}

/* --- captions --- */

/* Spaces in sevenths of the text's height: on both sides of the ends of the
 * scale, and above and below the legend and the text. */
#define END_SPACE 6
#define LINE_SPACE 2
/* Height of the legend, in the same units. */
#define LEGEND_HEIGHT 3
/* Maximum heights of legend and text, as divisors of the panel's height. */
#define MOST_LEGEND_FRACTION 8
#define MOST_TEXT_FRACTION 4

static const char *const scale_ends[2] = { "0", "255" };

/* Text and legend of a panel: the height of the text, in rows, and the height
 * from which the legend's is derived; see legend_rows(). 0: left out. */
typedef struct
{
  uint32_t text;
  uint32_t legend;
  bool has_ends;
} Caption;

/* Rows. */
static uint32_t
sevenths (uint32_t n, uint32_t height)
{
  return (n * height + 3) / 7;
}

static uint32_t
text_width (const scope_params *scope, const char *text, uint32_t height)
{
  return amphisto_graticule_text_width (text, height, scope->pixel_aspect);
}

static uint32_t
letters_width (const histogram_scope_params *params, uint32_t height)
{
  const scope_params *scope = &params->scope;

  return (params->panel_curves - 1)
      * amphisto_scope_letter_advance (scope, height)
      + text_width (scope, "Y", height);
}

/* Includes the space below the text, but not above it. */
static uint32_t
text_rows (uint32_t height)
{
  return height + sevenths (LINE_SPACE, height);
}

static uint32_t
legend_rows (uint32_t height)
{
  return sevenths (LEGEND_HEIGHT, height) + sevenths (LINE_SPACE, height);
}

/* Whether letters of this height, and the ends of the scale, have room beside
 * each other, and beside the ends in the next panel. */
static bool
text_fits (const histogram_scope_params *params, uint32_t height, bool has_ends)
{
  const scope_params *scope = &params->scope;
  const uint32_t space =
      amphisto_scope_columns (scope, sevenths (END_SPACE, height));
  uint32_t width = letters_width (params, height);

  if (has_ends)
    width += text_width (scope, scale_ends[0], height)
        + text_width (scope, scale_ends[1], height) + 2 * space;
  return width <= scope->plot_width
      && (!has_ends || scope->panels_x == 1 || space <= 2 * scope->plot_left)
      && text_rows (height) <= scope->panel_height / MOST_TEXT_FRACTION;
}

/* Text is smaller if there is too little room. */
static uint32_t
text_height (const histogram_scope_params *params, bool has_ends)
{
  const scope_params *scope = &params->scope;
  uint32_t height = amphisto_scope_text_height (scope);

  while (height >= AMPHISTO_TEXT_LEAST && !text_fits (params, height, has_ends))
    height--;
  return scope->has_graticule && height >= AMPHISTO_TEXT_LEAST ? height : 0;
}

static Caption
caption_of (const histogram_scope_params *params)
{
  const scope_params *scope = &params->scope;
  Caption caption = { .text = text_height (params, true) };

  caption.has_ends = caption.text > 0;
  if (!caption.has_ends)
    caption.text = text_height (params, false);
  if (scope->has_legend)
    caption.legend = amphisto_scope_text_height (scope);
  while (
      legend_rows (caption.legend) > scope->panel_height / MOST_LEGEND_FRACTION)
    caption.legend--;
  if (caption.legend < AMPHISTO_TEXT_LEAST)
    caption.legend = 0;
  return caption;
}

/* Rows above the legend, or the text. */
static uint32_t
rows_above (const Caption *caption)
{
  return sevenths (LINE_SPACE, MAX (caption->legend, caption->text));
}

uint32_t
amphisto_histogram_scope_caption_height (const histogram_scope_params *params)
{
  const Caption caption = caption_of (params);

  return rows_above (&caption) + legend_rows (caption.legend)
      + text_rows (caption.text);
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

/* Grey has no false colour. */
static void
fill_params (const AmphistoScopeWork *work, scope_params *scope)
{
  histogram_scope_params *params = (histogram_scope_params *) scope;
  const AmphistoChannelMask red = AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_RED);

  fill_curves (work, params);
  params->panel_curves = params->n_curves / (scope->panels_x * scope->panels_y);
  if (!(work->part->channels & red))
    scope->has_legend = 0;
  params->lo = work->part->lo;
  params->hi = work->part->hi;
  divide_panel (work, params);
  params->is_log = work->settings->scale == AMPHISTO_SCOPE_LOG;
  params->has_marks = work->settings->percentile_marks;
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

/* A line over value v. */
static void
draw_value (const Panel *panel, uint32_t v, uint32_t light)
{
  const histogram_scope_params *params = panel->params;

  amphisto_graticule_fill (panel->graticule,
      amphisto_curves_line_column (params, v), 0, params->scope.gridline_width,
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

/* The plot's border, the quarters of the values and, for limited range, its
 * ends; on a linear scale, the quarters of the height. */
static void
draw_gridlines (const Panel *panel)
{
  const histogram_scope_params *params = panel->params;
  const scope_params *scope = &params->scope;
  const uint32_t gridline = scope->gridline_width;
  const uint32_t bottom = scope->plot_top + scope->plot_height;

  for (uint32_t quarter = 1; quarter < 4; quarter++) {
    draw_value (panel, 64 * quarter, AMPHISTO_SCOPE_QUARTER);
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
  if (panel->curve->black > 0) {
    draw_value (panel, panel->curve->black, AMPHISTO_SCOPE_LIMIT);
    draw_value (panel, panel->curve->white, AMPHISTO_SCOPE_LIMIT);
  }
}

/* The legend of false colour, aligned with the plot's values. y: the first row.
 */
static void
draw_legend (const Panel *panel, uint32_t height, uint32_t y)
{
  const histogram_scope_params *params = panel->params;
  const uint32_t last = params->scope.plot_width - 1;

  for (uint32_t x = 0; x <= last; x++)
    amphisto_graticule_fill (panel->graticule, params->scope.plot_left + x, y,
        1, sevenths (LEGEND_HEIGHT, height),
        amphisto_exposure_light (
            params->lo, params->hi, (x * 255 + last / 2) / last));
}

/* A little whiter than the line, because letters are small. */
static uint32_t
letter_light (const uint32_t line[3])
{
  return AMPHISTO_LIGHT (
      line[0] * 3 / 4 + 63, line[1] * 3 / 4 + 63, line[2] * 3 / 4 + 63);
}

/* The values at both ends of the scale, below the plot's ends. */
static void
draw_ends (const Panel *panel, uint32_t height, uint32_t y)
{
  const scope_params *scope = &panel->params->scope;
  const uint32_t right = scope->plot_left + scope->plot_width
      - text_width (scope, scale_ends[1], height);

  amphisto_graticule_text (panel->graticule, scope->plot_left, y, height,
      scale_ends[0], AMPHISTO_SCOPE_TEXT);
  amphisto_graticule_text (
      panel->graticule, right, y, height, scale_ends[1], AMPHISTO_SCOPE_TEXT);
}

/* The letters of the channels in the middle. */
static void
draw_letters (const Panel *panel, uint32_t height, uint32_t y)
{
  const histogram_scope_params *params = panel->params;
  const scope_params *scope = &params->scope;
  uint32_t x = (scope->panel_width - letters_width (params, height)) / 2;

  for (uint32_t i = 0; i < params->panel_curves; i++) {
    amphisto_graticule_text (panel->graticule, x, y, height,
        amphisto_channel_styles[panel->curve[i].channel].letter,
        letter_light (panel->curve[i].line));
    x += amphisto_scope_letter_advance (scope, height);
  }
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
  const Caption caption = caption_of (params);
  const uint32_t legend_y = params->caption_top + rows_above (&caption);
  const uint32_t text_y = legend_y + legend_rows (caption.legend);

  if (scope->has_graticule)
    draw_gridlines (&panel);
  if (caption.legend > 0)
    draw_legend (&panel, caption.legend, legend_y);
  if (caption.has_ends)
    draw_ends (&panel, caption.text, text_y);
  if (caption.text > 0)
    draw_letters (&panel, caption.text, text_y);
  if (p == 0 && scope->label_height > 0)
    draw_labels (params, graticule);
}

const AmphistoScope amphisto_histogram_scope = { "histogram", "Histogram",
  false, fill_params, draw_graticule, amphisto_curves_trace_size,
  amphisto_curves_measure, amphisto_curves_add_light };
