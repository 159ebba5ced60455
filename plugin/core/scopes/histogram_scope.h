/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The scope of the histogram: its geometry and its graticule. Below the plot of
 * each panel is a caption: the legend of false colour, the values at both ends
 * of the scale and the letters of the channels.
 */

#pragma once

#include "core/scopes/scope.h"

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

/* --- curves, marks and labels: in curves.c, the reference for
 * cl/scopes/curves.cl and cl/scopes/histogram_scope.cl --- */

/* log2 (n + 1) in 1/1024, for n < 2^32 - 1. Monotonic; approximated by a
 * parabola between powers of two, with an error below 1/100. */
uint32_t amphisto_curves_log (uint32_t n);

/* The first column, in its panel, of a gridline or mark at value v. */
uint32_t amphisto_curves_line_column (
    const histogram_scope_params *params, uint32_t v);

size_t amphisto_curves_trace_size (const scope_params *scope);

void amphisto_curves_measure (
    const scope_params *scope, const AmphistoScopeInput *input, void *trace);

void amphisto_curves_add_light (const scope_params *scope,
    const AmphistoGraticule *graticule, const void *trace, uint32_t panel,
    uint32_t x, uint32_t y, AmphistoPixelLight *sum);
