/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Draws the histogram's graph into the frame.
 *
 * A run of chunks is drawn in vectors of 16-bit numbers, and blended at once:
 * no picture of the graph is kept in memory. calculate_curves has prepared all
 * data that depend only on the column or only on the row.
 */

#ifndef AMPHISTO_OVERLAY_CL
#define AMPHISTO_OVERLAY_CL

#ifndef AMPHISTO_BLEND_CL
#include "blend.cl"
#endif
#ifndef AMPHISTO_COLUMNS_CL
#include "columns.cl"
#endif
#ifndef AMPHISTO_SLICES_CL
#include "slices.cl"
#endif

/* Reads a chunk of a panel's columns. In the GPU shape, chunks of four columns
 * are aligned: panels have multiples of OVERLAY_ROWS rows and OVERLAY_UNIT
 * columns. */
#ifdef AMPHISTO_GPU

INLINE shorts
read_columns (const global ushort *columns)
{
  return convert_uint4 (*(const global ushort4 *) columns);
}

#else

typedef shorts column_chunk __attribute__ ((aligned (2)));

INLINE shorts
read_columns (const global ushort *columns)
{
  return *(const global column_chunk *) columns;
}

#endif

/* Coverage, 0 to 255, of each pixel by the area below the edge. bottom: the
 * lower end of the row. Avoids mul_hi(), which PoCL (3.1) splits into several
 * products; the compiler turns this expression into one. */
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

INLINE light_chunk
add_curve (light_chunk light, constant curve_params *curve,
    const global ushort *columns, uint width, ushort bottom)
{
  const shorts upper = read_columns (columns + EDGE_UPPER * width);

  /* most of a graph is above its curves */
  if (are_zero_shorts (sub_sat (upper, (shorts) (bottom))))
    return light;

  const shorts lower = read_columns (columns + EDGE_LOWER * width);
  const shorts span = read_columns (columns + EDGE_SPAN * width);
  const shorts slope = read_columns (columns + EDGE_SLOPE * width);
  const shorts fill = cover (lower, span, slope, bottom);
  const shorts line = cover (upper, span, slope, bottom) - fill;

  light.r += curve_light (fill, line, curve, 0);
  light.g += curve_light (fill, line, curve, 1);
  light.b += curve_light (fill, line, curve, 2);
  return light;
}

/* The light of row y of a panel without its curves, from column x on: red;
 * green and blue follow panel_width numbers apart. */
INLINE const global ushort *
row_columns (constant overlay_params *params, global ushort *columns,
    const global ushort *captions, uint panel, uint x, uint y)
{
  const uint n_rows = params->panel_height - params->caption_top;
  const uint row = panel * n_rows + y - params->caption_top;

  return x
      + (y < params->caption_top ? panel_columns (columns, params, panel)
                                 : captions + row * 3 * params->panel_width);
}

/* The light of a chunk of row y of a panel, from column x on. */
INLINE light_chunk
panel_light (constant overlay_params *params, global ushort *columns,
    const global ushort *captions, uint panel, uint x, uint y)
{
  const uint width = params->panel_width;
  const uint first = panel * params->panel_curves;
  const uint arrows =
      y < params->arrow_bottom ? N_EDGE_KINDS * params->panel_width : 0;
  const global ushort *light =
      row_columns (params, columns, captions, panel, x, y);
  const shorts row = panel_rows (columns, params, panel)[y];
  light_chunk sum = { max (row, read_columns (light)),
    max (row, read_columns (light + width)),
    max (row, read_columns (light + 2 * width)), 0 };

  if (y < params->plot_bottom)
    for (uint i = first; i < first + params->panel_curves; i++)
      sum = add_curve (sum, &params->curve[i],
          curve_columns (columns, params, i) + arrows + x, width,
          (ushort) ((params->plot_bottom - 1 - y) * 16));
  return light_on (sum.r, sum.g, sum.b, params->background);
}

/* Draws a block of n_chunks chunks. column, row: the block's first pixel in the
 * panel; x, y: in the frame. */
INLINE void
draw_block (uchar_planes planes, constant drawing_params *drawing,
    constant overlay_params *params, global ushort *columns,
    const global ushort *captions, uint panel, uint column, uint row, uint x,
    uint y, uint n_chunks)
{
  const uint n_rows = 1u << coarsest (drawing)->y_shift;
  const uint stride = pixel_row_stride (coarsest (drawing));
  light_chunk chunks[RUN_CHUNKS], sum[RUN_CHUNKS];

  clear_light (sum, n_chunks);
  for (uint i = 0; i < n_rows; i++) {
    for (uint k = 0; k < n_chunks; k++) {
      chunks[k] = panel_light (params, columns, captions, panel,
          column + k * N_PIXELS, row + i * stride);
      add_light (&sum[k], chunks[k]);
    }
    blend_row (planes, drawing, x, y + i * stride, chunks, n_chunks);
  }
  blend_block (planes, drawing, x, y, sum, n_chunks);
}

OUTLINE void
draw_panels (uchar_planes planes, constant drawing_params *drawing,
    constant overlay_params *params, global ushort *columns,
    const global ushort *captions, own_chunks blocks)
{
  const uint n_chunks = params->panel_width / N_PIXELS;
  const uint n_runs = count_runs (n_chunks);

  FOR_CHUNKS (at, blocks) {
    const uint y = first_pixel_row (coarsest (drawing), at.y);
    const uint panel = at.x / n_runs;
    const uint run = at.x % n_runs;
    const uint column = run * RUN_CHUNKS * N_PIXELS;

    draw_block (planes, drawing, params, columns, captions,
        y / params->panel_height * params->panels_x + panel, column,
        y % params->panel_height,
        params->x + panel * params->panel_width + column, params->y + y,
        chunks_of_run (run, n_chunks));
  }
}

/* Draws the graph into the target's planes. captions: see
 * amphisto_captions_split(). */
kernel GROUP void
draw_overlay (global uint *target0, global uint *target1, global uint *target2,
    constant drawing_params *drawing, constant overlay_params *params,
    global ushort *columns, const global ushort *captions)
{
  draw_panels (planes_at (target0, target1, target2, target0, drawing->target),
      drawing, params, columns, captions,
      share_blocks (
          params->panels_x * count_runs (params->panel_width / N_PIXELS),
          params->panels_y * params->panel_height
              >> coarsest (drawing)->y_shift));
}

#endif
