/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The captions of the histogram's graph: a strip below the plot of each panel,
 * with the legend of false colour, the values at both ends of the scale and the
 * letters of the channels.
 */

#ifndef AMPHISTO_CORE_CAPTIONS_H
#define AMPHISTO_CORE_CAPTIONS_H

#include "core/frame.h"
#include "core/graticule.h"
#include "core/overlay.h"

/* The height of a panel's caption in rows; 0 if there is nothing to show, or no
 * room. Reads from `params` the panel's size, the plot's width and the number
 * of curves. */
uint32_t amphisto_captions_height (const overlay_params *params,
    const AmphistoOverlay *overlay, const AmphistoLayout *layout);

/* Draws the captions of all panels, one below another, each panel_width by
 * panel_height - caption_top pixels. `channels`: one for each curve. Free the
 * captions with amphisto_graticule_clear().
 *
 * Returns: false if memory runs out. */
bool amphisto_captions_init (AmphistoGraticule *captions,
    const overlay_params *params, const AmphistoOverlay *overlay,
    const AmphistoLayout *layout, AmphistoChannelMask channels);

/* Stores the captions as the kernel draw_overlay reads them: for each row,
 * `width` numbers of red, then of green, then of blue. */
void amphisto_captions_split (
    const AmphistoGraticule *captions, uint16_t *columns);

#endif
