/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "lights.h"
#include "core/font.h"

#include <stddef.h>

uint32_t
light_at (const AmphistoGraticule *graticule, int x, int y)
{
  return x >= 0 && y >= 0 && x < (int) graticule->width
          && y < (int) graticule->height
      ? graticule->light[(size_t) y * graticule->width + x]
      : 0;
}

bool
is_light (uint32_t light, uint32_t least)
{
  for (uint32_t byte = 0xff; byte <= 0xff0000; byte <<= 8)
    if ((light & byte) < (least & byte))
      return false;
  return true;
}

bool
has_square (
    const AmphistoGraticule *graticule, int x, int y, int half, uint32_t light)
{
  for (int i = -half; i <= half; i++)
    if (!is_light (light_at (graticule, x + i, y - half), light)
        || !is_light (light_at (graticule, x + i, y + half), light)
        || !is_light (light_at (graticule, x - half, y + i), light)
        || !is_light (light_at (graticule, x + half, y + i), light))
      return false;
  return true;
}

/* Dots of a character are lit, and those between them are not. */
static bool
has_character (const AmphistoGraticule *graticule, int x, int y, int scale,
    char character, uint32_t light)
{
  const uint8_t *rows = amphisto_font_glyph (character);

  for (int j = 0; j < AMPHISTO_FONT_HEIGHT * scale; j++)
    for (int i = 0; i < AMPHISTO_FONT_WIDTH * scale; i++) {
      const bool is_dot =
          rows[j / scale] >> (AMPHISTO_FONT_WIDTH - 1 - i / scale) & 1;

      if (is_light (light_at (graticule, x + i, y + j), light) != is_dot)
        return false;
    }
  return true;
}

bool
has_text (const AmphistoGraticule *graticule, int left, int top, int right,
    int bottom, int scale, const char *text, uint32_t light)
{
  for (int y = top; y <= bottom; y++)
    for (int x = left; x <= right; x++) {
      const char *c = text;

      while (*c != '\0'
          && has_character (graticule,
              x + (int) (c - text) * AMPHISTO_FONT_ADVANCE * scale, y, scale,
              *c, light))
        c++;
      if (*c == '\0')
        return true;
    }
  return false;
}
