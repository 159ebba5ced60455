/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The captions of the histogram scope: their places, and their conditions.
 */

#include "core/change/exposure.h"
#include "core/scopes/histogram_caption.h"
#include "layouts.h"
#include "lights.h"
#include "placed.h"
#include "suite.h"

#include <math.h>

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

static int
n_rows (const histogram_scope_params *params)
{
  return params->scope.panel_height - params->caption_top;
}

/* The captions of a scope's panels. */
typedef struct
{
  histogram_scope_params params;
  AmphistoGraticule graticule;
} Captions;

static void
captions_clear (Captions *self)
{
  amphisto_graticule_clear (&self->graticule);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Captions, captions_clear)

static Captions
draw (const histogram_scope_params *params)
{
  return (Captions){ *params,
    graticule_of (&amphisto_histogram_scope, &params->scope) };
}

/* The light of a pixel of panel p's caption, without its shade. */
static uint32_t
caption_light (const Captions *self, int p, int x, int y)
{
  const scope_params *scope = &self->params.scope;
  const int left = p % scope->panels_x * scope->panel_width;
  const int top = p / scope->panels_x * scope->panel_height;

  return light_at (&self->graticule, left + x,
             top + (int) self->params.caption_top + y)
      & 0xffffff;
}

/* Whether a column has a bright pixel in `n` rows of panel p's caption. Soft
 * edges of strokes do not count. */
static bool
is_lit (const Captions *self, int p, int x, int top, int n)
{
  bool found = false;

  for (int y = top; y < top + n; y++)
    found |= (caption_light (self, p, x, y) & 0xc0c0c0) != 0;
  return found;
}

/* Stores the first row with a bright pixel, and the last. */
static void
find_rows (const Captions *self, int p, int *top, int *bottom)
{
  *top = n_rows (&self->params);
  *bottom = -1;
  for (int y = 0; y < n_rows (&self->params); y++)
    for (int x = 0; x < (int) self->params.scope.panel_width; x++)
      if (is_lit (self, p, x, y, 1)) {
        *top = MIN (*top, y);
        *bottom = y;
      }
}

/* --- text --- */

/* Texts of a row, in order; NULL: letters. Their middles are at fractions of
 * the plot, but at its ends they are moved into it. */
typedef struct
{
  const char *text;
  double middle;
} Text;

/* Stores the runs of lit columns, the first and the last one, in text of this
 * height: with less than 5/7 of it between them, columns are in the same run.
 * Returns: the number of runs. */
static int
find_runs (const Captions *self, int p, int top, int height, int runs[16][2])
{
  int n = 0;

  for (int x = 0; x < (int) self->params.scope.panel_width; x++) {
    if (!is_lit (self, p, x, top, height))
      continue;
    if (n == 0 || x - runs[n - 1][1] > 5 * height / 7) {
      g_assert_cmpint (n, <, 16);
      runs[n++][0] = x;
    }
    runs[n - 1][1] = x;
  }
  return n;
}

/* Exactly these texts are in the first rows of a panel, inside the plot. Panels
 * are below each other. */
static void
assert_row (const Captions *self, int p, int height, const Text *texts, int n)
{
  const scope_params *scope = &self->params.scope;
  const int left = scope->plot_left, last = scope->plot_width - 1;
  int top, bottom, y, runs[16][2];

  find_rows (self, p, &top, &bottom);
  y = p * (int) scope->panel_height + (int) self->params.caption_top + top;
  g_assert_cmpint (top, >, 0);
  g_assert_cmpint (bottom, <, n_rows (&self->params) - 1);
  g_assert_cmpint (find_runs (self, p, top, height, runs), ==, n);
  for (int i = 0; i < n; i++) {
    const double middle = 2 * (left + texts[i].middle * last);

    g_assert_cmpint (runs[i][0], >=, left);
    g_assert_cmpint (runs[i][1], <=, left + last);
    if (texts[i].text == NULL)
      continue;
    g_assert_true (has_text (&self->graticule, runs[i][0], y, runs[i][0], y,
        height, texts[i].text, AMPHISTO_SCOPE_TEXT));
    if (runs[i][0] > left && runs[i][1] < left + last)
      g_assert_cmpfloat_with_epsilon (runs[i][0] + runs[i][1], middle, 2.5);
  }
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
  static const Text one_row[] = { { "0", 0 }, { "64", 64 / 255.0 },
    { "128", 128 / 255.0 }, { NULL, 0 }, { "192", 192 / 255.0 }, { "255", 1 } };
  static const Text two_rows[] = { { "0", 0 }, { "64", 64 / 255.0 },
    { "128", 128 / 255.0 }, { "192", 192 / 255.0 }, { "255", 1 } };
  static const uint32_t curves[] = { 1, 4, 7 };

  for (gsize i = 0; i < 3 * G_N_ELEMENTS (sizes); i++) {
    const uint32_t n = curves[i % 3], height = sizes[i / 3].text;
    const histogram_scope_params params =
        params_for (TEXT, sizes[i / 3].width, sizes[i / 3].height, 1, 1, n);
    g_auto (Captions) captions = draw (&params);

    if (n == 7 || (i < 3 && n == 4))
      assert_row (&captions, 0, (int) height, two_rows, 5);
    else
      assert_row (&captions, 0, (int) height, one_row, 6);
  }
}

/* Where ranges differ, figures are per cent, at 16 and 235 of 255 and between
 * them; a panel of U or V has signs. */
