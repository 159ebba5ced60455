/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A canvas for scopes that are not drawn into the frame, but shown above it
 * later. Its pixels are BGRA with premultiplied alpha: what light leaves on
 * transparent black. A canvas begins at a word, and has no padding.
 */

#pragma once

#include "core/scopes/scopes.h"

typedef struct
{
  AmphistoRegion region; /* of the frame; 0 by 0: there is no canvas */
  AmphistoLayout layout; /* one plane of the region's size */
  bool has_gaps;         /* pixels without a scope, which are transparent */
} AmphistoCanvas;

/* Makes the smallest canvas that holds all scopes, and moves them from their
 * places in the frame to the same places on the canvas. There must be a scope.
 */
void amphisto_canvas_init (AmphistoCanvas *self, AmphistoScopeParams *scopes);

/* Makes all pixels of `frame`, a canvas, transparent. */
void amphisto_canvas_clear (const AmphistoFrame *frame);
