/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/captions.h"
#include "core/scopes/waveform.h"
#include "core/change/exposure.h"

/* A line across the plot, in row `up`, counted from its lowest. */
static void
draw_line (const scope_params *scope, uint32_t up, uint32_t light,
    AmphistoGraticule *graticule)
{
  amphisto_graticule_fill (graticule, (int) scope->plot_left,
      (int) (scope->plot_top + scope->plot_height - 1 - up
          - scope->gridline_width / 2),
      scope->plot_width, scope->gridline_width, light);
}

/* The ticks of the axis; the first and the last where codes are beyond. */
static void
draw_gridlines (const scope_params *scope, AmphistoGraticule *graticule)
{
  const bool has_limits =
      amphisto_captions_have_limits (scope, scope->plot_height);

  for (uint32_t i = 0; i < SCOPE_N_TICKS; i++) {
    const bool is_limit = i % (SCOPE_N_TICKS - 1) == 0;

    if (!is_limit || has_limits)
      draw_line (scope, scope->ticks[i],
          is_limit ? AMPHISTO_SCOPE_LIMIT : AMPHISTO_SCOPE_QUARTER, graticule);
  }
}

/* The user's lines. */
static void
draw_reference_lines (
    const waveform_params *params, AmphistoGraticule *graticule)
{
  for (uint32_t i = 0; i < params->n_reference_lines; i++)
    draw_line (&params->scope, params->reference_row[i],
        AMPHISTO_SCOPE_REFERENCE, graticule);
}

/* The legend of false colour left of the plot, aligned with luma's values. */
static void
draw_legend (const waveform_params *params, const trace_params *luma,
    AmphistoGraticule *graticule)
{
  const scope_params *scope = &params->scope;
  const uint32_t left =
      scope->plot_left - params->legend_width - 2 * scope->gridline_width;

  for (uint32_t up = 0; up < scope->plot_height; up++)
    amphisto_graticule_fill (graticule, left,
        scope->plot_top + scope->plot_height - 1 - up, params->legend_width, 1,
        amphisto_exposure_light (scope->legend_scale, luma->lo, luma->hi,
            (uint8_t) (up * AMPHISTO_N_BINS / scope->plot_height)));
}

/* The figures of a panel, which begin or, left of it, end at column x. */
static void
draw_figures (const scope_params *scope, uint32_t panel, bool is_left, int x,
    AmphistoGraticule *graticule)
{
  AmphistoFigure figures[SCOPE_N_TICKS];
  const uint32_t n = amphisto_captions_figures (scope, panel, true, figures);

  for (uint32_t i = 0; i < n; i++) {
    const int width = (int) amphisto_scope_text_width (scope, figures[i].text);

    amphisto_graticule_text (graticule, is_left ? x - width : x,
        figures[i].begin, scope->text_height, figures[i].text,
        AMPHISTO_SCOPE_TEXT);
  }
}

/* Figures are at the left, once for panels side by side; if the last panel has
 * others, they are at its right. */
static void
draw_all_figures (
    const waveform_params *params, uint32_t panel, AmphistoGraticule *graticule)
{
  const scope_params *scope = &params->scope;
  const uint32_t column = panel % scope->panels_x;
  const int margin = (int) amphisto_scope_side_margin (scope);
  const int gap =
      (int) amphisto_scope_columns (scope, amphisto_scope_text_gap (scope));

  if (params->has_figures && column == 0)
    draw_figures (scope, panel, true, margin - gap, graticule);
  if (params->has_right_figures && column == scope->panels_x - 1)
    draw_figures (scope, panel, false, (int) scope->panel_width - margin + gap,
        graticule);
}

void
amphisto_waveform_draw_graticule (
    const scope_params *scope, uint32_t p, AmphistoGraticule *graticule)
{
  const waveform_params *params = (const waveform_params *) scope;
  const trace_params *traces = &params->trace[p * params->panel_traces];

  if (!amphisto_captions_are_signed (scope, p))
    draw_reference_lines (params, graticule);
  if (!scope->has_graticule)
    return;
  amphisto_scope_draw_border (scope, graticule);
  draw_gridlines (scope, graticule);
  if (traces->channel == AMPHISTO_CHANNEL_LUMA)
    draw_legend (params, traces, graticule);
  if (scope->has_letters)
    amphisto_captions_draw_letters (scope, p, graticule);
  draw_all_figures (params, p, graticule);
  if (scope->n_numbers > 0 && p == 0)
    amphisto_captions_draw_glyphs (scope, graticule);
}
