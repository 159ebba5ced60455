/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/graticule.h"
#include "core/arithmetic.h"
#include "core/font.h"

#include <stdlib.h>
#include <string.h>

bool
amphisto_graticule_init (
    AmphistoGraticule *self, uint32_t width, uint32_t height)
{
  self->width = width;
  self->height = height;
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

  for (uint32_t byte = 0xff; byte <= 0xff0000; byte <<= 8)
    light |= MAX (a & byte, b & byte);
  return light;
}

/* x and y must be within the picture. */
static void
brighten (AmphistoGraticule *self, int x, int y, uint32_t light)
{
  uint32_t *pixel = &self->light[(size_t) y * self->width + x];

  *pixel = brighter (*pixel, light);
}

/* `right` and `bottom` are exclusive. */
typedef struct
{
  int left;
  int top;
  int right;
  int bottom;
} Area;

static Area
clip (const AmphistoGraticule *self, int64_t left, int64_t top, int64_t right,
    int64_t bottom)
{
  return (Area){ MAX (left, 0), MAX (top, 0), MIN (right, self->width),
    MIN (bottom, self->height) };
}

void
amphisto_graticule_fill (AmphistoGraticule *self, int x, int y, uint32_t width,
    uint32_t height, uint32_t light)
{
  const Area area =
      clip (self, x, y, (int64_t) x + width, (int64_t) y + height);

  for (int j = area.top; j < area.bottom; j++)
    for (int i = area.left; i < area.right; i++)
      brighten (self, i, j, light);
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

/* --- smooth edges --- */

static uint32_t
square_root (uint64_t n)
{
  uint64_t root = 0;

  for (uint64_t bit = 1ull << 31; bit > 0; bit >>= 1)
    if ((root | bit) * (root | bit) <= n)
      root |= bit;
  return root;
}

/* Draws a pixel with antialiasing. distance: of its centre from the middle of
 * the line, in 1/16 pixel. */
static void
draw_near (AmphistoGraticule *self, int x, int y, uint64_t distance,
    uint32_t thickness, uint32_t light)
{
  const int64_t inside = 8 * (int64_t) thickness + 8 - (int64_t) distance;
  const uint32_t cover = MIN (MAX (inside, 0), 16);

  brighten (self, x, y,
      AMPHISTO_LIGHT ((light & 0xff) * cover / 16,
          (light >> 8 & 0xff) * cover / 16, (light >> 16 & 0xff) * cover / 16));
}

void
amphisto_graticule_line (AmphistoGraticule *self, int x0, int y0, int x1,
    int y1, uint32_t thickness, uint32_t light)
{
  const int64_t reach = thickness;
  const int64_t dx = (int64_t) x1 - x0, dy = (int64_t) y1 - y0;
  const int64_t length = square_root (256 * (uint64_t) (dx * dx + dy * dy));
  const Area area = clip (self, (int64_t) MIN (x0, x1) - reach,
      (int64_t) MIN (y0, y1) - reach, (int64_t) MAX (x0, x1) + reach + 1,
      (int64_t) MAX (y0, y1) + reach + 1);

  for (int y = area.top; y < area.bottom; y++)
    for (int x = area.left; x < area.right; x++) {
      const int64_t along = dx * (x - x0) + dy * (y - y0);
      const int64_t across = dx * (y - y0) - dy * (x - x0);

      if (along >= 0 && along <= dx * dx + dy * dy)
        draw_near (self, x, y,
            length > 0 ? (uint64_t) llabs (across) * 256 / length
                       : 16 * (uint64_t) MAX (llabs (x - x0), llabs (y - y0)),
            thickness, light);
    }
}

void
amphisto_graticule_circle (AmphistoGraticule *self, int x, int y,
    uint32_t radius, uint32_t thickness, uint32_t light)
{
  const int64_t reach = (int64_t) radius + thickness;
  const int64_t inner = MAX (0, (int64_t) radius - thickness);
  const Area area =
      clip (self, x - reach, y - reach, x + reach + 1, y + reach + 1);

  for (int j = area.top; j < area.bottom; j++)
    for (int i = area.left; i < area.right; i++) {
      const int64_t square =
          ((int64_t) i - x) * (i - x) + ((int64_t) j - y) * (j - y);

      if (square >= inner * inner && square <= reach * reach)
        draw_near (self, i, j,
            llabs ((int64_t) square_root (256 * (uint64_t) square)
                - 16 * (int64_t) radius),
            thickness, light);
    }
}

/* --- text --- */

uint32_t
amphisto_graticule_text_scale (uint32_t height)
{
  return MAX (1, (height + 48) / 112);
}

uint32_t
amphisto_graticule_text_width (const char *text, uint32_t scale)
{
  const uint32_t n = strlen (text);
  const uint32_t space = AMPHISTO_FONT_ADVANCE - AMPHISTO_FONT_WIDTH;

  return n > 0 ? (n * AMPHISTO_FONT_ADVANCE - space) * scale : 0;
}

uint32_t
amphisto_graticule_text_height (uint32_t scale)
{
  return AMPHISTO_FONT_HEIGHT * scale;
}

void
amphisto_graticule_text (AmphistoGraticule *self, int x, int y, uint32_t scale,
    const char *text, uint32_t light)
{
  for (; *text != '\0'; text++) {
    const uint8_t *rows = amphisto_font_glyph (*text);

    for (int j = 0; j < AMPHISTO_FONT_HEIGHT; j++)
      for (int i = 0; i < AMPHISTO_FONT_WIDTH; i++)
        if (rows[j] >> (AMPHISTO_FONT_WIDTH - 1 - i) & 1)
          amphisto_graticule_fill (self, x + i * (int) scale,
              y + j * (int) scale, scale, scale, light);
    x += AMPHISTO_FONT_ADVANCE * (int) scale;
  }
}
