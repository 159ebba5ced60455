/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The curves of the scope of the histogram, with its marks and labels: the
 * reference for cl/scopes/curves.cl and cl/scopes/histogram_scope.cl.
 */

#pragma once

#include "core/scopes/scope.h"

/* log2 (n + 1) in 1/1024, for n < 2^32 - 1. Monotonic; approximated by a
 * parabola between powers of two, with an error below 1/100. */
uint32_t amphisto_curves_log (uint32_t n);

size_t amphisto_curves_trace_size (const scope_params *scope);

void amphisto_curves_measure (
    const scope_params *scope, const AmphistoScopeInput *input, void *trace);

void amphisto_curves_draw_pixel (const scope_params *scope, const void *trace,
    uint32_t panel, uint32_t x, uint32_t y, AmphistoPixelLight *light);

/* Copies the labels of marks from below the scope to their places, in the
 * colours of the curves. The rows that they share are dark before. */
void amphisto_curves_draw_labels (const scope_params *scope,
    const AmphistoScopeInput *input, AmphistoGraticule *graticule);
