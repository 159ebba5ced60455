/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Parameters of all kernels of a frame, in constant memory. The host compiles
 * this file as C, the device as OpenCL C: so all members are four bytes wide,
 * to avoid padding, and none is a pointer. A test compares the two layouts.
 */

#pragma once

#ifdef __OPENCL_VERSION__
typedef uint amphisto_uint;
typedef int amphisto_int;
typedef ulong amphisto_ulong; /* not for members */
#else
#include <stdint.h>
typedef uint32_t amphisto_uint;
typedef int32_t amphisto_int;
typedef uint64_t amphisto_ulong;
#endif

#define AMPHISTO_N_PLANES 4

/* Channels that a histogram can be made of. */
typedef enum
{
  AMPHISTO_CHANNEL_LUMA,
  AMPHISTO_CHANNEL_U,
  AMPHISTO_CHANNEL_V,
  AMPHISTO_CHANNEL_RED,
  AMPHISTO_CHANNEL_GREEN,
  AMPHISTO_CHANNEL_BLUE,
  AMPHISTO_CHANNEL_ALPHA,
  AMPHISTO_CHANNEL_SATURATION, /* of chroma */
  AMPHISTO_N_CHANNELS
} AmphistoChannel;

/* Maximum number of histograms of a frame: one per channel. */
#define AMPHISTO_MAX_SLOTS AMPHISTO_N_CHANNELS
#define AMPHISTO_N_BINS 256
/* Bins of the histogram of pairs of neighbouring samples. */
#define AMPHISTO_N_PAIRS 65536
/* Replicas of each bin in local memory; common GPUs have 32 banks of it. */
#define AMPHISTO_MIN_REPLICAS 4
#define AMPHISTO_MAX_REPLICAS 32
/* Smoothing, in levels; see amphisto_smooth_luma(). Scene cuts: the distance
 * between luma of two frames above which the mean restarts. Lag: the distance
 * between a frame's luma and the mean from which on the frame's weight grows,
 * and the range in which it grows to 1. */
#define AMPHISTO_CUT_DISTANCE 32
#define AMPHISTO_LAG_START 16
#define AMPHISTO_LAG_RANGE 64
/* Gain of chroma, in 1/256. */
#define AMPHISTO_UNIT_GAIN 256
#define AMPHISTO_MAX_GAIN 1024
/* Gamut budget: rows, and columns, of pixels that are probed; and how many of
 * the probes the gain may clip: a twentieth. */
#define AMPHISTO_PROBE_ROWS 64
#define AMPHISTO_N_PROBES (AMPHISTO_PROBE_ROWS * AMPHISTO_PROBE_ROWS)
#define AMPHISTO_MAX_CLIPPED 204
/* Letterbox: mean luma up to which rows and columns are black bars. */
#define AMPHISTO_BLACK_BAR 24
/* EBU R103: bounds of red, green and blue of YUV, -5 to 105 %, and of luma, and
 * of stored red, green and blue, of limited range. Pixels beyond them are out
 * of gamut. */
#define AMPHISTO_GAMUT_LO -12
#define AMPHISTO_GAMUT_HI 267
#define AMPHISTO_LEGAL_LO 5
#define AMPHISTO_LEGAL_HI 246
/* The counts of a frame, in words: the bins of all slots; for each slot the
 * number of rows that work-items have taken (CPU shape); and, from these words
 * on:
 *
 *   AMPHISTO_DIFFERENCE    the lower and the upper 32 bits of the sum of luma's
 *                          differences from the previous frame
 *   AMPHISTO_BYTE_DIFFERENCE  the same of bytes; see bytes_params
 *   AMPHISTO_LETTERBOX     the number of rows from the first row above
 *                          AMPHISTO_BLACK_BAR on, and the number up to the last
 *                          one, 0 if there are none; the same of columns
 *   AMPHISTO_OUT_OF_GAMUT  the number of pixels out of gamut
 *   AMPHISTO_LAPLACIAN     the lower and the upper 32 bits of the sum of luma's
 *                          Laplacian, modulo 2^64, and of the sum of its
 *                          squares
 *   AMPHISTO_VECTOR_ROWS   the number of rows taken for the vectorscope (CPU
 *                          shape) */
#define AMPHISTO_DIFFERENCE (AMPHISTO_MAX_SLOTS * (AMPHISTO_N_BINS + 1))
#define AMPHISTO_BYTE_DIFFERENCE (AMPHISTO_DIFFERENCE + 2)
#define AMPHISTO_LETTERBOX (AMPHISTO_BYTE_DIFFERENCE + 2)
#define AMPHISTO_OUT_OF_GAMUT (AMPHISTO_LETTERBOX + 4)
#define AMPHISTO_LAPLACIAN (AMPHISTO_OUT_OF_GAMUT + 1)
#define AMPHISTO_VECTOR_ROWS (AMPHISTO_LAPLACIAN + 4)
#define AMPHISTO_COUNTS (AMPHISTO_VECTOR_ROWS + 1)

