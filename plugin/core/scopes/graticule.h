/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The graticules of the scopes: lines and text that are the same in every
 * frame. They are drawn once, in plain C and in integers, for reference and
 * devices alike.
 */

#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A pixel's light in one word: red in the lowest byte, then green, then blue. 0
 * is dark. The highest byte is shade, 0 to 255, which dims the traces under the
 * graticule. */
#define AMPHISTO_LIGHT(r, g, b) ((uint32_t) (r) | (g) << 8 | (b) << 16)
#define AMPHISTO_SHADE(shade) ((uint32_t) (shade) << 24)

/* A picture of light, without padding between rows. Drawing is clipped to the
 * picture. Of the old and the new light, the brighter stays, for red, green,
 * blue and shade separately. */
typedef struct
{
  uint32_t width;
  uint32_t height;
  uint32_t pixel_aspect;
  uint32_t *light;
  int left; /* the pixel from which drawing counts columns and rows */
  int top;
} AmphistoGraticule;

/* In pixels. `right` and `bottom` are exclusive. */
typedef struct
{
  int left;
  int top;
  int right;
  int bottom;
} AmphistoArea;

/* Makes a dark picture. Free it with amphisto_graticule_clear(). pixel_aspect:
 * a pixel's width on the display, in 1/AMPHISTO_SQUARE_PIXEL of its height.
 *
 * Returns: false if memory runs out. */
bool amphisto_graticule_init (AmphistoGraticule *self, uint32_t width,
    uint32_t height, uint32_t pixel_aspect);

void amphisto_graticule_clear (AmphistoGraticule *self);

/* --- whole pixels --- */

/* x and y are relative to (left, top), and may lie outside the picture. */
void amphisto_graticule_fill (AmphistoGraticule *self, int x, int y,
    uint32_t width, uint32_t height, uint32_t light);

/* The outline of the rectangle, `thickness` pixels wide, inside it. */
void amphisto_graticule_box (AmphistoGraticule *self, int x, int y,
    uint32_t width, uint32_t height, uint32_t thickness, uint32_t light);

/* Dims light and traces in the area, unless they have as much shade already. */
void amphisto_graticule_shade (
    AmphistoGraticule *self, AmphistoArea area, uint32_t shade);

/* Makes the area dark, without shade. */
void amphisto_graticule_erase (AmphistoGraticule *self, AmphistoArea area);

/* --- soft edges --- */

/* Positions are in 1/16 pixel from the upper left corner of (left, top): 8 is
 * the middle of a pixel. Distances are measured on the display, in 1/16 row:
 * circles are round, and strokes evenly thick. The thickness is at least 16. */

/* A stroke with round ends. */
void amphisto_graticule_line (AmphistoGraticule *self, int x0, int y0, int x1,
    int y1, uint32_t thickness, uint32_t light);

void amphisto_graticule_circle (AmphistoGraticule *self, int x, int y,
    uint32_t radius, uint32_t thickness, uint32_t light);

/* --- text, in a small font of strokes: font.c --- */

/* The font has the digits, the letters of the channels (Y U V R G B A), of the
 * colours (R G Yl B Mg Cy) and of percentiles (P), x, the point, and the signs
 * of minus and per cent. Other characters are blank. */

/* The least height of legible text, in rows. */
#define AMPHISTO_TEXT_LEAST 7

/* The shade behind text. */
#define AMPHISTO_TEXT_BACKING 208

/* The height of text is the height of its capitals, in rows, at least
 * AMPHISTO_TEXT_LEAST.
 *
 * Returns: the width of text in pixels, without space around it. */
uint32_t amphisto_graticule_text_width (
    const char *text, uint32_t height, uint32_t pixel_aspect);

/* Returns: the backing of text at (x, y): a little larger than its capitals and
 * descenders. */
AmphistoArea amphisto_graticule_text_area (
    int x, int y, uint32_t height, const char *text, uint32_t pixel_aspect);

/* Draws text, with the upper left pixel of its capitals at (x, y), on a dark
 * backing. It has full shade: no trace shows through. */
void amphisto_graticule_text (AmphistoGraticule *self, int x, int y,
    uint32_t height, const char *text, uint32_t light);

/* The same without a backing and at half shade: traces show through. Lines are
 * erased around it. */
void amphisto_graticule_bare_text (AmphistoGraticule *self, int x, int y,
    uint32_t height, const char *text, uint32_t light);
