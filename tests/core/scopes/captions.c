/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The captions of the histogram scope: their places, and their conditions.
 */

#include "core/change/exposure.h"
#include "core/scopes/histogram_scope.h"
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

/* Panels of this size, whose lines have a light of their own, with an axis of
 * codes. In limited range, 0 and 100 % are at 16 and 235. */
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
    .hi = 235,
    .zero = 65536 * 16 / 255,
    .hundred = 65536 * 235 / 255 };

  for (uint32_t i = 0; i < params.n_curves; i++) {
    params.curve[i].channel = i;
    for (uint32_t c = 0; c < 3; c++)
      params.curve[i].line[c] = 40 + (c == i % 3 ? 4 * i : 0);
  }
  params.caption_top = height - amphisto_histogram_caption_height (&params);
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

  return light_at (graticule, left + x, top + (int) params->caption_top + y)
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

/* --- text --- */

/* Texts of a row, in order, with the middle of each, in 1/2 columns; -1: not
 * known. */
typedef struct
{
  const char *text;
  int middle;
} Text;

/* The runs of lit columns in the rows; columns with less than `gap` dark ones
 * between them are in the same run. Returns: the number of runs. */
static int
find_runs (const AmphistoGraticule *graticule,
    const histogram_scope_params *params, int p, int top, int bottom, int gap,
    Bounds runs[16])
{
  const int width = params->scope.panel_width;
  int n = 0;

  for (int x = 0; x < width; x++) {
    bool is_lit = false;

    for (int y = top; y <= bottom; y++)
      is_lit |= (caption_light (graticule, params, p, x, y) & 0xc0c0c0) != 0;
    if (!is_lit)
      continue;
    if (n == 0 || x - runs[n - 1].right > gap) {
      g_assert_cmpint (n, <, 16);
      runs[n++] = (Bounds){ x, x, top, bottom };
    }
    runs[n - 1].right = x;
  }
  return n;
}

/* Exactly these texts are in the rows of a panel in the first column, with a
 * space of 5/7 of the height between them, inside the plot. */
static void
assert_row (const AmphistoGraticule *graticule,
    const histogram_scope_params *params, int p, int top, int height,
    const Text *texts, int n)
{
  const int left = params->scope.plot_left;
  const int right = left + params->scope.plot_width;
  const int y =
      p * (int) params->scope.panel_height + (int) params->caption_top + top;
  Bounds runs[16];

  g_assert_cmpint (find_runs (graticule, params, p, top, top + height - 1,
                       5 * height / 7, runs),
      ==, n);
  for (int i = 0; i < n; i++) {
    g_assert_cmpint (runs[i].left, >=, left);
    g_assert_cmpint (runs[i].right, <, right);
    if (texts[i].text != NULL)
      g_assert_true (has_text (graticule, runs[i].left, y, runs[i].left, y,
          height, texts[i].text, AMPHISTO_SCOPE_TEXT));
    /* at the plot's ends, text is moved into the plot */
    if (texts[i].middle >= 0 && runs[i].left > left
        && runs[i].right < right - 1)
      g_assert_cmpint (
          ABS (runs[i].left + runs[i].right - texts[i].middle), <=, 2);
  }
}

/* Twice the column of a fraction of the plot. */
static int
at (const histogram_scope_params *params, double fraction)
{
  return 2 * params->scope.plot_left
      + (int) rint (2 * fraction * (params->scope.plot_width - 1));
}

/* Panels of frames with 480, 720, 1080 and 2160 rows. */
static const struct
{
  uint32_t width, height, text;
} sizes[] = { { 208, 120, 8 }, { 416, 180, 11 }, { 640, 272, 17 },
  { 1264, 540, 34 } };

/* Codes are below their columns, the first and the last inside the plot. The
 * letters are between 128 and 192 or, without room there, below them. */
static void
test_codes (void)
{
  static const uint32_t curves[] = { 1, 4, 7 };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (curves); k++) {
      const int height = (int) sizes[i].text;
      const histogram_scope_params params =
          params_for (TEXT, sizes[i].width, sizes[i].height, 1, 1, curves[k]);
      const bool has_two_rows = curves[k] == 7 || (i == 0 && curves[k] == 4);
      const Text texts[] = { { "0", -1 }, { "64", at (&params, 64 / 255.0) },
        { "128", at (&params, 128 / 255.0) }, { NULL, -1 },
        { "192", at (&params, 192 / 255.0) }, { "255", -1 } };
      const Text figures[] = { texts[0], texts[1], texts[2], texts[4],
        texts[5] };
      g_auto (AmphistoGraticule) graticule = draw (&params);

      const int top =
          lit_bounds (&graticule, &params, 0, 0, sizes[i].width).top;

      g_assert_cmpint (top, >, 0);
      if (has_two_rows)
        assert_row (&graticule, &params, 0, top, height, figures, 5);
      else
        assert_row (&graticule, &params, 0, top, height, texts, 6);
      g_assert_cmpint (
          lit_bounds (&graticule, &params, 0, 0, sizes[i].width).bottom, <,
          n_rows (&params) - 1);
    }
}

