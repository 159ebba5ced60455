/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Computed samples: luma of RGB, red, green and blue of YUV, and saturation.
 */

#include "core/pixels/samples.h"
#include "layouts.h"
#include "suite.h"

#include <math.h>

/* A layout with one of the matrices, of limited or full range. */
static AmphistoLayout
layout_with (gsize matrix, bool is_limited)
{
  AmphistoLayout layout = { 0 };

  set_matrix (&layout, matrix, is_limited);
  return layout;
}

static void
assert_rows (const AmphistoLayout *layout, const int32_t expected[3][4])
{
  for (guint i = 0; i < 3; i++)
    for (guint j = 0; j < 4; j++)
      g_assert_cmpint (layout->matrix[i][j], ==, expected[i][j]);
}

/* 65536 times the coefficients of the standards: 255/219 = 1.164384; BT.709,
 * limited: 1.792741, -0.213249, -0.532909, 2.112402; BT.601, full: 1.402,
 * -0.344136, -0.714136, 1.772, and back to U and V: -0.168736, -0.331264, 0.5;
 * 0.5, -0.418688, -0.081312, from limited range 255/219 times as much. */
static void
test_rows (void)
{
  const AmphistoLayout bt709 = layout_with (1, true);
  const AmphistoLayout bt601 = layout_with (0, false);
  const int32_t to_chroma[2][4] = { { -11058, -21710, 32768, 8421376 },
    { 32768, -27439, -5329, 8421376 } };
  const int32_t limited_to_chroma[2][4] = { { -12876, -25279, 38155, 8421376 },
    { 38155, -31950, -6205, 8421376 } };
  const AmphistoLayout limited_bt601 = layout_with (0, true);
  int32_t matrix[2][4];

  assert_rows (&bt709,
      (const int32_t[3][4]){ { 76309, 0, 117489, -16226768 },
          { 76309, -13975, -34925, 5071024 },
          { 76309, 138438, 0, -18908240 } });
  assert_rows (&bt601,
      (const int32_t[3][4]){ { 65536, 0, 91881, -11728000 },
          { 65536, -22553, -46802, 8910208 },
          { 65536, 116130, 0, -14831872 } });
  g_assert_cmpmem (bt709.weights, sizeof bt709.weights,
      ((uint32_t[3]){ 13933, 46871, 4732 }), sizeof bt709.weights);
  amphisto_rgb_chroma_matrix (&bt601, matrix);
  g_assert_cmpmem (matrix, sizeof matrix, to_chroma, sizeof to_chroma);
  amphisto_rgb_chroma_matrix (&limited_bt601, matrix);
  g_assert_cmpmem (
      matrix, sizeof matrix, limited_to_chroma, sizeof limited_to_chroma);
}

static void
check_pixel (const AmphistoLayout *layout, gsize matrix, const double yuv[3])
{
  double real[3];

  rgb_of (matrix, layout->lo > 0, yuv, real);
  for (guint c = 0; c < 3; c++) {
    const int colour =
        amphisto_matrix_sample (layout->matrix[c], yuv[0], yuv[1], yuv[2]);

    g_assert_cmpfloat (fabs (colour - CLAMP (real[c], 0, 255)), <, 0.51);
  }
}

/* The integers are next to the real numbers for all pixels, also for greys.
 * (Sanitizers check that no sum overflows 32 bits.) */
static void
test_real_numbers (void)
{
  for (gsize i = 0; i < 2 * N_MATRICES; i++) {
    const AmphistoLayout layout = layout_with (i / 2, i % 2);

    for (int y = 0; y < 256; y++)
      for (int u = 0; u <= 260; u += 5)
        for (int v = 0; v <= 258; v += 3)
          check_pixel (&layout, i / 2,
              (double[3]){ y, u > 255 ? 128 : u, v > 255 ? 128 : v });
  }
}

/* Luma is rounded half up. The luma of grey is the same grey, with all weights.
 */
static void
test_rgb_luma (void)
{
  const uint32_t halves[3] = { 32768, 32768, 0 };
  const uint32_t bt601[3] = { 19595, 38470, 7471 };

  g_assert_cmpuint (amphisto_rgb_luma (halves, 1, 0, 0), ==, 1);
  g_assert_cmpuint (amphisto_rgb_luma (halves, 1, 1, 255), ==, 1);
  g_assert_cmpuint (amphisto_rgb_luma (halves, 2, 1, 0), ==, 2);
  for (unsigned v = 0; v < AMPHISTO_N_BINS; v++)
    g_assert_cmpuint (amphisto_rgb_luma (bt601, v, v, v), ==, v);
}

/* U and V of RGB, of either range, are next to the real numbers of full range.
 * Grey has none. */
static void
test_rgb_chroma (void)
{
  for (gsize m = 0; m < 2 * N_MATRICES; m++) {
    const AmphistoLayout layout = layout_with (m / 2, m % 2);
    int32_t matrix[2][4];

    amphisto_rgb_chroma_matrix (&layout, matrix);
    for (int i = 0; i < 18 * 18 * 18; i++) {
      const uint8_t rgb[3] = { 15 * (i % 18), 15 * (i / 18 % 18),
        15 * (i / 18 / 18) };
      double light[3], real[3];

      for (guint c = 0; c < 3; c++)
        light[c] = m % 2 ? (rgb[c] - 16) * 255 / 219.0 : rgb[c];
      yuv_of (m / 2, false, light, real);
      for (guint c = 0; c < 2; c++)
        g_assert_cmpfloat (
            fabs (amphisto_matrix_sample (matrix[c], rgb[0], rgb[1], rgb[2])
                - CLAMP (real[1 + c], 0, 255)),
            <, 0.51);
    }
    for (int v = 0; v < 256; v++)
      for (guint c = 0; c < 2; c++)
        g_assert_cmpuint (amphisto_matrix_sample (matrix[c], v, v, v), ==, 128);
  }
}

/* For all U and V: the largest integer with a square up to the sum of theirs.
 */
static void
test_saturation (void)
{
  for (int u = -128; u < 128; u++)
    for (int v = -128; v < 128; v++) {
      const int s = amphisto_saturation (u + 128, v + 128);

      g_assert_cmpint (s * s, <=, u * u + v * v);
      g_assert_cmpint ((s + 1) * (s + 1), >, u * u + v * v);
    }
  g_assert_cmpuint (amphisto_saturation (128, 128), ==, 0);
  g_assert_cmpuint (amphisto_saturation (131, 124), ==, 5);
  g_assert_cmpuint (amphisto_saturation (0, 0), ==, 181);
}

const CoreTest core_tests[] = {
  { "/matrix/rows", test_rows },
  { "/matrix/real-numbers", test_real_numbers },
  { "/rgb-luma", test_rgb_luma },
  { "/rgb-chroma", test_rgb_chroma },
  { "/saturation", test_saturation },
  { 0 },
};
