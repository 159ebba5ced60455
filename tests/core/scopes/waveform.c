/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The waveform: columns and rows of samples, the axis of its traces, and what
 * the C reference draws.
 */

#include "channels.h"
#include "core/scopes/drawing.h"
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
  g_assert_cmpuint (params.most_rows, ==, 256);
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
  g_assert_cmpuint (params.most_rows, <, 256);
  g_assert_cmpuint (params.most_rows, >, 128);
  for (uint32_t row = 0; row < params.most_rows; row++)
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

/* --- the axis --- */

/* The standards' fraction of a code in its range. */
static double
fraction_of (AmphistoChannel channel, bool is_limited, int code)
{
  const bool is_chroma =
      channel == AMPHISTO_CHANNEL_U || channel == AMPHISTO_CHANNEL_V;

  if (is_chroma)
    return 0.5 + (code - 128) / (is_limited ? 224.0 : 254.0);
  return channel == AMPHISTO_CHANNEL_LUMA && is_limited ? (code - 16) / 219.0
                                                        : code / 255.0;
}

/* Each code is in its row of the axis, or beside it, and within the plot. */
static void
assert_codes (
    const waveform_params *params, const trace_params *trace, bool is_limited)
{
  const int height = (int) params->scope.plot_height;

  g_assert_cmpuint (trace->bottom + trace->height, <=, height);
  g_assert_cmpuint (trace->rows, <=, params->most_rows);
  for (int code = 0; code < 256; code++) {
    const int row = (int) floor (height
        - row_of (is_limited, height,
            fraction_of (trace->channel, is_limited, code)));
    const uint32_t cell = (2 * code + 1) * trace->rows / 512;
    int first = 0, last;

    while (first * trace->row_scale >> 16 < cell)
      first++;
    last = first;
    while ((last + 1) * trace->row_scale >> 16 == cell)
      last++;
    g_assert_cmpint (row, >=, first + (int) trace->bottom - 1);
    g_assert_cmpint (row, <=, last + (int) trace->bottom + 1);
  }
}

static void
test_axis (void)
{
  for (guint i = 0; i < 2 * 600; i++) {
    const bool is_limited = i & 1;
    AmphistoLayout layout = yuv_layout (3000, 20 + i / 2 * 2, 1, 1);
    waveform_params params;

    if (!is_limited) {
      layout.lo = 0;
      layout.hi = 255;
    }
    params = params_for (
        &layout, 1.0, 1.0, AMPHISTO_DISPLAY_OVERLAY, LUMA | CHROMA | RGB);
    for (guint t = 0; t < params.n_traces; t++)
      assert_codes (&params, &params.trace[t], is_limited);
  }
}

/* A code at the ends of the range is in the same row in all traces. */
static void
test_ends_of_range (void)
{
  for (guint height = 40; height <= 260; height += 4) {
    const AmphistoLayout layout = yuv_layout (1000, height, 1, 1);
    const waveform_params params =
        params_for (&layout, 1.0, 1.0, AMPHISTO_DISPLAY_PARADE, LUMA | RGB);
    const trace_params *luma = &params.trace[0];
    const trace_params *red = &params.trace[1];

    g_assert_cmpuint (red->bottom, ==, 33 * luma->rows / 512);
    g_assert_cmpuint (red->bottom + red->rows - 1, ==, 471 * luma->rows / 512);
  }
}

/* --- pictures --- */

/* What a scope without a graticule draws on black: R, G, B. */
typedef struct
{
  AmphistoLayout layout;
  AmphistoFrame frame;
  waveform_params params;
} Picture;

static void
picture_clear (Picture *self)
{
  g_free (self->frame.plane[0].data);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Picture, picture_clear)

/* The scope of `frame`, as large as that. */
static void
picture_init (Picture *self, const AmphistoFrame *frame,
    AmphistoDisplay display, AmphistoChannelMask shown)
{
  const uint32_t width = frame->layout->component[0].width;
  const uint32_t height = frame->layout->component[0].height;

  self->layout = rgb_layout (width, height);
  self->params = params_for (frame->layout, 1, 1, display, shown);
  self->frame = (AmphistoFrame){ &self->layout,
    { { g_malloc0 (3 * width * height), 3 * width } }, 0 };

  const drawing_params drawing = drawing_for (&self->layout);
  g_autofree uint8_t *trace =
      measured_trace (&amphisto_waveform, &self->params.scope, frame);
  g_auto (AmphistoGraticule) graticule =
      graticule_of (&amphisto_waveform, &self->params.scope);

  amphisto_scope_draw (&amphisto_waveform, &drawing, &self->params.scope,
      &graticule, trace, &self->frame);
}

