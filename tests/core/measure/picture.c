/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Properties of the whole picture, against cases worked out by hand and a model
 * in floating point.
 */

#include "core/measure/picture.h"
#include "core/pixels/samples.h"
#include "layouts.h"
#include "suite.h"

#include <string.h>

/* --- the picture between black bars --- */

#define WIDTH 12
#define HEIGHT 10

static AmphistoPicture
find_active (const AmphistoFrame *frame, const AmphistoRegion *region)
{
  AmphistoPicture picture = { 0 };
  uint32_t extents[4];
  AmphistoLayout layout;
  AmphistoFrame part;

  amphisto_layout_crop (frame->layout, region, &layout);
  part = amphisto_frame_crop (frame, &layout);
  amphisto_picture_find_active (&part, extents);
  amphisto_picture_set_active (&picture, region, extents);
  g_assert_true (picture.has_active);
  return picture;
}

static void
assert_active (const AmphistoPicture *picture, uint32_t x, uint32_t y,
    uint32_t width, uint32_t height)
{
  static const char *const names[] = { "active-x", "active-y", "active-width",
    "active-height" };
  const double expected[] = { x, y, width, height };

  g_assert_false (picture->has_out_of_gamut);
  for (unsigned f = 0; f < AMPHISTO_N_PICTURE_FIELDS; f++)
    for (unsigned i = 0; i < G_N_ELEMENTS (names); i++) {
      double value = -1;

      if (strcmp (names[i], amphisto_picture_field_name (f)) != 0)
        continue;
      g_assert_true (amphisto_picture_get (picture, f, &value));
      g_assert_cmpfloat (value, ==, expected[i]);
    }
}

/* Black bars around a picture, in the frame and in regions of it. */
static void
test_bars (void)
{
  static const struct
  {
    AmphistoRegion region, active;
  } cases[] = {
    { { 0, 0, 12, 10 }, { 2, 3, 7, 4 } },
    { { 1, 2, 8, 7 }, { 2, 3, 7, 4 } },
    { { 4, 4, 2, 2 }, { 4, 4, 2, 2 } },
    { { 4, 0, 8, 6 }, { 4, 3, 5, 3 } },
    { { 0, 0, 2, 10 }, { 0, 0, 0, 0 } },
    { { 0, 7, 12, 3 }, { 0, 0, 0, 0 } },
  };
  const AmphistoLayout layout = grey_layout (WIDTH, HEIGHT);
  uint8_t bytes[HEIGHT][WIDTH] = { { 0 } };
  const AmphistoFrame frame = { .layout = &layout,
    .plane = { { bytes[0], WIDTH } } };

  for (unsigned y = 3; y < 7; y++)
    memset (bytes[y] + 2, 200, 7);
  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++) {
    const AmphistoRegion *a = &cases[i].active;
    const AmphistoPicture picture = find_active (&frame, &cases[i].region);

    assert_active (&picture, a->x, a->y, a->width, a->height);
  }
}

/* A mean of 24 is black, and everything above is not. */
static void
test_limit (void)
{
  const AmphistoLayout layout = grey_layout (WIDTH, HEIGHT);
  const AmphistoRegion region = { 0, 0, WIDTH, HEIGHT };
  uint8_t bytes[HEIGHT][WIDTH];
  const AmphistoFrame frame = { .layout = &layout,
    .plane = { { bytes[0], WIDTH } } };
  AmphistoPicture picture;

  memset (bytes, 24, sizeof bytes);
  picture = find_active (&frame, &region);
  assert_active (&picture, 0, 0, 0, 0);
  bytes[4][5]++;
  picture = find_active (&frame, &region);
  assert_active (&picture, 5, 4, 1, 1);
  bytes[4][6]--; /* the row's mean is 24 again */
  picture = find_active (&frame, &region);
  assert_active (&picture, 0, 0, 0, 0);
  memset (bytes, 25, sizeof bytes);
  picture = find_active (&frame, &region);
  assert_active (&picture, 0, 0, WIDTH, HEIGHT);
}

