/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Draws a white, opaque outline around the region that is measured. A
 * subsampled component is as white as the line covers the pixels of its sample.
 *
 * plugin/core/scopes/outline.c is the same in plain C.
 */

#pragma once

#include "pixels/components.cl"
#include "drawing_params.h"
#include "outline_params.h"
#include "pixels/slices.cl"

/* The region and the frame in one direction, x or y, in pixels. */
typedef struct
{
  uint first;
  uint size;
  uint line_width;
  uint frame_size;
} outline_span;

/* How many of a sample's pixels, in one direction, are on one of the two lines,
 * and between them. */
typedef struct
{
  uint on;
  uint between;
} outline_pixels;

/* Counts the 2^shift pixels from `pixel` on, `stride` apart. The last one in
 * the frame stands in for missing ones. */
INLINE outline_pixels
count_outline (outline_span span, uint pixel, uint stride, uint shift)
{
  outline_pixels n = { 0, 0 };

  for (uint i = 0; i < 1u << shift; i++) {
    const uint at = pixel - span.first;
    const uint is_inside = at < span.size;
    const uint is_on = is_inside
        && (at < span.line_width || span.size - at <= span.line_width);

    n.on += is_on;
    n.between += is_inside - is_on;
    pixel += pixel + stride < span.frame_size ? stride : 0;
  }
  return n;
}

/* Draws into a row of a component's samples: into all of the region if the row
 * is on a line, otherwise into two samples at each side. rows: the samples'
 * pixels. */
INLINE void
draw_outline_row (component_row row, constant component_params *samples,
    uint white, outline_span columns, outline_pixels rows)
{
  const uint x_shift = samples->x_shift;
  const uint shift = x_shift + samples->y_shift;
  const uint first = columns.first >> x_shift;
  const uint n = ((columns.first + columns.size - 1) >> x_shift) - first + 1;
  const uint n_drawn = rows.on > 0 ? n : min (n, 4u);

  FOR_COLUMNS (i, n_drawn) {
    const uint x = first + (i < 2 ? i : i + n - n_drawn);
    const outline_pixels n_pixels =
        count_outline (columns, x << x_shift, 1, x_shift);
    const uint covered =
        rows.on * (n_pixels.on + n_pixels.between) + rows.between * n_pixels.on;
    const uint alpha = (covered * 255 + (1u << shift >> 1)) >> shift;

    if (covered > 0)
      write_sample (row, x,
          (read_sample (row, x) * (255 - alpha) + white * alpha + 127) / 255);
  }
}

NOINLINE void
draw_outline_rows (uchar_planes planes, constant component_params *samples,
    uint white, outline_span columns, outline_span rows, row_range own)
{
  FOR_ROWS (y, own) {
    const outline_pixels n = count_outline (rows, first_pixel_row (samples, y),
        pixel_row_stride (samples), samples->y_shift);

    if (n.on + n.between > 0)
      draw_outline_row (
          frame_component_row (planes, samples, y), samples, white, columns, n);
  }
}

/* Draws the outline into the target's planes. */
kernel GROUP void
draw_outline (global uint *target0, global uint *target1, global uint *target2,
    global uint *target3, constant drawing_params *drawing,
    constant outline_params *outline)
{
  const uchar_planes planes =
      planes_at (target0, target1, target2, target3, drawing->target);
  constant component_params *pixels = &drawing->drawn[0].samples;
  const outline_span columns = { outline->x, outline->width,
    outline->line_width, pixels->width };
  const outline_span rows = { outline->y, outline->height, outline->line_width,
    pixels->height };

  for (uint c = 0; c < drawing->n_drawn; c++) {
    constant drawn_params *drawn = &drawing->drawn[c];

    draw_outline_rows (planes, &drawn->samples,
        drawn->weights[0] + drawn->weights[1] + drawn->weights[2]
            + drawn->offset,
        columns, rows, own_rows (drawn->samples.height));
  }
  if (drawing->has_alpha)
    draw_outline_rows (planes, &drawing->alpha, 255, columns, rows,
        own_rows (drawing->alpha.height));
}
