/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Layouts of a few usual formats, with the weights of BT.601.
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
