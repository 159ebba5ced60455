/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The graticule of the waveform: lines and figures of its axis, letters of the
 * channels, and the legend of false colour.
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
  settings.height = 0.5;
  settings.graticule = true;
  params =
      placed_scopes (&settings, true, &layout, ~0u, LUMA | CHROMA).waveform;
  g_assert_cmpuint (params.legend_width, ==, 4);

  g_auto (AmphistoGraticule) graticule =
      graticule_of (&amphisto_waveform, &params.scope);

  for (uint32_t panel = 0; panel < 3; panel++)
    for (uint32_t v = 17; v < 235; v++) {
      const uint32_t x =
          panel * params.scope.panel_width + params.scope.plot_left + 3;
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

static const char *const percents[2][5] = { { "0", "25", "50", "75", "100" },
  { "-100", "-50", "0", "50", "100" } };

/* The figures beside the plot are at their lines, or at the panel's edge. */
static void
assert_figures (const Scale *self, bool is_signed)
{
  const scope_params *scope = &self->params->scope;
  const int text = (int) amphisto_scope_text_height (scope);
  const int step = scope->plot_height >= 150 ? 1 : is_signed ? 2 : 4;

  for (int quarter = 0; quarter <= 4; quarter++) {
    const int middle =
        self->y + (int) scope->plot_top + row_of_line (self, quarter / 4.0);
    const int top = MAX (self->y, middle - text / 2 - 1);
    const int right = self->x + (int) scope->plot_left
        - (int) amphisto_graticule_text_width (
            percents[is_signed][quarter], text, AMPHISTO_SQUARE_PIXEL);
    const int last = self->y + (int) scope->panel_height - text * 9 / 8;

    g_assert_true (has_text (self->graticule, self->x, MIN (top, last) - 1,
                       right - 2, MAX (top + 2, self->y + text / 3), text,
                       percents[is_signed][quarter], AMPHISTO_SCOPE_TEXT)
        == (quarter % step == 0));
  }
}

/* The plot has a frame. The channel's letter is at the right. */
static void
assert_frame (const Scale *self, const char *letter, uint32_t light)
{
  const scope_params *scope = &self->params->scope;
  const int height = (int) scope->plot_height;
  const int right = self->x + (int) (scope->plot_left + scope->plot_width);
  const int above = self->y + (int) scope->plot_top + row_of_line (self, 1) + 1;
  const int text = (int) amphisto_scope_text_height (scope);

  g_assert_cmphex (scale_light (self, -1), ==, AMPHISTO_SCOPE_BORDER);
  g_assert_cmphex (scale_light (self, height), ==, AMPHISTO_SCOPE_BORDER);
  g_assert_true (has_text (self->graticule, right - 3 * text / 2, above,
      right - text / 2, above + text / 2, text, letter, light));
}

static const struct
{
  const char *letter;
  bool is_signed;
  uint32_t light;
} scales[] = { { "Y", false, AMPHISTO_LIGHT (236, 236, 236) },
  { "U", true, AMPHISTO_LIGHT (72, 150, 255) },
  { "V", true, AMPHISTO_LIGHT (255, 96, 140) },
  { "R", false, AMPHISTO_LIGHT (255, 48, 32) },
  { "G", false, AMPHISTO_LIGHT (88, 255, 152) },
  { "B", false, AMPHISTO_LIGHT (72, 112, 255) } };

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
        is_stack ? 0 : (int) (p * params.scope.panel_width),
        is_stack ? (int) (p * params.scope.panel_height) : 0, is_limited,
        (int) MAX (1,
            lround (MIN (params.scope.panel_width, params.scope.panel_height)
                / 240.0)) };

      assert_lines (&scale);
      assert_figures (&scale, scales[p].is_signed);
      assert_frame (&scale, scales[p].letter, scales[p].light);
    }
  }
}

/* Without room beside the plot, the ends of the scale are inside it: 100 below
 * its line, 0 above. */
static void
test_ends (void)
{
  const AmphistoLayout layout = yuv_layout (80, 240, 1, 1);
  const waveform_params params = params_for (&layout, 1.0, 1.0, OVERLAY, LUMA);
  const int left = (int) params.scope.plot_left;
  const int top = (int) params.scope.plot_top;
  const int height = (int) params.scope.plot_height;
  const int above = top + (int) row_of (true, height, 1) + 1;
  const int below = top + (int) row_of (true, height, 0) - 1;

  g_assert_cmpint (left, <=, 4);

  g_auto (AmphistoGraticule) graticule =
      graticule_of (&amphisto_waveform, &params.scope);

  g_assert_true (has_text (&graticule, left + 1, above, left + 5, above + 5, 15,
      "100", AMPHISTO_SCOPE_TEXT));
  g_assert_true (has_text (&graticule, left + 1, below - 22, left + 5,
      below - 15, 15, "0", AMPHISTO_SCOPE_TEXT));
}

/* The column of text in a panel, anywhere; -1: it is not there. */
static int
find_text (const AmphistoGraticule *graticule, uint32_t height,
    const char *text, uint32_t light)
{
  const int bottom = (int) graticule->height - 1;

  for (int x = 0; x < (int) graticule->width; x++)
    if (has_text (graticule, x, 0, x, bottom, height, text, light))
      return x;
  return -1;
}

/* The height of text that is somewhere in a panel, up to 15; 6: it is not. */
static uint32_t
find_height (
    const AmphistoGraticule *graticule, const char *text, uint32_t light)
{
  uint32_t height = 15;

  while (height >= 7 && find_text (graticule, height, text, light) < 0)
    height--;
  return height;
}

/* In narrow panels of all channels, letters are smaller, or missing, but whole
 * and in order. Figures do not touch them: they are beside the plot, or left
 * out. */
static void
test_narrow (void)
{
  for (uint32_t width = 32; width < 240; width += 16) {
    const AmphistoLayout layout = yuv_layout (width, 240, 1, 1);
    const waveform_params params =
        params_for (&layout, 1, 1, OVERLAY, LUMA | CHROMA | RGB);
    const int left = (int) params.scope.plot_left;
    const bool has_gutter = left > 4;
    int x = -1;
    g_auto (AmphistoGraticule) graticule =
        graticule_of (&amphisto_waveform, &params.scope);
    const uint32_t height =
        find_height (&graticule, scales[0].letter, scales[0].light);
    const uint32_t figures =
        find_height (&graticule, "100", AMPHISTO_SCOPE_TEXT);

    g_assert_true (has_gutter == (width >= 96));
    g_assert_true (figures >= 7 || !has_gutter);
    if (figures >= 7)
      x = find_text (&graticule, figures, "100", AMPHISTO_SCOPE_TEXT)
          + (int) amphisto_graticule_text_width (
              "100", figures, AMPHISTO_SQUARE_PIXEL);
    g_assert_true (!has_gutter || x < left);
    g_assert_true ((height >= 7)
        == (8 * G_N_ELEMENTS (scales) <= params.scope.plot_width));
    for (uint32_t i = 0; i < G_N_ELEMENTS (scales) && height >= 7; i++) {
      const int next =
          find_text (&graticule, height, scales[i].letter, scales[i].light);

      g_assert_cmpint (next, >, x);
      x = next + (int) height / 2;
    }
  }
}

const CoreTest core_tests[] = {
  { "/legend", test_legend },
  { "/graticule", test_graticule },
  { "/ends", test_ends },
  { "/narrow", test_narrow },
  { 0 },
};
