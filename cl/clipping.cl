/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Stripes over pixels that are clipped.
 */

#ifndef AMPHISTO_CLIPPING_CL
#define AMPHISTO_CLIPPING_CL

#ifndef AMPHISTO_CLIPPING_PARAMS_H
#include "clipping_params.h"
#endif
#ifndef AMPHISTO_DRAWING_PARAMS_H
#include "drawing_params.h"
#endif
#ifndef AMPHISTO_RGB_CL
#include "rgb.cl"
#endif
#ifndef AMPHISTO_SLICES_CL
#include "slices.cl"
#endif

/* What becomes of a step of pixels: all components of those where the mask is
 * all ones get the value of `grey`. */
typedef struct
{
  pixels mask;
  pixels grey;
} zebra_step;

/* xy: x + y of the step's first pixel. */
INLINE pixels
stripe_mask (constant clipping_params *params, uint xy)
{
  const pixels at = FIRST_PIXELS + (xy + params->phase);

  return AS_UNSIGNED ((at & params->stripe) != (pixels) (0));
}

INLINE zebra_step
find_stripes (constant clipping_params *params, pixels brightest, uint xy)
{
  const signed_pixels is_black = brightest <= (pixels) (params->black);
  const signed_pixels is_white = brightest >= (pixels) (params->white);
  zebra_step step = { AS_UNSIGNED (is_black | is_white), 0 };

  /* most pictures have few pixels that are clipped */
  if (are_zeros (pack_samples (step.mask)))
    return step;
  step.mask &= stripe_mask (params, xy);
  step.grey = select ((pixels) (params->on_black), (pixels) (params->on_white),
      AS_UNSIGNED (is_white));
  return step;
}

/* Step i of a row of grey or Y. */
INLINE void
draw_luma_step (constant clipping_params *params, component_row from,
    component_row to, uint i, uint y)
{
  const zebra_step step =
      find_stripes (params, read_component_samples (from, i), i * N_PIXELS + y);

  if (are_zeros (pack_samples (step.mask)))
    return;
  write_shared_samples (
      to, i, 0, select (read_component_samples (to, i), step.grey, step.mask));
}

/* Step i of a row of RGB. */
INLINE void
draw_rgb_step (
    constant clipping_params *params, rgb_row from, rgb_row to, uint i, uint y)
{
  const rgb_pixels source = read_rgb_pixels (from, i);
  const zebra_step step = find_stripes (
      params, max (max (source.r, source.g), source.b), i * N_PIXELS + y);

  if (are_zeros (pack_samples (step.mask)))
    return;

  rgb_pixels target = read_rgb_pixels (to, i);

  target.r = select (target.r, step.grey, step.mask);
  target.g = select (target.g, step.grey, step.mask);
  target.b = select (target.b, step.grey, step.mask);
  write_rgb_pixels (to, i, target);
}

/* Whether pixel (x, y) gets a stripe. */
INLINE bool
is_striped (constant clipping_params *params, uint brightest, uint x, uint y)
{
  return (brightest <= params->black || brightest >= params->white)
      && ((x + y + params->phase) & params->stripe) != 0;
}

INLINE uint
stripe_grey (constant clipping_params *params, uint brightest)
{
  return brightest >= params->white ? params->on_white : params->on_black;
}

INLINE void
draw_luma_steps (constant clipping_params *params, component_row from,
    component_row to, uint n, uint y)
{
  FOR_COLUMNS (i, n)
    draw_luma_step (params, from, to, i, y);
}

INLINE void
draw_luma_row (constant clipping_params *params, component_row from,
    component_row to, uint width, uint y)
{
  const uint n = width / N_PIXELS;

  if (IS_GPU && from.pixel_stride == 1)
    draw_luma_steps (params, plain_row (from), plain_row (to), n, y);
  else
    draw_luma_steps (params, from, to, n, y);
  FOR_COLUMNS (i, width - n * N_PIXELS) {
    const uint x = n * N_PIXELS + i;
    const uint luma = read_sample (from, x);

    if (is_striped (params, luma, x, y))
      write_sample (to, x, stripe_grey (params, luma));
  }
}

INLINE void
draw_rgb_steps (
    constant clipping_params *params, rgb_row from, rgb_row to, uint n, uint y)
{
  FOR_COLUMNS (i, n)
    draw_rgb_step (params, from, to, i, y);
}

/* Pixels of a target that does not begin at words are written one by one. */
INLINE void
draw_rgb_row (constant clipping_params *params, rgb_row from, rgb_row to,
    uint width, uint y)
{
  const uint n = begins_at_words (to) ? width / N_PIXELS : 0;

  if (IS_GPU && from.pixel_stride == 4)
    draw_rgb_steps (params, packed_row (from, 4), packed_row (to, 4), n, y);
  else if (IS_GPU && from.pixel_stride == 3)
    draw_rgb_steps (params, packed_row (from, 3), packed_row (to, 3), n, y);
  else
    draw_rgb_steps (params, from, to, n, y);
  FOR_COLUMNS (i, width - n * N_PIXELS) {
    const uint x = n * N_PIXELS + i;
    const uint4 pixel = read_rgb (from, x);
    const uint brightest = max (max (pixel.x, pixel.y), pixel.z);

    if (is_striped (params, brightest, x, y))
      write_rgb (to, x, (uint4) (stripe_grey (params, brightest)));
  }
}

OUTLINE void
draw_rows (uchar_planes source, uchar_planes target,
    constant drawing_params *drawing, constant clipping_params *params,
    row_range rows)
{
  constant drawn_params *drawn = drawing->drawn;
  constant component_params *first = &drawn[0].samples;

  FOR_ROWS (y, rows) {
    if (params->n_components == 1)
      draw_luma_row (params, frame_component_row (source, first, y),
          frame_component_row (target, first, y), first->width, y);
    else
      draw_rgb_row (params,
          rgb_row_of (source, first, &drawn[1].samples, &drawn[2].samples, y),
          rgb_row_of (target, first, &drawn[1].samples, &drawn[2].samples, y),
          first->width, y);
  }
}

/* Draws stripes over the target's pixels that are clipped in the source; the
 * two may be one. */
kernel void
draw_clipping (global uint *source0, global uint *source1, global uint *source2,
    global uint *target0, global uint *target1, global uint *target2,
    constant drawing_params *drawing, constant clipping_params *params)
{
  draw_rows (planes_at (source0, source1, source2, source0, drawing->source),
      planes_at (target0, target1, target2, target0, drawing->target), drawing,
      params, own_rows (drawing->drawn[0].samples.height));
}

#endif
