/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The captions of the histogram scope: their places, and their conditions.
 */

#include "layouts.h"
#include "placed.h"
#include "core/exposure.h"
#include "core/histogram_scope.h"

#include <glib.h>
#include <string.h>

typedef enum
{
  TEXT = 1,
  LEGEND = 2
} Contents;

/* Panels of this size, whose lines have a light of their own. */
static histogram_scope_params
params_for (Contents contents, uint32_t width, uint32_t height,
    uint32_t panels_x, uint32_t panels_y, uint32_t panel_curves)
{
  histogram_scope_params params = { .scope = { .width = width * panels_x,
                                        .height = height * panels_y,
                                        .panel_width = width,
                                        .panel_height = height,
                                        .panels_x = panels_x,
                                        .panels_y = panels_y,
                                        .plot_left = 7,
                                        .plot_width = width - 14,
                                        .has_graticule = (contents & TEXT) != 0,
                                        .has_legend =
                                            (contents & LEGEND) != 0 },
    .panel_curves = panel_curves,
    .n_curves = panels_x * panels_y * panel_curves,
    .lo = 16,
    .hi = 235 };

  for (uint32_t i = 0; i < params.n_curves; i++) {
    params.curve[i].channel = i;
    params.curve[i].line[i % 3] = 4 * i;
  }
  params.caption_top =
      height - amphisto_histogram_scope_caption_height (&params);
  return params;
}

static AmphistoGraticule
draw (const histogram_scope_params *params)
{
  AmphistoGraticule graticule;

  g_assert_true (amphisto_scope_init_graticule (
      &amphisto_histogram_scope, &params->scope, &graticule));
  return graticule;
}

static int
n_rows (const histogram_scope_params *params)
{
  return params->scope.panel_height - params->caption_top;
}

/* The first and the last lit column and row. */
typedef struct
{
  int left, right, top, bottom;
} Bounds;

/* The light of a pixel of panel p's caption. */
static uint32_t
caption_light (const AmphistoGraticule *graticule,
    const histogram_scope_params *params, int p, int x, int y)
{
  const scope_params *scope = &params->scope;
  const int left = p % scope->panels_x * scope->panel_width;
  const int top = p / scope->panels_x * scope->panel_height;

  return graticule
      ->light[(top + (int) params->caption_top + y) * (int) graticule->width
          + left + x];
}

/* The bounds of columns `left` to `right` (exclusive) of panel p's caption. */
static Bounds
lit_bounds (const AmphistoGraticule *graticule,
    const histogram_scope_params *params, int p, int left, int right)
{
  const int rows = n_rows (params);
  Bounds bounds = { right, left - 1, rows, -1 };

  for (int y = 0; y < rows; y++)
    for (int x = left; x < right; x++)
      if (caption_light (graticule, params, p, x, y) != 0) {
        bounds.left = MIN (bounds.left, x);
        bounds.right = MAX (bounds.right, x);
        bounds.top = MIN (bounds.top, y);
        bounds.bottom = MAX (bounds.bottom, y);
      }
  return bounds;
}

/* The scale's ends are at the left and right end of the plot, with the letters
 * between them in the same rows, and nothing touches. */
static void
assert_caption (const AmphistoGraticule *graticule,
    const histogram_scope_params *params, int p, int scale)
{
  const int width = params->scope.panel_width;
  const int left = params->scope.plot_left, right = width - left;
  const int zero = left + 5 * scale, end = right - 17 * scale;
  const Bounds all = lit_bounds (graticule, params, p, 0, width);
  const Bounds letters = lit_bounds (graticule, params, p, zero, end);

  g_assert_cmpint (all.left, ==, left);
  g_assert_cmpint (
      lit_bounds (graticule, params, p, 0, zero).right, ==, zero - 1);
  g_assert_cmpint (lit_bounds (graticule, params, p, end, width).left, ==, end);
  g_assert_cmpint (all.right, ==, right - 1);
  g_assert_cmpint (all.top, >, 0);
  g_assert_cmpint (all.bottom - all.top + 1, ==, 7 * scale);
  g_assert_cmpint (all.bottom, <, n_rows (params) - 1);
  g_assert_cmpint (letters.left - zero, >=, 6 * scale);
  g_assert_cmpint (end - 1 - letters.right, >=, 6 * scale);
  g_assert_cmpint (letters.right - letters.left + 1, ==,
      (8 * (int) params->panel_curves - 3) * scale);
  g_assert_cmpint (ABS (letters.left + letters.right + 1 - width), <=, 1);
}

