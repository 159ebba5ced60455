/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Applies LUTs to luma and chroma of grey and YUV.
 */

#pragma once

#include "drawing_params.h"
#include "change/map_pairs.cl"
#include "change/map_row.cl"

/* The mapped byte of the component's items. */
INLINE uint
byte_in_item (constant component_params *component)
{
  return 1u << offset_in_item (component->offset, component->pixel_stride);
}

/* bytes: of an item, that are mapped. Leaves bytes before the first item alone,
 * and copies those behind the last one, up to byte row_bytes. */
NOINLINE void
map_component_rows (uchar_plane source, uchar_plane target,
    constant component_params *component, uint bytes, uint row_bytes,
    LUT uchar *lut, row_range rows)
{
  const uint size = component->pixel_stride;
  const uint first = first_item (component);
  const byte_pattern pattern = { size, bytes };
  const lut_view view = view_lut (lut);

  FOR_ROWS (y, rows)
    map_row (view, pattern, row_from (frame_row (source, y), first),
        row_from (frame_row (target, y), first), component->width * size,
        row_bytes - first);
}

INLINE void
map_luma_rows (uchar_plane source, uchar_plane target,
    constant frame_params *params, LUT uchar *lut, row_range rows)
{
  map_component_rows (source, target, &params->luma,
      byte_in_item (&params->luma), params->row_bytes, lut, rows);
}

NOINLINE void
map_packed_rows (uchar_plane source, uchar_plane target,
    constant frame_params *params, LUT uchar *lut, LUT uchar *chroma_lut,
    row_range rows)
{
  constant component_params *luma = &params->luma;
  const packed_luts luts = { lut, chroma_lut, luma->offset, luma->width * 2 };

  FOR_ROWS (y, rows)
    map_paired_row (
        luts, frame_row (source, y), frame_row (target, y), params->row_bytes);
}

INLINE void
map_chroma_rows (uchar_plane source, uchar_plane target,
    constant component_params *chroma, uint bytes, LUT uchar *lut,
    row_range rows)
{
  map_component_rows (source, target, chroma, bytes,
      first_item (chroma) + chroma->width * chroma->pixel_stride, lut, rows);
}

/* Maps the chroma rows of this work-group. Where chroma shares a plane with
 * luma, luma must be in the target already: chroma is mapped in place there. */
INLINE void
map_chroma (uchar_planes from, uchar_planes to, constant drawing_params *params,
    LUT uchar *lut)
{
  constant component_params *u = &params->drawn[1].samples;
  constant component_params *v = &params->drawn[2].samples;
  const uchar_plane u_target = frame_plane (to, u->plane);
  const uchar_plane u_source = u->plane == params->drawn[0].samples.plane
      ? u_target
      : frame_plane (from, u->plane);
  const row_range rows = own_chunk_rows (u->height);

  if (u->plane == v->plane) {
    map_chroma_rows (
        u_source, u_target, u, byte_in_item (u) | byte_in_item (v), lut, rows);
  } else {
    map_chroma_rows (u_source, u_target, u, byte_in_item (u), lut, rows);
    map_chroma_rows (frame_plane (from, v->plane), frame_plane (to, v->plane),
        v, byte_in_item (v), lut, rows);
  }
}
