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

/* What has a histogram. */
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

/* The extent of a plane: `rows` rows of `row_bytes` bytes, with the padding in
 * pixels (xRGB), without the padding between rows. In a part of a frame they
 * begin at byte `first_byte` of the frame's row `first_row`. */
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

/* The layout of frames of one format and size, with their colour matrix and
 * range. */
typedef struct
{
  uint32_t n_planes;
  AmphistoPlaneLayout plane[AMPHISTO_N_PLANES];
  /* channels that the format has, computed ones included */
  AmphistoChannelMask channels;
  AmphistoComponent component[AMPHISTO_N_CHANNELS];
  bool is_rgb;
  /* Frames may be interlaced. Lines are two rows high then, and drawing keeps
   * to whole rows of chroma of both fields, also in frames of such a stream
   * that are progressive. */
  bool has_fields;
  /* weights of R, G and B in luma, in 1/65536, sum 65536 */
  uint32_t weights[3];
  /* YUV: the rows that give R, G and B, multiplied by (Y, U, V, 1), in 1/65536;
   * the last column has the 1/2 for rounding */
  int32_t matrix[3][4];
  /* range of luma, which equalization spreads it over */
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
  /* bit p: plane p's last row has padding too, which nothing else lies in */
  uint32_t padded_planes;
} AmphistoFrame;

/* Whether the channel is in no plane, but computed from others: the luma of
 * RGB; red, green and blue of YUV. */
bool amphisto_channel_is_computed (
    const AmphistoLayout *layout, AmphistoChannel channel);

/* The planes that the channel lies in or is computed from, bit p for plane p.
 */
uint32_t amphisto_channel_planes (
    const AmphistoLayout *layout, AmphistoChannel channel);

/* The channel's component as the kernels know it: `plane` of a computed one is
 * AMPHISTO_RGB_LUMA, or AMPHISTO_YUV_RED and those after it. */
component_params amphisto_layout_component (
    const AmphistoLayout *layout, AmphistoChannel channel);

/* Stores the ends of the channel's range: black and white; for chroma the
 * extremes. R, G and B always have 0 and 255. */
void amphisto_channel_range (const AmphistoLayout *layout,
    AmphistoChannel channel, uint8_t *lo, uint8_t *hi);

/* Sets the matrix for luma Kr R + Kg G + Kb B, Kg = 1 - Kr - Kb, and the range
 * of the layout. The weights are round (65536 Kr), round (65536 Kb), and for
 * green the rest of 65536. The rows of the matrix are, rounded,
 *
 *   red    y   0                         c 2 (1 - Kr)
 *   green  y   -c 2 Kb (1 - Kb) / Kg     -c 2 Kr (1 - Kr) / Kg
 *   blue   y   c 2 (1 - Kb)              0
 *
 * where y = 65536 * 255 / (hi - lo), and c = 65536, for limited range
 * 65536 * 255 / 224. Their last column is 32768 - lo row[0] - 128 (row[1] +
 * row[2]). So grey stays grey, lo becomes 0 and hi 255, exactly, and all
 * products fit into 32 bits. */
void amphisto_layout_set_matrix (AmphistoLayout *layout, double kr, double kb);

/* Bytes of memory that plane `p` of a frame spans, from its first sample to
 * its last, when its rows are `stride` bytes apart. */
uint64_t amphisto_plane_span (
    const AmphistoLayout *layout, uint32_t p, uint32_t stride);

/* Row `y` of plane `p`. */
uint8_t *amphisto_frame_row (
    const AmphistoFrame *frame, uint32_t p, uint32_t y);

/* Says whether the layout's frames are interlaced: their fields have rows of
 * chroma of their own. A progressive layout's frames are not. Not for a part of
 * a frame. */
void amphisto_layout_set_interlaced (
    AmphistoLayout *layout, bool is_interlaced);

/* The row of the component's samples that pixels of row `y` have. */
uint32_t amphisto_component_row (const AmphistoComponent *c, uint32_t y);

/* Pixel row i, from 0 up to 2^y_shift, of those that row `row` of the
 * component's samples is made for. It may be behind the frame's last row. Not
 * for a part that begins within such rows. */
uint32_t amphisto_component_pixel_row (
    const AmphistoComponent *c, uint32_t row, uint32_t i);

/* Rows of pixels that share no chroma with others begin and end at multiples of
 * this. */
uint32_t amphisto_layout_row_unit (const AmphistoLayout *layout);

/* Clips the region to frames of the layout. Returns an empty one, 0 by 0, if it
 * is outside. */
AmphistoRegion amphisto_region_clip (
    const AmphistoRegion *region, const AmphistoLayout *layout);

/* Stores in `part` the layout of a part of the frame: the pixels of `region`,
 * which must be within the frame, and every chroma sample of any of them. */
void amphisto_layout_crop (const AmphistoLayout *layout,
    const AmphistoRegion *region, AmphistoLayout *part);

/* Returns a view of the part of the frame that has the layout `part`; nothing
 * is copied. */
AmphistoFrame amphisto_frame_crop (
    const AmphistoFrame *frame, const AmphistoLayout *part);

/* Copies the rows of plane `p`, without the padding between them. Both frames
 * have the same layout. */
void amphisto_frame_copy_plane (
    const AmphistoFrame *source, const AmphistoFrame *target, uint32_t p);

#endif
