/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Layouts of a few usual formats, with the weights of BT.601, and frames of
 * them.
 */

#pragma once

#include "core/pixels/frame.h"
#include "standards.h"

#include <glib.h>

/* Full-range grey. */
AmphistoLayout grey_layout (uint32_t width, uint32_t height);

/* Planar limited-range YUV, with chroma subsampled by 2^shift_x and 2^shift_y.
 */
AmphistoLayout yuv_layout (
    uint32_t width, uint32_t height, uint32_t shift_x, uint32_t shift_y);

/* One plane with these bytes in each pixel or, with a second Y, in two pixels:
 * letters of channels, or others for padding. YUV has limited range. */
AmphistoLayout packed_layout (
    const char *bytes, uint32_t width, uint32_t height);

/* R, G and B, three bytes per pixel. */
AmphistoLayout rgb_layout (uint32_t width, uint32_t height);

/* RGB, grey or planar YUV, with sides from `least` to `most` - 1, any pixel
 * aspect, and with fields or without. */
AmphistoLayout random_layout (GRand *random, int least, int most);

void set_range (AmphistoLayout *layout, bool is_limited);

/* Gives the layout one of the matrices, and the range of luma. */
void set_matrix (AmphistoLayout *layout, uint32_t matrix, bool is_limited);

/* The frame in `bytes`: planes follow each other, with `padding` bytes at the
 * end of each row. */
AmphistoFrame frame_in (
    const AmphistoLayout *layout, const uint8_t *bytes, uint32_t padding);

/* A frame without padding, and its bytes. */
typedef struct
{
  AmphistoLayout layout;
  AmphistoFrame frame;
  size_t size;
  uint8_t bytes[];
} Picture;

/* Returns: (transfer full): a picture whose bytes all have the same value; free
 * it with g_free(). */
Picture *picture_new (const AmphistoLayout *layout, uint8_t value);
