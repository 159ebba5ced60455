/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The percentile marks of the histogram's curves, and their labels.
 *
 * plugin/core/scopes/curves.c does the same in plain C, and explains the
 * drawing.
 */

#pragma once

#include "scopes/columns.cl"
#include "scopes/numbers.cl"
#include "pixels/slices.cl"

/* The first columns of a curve's marks and of their labels. A label at
 * panel_width is not shown. */
typedef struct
{
  uint line[CURVES_N_MARKS];
  uint label[CURVES_N_MARKS];
} curve_marks;

/* The column, in its panel, of a curve's value v. */
INLINE uint
value_column (constant histogram_scope_params *params,
    constant curve_params *curve, uint v)
{
  return params->scope.plot_left + curve->left
      + (v * (curve->width - 1) + 127) / 255;
}

/* The first column of the line at a curve's value v. */
INLINE uint
mark_column (constant histogram_scope_params *params,
    constant curve_params *curve, uint v)
{
  return value_column (params, curve, v) - params->scope.gridline_width / 2;
}

INLINE bool
is_on_gridline (constant histogram_scope_params *params, uint at, uint gridline)
{
  return at - gridline < params->scope.gridline_width;
}

/* The curves, bit i for curve i, that have a mark in column x. */
INLINE uint
column_marks (constant histogram_scope_params *params,
    const OWN curve_marks *curves, uint x)
{
  uint marks = 0;

  for (uint i = 0; i < params->panel_curves; i++)
    for (uint m = 0; m < CURVES_N_MARKS; m++)
      if (is_on_gridline (params, x, curves[i].line[m]))
        marks |= 1u << i;
  return marks;
}

INLINE uint
row_has_dash (constant histogram_scope_params *params, uint y)
{
  const uint dash = CURVES_DASH * params->scope.gridline_width;
  const uint down = y - params->scope.plot_top;

  return down < params->scope.plot_height && down / dash % 2 == 0 ? ROW_HAS_DASH
                                                                  : 0;
}

/* --- labels --- */

INLINE uint
label_width (constant histogram_scope_params *params, uint m)
{
  return params->label_left[m + 1] - params->label_left[m];
}

/* Whether a label touches one of the n earlier labels of its panel. */
INLINE bool
touches_label (constant histogram_scope_params *params,
    const OWN curve_marks *curves, uint n, uint begin, uint end)
{
  for (uint k = 0; k < n; k++) {
    const uint m = k % CURVES_N_MARKS;
    const uint other = curves[k / CURVES_N_MARKS].label[m];

    if (begin < other + label_width (params, m) && other < end)
      return true;
  }
  return false;
}

/* Places the labels of a panel; see plugin/core/scopes/curves.c. curves: the
 * panel's. */
INLINE void
place_labels (constant histogram_scope_params *params, OWN curve_marks *curves)
{
  constant scope_params *scope = &params->scope;
  const uint end = scope->plot_left + scope->plot_width;

  for (uint n = 0; n < params->panel_curves * CURVES_N_MARKS; n++) {
    const uint m = n % CURVES_N_MARKS;
    const uint width = label_width (params, m);
    const uint middle =
        curves[n / CURVES_N_MARKS].line[m] + scope->gridline_width / 2;
    const uint begin = max (min (middle, end - width + width / 2),
                           scope->plot_left + width / 2)
        - width / 2;
    const bool is_free = begin + width <= end
        && !touches_label (params, curves, n, begin, begin + width);

    curves[n / CURVES_N_MARKS].label[m] = is_free ? begin : scope->panel_width;
  }
}

/* The words of row j of a panel's labels, from the panel's left end on. */
INLINE global uint *
label_row (constant histogram_scope_params *params, global uint *graticule,
    uint panel, uint j)
{
  constant scope_params *scope = &params->scope;
  const uint x =
      scope->panels_left + panel % scope->panels_x * scope->panel_width;
  const uint y = scope->panels_top
      + panel / scope->panels_x * scope->panel_height + params->label_top + j;

  return graticule + y * scope->width + x;
}

/* Clears the rows of a panel's labels. */
INLINE void
clear_labels (
    constant histogram_scope_params *params, uint panel, global uint *graticule)
{
  for (uint j = 0; j < params->scope.glyph_rows; j++) {
    global uint *row = label_row (params, graticule, panel, j);

    FOR_COLUMNS (x, params->scope.panel_width)
      row[x] = 0;
  }
}

/* Copies the labels of a panel to their places. curves: the panel's. */
INLINE void
copy_labels (constant histogram_scope_params *params,
    const OWN curve_marks *curves, uint panel, global uint *graticule)
{
  constant scope_params *scope = &params->scope;
  const uint rows = scope->glyph_rows;

  for (uint n = 0; n < params->panel_curves * CURVES_N_MARKS; n++) {
    const uint i = n / CURVES_N_MARKS, m = n % CURVES_N_MARKS;
    const uint width = label_width (params, m), left = curves[i].label[m];
    const global uint *text =
        graticule + scope->height * scope->width + params->label_left[m];

    if (left == scope->panel_width)
      continue;
    FOR_COLUMNS (k, rows * width)
      label_row (params, graticule, panel, k / width)[left + k % width] =
          tint (text[k / width * scope->width + k % width],
              params->curve[panel * params->panel_curves + i].line);
  }
}
