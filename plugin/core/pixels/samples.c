/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/pixels/samples.h"
#include "core/pixels/channels.h"

static uint8_t
rgb_luma_at (const AmphistoFrame *frame, uint32_t x, uint32_t y)
{
  const AmphistoComponent *c = frame->layout->component;

  return amphisto_rgb_luma (frame->layout->weights,
      *amphisto_frame_sample (frame, &c[AMPHISTO_CHANNEL_RED], x, y),
      *amphisto_frame_sample (frame, &c[AMPHISTO_CHANNEL_GREEN], x, y),
      *amphisto_frame_sample (frame, &c[AMPHISTO_CHANNEL_BLUE], x, y));
}

static uint8_t
yuv_colour_at (
    const AmphistoFrame *frame, AmphistoChannel channel, uint32_t x, uint32_t y)
{
  const AmphistoComponent *c = frame->layout->component;

  return amphisto_matrix_sample (
      frame->layout->matrix[channel - AMPHISTO_CHANNEL_RED],
      amphisto_pixel_sample (frame, &c[AMPHISTO_CHANNEL_LUMA], x, y),
      amphisto_pixel_sample (frame, &c[AMPHISTO_CHANNEL_U], x, y),
      amphisto_pixel_sample (frame, &c[AMPHISTO_CHANNEL_V], x, y));
}

uint8_t
amphisto_frame_value (
    const AmphistoFrame *frame, AmphistoChannel channel, uint32_t x, uint32_t y)
{
  const AmphistoLayout *layout = frame->layout;

  if (!amphisto_channel_is_computed (layout, channel))
    return *amphisto_frame_sample (frame, &layout->component[channel], x, y);
  return layout->is_rgb ? rgb_luma_at (frame, x, y)
                        : yuv_colour_at (frame, channel, x, y);
}

uint8_t
amphisto_frame_luma (const AmphistoFrame *frame, uint32_t x, uint32_t y)
{
  return amphisto_frame_value (frame, AMPHISTO_CHANNEL_LUMA, x, y);
}
