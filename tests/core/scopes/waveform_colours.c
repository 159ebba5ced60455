/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The waveform: colours out of gamut, and the colours of the picture.
 */

#include "channels.h"
#include "core/scopes/waveform.h"
#include "layouts.h"
#include "placed.h"
#include "suite.h"

#include <math.h>
#include <string.h>

/* YUV of limited range whose traces have a row for each code. In each column of
 * the plot, all samples are the same. */
typedef struct
{
  waveform_params params;
  Picture *picture;
  uint8_t *trace;
} Columns;

static void
columns_init (Columns *self, uint32_t matrix)
{
  AmphistoLayout layout = yuv_layout (300, 268, 0, 0);

  set_matrix (&layout, matrix, true);
  self->params = placed_waveform (&layout, 1, 1, OVERLAY, RGB, false);
  self->picture = picture_new (&layout, 0);
  self->trace = NULL;
  g_assert_cmpuint (self->params.scope.plot_height, ==, 256);
}

static void
columns_clear (Columns *self)
{
  g_free (self->picture);
  g_free (self->trace);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Columns, columns_clear)

/* Sets Y, U or V of the column. */
static void
columns_set (Columns *self, uint32_t p, uint32_t column, uint8_t value)
{
  const AmphistoPlaneLayout *plane = &self->picture->layout.plane[p];
  const uint32_t n = plane->row_bytes * plane->rows;

  for (uint32_t i = 0; i < n; i++)
    if (i % plane->row_bytes * self->params.scope.plot_width / plane->row_bytes
        == column)
      self->picture->frame.plane[p].data[i] = value;
}

static void
columns_measure (Columns *self)
{
  self->trace = trace_of_frame (
      &amphisto_waveform, &self->params.scope, &self->picture->frame);
}

/* The code of red, green or blue, trace t, in the column; there is one. */
static uint32_t
columns_code (const Columns *self, uint32_t t, uint32_t column)
{
  const scope_params *scope = &self->params.scope;
  uint32_t n_lit = 0, lit = 0;

  for (uint32_t code = 0; code < 256; code++)
    if (self->trace[(t * 256 + code) * scope->panel_width + scope->plot_left
            + column]
        > 0) {
      lit = code;
      n_lit++;
    }
  g_assert_cmpuint (n_lit, ==, 1);
  return lit;
}

/* The code of a colour that is not clamped. */
static uint32_t
limited_code (double colour)
{
  return CLAMP (floor ((219 * colour + 4207) / 255), 0, 255);
}

/* Random Y, U and V: red, green and blue are where the standards have them
 * before they are clamped. Close to the middle of two integers, they may be
 * rounded to either. */
static void
test_out_of_gamut (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (11);

  for (guint matrix = 0; matrix < N_MATRICES; matrix++) {
    g_auto (Columns) columns = { 0 };
    uint8_t yuv[3][300];
    uint32_t n;

    columns_init (&columns, matrix);
    n = columns.params.scope.plot_width;
    for (uint32_t i = 0; i < 3 * n; i++) {
      yuv[i % 3][i / 3] = g_rand_int_range (random, 0, 256);
      columns_set (&columns, i % 3, i / 3, yuv[i % 3][i / 3]);
    }
    columns_measure (&columns);
    for (uint32_t i = 0; i < 3 * n; i++) {
      const double pixel[3] = { yuv[0][i / 3], yuv[1][i / 3], yuv[2][i / 3] };
      const uint32_t code = columns_code (&columns, i % 3, i / 3);
      double rgb[3];

      rgb_of (matrix, true, pixel, rgb);
      g_assert_cmpuint (
          code, >=, limited_code (floor (rgb[i % 3] + 0.5 - 0.005)));
      g_assert_cmpuint (
          code, <=, limited_code (floor (rgb[i % 3] + 0.5 + 0.005)));
    }
  }
}

/* Y, U and V of BT.709, and the codes of R, G and B: black, white, red of
 * -6.6 % and blue of -36 %, and colours beyond the codes' other end. */
static void
test_gamut_codes (void)
{
  static const struct
  {
    uint8_t yuv[3];
    uint32_t rgb[3];
  } cases[] = { { { 16, 128, 128 }, { 16, 16, 16 } },
    { { 235, 128, 128 }, { 235, 235, 235 } }, { { 0, 128, 128 }, { 0, 0, 0 } },
    { { 255, 128, 128 }, { 255, 255, 255 } }, { { 60, 60, 90 }, { 1, 90, 0 } },
    { { 235, 200, 200 }, { 255, 189, 255 } } };
  g_auto (Columns) columns = { 0 };

  columns_init (&columns, 1);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint p = 0; p < 3; p++)
      columns_set (&columns, p, i, cases[i].yuv[p]);
  columns_measure (&columns);
  for (guint i = 0; IS_ROW (cases, i); i++)
    for (guint t = 0; t < 3; t++)
      g_assert_cmpuint (columns_code (&columns, t, i), ==, cases[i].rgb[t]);
}

