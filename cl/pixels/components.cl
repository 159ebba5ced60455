/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Reads and writes the samples of a component, one by one or in chunks of
 * pixels.
 */

#pragma once

#include "pixels/pixels.cl"

/* What only some frames need: pixels of three components (RGB, and YUV packed
 * in 3 or 4 bytes); red, green and blue of YUV; passes of several slots;
 * saturation. Build options leave it out if a frame does not need it, because
 * drivers take long to compile it. */
#ifndef HAS_RGB
#define HAS_RGB 1
#endif
#ifndef HAS_COLOURS
#define HAS_COLOURS 1
#endif
#ifndef HAS_MULTI_SLOT
#define HAS_MULTI_SLOT 1
#endif
#ifndef HAS_SATURATION
#define HAS_SATURATION 1
#endif

/* A row of a component's samples: byte `offset` of each item of `pixel_stride`
 * bytes. */
typedef struct
{
  uchar_row row;
  uint pixel_stride;
  uint offset;
} component_row;

/* offset % size, for a size of 1 to 4, without a division. */
INLINE uint
offset_in_item (uint offset, uint size)
{
  return size == 3 ? offset % 3 : offset & (size - 1);
}

/* The byte of a row where the component's first item begins. */
INLINE uint
first_item (constant component_params *component)
{
  return component->offset
      - offset_in_item (component->offset, component->pixel_stride);
}

/* The component's sample row for pixel row y; see frame_params.h. */
INLINE uint
sample_row (constant component_params *component, uint y)
{
  const uint fields = component->is_interlaced;
  const uint p = component->y_phase + y;
  const uint row = ((p >> (component->y_shift + fields)) << fields)
      + (p & fields) - component->row_offset;

  return row < component->height ? row : row - 2;
}

/* The first pixel row covered by the component's sample row `row`; the others
 * are pixel_row_stride() apart. */
INLINE uint
first_pixel_row (constant component_params *component, uint row)
{
  const uint fields = component->is_interlaced;

  return ((row >> fields) << (component->y_shift + fields)) + (row & fields);
}

INLINE uint
pixel_row_stride (constant component_params *component)
{
  return 1 + component->is_interlaced;
}

INLINE component_row
frame_component_row (
    uchar_planes planes, constant component_params *component, uint y)
{
  const uint first = first_item (component);
  const uchar_row row = frame_row (frame_plane (planes, component->plane), y);

  return (component_row){ row_from (row, first), component->pixel_stride,
    component->offset - first };
}

/* Tells the compiler that the row's samples are contiguous. */
INLINE component_row
plain_row (component_row row)
{
  row.pixel_stride = 1;
  row.offset = 0;
  return row;
}

/* The row from sample x on. */
INLINE component_row
component_row_from (component_row row, uint x)
{
  row.row = row_from (row.row, (size_t) x * row.pixel_stride);
  return row;
}

/* The plane, from the component's first sample on. */
INLINE uchar_plane
component_plane (uchar_planes planes, constant component_params *component)
{
  uchar_plane plane = frame_plane (planes, component->plane);

  plane.offset += component->offset;
  return plane;
}

INLINE uint
read_sample (component_row row, uint x)
{
  return read_uchar (row.row, (size_t) x * row.pixel_stride + row.offset);
}

/* Samples x of the row. */
INLINE pixels
gather_samples (component_row row, pixels x)
{
  return gather_uchars (row.row, x * row.pixel_stride + row.offset);
}

INLINE void
write_sample (component_row row, uint x, uint value)
{
  put_uchar (row.row, (size_t) x * row.pixel_stride + row.offset, value);
}

/* Chunk i of the row, with a sample for each pixel. */
INLINE pixels
read_component_samples (component_row row, uint i)
{
  return read_pixels (row.row, i, row.pixel_stride) >> (row.offset * 8) & 0xffu;
}

/* Chunk i of a row of shared samples, in the first lanes. */
INLINE pixels
read_shared_samples (component_row row, uint i, uint x_shift)
{
  const pixels items = read_items (row.row, i, row.pixel_stride, x_shift);

  return row.pixel_stride == 1 ? items : items >> (row.offset * 8) & 0xffu;
}

/* Writes chunk i of a row of shared samples, and leaves other samples of their
 * items alone. The row may begin at any byte. */
INLINE void
write_shared_samples (component_row row, uint i, uint x_shift, pixels values)
{
  const uint *value = (const uint *) &values;
  const uint n = N_PIXELS >> x_shift;
  const uint size = row.pixel_stride;
  const uint shift = row.offset * 8;

  if (IS_GPU && row.row.first != 0)
    for (uint k = 0; k < n; k++)
      write_sample (row, i * n + k, value[k]);
  else if (size == 1)
    write_items (row.row, i, 1, x_shift, values);
  else
    write_items (row.row, i, size, x_shift,
        (read_items (row.row, i, size, x_shift) & ~(0xffu << shift))
            | values << shift);
}
