/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Brightness of the cells of scopes, and common sizes of scopes.
 */

#include "channels.h"
#include "layouts.h"
#include "placed.h"
#include "suite.h"

static guint
light_of (const uint32_t *brightness, guint n)
{
  return brightness[n / 4] >> n % 4 * 8 & 0xff;
}

static void
test_brightness (void)
{
  uint32_t brightness[AMPHISTO_N_BINS / 4];

  amphisto_scope_fill_brightness (30 * 256, 1, brightness);
  g_assert_cmpuint (light_of (brightness, 0), ==, 0);
  /* v is 30 (255 + 30) / (30 + 30) = 142, and 1 (255 + 30) / (1 + 30) = 9 */
  g_assert_cmpuint (light_of (brightness, 30), ==, 158);
  g_assert_cmpuint (light_of (brightness, 1), ==, 44);
  for (uint64_t half = 0; half < 1u << 24; half = 2 * half + 77) {
    amphisto_scope_fill_brightness (half, 1, brightness);
    g_assert_cmpuint (light_of (brightness, 0), ==, 0);
    g_assert_cmpuint (light_of (brightness, 1), >=, 36);
    g_assert_cmpuint (light_of (brightness, 255), ==, 255);
    for (guint n = 0; n < 255; n++)
      g_assert_cmpuint (
          light_of (brightness, n), <=, light_of (brightness, n + 1));
  }
}

/* Intensity raises and lowers counts between none and the brightest. */
static void
test_intensity (void)
{
  /* of 30 samples: v is 142 times as much, rounded, 255 at most */
  static const struct
  {
    double intensity;
    guint light;
  } cases[] = { { 0.25, 67 }, { 0.5, 97 }, { 1, 158 }, { 1.25, 189 },
    { 1.7, 243 }, { 2, 255 }, { 4, 255 } };
  uint32_t brightness[AMPHISTO_N_BINS / 4];

  for (guint i = 0; IS_ROW (cases, i); i++) {
    amphisto_scope_fill_brightness (30 * 256, cases[i].intensity, brightness);
    g_assert_cmpuint (light_of (brightness, 0), ==, 0);
    g_assert_cmpuint (light_of (brightness, 1), >=, 36);
    g_assert_cmpuint (light_of (brightness, 30), ==, cases[i].light);
  }
}

/* The scopes' tables are those of their intensity. */
static void
test_intense (void)
{
  const AmphistoLayout layout = yuv_layout (1000, 540, 1, 1);
  AmphistoScopeSettings settings = settings_with (ALL_SCOPES);
  AmphistoScopeParams usual, intense;

  usual = placed_scopes (&settings, false, &layout, ~0u, LUMA);
  settings.intensity = 4;
  intense = placed_scopes (&settings, false, &layout, ~0u, LUMA);
  for (guint n = 1; n < 20; n++) {
    g_assert_cmpuint (light_of (intense.waveform.trace[0].brightness[0], n), >,
        light_of (usual.waveform.trace[0].brightness[0], n));
    g_assert_cmpuint (light_of (intense.vectorscope.brightness[0], n), >,
        light_of (usual.vectorscope.brightness[0], n));
  }
}

/* All 256 values have the same size if that costs little room. */
static void
test_plot_size (void)
{
  static const uint32_t sizes[][2] = { { 268, 256 }, { 532, 512 }, { 255, 255 },
    { 350, 350 } };

  for (gsize i = 0; IS_ROW (sizes, i); i++)
    g_assert_cmpuint (amphisto_scope_plot_size (sizes[i][0]), ==, sizes[i][1]);
}

/* --- graticules --- */

/* The graticules of all scopes with some channels. */
static void
graticules_init (const AmphistoLayout *layout, bool has_graticule,
    AmphistoScopeParams *params,
    AmphistoGraticule graticules[AMPHISTO_N_SCOPES])
{
  AmphistoScopeSettings settings = settings_with (ALL_SCOPES);
  scope_params *scopes[AMPHISTO_N_SCOPES];

  settings.graticule = has_graticule;
  *params = placed_scopes (&settings, false, layout, ~0u, LUMA | CHROMA);
  amphisto_scopes_list (params, scopes);
  for (guint i = 0; i < AMPHISTO_N_SCOPES; i++)
    graticules[i] = graticule_of (amphisto_scopes[i], scopes[i]);
}

/* Without a graticule, there are neither lines nor text. */
static void
test_none (void)
{
  const AmphistoLayout layout = yuv_layout (1000, 540, 1, 1);
  AmphistoGraticule graticules[AMPHISTO_N_SCOPES];
  AmphistoScopeParams params;

  graticules_init (&layout, false, &params, graticules);
  for (guint i = 0; i < AMPHISTO_N_SCOPES; i++) {
    const gsize n = (gsize) graticules[i].width * graticules[i].height;

    g_assert_cmpuint (n, >, 0);
    for (gsize k = 0; k < n; k++)
      g_assert_cmphex (graticules[i].light[k], ==, 0);
    amphisto_graticule_clear (&graticules[i]);
  }
}

/* Whether a column has a lit pixel between two dark ones. The faint light of
 * soft edges does not flicker. */
static bool
has_single_rows (const AmphistoGraticule *graticule)
{
  bool found = false;

  for (uint32_t x = 0; x < graticule->width; x++)
    for (uint32_t y = 0; y < graticule->height; y++) {
      const bool is_lit =
          (light_at (graticule, (int) x, (int) y) & 0xe0e0e0) != 0;

      found |= is_lit && light_at (graticule, (int) x, (int) y - 1) == 0
          && light_at (graticule, (int) x, (int) y + 1) == 0;
    }
  return found;
}

static bool
has_lines_of_one_row (const AmphistoLayout *layout)
{
  AmphistoGraticule graticules[AMPHISTO_N_SCOPES];
  AmphistoScopeParams params;
  bool found;

  graticules_init (layout, true, &params, graticules);
  found = params.histogram.line_width < 2 * 16;
  for (guint i = 0; i < AMPHISTO_N_SCOPES; i++) {
    found |= has_single_rows (&graticules[i]);
    amphisto_graticule_clear (&graticules[i]);
  }
  return found;
}

/* A line in a single row is in one field only, and flickers. */
static void
test_line_rows (void)
{
  static const uint32_t sizes[][2] = { { 352, 288 }, { 720, 486 }, { 720, 576 },
    { 1920, 1080 } };

  for (gsize i = 0; IS_ROW (sizes, i); i++) {
    AmphistoLayout layout = yuv_layout (sizes[i][0], sizes[i][1], 1, 1);

    g_assert_true (sizes[i][1] > 576 || has_lines_of_one_row (&layout));
    layout.has_fields = true;
    g_assert_false (has_lines_of_one_row (&layout));
  }
}

const CoreTest core_tests[] = {
  { "/brightness", test_brightness },
  { "/intensity", test_intensity },
  { "/intense", test_intense },
  { "/plot-size", test_plot_size },
  { "/graticule/none", test_none },
  { "/graticule/line-rows", test_line_rows },
  { 0 },
};
