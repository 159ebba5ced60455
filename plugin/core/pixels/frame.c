/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/pixels/frame.h"
#include "core/pixels/arithmetic.h"
#include "core/pixels/channels.h"

#include <math.h>
#include <string.h>

/* A stride in packed memory is a multiple of this, in bytes. */
#define STRIDE_UNIT 16

void
amphisto_layout_set_matrix (AmphistoLayout *layout, double kr, double kb)
{
  const double luma = 65536.0 * 255 / (layout->hi - layout->lo);
  const double chroma = 65536.0 * 255 / amphisto_layout_chroma_range (layout);
  const double kg = 1 - kr - kb;
  const double rows[3][3] = { { luma, 0, chroma * 2 * (1 - kr) },
    { luma, -chroma * 2 * kb * (1 - kb) / kg,
        -chroma * 2 * kr * (1 - kr) / kg },
    { luma, chroma * 2 * (1 - kb), 0 } };

  layout->weights[0] = (uint32_t) lround (65536 * kr);
  layout->weights[2] = (uint32_t) lround (65536 * kb);
  layout->weights[1] = 65536 - layout->weights[0] - layout->weights[2];
  for (unsigned i = 0; i < 3; i++) {
    int32_t *row = layout->matrix[i];

    for (unsigned j = 0; j < 3; j++)
      row[j] = (int32_t) lround (rows[i][j]);
    row[3] = 32768 - row[0] * layout->lo - 128 * (row[1] + row[2]);
  }
}

uint64_t
amphisto_plane_span (const AmphistoLayout *layout, uint32_t p, uint32_t stride)
{
  return (uint64_t) stride * (layout->plane[p].rows - 1)
      + layout->plane[p].row_bytes;
}

/* The number of samples, 2^shift pixels each, of the n pixels from `first` on.
 */
static uint32_t
count_samples (uint32_t first, uint32_t n, uint32_t shift)
{
  return n > 0 ? ((first + n - 1) >> shift) - (first >> shift) + 1 : 0;
}

/* --- fields --- */

/* The number of sample rows that `height` pixel rows use, if all of them have
 * samples of their own field. */
static uint32_t
count_field_rows (uint32_t height, uint32_t y_shift)
{
  const uint32_t unit = 2u << y_shift;

  return height / unit * 2 + MIN (height % unit, 2);
}

bool
amphisto_layout_set_interlaced (
    AmphistoLayout *layout, bool is_interlaced, bool has_all_rows)
{
  const uint32_t height = amphisto_layout_luma (layout)->height;
  bool has_changed = false;

  for (unsigned i = 0; i < AMPHISTO_N_CHANNELS; i++) {
    AmphistoComponent *c = &layout->component[i];
    const AmphistoComponent old = *c;

    if (c->y_shift == 0)
      continue;
    c->height = is_interlaced && has_all_rows
        ? count_field_rows (height, c->y_shift)
        : count_samples (0, height, c->y_shift);
    /* with a single row, both fields use it */
    c->is_interlaced = is_interlaced && c->height > 1;
    layout->plane[c->plane].rows = c->height;
    has_changed |=
        c->is_interlaced != old.is_interlaced || c->height != old.height;
  }
  return has_changed;
}

uint32_t
amphisto_component_pixel_row (
    const AmphistoComponent *c, uint32_t row, uint32_t i)
{
  if (c->is_interlaced)
    return (row / 2 << (c->y_shift + 1)) + row % 2 + 2 * i;
  return (row << c->y_shift) + i;
}

AmphistoPosition
amphisto_component_pixel (const AmphistoComponent *c,
    const AmphistoComponent *pixels, uint32_t x, uint32_t y, uint32_t i)
{
  const uint32_t columns = 1u << c->x_shift;
  const uint32_t column = x * columns + i % columns;
  uint32_t row = amphisto_component_pixel_row (c, y, i / columns);

  while (row >= pixels->height)
    row -= 1 + c->is_interlaced;
  return (AmphistoPosition){ MIN (column, pixels->width - 1), row };
}

uint32_t
amphisto_layout_row_unit (const AmphistoLayout *layout)
{
  const uint32_t y_shift = layout->component[AMPHISTO_CHANNEL_U].y_shift;

  return 1u << (y_shift + (layout->has_fields && y_shift > 0));
}

/* --- parts --- */

AmphistoRegion
amphisto_region_clip (
    const AmphistoRegion *region, const AmphistoLayout *layout)
{
  const AmphistoComponent *pixels = amphisto_layout_luma (layout);
  AmphistoRegion clipped = { 0 };

  if (region->x >= pixels->width || region->y >= pixels->height
      || region->width == 0 || region->height == 0)
    return clipped;
  clipped = *region;
  clipped.width = MIN (region->width, pixels->width - region->x);
  clipped.height = MIN (region->height, pixels->height - region->y);
  return clipped;
}

bool
amphisto_region_is_whole (
    const AmphistoRegion *region, const AmphistoLayout *layout)
{
  const AmphistoComponent *pixels = amphisto_layout_luma (layout);

  return region->width == pixels->width && region->height == pixels->height;
}

