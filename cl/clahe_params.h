/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the kernels of CLAHE read besides the frame's parameters and none
 * writes, in the manner of frame_params.h: compiled by host and device, all
 * members four bytes wide.
 *
 * tiles_x by tiles_y tiles, row by row, cover the picture and begin at its
 * first pixel. Those at the right and the bottom may go beyond it: there, it is
 * mirrored at its last pixels, which are not repeated.
 */

#ifndef AMPHISTO_CLAHE_PARAMS_H
#define AMPHISTO_CLAHE_PARAMS_H

/* a device reads it before this, in one text */
#ifndef AMPHISTO_FRAME_PARAMS_H
#include "frame_params.h"
#endif

typedef struct
{
  amphisto_uint tiles_x;
  amphisto_uint tiles_y;
  /* Of each tile, in pixels. */
  amphisto_uint tile_width;
  amphisto_uint tile_height;

  /* A bin has at most so many samples; what is more is shared out. */
  amphisto_uint limit;
  /* From samples to values of the LUT: (hi - lo) / samples of a tile. Devices'
   * own divisions may be inexact. */
  float scale;
  /* Tiles from pixel to pixel: 1 / tile_width, 1 / tile_height. */
  float per_x;
  float per_y;

  /* Each tile is counted in so many parts, a run of its rows each. */
  amphisto_uint n_parts;
} clahe_params;

#endif
