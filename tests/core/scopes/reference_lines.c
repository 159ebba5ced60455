/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Reference lines of the waveform: where they are, and where there are none.
 */

#include "channels.h"
#include "layouts.h"
#include "lights.h"
#include "placed.h"
#include "suite.h"

#include <math.h>

#define MAX_ROWS 1000

/* On the axis of limited range, -7.31 to 109.13 %, or of full range, or off
 * both. */
static const double percents[] = { -10, -7.4, -7.2, 0, 0.5, 33.3, 50, 70, 95.5,
  99.9, 100, 104.2, 109, 109.2, 110 };

typedef struct
{
  AmphistoLayout layout;
  AmphistoChannelMask shown;
  AmphistoDisplay display;
  uint32_t with_lines; /* a bit for each panel that has lines */
} Case;

static AmphistoScopeSettings
settings_for (const Case *self, bool has_graticule)
{
  AmphistoScopeSettings settings = settings_with (WAVEFORM);

  settings.display = self->display;
  settings.width = 0.9;
  settings.height = 0.9;
  settings.graticule = has_graticule;
  return settings;
}

/* The position on the axis, 0 to 1 on it. Full-range chroma has 1 and 255 at
 * its ends, and 0 below. */
static double
position_of (const Case *self, double percent)
{
  if (self->layout.lo > 0)
    return (16 + 219 * percent / 100) / 255;
  return self->shown & CHROMA ? (254 * percent / 100 + 1) / 255 : percent / 100;
}

/* The row of the plot, counted from its lowest, not rounded. */
static double
row_up (const Case *self, const scope_params *scope, double percent)
{
  return (255 * position_of (self, percent) + 0.5) * scope->plot_height / 256;
}

/* The lines whose rows are not between two. */
static AmphistoReferenceLines
lines_for (const Case *self, const scope_params *scope)
{
  AmphistoReferenceLines lines = { .n = 0 };

  for (guint i = 0; i < G_N_ELEMENTS (percents); i++) {
    const double up = row_up (self, scope, percents[i]);

    if (fabs (up - rint (up)) > 0.01)
      lines.percent[lines.n++] = percents[i];
  }
  g_assert_cmpuint (lines.n, >, 8);
  return lines;
}

/* Marks the rows of the panel that have lines. */
static void
mark_rows (const Case *self, const scope_params *scope, bool rows[MAX_ROWS])
{
  const AmphistoReferenceLines lines = lines_for (self, scope);

  for (guint i = 0; i < lines.n; i++) {
    const double position = position_of (self, lines.percent[i]);
    const int top = (int) (scope->plot_top + scope->plot_height - 1)
        - (int) floor (row_up (self, scope, lines.percent[i]))
        - (int) scope->gridline_width / 2;

    for (int y = 0; y < (int) scope->gridline_width; y++)
      if (position >= 0 && position <= 1)
        rows[top + y] = true;
  }
}

/* In each row, lines are across the whole plot, and nowhere else; other light
 * stays below them. */
static void
check_panel (const Case *self, const scope_params *scope, uint32_t p,
    const AmphistoGraticule *before, const AmphistoGraticule *after)
{
  const int left =
      (int) (scope->panels_left + p % scope->panels_x * scope->panel_width);
  const int top =
      (int) (scope->panels_top + p / scope->panels_x * scope->panel_height);
  bool rows[MAX_ROWS] = { false };

  if (self->with_lines & 1u << p)
    mark_rows (self, scope, rows);
  for (int y = 0; y < (int) scope->panel_height; y++)
    for (int x = 0; x < (int) scope->panel_width; x++) {
      const bool is_line =
          rows[y] && (uint32_t) x - scope->plot_left < scope->plot_width;
      const uint32_t light = light_at (after, left + x, top + y);

      g_assert_true (is_light (light, light_at (before, left + x, top + y)));
      if (is_line)
        g_assert_true (is_light (light, AMPHISTO_SCOPE_REFERENCE));
      else
        g_assert_cmphex (light, ==, light_at (before, left + x, top + y));
    }
}

static void
check_case (const Case *self, bool has_graticule)
{
  AmphistoScopeSettings settings = settings_for (self, has_graticule);
  const waveform_params without =
      placed_scopes (&settings, false, &self->layout, ~0u, self->shown)
          .waveform;
  waveform_params with;

  g_assert_cmpuint (without.n_reference_lines, ==, 0);
  settings.reference_lines = lines_for (self, &without.scope);
  with = placed_scopes (&settings, false, &self->layout, ~0u, self->shown)
             .waveform;

  g_auto (AmphistoGraticule) before =
      graticule_of (&amphisto_waveform, &without.scope);
  g_auto (AmphistoGraticule) after =
      graticule_of (&amphisto_waveform, &with.scope);

  for (uint32_t p = 0; p < with.scope.panels_x * with.scope.panels_y; p++)
    check_panel (self, &with.scope, p, &before, &after);
}

static void
test_rows (void)
{
  AmphistoLayout full = yuv_layout (1000, 700, 1, 1);

  set_range (&full, false);

  const Case cases[] = {
    { grey_layout (1000, 700), LUMA, OVERLAY, 1 },
    { grey_layout (1001, 333), LUMA, OVERLAY, 1 },
    { rgb_layout (1000, 700), RGB, PARADE, 7 },
    { yuv_layout (1000, 700, 1, 1), LUMA, OVERLAY, 1 },
    { yuv_layout (1000, 700, 1, 1), LUMA | RGB, OVERLAY, 1 },
    { yuv_layout (1000, 700, 1, 1), RGB, PARADE, 7 },
    { yuv_layout (1000, 700, 1, 1), LUMA | CHROMA, OVERLAY, 1 },
    { yuv_layout (1000, 700, 1, 1), LUMA | CHROMA, PARADE, 1 },
    { yuv_layout (1000, 700, 1, 1), LUMA | CHROMA, STACK, 1 },
    { yuv_layout (1000, 700, 1, 1), CHROMA, OVERLAY, 0 },
    { full, LUMA, OVERLAY, 1 },
    { full, LUMA | CHROMA, PARADE, 1 },
  };

  for (guint i = 0; IS_ROW (cases, i); i++)
    for (guint has_graticule = 0; has_graticule < 2; has_graticule++)
      check_case (&cases[i], has_graticule);
}

const CoreTest core_tests[] = {
  { "/rows", test_rows },
  { 0 },
};
