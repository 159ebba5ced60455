/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The matrix from light to samples.
 */

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

/* Light of any colour, with any matrix, is next to the real numbers; no light
 * is black, and grey is neutral. */
static void
test_matrix (void)
{
  for (gsize m = 0; m < 2 * N_MATRICES; m++) {
    const bool is_limited = m & 1;
    AmphistoLayout layout = yuv_layout (640, 480, 1, 1);
    drawing_params drawing;

    set_matrix (&layout, m / 2, is_limited);
    drawing = drawing_for (&layout);
    for (uint32_t i = 0; i < 18 * 18 * 18; i++) {
      const uint32_t r = 15 * (i % 18), g = 15 * (i / 18 % 18);
      const uint32_t b = 15 * (i / 18 / 18);
      const bool is_grey = r == g && r == b;
      double real[3];

      yuv_of (m / 2, is_limited, (double[3]){ r, g, b }, real);
      for (uint32_t c = 0; c < 3; c++)
        g_assert_cmpfloat (fabs (lit (&drawing.drawn[c], r, g, b) - real[c]),
            <=, is_grey && c > 0 ? 0.001 : 1.5);
    }
  }
}

/* R, G and B, and grey, have their light: 16 + 219 c / 255 in limited range. */
static void
test_ranges (void)
{
  AmphistoLayout layouts[] = { grey_layout (64, 64), rgb_layout (64, 64) };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (layouts); i++) {
    AmphistoLayout *layout = &layouts[i / 2];
    const bool is_limited = i % 2 == 1;
    drawing_params drawing;

    set_range (layout, is_limited);
    drawing = drawing_for (layout);
    g_assert_cmpuint (drawing.n_drawn, ==, i < 2 ? 1 : 3);
    for (uint32_t v = 0; v < 256; v++) {
      const uint32_t expected =
          is_limited ? 16 + (uint32_t) lround (219 * v / 255.0) : v;

      for (uint32_t c = 0; c < drawing.n_drawn; c++) {
        const uint32_t other = i < 2 ? v : 77; /* does not matter in RGB */

        g_assert_cmpuint (lit (&drawing.drawn[c], c == 0 ? v : other,
                              c == 1 ? v : other, c == 2 ? v : other),
            ==, expected);
      }
    }
  }
}

const CoreTest core_tests[] = {
  { "/matrix", test_matrix },
  { "/ranges", test_ranges },
  { 0 },
};
