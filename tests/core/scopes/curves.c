/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the C reference draws for the histogram's scope: curves, arrows, bars
 * and gridlines.
 */

#include "core/scopes/curves.h"
#include "layouts.h"
#include "placed.h"
#include "suite.h"

#include <math.h>

/* --- pictures --- */

#define WIDTH 640
#define HEIGHT 480

/* A grey frame of one value, with a scope. */
typedef struct
{
  Picture *picture;
  histogram_scope_params params;
  int width, height; /* of the plot */
} Drawn;

static void
drawn_clear (Drawn *self)
{
  g_free (self->picture);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Drawn, drawn_clear)

typedef uint32_t Bins[AMPHISTO_N_BINS];

/* Draws the bins of luma, of limited or full range. */
static Drawn
draw_on (const AmphistoScopeSettings *settings, const Bins bins, uint8_t value,
    bool is_limited)
{
  AmphistoLayout layout = grey_layout (WIDTH, HEIGHT);
  uint32_t peaks[AMPHISTO_MAX_SLOTS];
  const AmphistoScopeInput input = { NULL, (const Bins *) bins, peaks };
  Drawn self;

  set_range (&layout, is_limited);
  self.picture = picture_new (&layout, value);
  self.params = placed_histogram (settings, &layout);
  self.width = (int) self.params.scope.plot_width;
  self.height = (int) self.params.scope.plot_height;

  const scope_params *scope = &self.params.scope;
  g_autofree void *trace =
      measured_trace (&amphisto_histogram_scope, scope, &input);

  draw_scope (&amphisto_histogram_scope, scope, trace, &self.picture->frame);
  return self;
}

/* On full-range black. */
static Drawn
draw (const AmphistoScopeSettings *settings, const Bins bins)
{
  return draw_on (settings, bins, 0, false);
}

/* The pixel in a column of the plot, `up` rows above its lower end. The bars
 * are before the first and after the last column. */
static uint8_t
plot_pixel (const Drawn *self, int column, int up)
{
  const scope_params *scope = &self->params.scope;
  const uint32_t x = scope->x + scope->plot_left + column;
  const uint32_t y = scope->y + plot_bottom (&self->params) - 1 - up;

  return self->picture->bytes[y * WIDTH + x];
}

/* Only the curve and the bars, on an opaque background. */
static const AmphistoScopeSettings plain = { .enabled = HISTOGRAM,
  .display = OVERLAY,
  .position = TOP_LEFT,
  .width = 0.5,
  .height = 0.5,
  .opacity = 1.0,
  .scale = LINEAR,
  .clipping_bars = true };

/* The same, without the bars. */
static const AmphistoScopeSettings bare = { .enabled = HISTOGRAM,
  .display = OVERLAY,
  .position = TOP_LEFT,
  .width = 0.5,
  .height = 0.5,
  .opacity = 1.0,
  .scale = LINEAR };

static void
test_outside (void)
{
  static const Bins bins = { [0] = 9, [77] = 5, [255] = 9 };
  AmphistoScopeSettings settings = { .enabled = HISTOGRAM,
    .display = OVERLAY,
    .position = TOP_LEFT,
    .width = 0.33,
    .height = 0.25,
    .opacity = 0.7,
    .scale = LINEAR,
    .graticule = true,
    .clipping_bars = true,
    .percentile_marks = true };

  for (uint32_t i = 0; i < 4; i++) {
    settings.position = i;

    g_auto (Drawn) drawn = draw_on (&settings, bins, 99, false);
    const scope_params *scope = &drawn.params.scope;

    for (uint32_t y = 0; y < HEIGHT; y++)
      for (uint32_t x = 0; x < WIDTH; x++) {
        const bool is_inside = x - scope->x < scope->panel_width
            && y - scope->y < scope->panel_height;

        g_assert_true (
            is_inside == (drawn.picture->bytes[y * WIDTH + x] != 99));
      }
  }
}

/* The picture shines through the background. */
static void
test_opacity (void)
{
  static const Bins bins = { [128] = 1 };
  AmphistoScopeSettings settings = plain;

  for (uint32_t i = 0; i <= 10; i++) {
    settings.opacity = i / 10.0;

    g_auto (Drawn) drawn = draw_on (&settings, bins, 200, false);
    const uint32_t background = drawn.params.scope.background;

    g_assert_cmpuint (background, ==, (i * 255 + 5) / 10);
    g_assert_cmpuint (
        plot_pixel (&drawn, 3, 50), ==, (200 * (255 - background) + 127) / 255);
  }
}

