/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The histogram's scope: its geometry and its colours.
 */

#include "channels.h"
#include "core/scopes/scope.h"
#include "layouts.h"
#include "placed.h"
#include "suite.h"

#include <math.h>
#include <string.h>

/* The properties' defaults, but with a scope. */
static const AmphistoScopeSettings usual = { .enabled = HISTOGRAM,
  .display = OVERLAY,
  .position = BOTTOM_RIGHT,
  .width = 0.33,
  .height = 0.25,
  .opacity = 0.7,
  .scale = LINEAR,
  .graticule = true,
  .clipping_bars = true };

/* --- geometry --- */

static void
assert_panel (const histogram_scope_params *params)
{
  const scope_params *scope = &params->scope;
  const uint32_t bottom = plot_bottom (params);
  const uint32_t gridline = scope->gridline_width;

  g_assert_cmpuint (scope->panels_x * scope->panels_y * params->panel_curves,
      ==, params->n_curves);
  g_assert_cmpuint (scope->plot_width, >=, 16);
  g_assert_cmpuint (scope->plot_height, >=, 8);
  g_assert_cmpuint (
      2 * scope->plot_left + scope->plot_width, ==, scope->panel_width);
  g_assert_cmpuint (scope->plot_left, >=, params->bar_width + 2 * gridline);
  g_assert_cmpuint (bottom + gridline, <=, scope->panel_height);
  /* arrows of a row at least, and a gap below them */
  g_assert_cmpuint (params->arrow_bottom, >=, 2);
  g_assert_cmpuint (
      params->arrow_bottom + 1 + scope->plot_height + gridline, <=, bottom);
  /* heights, with a line upon them, are 16-bit numbers */
  g_assert_cmpuint (
      scope->plot_height * 16 + params->line_width, <=, UINT16_MAX);
  for (uint32_t i = 0; i < params->n_curves; i++) {
    const curve_params *curve = &params->curve[i];
    const uint64_t last =
        (uint64_t) curve->bins_per_column * (curve->width - 1);

    g_assert_cmpuint (curve->width, >=, 2);
    g_assert_cmpuint (curve->left + curve->width, <=, scope->plot_width);
    g_assert_cmpuint (last, >=, 255 << 16);
    g_assert_cmpuint (last, <=, UINT32_MAX);
  }
}

static void
check_size (uint32_t width, uint32_t height, uint32_t seed)
{
  const AmphistoLayout layout = seed % 7 == 0 ? rgb_layout (width, height)
      : seed % 7 == 1                         ? grey_layout (width, height)
                      : yuv_layout (width, height, 1, 1);
  AmphistoScopeSettings settings = usual;

  settings.width = seed % 11 / 10.0;
  settings.height = seed % 13 / 12.0;
  for (settings.display = OVERLAY; settings.display <= PARADE;
       settings.display++) {
    const histogram_scope_params params = placed_histogram (&settings, &layout);

    if (params.n_curves > 0)
      assert_panel (&params);
    else /* too small for six panels */
      g_assert_true (width < 6 * 32 || height < 6 * 16);
  }
}

static void
test_sizes (void)
{
  static const uint32_t large[] = { 480, 719, 1080, 2160, 4099, 16384 };
  uint32_t seed = 0;

  for (uint32_t width = 1; width < 300; width++)
    for (uint32_t height = 1; height < 150; height++)
      check_size (width, height, seed++);
  for (gsize i = 0; i < 36; i++)
    for (uint32_t n = 0; n < 7 * 11 * 13; n += 5)
      check_size (large[i % 6], large[i / 6], n);
}

/* The scope has a smallest legible size. In smaller frames it uses the
 * available room; the smallest frames have none. */
static void
test_small (void)
{
  static const uint32_t sizes[][4] = { { 640, 480, 96, 48 },
    { 100, 50, 96, 48 }, { 70, 30, 64, 28 }, { 32, 16, 32, 16 },
    { 31, 100, 0, 0 }, { 100, 15, 0, 0 } };
  AmphistoScopeSettings settings = usual;

  settings.width = settings.height = 0.0;
  for (gsize i = 0; IS_ROW (sizes, i); i++) {
    const AmphistoLayout layout = grey_layout (sizes[i][0], sizes[i][1]);
    const histogram_scope_params params = placed_histogram (&settings, &layout);

    g_assert_cmpuint (params.n_curves, ==, sizes[i][2] > 0);
    g_assert_cmpuint (params.scope.panel_width, ==, sizes[i][2]);
    g_assert_cmpuint (params.scope.panel_height, ==, sizes[i][3]);
  }
}

