/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The trace of a zoomed vectorscope: its inner values, and the arrows to the
 * values outside.
 */

#include "chroma.h"
#include "layouts.h"
#include "suite.h"

#include <math.h>

#define WIDTH 640

/* An arrow in a plot of 256 pixels: its side is 32 of its segments of 32
 * pixels. */
typedef struct
{
  int x, y;            /* the direction it points to */
  double tip_x, tip_y; /* in pixels from the plot's middle */
} Arrow;

/* The arrow to chroma outside: it is in the segment of a side that the line
 * from the middle crosses. */
static Arrow
arrow_to (int u, int v)
{
  const double x = u + 0.5 - 128, y = 127.5 - v;
  const double away = MAX (fabs (x), fabs (y));
  const bool is_upright = fabs (y) > fabs (x);
  const double across = (is_upright ? x : y) / away * 128;
  const double tip = MIN (floor (across / 32), 3) * 32 + 16;

  return is_upright ? (Arrow){ 0, y < 0 ? -1 : 1, tip, y < 0 ? -128 : 128 }
                    : (Arrow){ x < 0 ? -1 : 1, 0, x < 0 ? -128 : 128, tip };
}

/* How far a pixel is inside of the arrow; negative outside. An arrow is 14
 * pixels long, and as wide. */
static double
depth_in (const Arrow *arrow, int i, int j)
{
  const double x = i + 0.5 - 128 - arrow->tip_x;
  const double y = j + 0.5 - 128 - arrow->tip_y;
  const double depth = -(x * arrow->x + y * arrow->y);
  const double across = fabs (x * arrow->y) + fabs (y * arrow->x);

  return MIN (14 - depth, depth / 2 - across);
}

/* A frame of one colour has a spot of radius 7 or 8 pixels in the middle of its
 * cell of a zoomed plot of 256 pixels, or an arrow if the colour is outside. */
static void
check_zoomed (guint zoom_shift, int u, int v)
{
  const AmphistoLayout layout = yuv_layout (WIDTH, 1080, 1, 1);
  const int zoom = 1 << zoom_shift, first = 128 - 128 / zoom;
  const int end = 256 - first;
  const bool is_shown = u >= first && u < end && v >= first && v < end;
  const double x = (u - first + 0.5) * zoom - 0.5;
  const double y = 255 - ((v - first + 0.5) * zoom - 0.5);
  const Arrow arrow = arrow_to (u, v);
  g_auto (ChromaScope) scope = chroma_scope_of (&layout, 0.25, zoom_shift);

  g_assert_cmpuint (scope.params.scope.plot_width, ==, 256);
  g_assert_cmpuint (scope.params.size, ==, 256 / zoom);
  chroma_fill (&scope, u, v);
  chroma_scope_measure (&scope);
  for (int j = 0; j < 256; j++)
    for (int i = 0; i < 256; i++) {
      const double distance = hypot (i - x, j - y);
      const double inside = is_shown ? 6 - distance : depth_in (&arrow, i, j);
      const uint32_t brightness = chroma_brightness (&scope, i, j);

      if (inside > (is_shown ? 3 : 0.01))
        g_assert_cmpuint (brightness, ==, 255);
      else if (inside < (is_shown ? -3 : -0.01))
        g_assert_cmpuint (brightness, ==, 0);
    }
}

static void
test_zoom (void)
{
  for (guint zoom_shift = 1; zoom_shift < 3; zoom_shift++) {
    const int n = 128 >> zoom_shift;
    const int values[] = { 0, 127 - n, 128 - n, 128, 127 + n, 128 + n, 255 };

    for (guint i = 0; i < G_N_ELEMENTS (values) * G_N_ELEMENTS (values); i++)
      check_zoomed (zoom_shift, values[i % G_N_ELEMENTS (values)],
          values[i / G_N_ELEMENTS (values)]);
  }
}

/* Every sample outside has its arrow, in plots of all sizes, and inner ones
 * have none. Arrows are numbered along the upper, lower, left and right side.
 */
static void
test_arrows (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (11);

  for (guint n = 0; n < 60; n++) {
    const AmphistoLayout layout = yuv_layout (WIDTH, 300 + n * 40, 1, 1);
    const guint zoom_shift = 1 + n % 2;
    bool wanted[32] = { false };
    g_auto (ChromaScope) scope = chroma_scope_of (&layout, 0.25, zoom_shift);

    chroma_fill (&scope, 128, 128);
    for (guint i = 0; i < n % 5; i++) {
      const int k = g_rand_int_range (random, 0, 32);
      const double away =
          g_rand_int_range (random, (128 >> zoom_shift) + 4, 128);
      const double along = ((k % 8 + 0.5) / 4 - 1) * away;
      const double x = k < 16 ? along : k < 24 ? -away : away;
      const double y = k >= 16 ? -along : k < 8 ? away : -away;

      chroma_set (&scope, i * 7, (int) (128 + x), (int) (128 + y));
      wanted[k] = true;
    }
    chroma_scope_measure (&scope);
    for (int k = 0; k < 32; k++) {
      const double plot = scope.params.scope.plot_width;
      const int along = (int) ((k % 8 + 0.5) * plot / 8);
      const int near = (int) (plot * 0.04), far = (int) plot - 1 - near;
      const int x = k < 16 ? along : k < 24 ? near : far;
      const int y = k >= 16 ? along : k < 8 ? near : far;

      g_assert_cmpint (chroma_brightness (&scope, x, y) == 255, ==, wanted[k]);
    }
  }
}

const CoreTest core_tests[] = {
  { "/zoom/one", test_zoom },
  { "/zoom/arrows", test_arrows },
  { 0 },
};
