/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Graticules: places of lines and text, and nothing outside.
 */

#include "core/font.h"
#include "core/graticule.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#define WIDTH 60
#define HEIGHT 40

static uint32_t
pixel (const AmphistoGraticule *g, int x, int y)
{
  return g->light[y * WIDTH + x];
}

static AmphistoGraticule
graticule_new (void)
{
  AmphistoGraticule g;

  g_assert_true (amphisto_graticule_init (&g, WIDTH, HEIGHT));
  for (gsize i = 0; i < WIDTH * HEIGHT; i++)
    g_assert_cmpuint (g.light[i], ==, 0);
  return g;
}

static guint
n_lit (const AmphistoGraticule *g)
{
  guint n = 0;

  for (gsize i = 0; i < WIDTH * HEIGHT; i++)
    n += g->light[i] != 0;
  return n;
}

static gboolean
is_in (int x, int y, int left, int top, int width, int height)
{
  return x >= left && x < left + width && y >= top && y < top + height;
}

/* Rectangles inside, across each edge, and outside. */
static const struct
{
  int x, y, width, height;
} rectangles[] = { { 10, 5, 20, 12 }, { -5, 5, 20, 12 }, { 50, 5, 20, 12 },
  { 10, -5, 20, 12 }, { 10, 35, 20, 12 }, { -5, -5, 99, 99 }, { 99, 5, 20, 12 },
  { 10, 99, 20, 12 }, { -30, 5, 20, 12 }, { 10, -30, 20, 12 }, { 10, 5, 0, 12 },
  { 10, 5, 20, 0 }, { 10, 5, 1, 1 } };

static void
test_fill (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (rectangles); i++) {
    const int left = rectangles[i].x, top = rectangles[i].y;
    const int width = rectangles[i].width, height = rectangles[i].height;
    AmphistoGraticule g = graticule_new ();

    amphisto_graticule_fill (&g, left, top, width, height, 0x123456);
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++)
        g_assert_cmphex (pixel (&g, x, y), ==,
            is_in (x, y, left, top, width, height) ? 0x123456 : 0);
    amphisto_graticule_clear (&g);
    g_assert_null (g.light);
  }
}

static void
test_box (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (rectangles); i++) {
    const int left = rectangles[i].x, top = rectangles[i].y;
    const int width = rectangles[i].width, height = rectangles[i].height;
    AmphistoGraticule g = graticule_new ();

    amphisto_graticule_box (&g, left, top, width, height, 2, 0x123456);
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++)
        g_assert_cmphex (pixel (&g, x, y), ==,
            is_in (x, y, left, top, width, height)
                    && !is_in (x, y, left + 2, top + 2, width - 4, height - 4)
                ? 0x123456
                : 0);
    amphisto_graticule_clear (&g);
  }
}

/* Where two things overlap, the brighter value shows, in each colour. */
static void
test_brighter (void)
{
  AmphistoGraticule g = graticule_new ();

  amphisto_graticule_fill (&g, 0, 0, 2, 1, AMPHISTO_LIGHT (9, 80, 1));
  amphisto_graticule_fill (&g, 1, 0, 2, 1, AMPHISTO_LIGHT (8, 90, 0));
  g_assert_cmphex (pixel (&g, 0, 0), ==, 0x015009);
  g_assert_cmphex (pixel (&g, 1, 0), ==, 0x015a09);
  g_assert_cmphex (pixel (&g, 2, 0), ==, 0x005a08);
  amphisto_graticule_clear (&g);
}

/* --- lines and circles --- */

static void
test_straight (void)
{
  AmphistoGraticule g = graticule_new ();

  amphisto_graticule_line (&g, 10, 5, 19, 5, 1, 0xffffff);
  amphisto_graticule_line (&g, 30, 30, 30, 11, 3, 0x0000ff);
  amphisto_graticule_line (&g, 50, 20, 50, 20, 1, 0x00ff00);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      g_assert_cmphex (pixel (&g, x, y), ==,
          is_in (x, y, 10, 5, 10, 1)        ? 0xffffff
              : is_in (x, y, 29, 11, 3, 20) ? 0x0000ff
              : x == 50 && y == 20          ? 0x00ff00
                                            : 0);
  amphisto_graticule_clear (&g);
}

