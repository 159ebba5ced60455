/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Graticules: places of lines and text, and nothing outside.
 */

#include "core/pixels/frame.h"
#include "core/scopes/graticule.h"
#include "lights.h"
#include "suite.h"

#include <math.h>
#include <string.h>

#define WIDTH 60
#define HEIGHT 40

/* Wide, square and narrow pixels. */
static const uint32_t aspects[] = { AMPHISTO_SQUARE_PIXEL, 5825, 3724, 8192 };

static AmphistoGraticule
graticule_for (uint32_t pixel_aspect)
{
  AmphistoGraticule g;

  g_assert_true (amphisto_graticule_init (&g, WIDTH, HEIGHT, pixel_aspect));
  for (gsize i = 0; i < WIDTH * HEIGHT; i++)
    g_assert_cmpuint (g.light[i], ==, 0);
  return g;
}

static AmphistoGraticule
graticule_new (void)
{
  return graticule_for (AMPHISTO_SQUARE_PIXEL);
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

/* Rectangles inside, across each edge, and outside. Shade dims the light under
 * it, but only once. */
static void
test_rectangles (void)
{
  static const struct
  {
    int x, y, width, height;
  } rectangles[] = { { 10, 5, 20, 12 }, { -5, 5, 20, 12 }, { 50, 5, 20, 12 },
    { 10, -5, 20, 12 }, { 10, 35, 20, 12 }, { -5, -5, 99, 99 },
    { 99, 5, 20, 12 }, { 10, 99, 20, 12 }, { -30, 5, 20, 12 },
    { 10, -30, 20, 12 }, { 10, 5, 0, 12 }, { 10, 5, 20, 0 }, { 10, 5, 1, 1 } };

  for (gsize i = 0; IS_ROW (rectangles, i); i++) {
    const int left = rectangles[i].x, top = rectangles[i].y;
    const int width = rectangles[i].width, height = rectangles[i].height;
    const AmphistoArea area = { left, top, left + width, top + height };
    g_auto (AmphistoGraticule) filled = graticule_new ();
    g_auto (AmphistoGraticule) box = graticule_new ();
    g_auto (AmphistoGraticule) shaded = graticule_new ();

    amphisto_graticule_fill (&filled, left, top, width, height, 0x123456);
    amphisto_graticule_box (&box, left, top, width, height, 2, 0x123456);
    amphisto_graticule_fill (
        &shaded, 0, 0, WIDTH, HEIGHT, AMPHISTO_LIGHT (160, 80, 255));
    amphisto_graticule_shade (&shaded, area, 192);
    amphisto_graticule_shade (&shaded, area, 192);
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++) {
        const bool is_in_area = is_in (x, y, left, top, width, height);
        const bool is_side = is_in_area
            && !is_in (x, y, left + 2, top + 2, width - 4, height - 4);

        g_assert_cmphex (
            light_at (&filled, x, y), ==, is_in_area ? 0x123456 : 0);
        g_assert_cmphex (light_at (&box, x, y), ==, is_side ? 0x123456 : 0);
        g_assert_cmphex (light_at (&shaded, x, y), ==,
            is_in_area ? AMPHISTO_LIGHT (40, 20, 63) | AMPHISTO_SHADE (192)
                       : AMPHISTO_LIGHT (160, 80, 255));
      }
  }
}

/* Where two things overlap, the brighter value shows, in each colour. */
static void
test_brighter (void)
{
  g_auto (AmphistoGraticule) g = graticule_new ();

  amphisto_graticule_fill (
      &g, 0, 0, 2, 1, AMPHISTO_LIGHT (9, 80, 1) | AMPHISTO_SHADE (100));
  amphisto_graticule_fill (
      &g, 1, 0, 2, 1, AMPHISTO_LIGHT (8, 90, 0) | AMPHISTO_SHADE (200));
  g_assert_cmphex (light_at (&g, 0, 0), ==, 0x64015009);
  g_assert_cmphex (light_at (&g, 1, 0), ==, 0xc8015a09);
  g_assert_cmphex (light_at (&g, 2, 0), ==, 0xc8005a08);
  amphisto_graticule_clear (&g);
  g_assert_null (g.light);
}

