/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The graticule of the waveform: lines of its axis, letters of the channels,
 * and the legend of false colour.
 */

#include "channels.h"
#include "core/change/exposure.h"
#include "core/scopes/waveform.h"
#include "layouts.h"
#include "lights.h"
#include "placed.h"
#include "suite.h"

#include <math.h>

static waveform_params
params_for (const AmphistoLayout *layout, double width, double height,
    AmphistoDisplay display, AmphistoChannelMask shown)
{
  return placed_waveform (layout, width, height, display, shown, true);
}

/* The bands of false colour are beside luma's plot: purple at 0, green in the
 * middle. Panels of other channels have no legend. */
static void
test_legend (void)
{
  const AmphistoLayout layout = yuv_layout (1000, 540, 1, 1);
  AmphistoScopeSettings settings = settings_with (WAVEFORM);
  waveform_params params;

  settings.display = PARADE;
  settings.width = 0.9;
  settings.height = 0.6;
  settings.graticule = true;
  params =
      placed_scopes (&settings, true, &layout, ~0u, LUMA | CHROMA).waveform;
  g_assert_cmpuint (params.legend_width, ==, 4);
  g_assert_cmpuint (params.scope.gridline_width, ==, 1);

  g_auto (AmphistoGraticule) graticule =
      graticule_of (&amphisto_waveform, &params.scope);

  for (uint32_t panel = 0; panel < 3; panel++)
    for (uint32_t v = 17; v < 235; v++) {
      const uint32_t x = params.scope.panels_left
          + panel * params.scope.panel_width + params.scope.plot_left - 3;
      const uint32_t light = light_at (
          &graticule, (int) x, (int) (params.scope.plot_top + 255 - v));

      /* gridlines may be brighter */
      if ((v - 16) * 4 % 219 > 8 && (v - 16) * 4 % 219 < 211)
        g_assert_cmphex (light, ==,
            panel > 0 ? 0
                      : amphisto_exposure_light (
                          AMPHISTO_FALSE_COLOR_VIDEO, 16, 235, v));
    }
  params = params_for (&layout, 0.3, 0.5, OVERLAY, LUMA);
  g_assert_cmpuint (params.legend_width, ==, 0);
}

/* A panel of a graticule. */
typedef struct
{
  const waveform_params *params;
  const AmphistoGraticule *graticule;
  int x, y;
  bool is_limited;
  int line; /* thickness of lines, in pixels */
} Scale;

/* The light of row y of the plot, counted from its top, in a column without
 * text. */
static uint32_t
scale_light (const Scale *self, int y)
{
  return light_at (self->graticule,
      self->x
          + (int) (self->params->scope.plot_left
              + self->params->scope.plot_width / 2),
      self->y + (int) self->params->scope.plot_top + y);
}

static int
row_of_line (const Scale *self, double fraction)
{
  return (int) floor (
      row_of (self->is_limited, self->params->scope.plot_height, fraction));
}

/* Lines are at 25, 50 and 75 % and, in limited range, at 0 and 100 %, in all
 * panels. There are no others. */
static void
assert_lines (const Scale *self)
{
  int n_lit = 0;

  for (int y = 0; y < (int) self->params->scope.plot_height; y++)
    n_lit += scale_light (self, y) != 0;
  g_assert_cmpint (n_lit, ==, (self->is_limited ? 5 : 3) * self->line);
  for (int quarter = 0; quarter <= 4; quarter++) {
    const int middle = row_of_line (self, quarter / 4.0);
    const uint32_t light =
        quarter % 4 == 0 ? AMPHISTO_SCOPE_LIMIT : AMPHISTO_SCOPE_QUARTER;

    /* the middle may be the border of two rows */
    if (self->is_limited || quarter % 4 > 0)
      g_assert_true (scale_light (self, middle) == light
          || scale_light (self, middle - 1) == light);
  }
}

/* The plot has a frame. The channel's letter is above it. */
static void
assert_frame (const Scale *self, const char *letter, const uint32_t line[3])
{
  const scope_params *scope = &self->params->scope;
  const int text = (int) scope->text_height;
  const int left = self->x + (int) scope->plot_left;
  const int top = self->y + (int) scope->letters_top;

  g_assert_cmphex (scale_light (self, -1), ==, AMPHISTO_SCOPE_BORDER);
  g_assert_cmphex (
      scale_light (self, (int) scope->plot_height), ==, AMPHISTO_SCOPE_BORDER);
  g_assert_cmpint (text + text / 4, <=, scope->plot_top - scope->letters_top);
  g_assert_true (has_text (self->graticule, left, top, left, top, text, letter,
      AMPHISTO_LIGHT (
          line[0] * 3 / 4 + 63, line[1] * 3 / 4 + 63, line[2] * 3 / 4 + 63)));
}

static const struct
{
  const char *letter;
  uint32_t line[3];
} scales[] = { { "Y", { 236, 236, 236 } }, { "U", { 72, 150, 255 } },
  { "V", { 255, 96, 140 } }, { "R", { 255, 48, 32 } },
  { "G", { 88, 255, 152 } }, { "B", { 72, 112, 255 } } };

/* In panels of several heights, side by side and one below the other. */
static void
test_graticule (void)
{
  static const uint32_t heights[] = { 240, 480, 1080, 2160 };

  for (guint i = 0; i < 4 * G_N_ELEMENTS (heights); i++) {
    const bool is_limited = i & 1, is_stack = i >> 1 & 1;
    const uint32_t height = heights[i / 4] * (is_stack ? 6 : 1);
    AmphistoLayout layout = yuv_layout (9000, height, 1, 1);
    waveform_params params;

    set_range (&layout, is_limited);
    params = params_for (
        &layout, 1.0, 0.5, is_stack ? STACK : PARADE, LUMA | CHROMA | RGB);
    g_assert_cmpuint (params.n_traces, ==, G_N_ELEMENTS (scales));

    g_auto (AmphistoGraticule) graticule =
        graticule_of (&amphisto_waveform, &params.scope);

    for (guint p = 0; IS_ROW (scales, p); p++) {
      const Scale scale = { &params, &graticule,
        (int) (params.scope.panels_left
            + (is_stack ? 0 : p * params.scope.panel_width)),
        is_stack ? (int) (p * params.scope.panel_height) : 0, is_limited,
        (int) MAX (1,
            lround (MIN (params.scope.panel_width, params.scope.panel_height)
                / 240.0)) };

      assert_lines (&scale);
      assert_frame (&scale, scales[p].letter, scales[p].line);
    }
  }
}

const CoreTest core_tests[] = {
  { "/legend", test_legend },
  { "/graticule", test_graticule },
  { 0 },
};
