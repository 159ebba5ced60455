/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The waveform: columns and rows of samples, the axis of its traces, and what
 * the C reference draws.
 */

#include "channels.h"
#include "core/scopes/waveform.h"
#include "layouts.h"
#include "placed.h"
#include "size.h"
#include "suite.h"

#include <math.h>
#include <string.h>

#define WIDTH 1000
#define HEIGHT 540

static waveform_params
params_for (const AmphistoLayout *layout, double width, double height,
    AmphistoDisplay display, AmphistoChannelMask shown)
{
  return placed_waveform (layout, width, height, display, shown, false);
}

/* 256 rows with a value each; the plot's columns divide the samples among them.
 */
static void
test_places (void)
{
  const AmphistoLayout layout = grey_layout (WIDTH, HEIGHT);
  const waveform_params params = params_for (&layout, 0.3, 0.5, OVERLAY, LUMA);
  const scope_params *scope = &params.scope;
  g_autofree Picture *grey = picture_new (&layout, 0);
  g_autofree uint8_t *trace = NULL;
  bool is_lit[256][WIDTH] = { { false } };

  g_assert_cmpuint (scope->plot_height, ==, 256);
  g_assert_cmpuint (params.most_rows, ==, 256);
  for (size_t i = 0; i < grey->size; i++)
    grey->bytes[i] = i % WIDTH;
  for (uint32_t x = 0; x < WIDTH; x++)
    is_lit[x % 256][scope->plot_left + x * scope->plot_width / WIDTH] = true;
  trace = trace_of_frame (&amphisto_waveform, scope, &grey->frame);
  for (uint32_t row = 0; row < 256; row++)
    for (uint32_t x = 0; x < scope->panel_width; x++)
      g_assert_cmpuint (
          trace[row * scope->panel_width + x], ==, is_lit[row][x] ? 255 : 0);
}

/* Columns of 3 and 4 samples, and rows of 1 and 2 values, are equally bright
 * for uniform input. */
static void
test_even (void)
{
  const AmphistoLayout layout = grey_layout (WIDTH, HEIGHT);
  const waveform_params params = params_for (&layout, 0.3, 0.4, OVERLAY, LUMA);
  const scope_params *scope = &params.scope;
  g_autofree Picture *grey = picture_new (&layout, 0);
  g_autofree uint8_t *trace = NULL;

  for (size_t i = 0; i < grey->size; i++)
    grey->bytes[i] = i / WIDTH * 31 + i;
  trace = trace_of_frame (&amphisto_waveform, scope, &grey->frame);
  g_assert_cmpuint (params.most_rows, <, 256);
  g_assert_cmpuint (params.most_rows, >, 128);
  for (uint32_t row = 0; row < params.most_rows; row++)
    for (uint32_t x = 0; x < scope->plot_width; x++) {
      const uint8_t cell =
          trace[row * scope->panel_width + scope->plot_left + x];

      /* a third of the brightness above 36 for the average count, with any size
       * of cells */
      g_assert_cmpuint (cell, >, 87);
      g_assert_cmpuint (cell, <, 135);
    }
}

/* A single sample shows in frames of any size. */
static void
test_single (void)
{
  static const guint rows[] = { 240, 1080, 2160 };

  for (guint i = 0; IS_ROW (rows, i); i++) {
    const AmphistoLayout layout = grey_layout (rows[i] * 16 / 9, rows[i]);
    const waveform_params params =
        params_for (&layout, 0.33, 0.25, OVERLAY, LUMA);
    const scope_params *scope = &params.scope;
    g_autofree Picture *grey = picture_new (&layout, 0);
    g_autofree uint8_t *trace = NULL;
    uint32_t n = 0;

    memset (grey->bytes, 255, grey->size / 2);
    grey->bytes[0] = 100;
    trace = trace_of_frame (&amphisto_waveform, scope, &grey->frame);
    for (uint32_t row = 1; row < params.most_rows - 1; row++) {
      const uint8_t cell = trace[row * scope->panel_width + scope->plot_left];

      g_assert_true (cell == 0 || cell >= 36);
      n += cell > 0;
    }
    g_assert_cmpuint (n, ==, 1);
  }
}