/* --- colours of the picture --- */

/* A waveform in the colours of the picture, and what it draws on black. */
typedef struct
{
  Picture *picture;
  waveform_params params;
  uint8_t *trace;
  Picture *drawn; /* R, G and B */
  uint32_t matrix;
  bool is_limited;
} Coloured;

static void
coloured_clear (Coloured *self)
{
  g_free (self->picture);
  g_free (self->trace);
  g_free (self->drawn);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Coloured, coloured_clear)

/* Fills the picture with samples of a random, mostly narrow, range, so that
 * cells have several. */
static void
fill_randomly (Picture *picture, GRand *random)
{
  const int least = g_rand_int_range (random, 0, 200);
  const int most = MIN (256, least + g_rand_int_range (random, 2, 120));

  for (size_t i = 0; i < picture->size; i++)
    picture->bytes[i] = g_rand_int_range (random, least, most);
}

static void
coloured_init (Coloured *self, const AmphistoLayout *layout, GRand *random)
{
  const AmphistoComponent *pixels = &layout->component[0];
  const AmphistoLayout rgb = rgb_layout (pixels->width, pixels->height);
  AmphistoScopeSettings settings = settings_with (WAVEFORM);

  settings.width = settings.height = 1;
  settings.waveform_colors = AMPHISTO_WAVEFORM_PICTURE;
  self->picture = picture_new (layout, 0);
  fill_randomly (self->picture, random);
  self->params = placed_scopes (&settings, false, layout, ~0u, LUMA).waveform;
  self->trace = trace_of_frame (
      &amphisto_waveform, &self->params.scope, &self->picture->frame);
  self->drawn = picture_new (&rgb, 0);
  draw_scope (&amphisto_waveform, &self->params.scope, self->trace,
      &self->drawn->frame);
}

/* The component's sample of a pixel of 4:4:4, 4:2:2, 4:1:1 or 4:2:0. */
static uint32_t
sample_of (const Picture *picture, AmphistoChannel c, uint32_t x, uint32_t y)
{
  const AmphistoComponent *k = &picture->layout.component[c];
  const uint32_t row = k->y_shift == 0 ? y
      : k->is_interlaced               ? y / 4 * 2 + y % 2
                                       : y / 2;

  return picture->frame.plane[k->plane]
      .data[row * picture->frame.plane[k->plane].stride + k->offset
          + (x >> k->x_shift) * k->pixel_stride];
}

static uint32_t
luma_of (const Coloured *self, uint32_t x, uint32_t y)
{
  const uint32_t wr = lround (65536 * matrices[self->matrix][0]);
  const uint32_t wb = lround (65536 * matrices[self->matrix][1]);
  const Picture *picture = self->picture;

  if (!picture->layout.is_rgb)
    return sample_of (picture, AMPHISTO_CHANNEL_LUMA, x, y);
  return (wr * sample_of (picture, AMPHISTO_CHANNEL_RED, x, y)
             + (65536 - wr - wb)
                 * sample_of (picture, AMPHISTO_CHANNEL_GREEN, x, y)
             + wb * sample_of (picture, AMPHISTO_CHANNEL_BLUE, x, y) + 32768)
      >> 16;
}

/* The number of pixels of a cell, and the means of their components. */
typedef struct
{
  uint32_t n;
  double mean[3];
} Cell;

/* Stores the cells of the trace's rows, in a column of the trace. */
static void
find_cells (const Coloured *self, uint32_t column, Cell cells[AMPHISTO_N_BINS])
{
  const trace_params *luma = &self->params.trace[0];
  const AmphistoChannel first = self->picture->layout.is_rgb
      ? AMPHISTO_CHANNEL_RED
      : AMPHISTO_CHANNEL_LUMA;

  memset (cells, 0, sizeof (Cell[AMPHISTO_N_BINS]));
  for (uint32_t y = 0; y < luma->samples.height; y++)
    for (uint32_t x = 0; x < luma->samples.width; x++) {
      Cell *cell = &cells[(2 * luma_of (self, x, y) + 1) * luma->rows / 512];

      if (x * luma->columns / luma->samples.width != column)
        continue;
      cell->n++;
      for (uint32_t c = 0; c < 3; c++)
        cell->mean[c] += sample_of (self->picture, first + c, x, y);
    }
  for (uint32_t row = 0; row < luma->rows; row++)
    for (uint32_t c = 0; c < 3 && cells[row].n > 0; c++)
      cells[row].mean[c] = floor (cells[row].mean[c] / cells[row].n + 0.5);
}

/* Stores red, green and blue of a cell.
 *
 * Returns: false if one is so close to the middle of two integers that it may
 * be rounded to either. */
