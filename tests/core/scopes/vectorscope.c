/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The parameters of the vectorscope: colour bars, colours, and the division of
 * the counting.
 */

#include "core/scopes/vectorscope.h"
#include "layouts.h"
#include "placed.h"
#include "suite.h"

#define WIDTH 640
#define HEIGHT 1080

/* --- targets --- */

/* Colour bars are next to the standards' Cb and Cr. */
static void
test_targets (void)
{
  for (guint m = 0; m < 2 * N_MATRICES; m++) {
    AmphistoLayout layout = yuv_layout (WIDTH, HEIGHT, 1, 1);
    vectorscope_params params;

    set_matrix (&layout, m / 2, m & 1);
    params = placed_vectorscope (&layout, 0);
    for (guint i = 0; i < 16; i++) {
      const double most = i & 8 ? 255 : 0.75 * 255;
      const double rgb[3] = { i & 1 ? most : 0, i & 2 ? most : 0,
        i & 4 ? most : 0 };
      double yuv[3];
      int u, v;

      yuv_of (m / 2, m & 1, rgb, yuv);
      amphisto_vectorscope_target (&params, i & 7, i & 8 ? 100 : 75, &u, &v);
      g_assert_cmpfloat_with_epsilon (128 + u / 256.0, yuv[1], 0.1);
      g_assert_cmpfloat_with_epsilon (128 + v / 256.0, yuv[2], 0.1);
    }
  }
}

/* Zoomed, all of them are outside: the graticule has no boxes. */
static void
test_zoom (void)
{
  for (guint zoom_shift = 1; zoom_shift < 3; zoom_shift++)
    for (guint i = 0; i < 2 * N_MATRICES; i++) {
      AmphistoLayout layout = yuv_layout (WIDTH, HEIGHT, 1, 1);
      const int n = 128 >> zoom_shift;
      vectorscope_params params;

      set_matrix (&layout, i / 2, !(i & 1));
      params = placed_vectorscope (&layout, zoom_shift);
      g_assert_cmpuint (params.first, ==, 128 - n);
      g_assert_cmpuint (params.n_values, ==, 2 * n);
      g_assert_cmpuint (params.size, ==, 2 * n);
      /* room for samples that are left out */
      g_assert_cmpuint (params.stride, >, params.size);
      g_assert_cmpuint (params.range / 2, >, 1.42 * n);
      for (uint32_t colour = 1; colour < 7; colour++) {
        int u, v;

        amphisto_vectorscope_target (&params, colour, 75, &u, &v);
        g_assert_cmpint (MAX (ABS (u), ABS (v)), >, n * 256);
      }
    }
}

/* --- division --- */

/* GPU shape: the largest sub-planes that local memory holds, at most 64 rows,
 * but no more of them than groups. */
static void
test_subplanes (void)
{
  static const struct
  {
    gsize local_memory;
    guint32 n_groups, subplane_shift;
    gsize subplane_size;
  } divisions[] = { { 2 << 20, 80, 2, 32768 }, { 32768, 80, 2, 32768 },
    { 32767, 80, 3, 16384 }, { 16384, 80, 3, 16384 }, { 16383, 80, 4, 8192 },
    { 8192, 16, 4, 8192 }, { 1024, 16, 4, 8192 } };
  const AmphistoLayout layout = yuv_layout (WIDTH, HEIGHT, 1, 1);
  vectorscope_params params = placed_vectorscope (&layout, 0);

  g_assert_cmpuint (params.size, ==, 256);
  for (guint i = 0; IS_ROW (divisions, i); i++) {
    const guint32 n = divisions[i].n_groups;

    amphisto_vectorscope_divide (
        &params, n, true, divisions[i].local_memory, &layout);
    g_assert_cmpuint (params.subplane_shift, ==, divisions[i].subplane_shift);
    g_assert_cmpuint (amphisto_vectorscope_subplane_size (&params), ==,
        divisions[i].subplane_size);
    g_assert_cmpuint (params.n_slices, >=, 1);
    g_assert_cmpuint (params.n_slices << params.subplane_shift, <=, n);
  }
}

