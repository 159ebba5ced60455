/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The standards' matrices, in double.
 */

#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Kr and Kb of BT.601, BT.709, BT.2020, SMPTE 240M and the FCC. */
#define N_MATRICES 5
extern const double matrices[N_MATRICES][2];

/* Stores the codes of Y, U and V, not rounded, of red, green and blue, 0 to
 * 255. */
void yuv_of (
    uint32_t matrix, bool is_limited, const double rgb[3], double yuv[3]);

/* The inverse. Pixels outside the gamut are below 0 or above 255. */
void rgb_of (
    uint32_t matrix, bool is_limited, const double yuv[3], double rgb[3]);
