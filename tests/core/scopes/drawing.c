/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The matrix from light to samples.
 */

#include "core/scopes/drawing.h"
#include "layouts.h"
#include "placed.h"
#include "suite.h"

#include <math.h>

/* The sample for light of this colour on a black, opaque background. */
static uint32_t
lit (const drawn_params *drawn, uint32_t r, uint32_t g, uint32_t b)
{
  return (drawn->weights[0] * r + drawn->weights[1] * g + drawn->weights[2] * b
             + drawn->offset * 255 + 127)
      / 255;
}

/* The colour bars of BT.601. */
static void
test_matrix (void)
{
  static const uint8_t bars[][6] = { { 255, 255, 255, 235, 128, 128 },
    { 0, 0, 0, 16, 128, 128 }, { 255, 0, 0, 81, 90, 240 },
    { 0, 255, 0, 145, 54, 34 }, { 0, 0, 255, 41, 240, 110 },
    { 77, 77, 77, 82, 128, 128 } };
  const AmphistoLayout layout = yuv_layout (640, 480, 1, 1);
  const drawing_params drawing = drawing_for (&layout);

  for (gsize i = 0; i < G_N_ELEMENTS (bars); i++)
    for (uint32_t c = 0; c < 3; c++)
      g_assert_cmpint (
          ABS ((int) lit (&drawing.drawn[c], bars[i][0], bars[i][1], bars[i][2])
              - bars[i][3 + c]),
          <=, 1);
}

static void
check_light (const drawing_params *drawing, const double k[2],
    gboolean is_limited, const uint32_t rgb[3])
{
  const double y = k[0] * rgb[0] + (1 - k[0] - k[1]) * rgb[1] + k[1] * rgb[2];
  const double u = (rgb[2] - y) / (2 - 2 * k[1]);
  const double v = (rgb[0] - y) / (2 - 2 * k[0]);
  const double expected[3] = { is_limited ? 16 + y * 219 / 255 : y,
    128 + (is_limited ? u * 224 / 255 : u),
    128 + (is_limited ? v * 224 / 255 : v) };

  for (uint32_t c = 0; c < 3; c++) {
    const uint32_t sample = lit (&drawing->drawn[c], rgb[0], rgb[1], rgb[2]);

    g_assert_cmpfloat (fabs (sample - expected[c]), <=, 1.5);
    if (rgb[0] == rgb[1] && rgb[0] == rgb[2] && c > 0)
      g_assert_cmpuint (sample, ==, 128);
  }
}

/* Light of any colour, with any matrix, is next to the real numbers; no light
 * is black. */
static void
test_real_numbers (void)
{
  for (gsize i = 0; i < 2 * N_MATRICES; i++) {
    const double *k = matrices[i / 2];
    AmphistoLayout layout = yuv_layout (640, 480, 1, 1);
    drawing_params drawing;

    set_matrix (&layout, i / 2, !(i & 1));
    drawing = drawing_for (&layout);
    for (uint32_t r = 0; r < 256; r += 15)
      for (uint32_t g = 0; g < 256; g += 15)
        for (uint32_t b = 0; b < 256; b += 15)
          check_light (&drawing, k, !(i & 1), (uint32_t[3]){ r, g, b });
  }
}

const CoreTest core_tests[] = {
  { "/matrix", test_matrix },
  { "/real-numbers", test_real_numbers },
  { NULL },
};
