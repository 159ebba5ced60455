/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A white outline around the region that is measured: the reference for
 * cl/scopes/outline.cl.
 */

#pragma once

#include "core/pixels/frame.h"
#include "cl/drawing_params.h"
#include "cl/outline_params.h"

/* Stores the parameters of an outline just inside `region`, which must be
 * within the frame; see amphisto_drawing_least_line() for its width. */
void amphisto_outline_fill_params (const AmphistoLayout *layout,
    const AmphistoRegion *region, outline_params *params);

/* Draws the outline into the frame; `drawing` and the frame are whole. A
 * subsampled component gets the mean of each sample's pixels; at odd edges, the
 * last column or row stands in for missing pixels. */
void amphisto_outline_draw (const drawing_params *drawing,
    const outline_params *params, const AmphistoFrame *frame);