static void
test_percent (void)
{
  static const Text luma[] = { { "0", 16 / 255.0 }, { "25", 70.75 / 255 },
    { "50", 125.5 / 255 }, { NULL, 0 }, { "75", 180.25 / 255 },
    { "100", 235 / 255.0 } };
  static const Text chroma[] = { { "-100", 16 / 255.0 }, { "0", 125.5 / 255 },
    { NULL, 0 }, { "100", 235 / 255.0 } };

  for (gsize i = 0; IS_ROW (sizes, i); i++) {
    histogram_scope_params params =
        params_for (TEXT, sizes[i].width, sizes[i].height, 1, 2, 1);

    params.is_percent = 1;
    g_assert_cmpuint (params.curve[1].channel, ==, AMPHISTO_CHANNEL_U);

    g_auto (Captions) captions = draw (&params);

    assert_row (&captions, 0, (int) sizes[i].text, luma, 6);
    assert_row (&captions, 1, (int) sizes[i].text, chroma, 4);
  }
}

/* Plots of less than 150 columns have only the first and the last figure. */
static void
test_narrow (void)
{
  static const Text ends[] = { { "0", 0 }, { NULL, 0 }, { "255", 1 } };

  for (uint32_t width = 132; width <= 180; width += 4) {
    const histogram_scope_params params =
        params_for (TEXT, width, 112, 1, 1, 1);
    g_auto (Captions) captions = draw (&params);
    int top, bottom, runs[16][2];

    find_rows (&captions, 0, &top, &bottom);
    if (params.scope.plot_width < 150)
      assert_row (&captions, 0, 7, ends, 3);
    else
      g_assert_cmpint (find_runs (&captions, 0, top, 7, runs), ==, 6);
  }
}

/* The letters name the channels, in order, in the colours of their curves. */
static void
test_letters (void)
{
  const histogram_scope_params params = params_for (TEXT, 208, 120, 1, 1, 7);
  g_auto (Captions) captions = draw (&params);
  int x = 0;

  for (uint32_t i = 0; i < 7; i++) {
    const char letter[2] = { "YUVRGBA"[i], '\0' };
    uint32_t c[3] = { 93, 93, 93 };
    const int first = x;

    c[i % 3] += 3 * i;
    while (x < 208
        && !has_text (&captions.graticule, x, (int) params.caption_top, x, 119,
            8, letter, AMPHISTO_LIGHT (c[0], c[1], c[2])))
      x++;
    g_assert_cmpint (x, <, 208);
    g_assert_cmpint (x, >=, i > 0 ? first + 8 : 0);
  }
}

/* Figures are left out where they would touch the letters, or those of the next
 * panel. The letters stay. */
static const struct
{
  uint32_t width, panels, curves, plot_left;
  bool has_ends;
} crowded[] = { { 96, 1, 1, 2, true }, { 96, 1, 3, 2, true },
  { 100, 1, 7, 2, true }, { 88, 1, 7, 2, false }, { 40, 1, 1, 2, false },
  { 96, 3, 1, 2, false }, { 96, 3, 1, 3, true }, { 32, 7, 1, 9, false } };

static void
test_crowded (void)
{
  for (gsize i = 0; IS_ROW (crowded, i); i++) {
    histogram_scope_params params = params_for (
        TEXT, crowded[i].width, 112, crowded[i].panels, 1, crowded[i].curves);

    params.scope.plot_left = crowded[i].plot_left;
    params.scope.plot_width = crowded[i].width - 2 * crowded[i].plot_left;
    params.caption_top = 112 - amphisto_histogram_caption_height (&params);

    g_auto (Captions) captions = draw (&params);
    const AmphistoGraticule *graticule = &captions.graticule;

    for (uint32_t p = 0; p < crowded[i].panels; p++) {
      const int left = p * crowded[i].width;
      const int right = left + crowded[i].width - 1;
      const int top = params.caption_top;
      const uint32_t end = AMPHISTO_SCOPE_TEXT;

      g_assert_true (has_text (graticule, left, top, right, 111, 7, "0", end)
          == crowded[i].has_ends);
      g_assert_true (has_text (graticule, left, top, right, 111, 7, "255", end)
          == crowded[i].has_ends);
      for (uint32_t k = 0; k < crowded[i].curves; k++) {
        const curve_params *curve = &params.curve[p * crowded[i].curves + k];

        g_assert_true (has_text (graticule, left, top, right, 111, 7,
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
assert_legend (const Captions *self, int p, int top, int n)
{
  const scope_params *scope = &self->params.scope;
  const int width = scope->panel_width, left = scope->plot_left;
  const int last = scope->plot_width - 1;

  g_assert_cmpint (top, >, 0);
  for (int y = top; y < top + n; y++)
    for (int x = 0; x < width; x++) {
      const double v = (x - left) * 255.0 / last;
      const uint32_t light = caption_light (self, p, x, y);
      const AmphistoFalseColorScale scale = AMPHISTO_FALSE_COLOR_VIDEO;

      if (x < left || x > left + last)
        g_assert_cmphex (light, ==, 0);
      else
        g_assert_true (
            light == amphisto_exposure_light (scale, 16, 235, lround (v - 0.01))
            || light
                == amphisto_exposure_light (scale, 16, 235, lround (v + 0.01)));
    }
  for (int x = 0; top + n < n_rows (&self->params) && x < width; x++)
    g_assert_cmphex (caption_light (self, p, x, top + n), ==, 0);
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
    const int above = sevenths (2, text) + sevenths (3, text);
    const int below = has_text ? sevenths (2, text) + text : 0;
    g_auto (Captions) captions = draw (&params);

    g_assert_cmpint (n_rows (&params), ==, above + sevenths (2, text) + below);
    for (int p = 0; p < 2; p++) {
      int top, bottom;

      find_rows (&captions, p, &top, &bottom);
      assert_legend (&captions, p, top, sevenths (3, text));
      g_assert_cmpint (bottom, ==, above - 1 + below);
    }
  }
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
  { "/captions/room", test_room },
  { 0 },
};
