/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The waveform: how often each value occurs in each column of the region. Its
 * geometry, its graticule, and the reference for cl/waveform.cl and
 * cl/traces.cl.
 */

#ifndef AMPHISTO_CORE_WAVEFORM_H
#define AMPHISTO_CORE_WAVEFORM_H

#include "core/graticule.h"
#include "core/scopes.h"
#include "cl/waveform_params.h"

/* Stores the parameters for a graph at `place` of the channels `shown`, counted
 * in a region of the layout `part`. params->n_traces is 0 if there is no graph.
 */
void amphisto_waveform_fill_params (const AmphistoOverlay *overlay,
    const AmphistoScopePlace *place, const AmphistoLayout *part,
    AmphistoChannelMask shown, waveform_params *params);

/* Divides the columns into strips for n counting work-groups. */
void amphisto_waveform_divide (
    waveform_params *params, uint32_t n, bool is_gpu_shape);

/* The size of the light of all traces, in bytes. */
size_t amphisto_waveform_light_size (const waveform_params *params);

/* Draws the graph's graticule; a dark picture if it is disabled. Free it with
 * amphisto_graticule_clear().
 *
 * Returns: false if memory runs out. */
bool amphisto_waveform_init_graticule (
    const waveform_params *params, AmphistoGraticule *graticule);

/* Counts the frame, which has the layout `part`, and stores the light of all
 * traces. */
void amphisto_waveform_measure (
    const waveform_params *params, const AmphistoFrame *frame, uint8_t *light);

/* Draws the graph into the frame. */
void amphisto_waveform_draw (const drawing_params *drawing,
    const waveform_params *params, const AmphistoGraticule *graticule,
    const uint8_t *light, const AmphistoFrame *frame);

#endif