/* --- lines and circles --- */

/* A line that covers whole pixels, except at its round ends. */
static void
test_straight (void)
{
  g_auto (AmphistoGraticule) g = graticule_new ();

  amphisto_graticule_line (&g, 168, 88, 312, 88, 16, 0xffffff);
  amphisto_graticule_line (&g, 488, 488, 488, 184, 48, 0xff0000ff);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      if (y < 9 || y > 32 || (y > 12 && y < 29))
        g_assert_cmphex (light_at (&g, x, y), ==,
            is_in (x, y, 10, 5, 10, 1)        ? 0xffffff
                : is_in (x, y, 29, 11, 3, 20) ? 0xff0000ff
                                              : 0);
}

/* Asserts the light of a pixel at (x, y), in rows on the display, from the
 * middle of a white line. Edges are as soft as a pixel is wide in this
 * direction. */
static void
assert_cover (const AmphistoGraticule *g, uint32_t light, double x, double y,
    uint32_t thickness)
{
  const double distance = hypot (x, y);
  const double softness = distance > 0
      ? hypot (x * g->pixel_aspect / (double) AMPHISTO_SQUARE_PIXEL, y)
          / distance
      : 1;
  const double inside = (thickness / 32.0 - distance) / softness;

  g_assert_cmpuint (light & 0xff, ==, light >> 8 & 0xff);
  g_assert_cmpuint (light & 0xff, ==, light >> 16 & 0xff);
  if (distance < 0.05)
    g_assert_cmpuint (light & 0xff, >, 180);
  else
    g_assert_cmpfloat (
        fabs ((light & 0xff) / 255.0 - CLAMP (inside + 0.5, 0.0, 1.0)), <=,
        0.03);
}

static void
assert_line (
    int x0, int y0, int x1, int y1, uint32_t thickness, uint32_t aspect)
{
  g_auto (AmphistoGraticule) g = graticule_for (aspect);
  const double pixel_width = aspect / (double) AMPHISTO_SQUARE_PIXEL;
  const double dx = (x1 - x0) * pixel_width, dy = y1 - y0;

  amphisto_graticule_line (&g, x0, y0, x1, y1, thickness, 0xffffff);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) {
      const double px = (16 * x + 8 - x0) * pixel_width, py = 16 * y + 8 - y0;
      const double part = dx == 0 && dy == 0
          ? 0
          : CLAMP ((px * dx + py * dy) / (dx * dx + dy * dy), 0.0, 1.0);

      assert_cover (&g, light_at (&g, x, y), (px - part * dx) / 16,
          (py - part * dy) / 16, thickness);
    }
}

static void
test_line (void)
{
  static const int lines[][4] = { { 160, 85, 803, 560 }, { 803, 560, 160, 85 },
    { 192, 480, 720, 48 }, { -160, 112, 1120, 192 }, { 320, -4800, 480, 8000 },
    { -320, -320, -160, -160 }, { 325, 330, 325, 330 },
    { 325, 330, 326, 330 } };

  for (guint i = 0; i < 5 * G_N_ELEMENTS (aspects); i++)
    for (guint k = 0; IS_ROW (lines, k); k++)
      assert_line (lines[k][0], lines[k][1], lines[k][2], lines[k][3],
          16 + i % 5 * 11, aspects[i / 5]);
}

static void
assert_circle (
    int cx, int cy, uint32_t radius, uint32_t thickness, uint32_t aspect)
{
  g_auto (AmphistoGraticule) g = graticule_for (aspect);

  amphisto_graticule_circle (&g, cx, cy, radius, thickness, 0xffffff);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) {
      const double px = (x + 0.5 - cx / 16.0) * aspect / AMPHISTO_SQUARE_PIXEL;
      const double py = y + 0.5 - cy / 16.0;
      const double distance = hypot (px, py);
      const double outside = 1 - radius / 16.0 / distance;

      if (distance > 0)
        assert_cover (
            &g, light_at (&g, x, y), px * outside, py * outside, thickness);
      else
        g_assert_cmphex (light_at (&g, x, y), ==, 0);
    }
}

