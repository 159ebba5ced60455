/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The waveform: columns and rows of samples, and the drawing of the C
 * reference.
 */

#include "channels.h"
#include "core/change/exposure.h"
#include "core/scopes/drawing.h"
#include "core/scopes/font.h"
#include "core/scopes/waveform.h"
#include "layouts.h"
#include "lights.h"
#include "placed.h"
#include "suite.h"

#include <math.h>
#include <string.h>

#define WIDTH 1000
#define HEIGHT 540

static waveform_params
params_for (const AmphistoLayout *layout, double width, double height,
    AmphistoDisplay display, AmphistoChannelMask shown)
{
  const AmphistoScopeSettings settings = { .enabled = AMPHISTO_SCOPE_WAVEFORM,
    .display = display,
    .width = width,
    .height = height,
    .opacity = 0.5 };

  return placed_scopes (&settings, false, layout, ~0u, shown).waveform;
}

/* A grey frame: columns below `edge` have one value, the others another one. */
typedef struct
{
  AmphistoLayout layout;
  AmphistoFrame frame;
  uint8_t *pixels;
} Grey;

static void
grey_clear (Grey *self)
{
  g_free (self->pixels);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Grey, grey_clear)

static void
grey_init (Grey *self, uint32_t edge, uint8_t left, uint8_t right)
{
  self->layout = grey_layout (WIDTH, HEIGHT);
  self->pixels = g_malloc (WIDTH * HEIGHT);
  self->frame =
      (AmphistoFrame){ &self->layout, { { self->pixels, WIDTH } }, 0 };
  for (size_t i = 0; i < WIDTH * HEIGHT; i++)
    self->pixels[i] = i % WIDTH < edge ? left : right;
}

/* 256 rows with a value each; the plot's columns are above the samples.
 */
static void
test_places (void)
{
  g_auto (Grey) grey = { 0 };
  waveform_params params;
  g_autofree uint8_t *trace = NULL;

  grey_init (&grey, 500, 7, 200);
  params = params_for (&grey.layout, 0.3, 0.5, AMPHISTO_DISPLAY_OVERLAY, LUMA);
  trace = measured_trace (&amphisto_waveform, &params.scope, &grey.frame);
  g_assert_cmpuint (params.scope.plot_height, ==, 256);
  g_assert_cmpuint (params.rows, ==, 256);
  for (uint32_t row = 0; row < 256; row++)
    for (uint32_t x = 0; x < params.scope.panel_width; x++) {
      const uint32_t column = x - params.scope.plot_left;
      const uint8_t value =
          column * WIDTH / params.scope.plot_width < 500 ? 7 : 200;
      const bool is_lit = column < params.scope.plot_width && row == value;

      /* the column at the edge may have samples of both */
      if (column == params.scope.plot_width / 2)
        continue;
      g_assert_cmpuint (
          trace[row * params.scope.panel_width + x], ==, is_lit ? 255 : 0);
    }
}

/* Columns of 3 and 4 samples, and rows of 1 and 2 values, are equally bright
 * for uniform input. */
static void
test_even (void)
{
  waveform_params params;
  g_autofree uint8_t *trace = NULL;
  uint8_t least = 255, most = 0;
  g_auto (Grey) grey = { 0 };

  grey_init (&grey, 0, 0, 0);
  for (size_t i = 0; i < WIDTH * HEIGHT; i++)
    grey.pixels[i] = i / WIDTH * 31 + i;
  params = params_for (&grey.layout, 0.3, 0.4, AMPHISTO_DISPLAY_OVERLAY, LUMA);
  trace = measured_trace (&amphisto_waveform, &params.scope, &grey.frame);
  g_assert_cmpuint (params.rows, <, 256);
  g_assert_cmpuint (params.rows, >, 128);
  for (uint32_t row = 0; row < params.rows; row++)
    for (uint32_t x = 0; x < params.scope.plot_width; x++) {
      const uint8_t cell =
          trace[row * params.scope.panel_width + params.scope.plot_left + x];

      least = MIN (least, cell);
      most = MAX (most, cell);
    }
  /* a third of the brightness for the average count, with any size of cells */
  g_assert_cmpuint (least, >, 60);
  g_assert_cmpuint (most, <, 115);
}

