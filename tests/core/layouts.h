/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Layouts of a few usual formats, with the weights of BT.601, and the matrices
 * of the standards.
 */

#pragma once

#include "core/pixels/frame.h"

/* Full-range grey. */
AmphistoLayout grey_layout (uint32_t width, uint32_t height);

/* Planar limited-range YUV, with chroma subsampled by 2^shift_x and 2^shift_y.
 */
AmphistoLayout yuv_layout (
    uint32_t width, uint32_t height, uint32_t shift_x, uint32_t shift_y);

/* R, G and B, three bytes per pixel. */
AmphistoLayout rgb_layout (uint32_t width, uint32_t height);

/* R, G, B and a byte of padding. */
AmphistoLayout rgbx_layout (uint32_t width, uint32_t height);

/* Kr and Kb of BT.601, BT.709, BT.2020, SMPTE 240M and the FCC. */
#define N_MATRICES 5
extern const double matrices[N_MATRICES][2];

/* Gives the layout one of the matrices, and the range of luma. */
void set_matrix (AmphistoLayout *layout, uint32_t matrix, bool is_limited);
