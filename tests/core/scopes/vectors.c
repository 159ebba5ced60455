/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The trace of the vectorscope, as the C reference draws it: cells and spots in
 * plots of all sizes.
 */

#include "chroma.h"
#include "layouts.h"
#include "placed.h"
#include "size.h"
#include "suite.h"

#include <math.h>

#define WIDTH 640

/* The brightness of the cell's count alone. row: from the top. */
static uint32_t
table_brightness (
    const vectorscope_params *params, uint32_t column, uint32_t row, uint32_t n)
{
  uint32_t kind = 0;

  for (guint i = 0; i < 2; i++) {
    const uint32_t cell = i == 0 ? column : params->size - 1 - row;
    uint32_t n_values = 0;

    for (uint32_t v = 0; v < params->n_values; v++)
      n_values += v * params->size / params->n_values == cell;
    kind += n_values > params->n_values / params->size;
  }
  n = MIN (n, 255);
  return params->brightness[kind][n / 4] >> n % 4 * 8 & 0xff;
}

/* The pixel of the plot in the middle of U, or of V from the bottom. */
static int
pixel_of (uint32_t plot, int value)
{
  return (int) ((value * 2u + 1) * plot / 512);
}

/* --- counting --- */

static void
fill_rgb (ChromaScope *self, const uint8_t rgb[3])
{
  for (size_t i = 0; i < self->picture->size; i++)
    self->picture->bytes[i] = rgb[i % 3];
}

/* A frame of one colour has a single spot, around its chroma, V upwards. U and
 * V of RGB are those of BT.601: 128 + (-0.168736 R - 0.331264 G + 0.5 B) and
 * 128 + (0.5 R - 0.418688 G - 0.081312 B), rounded. */
static void
test_points (void)
{
  static const struct
  {
    bool is_rgb;
    uint8_t values[3];
    int u, v;
  } cases[] = { { false, { 77, 30, 200 }, 30, 200 },
    { false, { 77, 0, 255 }, 0, 255 }, { false, { 77, 255, 0 }, 255, 0 },
    { true, { 0, 0, 0 }, 128, 128 }, { true, { 91, 91, 91 }, 128, 128 },
    { true, { 255, 255, 255 }, 128, 128 }, { true, { 255, 0, 0 }, 85, 255 },
    { true, { 0, 255, 0 }, 44, 21 }, { true, { 0, 0, 255 }, 255, 107 },
    { true, { 200, 100, 50 }, 86, 182 } };

  for (guint i = 0; IS_ROW (cases, i); i++) {
    const AmphistoLayout layout = cases[i].is_rgb
        ? rgb_layout (WIDTH, 1080)
        : yuv_layout (WIDTH, 1080, 1, 1);
    uint32_t n = 0;
    g_auto (ChromaScope) scope = chroma_scope_of (&layout, 0.25, 0);

    g_assert_cmpuint (scope.params.size, ==, 256);
    g_assert_cmpuint (scope.params.scope.plot_width, ==, 256);
    if (cases[i].is_rgb)
      fill_rgb (&scope, cases[i].values);
    else
      chroma_fill (&scope, cases[i].values[1], cases[i].values[2]);
    chroma_scope_measure (&scope);
    for (int y = 0; y < 256; y++)
      for (int x = 0; x < 256; x++) {
        const double distance = hypot (x - cases[i].u, 255 - cases[i].v - y);
        const uint32_t brightness = chroma_brightness (&scope, x, y);

        n += brightness == 255;
        g_assert_true (distance > 3 || brightness == 255);
        g_assert_true (distance < 7 || brightness == 0);
      }
    g_assert_cmpuint (n, >, 0);
  }
}

/* Cells of 4, 6 and 9 pairs of values are equally bright for uniform input. */
static void
test_even (void)
{
  const AmphistoLayout layout = yuv_layout (WIDTH, 512, 0, 0);
  g_auto (ChromaScope) scope = chroma_scope_of (&layout, 0.25, 0);

  g_assert_cmpuint (scope.params.size, >, 85);
  g_assert_cmpuint (scope.params.size, <, 128);
  for (size_t i = 0; i < WIDTH * 512; i++)
    chroma_set (&scope, i, i % 256, i / 256 % 256);
  chroma_scope_measure (&scope);
  for (int y = 0; y < (int) scope.params.scope.plot_height; y++)
    for (int x = 0; x < (int) scope.params.scope.plot_width; x++) {
      /* two thirds of the brightness above 36 for the average count, and more
       * with more samples: 5 for each pair */
      g_assert_cmpuint (chroma_brightness (&scope, x, y), >, 182);
      g_assert_cmpuint (chroma_brightness (&scope, x, y), <, 199);
    }
}

