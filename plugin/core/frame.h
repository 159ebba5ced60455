/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A video frame in plain C: where the samples of each channel lie in memory.
 */

#ifndef AMPHISTO_CORE_FRAME_H
#define AMPHISTO_CORE_FRAME_H

#include "cl/frame_params.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a histogram can be of. */
typedef enum
{
  AMPHISTO_CHANNEL_LUMA,
  AMPHISTO_CHANNEL_U,
  AMPHISTO_CHANNEL_V,
  AMPHISTO_CHANNEL_RED,
  AMPHISTO_CHANNEL_GREEN,
  AMPHISTO_CHANNEL_BLUE,
  AMPHISTO_CHANNEL_ALPHA,
  AMPHISTO_N_CHANNELS
} AmphistoChannel;

/* The channel's name: "luma", "u", "v", "red", "green", "blue" or "alpha". */
const char *amphisto_channel_name (AmphistoChannel channel);

/* A set of channels: bit AMPHISTO_CHANNEL_BIT (c) stands for channel c. */
typedef uint32_t AmphistoChannelMask;
#define AMPHISTO_CHANNEL_BIT(channel) ((AmphistoChannelMask) 1 << (channel))

/* Where a channel's samples lie. A computed channel lies nowhere: only its
 * width and height are set. */
typedef component_params AmphistoComponent;

/* What a plane's rows hold: `rows` rows of `row_bytes` bytes of samples,
 * padding within pixels (xRGB) counted in, padding between rows not. In a part
 * of a frame, they begin at byte `first_byte` of the frame's row `first_row`.
 */
typedef struct
{
  uint32_t row_bytes;
  uint32_t rows;
  uint32_t first_byte;
  uint32_t first_row;
} AmphistoPlaneLayout;

/* A rectangle of pixels. */
typedef struct
{
  uint32_t x;
  uint32_t y;
  uint32_t width;
  uint32_t height;
} AmphistoRegion;

/* How frames of one format and size are laid out, and how they are measured
 * and equalized. */
typedef struct
{
  uint32_t n_planes;
  AmphistoPlaneLayout plane[AMPHISTO_N_PLANES];
  /* the channels that the format has; those computed are some of them */
  AmphistoChannelMask channels;
  AmphistoComponent component[AMPHISTO_N_CHANNELS];
  bool is_rgb;
  /* the luma row of the colour matrix, R, G, B, in 1/65536, sum 65536 */
  uint32_t weights[3];
  /* YUV: the rows of the matrix back, that R, G and B are of the vector (Y, U,
   * V, 1), in 1/65536, 1/2 added to be rounded by */
  int32_t matrix[3][4];
  /* the range that equalized luma is spread over */
  uint8_t lo;
  uint8_t hi;
} AmphistoLayout;

/* The first byte of a plane's first row, and bytes from row to row. */
typedef struct
{
  uint8_t *data;
  uint32_t stride;
} AmphistoPlane;

/* A frame in memory, owned by the caller. */
typedef struct
{
  const AmphistoLayout *layout;
  AmphistoPlane plane[AMPHISTO_N_PLANES];
} AmphistoFrame;

/* Whether the channel is in no plane, but computed from others: the luma of
 * RGB; red, green and blue of YUV. */
bool amphisto_channel_is_computed (
    const AmphistoLayout *layout, AmphistoChannel channel);

/* The planes that the channel is in, or computed from, a bit each. */
uint32_t amphisto_channel_planes (
    const AmphistoLayout *layout, AmphistoChannel channel);

/* The ends of the channel's range: black and white, of chroma the extremes. R,
 * G and B have all of 0 to 255, those of YUV of limited range too. */
void amphisto_channel_range (const AmphistoLayout *layout,
    AmphistoChannel channel, uint8_t *lo, uint8_t *hi);

/* Makes the matrix that of luma Kr R + Kg G + Kb B, Kg = 1 - Kr - Kb, for the
 * layout's range: to luma, the weights are
 *
 *   round (65536 Kr), what is left of 65536, round (65536 Kb)
 *
 * and back, the rows of the matrix begin with these, rounded,
 *
 *   red    y   0                         c 2 (1 - Kr)
 *   green  y   -c 2 Kb (1 - Kb) / Kg     -c 2 Kr (1 - Kr) / Kg
 *   blue   y   c 2 (1 - Kb)              0
 *
 * where y = 65536 * 255 / (hi - lo), and c = 65536, of limited range
 * 65536 * 255 / 224; and end with 32768 - lo row[0] - 128 (row[1] + row[2]). So
 * grey is grey, lo is 0 and hi is 255, exactly, and the product of a row and
 * any pixel's vector has 32 bits. */
void amphisto_layout_set_matrix (AmphistoLayout *layout, double kr, double kb);

/* Bytes of memory that plane `p` of a frame spans, from its first sample to
 * its last, when its rows are `stride` bytes apart. */
size_t amphisto_plane_span (
    const AmphistoLayout *layout, uint32_t p, uint32_t stride);

/* Row `y` of plane `p`. */
uint8_t *amphisto_frame_row (
    const AmphistoFrame *frame, uint32_t p, uint32_t y);

/* What of the region is in frames of the layout: empty, 0 by 0, where nothing
 * is. */
AmphistoRegion amphisto_region_clip (
    const AmphistoRegion *region, const AmphistoLayout *layout);

/* Makes `part` the layout of the part of a frame that is `region`, which must
 * be within the frame: its pixels, and of coarser components all samples that
 * any of its pixels has. */
void amphisto_layout_crop (const AmphistoLayout *layout,
    const AmphistoRegion *region, AmphistoLayout *part);

/* Projects the frame to the part that `part` is the layout of: a view, nothing
 * is copied. */
AmphistoFrame amphisto_frame_crop (
    const AmphistoFrame *frame, const AmphistoLayout *part);

/* Copies the rows of plane `p`, and not what lies between them. The frames
 * have one layout. */
void amphisto_frame_copy_plane (
    const AmphistoFrame *source, const AmphistoFrame *target, uint32_t p);

#endif
