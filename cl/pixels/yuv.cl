/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Calculates red, green and blue of YUV.
 */

#pragma once

#include "pixels/components.cl"

/* A row of YUV pixels. Pixel x has chroma sample (x_phase + x) >> x_shift. */
typedef struct
{
  component_row y, u, v;
  uint x_shift;
  uint x_phase;
} yuv_row;

INLINE yuv_row
frame_yuv_row (uchar_planes planes, constant frame_params *params, uint y)
{
  constant component_params *chroma = params->chroma;
  const uint chroma_y = sample_row (chroma, y);

  return (yuv_row){ frame_component_row (planes, &params->luma, y),
    frame_component_row (planes, &chroma[0], chroma_y),
    frame_component_row (planes, &chroma[1], chroma_y), chroma->x_shift,
    chroma->x_phase };
}

/* The number of pixels, 0 to 3, before the first pixel that begins a chroma
 * sample. */
INLINE uint
yuv_row_head (yuv_row row)
{
  return -row.x_phase & ((1u << row.x_shift) - 1);
}

/* The row from its pixel x on. */
INLINE yuv_row
yuv_row_from (yuv_row row, uint x)
{
  const uint at = row.x_phase + x;

  row.y = component_row_from (row.y, x);
  row.u = component_row_from (row.u, at >> row.x_shift);
  row.v = component_row_from (row.v, at >> row.x_shift);
  row.x_phase = at & ((1u << row.x_shift) - 1);
  return row;
}

/* Rows from one pixel on. first: rows 0 of their planes. */
typedef struct
{
  yuv_row first;
  uint y_stride, u_stride, v_stride;
} yuv_run;

INLINE yuv_run
find_yuv_run (uchar_planes planes, constant frame_params *params, uint x)
{
  constant component_params *chroma = params->chroma;
  const yuv_row row = { frame_component_row (planes, &params->luma, 0),
    frame_component_row (planes, &chroma[0], 0),
    frame_component_row (planes, &chroma[1], 0), chroma->x_shift,
    chroma->x_phase };
  const yuv_run rows = { yuv_row_from (row, x),
    frame_plane (planes, params->luma.plane).stride,
    frame_plane (planes, chroma[0].plane).stride,
    frame_plane (planes, chroma[1].plane).stride };

  return rows;
}

INLINE yuv_row
yuv_row_at (yuv_run rows, uint y, uint chroma_y)
{
  yuv_row row = rows.first;

  row.y.row = row_from (row.y.row, (size_t) y * rows.y_stride);
  row.u.row = row_from (row.u.row, (size_t) chroma_y * rows.u_stride);
  row.v.row = row_from (row.v.row, (size_t) chroma_y * rows.v_stride);
  return row;
}

/* Whether the row is planar, with a chroma sample for two pixels, as in most
 * frames. */
INLINE bool
is_half_planar (yuv_row row)
{
  return row.y.pixel_stride == 1 && row.u.pixel_stride == 1 && row.x_shift == 1;
}

/* Tells the compiler that the row is_half_planar(), for faster loops. */
INLINE yuv_row
half_planar_row (yuv_row row)
{
  row.y = plain_row (row.y);
  row.u = plain_row (row.u);
  row.v = plain_row (row.v);
  row.x_shift = 1;
  return row;
}

/* A chunk of pixels. */
typedef struct
{
  signed_pixels y, u, v;
} yuv_pixels;

/* Reads chunk i of a row. The row's x_phase must be 0. */
INLINE yuv_pixels
read_yuv_pixels (yuv_row row, uint i)
{
  const yuv_pixels p = { AS_SIGNED (read_component_samples (row.y, i)),
    AS_SIGNED (spread_samples (
        read_shared_samples (row.u, i, row.x_shift), row.x_shift)),
    AS_SIGNED (spread_samples (
        read_shared_samples (row.v, i, row.x_shift), row.x_shift)) };

  return p;
}

/* Red, green or blue of the pixels, before and after they are clamped. */
INLINE signed_pixels
unclamped_of (yuv_pixels p, constant int *matrix_row)
{
  return UNCLAMPED_ROW (matrix_row, p.y, p.u, p.v);
}

INLINE pixels
colours_of (yuv_pixels p, constant int *matrix_row)
{
  return AS_UNSIGNED (MATRIX_ROW (signed_pixels, matrix_row, p.y, p.u, p.v));
}

/* Y, U and V of pixel x of a row, and 0. */
INLINE int4
read_yuv (yuv_row row, uint x)
{
  const uint chroma_x = (row.x_phase + x) >> row.x_shift;

  return (int4) (read_sample (row.y, x), read_sample (row.u, chroma_x),
      read_sample (row.v, chroma_x), 0);
}

/* Red, green or blue of pixel x of a row, before and after it is clamped. */
INLINE int
read_unclamped (yuv_row row, uint x, constant int *matrix_row)
{
  const int4 p = read_yuv (row, x);

  return UNCLAMPED_ROW (matrix_row, p.x, p.y, p.z);
}

INLINE uint
read_colour (yuv_row row, uint x, constant int *matrix_row)
{
  return (uint) clamp (read_unclamped (row, x, matrix_row), 0, 255);
}
