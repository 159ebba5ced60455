/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/measure/difference.h"
#include "core/measure/statistics.h"
#include "core/pixels/arithmetic.h"
#include "core/pixels/samples.h"

#include <stdlib.h>
#include <string.h>

/* Of the kernel's copies, in bytes: a chunk. */
#define UNIT 16

/* --- parameters --- */

/* Whether luma is not among the bytes: it is grey, or not in the items of
 * chroma. Luma of RGB is computed. */
static bool
is_luma_apart (const AmphistoLayout *part)
{
  return !part->is_rgb && amphisto_layout_luma (part)->pixel_stride <= 2;
}

/* The mask of a component's bytes, `at` bytes into items of `size` bytes. Items
 * of three bytes have no others. */
static uint32_t
mask_bytes (uint32_t size, uint32_t at)
{
  const uint32_t each = size == 1 ? 0x01010101 : size == 2 ? 0x00010001 : 1;

  return size == 3 ? UINT32_MAX : each * 0xff << (8 * at);
}

/* Adds the component to bytes of the same items, if any. */
static void
add_bytes (frame_params *params, const AmphistoComponent *c)
{
  const uint32_t at = c->offset % c->pixel_stride;
  const bytes_params bytes = { c->plane, c->offset - at,
    c->width * c->pixel_stride, c->height, mask_bytes (c->pixel_stride, at) };
  uint32_t i = 0;

  while (i < params->n_compared
      && (params->compared[i].plane != bytes.plane
          || params->compared[i].offset != bytes.offset
          || params->compared[i].width != bytes.width))
    i++;
  if (i < params->n_compared)
    params->compared[i].mask |= bytes.mask;
  else
    params->compared[params->n_compared++] = bytes;
}

void
amphisto_difference_fill_params (const AmphistoLayout *part, bool compares_luma,
    bool compares_picture, frame_params *params)
{
  const AmphistoChannelMask channels =
      compares_picture ? amphisto_picture_channels (part) : 0;
  const bool is_apart = is_luma_apart (part);

  params->compares_luma = compares_luma || (compares_picture && is_apart);
  params->n_compared = 0;
  for (unsigned c = is_apart ? AMPHISTO_CHANNEL_U : AMPHISTO_CHANNEL_LUMA;
       c < AMPHISTO_N_CHANNELS; c++)
    if (channels & AMPHISTO_CHANNEL_BIT (c))
      add_bytes (params, &part->component[c]);
}

static size_t
copy_size (uint32_t width, uint32_t height)
{
  return (size_t) round_up (width, UNIT) * height;
}

size_t
amphisto_difference_luma_size (const frame_params *params)
{
  return params->compares_luma
      ? copy_size (params->luma.width, params->luma.height)
      : UNIT;
}

size_t
amphisto_difference_bytes_size (const frame_params *params)
{
  size_t size = 0;

  for (uint32_t i = 0; i < params->n_compared; i++)
    size += copy_size (params->compared[i].width, params->compared[i].height);
  return MAX (size, UNIT);
}

uint64_t
amphisto_difference_of_picture (
    const AmphistoLayout *part, uint64_t luma, uint64_t bytes)
{
  return is_luma_apart (part) ? luma + bytes : bytes;
}

/* --- the reference --- */

uint64_t
amphisto_difference_update (const AmphistoFrame *frame, AmphistoChannel channel,
    bool is_new, uint8_t *previous)
{
  const AmphistoComponent *samples = &frame->layout->component[channel];
  uint64_t sum = 0;

  for (uint32_t y = 0; y < samples->height; y++)
    for (uint32_t x = 0; x < samples->width; x++) {
      const uint8_t value = amphisto_frame_value (frame, channel, x, y);

      if (!is_new)
        sum += (uint64_t) abs (value - *previous);
      *previous++ = value;
    }
  return sum;
}

/* --- the numbers --- */

void
amphisto_difference_compare (uint64_t sum, const uint32_t bins[AMPHISTO_N_BINS],
    bool is_new, uint32_t previous[AMPHISTO_N_BINS],
    AmphistoComparison *comparison)
{
  *comparison = (AmphistoComparison){ .has_previous = !is_new };
  if (!is_new) {
    const double samples = (double) amphisto_histogram_samples (bins);

    comparison->difference = (double) sum / samples;
    comparison->distance =
        (double) amphisto_histogram_area (bins, previous) / samples;
  }
  memcpy (previous, bins, AMPHISTO_N_BINS * sizeof *bins);
}
