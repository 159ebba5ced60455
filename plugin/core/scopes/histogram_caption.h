/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The caption below the plot of each panel of the histogram: the legend of
 * false colour, the figures of the axis and the letters of the channels.
 */

#pragma once

#include "core/scopes/scope.h"

/* The column, in its panel, of a code or, if params->is_percent, of a per cent,
 * 0 to 100. */
uint32_t amphisto_histogram_axis_column (
    const histogram_scope_params *params, uint32_t at);

/* Reads from `params` the panel's size, the plot's width, the curves, the axis
 * and the settings.
 *
 * Returns: the height of a panel's caption in rows; 0 if there is nothing to
 * show, or no room. */
uint32_t amphisto_histogram_caption_height (
    const histogram_scope_params *params);

/* Draws the caption of a panel, which begins at the graticule's (left, top). */
void amphisto_histogram_caption_draw (const histogram_scope_params *params,
    uint32_t panel, AmphistoGraticule *graticule);
