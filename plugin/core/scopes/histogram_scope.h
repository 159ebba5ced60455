/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The scope of the histogram: its geometry and its graticule. Below the plot of
 * each panel is a caption: the legend of false colour, the values at both ends
 * of the scale and the letters of the channels.
 */

#pragma once

#include "core/scopes/scopes.h"
#include "cl/histogram_scope_params.h"

/* Reads from `params` the panel's size, the plot's width, the number of curves
 * and the settings.
 *
 * Returns: the height of a panel's caption in rows; 0 if there is nothing to
 * show, or no room. */
uint32_t amphisto_histogram_scope_caption_height (
    const histogram_scope_params *params);

/* The length, in 16-bit numbers, of the array that the kernel calculate_curves
 * writes and draw_histogram reads. */
size_t amphisto_histogram_scope_n_columns (
    const histogram_scope_params *params);
