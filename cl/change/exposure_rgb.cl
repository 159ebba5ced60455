/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Draws zebra and false colour pixel by pixel: into packed pixels of three
 * components, and planar RGB.
 */

#pragma once

#include "change/exposure_samples.cl"
#include "drawing_params.h"
#include "pixels/luma.cl"
#include "pixels/slices.cl"

INLINE pixels
pixel_luma (const exposure_params *params, rgb_pixels p)
{
  return params->n_luma == 1 ? p.r : LUMA (params->weights, p.r, p.g, p.b);
}

/* Draws component c of pixels of this luma. */
INLINE pixels
draw_component (const exposure_params *params, uint c, pixels luma,
    pixels samples, uint x, uint y)
{
  if (params->has_bands)
    samples = band_samples (params, c, luma);
  if (params->has_zebra && c < params->n_luma)
    samples = stripe_samples (params, luma, samples, x, y);
  return samples;
}

INLINE rgb_pixels
draw_pixels (
    const exposure_params *params, pixels luma, rgb_pixels p, uint x, uint y)
{
  p.r = draw_component (params, 0, luma, p.r, x, y);
  p.g = draw_component (params, 1, luma, p.g, x, y);
  p.b = draw_component (params, 2, luma, p.b, x, y);
  return p;
}

INLINE void
draw_rgb_chunks (
    const exposure_params *params, rgb_row from, rgb_row to, uint n, uint y)
{
  FOR_COLUMNS (i, n) {
    const pixels luma = pixel_luma (params, read_rgb_pixels (from, i));

    if (!params->has_bands && has_no_stripes (params, luma))
      continue;
    put_rgb_pixels (to, i,
        draw_pixels (params, luma, read_rgb_pixels (to, i), i * N_PIXELS, y));
  }
}

/* Draws one pixel, in the first lane. */
INLINE void
draw_rgb_pixel (
    const exposure_params *params, rgb_row from, rgb_row to, uint x, uint y)
{
  const uint4 source = read_rgb (from, x);
  const uint4 target = read_rgb (to, x);
  const rgb_pixels s = { source.x, source.y, source.z, 0 };
  const rgb_pixels t = { target.x, target.y, target.z, 0 };
  const pixels luma = pixel_luma (params, s);

  if (params->has_bands || !has_no_stripes (params, luma)) {
    const rgb_pixels p = draw_pixels (params, luma, t, x, y);

    write_rgb (to, x, (uint4) (p.r.s0, p.g.s0, p.b.s0, 0));
  }
}

INLINE void
draw_rgb_row (
    const exposure_params *params, rgb_row from, rgb_row to, uint width, uint y)
{
  const uint n = width / N_PIXELS;

  if (IS_GPU && from.pixel_stride == 4)
    draw_rgb_chunks (params, packed_row (from, 4), packed_row (to, 4), n, y);
  else if (IS_GPU && from.pixel_stride == 3)
    draw_rgb_chunks (params, packed_row (from, 3), packed_row (to, 3), n, y);
  else /* PoCL 6.0 aborts if these are planar_row() in the GPU shape */
    draw_rgb_chunks (params, from, to, n, y);
  FOR_COLUMNS (i, width - n * N_PIXELS)
    draw_rgb_pixel (params, from, to, n * N_PIXELS + i, y);
}

NOINLINE void
draw_rgb_rows (uchar_planes source, uchar_planes target,
    constant drawing_params *drawing, constant exposure_params *exposure,
    row_range rows)
{
  constant drawn_params *drawn = drawing->drawn;
  const exposure_params params = *exposure;

  FOR_ROWS (y, rows)
    draw_rgb_row (&params,
        rgb_row_of (
            source, &drawn[0].samples, &drawn[1].samples, &drawn[2].samples, y),
        rgb_row_of (
            target, &drawn[0].samples, &drawn[1].samples, &drawn[2].samples, y),
        drawn[0].samples.width, y);
}
