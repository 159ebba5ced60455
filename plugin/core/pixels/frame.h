/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A video frame in plain C: where the samples of each channel lie in memory.
 */

#pragma once

#include "cl/frame_params.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A set of channels: bit AMPHISTO_CHANNEL_BIT (c) stands for channel c. */
typedef uint32_t AmphistoChannelMask;
#define AMPHISTO_CHANNEL_BIT(channel) ((AmphistoChannelMask) 1 << (channel))

/* Where a channel's samples lie. A computed channel has no samples in memory:
 * only its width and height are set, except that saturation of YUV has the
 * component of U. */
typedef component_params AmphistoComponent;

/* The extent of a plane: `rows` rows of `row_bytes` bytes, which include
 * padding within pixels (xRGB) but not between rows. A part of a frame begins
 * at byte `first_byte` of the frame's row `first_row`. */
typedef struct
{
  uint32_t row_bytes;
  uint32_t rows;
  uint32_t first_byte;
  uint32_t first_row;
} AmphistoPlaneLayout;

typedef struct
{
  uint32_t x;
  uint32_t y;
} AmphistoPosition;

/* A rectangle of pixels. */
typedef struct
{
  uint32_t x;
  uint32_t y;
  uint32_t width;
  uint32_t height;
} AmphistoRegion;

/* The pixel_aspect of square pixels; see AmphistoLayout. */
#define AMPHISTO_SQUARE_PIXEL 4096

/* The layout of frames of one format and size, with their colour matrix and
 * range. */
typedef struct
{
  uint32_t n_planes;
  AmphistoPlaneLayout plane[AMPHISTO_N_PLANES];
  /* the format's channels, computed ones included */
  AmphistoChannelMask channels;
  AmphistoComponent component[AMPHISTO_N_CHANNELS];
  bool is_rgb;
  /* Frames of the stream may be interlaced. Lines are two rows high then, and
   * drawing covers whole chroma rows of both fields, even in progressive frames
   * of the stream. */
  bool has_fields;
  /* a pixel's width on the display, in 1/AMPHISTO_SQUARE_PIXEL of its height;
   * 0: unknown, taken for square */
  uint32_t pixel_aspect;
  /* weights of R, G and B in luma, in 1/65536, sum 65536 */
  uint32_t weights[3];
  /* The matrix from (Y, U, V, 1) to R, G and B of full range, in 1/65536; the
   * last column includes 1/2 for rounding. RGB: from the U and V of
   * amphisto_rgb_chroma_matrix(). */
  int32_t matrix[3][4];
  /* range of luma, and of stored R, G and B; equalization spreads luma over it.
   * lo > 0: limited range */
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
  /* bit p: plane p's last row has padding too, not used by anything else */
  uint32_t padded_planes;
} AmphistoFrame;

/* Sets the matrix for luma Kr R + Kg G + Kb B, Kg = 1 - Kr - Kb, and the range
 * of the layout. The weights are round (65536 Kr), round (65536 Kb), and for
 * green the remainder to 65536. The rows of the matrix are, rounded,
 *
 *   red    y   0                         c 2 (1 - Kr)
 *   green  y   -c 2 Kb (1 - Kb) / Kg     -c 2 Kr (1 - Kr) / Kg
 *   blue   y   c 2 (1 - Kb)              0
 *
 * where y = 65536 * 255 / (hi - lo), and c = 65536, for YUV of limited range
 * 65536 * 255 / 224. Their last column is 32768 - lo row[0] - 128 (row[1] +
 * row[2]). So grey stays grey, lo maps to 0 and hi to 255, exactly, and all
 * products fit into 32 bits. */
void amphisto_layout_set_matrix (AmphistoLayout *layout, double kr, double kb);

/* Whether the layout has U and V. */
static inline bool
amphisto_layout_is_yuv (const AmphistoLayout *layout)
{
  return (layout->channels & AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_U)) != 0;
}

/* From one end of the range of U and V to the other: of YUV's samples, or of
 * amphisto_rgb_chroma_matrix(), which has full range. */
static inline uint32_t
amphisto_layout_chroma_range (const AmphistoLayout *layout)
{
  return layout->lo > 0 && !layout->is_rgb ? 224 : 255;
}

/* Luma, which has a sample for each pixel. Its width and height are set in any
 * format. */
static inline const AmphistoComponent *
amphisto_layout_luma (const AmphistoLayout *layout)
{
  return &layout->component[AMPHISTO_CHANNEL_LUMA];
}

