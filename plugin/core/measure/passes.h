/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Passes: slots that are counted together, because they have the same samples.
 */

#pragma once

#include "cl/frame_params.h"
#include "core/measure/division.h"

#include <stddef.h>

/* Divides the slots of `params` into passes. GPU shape: also the groups among
 * the passes, and local memory among replicas of the bins.
 *
 * Returns: the bytes to count the frame in. GPU shape: local memory of a
 * counting group. CPU shape: the pairs of samples of all groups; 0 if no slot
 * counts them. */
size_t amphisto_passes_fill_params (
    frame_params *params, const AmphistoDivision *division);
