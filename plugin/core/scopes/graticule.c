/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/graticule.h"
#include "core/pixels/arithmetic.h"
#include "core/pixels/frame.h"

#include <stdlib.h>

bool
amphisto_graticule_init (AmphistoGraticule *self, uint32_t width,
    uint32_t height, uint32_t pixel_aspect)
{
  self->width = width;
  self->height = height;
  self->pixel_aspect = pixel_aspect;
  self->left = self->top = 0;
  self->light = calloc (MAX (1, (size_t) width * height), sizeof (uint32_t));
  return self->light != NULL;
}

void
amphisto_graticule_clear (AmphistoGraticule *self)
{
  free (self->light);
  *self = (AmphistoGraticule){ 0 };
}

static uint32_t
brighter (uint32_t a, uint32_t b)
{
  uint32_t light = 0;

  for (uint32_t byte = 0xff; byte != 0; byte <<= 8)
    light |= MAX (a & byte, b & byte);
  return light;
}

/* n/256 of light and shade. */
static uint32_t
dimmed (uint32_t light, uint32_t n)
{
  return ((light & 0xff00ff) * n >> 8 & 0xff00ff)
      | ((light >> 8 & 0xff00ff) * n & 0xff00ff00);
}

/* x and y must be within the picture. */
static void
brighten (AmphistoGraticule *self, int x, int y, uint32_t light)
{
  uint32_t *pixel = &self->light[(size_t) y * self->width + x];

  *pixel = brighter (*pixel, light);
}

static AmphistoArea
clip (const AmphistoGraticule *self, int64_t left, int64_t top, int64_t right,
    int64_t bottom)
{
  return (AmphistoArea){ MAX (left, 0), MAX (top, 0), MIN (right, self->width),
    MIN (bottom, self->height) };
}

void
amphisto_graticule_fill (AmphistoGraticule *self, int x, int y, uint32_t width,
    uint32_t height, uint32_t light)
{
  const int64_t left = (int64_t) self->left + x;
  const int64_t top = (int64_t) self->top + y;
  const AmphistoArea area = clip (self, left, top, left + width, top + height);

  for (int j = area.top; j < area.bottom; j++)
    for (int i = area.left; i < area.right; i++)
      brighten (self, i, j, light);
}

void
amphisto_graticule_shade (
    AmphistoGraticule *self, AmphistoArea area, uint32_t shade)
{
  area = clip (self, self->left + area.left, self->top + area.top,
      self->left + area.right, self->top + area.bottom);
  for (int y = area.top; y < area.bottom; y++)
    for (int x = area.left; x < area.right; x++) {
      uint32_t *pixel = &self->light[(size_t) y * self->width + x];

      if (*pixel >> 24 < shade)
        *pixel = dimmed (*pixel & 0xffffff, 256 - shade) | shade << 24;
    }
}

void
amphisto_graticule_erase (AmphistoGraticule *self, AmphistoArea area)
{
  area = clip (self, self->left + area.left, self->top + area.top,
      self->left + area.right, self->top + area.bottom);
  for (int y = area.top; y < area.bottom; y++)
    for (int x = area.left; x < area.right; x++)
      self->light[(size_t) y * self->width + x] = 0;
}

void
amphisto_graticule_box (AmphistoGraticule *self, int x, int y, uint32_t width,
    uint32_t height, uint32_t thickness, uint32_t light)
{
  const uint32_t across = MIN (thickness, width);
  const uint32_t down = MIN (thickness, height);

  amphisto_graticule_fill (self, x, y, width, down, light);
  amphisto_graticule_fill (self, x, y + height - down, width, down, light);
  amphisto_graticule_fill (self, x, y, across, height, light);
  amphisto_graticule_fill (self, x + width - across, y, across, height, light);
}

/* --- soft edges --- */

/* On the display, in 1/256 row. */
typedef struct
{
  int64_t x;
  int64_t y;
} Vector;

/* x, y: in 1/16 pixel. */
static Vector
vector (const AmphistoGraticule *self, int64_t x, int64_t y)
{
  return (Vector){ x * self->pixel_aspect / 256, y * 16 };
}

static int64_t
square_of (Vector v)
{
  return v.x * v.x + v.y * v.y;
}

