/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Brightness of the cells of scopes, and common sizes of scopes.
 */

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

  amphisto_scope_fill_brightness (30 * 256, brightness);
  g_assert_cmpuint (light_of (brightness, 0), ==, 0);
  /* 30 (255 + 30) / (30 + 30), and 1 (255 + 30) / (1 + 30) */
  g_assert_cmpuint (light_of (brightness, 30), ==, 142);
  g_assert_cmpuint (light_of (brightness, 1), ==, 9);
  for (uint64_t half = 0; half < 1u << 24; half = 2 * half + 77) {
    amphisto_scope_fill_brightness (half, brightness);
    g_assert_cmpuint (light_of (brightness, 0), ==, 0);
    g_assert_cmpuint (light_of (brightness, 255), ==, 255);
    for (guint n = 0; n < 255; n++)
      g_assert_cmpuint (
          light_of (brightness, n), <=, light_of (brightness, n + 1));
  }
}

/* All 256 values have the same size if that costs little room. */
static void
test_plot_size (void)
{
  g_assert_cmpuint (amphisto_scope_plot_size (268), ==, 256);
  g_assert_cmpuint (amphisto_scope_plot_size (532), ==, 512);
  g_assert_cmpuint (amphisto_scope_plot_size (255), ==, 255);
  g_assert_cmpuint (amphisto_scope_plot_size (350), ==, 350);
}

/* --- fields --- */

/* Whether a column has a lit pixel between two dark ones. The faint light of
 * soft edges does not flicker. */
static bool
has_single_rows (const AmphistoGraticule *graticule)
{
  bool found = false;

  for (uint32_t x = 0; x < graticule->width; x++)
    for (uint32_t y = 0; y < graticule->height; y++) {
      const uint32_t *pixel = &graticule->light[y * graticule->width + x];

      if ((*pixel & 0xe0e0e0) != 0
          && (y == 0 || pixel[-(int) graticule->width] == 0)
          && (y + 1 == graticule->height || pixel[graticule->width] == 0))
        found = true;
    }
  return found;
}

static bool
has_lines_of_one_row (const AmphistoLayout *layout)
{
  const AmphistoChannelMask shown = AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_LUMA)
      | AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_U);
  AmphistoScopeSettings settings = settings_with (ALL_SCOPES);
  AmphistoScopeParams params;
  scope_params *scopes[AMPHISTO_N_SCOPES];
  bool found;

  settings.graticule = true;
  params = placed_scopes (&settings, false, layout, ~0u, shown);
  found = params.histogram.line_width < 2 * 16;
  amphisto_scopes_list (&params, scopes);
  for (guint i = 0; i < AMPHISTO_N_SCOPES; i++) {
    g_auto (AmphistoGraticule) graticule =
        graticule_of (amphisto_scopes[i], scopes[i]);

    found |= has_single_rows (&graticule);
  }
  return found;
}

/* A line in a single row is in one field only, and flickers. */
static void
test_line_rows (void)
{
  static const uint32_t sizes[][2] = { { 352, 288 }, { 720, 486 }, { 720, 576 },
    { 1920, 1080 } };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++) {
    AmphistoLayout layout = yuv_layout (sizes[i][0], sizes[i][1], 1, 1);

    g_assert_true (sizes[i][1] > 576 || has_lines_of_one_row (&layout));
    layout.has_fields = true;
    g_assert_false (has_lines_of_one_row (&layout));
  }
}

const CoreTest core_tests[] = {
  { "/brightness", test_brightness },
  { "/plot-size", test_plot_size },
  { "/line-rows", test_line_rows },
  { NULL },
};