static bool
find_colour (const Coloured *self, const Cell *cell, double rgb[3])
{
  bool is_certain = true;

  if (self->picture->layout.is_rgb) {
    memcpy (rgb, cell->mean, sizeof cell->mean);
    return true;
  }
  rgb_of (self->matrix, self->is_limited, cell->mean, rgb);
  for (uint32_t c = 0; c < 3; c++) {
    is_certain &= floor (rgb[c] + 0.495) == floor (rgb[c] + 0.505);
    rgb[c] = CLAMP (floor (rgb[c] + 0.5), 0, 255);
  }
  return is_certain;
}

/* The drawn pixel has the cell's colour at its light; if the colour is black,
 * it is grey. */
static void
assert_cell (const Coloured *self, const Cell *cell, uint32_t light,
    const uint8_t *drawn)
{
  double rgb[3], greatest;

  if (cell->n == 0 || !find_colour (self, cell, rgb)) {
    g_assert_true (cell->n > 0 || drawn[0] + drawn[1] + drawn[2] == 0);
    return;
  }
  g_assert_cmpuint (light, >=, 36);
  greatest = MAX (MAX (rgb[0], rgb[1]), rgb[2]);
  for (uint32_t c = 0; c < 3; c++)
    g_assert_cmpfloat (drawn[c], ==,
        greatest == 0 ? light : floor (rgb[c] * light / greatest + 0.5));
}

/* Whether all of a row's values are from black to white. */
static bool
is_legal (const Coloured *self, uint32_t row)
{
  const AmphistoLayout *layout = &self->picture->layout;
  const uint32_t rows = self->params.trace[0].rows;

  return row >= (2u * layout->lo + 1) * rows / 512
      && row <= (2u * layout->hi + 1) * rows / 512;
}

static void
assert_coloured (const Coloured *self)
{
  const scope_params *scope = &self->params.scope;
  const trace_params *luma = &self->params.trace[0];
  Cell cells[AMPHISTO_N_BINS];

  for (uint32_t x = 0; x < scope->plot_width; x += 7) {
    find_cells (self, x * luma->columns / scope->plot_width, cells);
    for (uint32_t up = 0; up < scope->plot_height; up++) {
      const uint32_t row = up * luma->row_scale >> 16;
      const uint32_t y =
          scope->y + scope->plot_top + scope->plot_height - 1 - up;
      const uint32_t light =
          self->trace[row * scope->panel_width + scope->plot_left + x];

      if (is_legal (self, row))
        assert_cell (self, &cells[row], light,
            amphisto_frame_row (&self->drawn->frame, 0, y)
                + 3 * (scope->x + scope->plot_left + x));
    }
  }
}

static void
test_picture_colours (void)
{
  static const char *const packed[] = { "YUYV", "AYUV", "RGB", "xBGR" };
  g_autoptr (GRand) random = g_rand_new_with_seed (3);

  for (guint i = 0; i < 24; i++) {
    const uint32_t width = 91 + i * 9, height = 60 + i % 4 * 64;
    g_auto (Coloured)
        coloured = { .matrix = i % N_MATRICES, .is_limited = i / 4 % 2 == 0 };
    AmphistoLayout layout = i % 8 < 4
        ? packed_layout (packed[i % 4], width, height)
        : yuv_layout (width, height, i % 3, i % 3 == 1);

    set_matrix (&layout, coloured.matrix, coloured.is_limited);
    amphisto_layout_set_interlaced (&layout, i % 2, true);
    coloured_init (&coloured, &layout, random);
    g_assert_true (coloured.params.has_picture_colours);
    assert_coloured (&coloured);
  }
}

/* Without luma, or without colours, there is nothing to colour. */
static void
test_nothing_to_colour (void)
{
  const AmphistoLayout grey = grey_layout (640, 480);
  const AmphistoLayout yuv = yuv_layout (640, 480, 1, 1);
  AmphistoScopeSettings settings = settings_with (WAVEFORM);

  g_assert_false (placed_scopes (&settings, false, &yuv, ~0u, LUMA)
                      .waveform.has_picture_colours);
  settings.waveform_colors = AMPHISTO_WAVEFORM_PICTURE;
  g_assert_true (placed_scopes (&settings, false, &yuv, ~0u, LUMA | RGB)
                     .waveform.has_picture_colours);
  g_assert_false (placed_scopes (&settings, false, &yuv, ~0u, RGB)
                      .waveform.has_picture_colours);
  g_assert_false (placed_scopes (&settings, false, &grey, ~0u, LUMA)
                      .waveform.has_picture_colours);
}

const CoreTest core_tests[] = {
  { "/gamut/random", test_out_of_gamut },
  { "/gamut/codes", test_gamut_codes },
  { "/picture/colours", test_picture_colours },
  { "/picture/nothing", test_nothing_to_colour },
  { 0 },
};
