/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Reads the samples of frames, and computes those of computed channels: the
 * reference for cl/pixels/luma.cl, yuv.cl and saturation.cl.
 */

#pragma once

#include "core/pixels/frame.h"

/* Luma of an RGB pixel, 0 to 255: (wr R + wg G + wb B + 32768) >> 16. */
static inline uint8_t
amphisto_rgb_luma (const uint32_t weights[3], uint8_t r, uint8_t g, uint8_t b)
{
  return (weights[0] * r + weights[1] * g + weights[2] * b + 32768) >> 16;
}

/* The number that the row of a colour matrix makes of three samples: from Y, U
 * and V red, green or blue, from R, G and B U or V. */
static inline int32_t
amphisto_matrix_product (const int32_t row[4], uint8_t a, uint8_t b, uint8_t c)
{
  return (row[0] * a + row[1] * b + row[2] * c + row[3]) >> 16;
}

/* The same, clamped to a sample, 0 to 255. */
static inline uint8_t
amphisto_matrix_sample (const int32_t row[4], uint8_t a, uint8_t b, uint8_t c)
{
  const int32_t product = amphisto_matrix_product (row, a, b, c);

  return product < 0 ? 0 : product > 255 ? 255 : product;
}

/* Stores the matrix from (R, G, B, 1) of the layout to U and V of full range,
 * in 1/65536, with the layout's weights and m = 32768 * 255 / (hi - lo):
 *
 *   U   -a Kr             a Kr - m   m            a = m / (1 - Kb)
 *   V   m        b Kb - m            -b Kb        b = m / (1 - Kr)
 *
 * rounded, and 128 and 1/2 in the last column. So grey is at 128, and pure blue
 * and red are 128 above it, which amphisto_matrix_sample() clamps to 255. In
 * limited range, samples beyond 16 to 235 may also be clamped to 0. */
void amphisto_rgb_chroma_matrix (
    const AmphistoLayout *layout, int32_t matrix[2][4]);

/* The saturation of chroma: its distance from neutral, rounded down, 0 to 181.
 */
uint8_t amphisto_saturation (uint8_t u, uint8_t v);

/* Sample (x, y) of component `c` of the frame. */
static inline uint8_t *
amphisto_frame_sample (const AmphistoFrame *frame, const AmphistoComponent *c,
    uint32_t x, uint32_t y)
{
  return amphisto_frame_row (frame, c->plane, y) + c->offset
      + (size_t) x * c->pixel_stride;
}

/* The sample of component `c` for pixel (x, y) of the frame. */
static inline uint8_t
amphisto_pixel_sample (const AmphistoFrame *frame, const AmphistoComponent *c,
    uint32_t x, uint32_t y)
{
  return *amphisto_frame_sample (
      frame, c, (c->x_phase + x) >> c->x_shift, amphisto_component_row (c, y));
}

/* Sample (x, y) of the channel, read or computed. */
uint8_t amphisto_frame_value (const AmphistoFrame *frame,
    AmphistoChannel channel, uint32_t x, uint32_t y);

/* Red, green or blue of pixel (x, y) of YUV, before it is clamped. */
int32_t amphisto_frame_unclamped (const AmphistoFrame *frame,
    AmphistoChannel channel, uint32_t x, uint32_t y);

/* Luma of pixel (x, y), read or computed. */
uint8_t amphisto_frame_luma (
    const AmphistoFrame *frame, uint32_t x, uint32_t y);
