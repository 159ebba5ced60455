/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The captions of the histogram scope: their places, and their conditions.
 */

#include "core/change/exposure.h"
#include "core/scopes/font.h"
#include "core/scopes/histogram_scope.h"
#include "layouts.h"
#include "lights.h"
#include "placed.h"
#include "suite.h"

#include <math.h>
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
  histogram_scope_params params = { .scope = { .width = panels_x * width,
                                        .height = panels_y * height,
                                        .panel_width = width,
                                        .panel_height = height,
                                        .panels_x = panels_x,
                                        .panels_y = panels_y,
                                        .pixel_aspect = AMPHISTO_SQUARE_PIXEL,
                                        .plot_top = 2,
                                        .gridline_width = 1,
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
    for (uint32_t c = 0; c < 3; c++)
      params.curve[i].line[c] = 40 + (c == i % 3 ? 4 * i : 0);
  }
  params.caption_top =
      height - amphisto_histogram_scope_caption_height (&params);
  return params;
}

static AmphistoGraticule
draw (const histogram_scope_params *params)
{
  return graticule_of (&amphisto_histogram_scope, &params->scope);
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

/* The light of a pixel of panel p's caption, without its shade. */
static uint32_t
caption_light (const AmphistoGraticule *graticule,
    const histogram_scope_params *params, int p, int x, int y)
{
  const scope_params *scope = &params->scope;
  const int left = p % scope->panels_x * scope->panel_width;
  const int top = p / scope->panels_x * scope->panel_height;

  return graticule->light[(top + (int) params->caption_top + y)
                 * (int) graticule->width
             + left + x]
      & 0xffffff;
}

/* The bounds of bright pixels in columns `left` to `right` (exclusive) of panel
 * p's caption. Soft edges of strokes do not count. */
static Bounds
lit_bounds (const AmphistoGraticule *graticule,
    const histogram_scope_params *params, int p, int left, int right)
{
  const int rows = n_rows (params);
  Bounds bounds = { right, left - 1, rows, -1 };

  for (int y = 0; y < rows; y++)
    for (int x = left; x < right; x++)
      if (caption_light (graticule, params, p, x, y) & 0xc0c0c0) {
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
    const histogram_scope_params *params, int p, int height)
{
  const int width = params->scope.panel_width;
  const int left = params->scope.plot_left, right = width - left;
  const int zero = left
      + (int) amphisto_graticule_text_width (
          "0", height, AMPHISTO_SQUARE_PIXEL);
  const int end = right
      - (int) amphisto_graticule_text_width (
          "255", height, AMPHISTO_SQUARE_PIXEL);
  const Bounds all = lit_bounds (graticule, params, p, 0, width);
  const Bounds letters = lit_bounds (graticule, params, p, zero, end);

  g_assert_cmpint (all.left, ==, left);
  g_assert_cmpint (
      lit_bounds (graticule, params, p, 0, zero).right, ==, zero - 1);
  g_assert_cmpint (lit_bounds (graticule, params, p, end, width).left, ==, end);
  g_assert_cmpint (all.right, ==, right - 1);
  g_assert_cmpint (all.top, >, 0);
  g_assert_cmpint (all.bottom - all.top + 1, ==, height);
  g_assert_cmpint (all.bottom, <, n_rows (params) - 1);
  g_assert_cmpint (7 * (letters.left - zero), >=, 5 * height);
  g_assert_cmpint (7 * (end - 1 - letters.right), >=, 5 * height);
  g_assert_cmpint (ABS (letters.left + letters.right + 1 - width), <=, 1);
}

/* Panels of frames with 480, 720, 1080 and 2160 rows. */
static const struct
{
  uint32_t width, height, text;
} sizes[] = { { 208, 120, 8 }, { 416, 180, 11 }, { 640, 272, 17 },
  { 1264, 540, 34 } };

static void
test_places (void)
{
  static const uint32_t divisions[][3] = { { 1, 1, 1 }, { 1, 1, 4 },
    { 1, 1, 7 }, { 1, 6, 1 } };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (gsize d = 0; d < G_N_ELEMENTS (divisions); d++) {
      const histogram_scope_params params = params_for (TEXT, sizes[i].width,
          sizes[i].height, divisions[d][0], divisions[d][1], divisions[d][2]);
      const uint32_t n_panels = divisions[d][0] * divisions[d][1];
      g_auto (AmphistoGraticule) graticule = draw (&params);

      for (uint32_t p = 0; p < n_panels; p++)
        assert_caption (&graticule, &params, p, sizes[i].text);
    }
}

/* The letters name the channels, in order, in the colours of their curves. */
static void
test_letters (void)
{
  static const char *const letters = "YUVRGBA";
  const histogram_scope_params params = params_for (TEXT, 208, 120, 1, 1, 7);
  g_auto (AmphistoGraticule) graticule = draw (&params);
  int x = 0;

  for (uint32_t i = 0; i < 7; i++) {
    const char letter[2] = { letters[i], '\0' };
    uint32_t c[3] = { 93, 93, 93 };
    const int first = x;

    c[i % 3] += 3 * i;
    for (; x < 208; x++)
      if (has_text (&graticule, x, (int) params.caption_top, x, 119, 8, letter,
              AMPHISTO_LIGHT (c[0], c[1], c[2])))
        break;
    g_assert_cmpint (x, <, 208);
    g_assert_cmpint (x, >=, i > 0 ? first + 8 : 0);
  }
}

/* The ends of the scale are left out where they would touch the letters, or the
 * ends in the next panel. The letters stay. */
static void
test_crowded (void)
{
  static const struct
  {
    uint32_t width, panels, curves, plot_left;
    bool has_ends;
  } cases[] = { { 96, 1, 1, 2, true }, { 96, 1, 3, 2, true },
    { 96, 1, 7, 2, true }, { 80, 1, 7, 2, false }, { 40, 1, 1, 2, false },
    { 96, 3, 1, 2, false }, { 96, 3, 1, 3, true }, { 32, 7, 1, 9, false } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    histogram_scope_params params = params_for (
        TEXT, cases[i].width, 112, cases[i].panels, 1, cases[i].curves);

    params.scope.plot_left = cases[i].plot_left;
    params.scope.plot_width = cases[i].width - 2 * cases[i].plot_left;
    params.caption_top =
        112 - amphisto_histogram_scope_caption_height (&params);

    g_auto (AmphistoGraticule) graticule = draw (&params);

    for (uint32_t p = 0; p < cases[i].panels; p++) {
      const int left = p * cases[i].width;
      const int right = left + cases[i].width - 1;
      const int top = params.caption_top;
      const uint32_t end = AMPHISTO_SCOPE_TEXT;

      g_assert_true (has_text (&graticule, left, top, right, 111, 7, "0", end)
          == cases[i].has_ends);
      g_assert_true (has_text (&graticule, left, top, right, 111, 7, "255", end)
          == cases[i].has_ends);
      for (uint32_t k = 0; k < cases[i].curves; k++) {
        const curve_params *curve = &params.curve[p * cases[i].curves + k];

        g_assert_true (has_text (&graticule, left, top, right, 111, 7,
            amphisto_channel_styles[curve->channel].letter,
            AMPHISTO_LIGHT (curve->line[0] * 3 / 4 + 63,
                curve->line[1] * 3 / 4 + 63, curve->line[2] * 3 / 4 + 63)));
      }
    }
  }
}

/* Each panel of a parade has the letter of its channel. */
static void
test_letters_of_panels (void)
{
  histogram_scope_params two = params_for (TEXT, 96, 60, 2, 1, 1);
  histogram_scope_params one = params_for (TEXT, 96, 60, 1, 1, 1);
  g_auto (AmphistoGraticule) luma = draw (&one);
  bool differs = false;

  two.curve[1].channel = AMPHISTO_CHANNEL_BLUE;
  one.curve[0] = two.curve[1];

  g_auto (AmphistoGraticule) parade = draw (&two);
  g_auto (AmphistoGraticule) blue = draw (&one);

  for (int y = 0; y < n_rows (&one); y++)
    for (int x = 0; x < 96; x++) {
      const uint32_t y_light = caption_light (&luma, &one, 0, x, y);
      const uint32_t b_light = caption_light (&blue, &one, 0, x, y);

      g_assert_cmphex (caption_light (&parade, &two, 0, x, y), ==, y_light);
      g_assert_cmphex (caption_light (&parade, &two, 1, x, y), ==, b_light);
      differs |= y_light != b_light;
    }
  g_assert_true (differs);
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

/* `n` sevenths of a text's height. */
static int
sevenths (int n, int height)
{
  return (int) lround (n * height / 7.0);
}

/* With false colour, each panel has its legend, above the text. */
static void
test_legend (void)
{
  for (gsize i = 0; i < 2 * G_N_ELEMENTS (sizes); i++) {
    const bool has_text = i & 1;
    const int text = sizes[i / 2].text;
    const histogram_scope_params params =
        params_for (has_text ? LEGEND | TEXT : LEGEND, sizes[i / 2].width,
            sizes[i / 2].height, 1, 2, 1);
    g_auto (AmphistoGraticule) graticule = draw (&params);

    const int above = sevenths (2, text) + sevenths (3, text);

    g_assert_cmpint (n_rows (&params), ==,
        above + sevenths (2, text)
            + (has_text ? text + sevenths (2, text) : 0));
    for (int p = 0; p < 2; p++) {
      assert_legend (&graticule, &params, p, sevenths (3, text));
      g_assert_cmpint (
          lit_bounds (&graticule, &params, p, 0, sizes[i / 2].width).bottom, ==,
          above - 1 + (has_text ? sevenths (2, text) + text : 0));
    }
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
        const uint32_t rows = (uint32_t) n_rows (&params);

        /* letters of 5 pixels, with 3 between them, are the least */
        g_assert_true (
            (rows > 0) == (height >= 36 && 8 * curves - 3 <= width - 14));
        g_assert_cmpuint (9 * rows, <=, 11 * (height / 4) + 9);
        g_assert_true (rows == 0 || rows >= 11);
      }
}

/* Neither is the legend more than an eighth. */
static void
test_room_for_legend (void)
{
  for (uint32_t height = 16; height < 700; height += 4) {
    const histogram_scope_params params =
        params_for (LEGEND, 96, height, 1, 1, 1);
    const uint32_t rows = (uint32_t) n_rows (&params);

    g_assert_true ((rows > 0) == (height >= 40));
    g_assert_cmpuint (5 * rows, <=, 7 * (height / 8) + 5);
  }
}

/* The least panel has none. */
static void
test_none (void)
{
  g_assert_cmpuint (params_for (TEXT, 32, 16, 1, 1, 1).caption_top, ==, 16);
}

const CoreTest core_tests[] = {
  { "/captions/places", test_places },
  { "/captions/letters", test_letters },
  { "/captions/crowded", test_crowded },
  { "/captions/letters-of-panels", test_letters_of_panels },
  { "/captions/legend", test_legend },
  { "/captions/grey-legend", test_grey_legend },
  { "/captions/room", test_room },
  { "/captions/room-for-legend", test_room_for_legend },
  { "/captions/none", test_none },
  { NULL },
};
