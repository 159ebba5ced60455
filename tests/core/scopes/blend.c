/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Light over pictures: opaque in its own colour, on a background that darkens
 * the picture, alike in RGB and YUV, and over transparent pictures.
 */

#include "channels.h"
#include "core/scopes/blend.h"
#include "core/scopes/drawing.h"
#include "layouts.h"
#include "suite.h"

#include <string.h>

static AmphistoLayout
planar_rgb_layout (void)
{
  AmphistoLayout layout = yuv_layout (SCOPE_UNIT, SCOPE_ROWS, 0, 0);

  layout.is_rgb = true;
  set_range (&layout, false);
  for (uint32_t c = 0; c < 3; c++) {
    layout.component[AMPHISTO_CHANNEL_RED + c] = layout.component[c];
    layout.component[AMPHISTO_CHANNEL_RED + c].plane = c;
  }
  layout.channels = LUMA | RGB;
  return layout;
}

/* Blends the same light into all pixels of a block. */
static void
blend (const Picture *picture, AmphistoPixelLight light)
{
  drawing_params drawing;
  AmphistoLightBlock lights;

  amphisto_drawing_fill_params (&picture->layout, &drawing);
  for (uint32_t y = 0; y < SCOPE_MAX_ROWS; y++)
    for (uint32_t x = 0; x < SCOPE_UNIT; x++)
      lights[y][x] = light;
  amphisto_blend_block (&drawing, lights, 0, 0, &picture->frame);
}

/* A block of one colour. */
static Picture *
filled (const AmphistoLayout *layout, const uint8_t colour[3])
{
  Picture *self = picture_new (layout, 0);

  for (uint32_t p = 0; p < 3; p++)
    memset (self->frame.plane[p].data, colour[p], SCOPE_UNIT * SCOPE_ROWS);
  return self;
}

/* A sample of plane p. */
static uint8_t
sample (const Picture *self, uint32_t p)
{
  return self->frame.plane[p].data[17];
}

static AmphistoPixelLight
light_on (uint32_t r, uint32_t g, uint32_t b, uint32_t background)
{
  return amphisto_light_on ((AmphistoPixelLight){ { r, g, b, 0 } }, background);
}

static const uint8_t colours[][3] = { { 255, 0, 255 }, { 0, 255, 0 },
  { 255, 0, 0 }, { 0, 0, 0 }, { 255, 255, 255 }, { 12, 200, 99 } };

/* Light has its own colour over any picture. */
static void
test_opaque (void)
{
  static const uint8_t lights[][3] = { { 255, 255, 255 }, { 168, 112, 16 },
    { SCOPE_OPAQUE_LIGHT, 0, 0 }, { 44, 44, 44 } };
  const AmphistoLayout layout = planar_rgb_layout ();

  for (uint32_t i = 0; IS_ROW (colours, i); i++)
    for (uint32_t l = 0; IS_ROW (lights, l); l++) {
      g_autofree Picture *block = filled (&layout, colours[i]);

      blend (block, light_on (lights[l][0], lights[l][1], lights[l][2], 100));
      for (uint32_t c = 0; c < 3; c++)
        g_assert_cmpuint (sample (block, c), ==, lights[l][c]);
    }
}

/* The fainter the light, the more of the picture shines through. */
static void
test_faint (void)
{
  const AmphistoLayout layout = planar_rgb_layout ();
  uint32_t last = 155;

  for (uint32_t light = 0; light <= SCOPE_OPAQUE_LIGHT; light += 4) {
    g_autofree Picture *block = picture_new (&layout, 255);

    blend (block, light_on (light, 0, 0, 100));
    g_assert_cmpuint (sample (block, 1), <=, last);
    last = sample (block, 1);
    g_assert_true (light > 0 || last == 155);
  }
  g_assert_cmpuint (last, ==, 0);
}

/* R, G and B of (Y, U, V). */
static void
to_rgb (const AmphistoLayout *layout, const int32_t yuv[3], int32_t rgb[3])
{
  for (uint32_t c = 0; c < 3; c++) {
    const int32_t *row = layout->matrix[c];

    rgb[c] = CLAMP (
        (row[0] * yuv[0] + row[1] * yuv[1] + row[2] * yuv[2] + row[3]) >> 16, 0,
        255);
  }
}

/* The same picture in YUV and RGB, under the same light, is alike to within
 * rounding: half a step of Y, U and V each, twice. */
static void
check_alike (bool is_limited, const uint8_t yuv[3], const uint32_t l[4])
{
  AmphistoLayout layouts[2] = { yuv_layout (SCOPE_UNIT, SCOPE_ROWS, 0, 0),
    planar_rgb_layout () };
  const int32_t before[3] = { yuv[0], yuv[1], yuv[2] };
  int32_t rgb[3], after[3];
  Picture *blocks[2];

  set_matrix (&layouts[0], 1, is_limited);
  to_rgb (&layouts[0], before, rgb);
  for (uint32_t i = 0; i < 2; i++) {
    const uint8_t colour[3] = { rgb[0], rgb[1], rgb[2] };

    blocks[i] = filled (&layouts[i], i == 0 ? yuv : colour);
    blend (blocks[i], light_on (l[0], l[1], l[2], l[3]));
  }
  to_rgb (&layouts[0],
      (int32_t[]){
          sample (blocks[0], 0), sample (blocks[0], 1), sample (blocks[0], 2) },
      after);
  for (uint32_t c = 0; c < 3; c++)
    g_assert_cmpint (ABS (after[c] - sample (blocks[1], c)), <=, 4);
  g_free (blocks[0]);
  g_free (blocks[1]);
}

