/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the kernel of zebra and false colour reads; see frame_params.h.
 */

#ifndef AMPHISTO_CLIPPING_PARAMS_H
#define AMPHISTO_CLIPPING_PARAMS_H

/* a device reads it before this, in one text */
#ifndef AMPHISTO_FRAME_PARAMS_H
#include "frame_params.h"
#endif

/* The bands of false colour; between them, the picture is grey. */
#define CLIPPING_N_BANDS 6

/* Luma of `size` values from `first` on is shown as a colour: these samples of
 * the components drawn. */
typedef struct
{
  amphisto_uint first;
  amphisto_uint size;
  amphisto_uint samples[3];
} band_params;

typedef struct
{
  /* RGB: the luma row of the colour matrix, in 1/65536. */
  amphisto_uint weights[3];
  /* The first components drawn, 1 (Y) or 3 (R, G and B), are luma where the
   * picture is grey, and get stripes. The others are 128 there. */
  amphisto_uint n_luma;

  amphisto_uint has_bands;
  band_params band[CLIPPING_N_BANDS];

  /* Zebra. Luma from `bright` on is bright, else up to `dark` it is dark. There
   * are stripes of `stripe` pixels, a power of two up to 128: on dark pixels of
   * `black`, where (x + y + phase) & stripe, and between them nothing is below
   * `dark_least`; on bright ones of `white`, where (x - y + phase) & stripe,
   * and between them nothing is above `bright_most`. */
  amphisto_uint has_zebra;
  amphisto_uint dark;
  amphisto_uint bright;
  amphisto_uint stripe;
  amphisto_uint phase;
  amphisto_uint black;
  amphisto_uint white;
  amphisto_uint dark_least;
  amphisto_uint bright_most;
} clipping_params;

#endif