/* A line of a few bright pixels is bright itself, and too little for columns.
 */
static void
test_line (void)
{
  const AmphistoLayout layout = grey_layout (WIDTH, HEIGHT);
  const AmphistoRegion region = { 0, 0, WIDTH, HEIGHT };
  uint8_t bytes[HEIGHT][WIDTH] = { { 0 } };
  const AmphistoFrame frame = { .layout = &layout,
    .plane = { { bytes[0], WIDTH } } };
  AmphistoPicture picture;

  memset (bytes[5], 100, WIDTH);
  picture = find_active (&frame, &region);
  assert_active (&picture, 0, 0, 0, 0);
}

/* Luma of RGB: blue alone is dark, green alone is not. */
static void
test_rgb (void)
{
  const AmphistoLayout layout = rgb_layout (2, 2);
  const AmphistoRegion region = { 0, 0, 2, 2 };
  uint8_t bytes[2][6] = { { 0, 0, 200, 0, 0, 0 }, { 0, 0, 200, 0, 200, 0 } };
  const AmphistoFrame frame = { .layout = &layout,
    .plane = { { bytes[0], sizeof bytes[0] } } };
  const AmphistoPicture picture = find_active (&frame, &region);

  assert_active (&picture, 1, 1, 1, 1);
}

/* Random rows and columns around the limit, by their means. */
static void
test_random (void)
{
  const AmphistoLayout layout = grey_layout (WIDTH, HEIGHT);
  const AmphistoRegion region = { 0, 0, WIDTH, HEIGHT };
  uint8_t bytes[HEIGHT][WIDTH];
  const AmphistoFrame frame = { .layout = &layout,
    .plane = { { bytes[0], WIDTH } } };

  for (unsigned i = 0; i < 1000; i++) {
    double rows[HEIGHT] = { 0 }, columns[WIDTH] = { 0 };
    unsigned x[2] = { WIDTH, 0 }, y[2] = { HEIGHT, 0 };
    AmphistoPicture picture;

    for (unsigned p = 0; p < WIDTH * HEIGHT; p++) {
      const unsigned value = (unsigned) g_test_rand_int_range (12, 35);

      bytes[p / WIDTH][p % WIDTH] = value;
      rows[p / WIDTH] += value / (double) WIDTH;
      columns[p % WIDTH] += value / (double) HEIGHT;
    }
    for (unsigned r = 0; r < HEIGHT; r++)
      if (rows[r] > 24.0001) {
        y[0] = MIN (y[0], r);
        y[1] = r + 1;
      }
    for (unsigned c = 0; c < WIDTH; c++)
      if (columns[c] > 24.0001) {
        x[0] = MIN (x[0], c);
        x[1] = c + 1;
      }
    picture = find_active (&frame, &region);
    if (x[1] == 0 || y[1] == 0)
      assert_active (&picture, 0, 0, 0, 0);
    else
      assert_active (&picture, x[0], y[0], x[1] - x[0], y[1] - y[0]);
  }
}

/* --- gamut --- */

/* Red, green and blue of a pixel in double precision, 0 to 255 in gamut. The
 * matrix is rounded to 1/65536, so that a colour may be that far off. */
static void
find_colours (
    uint32_t matrix, bool is_limited, const uint8_t yuv[3], double colours[3])
{
  const double kr = matrices[matrix][0], kb = matrices[matrix][1];
  const double kg = 1 - kr - kb;
  const double y = is_limited ? (yuv[0] - 16) * 255 / 219.0 : yuv[0];
  const double scale = is_limited ? 255 / 224.0 : 1;
  const double u = (yuv[1] - 128) * scale, v = (yuv[2] - 128) * scale;

  colours[0] = y + 2 * (1 - kr) * v;
  colours[2] = y + 2 * (1 - kb) * u;
  colours[1] = y - 2 * kb * (1 - kb) / kg * u - 2 * kr * (1 - kr) / kg * v;
}