static void
test_alike (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (11);

  for (uint32_t i = 0; i < 2000; i++) {
    uint32_t light[4] = { 0 };
    uint8_t yuv[3];

    for (uint32_t c = 0; c < 3; c++) {
      /* near grey, so that R, G and B are not clamped */
      yuv[c] = g_rand_int_range (random, c == 0 ? 90 : 100, 156);
      light[c] = i % 3 ? g_rand_int_range (random, 0, 256) : 0;
    }
    light[3] = g_rand_int_range (random, 0, 256);
    check_alike (i % 2, yuv, light);
  }
}

/* Alpha rises to the background's, and to full under light. It never falls. */
static void
test_alpha (void)
{
  AmphistoLayout layout = planar_rgb_layout ();

  layout.channels |= ALPHA;
  layout.n_planes = 4;
  layout.plane[3] = layout.plane[0];
  layout.component[AMPHISTO_CHANNEL_ALPHA] =
      layout.component[AMPHISTO_CHANNEL_LUMA];
  layout.component[AMPHISTO_CHANNEL_ALPHA].plane = 3;
  for (uint32_t alpha = 0; alpha < 256; alpha += 51) {
    g_autofree Picture *block = picture_new (&layout, alpha);

    blend (block, light_on (0, 0, 0, 100));
    g_assert_cmpuint (sample (block, 3), ==, MAX (alpha, 100));
    blend (block, light_on (0, 40, 0, 100));
    g_assert_cmpuint (sample (block, 3), ==, 255);
  }
}

/* Of the scope and its graticule, the brighter stays. Shade dims the scope, but
 * not the graticule, and hides the picture. */
static void
test_over (void)
{
  const uint32_t scope[3] = { 100, 1000, 0 };
  AmphistoPixelLight light = { { 10, 20, 250, 0 } };

  amphisto_light_draw_over (&light, scope);
  g_assert_cmpmem (light.channel, sizeof light.channel,
      ((uint32_t[]){ 100, 255, 250, 0 }), sizeof light.channel);
  light = (AmphistoPixelLight){ { 10, 20, 30, 204 } };
  amphisto_light_draw_over (&light, scope);
  g_assert_cmpmem (light.channel, sizeof light.channel,
      ((uint32_t[]){ 20, 51, 30, 204 }), sizeof light.channel);
  light = amphisto_light_on ((AmphistoPixelLight){ { 0, 1, 0, 204 } }, 50);
  g_assert_cmpuint (light.channel[3], ==, 204);
}

/* The brighter stays, but the strongest colours of a trace rise over the
 * graticule: by 36, or by the trace's brightness if that is less. */
static void
test_trace (void)
{
  static const struct
  {
    uint32_t graticule[4], trace[3], brightness, wanted[4];
  } cases[] = {
    /* dark: the trace as it is */
    { { 0, 0, 0, 0 }, { 20, 4, 3 }, 20, { 20, 4, 3, 0 } },
    /* a gridline: a faint, a medium and a bright trace */
    { { 88, 88, 88, 0 }, { 20, 4, 3 }, 20, { 108, 88, 88, 0 } },
    { { 88, 88, 88, 0 }, { 100, 19, 13 }, 100, { 124, 88, 88, 0 } },
    { { 88, 88, 88, 0 }, { 240, 45, 30 }, 240, { 240, 88, 88, 0 } },
    { { 88, 88, 88, 0 }, { 0, 100, 0 }, 100, { 88, 124, 88, 0 } },
    /* several colours are the strongest */
    { { 168, 112, 16, 0 }, { 93, 93, 93 }, 100, { 204, 148, 93, 0 } },
    { { 88, 88, 88, 0 }, { 3, 50, 50 }, 50, { 88, 124, 124, 0 } },
    /* text */
    { { 224, 224, 224, 0 }, { 40, 10, 255 }, 255, { 224, 224, 255, 0 } },
    /* no trace, no rise */
    { { 88, 88, 88, 0 }, { 0, 0, 0 }, 0, { 88, 88, 88, 0 } },
    /* shade dims the trace, but does not hide it */
    { { 10, 20, 30, 204 }, { 0, 200, 0 }, 200, { 10, 56, 30, 204 } },
    { { 10, 20, 30, 204 }, { 0, 0, 10 }, 10, { 10, 20, 40, 204 } },
  };

  for (uint32_t i = 0; IS_ROW (cases, i); i++) {
    AmphistoPixelLight light;

    memcpy (light.channel, cases[i].graticule, sizeof light.channel);
    amphisto_light_draw_trace_over (
        &light, cases[i].trace, cases[i].brightness);
    g_assert_cmpmem (light.channel, sizeof light.channel, cases[i].wanted,
        sizeof light.channel);
  }
}

const CoreTest core_tests[] = {
  { "/opaque", test_opaque },
  { "/faint", test_faint },
  { "/alike", test_alike },
  { "/alpha", test_alpha },
  { "/over", test_over },
  { "/trace", test_trace },
  { 0 },
};
