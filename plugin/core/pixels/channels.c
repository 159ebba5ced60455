/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/pixels/channels.h"

#define BIT(channel) AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_##channel)

const char *
amphisto_channel_name (AmphistoChannel channel)
{
  static const char *const names[AMPHISTO_N_CHANNELS] = { "luma", "u", "v",
    "red", "green", "blue", "alpha", "saturation" };

  return names[channel];
}

const AmphistoChannelGroup
    amphisto_channel_groups[AMPHISTO_N_CHANNEL_GROUPS] = {
      { "luma", "Luma; computed for RGB formats", BIT (LUMA) },
      { "chroma", "Chroma: U and V", BIT (U) | BIT (V) },
      { "rgb", "Red, green and blue; computed for YUV formats",
          BIT (RED) | BIT (GREEN) | BIT (BLUE) },
      { "alpha", "Alpha", BIT (ALPHA) },
      { "saturation",
          "Saturation: distance of chroma from neutral; not drawn by scopes",
          BIT (SATURATION) },
    };

uint32_t
amphisto_channels_count (AmphistoChannelMask channels)
{
  uint32_t n = 0;

  for (unsigned c = 0; c < AMPHISTO_N_CHANNELS; c++)
    n += (channels & AMPHISTO_CHANNEL_BIT (c)) != 0;
  return n;
}

uint64_t
amphisto_channels_n_samples (
    const AmphistoLayout *layout, AmphistoChannelMask channels)
{
  uint64_t n = 0;

  for (unsigned c = 0; c < AMPHISTO_N_CHANNELS; c++)
    if (channels & AMPHISTO_CHANNEL_BIT (c))
      n += (uint64_t) layout->component[c].width * layout->component[c].height;
  return n;
}

/* The planes of `n` channels from `first` on. */
static uint32_t
planes_from (const AmphistoLayout *layout, AmphistoChannel first, unsigned n)
{
  uint32_t planes = 0;

  for (unsigned i = 0; i < n; i++)
    planes |= 1u << layout->component[first + i].plane;
  return planes;
}

uint32_t
amphisto_channel_planes (const AmphistoLayout *layout, AmphistoChannel channel)
{
  if (!amphisto_channel_is_computed (layout, channel))
    return planes_from (layout, channel, 1);
  if (layout->is_rgb)
    return planes_from (layout, AMPHISTO_CHANNEL_RED, 3);
  return channel == AMPHISTO_CHANNEL_SATURATION
      ? planes_from (layout, AMPHISTO_CHANNEL_U, 2)
      : planes_from (layout, AMPHISTO_CHANNEL_LUMA, 3);
}

component_params
amphisto_layout_component (
    const AmphistoLayout *layout, AmphistoChannel channel)
{
  component_params params = layout->component[channel];

  if (channel == AMPHISTO_CHANNEL_SATURATION)
    params.plane =
        layout->is_rgb ? AMPHISTO_RGB_SATURATION : AMPHISTO_YUV_SATURATION;
  else if (amphisto_channel_is_computed (layout, channel))
    params.plane = layout->is_rgb
        ? AMPHISTO_RGB_LUMA
        : AMPHISTO_YUV_RED + (channel - AMPHISTO_CHANNEL_RED);
  return params;
}

AmphistoRange
amphisto_channel_range (const AmphistoLayout *layout, AmphistoChannel channel)
{
  const bool is_computed = amphisto_channel_is_computed (layout, channel);
  const uint8_t chroma_hi = (amphisto_layout_chroma_range (layout) + 256) / 2;

  switch (channel) {
    case AMPHISTO_CHANNEL_RED:
    case AMPHISTO_CHANNEL_GREEN:
    case AMPHISTO_CHANNEL_BLUE:
      if (is_computed)
        return (AmphistoRange){ 0, 255 };
      return (AmphistoRange){ layout->lo, layout->hi };
    case AMPHISTO_CHANNEL_LUMA:
      return (AmphistoRange){ layout->lo, layout->hi };
    case AMPHISTO_CHANNEL_U:
    case AMPHISTO_CHANNEL_V:
      return (AmphistoRange){ layout->lo, chroma_hi };
    case AMPHISTO_CHANNEL_SATURATION:
      return (AmphistoRange){ 0, chroma_hi - 128 };
    default:
      return (AmphistoRange){ 0, 255 };
  }
}