/* Where ranges differ, figures are per cent, at 16 and 235 of 255 and between
 * them; a panel of U or V has signs. */
static void
test_percent (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const int height = (int) sizes[i].text;
    histogram_scope_params params =
        params_for (TEXT, sizes[i].width, sizes[i].height, 1, 2, 1);
    const double black = 16 / 255.0, step = 219 / 255.0 / 4;
    const Text luma[] = { { "0", at (&params, black) },
      { "25", at (&params, black + step) },
      { "50", at (&params, black + 2 * step) }, { NULL, -1 },
      { "75", at (&params, black + 3 * step) },
      { "100", at (&params, black + 4 * step) } };
    const Text chroma[] = { { "-100", at (&params, black) },
      { "0", at (&params, black + 2 * step) }, { NULL, -1 },
      { "100", at (&params, black + 4 * step) } };

    params.is_percent = 1;
    g_assert_cmpuint (params.curve[1].channel, ==, AMPHISTO_CHANNEL_U);

    g_auto (AmphistoGraticule) graticule = draw (&params);
    const int top = lit_bounds (&graticule, &params, 0, 0, sizes[i].width).top;

    assert_row (&graticule, &params, 0, top, height, luma, 6);
    assert_row (&graticule, &params, 1, top, height, chroma, 4);
  }
}

/* Plots of less than 150 columns have only the first and the last figure. */
static void
test_narrow (void)
{
  for (uint32_t width = 132; width <= 180; width += 4) {
    const histogram_scope_params params =
        params_for (TEXT, width, 112, 1, 1, 1);
    const Text ends[] = { { "0", -1 }, { NULL, -1 }, { "255", -1 } };
    g_auto (AmphistoGraticule) graticule = draw (&params);
    const int top = lit_bounds (&graticule, &params, 0, 0, width).top;
    Bounds runs[16];

    if (params.scope.plot_width < 150)
      assert_row (&graticule, &params, 0, top, 7, ends, 3);
    else
      g_assert_cmpint (
          find_runs (&graticule, &params, 0, top, top + 6, 5, runs), ==, 6);
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

/* Figures are left out where they would touch the letters, or those of the next
 * panel. The letters stay. */
static void
test_crowded (void)
{
  static const struct
  {
    uint32_t width, panels, curves, plot_left;
    bool has_ends;
  } cases[] = { { 96, 1, 1, 2, true }, { 96, 1, 3, 2, true },
    { 100, 1, 7, 2, true }, { 88, 1, 7, 2, false }, { 40, 1, 1, 2, false },
    { 96, 3, 1, 2, false }, { 96, 3, 1, 3, true }, { 32, 7, 1, 9, false } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    histogram_scope_params params = params_for (
        TEXT, cases[i].width, 112, cases[i].panels, 1, cases[i].curves);

    params.scope.plot_left = cases[i].plot_left;
    params.scope.plot_width = cases[i].width - 2 * cases[i].plot_left;
    params.caption_top = 112 - amphisto_histogram_caption_height (&params);

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
      const double v = (x - left) * 255.0 / last;
      const uint32_t light = caption_light (graticule, params, p, x, y);

      if (x < left || x > left + last)
        g_assert_cmphex (light, ==, 0);
      else
        g_assert_true (
            light == amphisto_exposure_light (16, 235, lround (v - 0.01))
            || light == amphisto_exposure_light (16, 235, lround (v + 0.01)));
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
    .enabled = HISTOGRAM, .width = 0.5, .height = 0.5
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

/* Text takes at most a quarter of a panel's height, and the plot's width; the
 * legend takes an eighth. With less room they are smaller, or missing. */
static void
test_room (void)
{
  for (uint32_t height = 16; height < 700; height += 4) {
    const histogram_scope_params legend =
        params_for (LEGEND, 96, height, 1, 1, 1);
    const int rows = n_rows (&legend);

    g_assert_true ((rows > 0) == (height >= 40));
    g_assert_cmpint (5 * rows, <=, 7 * (height / 8) + 5);
    for (uint32_t curves = 1; curves <= 7; curves++)
      for (uint32_t width = 32; width < 700; width += 16) {
        const histogram_scope_params params =
            params_for (TEXT, width, height, 1, 1, curves);
        const int text_rows = n_rows (&params);

        /* letters of 5 pixels, with 3 between them, are the least */
        g_assert_true (
            (text_rows > 0) == (height >= 36 && 8 * curves - 3 <= width - 14));
        g_assert_cmpint (9 * text_rows, <=, 11 * (height / 4) + 9);
        g_assert_true (text_rows == 0 || text_rows >= 11);
      }
  }
}

const CoreTest core_tests[] = {
  { "/captions/codes", test_codes },
  { "/captions/percent", test_percent },
  { "/captions/narrow", test_narrow },
  { "/captions/letters", test_letters },
  { "/captions/crowded", test_crowded },
  { "/captions/legend", test_legend },
  { "/captions/grey-legend", test_grey_legend },
  { "/captions/room", test_room },
  { NULL },
};
