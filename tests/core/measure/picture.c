/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Properties of the whole picture, against cases worked out by hand and a model
 * in floating point.
 */

#include "core/measure/picture.h"
#include "layouts.h"
#include "suite.h"

#include <string.h>

/* --- the picture between black bars --- */

#define WIDTH 12
#define HEIGHT 10

/* Finds the active picture of a region, and compares its fields. */
static void
assert_active (const AmphistoFrame *frame, const AmphistoRegion *region,
    const AmphistoRegion *expected)
{
  static const char *const names[] = { "active-x", "active-y", "active-width",
    "active-height" };
  const double values[] = { expected->x, expected->y, expected->width,
    expected->height };
  AmphistoPicture picture = { 0 };
  uint32_t extents[4];
  AmphistoLayout layout;
  AmphistoFrame part;

  amphisto_layout_crop (frame->layout, region, &layout);
  part = amphisto_frame_crop (frame, &layout);
  amphisto_picture_find_active (&part, extents);
  amphisto_picture_set_active (&picture, region, extents);
  g_assert_cmphex (picture.fields, ==, 15u << AMPHISTO_PICTURE_ACTIVE_X);
  for (unsigned i = 0; IS_ROW (names, i); i++) {
    const AmphistoPictureField field = AMPHISTO_PICTURE_ACTIVE_X + i;
    double value = -1;

    g_assert_cmpstr (amphisto_picture_field_name (field), ==, names[i]);
    g_assert_true (amphisto_picture_get (&picture, field, &value));
    g_assert_cmpfloat (value, ==, values[i]);
  }
}

static const AmphistoRegion all = { 0, 0, WIDTH, HEIGHT }, none;

/* Black bars around a picture, in the frame and in regions of it. */
static void
test_bars (void)
{
  static const AmphistoRegion cases[][2] = {
    { { 0, 0, 12, 10 }, { 2, 3, 7, 4 } },
    { { 1, 2, 8, 7 }, { 2, 3, 7, 4 } },
    { { 4, 4, 2, 2 }, { 4, 4, 2, 2 } },
    { { 4, 0, 8, 6 }, { 4, 3, 5, 3 } },
    { { 0, 0, 2, 10 }, { 0, 0, 0, 0 } },
    { { 0, 7, 12, 3 }, { 0, 0, 0, 0 } },
  };
  const AmphistoLayout layout = grey_layout (WIDTH, HEIGHT);
  g_autofree Picture *picture = picture_new (&layout, 0);

  for (unsigned y = 3; y < 7; y++)
    memset (picture->bytes + y * WIDTH + 2, 200, 7);
  for (unsigned i = 0; IS_ROW (cases, i); i++)
    assert_active (&picture->frame, &cases[i][0], &cases[i][1]);
}

/* A mean of 24 is black, and everything above is not. A line of a few bright
 * pixels is bright itself, and too little for columns. */
static void
test_limit (void)
{
  const AmphistoLayout layout = grey_layout (WIDTH, HEIGHT);
  const AmphistoRegion one = { 5, 4, 1, 1 };
  g_autofree Picture *picture = picture_new (&layout, 24);
  uint8_t *row = picture->bytes + 4 * WIDTH;

  assert_active (&picture->frame, &all, &none);
  row[5]++;
  assert_active (&picture->frame, &all, &one);
  row[6]--; /* the row's mean is 24 again */
  assert_active (&picture->frame, &all, &none);
  memset (picture->bytes, 25, picture->size);
  assert_active (&picture->frame, &all, &all);
  memset (picture->bytes, 0, picture->size);
  memset (row, 100, WIDTH);
  assert_active (&picture->frame, &all, &none);
}

/* Luma of RGB: blue alone is dark, green alone is not. */
static void
test_rgb (void)
{
  static const uint8_t bytes[] = { 0, 0, 200, 0, 0, 0, 0, 0, 200, 0, 200, 0 };
  static const AmphistoRegion region = { 0, 0, 2, 2 }, green = { 1, 1, 1, 1 };
  const AmphistoLayout layout = rgb_layout (2, 2);
  const AmphistoFrame frame = frame_in (&layout, bytes, 0);

  assert_active (&frame, &region, &green);
}

