/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the kernels of CLAHE read besides frame_params; see frame_params.h.
 *
 * tiles_x by tiles_y tiles, numbered row by row, cover the picture from its
 * first pixel on. Those at the right and the bottom may go beyond it; there,
 * the picture is mirrored at its last pixels, which are not repeated.
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

  /* The most samples of a bin; those over it are given back to all bins. */
  amphisto_uint limit;
  /* From samples to values of the LUT: (hi - lo) / samples of a tile. Divided
   * by the host, because devices may divide inexactly. */
  float scale;
  /* Tiles per pixel: 1 / tile_width, 1 / tile_height. */
  float per_x;
  float per_y;

  /* Parts that each tile is counted in, slices of its rows. */
  amphisto_uint n_parts;
} clahe_params;

#endif