/* --- cells --- */

/* Plots with one pixel per cell, for cells of one value or more, and with three
 * and with eight pixels per cell. */
static const struct
{
  uint32_t rows;
  double height;
  uint32_t plot;
} plots[] = { { 192, 0.25, 44 }, { 480, 0.25, 116 }, { 1080, 0.25, 256 },
  { 800, 1, 768 }, { 2160, 1, 2048 } };

/* In their middle, cells of noise have the brightness of their counts, with any
 * neighbours, so that the noise keeps its texture. */
static void
check_noise (guint p, guint zoom_shift)
{
  const AmphistoLayout layout =
      yuv_layout (plots[p].rows * 4 / 3, plots[p].rows, 1, 1);
  const int n_values = 256 >> zoom_shift, first = 128 - n_values / 2;
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  g_autofree uint32_t *counts = g_new0 (uint32_t, 65536);
  uint32_t darkest = 255, brightest = 0;
  g_auto (ChromaScope) scope =
      chroma_scope_of (&layout, plots[p].height, zoom_shift);

  const uint32_t size = scope.params.size, plot = plots[p].plot;

  g_assert_cmpuint (scope.params.scope.plot_width, ==, plot);
  for (size_t i = 0; i < chroma_samples (&scope); i++) {
    const int u = g_rand_int_range (random, first, first + n_values);
    const int v = g_rand_int_range (random, first, first + n_values);

    chroma_set (&scope, i, u, v);
    counts[(size - 1 - (v - first) * size / n_values) * size
        + (u - first) * size / n_values]++;
  }
  chroma_scope_measure (&scope);
  for (uint32_t row = 0; row < size; row++)
    for (uint32_t column = 0; column < size; column++) {
      const uint32_t brightness = chroma_brightness (&scope,
          (int) ((2 * column + 1) * plot / (2 * size)),
          (int) ((2 * row + 1) * plot / (2 * size)));

      g_assert_cmpuint (brightness, ==,
          table_brightness (
              &scope.params, column, row, counts[row * size + column]));
      darkest = MIN (darkest, brightness);
      brightest = MAX (brightest, brightness);
    }
  g_assert_cmpuint (brightest, >, darkest + 50);
}

/* Zoomed, too, where a pixel is in the middle of each cell. */
static void
test_noise (void)
{
  for (guint p = 0; p < 4; p++)
    for (guint zoom_shift = 0; zoom_shift < 3; zoom_shift++) {
      const uint32_t n_values = 256 >> zoom_shift;

      if (plots[p].plot < n_values
          || plots[p].plot % (2 * n_values) == n_values)
        check_noise (p, zoom_shift);
    }
}

/* A single sample lights its cell, and fades to nothing in the middle of the
 * next ones. */
static void
test_single (void)
{
  for (guint p = 2; p < G_N_ELEMENTS (plots); p++) {
    const AmphistoLayout layout =
        yuv_layout (plots[p].rows * 4 / 3, plots[p].rows, 1, 1);
    const int n = (int) plots[p].plot / 256;
    uint32_t previous = 256;
    g_auto (ChromaScope) scope = chroma_scope_of (&layout, plots[p].height, 0);

    chroma_fill (&scope, 30, 40);
    chroma_set (&scope, 3, 200, 150);
    chroma_scope_measure (&scope);

    g_assert_cmpuint (scope.params.scope.plot_width, ==, plots[p].plot);

    const int x = 200 * n + n / 2, y = 105 * n + n / 2;
    const uint32_t brightness = table_brightness (&scope.params, 200, 105, 1);

    g_assert_cmpuint (chroma_brightness (&scope, x, y), <=, brightness);
    g_assert_cmpuint (
        chroma_brightness (&scope, x, y), >=, brightness - brightness / 10);
    for (int i = 0; i < 3 * n; i++) {
      const uint32_t here = chroma_brightness (&scope, x + i, y);

      g_assert_cmpuint (here, <=, previous);
      /* edges are as soft as there are pixels for them */
      g_assert_true (n < 8 || i == 0 || previous - here <= brightness / 3);
      g_assert_true (i < n || here == 0);
      g_assert_cmpuint (chroma_brightness (&scope, x, y + i), ==, here);
      previous = here;
    }
  }
}

/* --- spots --- */

/* Cb and Cr of the 75 % bars of BT.601, and of white and black. */
static const int bars[8][2] = { { 100, 212 }, { 72, 58 }, { 212, 114 },
  { 44, 142 }, { 156, 44 }, { 184, 198 }, { 128, 128 }, { 128, 128 } };