/* Bins 0 and 255 are in the first and the last column, whether there are fewer
 * columns than bins or more. The taller one reaches the top. Between them,
 * nothing is drawn. */
static void
test_ends (void)
{
  static const Bins bins = { [0] = 8000, [255] = 4000 };
  static const double widths[] = { 0.2, 0.5, 1 };
  AmphistoScopeSettings settings = plain;

  for (guint i = 0; IS_ROW (widths, i); i++) {
    settings.width = widths[i];

    g_auto (Drawn) drawn = draw (&settings, bins);
    const int last = drawn.width - 1, height = drawn.height;

    for (int up = 5; up < height / 2 - 5; up++) {
      g_assert_cmpuint (plot_pixel (&drawn, 0, up), >, 60);
      g_assert_cmpuint (plot_pixel (&drawn, last, up), >, 20);
      g_assert_cmpuint (plot_pixel (&drawn, last / 2, up), ==, 0);
    }
    for (int up = height / 2 + 5; up < height * 3 / 4; up++) {
      g_assert_cmpuint (plot_pixel (&drawn, 0, up), >, 20);
      g_assert_cmpuint (plot_pixel (&drawn, last, up), ==, 0);
    }
  }
}

/* The height of a flat curve is its count divided by the peak; with the
 * logarithmic scale, log1p of the count divided by log1p of the peak. */
static void
test_heights (void)
{
  AmphistoScopeSettings settings = bare;
  Bins bins;

  for (settings.scale = LINEAR; settings.scale <= LOG; settings.scale++)
    for (uint32_t count = 1; count <= 1000000; count *= 10) {
      const double fraction =
          settings.scale == LOG ? log1p (count) / log1p (1000000) : count / 1e6;

      for (uint32_t v = 0; v < AMPHISTO_N_BINS; v++)
        bins[v] = v < 200 ? count : 1000000;

      g_auto (Drawn) drawn = draw (&settings, bins);
      const int height = (int) (fraction * drawn.height);

      for (int up = 0; up < height - 3; up++)
        g_assert_cmpuint (plot_pixel (&drawn, 99, up), ==, 106);
      for (int up = height + 3; up < drawn.height; up++)
        g_assert_cmpuint (plot_pixel (&drawn, 99, up), ==, 0);
    }
}

/* The column in the middle of a value. */
static int
column_of (const Drawn *self, int value)
{
  return (value * (self->width - 1) + 127) / 255;
}

/* A single bin is as tall as its count in the column of its value, wherever
 * that is between two values. */
static void
test_summits (void)
{
  AmphistoScopeSettings settings = plain;

  for (settings.width = 0.5; settings.width < 1.0; settings.width += 0.1)
    for (int v = 0; v < AMPHISTO_N_BINS; v += 15) {
      Bins bins = { 0 };

      bins[v] = 999;

      g_auto (Drawn) drawn = draw (&settings, bins);
      const int column = column_of (&drawn, v);

      g_assert_cmpuint (plot_pixel (&drawn, column, drawn.height - 4), >, 0);
      g_assert_cmpuint (plot_pixel (&drawn, column, drawn.height + 3), ==, 0);
    }
}

/* --- arrows --- */

/* Whether the column is between two values, to `reach` columns. low: -1: they
 * do not exist. */
static bool
is_between (const Drawn *self, int column, int low, int high, int reach)
{
  return low >= 0 && column >= column_of (self, low) - reach
      && column <= column_of (self, high) + reach;
}

/* There are two arrows, each from one value to another: arrows side by side
 * merge. Looks in the last row of arrows; black is 0 or 16. */
static void
assert_arrows (const Drawn *self, const int arrows[2][2])
{
  const int arrow_bottom = (int) self->params.arrow_bottom;
  const int up = (int) plot_bottom (&self->params) - arrow_bottom;

  for (int column = 0; column < self->width; column++) {
    const bool is_lit = plot_pixel (self, column, up) > 16;
    bool must_be = false, may_be = false;

    for (int i = 0; i < 2; i++) {
      must_be |= is_between (self, column, arrows[i][0], arrows[i][1], 0);
      may_be |= is_between (
          self, column, arrows[i][0], arrows[i][1], arrow_bottom / 2);
    }
    g_assert_true (is_lit ? may_be : !must_be);
  }
}

/* Bins that are taller than the scale's top are cut off, with an arrow each.
 * Those of black and white, and values beyond, do not count for the top; nor do
 * spikes for more than four times the height that holds a tenth of the others.
 */