/* Panels of frames with 480, 720, 1080 and 2160 rows. */
static const struct
{
  uint32_t width, height, scale;
} sizes[] = { { 208, 120, 1 }, { 416, 180, 2 }, { 640, 272, 2 },
  { 1264, 540, 5 } };

static void
test_places (void)
{
  static const uint32_t divisions[][3] = { { 1, 1, 1 }, { 1, 1, 4 },
    { 1, 1, 7 }, { 3, 1, 1 }, { 1, 6, 1 } };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (gsize d = 0; d < G_N_ELEMENTS (divisions); d++) {
      const histogram_scope_params params = params_for (TEXT, sizes[i].width,
          sizes[i].height, divisions[d][0], divisions[d][1], divisions[d][2]);
      const uint32_t n_panels = divisions[d][0] * divisions[d][1];
      AmphistoGraticule graticule = draw (&params);

      for (uint32_t p = 0; p < n_panels; p++)
        assert_caption (&graticule, &params, p, sizes[i].scale);
      amphisto_graticule_clear (&graticule);
    }
}

/* The letters name the channels, in order, in the colours of their curves. */
static void
test_letters (void)
{
  static const char *const letters = "YUVRGBA";
  const histogram_scope_params params = params_for (TEXT, 208, 120, 1, 1, 7);
  const int first = (208 - (8 * 7 - 3)) / 2;
  AmphistoGraticule graticule = draw (&params), expected;

  g_assert_true (amphisto_graticule_init (&expected, 208, n_rows (&params)));
  for (uint32_t i = 0; i < 7; i++) {
    const char letter[2] = { letters[i], '\0' };
    uint32_t c[3] = { 63, 63, 63 };

    c[i % 3] += 3 * i;
    amphisto_graticule_text (&expected, first + 8 * i, 2, 1, letter,
        AMPHISTO_LIGHT (c[0], c[1], c[2]));
  }
  for (int y = 0; y < n_rows (&params); y++)
    for (int x = first; x < first + 8 * 7 - 3; x++)
      g_assert_cmphex (caption_light (&graticule, &params, 0, x, y), ==,
          expected.light[y * 208 + x]);
  amphisto_graticule_clear (&expected);
  amphisto_graticule_clear (&graticule);
}

/* Each panel of a parade has the letter of its channel. */
static void
test_letters_of_panels (void)
{
  histogram_scope_params two = params_for (TEXT, 96, 60, 2, 1, 1);
  histogram_scope_params one = params_for (TEXT, 96, 60, 1, 1, 1);
  AmphistoGraticule parade, luma, blue;
  bool differs = false;

  two.curve[1].channel = AMPHISTO_CHANNEL_BLUE;
  parade = draw (&two);
  luma = draw (&one);
  one.curve[0] = two.curve[1];
  blue = draw (&one);
  for (int y = 0; y < n_rows (&one); y++)
    for (int x = 0; x < 96; x++) {
      const uint32_t y_light = caption_light (&luma, &one, 0, x, y);
      const uint32_t b_light = caption_light (&blue, &one, 0, x, y);

      g_assert_cmphex (caption_light (&parade, &two, 0, x, y), ==, y_light);
      g_assert_cmphex (caption_light (&parade, &two, 1, x, y), ==, b_light);
      differs |= y_light != b_light;
    }
  g_assert_true (differs);
  amphisto_graticule_clear (&parade);
  amphisto_graticule_clear (&luma);
  amphisto_graticule_clear (&blue);
}

/* The legend: `n` rows from the first one that has light on, as wide as the
 * plot, in the colours of the values. */
