/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The parameters of the vectorscope: colour bars, matrices, and the division of
 * the counting.
 */

#include "core/scopes/vectorscope.h"
#include "layouts.h"
#include "placed.h"
#include "suite.h"

#include <math.h>

#define WIDTH 640
#define HEIGHT 1080

/* --- targets --- */

/* Cb and Cr of the 75 % bars, from the standards' tables. */
static const struct
{
  double kr, kb;
  struct
  {
    uint32_t colour;
    int u, v;
  } bars[6];
} tables[] = {
  { 0.299, 0.114,
      { { 1, 100, 212 }, { 2, 72, 58 }, { 4, 212, 114 }, { 3, 44, 142 },
          { 6, 156, 44 }, { 5, 184, 198 } } },
  { 0.2126, 0.0722,
      { { 1, 109, 212 }, { 2, 63, 52 }, { 4, 212, 120 }, { 3, 44, 136 },
          { 6, 147, 44 }, { 5, 193, 204 } } },
};

static void
test_targets (void)
{
  for (guint t = 0; t < G_N_ELEMENTS (tables); t++) {
    AmphistoLayout layout = yuv_layout (WIDTH, HEIGHT, 1, 1);
    vectorscope_params params;

    amphisto_layout_set_matrix (&layout, tables[t].kr, tables[t].kb);
    params = placed_vectorscope (&layout);
    for (guint i = 0; i < 6; i++) {
      int u, v;

      amphisto_vectorscope_target (
          &params, tables[t].bars[i].colour, 75, &u, &v);
      g_assert_cmpfloat (fabs (128 + u / 256.0 - tables[t].bars[i].u), <, 0.6);
      g_assert_cmpfloat (fabs (128 + v / 256.0 - tables[t].bars[i].v), <, 0.6);
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
      params = placed_vectorscope_zoomed (&layout, zoom_shift);
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
  vectorscope_params params = placed_vectorscope (&layout);

  g_assert_cmpuint (params.size, ==, 256);
  for (guint i = 0; i < G_N_ELEMENTS (divisions); i++) {
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
  vectorscope_params params = placed_vectorscope (&layout);

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

/* --- matrices --- */

/* U and V of RGB are next to the real numbers, with all matrices. */
static void
test_rgb_matrices (void)
{
  for (guint i = 0; i < N_MATRICES; i++) {
    const double kr = matrices[i][0], kb = matrices[i][1];
    AmphistoLayout layout = rgb_layout (WIDTH, HEIGHT);
    vectorscope_params params;

    set_matrix (&layout, i, true);
    params = placed_vectorscope (&layout);
    for (int r = 0; r < 256; r += 15)
      for (int g = 0; g < 256; g += 15)
        for (int b = 0; b < 256; b += 15) {
          const double y = kr * r + (1 - kr - kb) * g + kb * b;
          const double real[2] = { 128 + (b - y) / (2 - 2 * kb),
            128 + (r - y) / (2 - 2 * kr) };

          for (guint c = 0; c < 2; c++) {
            const int32_t *row = params.weights[c];
            const int chroma =
                (row[0] * r + row[1] * g + row[2] * b + row[3]) >> 16;

            g_assert_cmpfloat (fabs (chroma - real[c]), <, 0.51);
          }
        }
  }
}

/* The colours of chroma, at a luma of 150 of 255, follow its range. */
static void
test_colours (void)
{
  for (guint i = 0; i < 2 * N_MATRICES; i++) {
    const double kr = matrices[i / 2][0], kb = matrices[i / 2][1];
    const double range = i & 1 ? 255 : 224;
    AmphistoLayout layout = yuv_layout (WIDTH, HEIGHT, 1, 1);
    vectorscope_params params;

    set_matrix (&layout, i / 2, !(i & 1));
    params = placed_vectorscope (&layout);
    for (int u = 0; u < 256; u += 5)
      for (int v = 0; v < 256; v += 5) {
        const double r = 150 + 2 * (1 - kr) * (v - 128) * 255 / range;
        const double b = 150 + 2 * (1 - kb) * (u - 128) * 255 / range;
        const double real[3] = { r, (150 - kr * r - kb * b) / (1 - kr - kb),
          b };

        for (guint c = 0; c < 3; c++) {
          const int32_t *row = params.colours[c];

          g_assert_cmpfloat (
              fabs (((row[0] * u + row[1] * v + row[2]) >> 16) - real[c]), <,
              0.51);
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
  AmphistoScopeSettings settings = settings_with (AMPHISTO_SCOPE_VECTORSCOPE);

  for (guint rows = 64; rows <= 4000; rows += 4) {
    AmphistoLayout layout = yuv_layout (rows, rows, 1, 1);
    vectorscope_params params;

    layout.pixel_aspect =
        rows % 3 == 0 ? AMPHISTO_SQUARE_PIXEL : rows % 3 * 3000;
    settings.height = rows % 5 == 0 ? 1 : 0.3;
    params = placed_scopes (&settings, false, &layout, ~0u, ~0u).vectorscope;
    g_assert_cmpuint (params.spot_max, >, 0);
    g_assert_cmpfloat (params.spot_max, <, most * most);
    g_assert_cmpuint (params.size, <=, params.scope.plot_width);
    g_assert_cmpuint (params.size, <=, params.scope.plot_height);
  }
}

const CoreTest core_tests[] = {
  { "/targets", test_targets },
  { "/zoom", test_zoom },
  { "/division/subplanes", test_subplanes },
  { "/division/slices", test_slices },
  { "/reach", test_reach },
  { "/matrices/rgb", test_rgb_matrices },
  { "/matrices/colours", test_colours },
  { NULL },
};