static void
test_circle (void)
{
  static const int circles[][3] = { { 480, 320, 240 }, { 488, 328, 405 },
    { 0, 639, 192 }, { -1600, 320, 2080 }, { 4800, 4800, 320 } };

  for (guint i = 0; i < 4 * G_N_ELEMENTS (aspects); i++)
    for (guint k = 0; IS_ROW (circles, k); k++)
      assert_circle (circles[k][0], circles[k][1], circles[k][2],
          16 + i % 4 * 13, aspects[i / 4]);
}

/* Lines across the largest frames. */
static void
test_long (void)
{
  g_auto (AmphistoGraticule) g = graticule_new ();

  amphisto_graticule_line (&g, -32768 * 16, 168, 32767 * 16, 168, 16, 0xff);
  g_assert_cmpuint (n_lit (&g), ==, WIDTH);
  amphisto_graticule_circle (
      &g, 88, (32768 + 20) * 16 + 8, 32768 * 16, 16, 0xff);
  g_assert_cmphex (light_at (&g, 5, 20), ==, 0xff);
}

static void
draw_all (AmphistoGraticule *g, int x, int y)
{
  amphisto_graticule_fill (g, x + 1, y + 2, 9, 3, 0x112233);
  amphisto_graticule_box (g, x + 20, y + 2, 9, 7, 1, 0x445566);
  amphisto_graticule_line (
      g, 16 * x, 16 * y + 100, 16 * x + 200, 16 * y + 300, 16, 0xff);
  amphisto_graticule_circle (g, 16 * x + 500, 16 * y + 300, 100, 16, 0xff00);
  amphisto_graticule_text (g, x + 35, y + 3, 9, "Mg", 0xff0000);
}

/* Everything is relative to (left, top). */
static void
test_origin (void)
{
  for (gsize i = 0; IS_ROW (aspects, i); i++) {
    g_auto (AmphistoGraticule) g = graticule_for (aspects[i]);
    g_auto (AmphistoGraticule) moved = graticule_for (aspects[i]);

    draw_all (&g, 7, 3);
    moved.left = 29;
    moved.top = -22;
    draw_all (&moved, 7 - 29, 3 + 22);
    g_assert_cmpmem (
        moved.light, WIDTH * HEIGHT * 4, g.light, WIDTH * HEIGHT * 4);
  }
}

/* --- text --- */

static const char *const characters = "%-.0123456789YUVRGBAlMgCyPx";

/* Each character has its own glyph, and others are blank. */
static void
test_font (void)
{
  static uint32_t glyphs[256][WIDTH * HEIGHT];

  for (int c = 1; c < 256; c++) {
    const char text[2] = { (char) c, '\0' };
    g_auto (AmphistoGraticule) g = graticule_new ();
    bool is_blank = true;

    amphisto_graticule_text (&g, 8, 8, 7, text, 0xffffff);
    memcpy (glyphs[c], g.light, sizeof glyphs[c]);
    for (gsize i = 0; i < WIDTH * HEIGHT; i++)
      is_blank &= (g.light[i] & 0xffffff) == 0;
    g_assert_true (is_blank == (strchr (characters, c) == NULL));
    for (int k = 1; k < c && !is_blank; k++)
      g_assert_true (memcmp (glyphs[c], glyphs[k], sizeof glyphs[c]) != 0);
  }
}

/* Upright strokes of the smallest text are one pixel wide: 1 and U, without the
 * flag and the round parts. */
static void
test_small_text (void)
{
  g_auto (AmphistoGraticule) g = graticule_new ();

  amphisto_graticule_text (&g, 7, 3, 7, "1U", 0xabcdef);
  for (int y = 3; y < 10; y++)
    g_assert_cmphex (light_at (&g, 9, y), ==, 0xffabcdef);
  for (int y = 3; y < 7; y++)
    for (int x = 10; x < 17; x++)
      g_assert_cmphex (light_at (&g, x, y), ==,
          x == 11 || x == 15 ? 0xffabcdef : AMPHISTO_SHADE (208));
}