/* Traces by display: one panel, or one for each channel. */
static void
test_panels (void)
{
  static const struct
  {
    AmphistoDisplay display;
    uint32_t panels_x, panels_y, panel_traces;
  } cases[] = { { PARADE, 3, 1, 1 }, { STACK, 1, 3, 1 }, { OVERLAY, 1, 1, 3 } };
  const AmphistoLayout layout = rgb_layout (WIDTH, HEIGHT);

  for (guint i = 0; IS_ROW (cases, i); i++) {
    const waveform_params params =
        params_for (&layout, 0.9, 0.5, cases[i].display, RGB);

    g_assert_cmpuint (params.scope.panels_x, ==, cases[i].panels_x);
    g_assert_cmpuint (params.scope.panels_y, ==, cases[i].panels_y);
    g_assert_cmpuint (params.panel_traces, ==, cases[i].panel_traces);
    g_assert_cmpuint (params.n_traces, ==, 3);
    for (guint t = 0; t < 3; t++)
      g_assert_cmpuint (params.trace[t].channel, ==, AMPHISTO_CHANNEL_RED + t);
  }
}

/* No more columns are counted than there are samples. */
static void
test_chroma (void)
{
  const AmphistoLayout layout = yuv_layout (WIDTH, HEIGHT, 1, 1);
  const waveform_params params =
      params_for (&layout, 1, 0.5, OVERLAY, LUMA | CHROMA);

  g_assert_cmpuint (params.trace[0].columns, ==, params.scope.plot_width);
  g_assert_cmpuint (params.scope.plot_width, >, WIDTH / 2);
  g_assert_cmpuint (params.trace[1].columns, ==, WIDTH / 2);
}

/* Strips are whole units and reach from side to side. */
static void
test_strips (void)
{
  const AmphistoLayout layout = rgb_layout (WIDTH, HEIGHT);
  waveform_params params = params_for (&layout, 1, 0.5, OVERLAY, RGB);

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
  return is_limited ? (code - 16) / 219.0 : code / 255.0;
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

    set_range (&layout, is_limited);
    params = params_for (&layout, 1, 1, OVERLAY, LUMA | CHROMA | RGB);
    for (guint t = 0; t < params.n_traces; t++)
      assert_codes (&params, &params.trace[t], is_limited);
  }
}

/* Red, green and blue have luma's rows, also without luma. */
static void
test_luma_rows (void)
{
  for (guint height = 40; height <= 260; height += 4) {
    const AmphistoLayout layout = yuv_layout (1000, height, 1, 1);

    for (guint with_luma = 0; with_luma < 2; with_luma++) {
      const waveform_params params =
          params_for (&layout, 1, 1, PARADE, with_luma ? LUMA | RGB : RGB);

      for (guint t = 0; t < params.n_traces; t++) {
        g_assert_cmpuint (params.trace[t].bottom, ==, 0);
        g_assert_cmpuint (params.trace[t].height, ==, params.scope.plot_height);
      }
    }
  }
}

/* --- pictures --- */

/* What a scope without a graticule, as large as its frame, draws on black. */
typedef struct
{
  waveform_params params;
  Picture *drawn; /* R, G and B */
} Drawn;

static void
drawn_clear (Drawn *self)
{
  g_free (self->drawn);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Drawn, drawn_clear)

static void
drawn_init (Drawn *self, const AmphistoFrame *frame, AmphistoDisplay display,
    AmphistoChannelMask shown)
{
  const AmphistoComponent *pixels = &frame->layout->component[0];
  const AmphistoLayout rgb = rgb_layout (pixels->width, pixels->height);
  const scope_params *scope = &self->params.scope;
  g_autofree void *trace = NULL;

  self->params = params_for (frame->layout, 1, 1, display, shown);
  self->drawn = picture_new (&rgb, 0);
  trace = trace_of_frame (&amphisto_waveform, scope, frame);
  draw_scope (&amphisto_waveform, scope, trace, &self->drawn->frame);
}

/* Pixel (x, y) of a panel's plot, y from the lowest row. */
static const uint8_t *
plot_pixel (const Drawn *self, uint32_t panel, uint32_t x, int y)
{
  const scope_params *scope = &self->params.scope;
  const uint32_t row = scope->y + panel / scope->panels_x * scope->panel_height
      + scope->plot_top + scope->plot_height - 1 - (uint32_t) y;
  const uint32_t column = scope->x
      + panel % scope->panels_x * scope->panel_width + scope->plot_left + x;

  return amphisto_frame_row (&self->drawn->frame, 0, row) + 3 * column;
}

/* Colour bars of 75 %, in a frame of YUV or RGB. */
#define N_BARS 8
#define BAR_WIDTH 96

/* R, G or B of a bar: white, yellow, cyan, green and so on. */
static double
bar_colour (uint32_t bar, uint32_t c)
{
  static const uint32_t bits[3] = { 2, 4, 1 };

  return bar & bits[c] ? 0 : 0.75 * 255;
}

