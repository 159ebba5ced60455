/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The vectorscope: how often each pair of U and V occurs in the region. Its
 * geometry and its graticule.
 */

#pragma once

#include "core/scopes/scope.h"

/* Divides the counting among n work-groups. In the GPU shape, also divides the
 * plane into sub-planes that fit into `local_memory` bytes, or are as small as
 * n groups allow. */
void amphisto_vectorscope_divide (vectorscope_params *params, uint32_t n,
    bool is_gpu_shape, size_t local_memory, const AmphistoLayout *part);

/* GPU shape: bytes of local memory for a group's sub-plane. */
size_t amphisto_vectorscope_subplane_size (const vectorscope_params *params);

/* The vector of a colour bar of `percent` % amplitude. Bits 0, 1 and 2 of
 * `colour` select R, G and B. u and v are relative to 128, in 1/256. */
void amphisto_vectorscope_target (const vectorscope_params *params,
    uint32_t colour, int percent, int *u, int *v);

/* The side of the box around a 75 % bar, for a plot of `plot` pixels. */
uint32_t amphisto_vectorscope_box_size (uint32_t plot);

/* Draws the graticule of a panel; see AmphistoScope. */
void amphisto_vectorscope_draw_graticule (
    const scope_params *scope, uint32_t panel, AmphistoGraticule *graticule);

/* The first of the components to count: U and V, or R, G and B. */
const AmphistoComponent *amphisto_vectors_samples (
    const AmphistoLayout *layout);

/* These two are functions of AmphistoScope. */

void amphisto_vectors_measure (
    const scope_params *scope, const AmphistoScopeInput *input, void *trace);

void amphisto_vectors_draw_pixel (const scope_params *scope, const void *trace,
    uint32_t panel, uint32_t x, uint32_t y, AmphistoPixelLight *light);