/* Where a plane is in its buffer: offset and stride in bytes. */
typedef struct
{
  amphisto_uint offset;
  amphisto_uint stride;
} plane_params;

/* `plane` of computed components: luma of RGB; saturation, a sample for each
 * pixel of RGB, or for each sample of U and V; red of YUV, followed by green
 * and blue. */
#define AMPHISTO_RGB_LUMA AMPHISTO_N_PLANES
#define AMPHISTO_RGB_SATURATION (AMPHISTO_RGB_LUMA + 1)
#define AMPHISTO_YUV_SATURATION (AMPHISTO_RGB_LUMA + 2)
#define AMPHISTO_YUV_RED (AMPHISTO_RGB_LUMA + 3)

/* A component's samples: `width` samples in each of `height` rows of plane
 * `plane`, from byte `offset` of the row on, `pixel_stride` bytes apart. Pixel
 * (x, y) has sample ((x_phase + x) >> x_shift, row), where
 *
 *   p = y_phase + y
 *   row = p >> y_shift                                          progressive
 *   row = (p >> y_shift + 1) * 2 + p % 2 - row_offset           interlaced
 *
 * In interlaced frames the rows of samples belong to the two fields
 * alternately. A row past the last one is replaced by the previous row of its
 * field: planes may lack the lower field's last row. In whole frames, the
 * phases and row_offset are 0. */
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
  amphisto_uint is_interlaced; /* 0 or 1; 0 if not subsampled vertically */
  amphisto_uint row_offset;    /* modulo 2^32 */
} component_params;

/* Bytes of a plane to compare with the previous frame's: `width` bytes, from
 * byte `offset` on, in each of `height` rows. `mask`: those of four bytes that
 * are compared. */
typedef struct
{
  amphisto_uint plane;
  amphisto_uint offset;
  amphisto_uint width;
  amphisto_uint height;
  amphisto_uint mask;
} bytes_params;

#define AMPHISTO_MAX_COMPARED 3

/* Slots counted together, n_slots from `first_slot` on. GPU shape: the pass's
 * work-groups begin at the previous pass's `end_group` and end before its own.
 */
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

  /* Slot s has the histogram of component measured[s]. Equalization needs luma
   * in slot 0. */
  component_params measured[AMPHISTO_MAX_SLOTS];
  amphisto_uint n_slots;

  /* CPU shape: whether the slot's samples are counted in pairs of neighbours.
   */
  amphisto_uint counts_pairs[AMPHISTO_MAX_SLOTS];

  pass_params pass[AMPHISTO_MAX_SLOTS];
  amphisto_uint n_passes;

  /* GPU shape: the number of replicas of each bin in local memory, a power of
   * two from AMPHISTO_MIN_REPLICAS to AMPHISTO_MAX_REPLICAS. */
  amphisto_uint n_replicas;

  /* Equalization: the LUT's range, and how far pixels move to their equalized
   * value, 0 to 1. */
  amphisto_uint lo;
  amphisto_uint hi;
  float strength;

  /* Whether colours are scaled with the contrast of luma, and the range of U
   * and V. */
  amphisto_uint keeps_colors;
  amphisto_uint chroma_lo;
  amphisto_uint chroma_hi;

  /* Stretching: how many of the darkest and brightest samples may be clipped.
   */
  amphisto_uint stretch_low;
  amphisto_uint stretch_high;

  /* The temporal mean that the LUT is made from: this frame's least weight, 0
   * to 1, and whether the mean restarts with this frame. */
  float frame_weight;
  amphisto_uint resets_mean;
  /* Whether the mean of the gamut budget restarts with this frame; it also does
   * with the mean of the LUT. */
  amphisto_uint resets_budget;

  /* What is compared with the previous frame, luma and bytes of other channels,
   * and whether there is no copy of them yet. */
  amphisto_uint compares_luma;
  amphisto_uint resets_luma;
  bytes_params compared[AMPHISTO_MAX_COMPARED];
  amphisto_uint n_compared;
  amphisto_uint resets_bytes;

  /* Luma. When mapping luma in grey and YUV, `row_bytes` of each row of its
   * plane are written; other components in it stay unchanged. */
  component_params luma;
  amphisto_uint row_bytes;

  /* Sharpness: 1, or the 2 fields of an interlaced frame, of any format. */
  amphisto_uint n_fields;

  /* RGB: the components, the luma row of the colour matrix, and the matrix from
   * (R, G, B, 1) to U and V of full range, in 1/65536. Grey: luma, three times.
   */
  component_params rgb[3];
  amphisto_uint weights[3];
  amphisto_int chroma_matrix[2][4];

  /* YUV: U and V, and the matrix from (Y, U, V, 1) to R, G and B, in 1/65536.
   */
  component_params chroma[2];
  amphisto_int matrix[3][4];

  /* Bounds of luma, or of R, G and B of RGB; full range: 0 and 255. */
  amphisto_uint legal_lo;
  amphisto_uint legal_hi;
} frame_params;