/* The light of a pixel at a distance from the middle of a white line. */
static void
assert_cover (uint32_t light, double distance, uint32_t thickness)
{
  const double cover = CLAMP (thickness / 2.0 + 0.5 - distance, 0.0, 1.0);

  g_assert_cmpuint (light & 0xff, ==, light >> 8 & 0xff);
  g_assert_cmpuint (light & 0xff, ==, light >> 16 & 0xff);
  g_assert_cmpfloat (fabs ((light & 0xff) / 255.0 - cover), <=, 0.09);
}

static void
assert_line (int x0, int y0, int x1, int y1, uint32_t thickness)
{
  AmphistoGraticule g = graticule_new ();
  const double dx = x1 - x0, dy = y1 - y0, length = hypot (dx, dy);

  amphisto_graticule_line (&g, x0, y0, x1, y1, thickness, 0xffffff);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) {
      const double along = (dx * (x - x0) + dy * (y - y0)) / length;
      const double across = (dx * (y - y0) - dy * (x - x0)) / length;

      /* exactly at the ends, both are right */
      if (along > 0 && along < length)
        assert_cover (pixel (&g, x, y), fabs (across), thickness);
      else if (along < -1e-9 || along > length + 1e-9)
        g_assert_cmphex (pixel (&g, x, y), ==, 0);
    }
  amphisto_graticule_clear (&g);
}

static void
test_line (void)
{
  for (uint32_t thickness = 1; thickness <= 5; thickness++) {
    assert_line (10, 5, 50, 35, thickness);
    assert_line (50, 35, 10, 5, thickness);
    assert_line (12, 30, 45, 3, thickness);
    assert_line (-10, 7, 70, 12, thickness);
    assert_line (20, -300, 30, 500, thickness);
    assert_line (-20, -20, -10, -10, thickness);
  }
}

static void
assert_circle (int cx, int cy, uint32_t radius, uint32_t thickness)
{
  AmphistoGraticule g = graticule_new ();

  amphisto_graticule_circle (&g, cx, cy, radius, thickness, 0xffffff);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      assert_cover (
          pixel (&g, x, y), fabs (hypot (x - cx, y - cy) - radius), thickness);
  amphisto_graticule_clear (&g);
}

static void
test_circle (void)
{
  for (uint32_t thickness = 1; thickness <= 4; thickness++) {
    assert_circle (30, 20, 15, thickness);
    assert_circle (30, 20, 25, thickness);
    assert_circle (0, 39, 12, thickness);
    assert_circle (-100, 20, 130, thickness);
    assert_circle (300, 300, 20, thickness);
  }
}

/* Lines across the largest frames. */
static void
test_long (void)
{
  AmphistoGraticule g = graticule_new ();

  amphisto_graticule_line (&g, -32768, 10, 32767, 10, 1, 0xff);
  g_assert_cmpuint (n_lit (&g), ==, WIDTH);
  amphisto_graticule_circle (&g, 5, 32768 + 20, 32768, 1, 0xff);
  g_assert_cmphex (pixel (&g, 5, 20), ==, 0xff);
  amphisto_graticule_clear (&g);
}

/* --- text --- */

static const char *const characters = "0123456789RGBYUVAMCgylI%+-.";

/* Each character has its own glyph, within its dots. */
static void
test_font (void)
{
  for (const char *c = characters; *c != '\0'; c++) {
    const uint8_t *glyph = amphisto_font_glyph (*c);
    uint8_t any = 0;

    for (int row = 0; row < AMPHISTO_FONT_HEIGHT; row++)
      any |= glyph[row];
    g_assert_cmpuint (any, !=, 0);
    g_assert_cmpuint (any >> AMPHISTO_FONT_WIDTH, ==, 0);
    for (const char *d = characters; d < c; d++)
      g_assert_true (
          memcmp (glyph, amphisto_font_glyph (*d), AMPHISTO_FONT_HEIGHT) != 0);
  }
  for (int c = -128; c < 128; c++)
    if (c == 0 || strchr (characters, c) == NULL)
      for (int row = 0; row < AMPHISTO_FONT_HEIGHT; row++)
        g_assert_cmpuint (amphisto_font_glyph (c)[row], ==, 0);
}

