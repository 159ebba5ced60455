/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the C reference draws for the histogram's scope: curves, arrows, bars
 * and gridlines.
 */

#include "core/scopes/histogram_scope.h"
#include "layouts.h"
#include "placed.h"
#include "suite.h"

#include <math.h>
#include <string.h>

/* --- pictures --- */

#define WIDTH 640
#define HEIGHT 480

typedef struct
{
  AmphistoLayout layout;
  uint8_t *pixels;
} Picture;

static void
picture_clear (Picture *self)
{
  g_free (self->pixels);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Picture, picture_clear)

/* Grey, with a single value. */
static Picture
grey_picture (uint8_t value)
{
  Picture self = { .layout = grey_layout (WIDTH, HEIGHT),
    .pixels = g_malloc (WIDTH * HEIGHT) };

  memset (self.pixels, value, WIDTH * HEIGHT);
  return self;
}

/* The pixel in a column of the plot, `up` rows above its lower end. The bars
 * are before the first and after the last column. */
static uint8_t
plot_pixel (const Picture *self, const histogram_scope_params *params,
    int column, int up)
{
  const uint32_t x = params->scope.x + params->scope.plot_left + column;
  const uint32_t y = params->scope.y + plot_bottom (params) - 1 - up;

  return self->pixels[y * WIDTH + x];
}

/* Only the curve and the bars, on an opaque background. */
static const AmphistoScopeSettings plain = { AMPHISTO_SCOPE_HISTOGRAM,
  AMPHISTO_DISPLAY_OVERLAY, AMPHISTO_SCOPE_TOP_LEFT, 0.5, 0.5, 1.0,
  AMPHISTO_SCOPE_LINEAR, false, true, false, 0 };

static void
draw_next (Picture *picture, const histogram_scope_params *params,
    const uint32_t bins[][AMPHISTO_N_BINS], uint32_t *peaks)
{
  const drawing_params drawing = drawing_for (&picture->layout);
  const AmphistoScope *scope = &amphisto_histogram_scope;
  const AmphistoFrame frame = { .layout = &picture->layout,
    .plane = { { picture->pixels, WIDTH } } };
  const AmphistoScopeInput input = { &frame, bins, peaks };
  g_autofree void *trace = g_malloc (scope->trace_size (&params->scope));

  g_auto (AmphistoGraticule) graticule = graticule_of (scope, &params->scope);

  scope->measure (&params->scope, &input, trace);
  amphisto_scope_draw (
      scope, &drawing, &params->scope, &graticule, trace, &frame);
}

static histogram_scope_params
draw (Picture *picture, const AmphistoScopeSettings *settings,
    const uint32_t bins[AMPHISTO_N_BINS])
{
  const histogram_scope_params params =
      placed_histogram (settings, &picture->layout);
  uint32_t peaks[AMPHISTO_MAX_SLOTS];

  draw_next (
      picture, &params, (const uint32_t (*)[AMPHISTO_N_BINS]) bins, peaks);
  return params;
}

static void
test_outside (void)
{
  static const uint32_t bins[AMPHISTO_N_BINS] = {
    [0] = 9, [77] = 5, [255] = 9
  };
  AmphistoScopeSettings settings = plain;

  settings.width = 0.33;
  settings.height = 0.25;
  settings.opacity = 0.7;
  settings.graticule = settings.percentile_marks = true;
  for (uint32_t i = 0; i < 4; i++) {
    g_auto (Picture) picture = grey_picture (99);

    settings.position = i;

    const histogram_scope_params p = draw (&picture, &settings, bins);

    for (uint32_t y = 0; y < HEIGHT; y++)
      for (uint32_t x = 0; x < WIDTH; x++) {
        const bool is_inside = x - p.scope.x < p.scope.panel_width
            && y - p.scope.y < p.scope.panel_height;

        g_assert_true (is_inside == (picture.pixels[y * WIDTH + x] != 99));
      }
  }
}

/* The picture shines through the background. */
static void
test_opacity (void)
{
  static const uint32_t bins[AMPHISTO_N_BINS] = { [128] = 1 };
  AmphistoScopeSettings settings = plain;

  for (uint32_t i = 0; i <= 10; i++) {
    g_auto (Picture) picture = grey_picture (200);

    settings.opacity = i / 10.0;

    const histogram_scope_params params = draw (&picture, &settings, bins);
    const uint8_t background = plot_pixel (&picture, &params, 3, 50);

    g_assert_cmpuint (params.scope.background, ==, (i * 255 + 5) / 10);
    g_assert_cmpuint (
        background, ==, (200 * (255 - params.scope.background) + 127) / 255);
  }
}

