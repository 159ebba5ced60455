/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The scope of the histogram: its geometry and its graticule.
 */

#pragma once

#include "core/scopes/scope.h"

/* --- the caption below the plot of each panel, in histogram_caption.c: the
 * legend of false colour, the figures of the axis and the letters of the
 * channels --- */

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

/* --- curves, marks and labels: in curves.c, the reference for
 * cl/scopes/curves.cl and cl/scopes/histogram_scope.cl --- */

/* log2 (n + 1) in 1/1024, for n < 2^32 - 1. Monotonic; approximated by a
 * parabola between powers of two, with an error below 1/100. */
uint32_t amphisto_curves_log (uint32_t n);

/* The column, in its panel, of a curve's value v. */
uint32_t amphisto_curves_column (const histogram_scope_params *params,
    const curve_params *curve, uint32_t v);

size_t amphisto_curves_trace_size (const scope_params *scope);

void amphisto_curves_measure (
    const scope_params *scope, const AmphistoScopeInput *input, void *trace);

void amphisto_curves_add_light (const scope_params *scope,
    const AmphistoGraticule *graticule, const void *trace, uint32_t panel,
    uint32_t x, uint32_t y, AmphistoPixelLight *sum);
