/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The channels that a histogram can be made of: their names, and where their
 * samples come from.
 */

#pragma once

#include "core/pixels/frame.h"

/* The channel's name: "luma", "u", "v", "red", "green", "blue", "alpha" or
 * "saturation". */
const char *amphisto_channel_name (AmphistoChannel channel);

/* Channels that users ask for together. */
typedef struct
{
  const char *name;
  const char *description; /* a noun phrase for users */
  AmphistoChannelMask channels;
} AmphistoChannelGroup;

#define AMPHISTO_N_CHANNEL_GROUPS 5

/* Settings are a mask of groups: bit i stands for group i, the lowest for luma.
 */
extern const AmphistoChannelGroup
    amphisto_channel_groups[AMPHISTO_N_CHANNEL_GROUPS];

uint32_t amphisto_channels_count (AmphistoChannelMask channels);

/* The number of samples of the channels together. */
uint64_t amphisto_channels_n_samples (
    const AmphistoLayout *layout, AmphistoChannelMask channels);

/* Whether the channel is U or V. */
static inline bool
amphisto_channel_is_chroma (AmphistoChannel channel)
{
  return channel == AMPHISTO_CHANNEL_U || channel == AMPHISTO_CHANNEL_V;
}

/* Whether the channel is computed from others: luma of RGB; red, green and blue
 * of YUV; saturation. */
static inline bool
amphisto_channel_is_computed (
    const AmphistoLayout *layout, AmphistoChannel channel)
{
  if (channel == AMPHISTO_CHANNEL_SATURATION)
    return true;
  if (layout->is_rgb)
    return channel == AMPHISTO_CHANNEL_LUMA;
  return channel >= AMPHISTO_CHANNEL_RED && channel <= AMPHISTO_CHANNEL_BLUE;
}

/* The planes that hold the channel, or the channels it is computed from, bit p
 * for plane p. */
uint32_t amphisto_channel_planes (
    const AmphistoLayout *layout, AmphistoChannel channel);

/* The channel's component for the kernels. A computed channel's `plane` is
 * AMPHISTO_RGB_LUMA, AMPHISTO_RGB_SATURATION, AMPHISTO_YUV_SATURATION, or
 * AMPHISTO_YUV_RED and the two numbers after it. */
component_params amphisto_layout_component (
    const AmphistoLayout *layout, AmphistoChannel channel);

typedef struct
{
  uint8_t lo;
  uint8_t hi; /* inclusive */
} AmphistoRange;

/* The channel's range: from black to white, or between the extremes of chroma.
 * Computed R, G and B range from 0 to 255. Saturation ranges from 0 to the
 * distance from neutral at which U or V is at its upper end. */
AmphistoRange amphisto_channel_range (
    const AmphistoLayout *layout, AmphistoChannel channel);
