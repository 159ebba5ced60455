/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Moves a temporal mean towards the value of a frame.
 *
 * Floats: as in equalize.cl, every operation is rounded separately.
 */

#pragma once

#include "pixels/packed_uchar.cl"

#pragma OPENCL FP_CONTRACT OFF

/* How a frame updates the means: its weight, and whether they restart. */
typedef struct
{
  float weight;
  uint is_new;
} mean_update;

/* The mean after a frame with this value. */
INLINE float
move_mean (mean_update update, float mean, uint value)
{
  const float move = update.weight * ((float) value - mean);

  return update.is_new != 0 ? (float) value : mean + move;
}
