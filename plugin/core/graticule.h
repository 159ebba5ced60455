/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The graticules of the scopes: lines and text that are the same in every
 * frame. They are drawn once, in plain C and in integers, for reference and
 * devices alike.
 */

#ifndef AMPHISTO_CORE_GRATICULE_H
#define AMPHISTO_CORE_GRATICULE_H

#include <stdbool.h>
#include <stdint.h>

/* A pixel's light in one word: red in the lowest byte, then green, then blue. 0
 * is dark. */
#define AMPHISTO_LIGHT(r, g, b) ((uint32_t) (r) | (g) << 8 | (b) << 16)

/* A picture of light, without padding between rows. Drawing is clipped to the
 * picture and never darkens it: of the old and the new light, the brighter
 * stays, for red, green and blue separately. */
typedef struct
{
  uint32_t width;
  uint32_t height;
  uint32_t *light;
} AmphistoGraticule;

/* Makes a dark picture. Free it with amphisto_graticule_clear().
 *
 * Returns: false if memory runs out. */
bool amphisto_graticule_init (
    AmphistoGraticule *self, uint32_t width, uint32_t height);

void amphisto_graticule_clear (AmphistoGraticule *self);

/* x and y are relative to the picture's upper left pixel, here and below. They
 * may lie outside the picture. */
void amphisto_graticule_fill (AmphistoGraticule *self, int x, int y,
    uint32_t width, uint32_t height, uint32_t light);

/* The outline of the rectangle, `thickness` pixels wide, inside it. */
void amphisto_graticule_box (AmphistoGraticule *self, int x, int y,
    uint32_t width, uint32_t height, uint32_t thickness, uint32_t light);

/* A line between the centres of two pixels, both included, with smooth edges.
 */
void amphisto_graticule_line (AmphistoGraticule *self, int x0, int y0, int x1,
    int y1, uint32_t thickness, uint32_t light);

/* A circle around the centre of a pixel, with smooth edges. */
void amphisto_graticule_circle (AmphistoGraticule *self, int x, int y,
    uint32_t radius, uint32_t thickness, uint32_t light);

/* The scale of text, in multiples of the font's size, in a graph of this
 * height. */
uint32_t amphisto_graticule_text_scale (uint32_t height);

/* The size of text in pixels, without space around it. */
uint32_t amphisto_graticule_text_width (const char *text, uint32_t scale);
uint32_t amphisto_graticule_text_height (uint32_t scale);

/* Text from its upper left pixel on; see core/font.h for the characters. */
void amphisto_graticule_text (AmphistoGraticule *self, int x, int y,
    uint32_t scale, const char *text, uint32_t light);

#endif
