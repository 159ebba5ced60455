/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Light blended into the samples of a frame, a step of pixels at a time: what
 * the scopes draw is never in memory.
 *
 * A scope draws blocks: a step of as many rows as share a sample of the
 * coarsest component. It calls blend_row() with the light of each row, and
 * blend_block() with the sum of the rows.
 *
 * plugin/core/blend.c is the same in plain C.
 */

#ifndef AMPHISTO_BLEND_CL
#define AMPHISTO_BLEND_CL

#ifndef AMPHISTO_DRAWING_PARAMS_H
#include "drawing_params.h"
#endif
#ifndef AMPHISTO_RGB_CL
#include "rgb.cl"
#endif

/* The light of a step of pixels, 0 to 255 each. No light is brighter than its
 * alpha. */
typedef struct
{
  shorts r, g, b, alpha;
} light_step;

/* The sum of light, cut off at 255, on a background of alpha `background`. */
INLINE light_step
light_on (shorts r, shorts g, shorts b, uint background)
{
  light_step light = { min (r, (shorts) (255)), min (g, (shorts) (255)),
    min (b, (shorts) (255)), 0 };

  light.alpha = max (
      max (light.r, light.g), max (light.b, (shorts) ((ushort) background)));
  return light;
}

/* Light from a graticule: its words from `words` on, a multiple of N_PIXELS
 * after the first; see plugin/core/graticule.h. */
INLINE light_step
graticule_light (const global uint *words)
{
#ifdef AMPHISTO_GPU
  const pixels light = *(const global pixels *) words;
#else
  const pixels light = *(const global words16 *) words;
#endif
  const light_step step = { TO_SHORTS (light & 0xffu),
    TO_SHORTS (light >> 8 & 0xffu), TO_SHORTS (light >> 16 & 0xffu), 0 };

  return step;
}

INLINE light_step
add_light (light_step a, light_step b)
{
  a.r += b.r;
  a.g += b.g;
  a.b += b.b;
  a.alpha += b.alpha;
  return a;
}

/* The sums of pairs of neighbouring lanes, in the first half of the lanes (and,
 * unused, in the second). */
INLINE shorts
add_columns (shorts v)
{
  return (shorts) (v.even + v.odd, v.even + v.odd);
}

/* The mean of 2^x_shift neighbouring lanes each, of a sum of 2^y_shift rows. */
INLINE shorts
mean_of (shorts sum, uint x_shift, uint y_shift)
{
  const uint shift = x_shift + y_shift;

  for (uint i = 0; i < x_shift; i++)
    sum = add_columns (sum);
  return (sum + (shorts) ((ushort) (1 << shift >> 1)))
      >> (shorts) ((ushort) shift);
}

INLINE light_step
mean_light (light_step sum, uint x_shift, uint y_shift)
{
  sum.r = mean_of (sum.r, x_shift, y_shift);
  sum.g = mean_of (sum.g, x_shift, y_shift);
  sum.b = mean_of (sum.b, x_shift, y_shift);
  sum.alpha = mean_of (sum.alpha, x_shift, y_shift);
  return sum;
}

/* v / 255, rounded: exact for v up to 65025. */
INLINE shorts
divide_by_255 (shorts v)
{
  v += (shorts) (128);
  return (v + (v >> (shorts) (8))) >> (shorts) (8);
}

/* Blends light into the samples of a component. */
INLINE pixels
blend (constant drawn_params *drawn, pixels samples, light_step light)
{
  return TO_PIXELS (
      divide_by_255 (TO_SHORTS (samples) * ((shorts) (255) - light.alpha)
          + light.r * (ushort) drawn->weights[0]
          + light.g * (ushort) drawn->weights[1]
          + light.b * (ushort) drawn->weights[2]
          + light.alpha * (ushort) drawn->offset));
}

/* Blends light into a step of a component that has items of its own. x and y
 * are the step's first pixel. */
INLINE void
blend_component (uchar_planes planes, constant drawn_params *drawn, uint x,
    uint y, light_step light)
{
  const uint x_shift = drawn->samples.x_shift;
  const component_row row = frame_component_row (
      planes, &drawn->samples, y >> drawn->samples.y_shift);
  const uint i = x / N_PIXELS;

  write_shared_samples (row, i, x_shift,
      blend (drawn, read_shared_samples (row, i, x_shift), light));
}

/* The same into all components of packed pixels. */
INLINE void
blend_packed (uchar_planes planes, constant drawn_params *drawn, uint x, uint y,
    light_step light)
{
  const rgb_row row = rgb_row_of (
      planes, &drawn[0].samples, &drawn[1].samples, &drawn[2].samples, y);
  const uint i = x / N_PIXELS;
  rgb_pixels p = read_packed_pixels (row, i);

  p.r = blend (&drawn[0], p.r, light);
  p.g = blend (&drawn[1], p.g, light);
  p.b = blend (&drawn[2], p.b, light);
  write_packed_pixels (row, i, p);
}

/* The component with the fewest samples. */
INLINE constant component_params *
coarsest (constant drawing_params *drawing)
{
  return &drawing->drawn[drawing->n_drawn - 1].samples;
}

/* Blends the light of pixels x on, in row y, into what has a sample for each
 * pixel. */
INLINE void
blend_row (uchar_planes planes, constant drawing_params *drawing, uint x,
    uint y, light_step light)
{
  const uint n = drawing->n_whole;

  if (drawing->drawn[0].samples.pixel_stride > 2)
    blend_packed (planes, drawing->drawn, x, y, light);
  else
    for (uint c = 0; c < n; c++)
      blend_component (planes, &drawing->drawn[c], x, y, light);
}

/* Blends the sum of the light of a block's rows, of which y is the first, into
 * what pixels share. */
INLINE void
blend_block (uchar_planes planes, constant drawing_params *drawing, uint x,
    uint y, light_step sum)
{
  const uint n_drawn = drawing->n_drawn;
  const uint n = drawing->n_whole;

  if (n == n_drawn)
    return;
  sum = mean_light (
      sum, coarsest (drawing)->x_shift, coarsest (drawing)->y_shift);
  for (uint c = n; c < n_drawn; c++)
    blend_component (planes, &drawing->drawn[c], x, y, sum);
}

#endif
