/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/pixels/samples.h"
#include "core/pixels/arithmetic.h"
#include "core/pixels/channels.h"

#include <math.h>
#include <string.h>

void
amphisto_rgb_chroma_matrix (const AmphistoLayout *layout, int32_t matrix[2][4])
{
  const int64_t kr = layout->weights[0], kb = layout->weights[2];
  const int64_t u_rest = 65536 - kb, v_rest = 65536 - kr;
  const int32_t range = layout->hi - layout->lo;
  const int32_t most = (32768 * 255 + range / 2) / range;
  const int32_t u_red = -(int32_t) ((most * kr + u_rest / 2) / u_rest);
  const int32_t v_blue = -(int32_t) ((most * kb + v_rest / 2) / v_rest);
  const int32_t rows[2][4] = { { u_red, -most - u_red, most,
                                   128 * 65536 + 32768 },
    { most, -most - v_blue, v_blue, 128 * 65536 + 32768 } };

  memcpy (matrix, rows, sizeof rows);
}

/* The square root of a double is rounded correctly, and no integer is close
 * enough below the square of another for it to round up to that. */
uint8_t
amphisto_saturation (uint8_t u, uint8_t v)
{
  const int32_t x = u - 128, y = v - 128;

  return (uint8_t) sqrt (x * x + y * y);
}

static uint8_t
rgb_luma_at (const AmphistoFrame *frame, uint32_t x, uint32_t y)
{
  const AmphistoComponent *c = frame->layout->component;

  return amphisto_rgb_luma (frame->layout->weights,
      *amphisto_frame_sample (frame, &c[AMPHISTO_CHANNEL_RED], x, y),
      *amphisto_frame_sample (frame, &c[AMPHISTO_CHANNEL_GREEN], x, y),
      *amphisto_frame_sample (frame, &c[AMPHISTO_CHANNEL_BLUE], x, y));
}

int32_t
amphisto_frame_unclamped (
    const AmphistoFrame *frame, AmphistoChannel channel, uint32_t x, uint32_t y)
{
  const AmphistoComponent *c = frame->layout->component;

  return amphisto_matrix_product (
      frame->layout->matrix[channel - AMPHISTO_CHANNEL_RED],
      amphisto_pixel_sample (frame, &c[AMPHISTO_CHANNEL_LUMA], x, y),
      amphisto_pixel_sample (frame, &c[AMPHISTO_CHANNEL_U], x, y),
      amphisto_pixel_sample (frame, &c[AMPHISTO_CHANNEL_V], x, y));
}

static uint8_t
yuv_colour_at (
    const AmphistoFrame *frame, AmphistoChannel channel, uint32_t x, uint32_t y)
{
  const int32_t colour = amphisto_frame_unclamped (frame, channel, x, y);

  return MIN (MAX (colour, 0), 255);
}

static uint8_t
rgb_saturation_at (const AmphistoFrame *frame, uint32_t x, uint32_t y)
{
  const AmphistoComponent *c = &frame->layout->component[AMPHISTO_CHANNEL_RED];
  uint8_t rgb[3], uv[2];
  int32_t matrix[2][4];

  amphisto_rgb_chroma_matrix (frame->layout, matrix);
  for (unsigned i = 0; i < 3; i++)
    rgb[i] = *amphisto_frame_sample (frame, &c[i], x, y);
  for (unsigned i = 0; i < 2; i++)
    uv[i] = amphisto_matrix_sample (matrix[i], rgb[0], rgb[1], rgb[2]);
  return amphisto_saturation (uv[0], uv[1]);
}

static uint8_t
yuv_saturation_at (const AmphistoFrame *frame, uint32_t x, uint32_t y)
{
  const AmphistoComponent *c = frame->layout->component;

  return amphisto_saturation (
      *amphisto_frame_sample (frame, &c[AMPHISTO_CHANNEL_U], x, y),
      *amphisto_frame_sample (frame, &c[AMPHISTO_CHANNEL_V], x, y));
}

uint8_t
amphisto_frame_value (
    const AmphistoFrame *frame, AmphistoChannel channel, uint32_t x, uint32_t y)
{
  const AmphistoLayout *layout = frame->layout;

  if (!amphisto_channel_is_computed (layout, channel))
    return *amphisto_frame_sample (frame, &layout->component[channel], x, y);
  if (channel == AMPHISTO_CHANNEL_SATURATION)
    return layout->is_rgb ? rgb_saturation_at (frame, x, y)
                          : yuv_saturation_at (frame, x, y);
  return layout->is_rgb ? rgb_luma_at (frame, x, y)
                        : yuv_colour_at (frame, channel, x, y);
}

uint8_t
amphisto_frame_luma (const AmphistoFrame *frame, uint32_t x, uint32_t y)
{
  return amphisto_frame_value (frame, AMPHISTO_CHANNEL_LUMA, x, y);
}
