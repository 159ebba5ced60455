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

/* Draws the labels of a curve over a chunk of a panel. labels: from the chunk's
 * first column on; see label_columns(). texts: a row of the graticule. Lanes
 * outside the panel may have any label. */
INLINE light_chunk
draw_labels (light_chunk light, constant histogram_scope_params *params,
    constant curve_params *curve, const global ushort *labels,
    const global uint *texts)
{
  const shorts chunk = read_columns (labels);

  if (are_zero_shorts (chunk))
    return light;

  const shorts end = TO_SHORT (params->label_left[CURVES_N_MARKS]);
  light_chunk text =
      light_of (gather_words (texts, TO_PIXELS (min (chunk, end))));

  text.r = divide_by_255 (text.r * (ushort) curve->line[0]);
  text.g = divide_by_255 (text.g * (ushort) curve->line[1]);
  text.b = divide_by_255 (text.b * (ushort) curve->line[2]);
  text = draw_over (text, light);
  text.alpha = max (text.alpha, light.alpha);
  return text;
}

/* Draws marks and labels over row y of a panel, from column x on. row: from
 * panel_rows(). */
INLINE light_chunk
draw_row_marks (light_chunk light, constant histogram_scope_params *params,
    global ushort *columns, const global uint *picture, ushort row, uint panel,
    int x, uint y)
{
  constant scope_params *scope = &params->scope;
  const uint first = panel * params->panel_curves;
  const uint labelled = row >> ROW_CURVE_SHIFT;

  if (row & ROW_HAS_DASH)
    light = draw_marks (light, params, &params->curve[first],
        mark_columns (columns, params, panel) + x);
  if (labelled > 0) {
    const uint i = labelled - 1;
    const uint down = y - params->label_top - i * scope->label_height;

    light = draw_labels (light, params, &params->curve[first + i],
        label_columns (curve_columns (columns, params, first + i), params) + x,
        picture + (scope->height + down) * scope->width);
  }
  return light;
}

/* See draw_scope.cl. trace: the columns of calculate_curves. */
INLINE light_chunk
draw_panel (light_chunk graticule, constant histogram_scope_params *params,
    const global uint *trace, const global uint *picture, uint panel, int x,
    uint y)
{
  global ushort *columns = (global ushort *) trace;
  const uint width = params->scope.panel_width;
  const uint first = panel * params->panel_curves;
  const uint arrows = y < params->arrow_bottom ? N_EDGE_KINDS * width : 0;
  const uint bottom = params->scope.plot_top + params->scope.plot_height;
  curves_light sum = { { 0, 0, 0, 0 }, { 0, 0, 0, 0 } };

  if (y >= params->caption_top)
    return graticule;

  const ushort row = panel_rows (columns, params, panel)[y];
  const shorts gridlines = (shorts) (row & ROW_LIGHT);
  const light_chunk moving = { gridlines, gridlines, gridlines, 0 };

  graticule = max_light (graticule, moving);
  if (y >= bottom)
    return graticule;
  for (uint i = first; i < first + params->panel_curves; i++)
    sum = add_curve (sum, &params->curve[i],
        curve_columns (columns, params, i) + arrows + x, width,
        (ushort) ((bottom - 1 - y) * 16));
  /* lines keep their colours over areas */
  graticule = draw_over (graticule, max_light (sum.areas, sum.brightest));
  return row <= ROW_LIGHT
      ? graticule
      : draw_row_marks (graticule, params, columns, picture, row, panel, x, y);
}

#define SCOPE_PARAMS histogram_scope_params
#define DRAW_SCOPE draw_histogram
#include "scopes/draw_scope.cl"