/* At all sizes, upright strokes have crisp edges where the text begins and
 * ends.
 */
static void
test_text_size (void)
{
  for (guint i = 0; i < 30 * G_N_ELEMENTS (aspects); i++) {
    const uint32_t height = 7 + i % 30, aspect = aspects[i / 30];
    const int right =
        6 + (int) amphisto_graticule_text_width ("U", height, aspect);
    g_auto (AmphistoGraticule) g = graticule_for (aspect);

    amphisto_graticule_text (&g, 6, 2, height, "U", 0xffffff);
    for (int y = 3 + (int) height / 8; y < (int) height / 2; y++) {
      g_assert_cmpuint (light_at (&g, 5, y) & 0xff, <, 128);
      g_assert_cmpuint (light_at (&g, 6, y) & 0xff, >, 150);
      g_assert_cmpuint (light_at (&g, right - 1, y) & 0xff, >, 150);
      g_assert_cmpuint (light_at (&g, right, y) & 0xff, <, 128);
    }
  }
}

/* Text lies on a backing that dims the lines drawn before. */
static void
test_backing (void)
{
  for (guint i = 0; IS_ROW (aspects, i); i++) {
    const AmphistoArea area =
        amphisto_graticule_text_area (9, 4, 12, "Mg", aspects[i]);
    g_auto (AmphistoGraticule) g = graticule_for (aspects[i]);

    amphisto_graticule_fill (&g, 0, 0, WIDTH, HEIGHT, 0x808080);
    amphisto_graticule_text (&g, 9, 4, 12, "Mg", 0xffffff);
    g_assert_cmpint (area.left, <, 9);
    g_assert_cmpint (area.top, <, 4);
    g_assert_cmpint (area.bottom, >, 4 + 12 + 3);
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++)
        if (is_in (x, y, area.left, area.top, area.right - area.left,
                area.bottom - area.top)) {
          g_assert_cmpuint (light_at (&g, x, y) >> 24, >=, 208);
          if (x == area.left || x == area.right - 1 || y == area.top
              || y == area.bottom - 1)
            g_assert_cmpuint (light_at (&g, x, y) & 0xff, <, 128);
        } else {
          g_assert_cmphex (light_at (&g, x, y), ==, 0x808080);
        }
  }
}

/* Text across all edges. */
static void
test_clipped_text (void)
{
  static const int corners[][2] = { { -20, -5 }, { 45, -5 }, { -20, 35 },
    { 45, 35 } };

  for (gsize i = 0; IS_ROW (corners, i); i++) {
    g_auto (AmphistoGraticule) whole = { 0 };
    g_auto (AmphistoGraticule) g = graticule_new ();

    g_assert_true (amphisto_graticule_init (
        &whole, 3 * WIDTH, 3 * HEIGHT, AMPHISTO_SQUARE_PIXEL));
    amphisto_graticule_text (
        &g, corners[i][0], corners[i][1], 14, "88888", 0xff);
    amphisto_graticule_text (&whole, WIDTH + corners[i][0],
        HEIGHT + corners[i][1], 14, "88888", 0xff);
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++)
        g_assert_cmphex (light_at (&g, x, y), ==,
            whole.light[(HEIGHT + y) * 3 * WIDTH + WIDTH + x]);
    g_assert_cmpuint (n_lit (&g), >, 0);
  }
}

const CoreTest core_tests[] = {
  { "/graticule/rectangles", test_rectangles },
  { "/graticule/brighter", test_brighter },
  { "/graticule/straight", test_straight },
  { "/graticule/line", test_line },
  { "/graticule/circle", test_circle },
  { "/graticule/long", test_long },
  { "/graticule/origin", test_origin },
  { "/graticule/font", test_font },
  { "/graticule/small-text", test_small_text },
  { "/graticule/text-size", test_text_size },
  { "/graticule/backing", test_backing },
  { "/graticule/clipped-text", test_clipped_text },
  { 0 },
};