static void
fill_bars (ChromaScope *self)
{
  const uint32_t width = self->picture->layout.plane[1].row_bytes;

  for (size_t i = 0; i < chroma_samples (self); i++) {
    const int *bar = bars[i % width * 8 / width];

    chroma_set (self, i, bar[0], bar[1]);
  }
}

/* Pixels that are at least half as bright as possible in a square around (x,
 * y). */
static int
count_bright (const ChromaScope *self, int x, int y, int half)
{
  int n = 0;

  for (int j = -half; j <= half; j++)
    for (int i = -half; i <= half; i++)
      n += chroma_brightness (self, x + i, y + j) >= 128;
  return n;
}

/* Each bar fills at least a third of the box in which it should be, and no more
 * than the box, in frames of all sizes. */
static void
test_bars (void)
{
  for (guint rows = 144; rows <= 2160;
       rows += test_size () < TEST_FULL ? 168 : 56) {
    const AmphistoLayout layout = yuv_layout (rows * 16 / 9, rows, 1, 1);
    g_auto (ChromaScope) scope =
        chroma_scope_of (&layout, rows % 5 == 0 ? 1 : 0.25, 0);

    fill_bars (&scope);
    chroma_scope_measure (&scope);

    const uint32_t plot = scope.params.scope.plot_width;
    const int half = (int) amphisto_vectorscope_box_size (plot) / 2;

    for (guint i = 0; i < 6; i++) {
      const int x = pixel_of (plot, bars[i][0]);
      const int y = (int) plot - 1 - pixel_of (plot, bars[i][1]);
      const int n = count_bright (&scope, x, y, half);

      g_assert_cmpint (3 * n, >=, (2 * half + 1) * (2 * half + 1));
      g_assert_cmpint (count_bright (&scope, x, y, half + 3), ==, n);
    }
  }
}

/* A spot in the middle of a plot of 256 by 256 pixels grows with the number of
 * its samples, up to a bar's; the other samples have V from 60 to 69 and each
 * value of U. */
static void
test_growth (void)
{
  static const guint fractions[] = { 2000, 128, 56, 20, 4 };
  const AmphistoLayout layout = yuv_layout (WIDTH * 2, 1080, 1, 1);
  uint32_t widths[G_N_ELEMENTS (fractions)] = { 0 };

  for (guint f = 0; f < G_N_ELEMENTS (fractions); f++) {
    g_autoptr (GRand) random = g_rand_new_with_seed (7);
    g_auto (ChromaScope) scope = chroma_scope_of (&layout, 0.25, 0);

    for (size_t i = 0; i < chroma_samples (&scope); i++)
      if (g_rand_double (random) * fractions[f] < 1)
        chroma_set (&scope, i, 128, 128);
      else
        chroma_set (&scope, i, (int) (i % 256), 60 + (int) (i / 256 % 10));
    chroma_scope_measure (&scope);
    for (int x = 0; x < 256; x++)
      widths[f] += chroma_brightness (&scope, x, 127) > 0;
  }
  g_assert_cmpuint (widths[0], ==, 1);
  g_assert_cmpuint (widths[1], >=, 3);
  g_assert_cmpuint (widths[2], >, widths[1]);
  g_assert_cmpuint (widths[3], >, widths[2]);
  g_assert_cmpuint (widths[4], ==, widths[3]);
  g_assert_cmpuint (widths[4], <=, 15);
}

/* Probes are in all parts of the frame, of tiny ones too. */
static void
test_probes (void)
{
  static const uint32_t sizes[][2] = { { 64, 64 }, { 70, 150 }, { 1000, 66 } };

  for (guint s = 0; IS_ROW (sizes, s); s++) {
    const AmphistoLayout layout = yuv_layout (sizes[s][0], sizes[s][1], 1, 1);
    const uint32_t width = sizes[s][0] / 2, height = sizes[s][1] / 2;

    for (guint part = 0; part < 25; part++) {
      g_auto (ChromaScope) scope = chroma_scope_of (&layout, 1, 0);

      chroma_fill (&scope, 60, 60);
      for (uint32_t i = 0; i < width * height; i++)
        if (i % width * 5 / width == part % 5
            && i / width * 5 / height == part / 5)
          chroma_set (&scope, i, 200, 200);
      chroma_scope_measure (&scope);

      const uint32_t plot = scope.params.scope.plot_width;

      /* beside the cell */
      g_assert_cmpuint (chroma_brightness (&scope, pixel_of (plot, 200) + 1,
                            (int) plot - 1 - pixel_of (plot, 200)),
          >, 128);
    }
  }
}

/* A column of single samples, such as the edge of a colour bar, gets no spot,
 * wherever it is. */
