/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Indicators of clipped pixels in the picture itself: their parameters, and the
 * reference for cl/clipping.cl.
 */

#ifndef AMPHISTO_CORE_CLIPPING_H
#define AMPHISTO_CORE_CLIPPING_H

#include "core/overlay.h"
#include "cl/clipping_params.h"
#include "cl/drawing_params.h"

/* Stores the parameters for frames of the layout; `phase` is 0. If there is
 * nothing to draw, params->n_components is 0. */
void amphisto_clipping_fill_params (const AmphistoOverlay *overlay,
    const AmphistoLayout *layout, clipping_params *params);

/* Draws stripes onto those pixels of `target` that are clipped in `source`,
 * which has the same layout and may be the same frame. YUV and grey: Y is at or
 * beyond the ends of its range; the stripe replaces it. RGB: the brightest of
 * R, G and B is 0 or 255; a grey replaces all three. */
void amphisto_clipping_draw (const drawing_params *drawing,
    const clipping_params *params, const AmphistoFrame *source,
    const AmphistoFrame *target);

#endif
