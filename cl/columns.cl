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

/* Where curve i has its columns, panel_width numbers of each kind. */
INLINE global ushort *
curve_columns (global ushort *columns, constant overlay_params *params, uint i)
{
  const uint n_panels = params->panels_x * params->panels_y;

  return columns + n_panels * (params->panel_height + 3 * params->panel_width)
      + i * 6 * params->panel_width;
}

/* The kinds of a curve's columns. */
enum
{
  EDGE_UPPER,
  EDGE_LOWER,
  EDGE_SPAN,
  EDGE_SLOPE, /* 0xfffff / span */
  EDGE_ARROW, /* its upper edge, or 0 */
  EDGE_HEIGHT
};

#endif