/* Bins 0 and 255 are in the first and the last column. The taller one reaches
 * the top. Between them, nothing is drawn. */
static void
assert_ends (double width)
{
  static const uint32_t bins[AMPHISTO_N_BINS] = { [0] = 8000, [255] = 4000 };
  AmphistoScopeSettings settings = plain;
  g_auto (Picture) picture = grey_picture (0);

  settings.width = width;

  const histogram_scope_params params = draw (&picture, &settings, bins);
  const int last = params.scope.plot_width - 1;
  const int height = params.scope.plot_height;

  for (int up = 5; up < height / 2 - 5; up++) {
    g_assert_cmpuint (plot_pixel (&picture, &params, 0, up), >, 60);
    g_assert_cmpuint (plot_pixel (&picture, &params, last, up), >, 20);
    g_assert_cmpuint (plot_pixel (&picture, &params, last / 2, up), ==, 0);
  }
  for (int up = height / 2 + 5; up < height * 3 / 4; up++) {
    g_assert_cmpuint (plot_pixel (&picture, &params, 0, up), >, 20);
    g_assert_cmpuint (plot_pixel (&picture, &params, last, up), ==, 0);
  }
}

static void
test_ends (void)
{
  assert_ends (0.2); /* fewer columns than bins */
  assert_ends (0.5); /* more */
  assert_ends (1.0);
}

/* The height of a flat curve is its count divided by the peak; with the
 * logarithmic scale, log1p of the count divided by log1p of the peak. */
static void
test_heights (void)
{
  uint32_t bins[AMPHISTO_N_BINS];
  AmphistoScopeSettings settings = plain;

  settings.clipping_bars = false;
  for (settings.scale = AMPHISTO_SCOPE_LINEAR;
       settings.scale <= AMPHISTO_SCOPE_LOG; settings.scale++)
    for (uint32_t count = 1; count <= 1000000; count *= 10) {
      const double fraction = settings.scale == AMPHISTO_SCOPE_LOG
          ? log1p (count) / log1p (1000000)
          : count / 1e6;
      g_auto (Picture) picture = grey_picture (0);

      for (uint32_t v = 0; v < AMPHISTO_N_BINS; v++)
        bins[v] = v < 240 ? count : 1000000;

      const histogram_scope_params params = draw (&picture, &settings, bins);
      const int height = (int) (fraction * params.scope.plot_height);

      for (int up = 0; up < height - 3; up++)
        g_assert_cmpuint (plot_pixel (&picture, &params, 99, up), ==, 106);
      for (int up = height + 3; up < (int) params.scope.plot_height; up++)
        g_assert_cmpuint (plot_pixel (&picture, &params, 99, up), ==, 0);
    }
}

/* A single bin is as tall as its count in the column of its value, wherever
 * that is between two values. */
static void
test_summits (void)
{
  AmphistoScopeSettings settings = plain;

  for (settings.width = 0.5; settings.width < 1.0; settings.width += 0.1)
    for (int v = 0; v < AMPHISTO_N_BINS; v += 15) {
      uint32_t bins[AMPHISTO_N_BINS] = { 0 };
      g_auto (Picture) picture = grey_picture (0);

      bins[v] = 999;

      const histogram_scope_params params = draw (&picture, &settings, bins);
      const int column = (v * ((int) params.scope.plot_width - 1) + 127) / 255;
      const int height = (int) params.scope.plot_height;

      g_assert_cmpuint (
          plot_pixel (&picture, &params, column, height - 4), >, 0);
      g_assert_cmpuint (
          plot_pixel (&picture, &params, column, height + 3), ==, 0);
    }
}

/* Looks in the last row of arrows; black is 0 or 16. */
static gboolean
has_arrow (
    const Picture *self, const histogram_scope_params *params, int column)
{
  const int lowest = plot_bottom (params) - params->arrow_bottom;

  return plot_pixel (self, params, column, lowest) > 16;
}

