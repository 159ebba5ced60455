/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Parameters of all kernels that draw into a frame: its planes, and the matrix
 * from light to samples of its components. See frame_params.h.
 */

#ifndef AMPHISTO_DRAWING_PARAMS_H
#define AMPHISTO_DRAWING_PARAMS_H

/* on a device, it is concatenated before this file */
#ifndef AMPHISTO_FRAME_PARAMS_H
#include "frame_params.h"
#endif

/* Horizontal alignment of graphs and panels, in pixels: they consist of whole
 * words of every component in every format, and of whole chunks of the kernels.
 */
#define OVERLAY_UNIT 16
/* Vertical alignment of graphs and panels, in rows, for whole chroma samples.
 * OVERLAY_MAX_ROWS is for interlaced frames with one chroma row per four rows.
 */
#define OVERLAY_ROWS 4
#define OVERLAY_MAX_ROWS 8

/* A component to draw into. A subsampled component shows the mean light of each
 * sample's pixels. Light r, g, b (0 to 255) with alpha (0 to 255) changes a
 * sample to
 *
 *   (sample (255 - alpha) + weights . (r, g, b) + offset alpha) / 255
 *
 * rounded. weights, modulo 2^32, are a row of the colour matrix in 1/255;
 * offset is the sample for black. Light never exceeds its alpha, so the result
 * stays within 0 to 255. */
typedef struct
{
  component_params samples;
  amphisto_uint weights[3];
  amphisto_uint offset;
} drawn_params;

/* The part of the frame to draw into. */
typedef struct
{
  plane_params source[AMPHISTO_N_PLANES];
  plane_params target[AMPHISTO_N_PLANES];

  /* Y, U, V, or R, G, B, or grey alone; the last is the coarsest. The first
   * n_whole components are not subsampled. */
  drawn_params drawn[3];
  amphisto_uint n_drawn;
  amphisto_uint n_whole;
} drawing_params;

#endif