/* Traces by display: one panel, or one for each channel. */
static void
test_panels (void)
{
  const AmphistoLayout layout = rgb_layout (WIDTH, HEIGHT);
  waveform_params params =
      params_for (&layout, 0.9, 0.5, AMPHISTO_DISPLAY_PARADE, RGB);

  g_assert_cmpuint (params.n_traces, ==, 3);
  g_assert_cmpuint (params.scope.panels_x, ==, 3);
  g_assert_cmpuint (params.panel_traces, ==, 1);
  g_assert_cmpuint (params.trace[0].channel, ==, AMPHISTO_CHANNEL_RED);
  g_assert_cmpuint (params.trace[2].channel, ==, AMPHISTO_CHANNEL_BLUE);
  params = params_for (&layout, 0.9, 0.5, AMPHISTO_DISPLAY_STACK, RGB);
  g_assert_cmpuint (params.scope.panels_y, ==, 3);
  params = params_for (&layout, 0.9, 0.5, AMPHISTO_DISPLAY_OVERLAY, RGB);
  g_assert_cmpuint (params.scope.panels_x * params.scope.panels_y, ==, 1);
  g_assert_cmpuint (params.panel_traces, ==, 3);
}

/* No more columns are counted than there are samples. */
static void
test_chroma (void)
{
  const AmphistoLayout layout = yuv_layout (WIDTH, HEIGHT, 1, 1);
  const waveform_params params =
      params_for (&layout, 1.0, 0.5, AMPHISTO_DISPLAY_OVERLAY, LUMA | CHROMA);

  g_assert_cmpuint (params.trace[0].columns, ==, params.scope.plot_width);
  g_assert_cmpuint (params.scope.plot_width, >, WIDTH / 2);
  g_assert_cmpuint (params.trace[1].columns, ==, WIDTH / 2);
}

/* Strips are whole units and reach from side to side. */
static void
test_strips (void)
{
  const AmphistoLayout layout = rgb_layout (WIDTH, HEIGHT);
  waveform_params params =
      params_for (&layout, 1.0, 0.5, AMPHISTO_DISPLAY_OVERLAY, RGB);

  for (uint32_t n = 1; n < 3000; n = n * 2 + 1)
    for (uint32_t gpu = 0; gpu < 2; gpu++) {
      amphisto_waveform_divide (&params, n, gpu);
      g_assert_cmpuint (params.strip, >, 0);
      g_assert_cmpuint (
          params.strip, <=, gpu ? WAVEFORM_GPU_STRIP : WAVEFORM_MAX_STRIP);
      g_assert_cmpuint (params.strip % (gpu ? 4 : 16), ==, 0);
      g_assert_cmpuint (
          params.strip * params.n_strips, >=, params.scope.panel_width);
      g_assert_cmpuint (
          params.strip * (params.n_strips - 1), <, params.scope.panel_width);
    }
}

/* The bands of false colour are beside luma's plot: purple at 0, green in the
 * middle. Without false colour, there are none. */
static void
test_legend (void)
{
  const AmphistoLayout layout = yuv_layout (WIDTH, HEIGHT, 1, 1);
  waveform_params params =
      params_for (&layout, 0.3, 0.5, AMPHISTO_DISPLAY_OVERLAY, LUMA);

  g_assert_cmpuint (params.legend_width, ==, 0);
  params.scope.has_graticule = true;
  params.legend_width = 4;

  g_auto (AmphistoGraticule) graticule =
      graticule_of (&amphisto_waveform, &params.scope);

  for (uint32_t v = 17; v < 235; v++) {
    const uint32_t y = params.scope.plot_top + 255 - v;
    const uint32_t light =
        graticule.light[y * graticule.width + params.scope.plot_left + 3];

    /* gridlines may be brighter */
    if ((v - 16) * 4 % 219 > 8 && (v - 16) * 4 % 219 < 211)
      g_assert_cmphex (light, ==, amphisto_exposure_light (16, 235, v));
  }
}

