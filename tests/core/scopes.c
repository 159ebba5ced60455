/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Places of the scopes, and brightness of their cells.
 */

#include "layouts.h"
#include "core/captions.h"
#include "core/scopes.h"
#include "core/vectorscope.h"
#include "core/waveform.h"

#include <glib.h>

#define ALL_SCOPES                                                             \
  (AMPHISTO_SCOPE_HISTOGRAM | AMPHISTO_SCOPE_WAVEFORM                          \
      | AMPHISTO_SCOPE_VECTORSCOPE)

/* The properties' defaults, but with these scopes. */
static AmphistoOverlay
overlay_with (AmphistoScopes scopes)
{
  return (AmphistoOverlay){ .display = AMPHISTO_DISPLAY_OVERLAY,
    .position = AMPHISTO_SCOPE_BOTTOM_RIGHT,
    .width = 0.33,
    .height = 0.25,
    .scopes = scopes };
}

static AmphistoScopePlaces
places_for (const AmphistoOverlay *overlay, uint32_t width, uint32_t height,
    uint32_t n_channels)
{
  const AmphistoLayout layout = yuv_layout (width, height, 1, 1);
  AmphistoScopePlaces places;

  amphisto_scopes_place (overlay, &layout, n_channels, &places);
  return places;
}

static void
assert_place (const AmphistoScopePlace *place, uint32_t x, uint32_t y,
    uint32_t width, uint32_t height)
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
  AmphistoOverlay overlay = overlay_with (ALL_SCOPES);
  AmphistoScopePlaces places = places_for (&overlay, 1920, 1080, 1);

  assert_place (&places.histogram, 1248, 780, 640, 272);
  assert_place (&places.waveform, 592, 780, 640, 272);
  assert_place (&places.vectorscope, 304, 780, 272, 272);
  overlay.position = AMPHISTO_SCOPE_TOP_LEFT;
  places = places_for (&overlay, 1920, 1080, 1);
  assert_place (&places.histogram, 32, 28, 640, 272);
  assert_place (&places.waveform, 688, 28, 640, 272);
  assert_place (&places.vectorscope, 1344, 28, 272, 272);
}

/* A scope takes the place of scopes that are not drawn. */
static void
test_alone (void)
{
  for (guint i = 0; i < 3; i++) {
    const AmphistoOverlay overlay = overlay_with (1u << i);
    const AmphistoScopePlaces places = places_for (&overlay, 1920, 1080, 1);
    const AmphistoScopePlace *place = i == 0 ? &places.histogram
        : i == 1                             ? &places.waveform
                                             : &places.vectorscope;

    assert_place (place, i < 2 ? 1248 : 1616, 780, i < 2 ? 640 : 272, 272);
    g_assert_cmpuint (places.histogram.panels_x + places.waveform.panels_x
            + places.vectorscope.panels_x,
        ==, 1);
  }
}

static void
test_no_room (void)
{
  AmphistoOverlay overlay = overlay_with (ALL_SCOPES);
  AmphistoScopePlaces places;

  overlay.width = 1;
  places = places_for (&overlay, 640, 480, 1);
  g_assert_cmpuint (places.histogram.panels_x, ==, 1);
  g_assert_cmpuint (places.waveform.panels_x, ==, 0);
  g_assert_cmpuint (places.vectorscope.panels_x, ==, 0);
  /* a smaller scope may still have a graticule */
  overlay.width = 0.6;
  places = places_for (&overlay, 640, 480, 1);
  g_assert_cmpuint (places.histogram.panels_x, ==, 1);
  g_assert_cmpuint (places.waveform.panels_x, ==, 0);
  g_assert_cmpuint (places.vectorscope.panels_x, ==, 1);
}

