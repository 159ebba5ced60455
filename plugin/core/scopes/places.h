/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Places of the scopes: side by side along an edge of the frame, from the
 * corner on; or on a canvas of their own, which they fill.
 */

#pragma once

#include "core/scopes/scope.h"

/* Sizes of panels in pixels. Panels smaller than AMPHISTO_LEGIBLE_… are
 * enlarged if the frame has room. Scopes with panels smaller than
 * AMPHISTO_LEAST_… are left out. */
#define AMPHISTO_LEGIBLE_WIDTH 96
#define AMPHISTO_LEGIBLE_HEIGHT 48
#define AMPHISTO_LEAST_WIDTH 32
#define AMPHISTO_LEAST_HEIGHT 16
#define AMPHISTO_LEAST_SQUARE 32
/* Heights of curves are 16-bit numbers in 1/16 pixel; leaves room for a line on
 * top. */
#define AMPHISTO_MOST_HEIGHT 4000
/* Curves advance by whole 1/65536 bins from column to column: in wider panels,
 * they would be more than half a bin off at the right end. Positions on the
 * axis, in 1/65536 of the width, fit into 32 bits. */
#define AMPHISTO_MOST_WIDTH 32768
/* Alignment of panels within a scope, in pixels. */
#define AMPHISTO_PANEL_UNIT 4

/* Stores places and sizes of the wanted scopes along an edge; scopes[i] belongs
 * to flag 1 << i, and has its number of panels and their pixel aspect. Each
 * scope has the requested size, raised to a legible one if the frame has room.
 * If that is too large, all shrink together, with their margins. In frames that
 * are higher than wide, scopes that are no longer legible take two rows. A
 * scope that does not fit even if all become tiny is left out: its parameters
 * become 0.
 *
 * Returns: the scopes that fit. */
AmphistoScopes amphisto_places_fill (const AmphistoScopeWork *work,
    AmphistoScopes wanted, scope_params *scopes[AMPHISTO_N_SCOPES]);

/* The same for `scopes-only`; in scopes_only.c. The scopes fill the frame in a
 * row, a column, or two by two, whichever makes the smallest panel largest. The
 * vectorscope is square, the others divide the rest evenly, but leave some of
 * it rather than be narrower than 4:3. While panels would be illegible, the
 * last scope is left out. A single scope may be as small as in other frames. */
AmphistoScopes amphisto_scopes_only_fill (const AmphistoScopeWork *work,
    AmphistoScopes wanted, scope_params *scopes[AMPHISTO_N_SCOPES]);