/* Arrows are at the columns of the values `low` and `high` of the plot; -1:
 * there is no arrow. */
static void
assert_arrows (const Picture *self, const histogram_scope_params *params,
    int low, int high)
{
  const int values[2] = { low, high };
  const int width = params->scope.plot_width;

  for (int column = 0; column < width; column++) {
    gboolean is_near = FALSE;

    for (int i = 0; i < 2; i++) {
      const int middle = (values[i] * (width - 1) + 127) / 255;

      is_near |= values[i] >= 0
          && ABS (column - middle) <= (int) params->arrow_bottom / 2;
      if (values[i] >= 0 && column == middle)
        g_assert_true (has_arrow (self, params, column));
    }
    g_assert_true (is_near || !has_arrow (self, params, column));
  }
}

/* Tall bins of black and white do not flatten the curve: the tallest of the
 * other bins reaches the top. Black and white are cut off there, with arrows.
 */
static void
test_spikes (void)
{
  static const uint32_t counts[][2] = { { 50, 60 }, { 1000000, 60 },
    { 60, 1000000 }, { 4000000000u, 101 }, { 101, 102 }, { 100, 100 } };
  uint32_t bins[AMPHISTO_N_BINS];
  AmphistoScopeSettings settings = plain;

  settings.clipping_bars = false;
  for (gsize i = 0; i < G_N_ELEMENTS (counts); i++)
    for (settings.width = 0.2; settings.width < 1.0; settings.width += 0.3) {
      g_auto (Picture) picture = grey_picture (0);

      for (uint32_t v = 1; v < 255; v++)
        bins[v] = 100;
      bins[0] = counts[i][0];
      bins[255] = counts[i][1];

      const histogram_scope_params params = draw (&picture, &settings, bins);
      const int height = params.scope.plot_height;

      for (int column = 9; column < (int) params.scope.plot_width - 9;
           column++) {
        g_assert_cmpuint (
            plot_pixel (&picture, &params, column, height - 3), ==, 106);
        g_assert_cmpuint (
            plot_pixel (&picture, &params, column, height + 1), ==, 0);
      }
      assert_arrows (&picture, &params, counts[i][0] > 100 ? 0 : -1,
          counts[i][1] > 100 ? 255 : -1);
    }
}

/* In limited range, black and white are 16 and 235 and all values beyond. */
static void
test_limited_spikes (void)
{
  static const struct
  {
    int v;
    int low, high;
  } spikes[] = { { 16, 16, -1 }, { 3, 3, -1 }, { 235, -1, 235 },
    { 250, -1, 250 }, { 17, -1, -1 }, { 234, -1, -1 } };
  AmphistoScopeSettings settings = plain;

  settings.clipping_bars = false;
  for (gsize i = 0; i < G_N_ELEMENTS (spikes); i++) {
    uint32_t bins[AMPHISTO_N_BINS] = { [100] = 70 };
    const bool is_cut = spikes[i].low >= 0 || spikes[i].high >= 0;
    g_auto (Picture) picture = grey_picture (0);

    bins[spikes[i].v] = 9000;
    picture.layout.lo = 16;
    picture.layout.hi = 235;

    const histogram_scope_params params = draw (&picture, &settings, bins);
    const int column = (100 * ((int) params.scope.plot_width - 1) + 127) / 255;

    g_assert_cmpuint (
        plot_pixel (&picture, &params, column, params.scope.plot_height / 2)
            > 16,
        ==, is_cut);
    assert_arrows (&picture, &params, spikes[i].low, spikes[i].high);
  }
}

/* Between black and white, too, bins with more than twice the samples of the
 * sixth-tallest are cut off, with an arrow each. */
static void
test_inner_spikes (void)
{
  uint32_t bins[AMPHISTO_N_BINS];
  AmphistoScopeSettings settings = plain;

  settings.clipping_bars = false;
  for (settings.width = 0.2; settings.width < 1.0; settings.width += 0.3) {
    g_auto (Picture) picture = grey_picture (0);

    for (uint32_t v = 0; v < AMPHISTO_N_BINS; v++)
      bins[v] = 100;
    bins[60] = 201;
    bins[90] = 200;
    bins[180] = 1000000;

    const histogram_scope_params params = draw (&picture, &settings, bins);

    assert_arrows (&picture, &params, 60, 180);
  }
}

