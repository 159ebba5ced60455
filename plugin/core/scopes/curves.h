/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The curves of the histogram's scope in plain C: the reference for
 * cl/scopes/curves.cl and cl/scopes/histogram_scope.cl. See
 * core/scopes/scopes.h.
 */

#pragma once

#include "core/scopes/scopes.h"
#include "cl/histogram_scope_params.h"

/* log2 (n + 1) in 1/1024, for n < 2^32 - 1. Monotonic; approximated by a
 * parabola between powers of two, with an error below 1/100. */
uint32_t amphisto_curves_log (uint32_t n);

/* The first column, in its panel, of a gridline or mark at value v. */
uint32_t amphisto_curves_line_column (
    const histogram_scope_params *params, uint32_t v);

size_t amphisto_curves_size (const scope_params *scope);

void amphisto_curves_measure (
    const scope_params *scope, const AmphistoScopeInput *input, void *light);

void amphisto_curves_add_light (const scope_params *scope,
    const AmphistoGraticule *graticule, const void *light, uint32_t panel,
    uint32_t x, uint32_t y, AmphistoPixelLight *sum);
