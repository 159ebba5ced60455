/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Parameters of the kernels of zebra, false colour, peaking and stripes over
 * pixels out of gamut; see frame_params.h.
 */

#pragma once

#include "frame_params.h"

/* The bands of false colour; between them, the picture is grey. */
#define EXPOSURE_N_BANDS 6

/* The greatest sum of the two gradients of a 3x3 Sobel operator. */
#define EXPOSURE_MAX_GRADIENT 1530

/* The colour of `size` luma values from `first` on, as samples of the
 * components drawn. */
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
  /* The number of components that equal luma in grey pixels, 1 (Y) or 3 (R, G
   * and B). These get stripes. The other components are 128 in grey pixels. */
  amphisto_uint n_luma;

  amphisto_uint has_bands;
  band_params band[EXPOSURE_N_BANDS];

  /* Zebra. Pixels with luma >= `bright` are bright; others with luma <= `dark`
   * are dark. Stripes have a width of `stripe_width` pixels, a power of two up
   * to 128, so that the width is a mask, too. Dark pixels are `black` where (x
   * + y + stripe_phase) & stripe_width, and at least `dark_least` between the
   * stripes. Bright pixels are `white` where (x - y + stripe_phase) &
   * stripe_width, and at most `bright_most` between the stripes. */
  amphisto_uint has_zebra;
  amphisto_uint dark;
  amphisto_uint bright;
  amphisto_uint stripe_width;
  amphisto_uint stripe_phase;
  amphisto_uint black;
  amphisto_uint white;
  amphisto_uint dark_least;
  amphisto_uint bright_most;

  /* Stripes over pixels that are out of gamut: where (x + stripe_phase) &
   * stripe_width, dark pixels are `white`, and bright ones `black`. */
  amphisto_uint has_gamut;

  /* Peaking: pixels of the region where luma's gradient is at least
   * `least_gradient`, 1 to EXPOSURE_MAX_GRADIENT, have the samples
   * `peaking_samples`. The area to draw into begins at pixel (peaking_x,
   * peaking_y) of the region. The rows above and below a pixel are `row_step`
   * apart from its own: 2 in interlaced frames. Beyond the region's edges, its
   * last pixels repeat. */
  amphisto_uint has_peaking;
  amphisto_uint least_gradient;
  amphisto_uint peaking_samples[3];
  amphisto_uint peaking_x;
  amphisto_uint peaking_y;
  amphisto_uint row_step;
} exposure_params;
