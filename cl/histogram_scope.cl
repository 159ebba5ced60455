/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The light of the histogram's scope.
 *
 * No picture of the curves is kept in memory. calculate_curves has prepared all
 * data that depend only on the column or only on the row.
 */

#ifndef AMPHISTO_HISTOGRAM_SCOPE_CL
#define AMPHISTO_HISTOGRAM_SCOPE_CL

#ifndef AMPHISTO_BLEND_CL
#include "blend.cl"
#endif
#ifndef AMPHISTO_COLUMNS_CL
#include "columns.cl"
#endif

/* Reads a chunk of a panel's columns. In the GPU shape, chunks of four columns
 * are aligned: panels have multiples of four rows and columns. */
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

  /* most of a scope is above its curves */
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

/* The light of the percentile marks and moving gridlines, if brighter than the
 * graticule's: of a chunk of row y of a panel, from column x on. */
INLINE light_chunk
add_gridlines (light_chunk light, constant histogram_scope_params *params,
    global ushort *columns, uint panel, int x, uint y)
{
  const uint width = params->scope.panel_width;
  const shorts row = panel_rows (columns, params, panel)[y];
  const global ushort *marks = panel_columns (columns, params, panel) + x;

  light.r = max (light.r, max (row, read_columns (marks)));
  light.g = max (light.g, max (row, read_columns (marks + width)));
  light.b = max (light.b, max (row, read_columns (marks + 2 * width)));
  return light;
}

/* See draw_scope.cl. light: the columns of calculate_curves. */
INLINE light_chunk
add_scope (light_chunk graticule, constant histogram_scope_params *params,
    const global uint *light, uint panel, int x, uint y)
{
  global ushort *columns = (global ushort *) light;
  const uint width = params->scope.panel_width;
  const uint first = panel * params->panel_curves;
  const uint arrows = y < params->arrow_bottom ? N_EDGE_KINDS * width : 0;
  const uint bottom = params->scope.plot_top + params->scope.plot_height;
  light_chunk sum = { 0, 0, 0, 0 };

  if (y >= params->caption_top)
    return graticule;
  graticule = add_gridlines (graticule, params, columns, panel, x, y);
  if (y >= bottom)
    return graticule;
  for (uint i = first; i < first + params->panel_curves; i++)
    sum = add_curve (sum, &params->curve[i],
        curve_columns (columns, params, i) + arrows + x, width,
        (ushort) ((bottom - 1 - y) * 16));
  return add_scope_light (graticule, sum);
}

#define SCOPE_PARAMS histogram_scope_params
#define DRAW_SCOPE draw_histogram

#endif