/* Codes of Y, U and V of a bar. */
static void
bar_yuv (uint32_t matrix, bool is_limited, uint32_t bar, double yuv[3])
{
  yuv_of (matrix, is_limited,
      (double[3]){
          bar_colour (bar, 0), bar_colour (bar, 1), bar_colour (bar, 2) },
      yuv);
}

/* kind: 0 RGB, 1 limited, 2 full range. */
static Picture *
bars_new (uint32_t kind, uint32_t matrix, uint32_t height)
{
  const uint32_t width = N_BARS * BAR_WIDTH;
  AmphistoLayout layout =
      kind == 0 ? rgb_layout (width, height) : yuv_layout (width, height, 1, 1);
  Picture *self;

  set_matrix (&layout, matrix, kind == 1);
  self = picture_new (&layout, 0);
  for (guint p = 0; p < layout.n_planes; p++) {
    const uint32_t bytes = layout.plane[p].row_bytes;

    for (uint32_t i = 0; i < bytes * layout.plane[p].rows; i++) {
      const uint32_t bar = i % bytes * N_BARS / bytes;
      double yuv[3];

      bar_yuv (matrix, kind == 1, bar, yuv);
      self->frame.plane[p].data[i] = (uint8_t) lround (
          kind == 0 ? bar_colour (bar, i % bytes % 3) : yuv[p]);
    }
  }
  return self;
}

/* Whether the row, or its neighbours, have light of the trace's colour: more
 * than 200 of each component that is not dark in it. */
