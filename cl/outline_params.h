/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Parameters of the kernel that draws the outline of a region; see
 * frame_params.h.
 */

#pragma once

#include "frame_params.h"

/* A line of `line_width` pixels just inside the region of width by height
 * pixels from (x, y) on. The region is within the frame. 0 by 0: none. */
typedef struct
{
  amphisto_uint x;
  amphisto_uint y;
  amphisto_uint width;
  amphisto_uint height;
  amphisto_uint line_width;
} outline_params;
