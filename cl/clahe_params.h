/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Parameters of the CLAHE kernels, besides frame_params; see frame_params.h.
 *
 * tiles_x by tiles_y tiles, numbered row by row, cover the picture from its
 * first pixel on. Tiles at the right and the bottom may extend beyond the
 * picture. It is mirrored there, at its last pixels, which are not repeated.
 */

#pragma once

#include "frame_params.h"

typedef struct
{
  amphisto_uint tiles_x;
  amphisto_uint tiles_y;
  /* Size of a tile in pixels. */
  amphisto_uint tile_width;
  amphisto_uint tile_height;

  /* Maximum of a bin; the excess is redistributed to all bins. */
  amphisto_uint limit;
  /* LUT values per sample: (hi - lo) / samples of a tile. Divided on the host,
   * because devices may divide inexactly. */
  float scale;
  /* Tiles per pixel: 1 / tile_width, 1 / tile_height. */
  float per_x;
  float per_y;

  /* Slices of a tile's rows; each has a partial histogram. */
  amphisto_uint n_slices;
} clahe_params;
