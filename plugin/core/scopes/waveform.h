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

/* Stores the height of the figures at the left of the plot, 0 if they have no
 * room there. Reads from `params` the panel's size and the plot's height.
 * has_signs: whether any figure has a sign.
 *
 * Returns: the columns that the figures take. */
uint32_t amphisto_waveform_fill_gutter (
    waveform_params *params, bool has_signs);

/* See AmphistoScope. The gutter has the figures of the axis, in per cent; if it
 * has no room, the axis' ends are inside the plot. Panels of U and V alone have
 * signed figures, with 0 in the middle. */
void amphisto_waveform_draw_graticule (
    const scope_params *scope, uint32_t panel, AmphistoGraticule *graticule);