/* Pixel (x, y) of a panel's plot, y from the lowest row. */
static const uint8_t *
plot_pixel (const Picture *self, uint32_t panel, uint32_t x, int y)
{
  const scope_params *scope = &self->params.scope;
  const uint32_t row = scope->y + panel / scope->panels_x * scope->panel_height
      + scope->plot_top + scope->plot_height - 1 - (uint32_t) y;
  const uint32_t column = scope->x
      + panel % scope->panels_x * scope->panel_width + scope->plot_left + x;

  return self->frame.plane[0].data + row * self->frame.plane[0].stride
      + 3 * column;
}

/* Colour bars of 75 %, in a frame of YUV or RGB. */
#define N_BARS 8
#define BAR_WIDTH 96

typedef struct
{
  AmphistoLayout layout;
  AmphistoFrame frame;
  bool is_limited;
  double kr, kb;
} Bars;

static void
bars_clear (Bars *self)
{
  for (guint p = 0; p < self->layout.n_planes; p++)
    g_free (self->frame.plane[p].data);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Bars, bars_clear)

/* R, G or B of a bar, 0 to 1: white, yellow, cyan, green and so on. */
static double
bar_colour (uint32_t bar, uint32_t c)
{
  static const uint32_t bits[3] = { 2, 4, 1 };

  return bar & bits[c] ? 0 : 0.75;
}

/* Y, Cb and Cr of a bar: 0 to 1, and -0.5 to 0.5. */
static void
bar_yuv (const Bars *self, uint32_t bar, double yuv[3])
{
  const double r = bar_colour (bar, 0), b = bar_colour (bar, 2);

  yuv[0] = self->kr * r + (1 - self->kr - self->kb) * bar_colour (bar, 1)
      + self->kb * b;
  yuv[1] = (b - yuv[0]) / (2 * (1 - self->kb));
  yuv[2] = (r - yuv[0]) / (2 * (1 - self->kr));
}

static uint8_t
bar_sample (const Bars *self, uint32_t bar, uint32_t plane, uint32_t at)
{
  double yuv[3];

  if (self->layout.is_rgb)
    return (uint8_t) lround (255 * bar_colour (bar, at % 3));
  bar_yuv (self, bar, yuv);
  if (plane > 0)
    return (uint8_t) lround (128 + (self->is_limited ? 224 : 255) * yuv[plane]);
  return (uint8_t) lround (self->is_limited ? 16 + 219 * yuv[0] : 255 * yuv[0]);
}

/* kind: 0 RGB, 1 limited, 2 full range. */
static void
bars_init (Bars *self, uint32_t kind, uint32_t matrix, uint32_t height)
{
  const uint32_t width = N_BARS * BAR_WIDTH;

  self->layout =
      kind == 0 ? rgb_layout (width, height) : yuv_layout (width, height, 1, 1);
  self->is_limited = kind == 1;
  self->kr = matrices[matrix][0];
  self->kb = matrices[matrix][1];
  set_matrix (&self->layout, matrix, self->is_limited);
  self->frame = (AmphistoFrame){ .layout = &self->layout };
  for (guint p = 0; p < self->layout.n_planes; p++) {
    const uint32_t bytes = self->layout.plane[p].row_bytes;
    const uint32_t rows = self->layout.plane[p].rows;

    self->frame.plane[p].data = g_malloc (bytes * rows);
    self->frame.plane[p].stride = bytes;
    for (uint32_t i = 0; i < bytes * rows; i++)
      self->frame.plane[p].data[i] =
          bar_sample (self, i % bytes * N_BARS / bytes, p, i % bytes);
  }
}

/* Whether the row, or its neighbours, have light of the trace's colour: more
 * than 200 of each component that is not dark in it. */
static bool
has_line (const Picture *self, uint32_t panel, uint32_t x, int row,
    const uint32_t colour[3])
{
  for (int y = MAX (0, row - 1); y <= row + 1; y++) {
    const uint8_t *pixel = plot_pixel (self, panel, x, y);
    bool is_lit = true;

    for (uint32_t c = 0; c < 3; c++)
      is_lit &= pixel[c] > 200 || colour[c] <= 200;
    if (is_lit)
      return true;
  }
  return false;
}

/* Each bar's lines of Y, R, G and B are at their per cent, to one row; there is
 * no light elsewhere. */