/* Panels of other channels have no legend. */
static void
test_legend_of_luma_alone (void)
{
  const AmphistoLayout layout = yuv_layout (WIDTH, HEIGHT, 1, 1);
  const AmphistoScopeSettings settings = { .enabled = AMPHISTO_SCOPE_WAVEFORM,
    .display = AMPHISTO_DISPLAY_PARADE,
    .width = 0.9,
    .height = 0.5,
    .graticule = true };
  const waveform_params params =
      placed_scopes (&settings, true, &layout, ~0u, LUMA | CHROMA).waveform;

  g_assert_cmpuint (params.legend_width, ==, 4);

  g_auto (AmphistoGraticule) graticule =
      graticule_of (&amphisto_waveform, &params.scope);

  for (uint32_t panel = 0; panel < 3; panel++) {
    const uint32_t light = light_at (&graticule,
        (int) (panel * params.scope.panel_width + params.scope.plot_left + 3),
        (int) params.scope.plot_top + 255 - 112);

    g_assert_cmphex (
        light, ==, panel > 0 ? 0 : amphisto_exposure_light (16, 235, 112));
  }
  /* text is beside the legend */
  g_assert_true (has_text (&graticule, (int) params.scope.plot_left + 5,
      (int) params.scope.plot_top, (int) params.scope.plot_left + 12,
      (int) params.scope.plot_top + 255 - 235 + 8,
      amphisto_scope_text_height (&params.scope), "100", AMPHISTO_SCOPE_TEXT));
}

/* Without a graticule, there are no lines, no text and no legend. */
static void
test_no_graticule (void)
{
  const AmphistoLayout layout = yuv_layout (WIDTH, HEIGHT, 1, 1);
  waveform_params params =
      params_for (&layout, 0.9, 0.5, AMPHISTO_DISPLAY_PARADE, LUMA | CHROMA);

  params.legend_width = 4;

  g_auto (AmphistoGraticule) graticule =
      graticule_of (&amphisto_waveform, &params.scope);

  for (gsize i = 0; i < (gsize) graticule.width * graticule.height; i++)
    g_assert_cmphex (graticule.light[i], ==, 0);
}

/* A panel of a graticule, and the ends of its scale. */
typedef struct
{
  const waveform_params *params;
  const AmphistoGraticule *graticule;
  int x, y;
  int lo, hi;
  int rule; /* thickness of lines, in pixels */
} Scale;

/* The light of row y of the plot, counted from its top, in a column without
 * text. */
static uint32_t
scale_light (const Scale *self, int y)
{
  return light_at (self->graticule,
      self->x
          + (int) (self->params->scope.plot_left
              + self->params->scope.plot_width / 2),
      self->y + (int) self->params->scope.plot_top + y);
}

/* The row of the plot with the middle of the value. */
static int
row_of (const Scale *self, double v)
{
  const int height = (int) self->params->scope.plot_height;

  return height - 1 - (int) floor ((v + 0.5) * height / 256);
}

/* Gridlines are at 25, 50 and 75 % of the range, and at its ends unless these
 * are the plot's. There are no others. */
static void
assert_lines (const Scale *self)
{
  const gboolean has_limits = self->lo > 0;
  int n_lit = 0;

  for (int y = 0; y < (int) self->params->scope.plot_height; y++)
    n_lit += scale_light (self, y) != 0;
  g_assert_cmpint (n_lit, ==, (has_limits ? 5 : 3) * self->rule);
  for (int quarter = 0; quarter <= 4; quarter++) {
    const double v = self->lo + quarter * (self->hi - self->lo) / 4.0;
    const int first = row_of (self, v) - self->rule / 2;

    if (quarter % 4 == 0 && !has_limits)
      continue;
    for (int i = 0; i < self->rule; i++)
      g_assert_cmphex (scale_light (self, first + i), ==,
          quarter % 4 == 0 ? AMPHISTO_SCOPE_LIMIT : AMPHISTO_SCOPE_QUARTER);
  }
}

