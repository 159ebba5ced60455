/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What all kernels read that draw into a frame: where its planes are, and how
 * light becomes the samples of its components. See frame_params.h.
 */

#ifndef AMPHISTO_DRAWING_PARAMS_H
#define AMPHISTO_DRAWING_PARAMS_H

/* a device reads it before this, in one text */
#ifndef AMPHISTO_FRAME_PARAMS_H
#include "frame_params.h"
#endif

/* Pixels side by side that a graph and its panels begin and end at multiples
 * of, so that they have whole words of every component of every format, and
 * whole steps of the kernels. */
#define OVERLAY_UNIT 16
/* Rows that they begin and end at multiples of, which have whole chroma
 * samples; and those of interlaced frames with a row of chroma for four rows.
 */
#define OVERLAY_ROWS 4
#define OVERLAY_MAX_ROWS 8

/* A component that is drawn into: a sample shows the mean of the pixels that
 * have it. Light r, g, b (0 to 255) that covers alpha/255 of a sample makes it
 *
 *   (sample (255 - alpha) + weights . (r, g, b) + offset alpha) / 255
 *
 * rounded: weights, modulo 2^32, are a row of the colour matrix in 1/255, and
 * offset the sample without light. No light is brighter than its alpha, so
 * that the result never leaves 0 to 255. */
typedef struct
{
  component_params samples;
  amphisto_uint weights[3];
  amphisto_uint offset;
} drawn_params;

/* The part of the frame that is drawn into. */
typedef struct
{
  plane_params source[AMPHISTO_N_PLANES];
  plane_params target[AMPHISTO_N_PLANES];

  /* Y, U, V, or R, G, B, or grey alone; the last is the coarsest. The first
   * n_whole of them have a sample for each pixel. */
  drawn_params drawn[3];
  amphisto_uint n_drawn;
  amphisto_uint n_whole;
} drawing_params;

#endif