/* Slots are assigned to measured channels, whether shown or not. */
static void
test_slots (void)
{
  const AmphistoLayout layout = rgb_layout (640, 480);
  const AmphistoChannelMask red = AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_RED);
  histogram_scope_params params =
      placed_scopes (&usual, false, &layout, LUMA | RGB, RGB & ~red).histogram;

  g_assert_cmpuint (params.n_curves, ==, 2);
  g_assert_cmpuint (params.curve[0].slot, ==, 2);
  g_assert_cmpuint (params.curve[1].slot, ==, 3);
  params = placed_scopes (&usual, false, &layout, RGB, LUMA | CHROMA).histogram;
  g_assert_cmpuint (params.n_curves, ==, 0);
}

/* Black and white of each curve, which are at the same columns: those of 16 and
 * 235 of luma, which has the whole axis. R, G and B of YUV have full range. */
static void
test_axis (void)
{
  static const guint ends[][2] = { { 16, 235 }, { 16, 240 }, { 16, 240 },
    { 0, 255 }, { 0, 255 }, { 0, 255 } };
  const AmphistoLayout layout = yuv_layout (1920, 1080, 1, 1);
  const histogram_scope_params params = placed_histogram (&usual, &layout);
  const double column = (params.scope.plot_width - 1) / 255.0;

  g_assert_cmpuint (params.n_curves, ==, G_N_ELEMENTS (ends));
  for (gsize i = 0; IS_ROW (ends, i); i++) {
    const curve_params *curve = &params.curve[i];
    const double bin = (curve->width - 1) / 255.0;

    g_assert_cmpuint (curve->black, ==, ends[i][0]);
    g_assert_cmpuint (curve->white, ==, ends[i][1]);
    g_assert_cmpfloat_with_epsilon (
        curve->left + ends[i][0] * bin, 16 * column, 1);
    g_assert_cmpfloat_with_epsilon (
        curve->left + ends[i][1] * bin, 235 * column, 1);
  }
  g_assert_cmpuint (params.curve[0].left, ==, 0);
  g_assert_cmpuint (params.curve[0].width, ==, params.scope.plot_width);
}

/* In limited range, lines are at the quarters of 16 to 235 and, in another
 * colour, at 16 and 235; in full range at codes 64, 128 and 192. */
static void
test_lines (void)
{
  for (guint i = 0; i < 4; i++) {
    AmphistoLayout layout = yuv_layout (1280, 720, 1, 1);
    AmphistoScopeSettings settings = usual;
    const bool is_limited = i % 2 == 0;

    set_range (&layout, is_limited);
    settings.width = 0.4 + 0.5 * (i / 2);

    const histogram_scope_params params = placed_histogram (&settings, &layout);
    const double last = params.scope.plot_width - 1;
    const double black = is_limited ? 16 / 255.0 * last : last / 255;
    const double white = is_limited ? 235 / 255.0 * last : last;
    g_auto (AmphistoGraticule) graticule =
        graticule_of (&amphisto_histogram_scope, &params.scope);

    g_assert_cmpuint (params.scope.is_percent, ==, is_limited);
    for (guint quarter = 0; quarter <= 4; quarter++) {
      const bool is_limit = quarter % 4 == 0;
      const uint32_t wanted =
          is_limit ? AMPHISTO_SCOPE_LIMIT : AMPHISTO_SCOPE_QUARTER;
      const double part =
          is_limited || is_limit ? quarter / 4.0 : quarter * 64 / 255.0;
      const int x =
          (int) rint (params.scope.plot_left + black + part * (white - black));
      bool is_there = false;

      for (int near = x - 1; near <= x + 1; near++)
        is_there |=
            light_at (&graticule, near, (int) params.arrow_top + 1) == wanted;
      g_assert_true (is_there == (is_limited || !is_limit));
    }
  }
}

/* --- colours --- */

/* Whether the light has this hue: the brightest of red, green and blue; 3: none
 * of them. */
static gboolean
has_hue (const uint32_t light[3], guint hue)
{
  const uint32_t most = MAX (MAX (light[0], light[1]), light[2]);
  const uint32_t least = MIN (MIN (light[0], light[1]), light[2]);

  return hue < 3 ? light[hue] == most && light[(hue + 1) % 3] < most * 2 / 3
          && light[(hue + 2) % 3] < most * 2 / 3
                 : most - least < 10;
}

/* Curves have the colours of their channels: luma is grey, U bluish, V reddish.
 * The area below a line is darker. Red, green and blue together are almost
 * grey. */
