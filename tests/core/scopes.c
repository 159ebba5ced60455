/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Places of the scopes, and brightness of their cells.
 */

#include "layouts.h"
#include "placed.h"

#include <glib.h>

#define ALL_SCOPES                                                             \
  (AMPHISTO_SCOPE_HISTOGRAM | AMPHISTO_SCOPE_WAVEFORM                          \
      | AMPHISTO_SCOPE_VECTORSCOPE)

/* The properties' defaults, but with these scopes. */
static AmphistoScopeSettings
settings_with (AmphistoScopes scopes)
{
  return (AmphistoScopeSettings){ .display = AMPHISTO_DISPLAY_OVERLAY,
    .position = AMPHISTO_SCOPE_BOTTOM_RIGHT,
    .width = 0.33,
    .height = 0.25,
    .enabled = scopes };
}

/* Of the first n_channels channels. */
static AmphistoScopeParams
params_for (const AmphistoScopeSettings *settings, uint32_t width,
    uint32_t height, uint32_t n_channels)
{
  const AmphistoLayout layout = yuv_layout (width, height, 1, 1);

  return placed_scopes (settings, false, &layout, ~0u, (1u << n_channels) - 1);
}

static void
assert_place (const scope_params *place, uint32_t x, uint32_t y, uint32_t width,
    uint32_t height)
{
  g_assert_cmpuint (place->x, ==, x);
  g_assert_cmpuint (place->y, ==, y);
  g_assert_cmpuint (place->panels_x * place->panel_width, ==, width);
  g_assert_cmpuint (place->panels_y * place->panel_height, ==, height);
}

/* Side by side from each corner, at multiples of 16 and 4. */
static void
test_order (void)
{
  AmphistoScopeSettings settings = settings_with (ALL_SCOPES);
  AmphistoScopeParams params = params_for (&settings, 1920, 1080, 1);

  assert_place (&params.histogram.scope, 1248, 780, 640, 272);
  assert_place (&params.waveform.scope, 592, 780, 640, 272);
  assert_place (&params.vectorscope.scope, 304, 780, 272, 272);
  settings.position = AMPHISTO_SCOPE_TOP_LEFT;
  params = params_for (&settings, 1920, 1080, 1);
  assert_place (&params.histogram.scope, 32, 28, 640, 272);
  assert_place (&params.waveform.scope, 688, 28, 640, 272);
  assert_place (&params.vectorscope.scope, 1344, 28, 272, 272);
}

/* A scope takes the place of scopes that are not drawn. */
static void
test_alone (void)
{
  for (guint i = 0; i < 3; i++) {
    const AmphistoScopeSettings settings = settings_with (1u << i);
    const AmphistoScopeParams params = params_for (&settings, 1920, 1080, 1);
    const scope_params *place = i == 0 ? &params.histogram.scope
        : i == 1                       ? &params.waveform.scope
                                       : &params.vectorscope.scope;

    assert_place (place, i < 2 ? 1248 : 1616, 780, i < 2 ? 640 : 272, 272);
    g_assert_cmpuint (params.histogram.scope.panels_x
            + params.waveform.scope.panels_x
            + params.vectorscope.scope.panels_x,
        ==, 1);
  }
}

static void
test_no_room (void)
{
  AmphistoScopeSettings settings = settings_with (ALL_SCOPES);
  AmphistoScopeParams params;

  settings.width = 1;
  params = params_for (&settings, 640, 480, 1);
  g_assert_cmpuint (params.histogram.scope.panels_x, ==, 1);
  g_assert_cmpuint (params.waveform.scope.panels_x, ==, 0);
  g_assert_cmpuint (params.vectorscope.scope.panels_x, ==, 0);
  /* a smaller scope may still have a graticule */
  settings.width = 0.6;
  params = params_for (&settings, 640, 480, 1);
  g_assert_cmpuint (params.histogram.scope.panels_x, ==, 1);
  g_assert_cmpuint (params.waveform.scope.panels_x, ==, 0);
  g_assert_cmpuint (params.vectorscope.scope.panels_x, ==, 1);
}

static void
test_nothing_to_show (void)
{
  AmphistoScopeSettings settings = settings_with (ALL_SCOPES);
  const AmphistoLayout grey = grey_layout (1920, 1080);
  AmphistoScopeParams params = params_for (&settings, 1920, 1080, 0);

  g_assert_cmpuint (params.histogram.scope.panels_x, ==, 0);
  g_assert_cmpuint (params.waveform.scope.panels_x, ==, 0);
  g_assert_cmpuint (params.vectorscope.scope.panels_x, ==, 1);
  params = placed_scopes (&settings, false, &grey, ~0u, 1);
  g_assert_cmpuint (params.waveform.scope.panels_x, ==, 1);
  g_assert_cmpuint (params.vectorscope.scope.panels_x, ==, 0);
  settings.enabled = AMPHISTO_SCOPE_NONE;
  params = params_for (&settings, 1920, 1080, 1);
  g_assert_cmpuint (params.histogram.scope.panels_x, ==, 0);
  g_assert_cmpuint (params.vectorscope.scope.panels_x, ==, 0);
}

