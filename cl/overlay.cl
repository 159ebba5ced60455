/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The graph, from columns to pixels of the frame.
 *
 * A step of pixels is drawn in registers, in vectors of 16-bit numbers, and
 * blended at once: the picture of the graph is never in memory.
 * calculate_curves has prepared what depends on the column or the row alone.
 */

#ifndef AMPHISTO_OVERLAY_CL
#define AMPHISTO_OVERLAY_CL

#ifndef AMPHISTO_COLUMNS_CL
#include "columns.cl"
#endif
#ifndef AMPHISTO_RGB_CL
#include "rgb.cl"
#endif
#ifndef AMPHISTO_SLICES_CL
#include "slices.cl"
#endif

/* A step of a panel's columns. In the GPU shape, whose steps are four columns,
 * it is aligned: panels have multiples of OVERLAY_ROWS rows and OVERLAY_UNIT
 * columns. */
#ifdef AMPHISTO_GPU
typedef shorts column_step;
#else
typedef shorts column_step __attribute__ ((aligned (2)));
#endif

/* The light of a step of pixels, 0 to 255 each. */
typedef struct
{
  shorts r, g, b, alpha;
} light_step;

/* How far what lies below the edge covers each pixel of the row whose lower end
 * is at `bottom`: 0 to 255. Not by mul_hi(), of which PoCL (3.1) makes several
 * products; the compiler recognizes this as one. */
INLINE shorts
cover (shorts edge, shorts span, shorts slope, ushort bottom)
{
  const shorts below = min (sub_sat (edge, (shorts) (bottom)), span)
      << (shorts) (4);

  return TO_SHORTS ((TO_PIXELS (below) * TO_PIXELS (slope)) >> (pixels) (16));
}

INLINE shorts
curve_light (shorts fill, shorts line, constant curve_params *curve, uint c)
{
  return (fill * (ushort) curve->fill[c] + line * (ushort) curve->line[c]
             + (shorts) (255))
      >> (shorts) (8);
}

/* Not any(); see are_zeros(). */
INLINE bool
are_zero_shorts (shorts v)
{
#ifdef AMPHISTO_GPU
  return as_ulong (v) == 0;
#else
  const ulong4 words = as_ulong4 (v);

  return (words.x | words.y | words.z | words.w) == 0;
#endif
}

INLINE light_step
add_curve (light_step light, constant curve_params *curve,
    const global ushort *columns, uint width, ushort bottom)
{
  const shorts upper =
      *(const global column_step *) (columns + EDGE_UPPER * width);

  /* most of a graph is above its curves */
  if (are_zero_shorts (sub_sat (upper, (shorts) (bottom))))
    return light;

  const shorts lower =
      *(const global column_step *) (columns + EDGE_LOWER * width);
  const shorts span =
      *(const global column_step *) (columns + EDGE_SPAN * width);
  const shorts slope =
      *(const global column_step *) (columns + EDGE_SLOPE * width);
  const shorts fill = cover (lower, span, slope, bottom);
  const shorts line = cover (upper, span, slope, bottom) - fill;

  light.r += curve_light (fill, line, curve, 0);
  light.g += curve_light (fill, line, curve, 1);
  light.b += curve_light (fill, line, curve, 2);
  return light;
}

/* Row y of a panel, a step from column x on. */
INLINE light_step
panel_light (constant overlay_params *params, global ushort *columns,
    uint panel, uint x, uint y)
{
  const uint width = params->panel_width;
  const uint first = panel * params->panel_curves;
  const global ushort *light = panel_columns (columns, params, panel) + x;
  const shorts row = panel_rows (columns, params, panel)[y];
  light_step sum = { max (row, *(const global column_step *) (light)),
    max (row, *(const global column_step *) (light + width)),
    max (row, *(const global column_step *) (light + 2 * width)), 0 };

  if (y < params->plot_bottom)
    for (uint i = first; i < first + params->panel_curves; i++)
      sum = add_curve (sum, &params->curve[i],
          curve_columns (columns, params, i) + x, width,
          (ushort) ((params->plot_bottom - 1 - y) * 16));
  sum.r = min (sum.r, (shorts) (255));
  sum.g = min (sum.g, (shorts) (255));
  sum.b = min (sum.b, (shorts) (255));
  sum.alpha = max (
      max (sum.r, sum.g), max (sum.b, (shorts) ((ushort) params->background)));
  return sum;
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

/* Draws a step of as many rows as share a sample of the coarsest component.
 * `row` is the first of them in the panel; x and y are the first pixel in the
 * frame. */
INLINE void
draw_block (uchar_planes planes, constant drawing_params *drawing,
    constant overlay_params *params, global ushort *columns, uint panel,
    uint column, uint row, uint x, uint y)
{
  const uint n_drawn = drawing->n_drawn;
  const uint x_shift = coarsest (drawing)->x_shift;
  const uint y_shift = coarsest (drawing)->y_shift;
  const uint n_whole = x_shift + y_shift > 0 ? 1 : n_drawn;
  light_step sum = { 0, 0, 0, 0 };

  for (uint i = 0; i < 1u << y_shift; i++) {
    const light_step light =
        panel_light (params, columns, panel, column, row + i);

    if (drawing->drawn[0].samples.pixel_stride > 2)
      blend_packed (planes, drawing->drawn, x, y + i, light);
    else
      for (uint c = 0; c < n_whole; c++)
        blend_component (planes, &drawing->drawn[c], x, y + i, light);
    sum = add_light (sum, light);
  }
  if (n_whole == n_drawn)
    return;
  sum = mean_light (sum, x_shift, y_shift);
  for (uint c = n_whole; c < n_drawn; c++)
    blend_component (planes, &drawing->drawn[c], x, y, sum);
}

OUTLINE void
draw_panels (uchar_planes planes, constant drawing_params *drawing,
    constant overlay_params *params, global ushort *columns, row_range rows)
{
  const uint y_shift = coarsest (drawing)->y_shift;
  const uint n_steps = params->panels_x * params->panel_width / N_PIXELS;

  FOR_ROWS (block, rows) {
    const uint y = block << y_shift;
    const uint panel = y / params->panel_height * params->panels_x;
    const uint row = y % params->panel_height;

    FOR_COLUMNS (i, n_steps) {
      const uint x = i * N_PIXELS;

      draw_block (planes, drawing, params, columns,
          panel + x / params->panel_width, x % params->panel_width, row,
          params->x + x, params->y + y);
    }
  }
}

/* Draws the graph into the target's planes. */
kernel void
draw_overlay (global uint *target0, global uint *target1, global uint *target2,
    constant drawing_params *drawing, constant overlay_params *params,
    global ushort *columns)
{
  draw_panels (planes_at (target0, target1, target2, target0, drawing->target),
      drawing, params, columns,
      own_rows (params->panels_y * params->panel_height
          >> coarsest (drawing)->y_shift));
}

#endif
