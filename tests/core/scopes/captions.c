/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Text around plots: its size, the unit of figures and their number, and where
 * they stand once for several panels.
 */

#include "channels.h"
#include "core/scopes/captions.h"
#include "layouts.h"
#include "placed.h"
#include "suite.h"

/* --- sizes --- */

/* Text is as high in all scopes. In scopes alone, panels are as high as the
 * frame. */
static void
test_text_height (void)
{
  static const struct
  {
    uint32_t height, text;
  } cases[] = { { 60, 7 }, { 120, 7 }, { 200, 12 }, { 256, 16 }, { 300, 17 },
    { 480, 20 }, { 720, 24 }, { 1080, 35 }, { 2160, 63 } };

  for (guint i = 0; IS_ROW (cases, i); i++) {
    const AmphistoLayout layout =
        rgb_layout (6 * cases[i].height, cases[i].height);
    AmphistoScopeSettings settings = settings_with (ALL_SCOPES);
    AmphistoScopeWork work = scope_work_for (&settings, &layout, ~0u, ~0u);
    AmphistoScopeParams params;
    scope_params *scopes[AMPHISTO_N_SCOPES];

    work.is_scopes_only = true;
    amphisto_scopes_fill_params (&work, &params);
    amphisto_scopes_list (&params, scopes);
    for (guint s = 0; s < AMPHISTO_N_SCOPES; s++) {
      g_assert_cmpuint (scopes[s]->panel_height, ==, cases[i].height);
      g_assert_cmpuint (scopes[s]->text_height, ==, cases[i].text);
    }
  }
}

/* --- figures --- */

/* The figures of an axis of `length` pixels, which are joined by spaces. */
static const struct
{
  bool is_limited;
  AmphistoChannelMask channels;
  uint32_t length;
  const char *texts;
} axes[] = {
  { true, LUMA, 150, "0 25 50 75 100" },
  { true, LUMA, 149, "0 50 100" },
  { true, LUMA, 100, "0 50 100" },
  { true, LUMA, 99, "0 100" },
  { true, RGB, 150, "0 25 50 75 100" },
  { true, CHROMA, 150, "-100 -50 0 50 100" },
  { true, CHROMA, 100, "-100 0 100" },
  { true, LUMA | CHROMA, 150, "0 25 50 75 100" },
  { false, LUMA, 150, "0 64 128 192 255" },
  { false, LUMA, 149, "0 255" },
  { false, CHROMA, 150, "0 64 128 192 255" },
};

static void
test_figures (void)
{
  for (guint i = 0; IS_ROW (axes, i); i++)
    for (guint upright = 0; upright < 2; upright++) {
      AmphistoLayout layout = yuv_layout (640, 480, 1, 1);
      const AmphistoScopeSettings settings = settings_with (BOTH_GRAPHS);
      AmphistoFigure figures[SCOPE_N_TICKS];
      g_autoptr (GString) texts = g_string_new (NULL);
      AmphistoScopeWork work;
      scope_params scope = { .panel_width = 400,
        .panel_height = 400,
        .panels_x = 1,
        .panels_y = 1,
        .pixel_aspect = AMPHISTO_SQUARE_PIXEL,
        .plot_left = 50,
        .plot_top = 50,
        .plot_width = axes[i].length,
        .plot_height = axes[i].length,
        .text_height = 7,
        .has_graticule = 1 };
      guint n;

      set_range (&layout, axes[i].is_limited);
      work = scope_work_for (&settings, &layout, ~0u, axes[i].channels);
      amphisto_captions_init (&work, &scope);
      for (guint t = 0; t < SCOPE_N_TICKS; t++)
        scope.ticks[t] = amphisto_captions_tick (&work, &scope, t)
            * (axes[i].length - 1) / 65536;
      n = amphisto_captions_figures (&scope, 0, upright, figures);
      for (guint k = 0; k < n; k++)
        g_string_append_printf (
            texts, "%s%s", k > 0 ? " " : "", figures[k].text);
      g_assert_cmpstr (texts->str, ==, axes[i].texts);
      for (guint k = 1; k < n; k++)
        g_assert_true (figures[k - 1].end < figures[k].begin
            || figures[k].end < figures[k - 1].begin);
    }
}

/* --- panels --- */

/* Figures that panels share are beside them: panels have the same sizes, and
 * room for figures is left once, or twice if the last panel has others. */
static void
test_shared (void)
{
  const AmphistoLayout layout = yuv_layout (1920, 1080, 1, 1);
  AmphistoScopeSettings settings = settings_with (BOTH_GRAPHS);
  AmphistoScopeParams params;

  settings.graticule = true;
  settings.width = settings.height = 0.5;
  settings.display = PARADE;
  params = placed_scopes (&settings, false, &layout, ~0u, RGB);
  g_assert_cmpuint (params.waveform.scope.panels_left, >=, 16);
  g_assert_cmpuint (params.waveform.scope.panels_left
          + 3 * params.waveform.scope.panel_width + 12,
      >, params.waveform.scope.width);
  g_assert_false (params.waveform.has_right_figures);
  g_assert_cmpuint (params.histogram.scope.panels_left, ==, 0);
  params = placed_scopes (&settings, false, &layout, ~0u, LUMA | CHROMA);
  g_assert_true (params.waveform.has_right_figures);
  settings.display = STACK;
  params = placed_scopes (&settings, false, &layout, ~0u, RGB);
  g_assert_cmpuint (params.histogram.scope.panels_top, ==, 0);
  g_assert_cmpuint (3 * params.histogram.scope.panel_height
          + params.histogram.scope.text_height,
      <, params.histogram.scope.height);
  params = placed_scopes (&settings, false, &layout, ~0u, LUMA | CHROMA);
  g_assert_cmpuint (params.histogram.scope.panels_top, >=,
      params.histogram.scope.text_height);
}

const CoreTest core_tests[] = {
  { "/captions/text-height", test_text_height },
  { "/captions/figures", test_figures },
  { "/captions/shared", test_shared },
  { 0 },
};