static const struct
{
  uint32_t count; /* of the other bins */
  bool is_limited;
  uint32_t bins[3][2]; /* values and their counts */
  int arrows[2][2];
} spikes[] = {
  { 100, false, { { 0, 50 }, { 255, 60 } }, { { -1, 0 }, { -1, 0 } } },
  { 100, false, { { 0, 1000000 }, { 255, 60 } }, { { 0, 0 }, { -1, 0 } } },
  { 100, false, { { 0, 60 }, { 255, 1000000 } }, { { 255, 255 }, { -1, 0 } } },
  { 100, false, { { 0, 4000000000u }, { 255, 101 } },
      { { 0, 0 }, { 255, 255 } } },
  { 100, false, { { 0, 101 }, { 255, 102 } }, { { 0, 0 }, { 255, 255 } } },
  { 100, false, { { 0, 100 }, { 255, 100 } }, { { -1, 0 }, { -1, 0 } } },
  { 0, true, { { 100, 70 }, { 16, 9000 } }, { { 16, 16 }, { -1, 0 } } },
  { 0, true, { { 100, 70 }, { 3, 9000 } }, { { 3, 3 }, { -1, 0 } } },
  { 0, true, { { 100, 70 }, { 235, 9000 } }, { { 235, 235 }, { -1, 0 } } },
  { 0, true, { { 100, 70 }, { 250, 9000 } }, { { 250, 250 }, { -1, 0 } } },
  { 0, true, { { 100, 70 }, { 17, 9000 } }, { { -1, 0 }, { -1, 0 } } },
  { 0, true, { { 100, 70 }, { 234, 9000 } }, { { -1, 0 }, { -1, 0 } } },
  { 100, false, { { 60, 401 }, { 90, 400 }, { 180, 200000 } },
      { { 60, 60 }, { 180, 180 } } },
  { 100, false, { { 100, 900 }, { 101, 900 }, { 102, 900 } },
      { { 100, 102 }, { -1, 0 } } },
};

static void
test_spikes (void)
{
  AmphistoScopeSettings settings = bare;

  for (gsize i = 0; IS_ROW (spikes, i); i++)
    for (settings.width = 0.2; settings.width < 1.0; settings.width += 0.3) {
      Bins bins;

      for (uint32_t v = 0; v < AMPHISTO_N_BINS; v++)
        bins[v] = spikes[i].count;
      for (gsize k = 0; k < 3; k++)
        if (spikes[i].bins[k][1] > 0)
          bins[spikes[i].bins[k][0]] = spikes[i].bins[k][1];

      g_auto (Drawn) drawn = draw_on (&settings, bins, 0, spikes[i].is_limited);

      assert_arrows (&drawn, spikes[i].arrows);
      /* black and white do not flatten the curve */
      for (int column = 9; i < 6 && column < drawn.width - 9; column++) {
        g_assert_cmpuint (
            plot_pixel (&drawn, column, drawn.height - 3), ==, 106);
        g_assert_cmpuint (plot_pixel (&drawn, column, drawn.height + 1), ==, 0);
      }
      if (spikes[i].is_limited)
        g_assert_true (
            (plot_pixel (&drawn, column_of (&drawn, 100), drawn.height / 2)
                > 16)
            == (spikes[i].arrows[0][0] >= 0));
    }
}

/* --- bars --- */

static int
bar_pixels (const Drawn *self, int column)
{
  int n = 0;

  for (int up = 0; up < self->height; up++)
    n += plot_pixel (self, column, up) > 128;
  return n;
}

/* The height of a bar is the fraction of clipped samples. Below 0.1 %, there is
 * no bar; from there on, it has a minimum height. */
static void
test_bars (void)
{
  /* white samples of 10000; the plot's height divided by the bar's, or 0 for no
   * bar */
  static const uint32_t cases[][2] = { { 9, 0 }, { 10, 16 }, { 2500, 4 },
    { 5000, 2 }, { 9990, 1 } };

  for (gsize i = 0; IS_ROW (cases, i); i++) {
    const Bins bins = { [100] = 10000 - cases[i][0], [255] = cases[i][0] };
    g_auto (Drawn) drawn = draw (&plain, bins);
    const int left = (int) drawn.params.scope.plot_left;
    const int expected = cases[i][1] > 0 ? drawn.height / (int) cases[i][1] : 0;
    const int white = bar_pixels (&drawn, drawn.width + left - 3);

    g_assert_cmpint (bar_pixels (&drawn, 2 - left), ==, 0);
    g_assert_cmpint (
        ABS (white - expected), <=, expected > 0 ? drawn.height / 90 : 0);
  }
}

/* --- the graticule --- */