/* A pixel's width on the display, in 1/AMPHISTO_SQUARE_PIXEL of its height. */
static inline uint32_t
amphisto_layout_pixel_aspect (const AmphistoLayout *layout)
{
  return layout->pixel_aspect > 0 ? layout->pixel_aspect
                                  : AMPHISTO_SQUARE_PIXEL;
}

/* The size of plane `p` in bytes, from its first sample to its last, with rows
 * `stride` bytes apart. */
uint64_t amphisto_plane_span (
    const AmphistoLayout *layout, uint32_t p, uint32_t stride);

/* Row `y` of plane `p`. */
static inline uint8_t *
amphisto_frame_row (const AmphistoFrame *frame, uint32_t p, uint32_t y)
{
  return frame->plane[p].data + (size_t) y * frame->plane[p].stride;
}

/* Sets whether frames of the layout are interlaced: each field has its own
 * chroma rows then. If the height of 4:2:0 is 2 modulo 4, the lower field uses
 * one row more than the planes of progressive frames have; has_all_rows:
 * whether the planes hold this row. Must not be called on the layout of a part.
 *
 * Returns: whether that changes the layout: it may if chroma rows are
 * subsampled. */
bool amphisto_layout_set_interlaced (
    AmphistoLayout *layout, bool is_interlaced, bool has_all_rows);

/* The component's sample row for pixel row `y`. */
static inline uint32_t
amphisto_component_row (const AmphistoComponent *c, uint32_t y)
{
  const uint32_t p = c->y_phase + y;
  uint32_t row = p >> c->y_shift;

  if (c->is_interlaced)
    row = (p >> (c->y_shift + 1)) * 2 + p % 2 - c->row_offset;
  return row < c->height ? row : row - 2;
}

/* The i-th pixel row, 0 to 2^y_shift - 1, covered by the component's sample row
 * `row`. It may be past the frame's last row. Not for a part that begins in the
 * middle of a sample row. */
uint32_t amphisto_component_pixel_row (
    const AmphistoComponent *c, uint32_t row, uint32_t i);

/* The number of pixels that share a sample of the component. */
static inline uint32_t
amphisto_component_n_pixels (const AmphistoComponent *c)
{
  return 1u << (c->x_shift + c->y_shift);
}

/* The i-th of the pixels that share the component's sample (x, y). At odd
 * edges, the last column or row of `pixels`, a component with a sample for each
 * pixel, stands in for missing ones. */
AmphistoPosition amphisto_component_pixel (const AmphistoComponent *c,
    const AmphistoComponent *pixels, uint32_t x, uint32_t y, uint32_t i);

/* Vertical alignment, in rows, of parts that have no chroma sample in common
 * with their surroundings. */
uint32_t amphisto_layout_row_unit (const AmphistoLayout *layout);

/* Clips the region to frames of the layout. Returns an empty region, 0 by 0, if
 * it is outside. */
AmphistoRegion amphisto_region_clip (
    const AmphistoRegion *region, const AmphistoLayout *layout);

/* Whether the region is the whole frame. */
bool amphisto_region_is_whole (
    const AmphistoRegion *region, const AmphistoLayout *layout);

/* Stores in `part` the layout of the frame's part in `region`, which must be
 * within the frame. The part includes chroma samples that are only partly
 * inside. */
void amphisto_layout_crop (const AmphistoLayout *layout,
    const AmphistoRegion *region, AmphistoLayout *part);

/* Returns a view of the frame's part with the layout `part`, without a copy. */
AmphistoFrame amphisto_frame_crop (
    const AmphistoFrame *frame, const AmphistoLayout *part);

/* A packed frame is in one piece of memory: planes follow each other, and
 * strides are multiples of 16 bytes. */

/* The bytes before plane `p`, or, for p = n_planes, of the whole frame. */
size_t amphisto_packed_size (const AmphistoLayout *layout, uint32_t p);

uint32_t amphisto_packed_stride (const AmphistoLayout *layout, uint32_t p);

/* The packed frame in `memory`. */
AmphistoFrame amphisto_packed_frame (
    const AmphistoLayout *layout, uint8_t *memory);

/* Copies rows `first` to before `end` of plane `p`, or all of them, without the
 * padding between them. Both frames must have the same layout. */
void amphisto_frame_copy_rows (const AmphistoFrame *source,
    const AmphistoFrame *target, uint32_t p, uint32_t first, uint32_t end);
void amphisto_frame_copy_plane (
    const AmphistoFrame *source, const AmphistoFrame *target, uint32_t p);