/* At most 257 counts of 255 add up to 16 bits. There are at least 16 groups. */
static void
test_slices (void)
{
  const AmphistoLayout layout = yuv_layout (32768, 32768, 0, 0);
  vectorscope_params params = placed_vectorscope (&layout, 0);

  for (guint n = 16; n < 100000; n = n * 3 + 1)
    for (params.plane_size = 32; params.plane_size <= 256;
         params.plane_size += 7) {
      amphisto_vectorscope_divide (&params, n, true, 32768, &layout);
      g_assert_cmpuint (params.n_slices, >, 0);
      g_assert_cmpuint (params.n_slices * 255, <=, 65535);
      /* no group exceeds its number of rows */
      g_assert_cmpuint ((params.plane_size + (1 << params.subplane_shift) - 1)
              >> params.subplane_shift,
          <=, VECTORSCOPE_SUBPLANE_ROWS);
    }
  g_assert_cmpuint (params.n_slices, ==, 257);
}

/* --- colours --- */

/* The colours of chroma, at a luma of 150 of 255, follow its range. RGB has
 * chroma of full range, whatever its own. */
static void
test_colours (void)
{
  for (guint m = 0; m < 3 * N_MATRICES; m++) {
    const bool is_limited = m / N_MATRICES == 1;
    const bool is_rgb = m / N_MATRICES == 2;
    AmphistoLayout layout =
        is_rgb ? rgb_layout (WIDTH, HEIGHT) : yuv_layout (WIDTH, HEIGHT, 1, 1);
    vectorscope_params params;

    set_matrix (&layout, m % N_MATRICES, is_limited || is_rgb);
    params = placed_vectorscope (&layout, 0);
    g_assert_cmpuint (params.range, ==, is_limited ? 224 : 255);
    for (int u = 0; u < 256; u += 5)
      for (int v = 0; v < 256; v += 5) {
        const double y = is_limited ? 16 + 150 * 219 / 255.0 : 150;
        double real[3];

        rgb_of (m % N_MATRICES, is_limited, (double[3]){ y, u, v }, real);
        for (guint c = 0; c < 3; c++) {
          const int32_t *row = params.colours[c];

          g_assert_cmpfloat_with_epsilon (
              (row[0] * u + row[1] * v + row[2]) >> 16, real[c], 0.51);
        }
      }
  }
}

/* --- spots --- */

/* No spot reaches farther than the kernels look. */
static void
test_reach (void)
{
  const double most = 16 * (VECTORSCOPE_SPOT_REACH + 0.5);
  AmphistoScopeSettings settings = settings_with (VECTORSCOPE);

  for (guint rows = 64; rows <= 4000; rows += 4) {
    AmphistoLayout layout = yuv_layout (rows, rows, 1, 1);
    vectorscope_params params;

    layout.pixel_aspect =
        rows % 3 == 0 ? AMPHISTO_SQUARE_PIXEL : rows % 3 * 3000;
    settings.height = rows % 5 == 0 ? 1 : 0.3;
    settings.zoom_shift = rows / 4 % 3;
    params = placed_scopes (&settings, false, &layout, ~0u, ~0u).vectorscope;
    g_assert_cmpuint (params.spot_max, >, 0);
    g_assert_cmpfloat (params.spot_max, <, most * most);
    g_assert_cmpuint (params.size, <=, params.scope.plot_width);
    g_assert_cmpuint (params.size, <=, params.scope.plot_height);
    /* neutral is between the middle cells */
    g_assert_true (settings.zoom_shift == 0 || params.size % 2 == 0);
  }
}

const CoreTest core_tests[] = {
  { "/targets", test_targets },
  { "/zoom", test_zoom },
  { "/division/subplanes", test_subplanes },
  { "/division/slices", test_slices },
  { "/reach", test_reach },
  { "/colours", test_colours },
  { 0 },
};
