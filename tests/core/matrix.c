/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Red, green and blue of YUV: the matrix's rows, what they make of pixels, and
 * which samples a pixel has.
 */

#include "core/histogram.h"

#include <glib.h>
#include <math.h>
#include <string.h>

/* Kr and Kb of BT.601, BT.709, BT.2020, SMPTE 240M and the FCC. */
static const double constants[][2] = { { 0.299, 0.114 }, { 0.2126, 0.0722 },
  { 0.2627, 0.0593 }, { 0.212, 0.087 }, { 0.30, 0.11 } };

typedef struct
{
  double kr, kb;
  AmphistoLayout layout;
} Subject;

/* Of one of the constants, and of limited or full range. */
static Subject
subject (gsize i, gboolean is_limited)
{
  Subject self = { constants[i][0], constants[i][1],
    { .lo = is_limited ? 16 : 0, .hi = is_limited ? 235 : 255 } };

  amphisto_layout_set_matrix (&self.layout, self.kr, self.kb);
  return self;
}

static void
assert_rows (const Subject *self, const int32_t expected[3][4])
{
  for (guint i = 0; i < 3; i++)
    for (guint j = 0; j < 4; j++)
      g_assert_cmpint (self->layout.matrix[i][j], ==, expected[i][j]);
}

/* 65536 times what the standards have: 255/219 = 1.164384; BT.709, limited:
 * 1.792741, -0.213249, -0.532909, 2.112402; BT.601, full: 1.402, -0.344136,
 * -0.714136, 1.772. */
static void
test_rows (void)
{
  const Subject bt709 = subject (1, TRUE), bt601 = subject (0, FALSE);

  assert_rows (&bt709,
      (const int32_t[3][4]){ { 76309, 0, 117489, -16226768 },
          { 76309, -13975, -34925, 5071024 },
          { 76309, 138438, 0, -18908240 } });
  assert_rows (&bt601,
      (const int32_t[3][4]){ { 65536, 0, 91881, -11728000 },
          { 65536, -22553, -46802, 8910208 },
          { 65536, 116130, 0, -14831872 } });
}

static void
test_weights (void)
{
  const Subject bt709 = subject (1, FALSE);

  g_assert_cmpuint (bt709.layout.weights[0], ==, 13933);
  g_assert_cmpuint (bt709.layout.weights[1], ==, 46871);
  g_assert_cmpuint (bt709.layout.weights[2], ==, 4732);
}

static void
check_greys (const AmphistoLayout *layout, const int32_t row[4])
{
  for (int y = 0; y < 256; y++) {
    const double grey = 255.0 * (y - layout->lo) / (layout->hi - layout->lo);

    g_assert_cmpuint (amphisto_yuv_colour (row, y, 128, 128), ==,
        (guint) rint (CLAMP (grey, 0, 255)));
  }
  g_assert_cmpuint (amphisto_yuv_colour (row, layout->lo, 128, 128), ==, 0);
  g_assert_cmpuint (amphisto_yuv_colour (row, layout->hi, 128, 128), ==, 255);
}

/* Black and white are, and what is between them is grey in between. */
static void
test_greys (void)
{
  for (gsize i = 0; i < 2 * G_N_ELEMENTS (constants); i++) {
    const Subject self = subject (i / 2, i % 2);

    for (guint c = 0; c < 3; c++)
      check_greys (&self.layout, self.layout.matrix[c]);
  }
}

/* R, G and B, 0 to 255 and beyond. */
static void
real_colours (const Subject *self, int y, int u, int v, double colours[3])
{
  const AmphistoLayout *layout = &self->layout;
  const double kr = self->kr, kb = self->kb, kg = 1 - kr - kb;
  const double chroma = layout->lo > 0 ? 224 : 255;
  const double luma = (y - layout->lo) / (double) (layout->hi - layout->lo);
  const double r = luma + 2 * (1 - kr) * (v - 128) / chroma;
  const double b = luma + 2 * (1 - kb) * (u - 128) / chroma;

  colours[0] = 255 * r;
  colours[1] = 255 * (luma - kr * r - kb * b) / kg;
  colours[2] = 255 * b;
}

static void
check_pixel (const Subject *self, int y, int u, int v)
{
  double real[3];

  real_colours (self, y, u, v, real);
  for (guint c = 0; c < 3; c++) {
    const int colour = amphisto_yuv_colour (self->layout.matrix[c], y, u, v);

    g_assert_cmpfloat (fabs (colour - CLAMP (real[c], 0, 255)), <, 0.51);
  }
}

/* Integers are less than one off, everywhere; and no sum leaves 32 bits, which
 * the sanitizers watch. */
static void
test_real_numbers (void)
{
  for (gsize i = 0; i < 2 * G_N_ELEMENTS (constants); i++) {
    const Subject self = subject (i / 2, i % 2);

    for (int y = 0; y < 256; y++)
      for (int u = 0; u < 256; u += 5)
        for (int v = 0; v < 256; v += 3)
          check_pixel (&self, y, u, v);
  }
}

/* --- frames --- */

#define WIDTH 13
#define HEIGHT 11
#define STRIDE 16

typedef struct
{
  AmphistoLayout layout;
  AmphistoFrame frame;
  uint8_t planes[3][HEIGHT][STRIDE];
} Picture;

