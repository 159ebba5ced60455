/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the kernel of the clipping indicators reads; see frame_params.h.
 */

#ifndef AMPHISTO_CLIPPING_PARAMS_H
#define AMPHISTO_CLIPPING_PARAMS_H

/* a device reads it before this, in one text */
#ifndef AMPHISTO_FRAME_PARAMS_H
#include "frame_params.h"
#endif

typedef struct
{
  /* Zebra, if n_components is not 0: of these first components, 1 (luma)
   * or 3 (R, G and B), the brightest is at most `black` or at least `white` in
   * clipped pixels. Where (x + y + phase) & stripe, all of them become on_black
   * or on_white. Stripes are `stripe` pixels wide, a power of two. */
  amphisto_uint n_components;
  amphisto_uint black;
  amphisto_uint white;
  amphisto_uint on_black;
  amphisto_uint on_white;
  amphisto_uint stripe;
  amphisto_uint phase;
} clipping_params;

#endif
