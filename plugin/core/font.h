/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A small font for graticules.
 */

#ifndef AMPHISTO_CORE_FONT_H
#define AMPHISTO_CORE_FONT_H

#include <stdint.h>

/* The size of a glyph in dots, and the distance from one glyph to the next. */
#define AMPHISTO_FONT_WIDTH 5
#define AMPHISTO_FONT_HEIGHT 7
#define AMPHISTO_FONT_ADVANCE 6

/* Returns: the glyph's rows from the top, the leftmost dot in bit 4; a blank
 * for characters not in the font. */
const uint8_t *amphisto_font_glyph (char c);

#endif
