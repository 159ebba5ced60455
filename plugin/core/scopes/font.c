/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/graticule.h"
#include "core/pixels/arithmetic.h"
#include "core/pixels/frame.h"

#include <limits.h>
#include <string.h>

/* The shade of text that has no backing. */
#define HALF_SHADE 128
/* Capitals are CAPITAL units of the grid high. Descenders are DESCENT longer,
 * and SPACE is between glyphs. */
#define CAPITAL 12
#define DESCENT 4
#define SPACE 4
/* Lines in a bend. */
#define N_LINES 8
/* Most points of a stroke, corners counted twice. */
#define MOST_POINTS 20

/* A glyph is one or more strokes, with a space between them. A stroke is a list
 * of points on a grid: the column, a digit, and the row, a letter: 'a' at the
 * top, 'm' at the bottom of capitals. A stroke begins at its first point and
 * ends at its last; each point in between pulls it to itself: the stroke is a
 * quadratic B-spline. Capital letters are corners: the stroke goes through them
 * and is straight on both sides. */
/* clang-format off */

static const char *const glyphs[UCHAR_MAX + 1] = {
  ['%'] = "0A2A2D0D0A 8J8M6M6J8J 8A0M",
  ['-'] = "0G6G",
  ['.'] = "0M0M",
  ['0'] = "4a8a8g8m0m0g0a4a",
  ['1'] = "0C4A4M",
  ['2'] = "0c0a8a8g0M8M",
  ['3'] = "0c0a8a8g3G8g8m0m0k",
  ['4'] = "6M6A0I8I",
  ['5'] = "8A0A0F8f8m0m0k",
  ['6'] = "8c8a0a0g0m8m8f0f0i",
  ['7'] = "0A8A3M",
  ['8'] = "4a8a8g0g0a4a 4g8g8m0m0g4g",
  ['9'] = "0k0m8m8g8a0a0h8h8e",
  ['A'] = "0M4A8M 2I6I",
  ['B'] = "0A0M8m8g0G 0A8a8g0G",
  ['C'] = "8c8a0a0g0m8m8k",
  ['G'] = "8c8a0a0g0m8m8G4G",
  ['M'] = "0M0A4I8A8M",
  ['P'] = "0M0A8a8g0G",
  ['R'] = "0M0A8a8g0G 4G8M",
  ['U'] = "0A0g0m8m8g8A",
  ['V'] = "0A4M8A",
  ['Y'] = "0A4G8A 4G4M",
  ['g'] = "6i6e0e0m6m6i 6E6l6q0q0o",
  ['l'] = "0A0j0m2m",
  ['x'] = "0E6M 6E0M",
  ['y'] = "0E4M 8E2Q",
};

/* clang-format on */

static const char *
glyph_of (char c)
{
  const char *glyph = glyphs[(unsigned char) c];

  return glyph != NULL ? glyph : "";
}

static uint32_t
glyph_width (const char *glyph)
{
  uint32_t width = 0;

  for (; *glyph != '\0'; glyph++)
    if (*glyph > ' ' && *glyph <= '9')
      width = MAX (width, (uint32_t) (*glyph - '0'));
  return width;
}

/* --- sizes --- */

/* The thickness of strokes in 1/16 row; the columns and rows of a stroke, and
 * of capitals without it. These are whole, so that upright strokes are crisp.
 */
typedef struct
{
  uint32_t thickness;
  uint32_t stroke[2];
  uint32_t capital[2];
} Size;

static Size
size_of (uint32_t height, uint32_t pixel_aspect)
{
  const uint32_t stroke = MAX (1, (height + 3) / 8);
  const uint32_t capital = height - stroke;
  const uint32_t half = pixel_aspect / 2;

  return (Size){ MAX (16, 2 * height),
    { MAX (1, (stroke * AMPHISTO_SQUARE_PIXEL + half) / pixel_aspect), stroke },
    { (capital * AMPHISTO_SQUARE_PIXEL + half) / pixel_aspect, capital } };
}

/* Pixels between the first point of the grid and another: columns for axis 0,
 * rows for axis 1. */
static int
pixels_of (const Size *size, uint32_t axis, uint32_t units)
{
  return (int) ((units * size->capital[axis] + CAPITAL / 2) / CAPITAL);
}

/* Columns from a glyph to the next: at least one is between them. */
static int
advance (const Size *size, const char *glyph)
{
  return pixels_of (size, 0, glyph_width (glyph))
      + MAX (pixels_of (size, 0, SPACE), (int) size->stroke[0] + 1);
}

