/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The Laplacian of luma, for the picture's sharpness, in plain C: the reference
 * for cl/measure/sharpness.cl.
 */

#pragma once

#include "core/pixels/frame.h"

/* The sums of the Laplacian of all pixels, and of its square. */
typedef struct
{
  int64_t sum;
  uint64_t squares;
} AmphistoLaplacian;

/* Adds up the Laplacian of luma of a part of a frame,
 *
 *   0  1  0
 *   1 -4  1
 *   0  1  0
 *
 * as OpenCV's Laplacian() has it: the border is reflected without its edge, and
 * a single row or column is its own neighbour. Each of the n_fields fields, 1
 * or 2, is a picture of its own. */
AmphistoLaplacian amphisto_sharpness_add_up (
    const AmphistoFrame *part, uint32_t n_fields);

/* The variance of the Laplacian of n pixels. */
double amphisto_sharpness_variance (const AmphistoLaplacian *sums, uint64_t n);
