/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The waveform: colours out of gamut.
 */

#include "channels.h"
#include "core/scopes/waveform.h"
#include "layouts.h"
#include "placed.h"
#include "suite.h"

#include <math.h>

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

const CoreTest core_tests[] = {
  { "/gamut/random", test_out_of_gamut },
  { "/gamut/codes", test_gamut_codes },
  { 0 },
};
