/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Places of scopes that fill a frame of their own, without the picture.
 */

#pragma once

#include "core/scopes/scope.h"

/* Stores places, sizes and panels of the wanted scopes in frames of
 * `work->filled`; see amphisto_places_fill(). The scopes divide the frame
 * evenly in a row, in a column, or two by two, whichever makes the smallest
 * panel largest in its good shape: 4:3, square for the vectorscope. While
 * panels would be illegible, the last scope is left out: its parameters stay
 * 0. A scope that is left alone may be as small as in other frames.
 *
 * Returns: the scopes that fit. */
AmphistoScopes amphisto_alone_fill (const AmphistoScopeWork *work,
    AmphistoScopes wanted, const AmphistoScope *const kinds[AMPHISTO_N_SCOPES],
    scope_params *scopes[AMPHISTO_N_SCOPES]);