/* Random rows and columns around the limit, by their means. */
static void
test_random (void)
{
  const AmphistoLayout layout = grey_layout (WIDTH, HEIGHT);
  g_autofree Picture *picture = picture_new (&layout, 0);

  for (unsigned i = 0; i < 1000; i++) {
    double sums[2][WIDTH] = { 0 }; /* of columns, and of rows */
    unsigned begin[2] = { 0 }, end[2] = { 0 };

    for (unsigned p = 0; p < WIDTH * HEIGHT; p++) {
      picture->bytes[p] = (uint8_t) g_test_rand_int_range (12, 35);
      sums[0][p % WIDTH] += picture->bytes[p];
      sums[1][p / WIDTH] += picture->bytes[p];
    }
    for (unsigned d = 0; d < 2; d++)
      for (unsigned k = 0; k < (d == 0 ? WIDTH : HEIGHT); k++)
        if (sums[d][k] / (d == 0 ? HEIGHT : WIDTH) > 24) {
          begin[d] = end[d] == 0 ? k : begin[d];
          end[d] = k + 1;
        }
    assert_active (&picture->frame, &all,
        end[0] == 0 || end[1] == 0 ? &none
                                   : &(AmphistoRegion){ begin[0], begin[1],
                                       end[0] - begin[0], end[1] - begin[1] });
  }
}

/* --- gamut --- */

typedef enum
{
  INSIDE,
  OUTSIDE,
  NEAR /* the bounds */
} Place;

/* Colours round to -12 and 267, so the bounds are half-way beyond them. The
 * matrix is rounded to 1/65536, so that a colour may be that far off. */
static Place
find_place (uint32_t matrix, bool is_limited, const uint8_t yuv[3])
{
  Place place = INSIDE;
  double colours[3];

  if (is_limited && (yuv[0] < 5 || yuv[0] > 246))
    return OUTSIDE;
  rgb_of (matrix, is_limited, (double[3]){ yuv[0], yuv[1], yuv[2] }, colours);
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
  const AmphistoFrame frame = frame_in (&layout, yuv, 0);
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

/* All greys, and random pixels of RGB, of limited range: 5 to 246 are legal, of
 * each component. In full range, no pixel is outside. */
static void
test_gamut_rgb (void)
{
  AmphistoLayout layouts[] = { grey_layout (1, 1), rgb_layout (1, 1),
    packed_layout ("aRGB", 1, 1) };

  for (unsigned i = 0; i < 2 * G_N_ELEMENTS (layouts); i++) {
    AmphistoLayout *layout = &layouts[i / 2];
    const unsigned first = i / 2 == 2, n = i / 2 == 0 ? 1 : 3;
    uint8_t pixel[4] = { 0 };
    const AmphistoFrame frame = frame_in (layout, pixel, 0);

    set_range (layout, i % 2 == 1);
    g_assert_true (amphisto_picture_has_gamut (layout) == (i % 2 == 1));
    for (unsigned k = 0; k < 10000; k++) {
      bool is_outside = false;

      for (unsigned c = first; c < first + n; c++) {
        pixel[c] =
            (uint8_t) (n == 1 ? (int) k : g_test_rand_int_range (3, 253));
        is_outside |= i % 2 == 1 && (pixel[c] < 5 || pixel[c] > 246);
      }
      g_assert_cmpuint (
          amphisto_picture_count_outside (&frame), ==, is_outside);
    }
  }
}

/* Chroma is shared by the pixels of a part that begins in the middle of it. */
static void
test_shared (void)
{
  const AmphistoLayout layout = yuv_layout (4, 4, 1, 1);
  const AmphistoRegion region = { 1, 1, 2, 3 };
  g_autofree Picture *frame = picture_new (&layout, 128);
  AmphistoPicture picture = { 0 };
  AmphistoLayout part;
  AmphistoFrame cropped;

  set_matrix (&frame->layout, 0, true);
  frame->frame.plane[1].data[3] = frame->frame.plane[2].data[0] = 255;
  g_assert_cmpuint (amphisto_picture_count_outside (&frame->frame), ==, 8);
  amphisto_layout_crop (&frame->layout, &region, &part);
  cropped = amphisto_frame_crop (&frame->frame, &part);
  g_assert_cmpuint (amphisto_picture_count_outside (&cropped), ==, 3);
  amphisto_picture_set_out_of_gamut (&picture, &region, 3);
  g_assert_cmphex (picture.fields, ==, 1u << AMPHISTO_PICTURE_OUT_OF_GAMUT);
  g_assert_cmpfloat (picture.value[AMPHISTO_PICTURE_OUT_OF_GAMUT], ==, 0.5);
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
  { "/active/rgb", test_rgb },
  { "/active/random", test_random },
  { "/gamut/all", test_gamut },
  { "/gamut/rgb", test_gamut_rgb },
  { "/gamut/shared", test_shared },
  { "/missing", test_missing },
  { 0 },
};
