/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/measure/picture.h"
#include "core/pixels/channels.h"
#include "core/pixels/samples.h"

static const char *const names[AMPHISTO_N_PICTURE_FIELDS] = {
  "out-of-gamut",
  "difference",
  "sharpness",
  "active-x",
  "active-y",
  "active-width",
  "active-height",
};

const char *
amphisto_picture_field_name (AmphistoPictureField field)
{
  return names[field];
}

bool
amphisto_picture_get (
    const AmphistoPicture *picture, AmphistoPictureField field, double *value)
{
  *value = picture->value[field];
  return (picture->fields & 1u << field) != 0;
}

static void
set (AmphistoPicture *picture, AmphistoPictureField field, double value)
{
  picture->fields |= 1u << field;
  picture->value[field] = value;
}

AmphistoChannelMask
amphisto_picture_channels (const AmphistoLayout *layout)
{
  AmphistoChannelMask channels = 0;

  for (unsigned c = 0; c <= AMPHISTO_CHANNEL_BLUE; c++)
    if (layout->channels & AMPHISTO_CHANNEL_BIT (c)
        && !amphisto_channel_is_computed (layout, c))
      channels |= AMPHISTO_CHANNEL_BIT (c);
  return channels;
}

void
amphisto_picture_set_difference (
    AmphistoPicture *picture, const AmphistoLayout *part, uint64_t sum)
{
  const AmphistoChannelMask channels = amphisto_picture_channels (part);

  set (picture, AMPHISTO_PICTURE_DIFFERENCE,
      (double) sum / (double) amphisto_channels_n_samples (part, channels));
}

void
amphisto_picture_set_sharpness (AmphistoPicture *picture,
    const AmphistoLayout *part, const AmphistoLaplacian *sums)
{
  const AmphistoComponent *luma = amphisto_layout_luma (part);

  set (picture, AMPHISTO_PICTURE_SHARPNESS,
      amphisto_sharpness_variance (
          sums, (uint64_t) luma->width * luma->height));
}

void
amphisto_picture_set_active (AmphistoPicture *picture,
    const AmphistoRegion *region, const uint32_t extents[4])
{
  const uint32_t top = region->height - extents[0], end_y = extents[1];
  const uint32_t left = region->width - extents[2], end_x = extents[3];
  const bool is_empty = end_x == 0 || end_y == 0;

  set (picture, AMPHISTO_PICTURE_ACTIVE_X, is_empty ? 0 : region->x + left);
  set (picture, AMPHISTO_PICTURE_ACTIVE_Y, is_empty ? 0 : region->y + top);
  set (picture, AMPHISTO_PICTURE_ACTIVE_WIDTH, is_empty ? 0 : end_x - left);
  set (picture, AMPHISTO_PICTURE_ACTIVE_HEIGHT, is_empty ? 0 : end_y - top);
}

/* The sum of luma of the n pixels of row, or column, `at`. */
static uint64_t
add_up_luma (const AmphistoFrame *part, bool is_row, uint32_t at, uint32_t n)
{
  uint64_t sum = 0;

  for (uint32_t i = 0; i < n; i++)
    sum += is_row ? amphisto_frame_luma (part, i, at)
                  : amphisto_frame_luma (part, at, i);
  return sum;
}

void
amphisto_picture_find_active (const AmphistoFrame *part, uint32_t extents[4])
{
  const AmphistoComponent *luma = amphisto_layout_luma (part->layout);
  const uint32_t length[2] = { luma->width, luma->height };

  for (uint32_t d = 0; d < 2; d++) {
    const uint32_t n = length[1 - d];
    uint32_t *extent = extents + 2 * d;

    extent[0] = extent[1] = 0;
    for (uint32_t i = 0; i < n; i++) {
      if (add_up_luma (part, d == 0, i, length[d])
          <= (uint64_t) AMPHISTO_BLACK_BAR * length[d])
        continue;
      if (extent[1] == 0)
        extent[0] = n - i;
      extent[1] = i + 1;
    }
  }
}

void
amphisto_picture_set_out_of_gamut (
    AmphistoPicture *picture, const AmphistoRegion *region, uint32_t n_outside)
{
  set (picture, AMPHISTO_PICTURE_OUT_OF_GAMUT,
      (double) n_outside / ((double) region->width * region->height));
}

bool
amphisto_picture_has_gamut (const AmphistoLayout *layout)
{
  return layout->lo > 0 || amphisto_layout_is_yuv (layout);
}

/* Whether luma, or red, green or blue of RGB, is out of its bounds. */
static bool
is_illegal (const AmphistoFrame *part, uint32_t x, uint32_t y)
{
  const AmphistoLayout *layout = part->layout;
  const AmphistoComponent *c =
      &layout->component[layout->is_rgb ? AMPHISTO_CHANNEL_RED
                                        : AMPHISTO_CHANNEL_LUMA];

  for (unsigned i = 0; i < (layout->is_rgb ? 3 : 1); i++) {
    const uint8_t sample = *amphisto_frame_sample (part, &c[i], x, y);

    if (sample < AMPHISTO_LEGAL_LO || sample > AMPHISTO_LEGAL_HI)
      return true;
  }
  return false;
}

bool
amphisto_picture_is_outside (const AmphistoFrame *part, uint32_t x, uint32_t y)
{
  const AmphistoLayout *layout = part->layout;

  if (layout->lo > 0 && is_illegal (part, x, y))
    return true;
  if (!amphisto_layout_is_yuv (layout))
    return false;
  for (unsigned i = 0; i < 3; i++) {
    const int32_t colour =
        amphisto_frame_unclamped (part, AMPHISTO_CHANNEL_RED + i, x, y);

    if (colour < AMPHISTO_GAMUT_LO || colour > AMPHISTO_GAMUT_HI)
      return true;
  }
  return false;
}

uint32_t
amphisto_picture_count_outside (const AmphistoFrame *part)
{
  const AmphistoComponent *luma = amphisto_layout_luma (part->layout);
  uint32_t count = 0;

  for (uint32_t y = 0; y < luma->height; y++)
    for (uint32_t x = 0; x < luma->width; x++)
      count += amphisto_picture_is_outside (part, x, y);
  return count;
}
