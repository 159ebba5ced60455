/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Blends values of LUTs with the identity.
 *
 * Floats: as in equalize.cl, every operation is rounded separately.
 */

#pragma once

#include "frame_params.h"
#include "pixels/packed_uchar.cl"

#pragma OPENCL FP_CONTRACT OFF

/* Value i of a LUT: between i and `value`, by the strength. */
INLINE uchar
move_value (constant frame_params *params, uint i, uint value)
{
  const float move = params->strength * (float) ((int) value - (int) i);

  return (uchar) rint ((float) i + move);
}
