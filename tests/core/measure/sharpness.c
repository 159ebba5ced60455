/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The Laplacian of luma, against cases worked out by hand and a model in
 * floating point. The test cvlaplacian compares whole pictures with OpenCV.
 */

#include "core/measure/sharpness.h"
#include "layouts.h"
#include "suite.h"

#include <string.h>

#define WIDTH 5
#define HEIGHT 4

static AmphistoLaplacian
add_up (const AmphistoFrame *frame, AmphistoRegion region, uint32_t n_fields)
{
  AmphistoLayout layout;
  AmphistoFrame part;

  amphisto_layout_crop (frame->layout, &region, &layout);
  part = amphisto_frame_crop (frame, &layout);
  return amphisto_sharpness_add_up (&part, n_fields);
}

/* A bright pixel in the middle, at an edge, beside one, in a corner; in rows
 * and columns alone; in a field. */
static void
test_point (void)
{
  static const struct
  {
    uint32_t x, y;
    AmphistoRegion region;
    uint32_t n_fields;
    int64_t sum;
    uint64_t squares;
  } cases[] = {
    /* -4 in place, 1 in four neighbours */
    { 2, 2, { 0, 0, 5, 5 }, 1, 0, 16 + 4 },
    /* the border repeats the pixel beside the edge, not the edge */
    { 0, 2, { 0, 0, 5, 5 }, 1, -1, 16 + 3 },
    { 1, 2, { 0, 0, 5, 5 }, 1, 1, 16 + 3 + 4 },
    { 0, 0, { 0, 0, 5, 5 }, 1, -2, 16 + 2 },
    { 1, 1, { 0, 0, 5, 5 }, 1, 2, 16 + 2 + 2 * 4 },
    { 4, 3, { 0, 0, 5, 5 }, 1, 0, 16 + 2 + 4 },
    /* the region's border is not the frame's */
    { 2, 2, { 2, 2, 3, 3 }, 1, -2, 16 + 2 },
    { 1, 2, { 2, 2, 3, 3 }, 1, 0, 0 },
    /* one row, one column, one pixel, two columns */
    { 2, 2, { 0, 2, 5, 1 }, 1, 0, 4 + 2 },
    { 2, 2, { 2, 0, 1, 5 }, 1, 0, 4 + 2 },
    { 2, 2, { 2, 2, 1, 1 }, 1, 0, 0 },
    { 2, 2, { 2, 2, 2, 1 }, 1, 0, 4 + 4 },
    /* a field of rows 0, 2, 4; one of rows 1, 3; one of row 2 alone */
    { 2, 2, { 0, 0, 5, 5 }, 2, 2, 16 + 2 + 2 * 4 },
    { 2, 3, { 0, 0, 5, 5 }, 2, 0, 16 + 2 + 4 },
    { 2, 2, { 0, 1, 5, 2 }, 2, 0, 4 + 2 },
  };
  const AmphistoLayout layout = grey_layout (5, 5);

  for (guint i = 0; IS_ROW (cases, i); i++) {
    g_autofree Picture *picture = picture_new (&layout, 0);
    AmphistoLaplacian sums;

    picture->bytes[cases[i].y * 5 + cases[i].x] = 255;
    sums = add_up (&picture->frame, cases[i].region, cases[i].n_fields);
    g_assert_cmpint (sums.sum, ==, 255 * cases[i].sum);
    g_assert_cmpuint (sums.squares, ==, 255 * 255 * cases[i].squares);
  }
}

/* Luma of RGB: pure green of BT.601 is 150. */
static void
test_rgb (void)
{
  static const uint8_t bytes[9 * 3] = { [13] = 255 };
  const AmphistoLayout layout = rgb_layout (3, 3);
  const AmphistoFrame frame = frame_in (&layout, bytes, 0);
  const AmphistoLaplacian sums =
      add_up (&frame, (AmphistoRegion){ 0, 0, 3, 3 }, 1);

  g_assert_cmpint (sums.sum, ==, 150 * 4);
  g_assert_cmpuint (sums.squares, ==, 150 * 150 * (16 + 4 * 4));
}

/* The variance by its definition, of random pictures. */
static void
test_variance (void)
{
  const AmphistoLayout layout = grey_layout (WIDTH, HEIGHT);

  for (guint i = 0; i < 100; i++) {
    g_autofree Picture *picture = picture_new (&layout, 0);
    double laplacian[HEIGHT][WIDTH], mean = 0, variance = 0;
    AmphistoLaplacian sums;

    for (guint p = 0; p < WIDTH * HEIGHT; p++)
      picture->bytes[p] = (uint8_t) g_test_rand_int_range (0, 256);
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++) {
        const uint8_t *bytes = picture->bytes;
        const int left = x == 0 ? 1 : x - 1;
        const int right = x == WIDTH - 1 ? WIDTH - 2 : x + 1;
        const int up = y == 0 ? 1 : y - 1;
        const int down = y == HEIGHT - 1 ? HEIGHT - 2 : y + 1;

        laplacian[y][x] = bytes[y * WIDTH + left] + bytes[y * WIDTH + right]
            + bytes[up * WIDTH + x] + bytes[down * WIDTH + x]
            - 4.0 * bytes[y * WIDTH + x];
        mean += laplacian[y][x] / (WIDTH * HEIGHT);
      }
    for (guint y = 0; y < HEIGHT; y++)
      for (guint x = 0; x < WIDTH; x++)
        variance += (laplacian[y][x] - mean) * (laplacian[y][x] - mean)
            / (WIDTH * HEIGHT);
    sums = add_up (&picture->frame, (AmphistoRegion){ 0, 0, WIDTH, HEIGHT }, 1);
    g_assert_cmpfloat_with_epsilon (
        amphisto_sharpness_variance (&sums, WIDTH * HEIGHT), variance,
        1e-12 * variance);
  }
}

const CoreTest core_tests[] = {
  { "/point", test_point },
  { "/rgb", test_rgb },
  { "/variance", test_variance },
  { 0 },
};
