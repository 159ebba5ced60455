/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Places of the scopes: side by side along an edge of the frame, from the
 * corner on.
 */

#pragma once

#include "core/scopes/scope.h"

/* Stores places, sizes and panels of the wanted scopes; kinds[i] and scopes[i]
 * belong to flag 1 << i. Each has the requested size, raised to a legible one
 * if the frame has room. If that is too large, all shrink together, with their
 * margins. In frames that are higher than wide, scopes that are no longer
 * legible take two rows. A scope that does not fit even if all become tiny is
 * left out: its parameters stay 0.
 *
 * Returns: the scopes that fit. */
AmphistoScopes amphisto_places_fill (const AmphistoScopeWork *work,
    AmphistoScopes wanted, const AmphistoScope *const kinds[AMPHISTO_N_SCOPES],
    scope_params *scopes[AMPHISTO_N_SCOPES]);

/* Stores the size, in pixels, of the smallest frame that has room for all
 * wanted scopes, and is at least as wide and as high as this one. */
void amphisto_places_find_room (const AmphistoScopeWork *work,
    AmphistoScopes wanted, const AmphistoScope *const kinds[AMPHISTO_N_SCOPES],
    uint32_t *width, uint32_t *height);
