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

/* A block of pixels without subsampling, in three planes and one of alpha. */
typedef struct
{
  AmphistoLayout layout;
  drawing_params drawing;
  uint8_t samples[4][SCOPE_MAX_ROWS * SCOPE_UNIT];
  AmphistoFrame frame;
} Block;

static void
block_init (Block *block, const AmphistoLayout *layout)
{
  block->layout = *layout;
  block->frame = (AmphistoFrame){ .layout = &block->layout };
  for (uint32_t p = 0; p < 4; p++)
    block->frame.plane[p] = (AmphistoPlane){ block->samples[p], SCOPE_UNIT };
  amphisto_drawing_fill_params (&block->layout, &block->drawing);
}

static void
fill (Block *block, const uint8_t colour[3])
{
  for (uint32_t p = 0; p < 3; p++)
    memset (block->samples[p], colour[p], sizeof block->samples[p]);
}

static AmphistoLayout
planar_rgb_layout (void)
{
  AmphistoLayout layout = yuv_layout (SCOPE_UNIT, SCOPE_ROWS, 0, 0);

  layout.is_rgb = true;
  layout.lo = 0;
  layout.hi = 255;
  for (uint32_t c = 0; c < 3; c++) {
    layout.component[AMPHISTO_CHANNEL_RED + c] = layout.component[c];
    layout.component[AMPHISTO_CHANNEL_RED + c].plane = c;
  }
  layout.channels = LUMA | RGB;
  return layout;
}

/* Blends the same light into all pixels. */
static void
blend (Block *block, AmphistoPixelLight light)
{
  AmphistoLightBlock lights;

  for (uint32_t y = 0; y < SCOPE_MAX_ROWS; y++)
    for (uint32_t x = 0; x < SCOPE_UNIT; x++)
      lights[y][x] = light;
  amphisto_blend_block (&block->drawing, lights, 0, 0, &block->frame);
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
  Block block;

  block_init (&block, &layout);
  for (uint32_t i = 0; i < G_N_ELEMENTS (colours); i++)
    for (uint32_t l = 0; l < G_N_ELEMENTS (lights); l++) {
      fill (&block, colours[i]);
      blend (&block, light_on (lights[l][0], lights[l][1], lights[l][2], 100));
      for (uint32_t c = 0; c < 3; c++)
        g_assert_cmpuint (block.samples[c][17], ==, lights[l][c]);
    }
}

/* The fainter the light, the more of the picture shines through. */
static void
test_faint (void)
{
  const AmphistoLayout layout = planar_rgb_layout ();
  uint32_t last = 256;
  Block block;

  block_init (&block, &layout);
  for (uint32_t light = 0; light <= SCOPE_OPAQUE_LIGHT; light += 4) {
    fill (&block, colours[4]);
    blend (&block, light_on (light, 0, 0, 100));
    g_assert_cmpuint (block.samples[1][0], <=, last);
    last = block.samples[1][0];
    if (light == 0)
      g_assert_cmpuint (last, ==, 155);
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
  Block blocks[2];

  set_matrix (&layouts[0], 1, is_limited);
  to_rgb (&layouts[0], before, rgb);
  for (uint32_t i = 0; i < 2; i++) {
    const uint8_t colour[3] = { rgb[0], rgb[1], rgb[2] };

    block_init (&blocks[i], &layouts[i]);
    fill (&blocks[i], i == 0 ? yuv : colour);
    blend (&blocks[i], light_on (l[0], l[1], l[2], l[3]));
  }
  to_rgb (&layouts[0],
      (int32_t[]){ blocks[0].samples[0][5], blocks[0].samples[1][5],
          blocks[0].samples[2][5] },
      after);
  for (uint32_t c = 0; c < 3; c++)
    g_assert_cmpint (ABS (after[c] - blocks[1].samples[c][5]), <=, 4);
}

static void
test_alike (void)
{
  GRand *random = g_rand_new_with_seed (11);

  for (uint32_t i = 0; i < 2000; i++) {
    /* near grey, so that R, G and B are not clamped */
    const uint8_t yuv[3] = { g_rand_int_range (random, 90, 160),
      g_rand_int_range (random, 100, 156),
      g_rand_int_range (random, 100, 156) };
    const uint32_t light[4] = { i % 3 ? g_rand_int_range (random, 0, 256) : 0,
      i % 3 ? g_rand_int_range (random, 0, 256) : 0,
      i % 3 ? g_rand_int_range (random, 0, 256) : 0,
      g_rand_int_range (random, 0, 256) };

    check_alike (i % 2, yuv, light);
  }
  g_rand_free (random);
}

/* Alpha rises to the background's, and to full under light. It never falls. */
static void
test_alpha (void)
{
  AmphistoLayout layout = planar_rgb_layout ();
  Block block;

  layout.channels |= ALPHA;
  layout.n_planes = 4;
  layout.component[AMPHISTO_CHANNEL_ALPHA] =
      layout.component[AMPHISTO_CHANNEL_LUMA];
  layout.component[AMPHISTO_CHANNEL_ALPHA].plane = 3;
  block_init (&block, &layout);
  for (uint32_t alpha = 0; alpha < 256; alpha += 51) {
    memset (block.samples[3], (int) alpha, sizeof block.samples[3]);
    blend (&block, light_on (0, 0, 0, 100));
    g_assert_cmpuint (block.samples[3][9], ==, MAX (alpha, 100));
    blend (&block, light_on (0, 40, 0, 100));
    g_assert_cmpuint (block.samples[3][9], ==, 255);
  }
}

/* Shade dims the scope, but not the graticule, and hides the picture. */
static void
test_shade (void)
{
  const uint32_t scope[3] = { 100, 1000, 0 };
  AmphistoPixelLight light = { { 10, 20, 250, 0 } };

  amphisto_light_add (&light, scope);
  g_assert_cmpmem (light.channel, sizeof light.channel,
      ((uint32_t[]){ 110, 255, 250, 0 }), sizeof light.channel);
  light = (AmphistoPixelLight){ { 10, 20, 30, 204 } };
  amphisto_light_add (&light, scope);
  g_assert_cmpmem (light.channel, sizeof light.channel,
      ((uint32_t[]){ 30, 71, 30, 204 }), sizeof light.channel);
  light = amphisto_light_on ((AmphistoPixelLight){ { 0, 1, 0, 204 } }, 50);
  g_assert_cmpuint (light.channel[3], ==, 204);
}

const CoreTest core_tests[] = {
  { "/opaque", test_opaque },
  { "/faint", test_faint },
  { "/alike", test_alike },
  { "/alpha", test_alpha },
  { "/shade", test_shade },
  { NULL },
};