/* The plot has a frame. At the left, 100 is below the upper end of the range,
 * and 0 above its lower end. The channel's letter is at the right. */
static void
assert_text (const Scale *self, const char *letter, uint32_t light)
{
  const int height = (int) self->params->scope.plot_height;
  const int left = self->x + (int) self->params->scope.plot_left;
  const int right = left + (int) self->params->scope.plot_width;
  const int top = self->y + (int) self->params->scope.plot_top;
  const int above = top + row_of (self, self->hi) + 1;
  const int below = top + row_of (self, self->lo) - 1;
  const int text = (int) amphisto_scope_text_height (&self->params->scope);

  g_assert_cmphex (scale_light (self, -1), ==, AMPHISTO_SCOPE_BORDER);
  g_assert_cmphex (scale_light (self, height), ==, AMPHISTO_SCOPE_BORDER);
  g_assert_true (has_text (self->graticule, left + 1, above, left + text / 2,
      above + text / 2, text, "100", AMPHISTO_SCOPE_TEXT));
  g_assert_true (has_text (self->graticule, left + 1, below - 3 * text / 2,
      left + text / 2, below - text, text, "0", AMPHISTO_SCOPE_TEXT));
  g_assert_true (has_text (self->graticule, right - 3 * text / 2, above,
      right - text / 2, above + text / 2, text, letter, light));
}

/* The ends of each channel's range: luma, chroma, red, green and blue. */
static const struct
{
  const char *letter;
  int limited[2];
  uint32_t light;
} scales[] = { { "Y", { 16, 235 }, AMPHISTO_LIGHT (236, 236, 236) },
  { "U", { 16, 240 }, AMPHISTO_LIGHT (72, 150, 255) },
  { "V", { 16, 240 }, AMPHISTO_LIGHT (255, 96, 140) },
  { "R", { 0, 255 }, AMPHISTO_LIGHT (255, 64, 56) },
  { "G", { 0, 255 }, AMPHISTO_LIGHT (56, 230, 80) },
  { "B", { 0, 255 }, AMPHISTO_LIGHT (72, 112, 255) } };

/* In panels of several heights, side by side and one below the other. */
static void
test_graticule (void)
{
  static const uint32_t heights[] = { 480, 1080, 2160 };

  for (guint i = 0; i < 4 * G_N_ELEMENTS (heights); i++) {
    const gboolean is_limited = i & 1, is_stack = i >> 1 & 1;
    const uint32_t height = heights[i / 4] * (is_stack ? 6 : 1);
    AmphistoLayout layout = yuv_layout (6000, height, 1, 1);
    waveform_params params;

    if (!is_limited) {
      layout.lo = 0;
      layout.hi = 255;
    }
    params = params_for (&layout, 1.0, 0.5,
        is_stack ? AMPHISTO_DISPLAY_STACK : AMPHISTO_DISPLAY_PARADE,
        LUMA | CHROMA | RGB);
    params.scope.has_graticule = true;
    g_assert_cmpuint (params.n_traces, ==, G_N_ELEMENTS (scales));

    g_auto (AmphistoGraticule) graticule =
        graticule_of (&amphisto_waveform, &params.scope);

    for (guint p = 0; p < G_N_ELEMENTS (scales); p++) {
      const Scale scale = { &params, &graticule,
        is_stack ? 0 : (int) (p * params.scope.panel_width),
        is_stack ? (int) (p * params.scope.panel_height) : 0,
        is_limited ? scales[p].limited[0] : 0,
        is_limited ? scales[p].limited[1] : 255,
        (int) MAX (1,
            lround (MIN (params.scope.panel_width, params.scope.panel_height)
                / 240.0)) };

      assert_lines (&scale);
      assert_text (&scale, scales[p].letter, scales[p].light);
    }
  }
}

