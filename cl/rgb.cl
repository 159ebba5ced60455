/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Rows of pixels of three components, packed or each in a plane of its own:
 * RGB, and what else has as many samples of each.
 */

#ifndef AMPHISTO_RGB_CL
#define AMPHISTO_RGB_CL

#ifndef AMPHISTO_PIXELS_CL
#include "pixels.cl"
#endif

/* A row of pixels: the rows of its components (packed: the same one three
 * times), and their bytes in a pixel. */
typedef struct
{
  uchar_row r, g, b;
  uint r_offset, g_offset, b_offset;
  uint pixel_stride;
} rgb_row;

/* A step of pixels. `packed`: the whole pixels, of which write_rgb_pixels()
 * keeps what is neither R, G nor B; not used where the components are planar.
 */
typedef struct
{
  pixels r, g, b;
  pixels packed;
} rgb_pixels;

INLINE rgb_row
rgb_row_of (uchar_planes planes, constant component_params *r,
    constant component_params *g, constant component_params *b, uint y)
{
  const rgb_row row = { frame_row (frame_plane (planes, r->plane), y),
    frame_row (frame_plane (planes, g->plane), y),
    frame_row (frame_plane (planes, b->plane), y), r->offset, g->offset,
    b->offset, r->pixel_stride };

  return row;
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

/* head_pixels() of a row whose components may be planar. */
INLINE uint
rgb_head_pixels (rgb_row row, uint n)
{
  return row.r.first == row.g.first && row.r.first == row.b.first
      ? head_pixels (row.r, row.pixel_stride, n)
      : n;
}

/* Whether the row's components all begin at words. */
INLINE bool
begins_at_words (rgb_row row)
{
  return (row.r.first | row.g.first | row.b.first) == 0;
}

/* Step i of a row of packed pixels. */
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

/* The row, whose pixels are packed and of `size` bytes, so that the compiler
 * knows it. */
INLINE rgb_row
packed_row (rgb_row row, uint size)
{
  row.g = row.r;
  row.b = row.r;
  row.pixel_stride = size;
  return row;
}

/* Step i of any row. */
INLINE rgb_pixels
read_rgb_pixels (rgb_row row, uint i)
{
  if (row.pixel_stride > 1)
    return read_packed_pixels (row, i);

  const rgb_pixels p = { read_pixels (row.r, i, 1), read_pixels (row.g, i, 1),
    read_pixels (row.b, i, 1), 0 };

  return p;
}

/* The packed pixels with their new components. */
INLINE pixels
pack_rgb (rgb_row row, rgb_pixels p)
{
  const uint r_shift = row.r_offset * 8;
  const uint g_shift = row.g_offset * 8;
  const uint b_shift = row.b_offset * 8;
  const uint mask = 0xffu << r_shift | 0xffu << g_shift | 0xffu << b_shift;

  return (p.packed & ~mask) | p.r << r_shift | p.g << g_shift | p.b << b_shift;
}

/* Step i of a row that begins at words; see write_pixels(). */
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

  write_uchar (row.r, at + row.r_offset, pixel.x);
  write_uchar (row.g, at + row.g_offset, pixel.y);
  write_uchar (row.b, at + row.b_offset, pixel.z);
}

/* Step i of a row of packed pixels, which may begin anywhere. */
INLINE void
write_packed_pixels (rgb_row row, uint i, rgb_pixels p)
{
  const uint *r = (const uint *) &p.r;
  const uint *g = (const uint *) &p.g;
  const uint *b = (const uint *) &p.b;

  if (row.r.first == 0)
    write_pixels (row.r, i, row.pixel_stride, pack_rgb (row, p));
  else
    for (uint k = 0; k < N_PIXELS; k++)
      write_rgb (row, i * N_PIXELS + k, (uint4) (r[k], g[k], b[k], 0));
}

#endif
