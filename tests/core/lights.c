/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "lights.h"

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

AmphistoGraticule
text_alone (
    uint32_t height, const char *text, uint32_t light, uint32_t pixel_aspect)
{
  const AmphistoArea area =
      amphisto_graticule_text_area (0, 0, height, text, pixel_aspect);
  AmphistoGraticule alone;

  g_assert_true (amphisto_graticule_init (
      &alone, area.right - area.left, area.bottom - area.top, pixel_aspect));
  amphisto_graticule_text (&alone, -area.left, -area.top, height, text, light);
  return alone;
}

/* Strokes have the text's light, and between them it is dark. text: drawn
 * alone. */
static bool
has_text_at (const AmphistoGraticule *graticule, const AmphistoGraticule *text,
    int x, int y)
{
  for (int j = 0; j < (int) text->height; j++)
    for (int i = 0; i < (int) text->width; i++) {
      const uint32_t expected = light_at (text, i, j);
      const uint32_t light = light_at (graticule, x + i, y + j);

      if (expected >> 24 == 255
              ? ((light ^ expected) & 0xffffff) != 0
              : (expected & 0xffffff) == 0 && (light & 0xe0e0e0) != 0)
        return false;
    }
  return true;
}

bool
has_text (const AmphistoGraticule *graticule, int left, int top, int right,
    int bottom, uint32_t height, const char *text, uint32_t light)
{
  const AmphistoArea area = amphisto_graticule_text_area (
      0, 0, height, text, graticule->pixel_aspect);
  AmphistoGraticule alone =
      text_alone (height, text, light, graticule->pixel_aspect);
  bool is_there = false;

  for (int y = top; y <= bottom && !is_there; y++)
    for (int x = left; x <= right && !is_there; x++)
      is_there = has_text_at (graticule, &alone, x + area.left, y + area.top);
  amphisto_graticule_clear (&alone);
  return is_there;
}
