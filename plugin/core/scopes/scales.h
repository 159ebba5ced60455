/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The decaying scales of the histogram's scope: the reference for what
 * cl/scopes/curves.cl does with them.
 */

#pragma once

#include "core/scopes/scope.h"

/* Moves the peaks, one for each scale, to this frame's; see
 * amphisto_histogram_scope. bins: one histogram per slot. */
void amphisto_scales_move (const histogram_scope_params *params,
    const uint32_t bins[][AMPHISTO_N_BINS], uint32_t *peaks);