static void
test_channels (void)
{
  static const guint hues[] = { 3, 2, 0, 0, 1, 2 };
  const AmphistoLayout layout = yuv_layout (640, 480, 1, 1);
  const histogram_scope_params params = placed_histogram (&usual, &layout);
  uint32_t line[3] = { 0 }, fill[3] = { 0 };

  g_assert_cmpuint (params.n_curves, ==, G_N_ELEMENTS (hues));
  for (guint i = 0; IS_ROW (hues, i); i++) {
    const curve_params *curve = &params.curve[i];

    g_assert_true (has_hue (curve->line, hues[i]));
    g_assert_true (has_hue (curve->fill, hues[i]));
    for (guint c = 0; c < 3; c++) {
      g_assert_cmpuint (curve->fill[c], <, curve->line[c]);
      line[c] += i >= AMPHISTO_CHANNEL_RED ? curve->line[c] : 0;
      fill[c] += i >= AMPHISTO_CHANNEL_RED ? curve->fill[c] : 0;
    }
    for (guint j = 0; j < i; j++)
      g_assert_true (memcmp (curve->line, params.curve[j].line, 12) != 0);
  }
  for (guint c = 0; c < 3; c++) {
    g_assert_cmpuint (line[c] * 9, <, 10 * line[(c + 1) % 3]);
    g_assert_cmpuint (fill[c] * 8, <, 9 * fill[(c + 1) % 3]);
  }
}

/* The light of the panel's pixels, without a graticule: the fraction of white
 * ones, and the brightest of red, green and blue in each column of the plot. */
static double
measure_light (const histogram_scope_params *params,
    const uint32_t (*bins)[AMPHISTO_N_BINS], uint32_t *brightest)
{
  const scope_params *scope = &params->scope;
  const AmphistoScope *kind = &amphisto_histogram_scope;
  uint32_t peaks[AMPHISTO_MAX_SLOTS], n_white = 0;
  const AmphistoScopeInput input = { NULL, bins, peaks };
  g_autofree void *trace = measured_trace (kind, scope, &input);

  memset (brightest, 0, scope->plot_width * sizeof *brightest);
  for (uint32_t y = scope->plot_top; y < plot_bottom (params); y++)
    for (uint32_t x = 0; x < scope->plot_width; x++) {
      AmphistoPixelLight sum = { { 0 } };
      const uint32_t *c = sum.channel;

      kind->draw_pixel (scope, trace, 0, scope->plot_left + x, y, &sum);
      n_white += c[0] >= 240 && c[1] >= 240 && c[2] >= 240;
      brightest[x] = MAX (brightest[x], MAX (c[0], MAX (c[1], c[2])));
    }
  return (double) n_white / (scope->plot_width * scope->plot_height);
}

/* Overlaid curves of busy pictures do not turn white; their lines are bright.
 * On a logarithmic scale, there are only lines. */
static void
test_overlaid (void)
{
  static const AmphistoChannelMask shown[] = { RGB, LUMA | RGB, ~0u };
  const AmphistoLayout layout = yuv_layout (1920, 1080, 1, 1);
  AmphistoScopeSettings settings = usual;
  uint32_t bins[AMPHISTO_MAX_SLOTS][AMPHISTO_N_BINS], brightest[1920];
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);

  for (guint i = 0; i < AMPHISTO_MAX_SLOTS; i++)
    for (guint v = 0; v < AMPHISTO_N_BINS; v++)
      bins[i][v] = 5000 + 500 * i + g_rand_int_range (rand, 0, 300);
  settings.graticule = false;
  settings.width = settings.height = 0.6; /* lines of more than two pixels */
  for (gsize i = 0; IS_ROW (shown, i); i++)
    for (settings.scale = LINEAR; settings.scale <= LOG; settings.scale++) {
      histogram_scope_params params =
          placed_scopes (&settings, false, &layout, ~0u, shown[i]).histogram;

      params.reset = 1;
      g_assert_cmpfloat (
          measure_light (
              &params, (const uint32_t (*)[AMPHISTO_N_BINS]) bins, brightest),
          <=, 0.03);
      for (uint32_t k = 0; k < params.n_curves; k++)
        for (guint c = 0; c < 3; c++)
          g_assert_true (
              settings.scale == LINEAR || params.curve[k].fill[c] == 0);
      /* blue has the fewest columns */
      const curve_params *blue = &params.curve[params.n_curves - 1];

      for (uint32_t x = blue->left; x < blue->left + blue->width; x++)
        g_assert_cmpuint (brightest[x], >, 200);
    }
}

/* A panel with one curve has its area on a logarithmic scale, too. */
static void
test_alone (void)
{
  const AmphistoLayout layout = yuv_layout (640, 480, 1, 1);
  AmphistoScopeSettings settings = usual;

  settings.scale = LOG;
  settings.display = STACK;

  const histogram_scope_params params = placed_histogram (&settings, &layout);

  for (uint32_t i = 0; i < params.n_curves; i++)
    g_assert_true (memcmp (params.curve[i].fill,
                       amphisto_channel_styles[params.curve[i].channel].fill,
                       sizeof params.curve[i].fill)
        == 0);
}

const CoreTest core_tests[] = {
  { "/geometry/sizes", test_sizes },
  { "/geometry/small", test_small },
  { "/geometry/slots", test_slots },
  { "/geometry/axis", test_axis },
  { "/geometry/lines", test_lines },
  { "/colours/channels", test_channels },
  { "/colours/overlaid", test_overlaid },
  { "/colours/alone", test_alone },
  { 0 },
};
