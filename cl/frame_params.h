/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What all kernels of a frame read, in constant memory. Host and device compile
 * it, as C and as OpenCL C: so all members are four bytes wide, which leaves
 * nothing to pad, and none is a pointer. A test compares the two layouts.
 */

#ifndef AMPHISTO_FRAME_PARAMS_H
#define AMPHISTO_FRAME_PARAMS_H

#ifdef __OPENCL_VERSION__
typedef uint amphisto_uint;
typedef int amphisto_int;
#else
#include <stdint.h>
typedef uint32_t amphisto_uint;
typedef int32_t amphisto_int;
#endif

#define AMPHISTO_N_PLANES 4
/* Histograms of a frame: of luma, U, V, red, green, blue and alpha. */
#define AMPHISTO_MAX_SLOTS 7
#define AMPHISTO_N_BINS 256
/* Bins of the histogram of pairs of neighbouring samples. */
#define AMPHISTO_N_PAIRS 65536
/* Copies of each bin in local memory: common GPUs have 32 banks of it. */
#define AMPHISTO_MIN_LANES 4
#define AMPHISTO_MAX_LANES 32
/* How far a frame's luma may be from its mean over time before the mean
 * restarts: levels that a sample has moved, on average. */
#define AMPHISTO_CUT_DISTANCE 32
/* The bins of all slots, then (CPU shape) for each slot the number of rows that
 * work-items have taken. */
#define AMPHISTO_COUNTS (AMPHISTO_MAX_SLOTS * (AMPHISTO_N_BINS + 1))

/* Where a plane lies in its buffer; offset and stride in bytes. */
typedef struct
{
  amphisto_uint offset;
  amphisto_uint stride;
} plane_params;

/* `plane` of computed components: luma of RGB; and red of YUV, after which come
 * green and blue. */
#define AMPHISTO_RGB_LUMA AMPHISTO_N_PLANES
#define AMPHISTO_YUV_RED (AMPHISTO_RGB_LUMA + 1)

/* Where a component's samples lie: `width` samples in each of `height` rows of
 * plane `plane`, the first `offset` bytes into the row, the next `pixel_stride`
 * bytes on. Pixel (x, y) has sample ((x_phase + x) >> x_shift, row), where
 *
 *   p = y_phase + y
 *   row = p >> y_shift                                          progressive
 *   row = (p >> y_shift + 1) * 2 + p % 2 - row_offset           interlaced
 *
 * In interlaced frames the rows of samples belong to the two fields in turn. A
 * row behind the last one is replaced by the one before it in its field. In
 * whole frames, the phases and row_offset are 0. */
typedef struct
{
  amphisto_uint plane;
  amphisto_uint offset;
  amphisto_uint pixel_stride;
  amphisto_uint width;
  amphisto_uint height;
  amphisto_uint x_shift;
  amphisto_uint y_shift;
  amphisto_uint x_phase;
  amphisto_uint y_phase;
  amphisto_uint is_interlaced; /* 0 or 1; 0 where each pixel has a sample */
  amphisto_uint row_offset;    /* modulo 2^32 */
} component_params;

/* GPU shape: slots that are counted together, n_slots from `first_slot` on, by
 * the work-groups behind those of the pass before up to `end_group`. */
typedef struct
{
  amphisto_uint first_slot;
  amphisto_uint n_slots;
  amphisto_uint end_group;
} pass_params;

typedef struct
{
  plane_params source[AMPHISTO_N_PLANES];
  plane_params target[AMPHISTO_N_PLANES];

  /* The histogram in slot s is that of component measured[s]. */
  component_params measured[AMPHISTO_MAX_SLOTS];
  amphisto_uint n_slots;

  /* CPU shape: whether the slot's samples are counted in pairs. */
  amphisto_uint counts_pairs[AMPHISTO_MAX_SLOTS];

  /* GPU shape: the passes, and copies of each bin in local memory, a power of
   * two from AMPHISTO_MIN_LANES to AMPHISTO_MAX_LANES. */
  pass_params pass[AMPHISTO_MAX_SLOTS];
  amphisto_uint n_passes;
  amphisto_uint n_lanes;

  /* Equalization: the slot of the histogram that the LUT is made from, the
   * LUT's range, and how far pixels move to it, 0 to 1. */
  amphisto_uint luma_slot;
  amphisto_uint lo;
  amphisto_uint hi;
  float strength;

  /* The mean over time that the LUT is made from: the weight of this frame, 0
   * to 1, and whether the mean restarts with it. */
  float renewal;
  amphisto_uint resets_mean;

  /* Luma. Where it is mapped, in grey and YUV, `row_bytes` of each row of its
   * plane are written, other components as they were. */
  component_params luma;
  amphisto_uint row_bytes;

  /* RGB: the components, and the luma row of the colour matrix, in 1/65536. */
  component_params rgb[3];
  amphisto_uint weights[3];

  /* YUV: U and V, and the rows of the matrix to R, G, B, in 1/65536, that the
   * vector (Y, U, V, 1) is multiplied by. */
  component_params chroma[2];
  amphisto_int matrix[3][4];
} frame_params;

#endif
