/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Parameters of all kernels that draw into a frame: its planes, and the matrix
 * from light to samples of its components. See frame_params.h.
 */

#pragma once

#include "frame_params.h"

/* Scopes are multiples of SCOPE_UNIT pixels wide: whole words of every
 * component in every format, and whole chunks of the kernels. */
#define SCOPE_UNIT 16
/* Vertical alignment of scopes and panels, in rows, for whole chroma samples.
 * SCOPE_MAX_ROWS is for interlaced frames with one chroma row per four rows.
 */
#define SCOPE_ROWS 4
#define SCOPE_MAX_ROWS 8

/* Light from this on is opaque; fainter light lets the picture shine through. A
 * divisor of 256. */
#define SCOPE_OPAQUE_LIGHT 32
/* The least brightness of a trace's samples. Over a graticule, a trace adds at
 * least this much light, or all of its own if that is less. */
#define SCOPE_TRACE_LIGHT 36

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

/* What to draw into: the frame, or the region. */
typedef struct
{
  plane_params source[AMPHISTO_N_PLANES];
  plane_params target[AMPHISTO_N_PLANES];

  /* Y, U, V, or R, G, B, or grey alone; the last is the coarsest. The first
   * n_whole components are not subsampled. */
  drawn_params drawn[3];
  amphisto_uint n_drawn;
  amphisto_uint n_whole;

  /* The picture's own alpha, which rises to the light's. */
  component_params alpha;
  amphisto_uint has_alpha;

  /* Whether it is a canvas: light replaces its pixels, as they are transparent;
   * see plugin/core/scopes/canvas.h. */
  amphisto_uint is_canvas;
} drawing_params;