/* The column of text in a panel, anywhere; -1: it is not there. */
static int
find_text (const AmphistoGraticule *graticule, uint32_t height,
    const char *text, uint32_t light)
{
  const int bottom = (int) graticule->height - 1;

  for (int x = 0; x < (int) graticule->width; x++)
    if (has_text (graticule, x, 0, x, bottom, height, text, light))
      return x;
  return -1;
}

/* In narrow panels of all channels, letters are smaller, or missing, but whole
 * and in order. "100" is left out where it would touch them. */
static void
test_narrow (void)
{
  for (uint32_t width = 32; width < 240; width += 16) {
    const AmphistoLayout layout = yuv_layout (width, 240, 1, 1);
    waveform_params params = params_for (
        &layout, 1.0, 1.0, AMPHISTO_DISPLAY_OVERLAY, LUMA | CHROMA | RGB);
    const uint32_t n = G_N_ELEMENTS (scales);
    uint32_t height = 15;
    int end, x = -1;

    params.scope.has_graticule = true;

    g_auto (AmphistoGraticule) graticule =
        graticule_of (&amphisto_waveform, &params.scope);

    while (height >= 7
        && find_text (&graticule, height, "0", AMPHISTO_SCOPE_TEXT) < 0)
      height--;
    g_assert_true ((height >= 7) == (8 * n <= params.scope.plot_width));
    g_assert_true (height == 15 || width < 112);
    if (height >= 7) {
      end = find_text (&graticule, height, "100", AMPHISTO_SCOPE_TEXT);
      g_assert_true (end >= 0 || width < 160);
      if (end >= 0)
        end += (int) amphisto_graticule_text_width (
            "100", height, AMPHISTO_SQUARE_PIXEL);
      for (uint32_t i = 0; i < n; i++, end = x + (int) height / 2) {
        x = find_text (&graticule, height, scales[i].letter, scales[i].light);
        g_assert_cmpint (x, >, end);
      }
    }
  }
}

/* Light of three traces adds up, and pixels outside stay. */
static void
test_draw (void)
{
  g_auto (Grey) grey = { 0 };
  waveform_params params;
  drawing_params drawing;
  g_autofree uint8_t *trace = NULL;
  const uint8_t *plot;

  grey_init (&grey, WIDTH, 100, 100);
  params = params_for (&grey.layout, 0.3, 0.5, AMPHISTO_DISPLAY_OVERLAY, LUMA);
  trace = measured_trace (&amphisto_waveform, &params.scope, &grey.frame);
  amphisto_drawing_fill_params (&grey.layout, &drawing);

  g_auto (AmphistoGraticule) graticule =
      graticule_of (&amphisto_waveform, &params.scope);

  amphisto_scope_draw (&amphisto_waveform, &drawing, &params.scope, &graticule,
      trace, &grey.frame);
  plot = grey.pixels + (params.scope.y + params.scope.plot_top) * WIDTH
      + params.scope.x + params.scope.plot_left;
  g_assert_cmpuint (grey.pixels[0], ==, 100);
  /* the trace is opaque; the background leaves half */
  g_assert_cmpuint (plot[155 * WIDTH], ==, 236);
  g_assert_cmpuint (plot[154 * WIDTH], ==, 50);
  g_assert_cmpuint (plot[156 * WIDTH], ==, 50);
}

const CoreTest core_tests[] = {
  { "/count/places", test_places },
  { "/count/even", test_even },
  { "/params/panels", test_panels },
  { "/params/chroma", test_chroma },
  { "/params/strips", test_strips },
  { "/graph/legend", test_legend },
  { "/graph/legend-of-luma-alone", test_legend_of_luma_alone },
  { "/graph/no-graticule", test_no_graticule },
  { "/graph/graticule", test_graticule },
  { "/graph/narrow", test_narrow },
  { "/graph/draw", test_draw },
  { NULL },
};