static void
assert_legend (const AmphistoGraticule *graticule,
    const histogram_scope_params *params, int p, int n)
{
  const int width = params->scope.panel_width, left = params->scope.plot_left;
  const int last = params->scope.plot_width - 1;
  const int top = lit_bounds (graticule, params, p, 0, width).top;

  g_assert_cmpint (top, >, 0);
  for (int y = top; y < top + n; y++)
    for (int x = 0; x < width; x++) {
      const int v = ((x - left) * 255 + last / 2) / last;

      g_assert_cmphex (caption_light (graticule, params, p, x, y), ==,
          x >= left && x <= left + last ? amphisto_exposure_light (16, 235, v)
                                        : 0);
    }
  for (int x = 0; top + n < n_rows (params) && x < width; x++)
    g_assert_cmphex (caption_light (graticule, params, p, x, top + n), ==, 0);
}

/* With false colour, each panel has its legend, above the text. */
static void
test_legend (void)
{
  for (gsize i = 0; i < 2 * G_N_ELEMENTS (sizes); i++) {
    const bool has_text = i & 1;
    const int scale = sizes[i / 2].scale;
    const histogram_scope_params params =
        params_for (has_text ? LEGEND | TEXT : LEGEND, sizes[i / 2].width,
            sizes[i / 2].height, 1, 2, 1);
    AmphistoGraticule graticule = draw (&params);

    g_assert_cmpint (n_rows (&params), ==, (has_text ? 16 : 7) * scale);
    for (int p = 0; p < 2; p++) {
      assert_legend (&graticule, &params, p, 3 * scale);
      g_assert_cmpint (
          lit_bounds (&graticule, &params, p, 0, sizes[i / 2].width).bottom, ==,
          (has_text ? 14 : 5) * scale - 1);
    }
    amphisto_graticule_clear (&graticule);
  }
}

/* Grey formats have no false colour. */
static void
test_grey_legend (void)
{
  const AmphistoScopeSettings settings = {
    .enabled = AMPHISTO_SCOPE_HISTOGRAM, .width = 0.5, .height = 0.5
  };
  const AmphistoLayout grey = grey_layout (640, 480);
  const AmphistoLayout yuv = yuv_layout (640, 480, 1, 1);
  const histogram_scope_params none =
      placed_scopes (&settings, true, &grey, ~0u, ~0u).histogram;
  const histogram_scope_params some =
      placed_scopes (&settings, true, &yuv, ~0u, ~0u).histogram;

  g_assert_cmpint (n_rows (&none), ==, 0);
  g_assert_cmpint (n_rows (&some), >, 0);
}

/* Text takes at most a quarter of a panel's height, and the plot's width. With
 * less room it is smaller, or missing. */
static void
test_room (void)
{
  for (uint32_t curves = 1; curves <= 7; curves++)
    for (uint32_t width = 32; width < 700; width += 16)
      for (uint32_t height = 16; height < 700; height += 4) {
        const histogram_scope_params params =
            params_for (TEXT, width, height, 1, 1, curves);
        const uint32_t scale = n_rows (&params) / 11;

        g_assert_cmpuint (n_rows (&params), ==, 11 * scale);
        g_assert_cmpuint (9 * scale, <=, height / 4);
        g_assert_cmpuint (
            (31 + 8 * curves) * scale, <=, params.scope.plot_width);
        g_assert_true (scale > 0 || height < 36
            || (31 + 8 * curves) > params.scope.plot_width);
      }
}

/* Neither is the legend more than an eighth. */
static void
test_room_for_legend (void)
{
  for (uint32_t height = 16; height < 700; height += 4) {
    const histogram_scope_params params =
        params_for (LEGEND, 96, height, 1, 1, 1);
    const uint32_t scale = n_rows (&params) / 7;

    g_assert_cmpuint (n_rows (&params), ==, 7 * scale);
    g_assert_cmpuint (5 * scale, <=, height / 8);
    g_assert_true (scale > 0 || height < 40);
  }
}

/* The least panel has none. */
static void
test_none (void)
{
  g_assert_cmpuint (params_for (TEXT, 32, 16, 1, 1, 1).caption_top, ==, 16);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/captions/places", test_places);
  g_test_add_func ("/captions/letters", test_letters);
  g_test_add_func ("/captions/letters-of-panels", test_letters_of_panels);
  g_test_add_func ("/captions/legend", test_legend);
  g_test_add_func ("/captions/grey-legend", test_grey_legend);
  g_test_add_func ("/captions/room", test_room);
  g_test_add_func ("/captions/room-for-legend", test_room_for_legend);
  g_test_add_func ("/captions/none", test_none);
  return g_test_run ();
}