static void
assert_within (const scope_params *place, uint32_t width, uint32_t height)
{
  g_assert_cmpuint (place->x % SCOPE_UNIT, ==, 0);
  g_assert_cmpuint (place->y % SCOPE_ROWS, ==, 0);
  g_assert_cmpuint (place->panel_width % SCOPE_UNIT, ==, 0);
  g_assert_cmpuint (place->panel_height % SCOPE_ROWS, ==, 0);
  g_assert_cmpuint (place->x + place->panels_x * place->panel_width, <=, width);
  g_assert_cmpuint (
      place->y + place->panels_y * place->panel_height, <=, height);
}

static void
assert_apart (const scope_params *a, const scope_params *b)
{
  if (a->panels_x > 0 && b->panels_x > 0)
    g_assert_true (a->x + a->panels_x * a->panel_width < b->x
        || b->x + b->panels_x * b->panel_width < a->x);
}

/* Scopes of all sizes are in the picture and do not overlap. */
static void
test_sizes (void)
{
  GRand *random = g_rand_new_with_seed (13);

  for (guint i = 0; i < 5000; i++) {
    AmphistoScopeSettings settings = settings_with (g_rand_int (random) & 7);
    const guint32 width = g_rand_int_range (random, 1, 3000);
    const guint32 height = g_rand_int_range (random, 1, 3000);
    AmphistoScopeParams params;

    settings.display = g_rand_int_range (random, 1, 4);
    settings.position = g_rand_int_range (random, 0, 4);
    settings.width = g_rand_double (random);
    settings.height = g_rand_double (random);
    params =
        params_for (&settings, width, height, g_rand_int_range (random, 0, 8));
    assert_within (&params.histogram.scope, width, height);
    assert_within (&params.waveform.scope, width, height);
    assert_within (&params.vectorscope.scope, width, height);
    assert_apart (&params.histogram.scope, &params.waveform.scope);
    assert_apart (&params.histogram.scope, &params.vectorscope.scope);
    assert_apart (&params.waveform.scope, &params.vectorscope.scope);
  }
  g_rand_free (random);
}

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

/* Whether a column has a lit pixel between two dark ones. Clears the graticule.
 */
static bool
has_single_rows (AmphistoGraticule *graticule)
{
  bool found = false;

  for (uint32_t x = 0; x < graticule->width; x++)
    for (uint32_t y = 0; y < graticule->height; y++) {
      const uint32_t *pixel = &graticule->light[y * graticule->width + x];

      if (*pixel != 0 && (y == 0 || pixel[-(int) graticule->width] == 0)
          && (y + 1 == graticule->height || pixel[graticule->width] == 0))
        found = true;
    }
  amphisto_graticule_clear (graticule);
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
    AmphistoGraticule graticule;

    g_assert_true (amphisto_scope_init_graticule (
        amphisto_scopes[i], scopes[i], &graticule));
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

/* Scopes begin and end with whole chroma rows of both fields. */
static void
test_field_rows (void)
{
  for (uint32_t height = 64; height < 200; height++) {
    const AmphistoScopeSettings settings =
        settings_with (AMPHISTO_SCOPE_WAVEFORM);
    AmphistoLayout layout = yuv_layout (160, height, 2, 2);
    AmphistoScopeParams params;

    layout.has_fields = true;
    params = placed_scopes (&settings, false, &layout, ~0u, 1);
    g_assert_cmpuint (params.waveform.scope.panels_y, ==, 1);
    g_assert_cmpuint (params.waveform.scope.y % 8, ==, 0);
    g_assert_cmpuint (params.waveform.scope.panel_height % 8, ==, 0);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/place/order", test_order);
  g_test_add_func ("/place/alone", test_alone);
  g_test_add_func ("/place/no-room", test_no_room);
  g_test_add_func ("/place/nothing-to-show", test_nothing_to_show);
  g_test_add_func ("/place/sizes", test_sizes);
  g_test_add_func ("/brightness", test_brightness);
  g_test_add_func ("/plot-size", test_plot_size);
  g_test_add_func ("/fields/line-rows", test_line_rows);
  g_test_add_func ("/fields/rows", test_field_rows);
  return g_test_run ();
}
