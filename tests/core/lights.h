/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Searches in the light of a graticule.
 */

#pragma once

#include <glib.h>

#include "core/scopes/graticule.h"

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AmphistoGraticule, amphisto_graticule_clear)

/* A pixel's light; 0 outside. */
uint32_t light_at (const AmphistoGraticule *graticule, int x, int y);

/* Whether red, green and blue of `light` are at least as bright as in `least`.
 */
bool is_light (uint32_t light, uint32_t least);

/* Whether the outline of a square is there, with its sides `half` pixels from
 * its middle. */
bool has_square (
    const AmphistoGraticule *graticule, int x, int y, int half, uint32_t light);

/* The text, drawn alone, with its backing's upper left pixel at (0, 0). Free it
 * with amphisto_graticule_clear(). */
AmphistoGraticule text_alone (
    uint32_t height, const char *text, uint32_t light, uint32_t pixel_aspect);

/* Whether the text is there, with the upper left pixel of its capitals in
 * columns `left` to `right` and rows `top` to `bottom`. */
bool has_text (const AmphistoGraticule *graticule, int left, int top, int right,
    int bottom, uint32_t height, const char *text, uint32_t light);
