/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The light of the vectorscope: the reference for cl/scopes/vectors.cl and
 * cl/scopes/vectorscope.cl.
 */

#pragma once

#include "core/scopes/scopes.h"

/* The first of the components to count: U and V, or R, G and B. */
const AmphistoComponent *amphisto_vectors_samples (
    const AmphistoLayout *layout);

/* These two are functions of AmphistoScope. */

void amphisto_vectors_measure (
    const scope_params *scope, const AmphistoScopeInput *input, void *light);

void amphisto_vectors_add_light (const scope_params *scope,
    const AmphistoGraticule *graticule, const void *light, uint32_t panel,
    uint32_t x, uint32_t y, AmphistoPixelLight *sum);