typedef enum
{
  INSIDE,
  OUTSIDE,
  NEAR /* the bounds */
} Place;

/* Colours round to -12 and 267, so the bounds are half-way beyond them. */
static Place
find_place (uint32_t matrix, bool is_limited, const uint8_t yuv[3])
{
  Place place = INSIDE;
  double colours[3];

  if (is_limited && (yuv[0] < 5 || yuv[0] > 246))
    return OUTSIDE;
  find_colours (matrix, is_limited, yuv, colours);
  for (unsigned c = 0; c < 3; c++) {
    if (colours[c] < -12.51 || colours[c] > 267.51)
      return OUTSIDE;
    if (colours[c] < -12.49 || colours[c] > 267.49)
      place = NEAR;
  }
  return place;
}

/* All Y, U and V in steps, with all matrices and ranges. */
static void
test_gamut (void)
{
  AmphistoLayout layout = yuv_layout (1, 1, 0, 0);
  uint8_t yuv[3];
  const AmphistoFrame frame = { .layout = &layout,
    .plane = { { &yuv[0], 1 }, { &yuv[1], 1 }, { &yuv[2], 1 } } };
  unsigned n[3] = { 0 };

  for (uint32_t m = 0; m < 2 * N_MATRICES; m++) {
    set_matrix (&layout, m / 2, m % 2);
    for (unsigned i = 0; i < 256 * 52 * 52; i++) {
      Place place;

      yuv[0] = i % 256;
      yuv[1] = i / 256 % 52 * 5;
      yuv[2] = i / 256 / 52 * 5;
      place = find_place (m / 2, m % 2, yuv);
      n[place]++;
      if (place != NEAR)
        g_assert_cmpuint (amphisto_picture_count_outside (&frame), ==, place);
    }
  }
  g_assert_cmpuint (n[INSIDE], >, 100000);
  g_assert_cmpuint (n[OUTSIDE], >, 100000);
  g_assert_cmpuint (n[NEAR], <, n[INSIDE] / 50);
}

/* Chroma is shared by the pixels of a part that begins in the middle of it. */
static void
test_shared (void)
{
  AmphistoLayout layout = yuv_layout (4, 4, 1, 1);
  const AmphistoRegion region = { 1, 1, 2, 3 };
  uint8_t y[4][4], u[2][2] = { { 128, 128 }, { 128, 255 } };
  uint8_t v[2][2] = { { 255, 128 }, { 128, 128 } };
  const AmphistoFrame frame = { .layout = &layout,
    .plane = { { y[0], 4 }, { u[0], 2 }, { v[0], 2 } } };
  AmphistoPicture picture = { 0 };
  AmphistoLayout part;
  AmphistoFrame cropped;

  set_matrix (&layout, 0, true);
  memset (y, 128, sizeof y);
  g_assert_cmpuint (amphisto_picture_count_outside (&frame), ==, 8);
  amphisto_layout_crop (&layout, &region, &part);
  cropped = amphisto_frame_crop (&frame, &part);
  g_assert_cmpuint (amphisto_picture_count_outside (&cropped), ==, 3);
  amphisto_picture_set_out_of_gamut (&picture, &region, 3);
  g_assert_true (picture.has_out_of_gamut);
  g_assert_cmpfloat (picture.out_of_gamut, ==, 0.5);
}

/* Without a measurement, there is no field. */
static void
test_missing (void)
{
  const AmphistoPicture picture = { 0 };

  for (unsigned f = 0; f < AMPHISTO_N_PICTURE_FIELDS; f++) {
    double value;

    g_assert_false (amphisto_picture_get (&picture, f, &value));
  }
}

const CoreTest core_tests[] = {
  { "/active/bars", test_bars },
  { "/active/limit", test_limit },
  { "/active/line", test_line },
  { "/active/rgb", test_rgb },
  { "/active/random", test_random },
  { "/gamut/all", test_gamut },
  { "/gamut/shared", test_shared },
  { "/missing", test_missing },
  { NULL },
};
