/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "placed.h"
#include "core/scopes/drawing.h"

#include <glib.h>

AmphistoScopeSettings
settings_with (AmphistoScopes scopes)
{
  return (AmphistoScopeSettings){ .display = OVERLAY,
    .position = BOTTOM_RIGHT,
    .width = 0.33,
    .height = 0.25,
    .intensity = 1,
    .enabled = scopes };
}

AmphistoScopeWork
scope_work_for (const AmphistoScopeSettings *settings,
    const AmphistoLayout *layout, AmphistoChannelMask counted,
    AmphistoChannelMask shown)
{
  static const AmphistoDivision division = { .n_groups = 4, .n_slices = 4 };

  return (AmphistoScopeWork){ settings, false, AMPHISTO_FALSE_COLOR_VIDEO,
    layout, layout, &division, counted & layout->channels,
    amphisto_scope_channels (counted & shown & layout->channels), false };
}

AmphistoScopeParams
placed_scopes (const AmphistoScopeSettings *settings, bool has_legend,
    const AmphistoLayout *layout, AmphistoChannelMask counted,
    AmphistoChannelMask shown)
{
  AmphistoScopeWork work = scope_work_for (settings, layout, counted, shown);
  AmphistoScopeParams params;

  work.has_legend = has_legend;
  amphisto_scopes_fill_params (&work, &params);
  return params;
}

void
assert_place (const scope_params *scope, const uint32_t expected[4])
{
  g_assert_cmpuint (scope->x, ==, expected[0]);
  g_assert_cmpuint (scope->y, ==, expected[1]);
  g_assert_cmpuint (scope->width, ==, expected[2]);
  g_assert_cmpuint (scope->height, ==, expected[3]);
}

bool
have_common_pixels (const scope_params *a, const scope_params *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width
      && a->y < b->y + b->height && b->y < a->y + a->height;
}

bool
is_in_scope (const scope_params *scope, uint32_t x, uint32_t y)
{
  return x - scope->x < scope->width && y - scope->y < scope->height;
}

vectorscope_params
placed_vectorscope (const AmphistoLayout *layout, uint32_t zoom_shift)
{
  AmphistoScopeSettings settings = settings_with (VECTORSCOPE);

  settings.graticule = true;
  settings.zoom_shift = zoom_shift;
  return placed_scopes (&settings, false, layout, ~0u, ~0u).vectorscope;
}

drawing_params
drawing_for (const AmphistoLayout *layout)
{
  drawing_params drawing;

  amphisto_drawing_fill_params (layout, &drawing);
  return drawing;
}

waveform_params
placed_waveform (const AmphistoLayout *layout, double width, double height,
    AmphistoDisplay display, AmphistoChannelMask shown, bool has_graticule)
{
  const AmphistoScopeSettings settings = { .enabled = WAVEFORM,
    .display = display,
    .width = width,
    .height = height,
    .opacity = 0.5,
    .graticule = has_graticule,
    .intensity = 1 };

  return placed_scopes (&settings, false, layout, ~0u, shown).waveform;
}

void *
measured_trace (const AmphistoScope *scope, const scope_params *params,
    const AmphistoScopeInput *input)
{
  void *trace = g_malloc (scope->trace_size (params));

  scope->measure (params, input, trace);
  return trace;
}

void *
trace_of_frame (const AmphistoScope *scope, const scope_params *params,
    const AmphistoFrame *frame)
{
  return measured_trace (
      scope, params, &(AmphistoScopeInput){ .frame = frame });
}

void
draw_scope (const AmphistoScope *scope, const scope_params *params,
    const void *trace, const AmphistoFrame *frame)
{
  const drawing_params drawing = drawing_for (frame->layout);
  AmphistoGraticule graticule = graticule_of (scope, params);

  amphisto_scope_draw (scope, &drawing, params, &graticule, trace, frame);
  amphisto_graticule_clear (&graticule);
}

AmphistoGraticule
graticule_of (const AmphistoScope *scope, const scope_params *params)
{
  AmphistoGraticule graticule;

  g_assert_true (amphisto_scope_init_graticule (scope, params, &graticule));
  return graticule;
}

histogram_scope_params
placed_histogram (
    const AmphistoScopeSettings *settings, const AmphistoLayout *layout)
{
  histogram_scope_params params =
      placed_scopes (settings, false, layout, ~0u, ~0u).histogram;

  params.reset = 1;
  return params;
}

uint32_t
plot_bottom (const histogram_scope_params *params)
{
  return params->scope.plot_top + params->scope.plot_height;
}

double
row_of (bool is_limited, uint32_t height, double fraction)
{
  const double code = is_limited ? 16 + 219 * fraction
                                 : (1 / 254.0 + fraction) / (255 / 254.0) * 255;

  return height - (code + 0.5) * height / 256;
}
