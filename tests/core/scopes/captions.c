/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Text around plots: its size, the unit of figures and their number, where they
 * stand once for several panels, and the numbers of channels.
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

/* --- numbers --- */

/* A histogram of three values, and the numbers of a channel as they are shown,
 * with spaces. */
static const struct
{
  bool is_limited;
  AmphistoChannelMask channel;
  uint32_t values[3];
  uint32_t counts[3];
  const char *text;
} numbers[] = {
  { false, LUMA, { 0, 100, 255 }, { 1, 1, 1 }, "  0 118.3 255" },
  { false, LUMA, { 7, 7, 7 }, { 1, 1, 1 }, "  7   7.0   7" },
  { false, LUMA, { 0, 0, 1 }, { 19, 0, 1 }, "  0   0.1   1" },
  /* exactly between two decimals */
  { false, LUMA, { 20, 21, 21 }, { 19, 1, 0 }, " 20  20.1  21" },
  { true, LUMA, { 0, 16, 255 }, { 4, 1, 4 }, " -7  45.3 109" },
  { true, LUMA, { 15, 15, 16 }, { 1, 1, 1 }, "  0  -0.3   0" },
  { true, LUMA, { 16, 16, 235 }, { 1, 0, 1 }, "  0  50.0 100" },
  { true, AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_U), { 0, 128, 255 },
      { 1000000000, 1, 0 }, "-114 -114.3    0" },
  { true, AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_V), { 16, 100, 240 },
      { 0, 1, 1 }, " -25   37.5  100" },
  { false, AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_V), { 1, 128, 255 },
      { 1, 1, 1 }, "  1 128.0 255" },
};

/* The text is in the cells, and no other is: spaces are dark. */
static void
assert_numbers (const scope_params *scope, AmphistoChannel channel,
    const AmphistoGraticule *graticule, const char *text)
{
  const uint32_t *line = amphisto_channel_styles[channel].line;
  const uint32_t light = AMPHISTO_LIGHT (
      line[0] * 3 / 4 + 63, line[1] * 3 / 4 + 63, line[2] * 3 / 4 + 63);
  const int first =
      (int) (scope->panels_left + scope->plot_left + scope->numbers_left);
  const int y = (int) (scope->panels_top + scope->letters_top);

  for (guint i = 0; text[i] != '\0'; i++) {
    const char glyph[2] = { text[i], '\0' };
    const int x = first + (int) (i * scope->cell_width);
    bool is_lit = false;

    for (int k = 0; k < (int) (scope->cell_width * scope->text_height); k++)
      is_lit |= (light_at (graticule, x + k % (int) scope->cell_width,
                     y + k / (int) scope->cell_width)
                    & 0xffffff)
          != 0;
    g_assert_true (is_lit == (text[i] != ' '));
    g_assert_true (!is_lit
        || has_text (graticule, x, y, x + (int) scope->cell_width, y,
            scope->text_height, glyph, light));
  }
}

static void
test_numbers (void)
{
  for (guint i = 0; IS_ROW (numbers, i); i++) {
    AmphistoLayout layout = yuv_layout (1920, 1080, 1, 1);
    AmphistoScopeSettings settings = settings_with (BOTH_GRAPHS);
    uint32_t bins[AMPHISTO_MAX_SLOTS][AMPHISTO_N_BINS] = { { 0 } };
    const AmphistoScopeInput input = { .bins = (const uint32_t (*)[256]) bins };
    AmphistoChannel channel = 0;
    AmphistoScopeParams params;
    scope_params *scopes[AMPHISTO_N_SCOPES];

    while (!(numbers[i].channel & AMPHISTO_CHANNEL_BIT (channel)))
      channel++;
    set_range (&layout, numbers[i].is_limited);
    settings.graticule = true;
    settings.percentile_marks = i % 2;
    params = placed_scopes (&settings, false, &layout, ~0u, numbers[i].channel);
    for (guint k = 0; k < 3; k++)
      bins[channel][numbers[i].values[k]] += numbers[i].counts[k];
    amphisto_scopes_list (&params, scopes);
    for (guint s = 0; s < 2; s++) {
      g_auto (AmphistoGraticule) graticule =
          graticule_of (amphisto_scopes[s], scopes[s]);

      /* twice: numbers of the previous frame are gone */
      g_assert_cmpuint (scopes[s]->n_numbers, ==, 1);
      bins[channel][100] += 5;
      bins[channel][7] += 5;
      amphisto_scopes[s]->draw_text (scopes[s], &input, &graticule);
      bins[channel][100] -= 5;
      bins[channel][7] -= 5;
      amphisto_scopes[s]->draw_text (scopes[s], &input, &graticule);
      assert_numbers (scopes[s], channel, &graticule, numbers[i].text);
    }
  }
}

/* Numbers are the first to go: overlaid channels have letters alone, in the
 * same frame. */
static void
test_room (void)
{
  const AmphistoLayout layout = rgb_layout (1920, 1080);
  AmphistoScopeSettings settings = settings_with (BOTH_GRAPHS);
  AmphistoScopeParams params;

  settings.graticule = true;
  params = placed_scopes (&settings, false, &layout, ~0u, RGB);
  g_assert_true (params.waveform.scope.has_letters);
  g_assert_true (params.histogram.scope.has_letters);
  g_assert_cmpuint (params.waveform.scope.n_numbers, ==, 0);
  g_assert_cmpuint (params.histogram.scope.n_numbers, ==, 0);
  settings.width = 0.5;
  params = placed_scopes (&settings, false, &layout, ~0u, RGB);
  g_assert_cmpuint (params.waveform.scope.n_numbers, ==, 3);
  g_assert_cmpuint (params.histogram.scope.n_numbers, ==, 3);
  settings.graticule = false;
  params = placed_scopes (&settings, false, &layout, ~0u, RGB);
  g_assert_cmpuint (params.waveform.scope.n_numbers, ==, 0);
}

const CoreTest core_tests[] = {
  { "/captions/text-height", test_text_height },
  { "/captions/figures", test_figures },
  { "/captions/shared", test_shared },
  { "/captions/numbers", test_numbers },
  { "/captions/room", test_room },
  { 0 },
};