/* Text in single dots, and at twice the size. */
static void
test_text (void)
{
  static const char *const minus = "     "
                                   "     "
                                   "     "
                                   "#####"
                                   "     "
                                   "     "
                                   "     ";
  static const char *const one = "  #  "
                                 " ##  "
                                 "  #  "
                                 "  #  "
                                 "  #  "
                                 "  #  "
                                 " ### ";

  for (int scale = 1; scale <= 2; scale++) {
    AmphistoGraticule g = graticule_new ();

    amphisto_graticule_text (&g, 7, 3, scale, "-1", 0xabcdef);
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++) {
        const int i = (x - 7 + scale) / scale - 1;
        const int j = (y - 3 + scale) / scale - 1;
        const bool is_dot = is_in (i, j, 0, 0, 5, 7)
            ? minus[j * 5 + i] == '#'
            : is_in (i, j, 6, 0, 5, 7) && one[j * 5 + i - 6] == '#';

        g_assert_cmphex (pixel (&g, x, y), ==, is_dot ? 0xabcdef : 0);
      }
    amphisto_graticule_clear (&g);
  }
}

static void
test_text_size (void)
{
  g_assert_cmpuint (amphisto_graticule_text_width ("", 3), ==, 0);
  g_assert_cmpuint (amphisto_graticule_text_width ("0", 3), ==, 15);
  g_assert_cmpuint (amphisto_graticule_text_width ("255", 2), ==, 34);
  g_assert_cmpuint (amphisto_graticule_text_height (2), ==, 14);

  /* a quarter of frames of 240 to 4320 rows */
  g_assert_cmpuint (amphisto_graticule_text_scale (60), ==, 1);
  g_assert_cmpuint (amphisto_graticule_text_scale (120), ==, 1);
  g_assert_cmpuint (amphisto_graticule_text_scale (180), ==, 2);
  g_assert_cmpuint (amphisto_graticule_text_scale (272), ==, 2);
  g_assert_cmpuint (amphisto_graticule_text_scale (540), ==, 5);
  g_assert_cmpuint (amphisto_graticule_text_scale (1080), ==, 10);
}

/* Text across all edges. */
static void
test_clipped_text (void)
{
  static const int corners[][2] = { { -20, -5 }, { 45, -5 }, { -20, 35 },
    { 45, 35 } };

  for (gsize i = 0; i < G_N_ELEMENTS (corners); i++) {
    AmphistoGraticule whole, g = graticule_new ();

    g_assert_true (amphisto_graticule_init (&whole, 3 * WIDTH, 3 * HEIGHT));
    amphisto_graticule_text (
        &g, corners[i][0], corners[i][1], 2, "88888", 0xff);
    amphisto_graticule_text (&whole, WIDTH + corners[i][0],
        HEIGHT + corners[i][1], 2, "88888", 0xff);
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++)
        g_assert_cmphex (pixel (&g, x, y), ==,
            whole.light[(HEIGHT + y) * 3 * WIDTH + WIDTH + x]);
    g_assert_cmpuint (n_lit (&g), >, 0);
    amphisto_graticule_clear (&whole);
    amphisto_graticule_clear (&g);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/graticule/fill", test_fill);
  g_test_add_func ("/graticule/box", test_box);
  g_test_add_func ("/graticule/brighter", test_brighter);
  g_test_add_func ("/graticule/straight", test_straight);
  g_test_add_func ("/graticule/line", test_line);
  g_test_add_func ("/graticule/circle", test_circle);
  g_test_add_func ("/graticule/long", test_long);
  g_test_add_func ("/graticule/font", test_font);
  g_test_add_func ("/graticule/text", test_text);
  g_test_add_func ("/graticule/text-size", test_text_size);
  g_test_add_func ("/graticule/clipped-text", test_clipped_text);
  return g_test_run ();
}