static void
test_nothing_to_show (void)
{
  AmphistoOverlay overlay = overlay_with (ALL_SCOPES);
  const AmphistoLayout grey = grey_layout (1920, 1080);
  AmphistoScopePlaces places = places_for (&overlay, 1920, 1080, 0);

  g_assert_cmpuint (places.histogram.panels_x, ==, 0);
  g_assert_cmpuint (places.waveform.panels_x, ==, 0);
  g_assert_cmpuint (places.vectorscope.panels_x, ==, 1);
  amphisto_scopes_place (&overlay, &grey, 1, &places);
  g_assert_cmpuint (places.waveform.panels_x, ==, 1);
  g_assert_cmpuint (places.vectorscope.panels_x, ==, 0);
  overlay.scopes = AMPHISTO_SCOPE_NONE;
  places = places_for (&overlay, 1920, 1080, 1);
  g_assert_cmpuint (places.histogram.panels_x, ==, 0);
  g_assert_cmpuint (places.vectorscope.panels_x, ==, 0);
}

static void
assert_within (const AmphistoScopePlace *place, uint32_t width, uint32_t height)
{
  g_assert_cmpuint (place->x % OVERLAY_UNIT, ==, 0);
  g_assert_cmpuint (place->y % OVERLAY_ROWS, ==, 0);
  g_assert_cmpuint (place->panel_width % OVERLAY_UNIT, ==, 0);
  g_assert_cmpuint (place->panel_height % OVERLAY_ROWS, ==, 0);
  g_assert_cmpuint (place->x + place->panels_x * place->panel_width, <=, width);
  g_assert_cmpuint (
      place->y + place->panels_y * place->panel_height, <=, height);
}

static void
assert_apart (const AmphistoScopePlace *a, const AmphistoScopePlace *b)
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
    AmphistoOverlay overlay = overlay_with (g_rand_int (random) & 7);
    const guint32 width = g_rand_int_range (random, 1, 3000);
    const guint32 height = g_rand_int_range (random, 1, 3000);
    AmphistoScopePlaces places;

    overlay.display = g_rand_int_range (random, 1, 4);
    overlay.position = g_rand_int_range (random, 0, 4);
    overlay.width = g_rand_double (random);
    overlay.height = g_rand_double (random);
    places =
        places_for (&overlay, width, height, g_rand_int_range (random, 0, 8));
    assert_within (&places.histogram, width, height);
    assert_within (&places.waveform, width, height);
    assert_within (&places.vectorscope, width, height);
    assert_apart (&places.histogram, &places.waveform);
    assert_apart (&places.histogram, &places.vectorscope);
    assert_apart (&places.waveform, &places.vectorscope);
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
  AmphistoOverlay overlay = overlay_with (ALL_SCOPES);
  AmphistoScopePlaces places;
  AmphistoGraticule graticule;
  overlay_params histogram;
  waveform_params waveform;
  vectorscope_params vectorscope;
  bool found;

  overlay.graticule = true;
  amphisto_scopes_place (&overlay, layout, 2, &places);
  amphisto_overlay_fill_params (&overlay, layout, shown, shown, &histogram);
  found = histogram.gridline_width < 2 || histogram.line_width < 2 * 16;
  g_assert_true (
      amphisto_captions_init (&graticule, &histogram, &overlay, layout, shown));
  found |= has_single_rows (&graticule);
  amphisto_waveform_fill_params (
      &overlay, &places.waveform, layout, shown, &waveform);
  g_assert_true (amphisto_waveform_init_graticule (&waveform, &graticule));
  found |= has_single_rows (&graticule);
  amphisto_vectorscope_fill_params (
      &overlay, &places.vectorscope, layout, &vectorscope);
  g_assert_true (
      amphisto_vectorscope_init_graticule (&vectorscope, &graticule));
  return found | has_single_rows (&graticule);
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
    const AmphistoOverlay overlay = overlay_with (AMPHISTO_SCOPE_WAVEFORM);
    AmphistoLayout layout = yuv_layout (160, height, 2, 2);
    AmphistoScopePlaces places;

    layout.has_fields = true;
    amphisto_scopes_place (&overlay, &layout, 1, &places);
    g_assert_cmpuint (places.waveform.panels_y, ==, 1);
    g_assert_cmpuint (places.waveform.y % 8, ==, 0);
    g_assert_cmpuint (places.waveform.panel_height % 8, ==, 0);
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
