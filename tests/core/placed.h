/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Scopes and drawing in frames of a layout, without a plan.
 */

#ifndef PLACED_H
#define PLACED_H

#include "core/scopes.h"

/* The work of scopes that measure the whole frame, and all channels that the
 * layout has of `counted`. */
AmphistoScopeWork scope_work_for (const AmphistoScopeSettings *settings,
    const AmphistoLayout *layout, AmphistoChannelMask counted,
    AmphistoChannelMask shown);

/* The parameters of the enabled scopes: the whole frame is measured, and all
 * channels that the layout has of `counted`. */
AmphistoScopeParams placed_scopes (const AmphistoScopeSettings *settings,
    bool has_legend, const AmphistoLayout *layout, AmphistoChannelMask counted,
    AmphistoChannelMask shown);

/* The parameters for drawing into the whole frame. */
drawing_params drawing_for (const AmphistoLayout *layout);

/* Returns: (transfer full): the scope's light of the frame; free with g_free().
 */
void *measured_light (const AmphistoScope *scope, const scope_params *params,
    const AmphistoFrame *frame);

#endif
