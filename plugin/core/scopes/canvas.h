/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A canvas for scopes that are not drawn into the frame: they are shown above
 * it later, or alone. Its pixels are BGRA with premultiplied alpha: light
 * replaces the background, which is transparent, or opaque where scopes are
 * alone.
 */

#pragma once

#include "core/scopes/scopes.h"

typedef struct
{
  AmphistoRegion region; /* of the frame, or from (0, 0) on where scopes are
                          * alone; 0 by 0: there is no canvas */
  AmphistoLayout layout; /* one plane of the region's size */
  uint32_t background;   /* a pixel's word, blue in the lowest byte */
  bool has_gaps;         /* pixels without a scope, which show the background */
} AmphistoCanvas;

/* Makes the smallest canvas that holds all scopes, and moves them from their
 * places in the frame to the same places on the canvas. There must be a scope.
 */
void amphisto_canvas_init (AmphistoCanvas *self, AmphistoScopeParams *scopes);

/* Makes a canvas of this size for scopes alone: opaque and black. Scopes are
 * placed on it later; see amphisto_canvas_find_gaps(). */
void amphisto_canvas_init_opaque (
    AmphistoCanvas *self, uint32_t width, uint32_t height);

/* Stores whether the scopes, which are placed on the canvas, leave gaps. */
void amphisto_canvas_find_gaps (
    AmphistoCanvas *self, AmphistoScopeParams *scopes);

/* Fills `frame`, of the canvas's layout, with the background. */
void amphisto_canvas_clear (
    const AmphistoCanvas *self, const AmphistoFrame *frame);
