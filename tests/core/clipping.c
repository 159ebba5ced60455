/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The indicators of clipped pixels: what their C reference draws.
 */

#include "layouts.h"
#include "core/clipping.h"
#include "core/drawing.h"

#include <glib.h>

static drawing_params
drawing_for (const AmphistoLayout *layout)
{
  drawing_params drawing;

  amphisto_drawing_fill_params (layout, &drawing);
  return drawing;
}

static clipping_params
params_for (const AmphistoLayout *layout)
{
  const AmphistoOverlay overlay = { .clipping = AMPHISTO_CLIPPING_ZEBRA };
  clipping_params params;

  amphisto_clipping_fill_params (&overlay, layout, &params);
  return params;
}

static void
test_zebra (void)
{
  const AmphistoLayout layout = yuv_layout (16, 1, 0, 0);
  uint8_t before[48], after[48];
  const AmphistoFrame source = { .layout = &layout,
    .plane = { { before, 16 }, { before + 16, 16 }, { before + 32, 16 } } };
  const AmphistoFrame target = { .layout = &layout,
    .plane = { { after, 16 }, { after + 16, 16 }, { after + 32, 16 } } };
  static const uint8_t luma[4] = { 16, 17, 234, 235 };
  const drawing_params drawing = drawing_for (&layout);
  clipping_params params = params_for (&layout);

  params.phase = 3;
  for (uint32_t i = 0; i < sizeof before; i++)
    before[i] = after[i] = luma[i % 4];
  amphisto_clipping_draw (&drawing, &params, &source, &target);
  for (uint32_t i = 0; i < sizeof after; i++) {
    const bool is_stripe = i < 16 && ((i + 3) & 4);

    g_assert_cmpuint (after[i], ==,
        is_stripe && i % 4 == 0       ? 125
            : is_stripe && i % 4 == 3 ? 70
                                      : before[i]);
  }
}

/* The brightest of R, G and B is tested, in the source, and not in the target.
 */
static void
test_zebra_rgb (void)
{
  const AmphistoLayout layout = rgb_layout (4, 1);
  uint8_t before[12] = { 255, 0, 0, 0, 0, 0, 254, 254, 254, 0, 1, 0 };
  uint8_t after[12] = { 0 };
  const uint8_t expected[12] = { 63, 63, 63, 127, 127, 127, 0 };
  const AmphistoFrame source = { .layout = &layout,
    .plane = { { before, 12 } } };
  const AmphistoFrame target = { .layout = &layout,
    .plane = { { after, 12 } } };
  const drawing_params drawing = drawing_for (&layout);
  clipping_params params = params_for (&layout);

  params.phase = 4;
  amphisto_clipping_draw (&drawing, &params, &source, &target);
  g_assert_cmpmem (after, sizeof after, expected, sizeof expected);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/zebra/yuv", test_zebra);
  g_test_add_func ("/zebra/rgb", test_zebra_rgb);
  return g_test_run ();
}
