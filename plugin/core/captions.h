/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The captions of the histogram's graph: a strip below the plot of each panel,
 * with the key of false colour, the ends of the scale in figures and the
 * letters of the channels.
 */

#ifndef AMPHISTO_CORE_CAPTIONS_H
#define AMPHISTO_CORE_CAPTIONS_H

#include "core/frame.h"
#include "core/graticule.h"
#include "core/overlay.h"

/* The rows that a panel's caption takes; 0: there is nothing, or no room.
 * Depends on the panel's size, the plot's width, and the number of curves. */
uint32_t amphisto_captions_height (const overlay_params *params,
    const AmphistoOverlay *overlay, const AmphistoLayout *layout);

/* Draws the captions of all panels, one under another, each panel_width by
 * panel_height - caption_top pixels. `channels` are those of the curves. Free
 * them with amphisto_graticule_clear().
 *
 * Returns: false if there is no memory. */
bool amphisto_captions_init (AmphistoGraticule *captions,
    const overlay_params *params, const AmphistoOverlay *overlay,
    const AmphistoLayout *layout, AmphistoChannelMask channels);

/* Stores the captions as the kernel draw_overlay reads them: of each row,
 * `width` numbers each of red, green and blue. */
void amphisto_captions_split (
    const AmphistoGraticule *captions, uint16_t *columns);

#endif