#define QUARTER ((int) (AMPHISTO_SCOPE_QUARTER & 0xff))
#define BORDER ((int) (AMPHISTO_SCOPE_BORDER & 0xff))

/* The grey of the graticule's lines at a pixel, on the black, opaque
 * background; lo is black. Returns: 0 without a line, -1 for anything else. */
static int
grey_of (const Drawn *self, int column, int up)
{
  static const int greys[] = { 0, QUARTER, BORDER };
  const AmphistoLayout *layout = &self->picture->layout;
  const int range = layout->hi - layout->lo;
  const int light = (plot_pixel (self, column, up) - layout->lo) * 255;

  for (gsize i = 0; i < G_N_ELEMENTS (greys); i++)
    if (ABS (light - greys[i] * range) <= 2 * range)
      return greys[i];
  return -1;
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
 * range at 25, 50 and 75 % and, in another colour, at 16 and 235. */
static void
test_columns (void)
{
  static const Bins bins = { [220] = 100 };
  AmphistoScopeSettings settings = plain;

  settings.graticule = true;
  for (guint i = 0; i < 6; i++) {
    settings.width = 0.3 + 0.3 * (i / 2);
    settings.height = i / 2 == 2 ? 0.9 : 0.4;

    g_auto (Drawn) drawn = draw_on (&settings, bins, 0, i % 2);
    const int width = drawn.width, thick = i / 2 == 2 ? 2 : 1;
    const int up = drawn.height * 9 / 10;
    const double first = i % 2 ? 16 : 0, step = i % 2 ? 54.75 : 64;
    const int quarters[] = { line_column (first + step, width, thick),
      line_column (first + 2 * step, width, thick),
      line_column (first + 3 * step, width, thick) };
    const int limits[] = { line_column (16, width, thick),
      line_column (235, width, thick) };

    for (int column = 0; column < width; column++) {
      const int grey = grey_of (&drawn, column, up);

      /* the bin, and the line of its curve */
      if (ABS (column - 220 * width / 255) < width / 100 + 6)
        continue;
      if (i % 2 && is_on_line (column, limits, 2, thick))
        g_assert_cmpint (grey, ==, -1);
      else
        g_assert_cmpint (
            grey, ==, is_on_line (column, quarters, 3, thick) ? QUARTER : 0);
    }
    for (int k = 0; k < thick; k++) {
      g_assert_cmpint (grey_of (&drawn, -1 - k, up), ==, BORDER);
      g_assert_cmpint (grey_of (&drawn, width + k, up), ==, BORDER);
    }
  }
}

/* Gridlines are at quarters of the height; with the logarithmic scale, at 1,
 * 10, 100 ... samples, below the tallest bin. */
static void
test_rows (void)
{
  static const Bins bins = { [220] = 1000 };
  AmphistoScopeSettings settings = plain;

  settings.graticule = true;
  for (guint i = 0; i < 4; i++) {
    /* logarithms have an error of up to 1 % of a bit */
    const int reach = settings.scale = i & 1;
    const int thick = i / 2 ? 2 : 1;
    int lines[3], n_seen = 0;

    settings.width = settings.height = 0.4 + 0.5 * (i / 2);

    g_auto (Drawn) drawn = draw (&settings, bins);
    const int height = drawn.height;
    const int column = drawn.width / 8; /* between 0 and 64 */

    for (int n = 0; n < 3; n++)
      lines[n] = i & 1 ? (int) (log1p (pow (10, n)) / log1p (1000) * height)
                       : height * (n + 1) / 4;
    for (int up = 3; up < height; up++) {
      const int grey = grey_of (&drawn, column, up);
      bool is_near = false;

      g_assert_true (grey == 0 || grey == QUARTER);
      n_seen += grey == QUARTER;
      for (int near = up - reach; near <= up + reach; near++)
        is_near |= is_on_line (near, lines, 3, thick);
      g_assert_true (grey == 0 || is_near);
    }
    g_assert_cmpint (n_seen, ==, 3 * thick);
    g_assert_cmpint (grey_of (&drawn, column, height), ==, BORDER);
    g_assert_cmpint (grey_of (&drawn, column, -1), ==, BORDER);
  }
}

const CoreTest core_tests[] = {
  { "/picture/outside", test_outside },
  { "/picture/opacity", test_opacity },
  { "/picture/ends", test_ends },
  { "/picture/heights", test_heights },
  { "/picture/summits", test_summits },
  { "/picture/spikes", test_spikes },
  { "/picture/bars", test_bars },
  { "/graticule/columns", test_columns },
  { "/graticule/rows", test_rows },
  { 0 },
};
