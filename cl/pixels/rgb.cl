/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Rows of pixels of three components, packed or planar: RGB, and other formats
 * without subsampling.
 */

#pragma once

#include "pixels/pixels.cl"

/* A row of pixels: the rows of its components (packed: the same row three
 * times), and the components' offsets in a pixel. */
typedef struct
{
  uchar_row r, g, b;
  uint r_offset, g_offset, b_offset;
  uint pixel_stride;
} rgb_row;

/* A chunk of pixels. `packed`: the whole pixels, from which write_rgb_pixels()
 * takes the fourth byte; unused for planar components. */
typedef struct
{
  pixels r, g, b;
  pixels packed;
} rgb_pixels;

INLINE rgb_row
rgb_row_of (uchar_planes planes, constant component_params *r,
    constant component_params *g, constant component_params *b, uint y)
{
  return (rgb_row){ frame_row (frame_plane (planes, r->plane), y),
    frame_row (frame_plane (planes, g->plane), y),
    frame_row (frame_plane (planes, b->plane), y), r->offset, g->offset,
    b->offset, r->pixel_stride };
}

INLINE rgb_row
frame_rgb_row (uchar_planes planes, constant component_params *rgb, uint y)
{
  return rgb_row_of (planes, &rgb[0], &rgb[1], &rgb[2], y);
}

/* The row from its pixel x on. */
INLINE rgb_row
rgb_row_from (rgb_row row, uint x)
{
  const size_t at = (size_t) x * row.pixel_stride;

  row.r = row_from (row.r, at);
  row.g = row_from (row.g, at);
  row.b = row_from (row.b, at);
  return row;
}

/* head_pixels() of a packed or planar row. */
INLINE uint
rgb_head_pixels (rgb_row row, uint n)
{
  return !IS_GPU || (row.r.first == row.g.first && row.r.first == row.b.first)
      ? head_pixels (row.r, row.pixel_stride, n)
      : n;
}

/* Whether chunks of the row can be written: if its components begin at words,
 * or anywhere in the CPU shape. */
INLINE bool
has_whole_chunks (rgb_row row)
{
  return !IS_GPU || (row.r.first | row.g.first | row.b.first) == 0;
}

/* Reads chunk i of a row of packed pixels. */
INLINE rgb_pixels
read_packed_pixels (rgb_row row, uint i)
{
  const pixels packed = row.pixel_stride == 3 ? read_pixels (row.r, i, 3)
                                              : read_pixels (row.r, i, 4);
  const rgb_pixels p = { packed >> (row.r_offset * 8) & 0xffu,
    packed >> (row.g_offset * 8) & 0xffu, packed >> (row.b_offset * 8) & 0xffu,
    packed };

  return p;
}

/* Tells the compiler that the row's pixels are packed, and have `size` bytes.
 */
INLINE rgb_row
packed_row (rgb_row row, uint size)
{
  row.g = row.r;
  row.b = row.r;
  row.pixel_stride = size;
  return row;
}

/* Tells the compiler that the row's components are in planes. */
INLINE rgb_row
planar_row (rgb_row row)
{
  row.pixel_stride = 1;
  return row;
}

/* Reads chunk i of a packed or planar row. */
INLINE rgb_pixels
read_rgb_pixels (rgb_row row, uint i)
{
  if (row.pixel_stride > 1)
    return read_packed_pixels (row, i);

  const rgb_pixels p = { read_pixels (row.r, i, 1), read_pixels (row.g, i, 1),
    read_pixels (row.b, i, 1), 0 };

  return p;
}

/* Mask of R, G and B in a packed pixel. */
INLINE uint
rgb_mask (rgb_row row)
{
  return 0xffu << (row.r_offset * 8) | 0xffu << (row.g_offset * 8)
      | 0xffu << (row.b_offset * 8);
}

/* The packed pixels with R, G and B replaced. */
INLINE pixels
pack_rgb (rgb_row row, rgb_pixels p)
{
  return (p.packed & ~rgb_mask (row)) | p.r << (row.r_offset * 8)
      | p.g << (row.g_offset * 8) | p.b << (row.b_offset * 8);
}

/* Writes chunk i of a row that has_whole_chunks(). */
INLINE void
write_rgb_pixels (rgb_row row, uint i, rgb_pixels p)
{
  if (row.pixel_stride == 1) {
    write_pixels (row.r, i, 1, p.r);
    write_pixels (row.g, i, 1, p.g);
    write_pixels (row.b, i, 1, p.b);
  } else {
    write_pixels (row.r, i, row.pixel_stride, pack_rgb (row, p));
  }
}

/* One pixel: R, G, B, 0. */
INLINE uint4
read_rgb (rgb_row row, uint x)
{
  const size_t at = (size_t) x * row.pixel_stride;

  return (uint4) (read_uchar (row.r, at + row.r_offset),
      read_uchar (row.g, at + row.g_offset),
      read_uchar (row.b, at + row.b_offset), 0);
}

INLINE void
write_rgb (rgb_row row, uint x, uint4 pixel)
{
  const size_t at = (size_t) x * row.pixel_stride;

  put_uchar (row.r, at + row.r_offset, pixel.x);
  put_uchar (row.g, at + row.g_offset, pixel.y);
  put_uchar (row.b, at + row.b_offset, pixel.z);
}

/* Writes chunk i of a row that may begin at any byte. */
INLINE void
put_rgb_pixels (rgb_row row, uint i, rgb_pixels p)
{
  const uint *r = (const uint *) &p.r;
  const uint *g = (const uint *) &p.g;
  const uint *b = (const uint *) &p.b;

  if (has_whole_chunks (row))
    write_rgb_pixels (row, i, p);
  else
    for (uint k = 0; k < N_PIXELS; k++)
      write_rgb (row, i * N_PIXELS + k, (uint4) (r[k], g[k], b[k], 0));
}

/* Writes chunk i of a row of pixels of `size` bytes, which may begin at any
 * byte. */
INLINE void
write_pixels_anywhere (uchar_row row, uint i, uint size, pixels packed)
{
  const uint *pixel = (const uint *) &packed;

  if (!IS_GPU || row.first == 0)
    write_pixels (row, i, size, packed);
  else
    for (uint k = 0; k < N_PIXELS; k++)
      for (uint byte = 0; byte < size; byte++)
        put_uchar (row, (size_t) (i * N_PIXELS + k) * size + byte,
            pixel[k] >> byte * 8 & 0xff);
}