static int64_t
length_of (Vector v)
{
  const int64_t square = square_of (v);
  int64_t bit = 1, root = 0;

  while (bit * bit <= square)
    bit <<= 1;
  for (; bit > 0; bit >>= 1)
    if ((root | bit) * (root | bit) <= square)
      root |= bit;
  return root;
}

/* The most distant pixels that a stroke covers in part, in 1/256 row from its
 * middle. */
static int64_t
reach_of (const AmphistoGraticule *self, uint32_t thickness)
{
  return 8 * (int64_t) thickness + MAX (256, self->pixel_aspect / 16);
}

/* Draws a pixel of a stroke. away: from the nearest point of the stroke's
 * middle to the pixel's centre. The edge is as soft as a pixel is wide in this
 * direction. */
static void
draw_near (AmphistoGraticule *self, int x, int y, Vector away,
    uint32_t thickness, uint32_t light)
{
  const int64_t reach = reach_of (self, thickness);

  if (square_of (away) > reach * reach)
    return;

  const int64_t distance = length_of (away);
  const int64_t inside = 8 * (int64_t) thickness - distance;
  const int64_t softness = length_of (
      (Vector){ away.x * self->pixel_aspect / AMPHISTO_SQUARE_PIXEL, away.y });
  const int64_t cover =
      128 + (softness > 0 ? inside * distance / softness : inside);

  brighten (self, x, y, dimmed (light, MIN (MAX (cover, 0), 256)));
}

/* The pixels within `reach`, in 1/256 row, of a rectangle in 1/16 pixel. */
static AmphistoArea
area_around (const AmphistoGraticule *self, int64_t left, int64_t top,
    int64_t right, int64_t bottom, int64_t reach)
{
  const int64_t down = reach / 16;
  const int64_t across = reach * 256 / self->pixel_aspect;

  return clip (self, (left - across) / 16 - 1, (top - down) / 16 - 1,
      (right + across) / 16 + 1, (bottom + down) / 16 + 1);
}

void
amphisto_graticule_line (AmphistoGraticule *self, int x0, int y0, int x1,
    int y1, uint32_t thickness, uint32_t light)
{
  const int left = 16 * self->left, top = 16 * self->top;
  const Vector d = vector (self, (int64_t) x1 - x0, (int64_t) y1 - y0);
  const int64_t length = MAX (1, length_of (d));
  const AmphistoArea area =
      area_around (self, left + MIN (x0, x1), top + MIN (y0, y1),
          left + MAX (x0, x1), top + MAX (y0, y1), reach_of (self, thickness));

  for (int y = area.top; y < area.bottom; y++)
    for (int x = area.left; x < area.right; x++) {
      const Vector p =
          vector (self, 16 * x + 8 - left - x0, 16 * y + 8 - top - y0);
      const int64_t along = (p.x * d.x + p.y * d.y) / length;
      const int64_t across = (p.x * d.y - p.y * d.x) / length;
      Vector away = { across * d.y / length, -across * d.x / length };

      if (along <= 0)
        away = p;
      else if (along > length)
        away = (Vector){ p.x - d.x, p.y - d.y };
      draw_near (self, x, y, away, thickness, light);
    }
}

void
amphisto_graticule_circle (AmphistoGraticule *self, int x, int y,
    uint32_t radius, uint32_t thickness, uint32_t light)
{
  const int64_t middle_x = 16 * self->left + x, middle_y = 16 * self->top + y;
  const int64_t middle = 16 * (int64_t) radius;
  const int64_t outer = middle + reach_of (self, thickness);
  const int64_t inner = MAX (0, middle - reach_of (self, thickness));
  const AmphistoArea area =
      area_around (self, middle_x, middle_y, middle_x, middle_y, outer);

  for (int j = area.top; j < area.bottom; j++)
    for (int i = area.left; i < area.right; i++) {
      const Vector p =
          vector (self, 16 * i + 8 - middle_x, 16 * j + 8 - middle_y);
      const int64_t square = square_of (p);

      if (square >= inner * inner && square <= outer * outer) {
        const int64_t length = MAX (1, length_of (p));
        const int64_t outside = length - middle;

        draw_near (self, i, j,
            (Vector){ p.x * outside / length, p.y * outside / length },
            thickness, light);
      }
    }
}