uint32_t
amphisto_graticule_text_width (
    const char *text, uint32_t height, uint32_t pixel_aspect)
{
  const Size size = size_of (height, pixel_aspect);
  int width = 0;

  for (; *text != '\0'; text++)
    width += advance (&size, glyph_of (*text));
  return MAX (0, width - advance (&size, "") + (int) size.stroke[0]);
}

AmphistoArea
amphisto_graticule_text_area (
    int x, int y, uint32_t height, const char *text, uint32_t pixel_aspect)
{
  const Size size = size_of (height, pixel_aspect);
  const int width =
      (int) amphisto_graticule_text_width (text, height, pixel_aspect);
  const int descent =
      strpbrk (text, "gy") != NULL ? pixels_of (&size, 1, DESCENT) : 0;

  return (AmphistoArea){ x - (int) size.stroke[0], y - (int) size.stroke[1],
    x + width + (int) size.stroke[0],
    y + (int) height + descent + (int) size.stroke[1] };
}

/* --- strokes --- */

/* A glyph, with the first point of its grid at (x, y), in 1/16 pixel. */
typedef struct
{
  AmphistoGraticule *graticule;
  Size size;
  int x;
  int y;
  uint32_t light;
} Glyph;

/* Relative to the glyph; in 1/16 pixel. */
typedef struct
{
  int x;
  int y;
} Point;

static Point
point_of (const Glyph *glyph, const char *c)
{
  return (Point){ 16 * pixels_of (&glyph->size, 0, c[0] - '0'),
    16 * pixels_of (&glyph->size, 1, (c[1] & 31) - 1) };
}

static Point
middle (Point a, Point b)
{
  return (Point){ (a.x + b.x) / 2, (a.y + b.y) / 2 };
}

/* Part n of N_LINES of the way along a quadratic Bezier curve. */
static int
bend (int from, int control, int to, int n)
{
  const int rest = N_LINES - n;

  return (from * rest * rest + 2 * control * n * rest + to * n * n)
      / (N_LINES * N_LINES);
}

/* Without a bend, it is one line. */
static void
draw_bend (const Glyph *glyph, Point from, Point control, Point to)
{
  const bool is_straight = (from.x == control.x && from.y == control.y)
      || (to.x == control.x && to.y == control.y);
  Point last = from;

  for (int n = is_straight ? N_LINES : 1; n <= N_LINES; n++) {
    const Point next = { bend (from.x, control.x, to.x, n),
      bend (from.y, control.y, to.y, n) };

    amphisto_graticule_line (glyph->graticule, glyph->x + last.x,
        glyph->y + last.y, glyph->x + next.x, glyph->y + next.y,
        glyph->size.thickness, glyph->light);
    last = next;
  }
}

/* Returns: the end of the stroke. */
static const char *
draw_stroke (const Glyph *glyph, const char *c)
{
  Point p[MOST_POINTS];
  int n = 0;

  for (; *c > ' '; c += 2) {
    p[n++] = point_of (glyph, c);
    if (c[1] < 'a') {
      p[n] = p[n - 1];
      n++;
    }
  }
  for (int i = 1; i + 1 < n; i++)
    draw_bend (glyph, i == 1 ? p[0] : middle (p[i - 1], p[i]), p[i],
        i + 2 == n ? p[n - 1] : middle (p[i], p[i + 1]));
  return c;
}

/* light: with its shade. */
static void
draw_text (AmphistoGraticule *self, int x, int y, uint32_t height,
    const char *text, uint32_t light)
{
  Glyph glyph = { self, size_of (height, self->pixel_aspect), 0, 0, light };

  glyph.x = 16 * x + 8 * (int) glyph.size.stroke[0];
  glyph.y = 16 * y + 8 * (int) glyph.size.stroke[1];
  for (; *text != '\0'; text++) {
    const char *c = glyph_of (*text);
    const int next = glyph.x + 16 * advance (&glyph.size, c);

    do
      c = draw_stroke (&glyph, c);
    while (*c++ == ' ');
    glyph.x = next;
  }
}

void
amphisto_graticule_text (AmphistoGraticule *self, int x, int y, uint32_t height,
    const char *text, uint32_t light)
{
  amphisto_graticule_shade (self,
      amphisto_graticule_text_area (x, y, height, text, self->pixel_aspect),
      AMPHISTO_TEXT_BACKING);
  draw_text (self, x, y, height, text, light | AMPHISTO_SHADE (255));
}

void
amphisto_graticule_bare_text (AmphistoGraticule *self, int x, int y,
    uint32_t height, const char *text, uint32_t light)
{
  amphisto_graticule_erase (self,
      amphisto_graticule_text_area (x, y, height, text, self->pixel_aspect));
  draw_text (self, x, y, height, text, light | AMPHISTO_SHADE (HALF_SHADE));
}