static bool
lies_in_plane (const AmphistoLayout *layout, AmphistoChannel channel)
{
  return (layout->channels & AMPHISTO_CHANNEL_BIT (channel)) != 0
      && !amphisto_channel_is_computed (layout, channel);
}

/* The component's row for the region's first row; or for its second row, if
 * that is above: interlaced, either field's row may be the upper one. */
static uint32_t
first_row (const AmphistoComponent *c, const AmphistoRegion *region)
{
  const uint32_t first = amphisto_component_row (c, region->y);

  return region->height > 1
      ? MIN (first, amphisto_component_row (c, region->y + 1))
      : first;
}

static uint32_t
last_row (const AmphistoComponent *c, const AmphistoRegion *region)
{
  const uint32_t y = region->y + region->height - 1;
  const uint32_t last = amphisto_component_row (c, y);

  return region->height > 1 ? MAX (last, amphisto_component_row (c, y - 1))
                            : last;
}

/* Crops a component of the whole frame, except the offset: it stays relative to
 * the frame's row. */
static AmphistoComponent
crop_component (const AmphistoComponent *c, const AmphistoRegion *region)
{
  AmphistoComponent part = *c;
  const uint32_t x = region->x, y = region->y;
  const uint32_t shift = c->y_shift + c->is_interlaced;
  const uint32_t first = first_row (c, region);

  part.offset += (x >> c->x_shift) * c->pixel_stride;
  part.width = count_samples (x, region->width, c->x_shift);
  part.height = region->height > 0 ? last_row (c, region) - first + 1 : 0;
  part.x_phase = x & ((1u << c->x_shift) - 1);
  part.y_phase = y & ((1u << shift) - 1);
  part.row_offset = first - (y >> shift << c->is_interlaced);
  return part;
}

/* Extends the plane's part to the whole pixels of the component. row: the
 * component's first row in the plane. */
static void
include_component (
    const AmphistoComponent *c, uint32_t row, AmphistoPlaneLayout *plane)
{
  const uint32_t first = c->offset - c->offset % c->pixel_stride;
  const uint32_t end = first + c->width * c->pixel_stride;
  const bool is_first = plane->rows == 0;
  const uint32_t begin = is_first ? first : MIN (plane->first_byte, first);
  const uint32_t old_end = is_first ? 0 : plane->first_byte + plane->row_bytes;

  plane->first_row = row;
  plane->rows = c->height;
  plane->first_byte = begin;
  plane->row_bytes = MAX (old_end, end) - begin;
}

void
amphisto_layout_crop (const AmphistoLayout *layout,
    const AmphistoRegion *region, AmphistoLayout *part)
{
  *part = *layout;
  memset (part->plane, 0, sizeof part->plane);
  for (unsigned i = 0; i < AMPHISTO_N_CHANNELS; i++) {
    AmphistoComponent *c = &part->component[i];

    if (layout->channels & AMPHISTO_CHANNEL_BIT (i))
      *c = crop_component (c, region);
    if (lies_in_plane (layout, i))
      include_component (
          c, first_row (&layout->component[i], region), &part->plane[c->plane]);
  }
  for (unsigned i = 0; i < AMPHISTO_N_CHANNELS; i++)
    if (lies_in_plane (layout, i))
      part->component[i].offset -=
          part->plane[part->component[i].plane].first_byte;
}

AmphistoFrame
amphisto_frame_crop (const AmphistoFrame *frame, const AmphistoLayout *part)
{
  AmphistoFrame view = { .layout = part };

  for (uint32_t p = 0; p < part->n_planes; p++) {
    view.plane[p].stride = frame->plane[p].stride;
    view.plane[p].data = frame->plane[p].data == NULL
        ? NULL
        : amphisto_frame_row (frame, p, part->plane[p].first_row)
            + part->plane[p].first_byte;
  }
  return view;
}

/* --- copies --- */

uint32_t
amphisto_packed_stride (const AmphistoLayout *layout, uint32_t p)
{
  return round_up (layout->plane[p].row_bytes, STRIDE_UNIT);
}

size_t
amphisto_packed_size (const AmphistoLayout *layout, uint32_t p)
{
  size_t size = 0;

  while (p-- > 0)
    size += (size_t) layout->plane[p].rows * amphisto_packed_stride (layout, p);
  return size;
}

AmphistoFrame
amphisto_packed_frame (const AmphistoLayout *layout, uint8_t *memory)
{
  AmphistoFrame frame = { .layout = layout };

  for (uint32_t p = 0; p < layout->n_planes; p++)
    frame.plane[p] = (AmphistoPlane){ memory + amphisto_packed_size (layout, p),
      amphisto_packed_stride (layout, p) };
  return frame;
}

void
amphisto_frame_copy_rows (const AmphistoFrame *source,
    const AmphistoFrame *target, uint32_t p, uint32_t first, uint32_t end)
{
  for (uint32_t y = first; y < end; y++)
    memcpy (amphisto_frame_row (target, p, y),
        amphisto_frame_row (source, p, y), source->layout->plane[p].row_bytes);
}

void
amphisto_frame_copy_plane (
    const AmphistoFrame *source, const AmphistoFrame *target, uint32_t p)
{
  amphisto_frame_copy_rows (
      source, target, p, 0, source->layout->plane[p].rows);
}
