/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The percentile marks of the histogram's curves, and their labels.
 *
 * plugin/core/scopes/curves.c does the same in plain C, and explains the
 * drawing.
 */

#pragma once

#include "scopes/columns.cl"
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

/* See ROW_HAS_DASH and ROW_CURVE_SHIFT. */
INLINE uint
row_marks (constant histogram_scope_params *params, uint y)
{
  const uint dash = CURVES_DASH * params->scope.gridline_width;
  const uint down = y - params->scope.plot_top;
  const uint labels = y - params->label_top;
  uint marks = down < params->scope.plot_height && down / dash % 2 == 0
      ? ROW_HAS_DASH
      : 0;

  if (labels < params->n_labelled * params->scope.label_height)
    marks |= (labels / params->scope.label_height + 1) << ROW_CURVE_SHIFT;
  return marks;
}

/* --- labels --- */

INLINE uint
label_width (constant histogram_scope_params *params, uint m)
{
  return params->label_left[m + 1] - params->label_left[m];
}

INLINE bool
overlaps (int x, uint width, uint other, uint other_width)
{
  return x < (int) (other + other_width) && (int) other < x + (int) width;
}

/* Whether columns from x on are within the plot, without marks and labels of
 * the curve. */
INLINE bool
is_free (constant histogram_scope_params *params, const OWN curve_marks *marks,
    int x, uint width)
{
  const int left = (int) params->scope.plot_left;

  if (x < left || x + (int) width > left + (int) params->scope.plot_width)
    return false;
  for (uint m = 0; m < CURVES_N_MARKS; m++)
    if (overlaps (x, width, marks->line[m], params->scope.gridline_width)
        || overlaps (x, width, marks->label[m], label_width (params, m)))
      return false;
  return true;
}

/* Finds positions for the labels of a curve; see plugin/core/scopes/curves.c.
 */
INLINE void
position_labels (
    constant histogram_scope_params *params, OWN curve_marks *marks)
{
  for (uint m = 0; m < CURVES_N_MARKS; m++)
    marks->label[m] = params->scope.panel_width;
  for (uint m = 0; m < CURVES_N_MARKS; m++) {
    const uint gridline = params->scope.gridline_width;
    const uint width = label_width (params, m);
    const int before = (int) marks->line[m] - (int) (gridline + width);
    const int after = (int) (marks->line[m] + 2 * gridline);
    const int first = CURVES_MARK (m) < 50 ? before : after;
    const int second = CURVES_MARK (m) < 50 ? after : before;

    if (is_free (params, marks, first, width))
      marks->label[m] = (uint) first;
    else if (is_free (params, marks, second, width))
      marks->label[m] = (uint) second;
  }
}

/* See label_columns(). */
INLINE uint
column_label (constant histogram_scope_params *params,
    const OWN curve_marks *marks, uint x)
{
  uint column = 0;

  for (uint m = 0; m < CURVES_N_MARKS; m++)
    if (x - marks->label[m] < label_width (params, m))
      column = params->label_left[m] + x - marks->label[m];
  return column;
}
