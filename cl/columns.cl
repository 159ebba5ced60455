/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The buffer `columns`, by which calculate_curves tells draw_overlay all that
 * depends on the row or the column of a panel alone.
 */

#ifndef AMPHISTO_COLUMNS_CL
#define AMPHISTO_COLUMNS_CL

#ifndef AMPHISTO_OVERLAY_PARAMS_H
#include "overlay_params.h"
#endif
#ifndef AMPHISTO_PACKED_UCHAR_CL
#include "packed_uchar.cl"
#endif

/* Where a panel has its rows in `columns`: the light of each. */
INLINE global ushort *
panel_rows (global ushort *columns, constant overlay_params *params, uint panel)
{
  return columns + panel * params->panel_height;
}

/* Where it has the light of its columns: panel_width numbers each of red, green
 * and blue. */
INLINE global ushort *
panel_columns (
    global ushort *columns, constant overlay_params *params, uint panel)
{
  const uint n_panels = params->panels_x * params->panels_y;

  return columns + n_panels * params->panel_height
      + panel * 3 * params->panel_width;
}

/* Edges are panel_width numbers of each of these kinds. */
enum
{
  EDGE_UPPER,
  EDGE_LOWER,
  EDGE_SPAN,
  EDGE_SLOPE, /* 0xfffff / span */
  N_EDGE_KINDS
};

/* Where curve i has its edges; behind them are those of its arrows, and then
 * the heights of its columns. */
INLINE global ushort *
curve_columns (global ushort *columns, constant overlay_params *params, uint i)
{
  const uint n_panels = params->panels_x * params->panels_y;

  return columns + n_panels * (params->panel_height + 3 * params->panel_width)
      + i * (2 * N_EDGE_KINDS + 1) * params->panel_width;
}

INLINE global ushort *
arrow_columns (global ushort *curve, constant overlay_params *params)
{
  return curve + N_EDGE_KINDS * params->panel_width;
}

INLINE global ushort *
height_columns (global ushort *curve, constant overlay_params *params)
{
  return curve + 2 * N_EDGE_KINDS * params->panel_width;
}

#endif
