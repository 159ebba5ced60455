/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/waveform.h"
#include "core/change/exposure.h"
#include "core/pixels/arithmetic.h"
#include "core/pixels/channels.h"

/* Plots of this height have figures at all quarters, others at the ends. */
#define QUARTERS_HEIGHT 150
/* The maximum width of the gutter, as a divisor of the panel's. */
#define GUTTER_DIVISOR 5

/* The values at the quarters of the axis, in per cent. */
static const char *const percents[5] = { "0", "25", "50", "75", "100" };
static const char *const signed_percents[5] = { "-100", "-50", "0", "50",
  "100" };

/* --- sizes --- */

/* The space beside figures of this height, in columns. */
static uint32_t
figure_gap (const scope_params *scope, uint32_t height)
{
  return amphisto_scope_columns (scope, height * 2 / 7);
}

/* The height of text in rows, unless it has too little room. */
static uint32_t
wanted_text_height (const scope_params *scope)
{
  return MIN (amphisto_scope_text_height (scope), scope->plot_height / 5);
}

static uint32_t
gutter_width (const scope_params *scope, const char *widest, uint32_t height)
{
  return amphisto_graticule_text_width (widest, height, scope->pixel_aspect)
      + 2 * figure_gap (scope, height);
}

uint32_t
amphisto_waveform_fill_gutter (waveform_params *params, bool has_signs)
{
  const scope_params *scope = &params->scope;
  const char *widest = has_signs ? signed_percents[0] : percents[4];
  uint32_t height = wanted_text_height (scope);

  while (height >= AMPHISTO_TEXT_LEAST
      && gutter_width (scope, widest, height)
          > scope->panel_width / GUTTER_DIVISOR)
    height--;
  if (!scope->has_graticule || height < AMPHISTO_TEXT_LEAST)
    return 0;
  params->gutter_text = height;
  return gutter_width (scope, widest, height);
}

/* --- lines and the legend --- */

/* The panel's row of a quarter of the axis. */
static uint32_t
row_of_quarter (const waveform_params *params, uint32_t quarter)
{
  const scope_params *scope = &params->scope;

  return scope->plot_top + scope->plot_height - 1
      - params->quarter_row[quarter];
}

/* The quarters of the axis, and its ends where codes are beyond. */
static void
draw_gridlines (const waveform_params *params, AmphistoGraticule *graticule)
{
  const scope_params *scope = &params->scope;
  const bool has_limits = params->quarter_row[0] > scope->plot_height / 32;

  for (uint32_t quarter = 0; quarter <= 4; quarter++) {
    const bool is_limit = quarter % 4 == 0;

    if (!is_limit || has_limits)
      amphisto_graticule_fill (graticule, scope->plot_left,
          row_of_quarter (params, quarter) - scope->gridline_width / 2,
          scope->plot_width, scope->gridline_width,
          is_limit ? AMPHISTO_SCOPE_LIMIT : AMPHISTO_SCOPE_QUARTER);
  }
}

/* The legend of false colour, aligned with luma's values. */
static void
draw_legend (const waveform_params *params, const trace_params *luma,
    AmphistoGraticule *graticule)
{
  const scope_params *scope = &params->scope;

  for (uint32_t up = 0; up < scope->plot_height; up++)
    amphisto_graticule_fill (graticule, scope->plot_left,
        scope->plot_top + scope->plot_height - 1 - up, params->legend_width, 1,
        amphisto_exposure_light (scope->legend_scale, luma->lo, luma->hi,
            (uint8_t) (up * AMPHISTO_N_BINS / scope->plot_height)));
}

/* --- letters and figures --- */

/* The height, in rows, of letters of the traces that fit into the plot; 0 if
 * there is no room. */
static uint32_t
letter_height (const waveform_params *params)
{
  const scope_params *scope = &params->scope;
  const uint32_t room = scope->plot_width - params->legend_width;
  uint32_t height = params->gutter_text > 0 ? params->gutter_text
                                            : wanted_text_height (scope);

  while (height >= AMPHISTO_TEXT_LEAST
      && params->panel_traces * amphisto_scope_letter_advance (scope, height)
          > room)
    height--;
  return height >= AMPHISTO_TEXT_LEAST ? height : 0;
}

/* The letters of the traces, at the right.
 *
 * Returns: the first one's column. */