/* Arrows side by side merge: from the first to the last, there is no gap. */
static void
test_merged_arrows (void)
{
  uint32_t bins[AMPHISTO_N_BINS];
  g_auto (Picture) picture = grey_picture (0);

  for (uint32_t v = 0; v < AMPHISTO_N_BINS; v++)
    bins[v] = v >= 100 && v < 105 ? 900 : 100;

  const histogram_scope_params params = draw (&picture, &plain, bins);
  const int last = (int) params.scope.plot_width - 1;
  const int left = (100 * last + 127) / 255, right = (104 * last + 127) / 255;
  const int reach = (int) params.arrow_bottom / 2;

  for (int column = 0; column <= last; column++)
    if (column >= left && column <= right)
      g_assert_true (has_arrow (&picture, &params, column));
    else if (column < left - reach || column > right + reach)
      g_assert_false (has_arrow (&picture, &params, column));
}

static uint32_t
bar_pixels (
    const Picture *picture, const histogram_scope_params *params, int column)
{
  uint32_t n = 0;

  for (uint32_t up = 0; up < params->scope.plot_height; up++)
    n += plot_pixel (picture, params, column, up) > 128;
  return n;
}

/* The height of a bar is the fraction of clipped samples. Up to 1 %, there is
 * no bar; above, it has a minimum height. */
static void
test_bars (void)
{
  /* white samples of 10000; the plot's height divided by the bar's, or 0 for no
   * bar */
  static const uint32_t cases[][2] = { { 100, 0 }, { 101, 16 }, { 2500, 4 },
    { 5000, 2 }, { 9900, 1 } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    const uint32_t bins[AMPHISTO_N_BINS] = {
      [100] = 10000 - cases[i][0], [255] = cases[i][0]
    };
    g_auto (Picture) picture = grey_picture (0);

    const histogram_scope_params params = draw (&picture, &plain, bins);
    const uint32_t black = bar_pixels (&picture, &params,
        1 - (int) params.scope.plot_left + params.scope.gridline_width);
    const uint32_t white = bar_pixels (&picture, &params,
        params.scope.plot_width + params.scope.plot_left - 3);

    g_assert_cmpuint (black, ==, 0);
    if (cases[i][1] == 0)
      g_assert_cmpuint (white, ==, 0);
    else
      g_assert_cmpint (
          ABS ((int) white - (int) (params.scope.plot_height / cases[i][1])),
          <=, params.scope.plot_height / 90);
  }
}

/* --- the graticule --- */

#define QUARTER ((int) (AMPHISTO_SCOPE_QUARTER & 0xff))
#define BORDER ((int) (AMPHISTO_SCOPE_BORDER & 0xff))

/* The grey of the graticule's lines at a pixel, on the black, opaque
 * background; lo is black. Returns: 0 without a line, -1 for anything else. */
static int
grey_of (const Picture *picture, const histogram_scope_params *params,
    int column, int up)
{
  static const int greys[] = { 0, QUARTER, BORDER };
  const int range = picture->layout.hi - picture->layout.lo;
  const int light =
      (plot_pixel (picture, params, column, up) - picture->layout.lo) * 255;

  for (gsize i = 0; i < G_N_ELEMENTS (greys); i++)
    if (ABS (light - greys[i] * range) <= 2 * range)
      return greys[i];
  return -1;
}

/* A graph with a graticule and a single bin, 220, whose curve is away from the
 * gridlines. */
static histogram_scope_params
draw_graticule (Picture *picture, const AmphistoScopeSettings *settings,
    uint32_t count, gboolean is_limited)
{
  uint32_t bins[AMPHISTO_N_BINS] = { [220] = count };

  if (is_limited) {
    picture->layout.lo = 16;
    picture->layout.hi = 235;
  }
  return draw (picture, settings, bins);
}

/* Whether one of n lines, `thick` pixels thick, is there. */
static gboolean
is_on_line (int at, const int *lines, int n, int thick)
{
  for (int i = 0; i < n; i++)
    if (at >= lines[i] && at < lines[i] + thick)
      return TRUE;
  return FALSE;
}

/* The first column of the line, `thick` columns wide, at the value. */
static int
line_column (double value, int width, int thick)
{
  return (int) rint (value * (width - 1) / 255) - thick / 2;
}

