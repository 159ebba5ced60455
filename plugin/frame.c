/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "frame.h"

#include <string.h>

const char *
amphisto_channel_name (AmphistoChannel channel)
{
  static const char *const names[AMPHISTO_N_CHANNELS] = { "luma", "u", "v",
    "red", "green", "blue", "alpha" };

  return names[channel];
}

void
amphisto_channel_range (const AmphistoLayout *layout, AmphistoChannel channel,
    uint8_t *lo, uint8_t *hi)
{
  const bool is_chroma =
      channel == AMPHISTO_CHANNEL_U || channel == AMPHISTO_CHANNEL_V;
  const bool is_limited = layout->lo > 0 && channel != AMPHISTO_CHANNEL_ALPHA;

  *lo = is_limited ? layout->lo : 0;
  *hi = !is_limited ? 255 : is_chroma ? 240 : layout->hi;
}

size_t
amphisto_plane_span (const AmphistoLayout *layout, uint32_t p, uint32_t stride)
{
  return (size_t) stride * (layout->plane[p].rows - 1)
      + layout->plane[p].row_bytes;
}

uint8_t *
amphisto_frame_row (const AmphistoFrame *frame, uint32_t p, uint32_t y)
{
  return frame->plane[p].data + (size_t) y * frame->plane[p].stride;
}

void
amphisto_frame_copy_plane (
    const AmphistoFrame *source, const AmphistoFrame *target, uint32_t p)
{
  for (uint32_t y = 0; y < source->layout->plane[p].rows; y++)
    memcpy (amphisto_frame_row (target, p, y),
        amphisto_frame_row (source, p, y), source->layout->plane[p].row_bytes);
}