static void
test_edges (void)
{
  const AmphistoLayout layout = yuv_layout (1280, 400, 1, 1);

  for (uint32_t column = 0; column < 640;
       column += test_size () < TEST_FULL ? 7 : 3) {
    g_auto (ChromaScope) scope = chroma_scope_of (&layout, 1, 0);

    chroma_fill (&scope, 60, 60);
    for (uint32_t i = column; i < 640 * 200; i += 640)
      chroma_set (&scope, i, 60, 200);
    chroma_scope_measure (&scope);

    const int plot = (int) scope.params.scope.plot_width;

    g_assert_cmpuint (chroma_brightness (&scope, pixel_of (plot, 60) + 3,
                          plot - 1 - pixel_of (plot, 200)),
        ==, 0);
    g_assert_cmpuint (chroma_brightness (&scope, pixel_of (plot, 60) + 3,
                          plot - 1 - pixel_of (plot, 60)),
        >, 0);
  }
}

/* The plot and its spots are round on the display. */
static void
test_aspect (void)
{
  /* 64/45, 8/9, 2, 1/2 */
  static const uint32_t aspects[] = { 5825, 3641, 8192, 2048 };

  for (guint i = 0; IS_ROW (aspects, i); i++) {
    AmphistoLayout layout = yuv_layout (720, 576, 1, 1);
    const double aspect = aspects[i] / (double) AMPHISTO_SQUARE_PIXEL;
    double across = 0, down = 0;

    layout.pixel_aspect = aspects[i];

    g_auto (ChromaScope) scope = chroma_scope_of (&layout, 0.8, 0);

    fill_bars (&scope);
    chroma_scope_measure (&scope);

    const scope_params *plot = &scope.params.scope;
    const int x = pixel_of (plot->plot_width, 128);
    const int y =
        (int) plot->plot_height - 1 - pixel_of (plot->plot_height, 128);

    g_assert_cmpfloat (
        fabs (plot->plot_width * aspect - plot->plot_height), <=, 1 + aspect);
    g_assert_cmpuint (
        plot->plot_left + plot->plot_width, <=, plot->panel_width);
    for (int k = -20; k <= 20; k++) {
      across += chroma_brightness (&scope, x + k, y) > 0 ? aspect : 0;
      down += chroma_brightness (&scope, x, y + k) > 0;
    }
    g_assert_cmpfloat (down, >, 6);
    g_assert_cmpfloat (fabs (across - down), <=, 1 + aspect);
  }
}

/* Pixels outside the graph stay, and a point has the colour of its chroma. */
static void
test_draw (void)
{
  static const struct
  {
    guint zoom_shift;
    uint8_t rgb[3];
    uint32_t across, down; /* the point in the plot */
    uint8_t red;
  } cases[] = {
    /* 128 + 0.331264 * 60 ... : U 104, V 198; 150 + 1.402 * 70 */
    { 0, { 200, 60, 60 }, 104, 255 - 198, 248 },
    /* U 121, V 148; 150 + 1.402 * 20 */
    { 1, { 150, 110, 110 }, (121 - 64) * 2, 255 - (148 - 64) * 2, 178 },
    { 2, { 150, 110, 110 }, (121 - 96) * 4, 255 - (148 - 96) * 4, 178 },
  };

  for (guint i = 0; IS_ROW (cases, i); i++) {
    AmphistoLayout layout = rgb_layout (WIDTH, 1080);
    const uint8_t *point;

    set_matrix (&layout, 0, false);

    g_auto (ChromaScope) scope =
        chroma_scope_of (&layout, 0.25, cases[i].zoom_shift);
    const scope_params *place = &scope.params.scope;

    fill_rgb (&scope, cases[i].rgb);
    chroma_scope_measure (&scope);
    draw_scope (
        &amphisto_vectorscope, place, scope.trace, &scope.picture->frame);
    g_assert_cmpmem (scope.picture->bytes, 3, cases[i].rgb, 3);
    point = amphisto_frame_row (&scope.picture->frame, 0,
                place->y + place->plot_top + cases[i].down)
        + 3 * (place->x + place->plot_left + cases[i].across);
    /* opaque */
    g_assert_cmpuint (point[0], ==, cases[i].red);
    g_assert_cmpuint (point[1], <, cases[i].red - 30);
    g_assert_cmpuint (point[2], <, cases[i].red - 30);
  }
}

const CoreTest core_tests[] = {
  { "/count/points", test_points },
  { "/count/even", test_even },
  { "/cells/noise", test_noise },
  { "/cells/single", test_single },
  { "/spots/bars", test_bars },
  { "/spots/growth", test_growth },
  { "/spots/probes", test_probes },
  { "/spots/edges", test_edges },
  { "/spots/aspect", test_aspect },
  { "/draw", test_draw },
  { 0 },
};
