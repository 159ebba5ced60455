/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Scopes of frames, and scopes alone, with more than 65,536 columns or rows:
 * products of such sizes and of positions in 1/65536 exceed 32 bits.
 */

#include "channels.h"
#include "core/scopes/captions.h"
#include "core/scopes/places.h"
#include "layouts.h"
#include "placed.h"
#include "plans.h"
#include "suite.h"

static const uint32_t sizes[][2] = { { 65552, 40 }, { 68000, 64 },
  { 74000, 64 }, { 140000, 48 }, { 20000000, 32 }, { 64, 70000 } };

static AmphistoScopeSettings
settings_for (AmphistoDisplay display)
{
  AmphistoScopeSettings settings = settings_with (ALL_SCOPES);

  settings.display = display;
  settings.width = settings.height = 1;
  settings.graticule = settings.clipping_bars = true;
  return settings;
}

static void
assert_inside (const scope_params *scope, const uint32_t size[2])
{
  g_assert_cmpuint (scope->panel_width, <=, AMPHISTO_MOST_WIDTH);
  g_assert_cmpuint (scope->panels_x * scope->panel_width, <=, scope->width);
  g_assert_cmpuint (
      scope->plot_left + scope->plot_width, <=, scope->panel_width);
  g_assert_cmpuint (scope->x + scope->width, <=, size[0]);
  g_assert_cmpuint (scope->y + scope->height, <=, size[1]);
}

/* Luma has the whole axis, from code 0 to 255; R, G and B have luma's 16 to
 * 235. Figures are where the codes are. */
static void
assert_curves (const histogram_scope_params *params)
{
  const scope_params *scope = &params->scope;
  const double code = (scope->plot_width - 1) / 255.0;

  for (uint32_t i = 0; i < params->n_curves; i++) {
    const curve_params *curve = &params->curve[i];
    const bool is_luma = curve->channel == AMPHISTO_CHANNEL_LUMA;
    const uint64_t last =
        (uint64_t) curve->bins_per_column * (curve->width - 1);

    g_assert_cmpfloat_with_epsilon (
        curve->left, is_luma ? 0 : 16 * code, 1 + code / 200);
    g_assert_cmpfloat_with_epsilon (curve->left + curve->width - 1,
        is_luma ? 255 * code : 235 * code, 1 + code / 200);
    /* less than half a bin off at the end */
    g_assert_cmpuint (last, >=, 255 << 16);
    g_assert_cmpuint (last, <, (255 << 16) + (1 << 15));
  }
  for (uint32_t i = 0; i < SCOPE_N_TICKS; i++)
    g_assert_cmpfloat_with_epsilon (
        scope->ticks[i], (16 + 2.19 * 25 * i) * code, 1 + code / 200);
}

static void
test_drawn (void)
{
  for (gsize i = 0; IS_ROW (sizes, i); i++)
    for (AmphistoDisplay display = OVERLAY; display <= PARADE; display++) {
      const AmphistoLayout layout = yuv_layout (sizes[i][0], sizes[i][1], 1, 1);
      const AmphistoScopeSettings settings = settings_for (display);
      AmphistoScopeParams params =
          placed_scopes (&settings, false, &layout, LUMA | RGB, LUMA | RGB);
      scope_params *scopes[AMPHISTO_N_SCOPES];

      amphisto_scopes_list (&params, scopes);
      for (uint32_t s = 0; s < AMPHISTO_N_SCOPES; s++)
        assert_inside (scopes[s], sizes[i]);
      if (params.histogram.n_curves > 0)
        assert_curves (&params.histogram);
      else /* too low */
        g_assert_true (display == STACK);
    }
}

/* A canvas of their own, of any size: a panel may leave its sides black. Luma
 * alone has all columns of the plot. */
static void
test_alone (void)
{
  const AmphistoLayout layout = yuv_layout (64, 48, 1, 1);

  for (gsize i = 0; IS_ROW (sizes, i); i++) {
    AmphistoSettings settings = { .channels = LUMA,
      .strength = 1.0f,
      .scopes = settings_for (OVERLAY),
      .output_width = sizes[i][0],
      .output_height = sizes[i][1] };
    const histogram_scope_params *params;
    AmphistoPlan plan;

    settings.scopes.enabled = HISTOGRAM;
    amphisto_plan_init (&plan, &layout, &settings, &cpu);
    params = &plan.params.scopes.histogram;
    assert_inside (&params->scope, sizes[i]);
    g_assert_cmpuint (params->n_curves, ==, 1);
    g_assert_cmpuint (params->curve[0].left, ==, 0);
    g_assert_cmpuint (params->curve[0].width, ==, params->scope.plot_width);
  }
}

/* --- the vectorscope's probes --- */

/* Probes are spread over all columns and rows, each row and column of the grid
 * shifted by a fraction of the distance. */
static void
assert_probes (uint32_t distance, uint32_t n, uint32_t size)
{
  for (uint32_t j = 0; j < VECTORSCOPE_MAX_PROBES; j++)
    for (uint32_t i = 0; i < n; i++) {
      const double shift = (j * 158 % 256) / 256.0;

      g_assert_cmpfloat_with_epsilon (
          PROBE_POSITION (distance, i, j), (i + shift) * size / n, 2);
      g_assert_cmpuint (PROBE_POSITION (distance, i, j), <, size);
    }
}

static void
test_probes (void)
{
  for (gsize i = 0; IS_ROW (sizes, i); i++) {
    const AmphistoLayout layout = yuv_layout (sizes[i][0], sizes[i][1], 0, 0);
    const AmphistoScopeSettings settings = settings_with (VECTORSCOPE);
    const vectorscope_params params =
        placed_scopes (&settings, false, &layout, ~0u, ~0u).vectorscope;

    g_assert_cmpuint (params.probe_columns, ==, 32);
    g_assert_cmpuint (params.probe_rows, ==, 32);
    assert_probes (params.probe_width, 32, sizes[i][0]);
    assert_probes (params.probe_height, 32, sizes[i][1]);
  }
}

const CoreTest core_tests[] = {
  { "/drawn", test_drawn },
  { "/alone", test_alone },
  { "/probes", test_probes },
  { 0 },
};
