/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/measure/picture.h"
#include "core/pixels/samples.h"

static const char *const names[AMPHISTO_N_PICTURE_FIELDS] = {
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
  const AmphistoRegion *active = &picture->active;

  switch (field) {
    case AMPHISTO_PICTURE_ACTIVE_X:
      *value = active->x;
      return picture->has_active;
    case AMPHISTO_PICTURE_ACTIVE_Y:
      *value = active->y;
      return picture->has_active;
    case AMPHISTO_PICTURE_ACTIVE_WIDTH:
      *value = active->width;
      return picture->has_active;
    default:
      *value = active->height;
      return picture->has_active;
  }
}

void
amphisto_picture_set_active (AmphistoPicture *picture,
    const AmphistoRegion *region, const uint32_t extents[4])
{
  const uint32_t top = region->height - extents[0], end_y = extents[1];
  const uint32_t left = region->width - extents[2], end_x = extents[3];

  picture->has_active = true;
  picture->active = end_x > 0 && end_y > 0 ? (AmphistoRegion){ region->x + left,
    region->y + top, end_x - left, end_y - top }
                                           : (AmphistoRegion){ 0 };
}

/* The sum of luma of n pixels, from (x, y) on, to the right or down. */
static uint64_t
add_up_luma (
    const AmphistoFrame *part, uint32_t x, uint32_t y, uint32_t n, bool is_row)
{
  uint64_t sum = 0;

  for (uint32_t i = 0; i < n; i++)
    sum += is_row ? amphisto_frame_luma (part, x + i, y)
                  : amphisto_frame_luma (part, x, y + i);
  return sum;
}

void
amphisto_picture_find_active (const AmphistoFrame *part, uint32_t extents[4])
{
  const AmphistoComponent *luma =
      &part->layout->component[AMPHISTO_CHANNEL_LUMA];
  const uint32_t length[2] = { luma->width, luma->height };

  for (uint32_t d = 0; d < 2; d++) {
    const uint32_t n = length[1 - d];
    uint32_t *extent = extents + 2 * d;

    extent[0] = extent[1] = 0;
    for (uint32_t i = 0; i < n; i++) {
      const uint64_t sum = d == 0 ? add_up_luma (part, 0, i, length[d], true)
                                  : add_up_luma (part, i, 0, length[d], false);

      if (sum <= (uint64_t) AMPHISTO_BLACK_BAR * length[d])
        continue;
      if (extent[1] == 0)
        extent[0] = n - i;
      extent[1] = i + 1;
    }
  }
}