/* Random, of three planes, limited range and BT.601. */
static void
picture_init (Picture *self, guint x_shift, guint y_shift, GRand *random)
{
  *self = (Picture){ .layout = { .n_planes = 3, .lo = 16, .hi = 235 } };
  self->frame.layout = &self->layout;
  for (guint c = 0; c < 3; c++) {
    const guint x = c > 0 ? x_shift : 0, y = c > 0 ? y_shift : 0;
    const guint width = (WIDTH + (1 << x) - 1) >> x;
    const guint height = (HEIGHT + (1 << y) - 1) >> y;

    self->layout.component[c] =
        (AmphistoComponent){ c, 0, 1, width, height, x, y, 0, 0 };
    self->layout.plane[c] = (AmphistoPlaneLayout){ width, height, 0, 0 };
    self->layout.component[AMPHISTO_CHANNEL_RED + c] =
        (AmphistoComponent){ .width = WIDTH, .height = HEIGHT };
    self->frame.plane[c] = (AmphistoPlane){ &self->planes[c][0][0], STRIDE };
  }
  self->layout.channels = (1 << AMPHISTO_CHANNEL_ALPHA) - 1;
  amphisto_layout_set_matrix (&self->layout, 0.299, 0.114);
  for (gsize i = 0; i < sizeof self->planes; i++)
    (&self->planes[0][0][0])[i] = g_rand_int_range (random, 0, 256);
}

/* The pixels of the region, by their places in the whole frame. */
static void
count_region (const Picture *self, guint c, const AmphistoRegion *region,
    uint32_t bins[AMPHISTO_N_BINS])
{
  const AmphistoComponent *u = &self->layout.component[AMPHISTO_CHANNEL_U];

  memset (bins, 0, AMPHISTO_N_BINS * sizeof *bins);
  for (guint y = region->y; y < region->y + region->height; y++)
    for (guint x = region->x; x < region->x + region->width; x++)
      bins[amphisto_yuv_colour (self->layout.matrix[c], self->planes[0][y][x],
          self->planes[1][y >> u->y_shift][x >> u->x_shift],
          self->planes[2][y >> u->y_shift][x >> u->x_shift])]++;
}

static void
check_region (const Picture *self, const AmphistoRegion *region)
{
  AmphistoLayout layout;
  AmphistoFrame part;

  amphisto_layout_crop (&self->layout, region, &layout);
  part = amphisto_frame_crop (&self->frame, &layout);
  for (guint c = 0; c < 3; c++) {
    uint32_t expected[AMPHISTO_N_BINS], bins[AMPHISTO_N_BINS];

    count_region (self, c, region, expected);
    amphisto_histogram_count (&part, AMPHISTO_CHANNEL_RED + c, bins);
    g_assert_cmpmem (bins, sizeof bins, expected, sizeof expected);
  }
}

/* A pixel has the chroma that it has in the whole frame, in parts that begin
 * between two samples of it too. */
static void
test_parts (void)
{
  GRand *random = g_rand_new_with_seed (1);

  for (guint shifts = 0; shifts < 9; shifts++)
    for (guint i = 0; i < 100; i++) {
      const guint x = i % 10, y = i / 10;
      Picture picture;

      picture_init (&picture, shifts % 3, shifts / 3, random);
      check_region (&picture,
          &(AmphistoRegion){ x, y, g_rand_int_range (random, 0, WIDTH - x + 1),
              g_rand_int_range (random, 0, HEIGHT - y + 1) });
    }
  g_rand_free (random);
}

/* Which channels are computed, and of which planes. */
static void
test_planes (void)
{
  const AmphistoLayout rgb = { .is_rgb = true,
    .component = { [AMPHISTO_CHANNEL_GREEN] = { .plane = 1 },
        [AMPHISTO_CHANNEL_BLUE] = { .plane = 2 },
        [AMPHISTO_CHANNEL_ALPHA] = { .plane = 3 } } };
  const AmphistoLayout nv12 = { .component = {
                                    [AMPHISTO_CHANNEL_U] = { .plane = 1 },
                                    [AMPHISTO_CHANNEL_V] = { .plane = 1 } } };
  static const guint planes[2][AMPHISTO_N_CHANNELS] = { { 7, 1, 1, 1, 2, 4, 8 },
    { 1, 2, 2, 3, 3, 3, 1 } };

  for (guint c = 0; c < AMPHISTO_N_CHANNELS; c++) {
    const gboolean is_colour =
        c >= AMPHISTO_CHANNEL_RED && c <= AMPHISTO_CHANNEL_BLUE;

    g_assert_cmpint (
        amphisto_channel_is_computed (&rgb, c), ==, c == AMPHISTO_CHANNEL_LUMA);
    g_assert_cmpint (amphisto_channel_is_computed (&nv12, c), ==, is_colour);
    if (c != AMPHISTO_CHANNEL_U && c != AMPHISTO_CHANNEL_V)
      g_assert_cmpuint (amphisto_channel_planes (&rgb, c), ==, planes[0][c]);
    g_assert_cmpuint (amphisto_channel_planes (&nv12, c), ==, planes[1][c]);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/matrix/rows", test_rows);
  g_test_add_func ("/matrix/weights", test_weights);
  g_test_add_func ("/matrix/greys", test_greys);
  g_test_add_func ("/matrix/real-numbers", test_real_numbers);
  g_test_add_func ("/matrix/parts", test_parts);
  g_test_add_func ("/matrix/planes", test_planes);
  return g_test_run ();
}
