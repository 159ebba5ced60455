/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The vectorscope: how often each pair of U and V occurs in the region. Its
 * geometry, its graticule, and the reference for cl/vectors.cl and
 * cl/vectorscope.cl.
 */

#ifndef AMPHISTO_CORE_VECTORSCOPE_H
#define AMPHISTO_CORE_VECTORSCOPE_H

#include "core/scopes.h"
#include "cl/vectorscope_params.h"

/* Stores the parameters for a graph at `place`, of the layout `part`;
 * params->width is 0 if there is no graph.
 *
 * U and V of RGB, of full range, are
 *
 *   (row . (R, G, B) + 128 * 65536 + 32768) >> 16
 *
 * cut off at 255, with the rows, in 1/65536,
 *
 *   U   -a Kr             a Kr - 32768   32768            a = 32768 / (1 - Kb)
 *   V   32768    b Kb - 32768            -b Kb            b = 32768 / (1 - Kr)
 *
 * rounded; so grey has 128, and a whole colour 128 more. */
void amphisto_vectorscope_fill_params (const AmphistoOverlay *overlay,
    const AmphistoScopePlace *place, const AmphistoLayout *part,
    vectorscope_params *params);

/* Divides the counting for n work-groups, in the GPU shape by parts of the
 * plane, too, which fit into local memory of that many bytes, or are as small
 * as n groups allow. */
void amphisto_vectorscope_divide (vectorscope_params *params, uint32_t n,
    bool is_gpu_shape, size_t local_memory, const AmphistoLayout *part);

/* GPU shape: bytes of local memory that a group counts its part in. */
size_t amphisto_vectorscope_part_size (const vectorscope_params *params);

/* The planes that the samples are in, bit p for plane p. */
uint32_t amphisto_vectorscope_planes (const AmphistoLayout *layout);

/* Bytes of the planes that are counted in, and of the light. */
size_t amphisto_vectorscope_counts_size (const vectorscope_params *params);
size_t amphisto_vectorscope_light_size (const vectorscope_params *params);

/* The vector of a colour of the 75 % bars: of those of R, G and B that are
 * `colour`'s bits 0, 1 and 2. u and v are in 1/256, from 128 on. */
void amphisto_vectorscope_target (const vectorscope_params *params,
    uint32_t colour, int percent, int *u, int *v);

/* Draws the graticule of the graph, to be cleared. It is dark if there is to be
 * none.
 *
 * Returns: false if there is no memory. */
bool amphisto_vectorscope_init_graticule (
    const vectorscope_params *params, AmphistoGraticule *graticule);

/* Counts the frame, which has the layout `part`, and stores the light. */
void amphisto_vectorscope_measure (const vectorscope_params *params,
    const AmphistoFrame *frame, uint8_t *light);

/* Draws the graph into the frame. */
void amphisto_vectorscope_draw (const drawing_params *drawing,
    const vectorscope_params *params, const AmphistoGraticule *graticule,
    const uint8_t *light, const AmphistoFrame *frame);

#endif