/* Gridlines are at 64, 128 and 192, between the lines of the border; in limited
 * range also, in another colour, at 16 and 235. */
static void
test_columns (void)
{
  AmphistoScopeSettings settings = plain;

  settings.graticule = true;
  for (guint i = 0; i < 6; i++) {
    const gboolean is_limited = i & 1;
    g_auto (Picture) picture = grey_picture (0);

    settings.width = 0.3 + 0.3 * (i / 2);
    settings.height = i / 2 == 2 ? 0.9 : 0.4;

    const histogram_scope_params params =
        draw_graticule (&picture, &settings, 100, is_limited);
    const int width = (int) params.scope.plot_width;
    const int thick = i / 2 == 2 ? 2 : 1;
    const int up = (int) params.scope.plot_height * 9 / 10;
    const int quarters[] = { line_column (64, width, thick),
      line_column (128, width, thick), line_column (192, width, thick) };
    const int limits[] = { line_column (16, width, thick),
      line_column (235, width, thick) };

    for (int column = 0; column < width; column++) {
      const int grey = grey_of (&picture, &params, column, up);

      /* the bin, and the line of its curve */
      if (ABS (column - 220 * width / 255) < width / 100 + 6)
        continue;
      if (is_limited && is_on_line (column, limits, 2, thick))
        g_assert_cmpint (grey, ==, -1);
      else
        g_assert_cmpint (
            grey, ==, is_on_line (column, quarters, 3, thick) ? QUARTER : 0);
    }
    for (int j = 0; j < thick; j++) {
      g_assert_cmpint (grey_of (&picture, &params, -1 - j, up), ==, BORDER);
      g_assert_cmpint (grey_of (&picture, &params, width + j, up), ==, BORDER);
    }
  }
}

/* Gridlines are at quarters of the height; with the logarithmic scale, at 1,
 * 10, 100 ... samples, below the tallest bin. */
static void
test_rows (void)
{
  AmphistoScopeSettings settings = plain;

  settings.graticule = true;
  for (guint i = 0; i < 4; i++) {
    const gboolean is_log = i & 1;
    g_auto (Picture) picture = grey_picture (0);
    int lines[3], n_seen = 0;

    settings.scale = i & 1 ? AMPHISTO_SCOPE_LOG : AMPHISTO_SCOPE_LINEAR;
    settings.width = settings.height = 0.4 + 0.5 * (i / 2);

    const histogram_scope_params params =
        draw_graticule (&picture, &settings, 1000, FALSE);
    const int height = (int) params.scope.plot_height, thick = i / 2 ? 2 : 1;
    /* between 0 and 64 */
    const int column = (int) params.scope.plot_width / 8;

    for (int n = 0; n < 3; n++)
      lines[n] = is_log ? (int) (log1p (pow (10, n)) / log1p (1000) * height)
                        : height * (n + 1) / 4;
    for (int up = 3; up < height; up++) {
      const int grey = grey_of (&picture, &params, column, up);

      g_assert_true (grey == 0 || grey == QUARTER);
      n_seen += grey == QUARTER;
      /* logarithms have an error of up to 1 % of a bit */
      if (grey == QUARTER)
        g_assert_true (is_on_line (up, lines, 3, thick)
            || (is_log && is_on_line (up - 1, lines, 3, thick))
            || (is_log && is_on_line (up + 1, lines, 3, thick)));
    }
    g_assert_cmpint (n_seen, ==, 3 * thick);
    g_assert_cmpint (grey_of (&picture, &params, column, height), ==, BORDER);
    g_assert_cmpint (grey_of (&picture, &params, column, -1), ==, BORDER);
  }
}

const CoreTest core_tests[] = {
  { "/picture/outside", test_outside },
  { "/picture/opacity", test_opacity },
  { "/picture/ends", test_ends },
  { "/picture/heights", test_heights },
  { "/picture/summits", test_summits },
  { "/picture/spikes", test_spikes },
  { "/picture/limited-spikes", test_limited_spikes },
  { "/picture/inner-spikes", test_inner_spikes },
  { "/picture/merged-arrows", test_merged_arrows },
  { "/picture/bars", test_bars },
  { "/graticule/columns", test_columns },
  { "/graticule/rows", test_rows },
  { NULL },
};
