/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/pixels/channels.h"

#define BIT(channel) AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_##channel)

const char *
amphisto_channel_name (AmphistoChannel channel)
{
  static const char *const names[AMPHISTO_N_CHANNELS] = { "luma", "u", "v",
    "red", "green", "blue", "alpha" };

  return names[channel];
}

const AmphistoChannelGroup
    amphisto_channel_groups[AMPHISTO_N_CHANNEL_GROUPS] = {
      { "luma", "Luma; computed for RGB formats", BIT (LUMA) },
      { "chroma", "Chroma: U and V", BIT (U) | BIT (V) },
      { "rgb", "Red, green and blue; computed for YUV formats",
          BIT (RED) | BIT (GREEN) | BIT (BLUE) },
      { "alpha", "Alpha", BIT (ALPHA) },
    };

uint32_t
amphisto_channels_count (AmphistoChannelMask channels)
{
  uint32_t n = 0;

  for (unsigned c = 0; c < AMPHISTO_N_CHANNELS; c++)
    n += (channels & AMPHISTO_CHANNEL_BIT (c)) != 0;
  return n;
}

bool
amphisto_channel_is_computed (
    const AmphistoLayout *layout, AmphistoChannel channel)
{
  if (layout->is_rgb)
    return channel == AMPHISTO_CHANNEL_LUMA;
  return channel >= AMPHISTO_CHANNEL_RED && channel <= AMPHISTO_CHANNEL_BLUE;
}

uint32_t
amphisto_channel_planes (const AmphistoLayout *layout, AmphistoChannel channel)
{
  const AmphistoComponent *c = &layout->component[channel];

  if (!amphisto_channel_is_computed (layout, channel))
    return 1u << c->plane;
  c = &layout->component[layout->is_rgb ? AMPHISTO_CHANNEL_RED
                                        : AMPHISTO_CHANNEL_LUMA];
  return 1u << c[0].plane | 1u << c[1].plane | 1u << c[2].plane;
}

component_params
amphisto_layout_component (
    const AmphistoLayout *layout, AmphistoChannel channel)
{
  component_params params = layout->component[channel];

  if (amphisto_channel_is_computed (layout, channel))
    params.plane = layout->is_rgb
        ? AMPHISTO_RGB_LUMA
        : AMPHISTO_YUV_RED + (channel - AMPHISTO_CHANNEL_RED);
  return params;
}

void
amphisto_channel_range (const AmphistoLayout *layout, AmphistoChannel channel,
    uint8_t *lo, uint8_t *hi)
{
  const bool is_chroma =
      channel == AMPHISTO_CHANNEL_U || channel == AMPHISTO_CHANNEL_V;
  const bool is_limited =
      layout->lo > 0 && (is_chroma || channel == AMPHISTO_CHANNEL_LUMA);

  *lo = is_limited ? layout->lo : 0;
  *hi = !is_limited ? 255 : is_chroma ? 240 : layout->hi;
}
