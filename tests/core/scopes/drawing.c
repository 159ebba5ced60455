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

const CoreTest core_tests[] = {
  { "/matrix", test_matrix },
  { 0 },
};