static void
assert_bar (const Bars *self, const Picture *picture, uint32_t bar)
{
  const waveform_params *params = &picture->params;
  const int height = (int) params->scope.plot_height;
  const uint32_t x = (2 * bar + 1) * params->scope.plot_width / (2 * N_BARS);
  double yuv[3];
  int rows[4];

  bar_yuv (self, bar, yuv);
  for (uint32_t t = 0; t < 4; t++) {
    const double fraction = t == 0 ? yuv[0] : bar_colour (bar, t - 1);
    const double code = self->is_limited ? 16 + 219 * fraction : 255 * fraction;

    rows[t] = (int) floor ((code + 0.5) * height / 256);
    g_assert_true (has_line (picture, t / params->panel_traces, x, rows[t],
        params->trace[t].colour));
  }
  for (uint32_t panel = 0; panel < 4 / params->panel_traces; panel++)
    for (int y = 0; y < height; y++) {
      const uint8_t *pixel = plot_pixel (picture, panel, x, y);
      bool is_expected = false;

      for (uint32_t t = 0; t < 4; t++)
        is_expected |=
            t / params->panel_traces == panel && ABS (y - rows[t]) <= 1;
      g_assert_true (is_expected || pixel[0] + pixel[1] + pixel[2] == 0);
    }
}

static void
test_bars (void)
{
  static const uint32_t heights[] = { 64, 92, 120, 180, 240, 264 };

  for (guint i = 0; i < 3 * 2 * G_N_ELEMENTS (heights); i++)
    for (AmphistoDisplay display = AMPHISTO_DISPLAY_OVERLAY;
         display <= AMPHISTO_DISPLAY_PARADE;
         display += AMPHISTO_DISPLAY_PARADE - AMPHISTO_DISPLAY_OVERLAY) {
      g_auto (Bars) bars = { 0 };
      g_auto (Picture) picture = { 0 };

      bars_init (&bars, i % 3, i / 3 % 2, heights[i / 6]);
      picture_init (&picture, &bars.frame, display, LUMA | RGB);
      for (uint32_t bar = 0; bar < N_BARS; bar++)
        assert_bar (&bars, &picture, bar);
    }
}

/* Noise with the spectrum of photographs, 0 to 255: octaves, each half as
 * coarse and half as strong as the one before. Free it with g_free(). */
static double *
natural_noise (uint32_t width, uint32_t height, GRand *random)
{
  double *noise = g_new0 (double, width *height);

  for (uint32_t size = 64; size > 0; size /= 2) {
    const uint32_t columns = width / size + 1;
    g_autofree double *cell = g_new (double, columns *(height / size + 1));

    for (uint32_t i = 0; i < columns * (height / size + 1); i++)
      cell[i] = g_rand_double_range (random, 0, size);
    for (uint32_t i = 0; i < width * height; i++)
      noise[i] += cell[i / width / size * columns + i % width / size] * 2;
  }
  return noise;
}

/* A busy picture of faint colours is not white where traces cross. */
static void
test_busy (void)
{
  const uint32_t width = 640, height = 360;
  AmphistoLayout layout = rgb_layout (width, height);
  g_autofree uint8_t *pixels = g_malloc (3 * width * height);
  const AmphistoFrame frame = { &layout, { { pixels, 3 * width } }, 0 };
  GRand *random = g_rand_new_with_seed (5);
  g_autofree double *grey = natural_noise (width, height, random);
  g_auto (Picture) picture = { 0 };
  uint32_t n_white = 0, n_lit = 0, n;

  for (uint32_t c = 0; c < 3; c++) {
    g_autofree double *colour = natural_noise (width, height, random);

    for (uint32_t i = 0; i < width * height; i++)
      pixels[3 * i + c] =
          CLAMP (64 + 0.45 * grey[i] + 0.05 * colour[i], 0, 255);
  }
  g_rand_free (random);
  picture_init (&picture, &frame, AMPHISTO_DISPLAY_OVERLAY, LUMA | RGB);
  n = picture.params.scope.plot_width * picture.params.scope.plot_height;
  for (uint32_t i = 0; i < n; i++) {
    const uint8_t *pixel =
        plot_pixel (&picture, 0, i % picture.params.scope.plot_width,
            (int) (i / picture.params.scope.plot_width));

    n_white += MIN (MIN (pixel[0], pixel[1]), pixel[2]) >= 200;
    n_lit += MAX (MAX (pixel[0], pixel[1]), pixel[2]) >= 100;
  }
  g_assert_cmpuint (n_white * 200, <, 3 * n);
  g_assert_cmpuint (n_lit * 100, >, 20 * n);
}

/* A trace is drawn, and pixels outside stay. */
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
  { "/axis/codes", test_axis },
  { "/axis/ends", test_ends_of_range },
  { "/picture/bars", test_bars },
  { "/picture/busy", test_busy },
  { "/picture/outside", test_draw },
  { NULL },
};
