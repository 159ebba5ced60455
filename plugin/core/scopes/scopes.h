/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * All scopes: their parameters, and the room that they need.
 */

#pragma once

#include "core/scopes/scope.h"

/* Stores pointers to the parameters of all scopes. */
void amphisto_scopes_list (
    AmphistoScopeParams *params, scope_params *scopes[AMPHISTO_N_SCOPES]);

/* Returns: the enabled scopes that have something to show. */
AmphistoScopes amphisto_scopes_with_content (const AmphistoScopeWork *work);

/* Returns: how the channels share the scopes: as the settings say, but
 * overlaid if a parade has panels that are too narrow to read, or no room for
 * all scopes. */
AmphistoDisplay amphisto_scopes_display (const AmphistoScopeWork *work);

/* Places the scopes and stores their parameters; see places.h. Scopes that have
 * no content, or no room, get no panels: their parameters are 0.
 *
 * Returns: the scopes that are drawn. */
AmphistoScopes amphisto_scopes_fill_params (
    const AmphistoScopeWork *work, AmphistoScopeParams *params);

/* Stores the size, in pixels, of the smallest frame that has room for all
 * scopes with content, and is at least as wide and as high as this one. A
 * parade may be overlaid there. needs_parade: the frame is wide enough for the
 * parade, which has several channels. */
void amphisto_scopes_find_room (const AmphistoScopeWork *work,
    bool needs_parade, uint32_t *width, uint32_t *height);
