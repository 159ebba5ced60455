/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The traces of a waveform over its graticule.
 */

#include "channels.h"
#include "core/scopes/waveform.h"
#include "layouts.h"
#include "lights.h"
#include "placed.h"
#include "suite.h"

/* Raises `light` to a cell's over a graticule: of both, the brighter; but the
 * cell's strongest colours are 36 brighter than the graticule, or as much as
 * the cell is. */
static void
raise_light (uint32_t light[3], const trace_params *trace, uint32_t cell,
    const uint32_t graticule[3])
{
  uint32_t own[3], strongest = 0;

  for (uint32_t c = 0; c < 3; c++) {
    own[c] = (cell * trace->colour[c] + 255) / 256;
    strongest = MAX (strongest, own[c]);
  }
  for (uint32_t c = 0; c < 3; c++) {
    const uint32_t least =
        graticule[c] + (own[c] == strongest ? MIN (cell, 36) : 0);

    light[c] = MAX (light[c], MAX (own[c], MIN (least, 255)));
  }
}

/* Traces of noise are drawn over lines, each by itself, so that
 * every sample shows. */
static void
test_lines (void)
{
  const AmphistoLayout layout = rgb_layout (768, 300);
  const waveform_params params =
      placed_waveform (&layout, 1, 1, OVERLAY, RGB, true);
  const scope_params *scope = &params.scope;
  g_auto (AmphistoGraticule) graticule =
      graticule_of (&amphisto_waveform, scope);
  g_autofree Picture *noise = picture_new (&layout, 0);
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  g_autofree uint8_t *trace = NULL;
  uint32_t n_lines = 0;

  g_assert_cmpuint (scope->plot_height, ==, 256);
  for (size_t i = 0; i < noise->size; i++)
    noise->bytes[i] = (uint8_t) g_rand_int (random);
  trace = trace_of_frame (&amphisto_waveform, scope, &noise->frame);
  for (uint32_t up = 0; up < 256; up++)
    for (uint32_t i = 0; i < scope->plot_width; i++) {
      const uint32_t x = scope->plot_left + i;
      const uint32_t y = scope->plot_top + 255 - up;
      const AmphistoPixelLight below = amphisto_light_of (light_at (&graticule,
          (int) (scope->panels_left + x), (int) (scope->panels_top + y)));
      AmphistoPixelLight wanted = below, light = below;

      for (uint32_t t = 0; t < 3; t++)
        raise_light (wanted.channel, &params.trace[t],
            trace[(t * params.most_rows + up) * scope->panel_width + x],
            below.channel);
      amphisto_waveform.draw_pixel (scope, trace, 0, x, y, &light);
      g_assert_cmpmem (&light, sizeof light, &wanted, sizeof wanted);
      n_lines += below.channel[0] > 0;
    }
  g_assert_cmpuint (n_lines, >, 600);
}

const CoreTest core_tests[] = {
  { "/lines", test_lines },
  { 0 },
};