static bool
has_line (const Drawn *self, uint32_t panel, uint32_t x, int row,
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
assert_bar (const Drawn *drawn, uint32_t matrix, bool is_limited, uint32_t bar)
{
  const waveform_params *params = &drawn->params;
  const int height = (int) params->scope.plot_height;
  const uint32_t x = (2 * bar + 1) * params->scope.plot_width / (2 * N_BARS);
  double yuv[3];
  int rows[4];

  bar_yuv (matrix, is_limited, bar, yuv);
  for (uint32_t t = 0; t < 4; t++) {
    const double colour = t == 0 ? 0 : bar_colour (bar, t - 1);
    const double code = t == 0 ? yuv[0]
        : is_limited           ? 16 + 219 * colour / 255
                               : colour;

    rows[t] = (int) floor ((code + 0.5) * height / 256);
    /* rounding of Y, U and V may take black below 0 % */
    g_assert_true (has_line (drawn, t / params->panel_traces, x, rows[t],
                       params->trace[t].colour)
        || (t > 0 && colour == 0
            && has_line (drawn, t / params->panel_traces, x, rows[t],
                params->trace[t].beyond)));
  }
  for (uint32_t panel = 0; panel < 4 / params->panel_traces; panel++)
    for (int y = 0; y < height; y++) {
      const uint8_t *pixel = plot_pixel (drawn, panel, x, y);
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

  for (guint i = 0; i < 2 * 3 * 2 * G_N_ELEMENTS (heights);
       i += test_size () < TEST_FULL ? 5 : 1) {
    const uint32_t kind = i / 2 % 3, matrix = i / 6 % 2;
    g_autofree Picture *bars = bars_new (kind, matrix, heights[i / 12]);
    g_auto (Drawn) drawn = { 0 };

    drawn_init (&drawn, &bars->frame, i % 2 ? PARADE : OVERLAY, LUMA | RGB);
    for (uint32_t bar = 0; bar < N_BARS; bar++)
      assert_bar (&drawn, matrix, kind == 1, bar);
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
  const AmphistoLayout layout = rgb_layout (width, height);
  g_autofree Picture *picture = picture_new (&layout, 0);
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  g_autofree double *grey = natural_noise (width, height, random);
  g_auto (Drawn) drawn = { 0 };
  uint32_t n_white = 0, n_lit = 0, n;

  for (uint32_t c = 0; c < 3; c++) {
    g_autofree double *colour = natural_noise (width, height, random);

    for (uint32_t i = 0; i < width * height; i++)
      picture->bytes[3 * i + c] =
          CLAMP (64 + 0.45 * grey[i] + 0.05 * colour[i], 0, 255);
  }
  drawn_init (&drawn, &picture->frame, OVERLAY, LUMA | RGB);

  const scope_params *scope = &drawn.params.scope;

  n = scope->plot_width * scope->plot_height;
  for (uint32_t i = 0; i < n; i++) {
    const uint8_t *pixel = plot_pixel (
        &drawn, 0, i % scope->plot_width, (int) (i / scope->plot_width));

    n_white += MIN (MIN (pixel[0], pixel[1]), pixel[2]) >= 200;
    n_lit += MAX (MAX (pixel[0], pixel[1]), pixel[2]) >= 100;
  }
  g_assert_cmpuint (n_white * 200, <, 3 * n);
  g_assert_cmpuint (n_lit * 100, >, 20 * n);
}

/* Draws a ramp of all codes in plane p; other planes are 128. Codes from lo to
 * hi have the channel's colour, others are orange. */
static void
check_ramp (const AmphistoLayout *layout, uint32_t p,
    AmphistoChannelMask channel, uint32_t lo, uint32_t hi)
{
  static const uint32_t orange[3] = { 255, 150, 20 };
  const uint32_t row_bytes = layout->plane[p].row_bytes;
  g_autofree Picture *ramp = picture_new (layout, 128);
  g_auto (Drawn) drawn = { 0 };

  for (uint32_t i = 0; i < row_bytes * layout->plane[p].rows; i++)
    ramp->frame.plane[p].data[i] = (uint8_t) (i % row_bytes * 256 / row_bytes);
  drawn_init (&drawn, &ramp->frame, OVERLAY, channel);
  g_assert_cmpuint (drawn.params.scope.plot_height, ==, 256);
  for (uint32_t code = 0; code < 256; code++) {
    const uint32_t *colour =
        code < lo || code > hi ? orange : drawn.params.trace[0].colour;
    const uint8_t *pixel = plot_pixel (&drawn, 0,
        (2 * code + 1) * drawn.params.scope.plot_width / 512, (int) code);

    for (uint32_t c = 0; c < 3; c++)
      g_assert_cmpuint (pixel[c], ==, colour[c]);
  }
}

/* Traces are orange above 100 % and below 0 %, but those of U and V. */
static void
test_beyond (void)
{
  for (guint is_limited = 0; is_limited < 2; is_limited++) {
    const uint32_t lo = is_limited ? 16 : 0, hi = is_limited ? 235 : 255;
    AmphistoLayout yuv = yuv_layout (768, 268, 0, 0);
    AmphistoLayout rgb = rgb_layout (768, 268);
    AmphistoLayout grey = grey_layout (768, 268);

    set_matrix (&yuv, 1, is_limited);
    set_range (&rgb, is_limited);
    set_range (&grey, is_limited);
    check_ramp (&grey, 0, LUMA, lo, hi);
    check_ramp (&yuv, 0, LUMA, lo, hi);
    check_ramp (&yuv, 1, AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_U), 0, 255);
    check_ramp (&yuv, 2, AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_V), 0, 255);
    for (guint c = AMPHISTO_CHANNEL_RED; c <= AMPHISTO_CHANNEL_BLUE; c++) {
      check_ramp (&yuv, 0, AMPHISTO_CHANNEL_BIT (c), lo, hi);
      check_ramp (&rgb, 0, AMPHISTO_CHANNEL_BIT (c), lo, hi);
    }
  }
}

/* A trace is drawn, opaque, on a background that leaves half. Pixels outside
 * stay. */
static void
test_draw (void)
{
  const AmphistoLayout layout = grey_layout (WIDTH, HEIGHT);
  const waveform_params params = params_for (&layout, 0.3, 0.5, OVERLAY, LUMA);
  const scope_params *scope = &params.scope;
  g_autofree Picture *grey = picture_new (&layout, 100);
  g_autofree uint8_t *trace =
      trace_of_frame (&amphisto_waveform, scope, &grey->frame);
  const uint8_t *plot = grey->bytes + (scope->y + scope->plot_top) * WIDTH
      + scope->x + scope->plot_left;

  draw_scope (&amphisto_waveform, scope, trace, &grey->frame);
  g_assert_cmpuint (grey->bytes[0], ==, 100);
  for (uint32_t row = 154; row <= 156; row++)
    g_assert_cmpuint (plot[row * WIDTH], ==, row == 155 ? 236 : 50);
}

const CoreTest core_tests[] = {
  { "/count/places", test_places },
  { "/count/even", test_even },
  { "/count/single", test_single },
  { "/params/panels", test_panels },
  { "/params/chroma", test_chroma },
  { "/params/strips", test_strips },
  { "/axis/codes", test_axis },
  { "/axis/luma-rows", test_luma_rows },
  { "/picture/beyond", test_beyond },
  { "/picture/bars", test_bars },
  { "/picture/busy", test_busy },
  { "/picture/outside", test_draw },
  { 0 },
};
