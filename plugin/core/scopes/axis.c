/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/axis.h"
#include "core/pixels/arithmetic.h"
#include "core/pixels/channels.h"

#include <math.h>

/* A stretch of the axis, in fractions of the range from 0 to 100 %. */
typedef struct
{
  double first;
  double last;
} Stretch;

/* The codes 0 to 255 of a channel. Full-range chroma is symmetric around 128,
 * from 1 on. */
static Stretch
codes_of (const AmphistoLayout *layout, AmphistoChannel channel)
{
  AmphistoRange range = amphisto_channel_range (layout, channel);

  if (amphisto_channel_is_chroma (channel))
    range.lo = MAX (range.lo, 1);

  const double size = range.hi - range.lo;

  return (Stretch){ -range.lo / size, (255 - range.lo) / size };
}

bool
amphisto_axis_is_unclamped (
    const AmphistoLayout *layout, AmphistoChannel channel)
{
  return channel >= AMPHISTO_CHANNEL_RED && channel <= AMPHISTO_CHANNEL_BLUE
      && !layout->is_rgb && layout->lo > 0;
}

static Stretch
axis_of (const AmphistoLayout *layout, AmphistoChannelMask channels)
{
  Stretch axis = { 0, 1 };

  for (unsigned c = 0; c < AMPHISTO_N_CHANNELS; c++)
    if (channels & AMPHISTO_CHANNEL_BIT (c)) {
      const Stretch codes = codes_of (layout,
          amphisto_axis_is_unclamped (layout, c) ? AMPHISTO_CHANNEL_LUMA : c);

      axis.first = fmin (axis.first, codes.first);
      axis.last = fmax (axis.last, codes.last);
    }
  return axis;
}

static uint32_t
position_on (Stretch axis, double at)
{
  return (uint32_t) lround (
      65536 * (at - axis.first) / (axis.last - axis.first));
}

AmphistoAxisSpan
amphisto_axis_span (const AmphistoLayout *layout, AmphistoChannelMask channels,
    AmphistoChannel channel)
{
  const Stretch axis = axis_of (layout, channels);
  const Stretch codes = codes_of (layout, channel);

  return (AmphistoAxisSpan){ position_on (axis, codes.first),
    position_on (axis, codes.last) };
}

bool
amphisto_axis_is_percent (
    const AmphistoLayout *layout, AmphistoChannelMask channels)
{
  return layout->lo > 0
      && (channels & ~AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_ALPHA)) != 0;
}

bool
amphisto_axis_reaches (
    const AmphistoLayout *layout, AmphistoChannelMask channels, double percent)
{
  const Stretch axis = axis_of (layout, channels);

  return percent >= 100 * axis.first && percent <= 100 * axis.last;
}

uint32_t
amphisto_axis_percent (
    const AmphistoLayout *layout, AmphistoChannelMask channels, double percent)
{
  return position_on (axis_of (layout, channels), percent / 100);
}
