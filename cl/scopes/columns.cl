/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The buffer `columns`, from calculate_curves to draw_histogram. Its data
 * depend either only on the row or only on the column of a panel.
 */

#pragma once

#include "histogram_scope_params.h"
#include "pixels/packed_uchar.cl"

/* A panel's rows: the light of the moving gridlines, and whether the marks have
 * a dash there. */
#define ROW_LIGHT 0xff
#define ROW_HAS_DASH 0x100

INLINE global ushort *
panel_rows (
    global ushort *columns, constant histogram_scope_params *params, uint panel)
{
  return columns + panel * params->scope.panel_height;
}

/* For each column of a panel, the curves that have a mark there: bit i for the
 * panel's curve i. Only if there are marks. */
INLINE global ushort *
mark_columns (
    global ushort *columns, constant histogram_scope_params *params, uint panel)
{
  const uint n_panels = params->scope.panels_x * params->scope.panels_y;

  return columns + n_panels * params->scope.panel_height
      + panel * params->scope.panel_width;
}

/* Edges consist of panel_width numbers of each kind. */
enum
{
  EDGE_UPPER,
  EDGE_LOWER,
  EDGE_SPAN,
  EDGE_SLOPE, /* 0xfffff / span */
  N_EDGE_KINDS
};

/* The data of curve i: the curve's edges, the edges of its arrows, and the
 * heights of its columns. */
INLINE global ushort *
curve_columns (
    global ushort *columns, constant histogram_scope_params *params, uint i)
{
  const uint n_panels = params->scope.panels_x * params->scope.panels_y;

  return columns
      + n_panels * (params->scope.panel_height + params->scope.panel_width)
      + i * (2 * N_EDGE_KINDS + 1) * params->scope.panel_width;
}

INLINE global ushort *
arrow_columns (global ushort *curve, constant histogram_scope_params *params)
{
  return curve + N_EDGE_KINDS * params->scope.panel_width;
}

INLINE global ushort *
height_columns (global ushort *curve, constant histogram_scope_params *params)
{
  return curve + 2 * N_EDGE_KINDS * params->scope.panel_width;
}
