/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Draws the stripes of gamut_stripes.cl over pixels of RGB, or of grey, of
 * limited range.
 */

#pragma once

#include "exposure_params.h"
#include "pixels/luma.cl"
#include "pixels/outside_rgb.cl"
#include "pixels/slices.cl"

/* The row to draw into, and its source. */
typedef struct
{
  rgb_row from, to;
} rgb_rows;

/* Draws chunk i of the rows. */
INLINE void
draw_rgb_outside (rgb_rows rows, uint i, constant frame_params *params,
    constant exposure_params *exposure)
{
  const rgb_pixels source = read_rgb_pixels (rows.from, i);
  const pixels at = PIXEL_INDICES + (i * N_PIXELS + exposure->stripe_phase);
  const signed_pixels masks = are_rgb_outside (source, params)
      & ((at & exposure->stripe_width) != (pixels) (0));

  if (are_zeros (pack_samples (AS_UNSIGNED (masks))))
    return;

  const pixels luma = LUMA (params->weights, source.r, source.g, source.b);
  const pixels stripe =
      select ((pixels) (exposure->white), (pixels) (exposure->black),
          luma > (pixels) ((exposure->black + exposure->white) / 2));
  rgb_pixels p = read_rgb_pixels (rows.to, i);

  p.r = select (p.r, stripe, masks);
  p.g = select (p.g, stripe, masks);
  p.b = select (p.b, stripe, masks);
  put_rgb_pixels (rows.to, i, p);
}

/* Draws pixel x. */
INLINE void
draw_rgb_pixel_outside (rgb_rows rows, uint x, constant frame_params *params,
    constant exposure_params *exposure)
{
  const uint4 p = read_rgb (rows.from, x);
  const uint luma = LUMA (params->weights, p.x, p.y, p.z);

  if (((x + exposure->stripe_phase) & exposure->stripe_width) != 0
      && is_rgb_outside (p, params))
    write_rgb (rows.to, x,
        (uint4) (2 * luma > exposure->black + exposure->white
                ? exposure->black
                : exposure->white));
}

/* Draws n chunks of the rows. */
INLINE void
draw_rgb_outside_chunks (rgb_rows rows, uint n, constant frame_params *params,
    constant exposure_params *exposure)
{
  FOR_ROW_CHUNKS (i, n)
    draw_rgb_outside (rows, i, params, exposure);
}

NOINLINE void
draw_rgb_gamut_rows (uchar_planes source, uchar_planes target,
    constant frame_params *params, constant exposure_params *exposure,
    row_range range)
{
  const uint width = params->rgb[0].width;
  const uint n = width / N_PIXELS;

  FOR_ROWS (y, range) {
    const rgb_rows rows = { frame_rgb_row (source, params->rgb, y),
      frame_rgb_row (target, params->rgb, y) };
    const uint size = rows.to.pixel_stride;
    const rgb_rows packed4 = { packed_row (rows.from, 4),
      packed_row (rows.to, 4) };
    const rgb_rows packed3 = { packed_row (rows.from, 3),
      packed_row (rows.to, 3) };
    const rgb_rows planar = { planar_row (rows.from), planar_row (rows.to) };

    if (size == 4)
      draw_rgb_outside_chunks (packed4, n, params, exposure);
    else if (size == 3)
      draw_rgb_outside_chunks (packed3, n, params, exposure);
    else
      draw_rgb_outside_chunks (planar, n, params, exposure);
    FOR_ROW_CHUNKS (i, width - n * N_PIXELS)
      draw_rgb_pixel_outside (rows, n * N_PIXELS + i, params, exposure);
  }
}

/* Draws into the target, which may be the same frame as the source. */
kernel GROUP void
draw_rgb_gamut (global uint *source0, global uint *source1,
    global uint *source2, global uint *target0, global uint *target1,
    global uint *target2, constant frame_params *params,
    constant exposure_params *exposure)
{
  draw_rgb_gamut_rows (
      planes_at (source0, source1, source2, source0, params->source),
      planes_at (target0, target1, target2, target0, params->target), params,
      exposure, own_chunk_rows (params->rgb[0].height));
}
