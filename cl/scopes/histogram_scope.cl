/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The light of the histogram's scope.
 *
 * No picture of the curves is kept in memory. calculate_curves has prepared all
 * data that depend only on the column or only on the row.
 */

#pragma once

#include "scopes/blend.cl"
#include "scopes/columns.cl"

/* Reads a chunk of a panel's columns. In the GPU shape, chunks of four columns
 * are aligned: panels have multiples of four rows and columns. */
INLINE shorts
read_columns (const global ushort *columns)
{
  return UNPACK_SHORTS (*(const global any_shorts *) columns);
}

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

/* Component c of the light of a curve's line and the area below. */
INLINE shorts
curve_light (shorts fill, shorts line, constant curve_params *curve, uint c)
{
  return (fill * (ushort) curve->fill[c] + line * (ushort) curve->line[c]
             + (shorts) (255))
      >> (shorts) (8);
}

/* The light of several curves: the sum of their areas, and the brightest of the
 * curves, each with its line and its area. */
typedef struct
{
  light_chunk areas;
  light_chunk brightest;
} curves_light;

INLINE curves_light
add_curve (curves_light light, constant curve_params *curve,
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
  const light_chunk whole = { curve_light (fill, line, curve, 0),
    curve_light (fill, line, curve, 1), curve_light (fill, line, curve, 2), 0 };

  add_light (&light.areas, light_in_colour (fill, curve->fill));
  light.brightest = max_light (light.brightest, whole);
  return light;
}

/* Draws the curves' marks over a chunk of a panel. marks: from the chunk's
 * first column on; see mark_columns(). */
INLINE light_chunk
draw_marks (light_chunk light, constant histogram_scope_params *params,
    constant curve_params *curve, const global ushort *marks)
{
  const shorts chunk = read_columns (marks);
  light_chunk lines = { 0, 0, 0, 0 };

  /* few columns have marks */
  if (are_zero_shorts (chunk))
    return light;
  for (uint i = 0; i < params->panel_curves; i++) {
    const shorts is_mark = chunk >> (shorts) ((ushort) i) & (shorts) (1);

    lines = max_light (
        lines, light_in_colour (is_mark * (shorts) (255), curve[i].line));
  }
  light.r = select (lines.r, light.r, chunk == (shorts) (0));
  light.g = select (lines.g, light.g, chunk == (shorts) (0));
  light.b = select (lines.b, light.b, chunk == (shorts) (0));
  return light;
}

/* See draw_scope.cl. trace: the columns of calculate_curves. */
INLINE light_chunk
draw_panel (light_chunk graticule, constant histogram_scope_params *params,
    const global uint *trace, uint panel, int x, uint y)
{
  global ushort *columns = (global ushort *) trace;
  const uint width = params->scope.panel_width;
  const uint first = panel * params->panel_curves;
  const uint arrows = y < params->arrow_bottom ? N_EDGE_KINDS * width : 0;
  const uint bottom = params->scope.plot_top + params->scope.plot_height;
  curves_light sum = { { 0, 0, 0, 0 }, { 0, 0, 0, 0 } };

  if (y >= bottom)
    return graticule;

  const ushort row = panel_rows (columns, params, panel)[y];
  const shorts gridlines = (shorts) (row & ROW_LIGHT);
  const light_chunk moving = { gridlines, gridlines, gridlines, 0 };

  graticule = max_light (graticule, moving);
  for (uint i = first; i < first + params->panel_curves; i++)
    sum = add_curve (sum, &params->curve[i],
        curve_columns (columns, params, i) + arrows + x, width,
        (ushort) ((bottom - 1 - y) * 16));
  /* lines keep their colours over areas */
  graticule = draw_over (graticule, max_light (sum.areas, sum.brightest));
  return row & ROW_HAS_DASH ? draw_marks (graticule, params,
             &params->curve[first], mark_columns (columns, params, panel) + x)
                            : graticule;
}

#define SCOPE_PARAMS histogram_scope_params
#define DRAW_SCOPE draw_histogram
#include "scopes/draw_scope.cl"
