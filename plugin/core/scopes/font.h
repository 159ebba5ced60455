/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Text in graticules, in a small font of strokes: the digits, the letters of
 * the channels (Y U V R G B A) and of the colours (R G Yl B Mg Cy), x, and
 * the signs of minus and per cent. Other characters are blank.
 */

#pragma once

#include "core/scopes/graticule.h"

/* The least height of legible text, in rows. */
#define AMPHISTO_TEXT_LEAST 7

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