static uint32_t
draw_letters (const waveform_params *params, const trace_params *traces,
    uint32_t height, AmphistoGraticule *graticule)
{
  const scope_params *scope = &params->scope;
  const uint32_t advance = amphisto_scope_letter_advance (scope, height);
  const uint32_t left =
      scope->plot_left + scope->plot_width - params->panel_traces * advance;

  for (uint32_t i = 0; i < params->panel_traces; i++) {
    const uint32_t *colour = traces[i].colour;

    amphisto_graticule_text (graticule, left + i * advance,
        row_of_quarter (params, 4) + height * 2 / 7, height,
        amphisto_channel_styles[traces[i].channel].letter,
        AMPHISTO_LIGHT (colour[0], colour[1], colour[2]));
  }
  return left;
}

/* The figure of a quarter beside the plot, at its line, but inside the panel.
 */
static void
draw_figure (const waveform_params *params, uint32_t quarter, const char *text,
    AmphistoGraticule *graticule)
{
  const scope_params *scope = &params->scope;
  const uint32_t height = params->gutter_text;
  const AmphistoArea area =
      amphisto_graticule_text_area (0, 0, height, text, scope->pixel_aspect);
  const int left = (int) (scope->plot_left - scope->gridline_width
      - figure_gap (scope, height)
      - amphisto_graticule_text_width (text, height, scope->pixel_aspect));
  const int top =
      (int) row_of_quarter (params, quarter) - (int) (height - 1) / 2;

  amphisto_graticule_text (graticule, left,
      MIN (MAX (top, -area.top), (int) scope->panel_height - area.bottom),
      height, text, AMPHISTO_SCOPE_TEXT);
}

static void
draw_figures (const waveform_params *params, const char *const texts[5],
    AmphistoGraticule *graticule)
{
  const uint32_t ends_step = texts == percents ? 4 : 2;
  const uint32_t step =
      params->scope.plot_height >= QUARTERS_HEIGHT ? 1 : ends_step;

  for (uint32_t quarter = 0; quarter <= 4; quarter += step)
    draw_figure (params, quarter, texts[quarter], graticule);
}

/* The ends of the axis inside the plot, at the left. The upper one is left out
 * where it would touch the letters. */
static void
draw_ends (const waveform_params *params, const char *const texts[5],
    uint32_t height, uint32_t letters, AmphistoGraticule *graticule)
{
  const scope_params *scope = &params->scope;
  const uint32_t space = height * 2 / 7;
  const uint32_t gap = figure_gap (scope, height);
  const uint32_t left = scope->plot_left + params->legend_width + gap;

  if (left + 2 * gap
          + amphisto_graticule_text_width (
              texts[4], height, scope->pixel_aspect)
      <= letters)
    amphisto_graticule_text (graticule, left,
        row_of_quarter (params, 4) + space, height, texts[4],
        AMPHISTO_SCOPE_TEXT);
  amphisto_graticule_text (graticule, left,
      row_of_quarter (params, 0) - space - height + 1, height, texts[0],
      AMPHISTO_SCOPE_TEXT);
}

/* Whether the panel's channels have 0 in the middle of their axis. */
static bool
are_signed (const waveform_params *params, const trace_params *traces)
{
  for (uint32_t i = 0; i < params->panel_traces; i++)
    if (!amphisto_channel_is_chroma (traces[i].channel))
      return false;
  return true;
}

static void
draw_text (const waveform_params *params, const trace_params *traces,
    AmphistoGraticule *graticule)
{
  const uint32_t height = letter_height (params);
  const char *const *texts =
      are_signed (params, traces) ? signed_percents : percents;
  uint32_t letters;

  if (params->gutter_text > 0)
    draw_figures (params, texts, graticule);
  if (height == 0)
    return;
  letters = draw_letters (params, traces, height, graticule);
  if (params->gutter_text == 0)
    draw_ends (params, texts, height, letters, graticule);
}

void
amphisto_waveform_draw_graticule (
    const scope_params *scope, uint32_t p, AmphistoGraticule *graticule)
{
  const waveform_params *params = (const waveform_params *) scope;
  const trace_params *traces = &params->trace[p * params->panel_traces];

  if (!scope->has_graticule)
    return;
  amphisto_scope_draw_border (scope, graticule);
  draw_gridlines (params, graticule);
  if (traces->channel == AMPHISTO_CHANNEL_LUMA)
    draw_legend (params, traces, graticule);
  draw_text (params, traces, graticule);
}
