/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The waveform: how often each value occurs in each column of the region. Its
 * geometry, its graticule, and the reference for cl/scopes/waveform.cl and
 * cl/scopes/traces.cl.
 */

#pragma once

#include "core/scopes/scope.h"

/* Divides the columns into strips for n counting work-groups. */
void amphisto_waveform_divide (
    waveform_params *params, uint32_t n, bool is_gpu_shape);

/* See AmphistoScope. Letters are above the plot; the figures of the axis are
 * at the left of the first panels. */
void amphisto_waveform_draw_graticule (
    const scope_params *scope, uint32_t panel, AmphistoGraticule *graticule);
