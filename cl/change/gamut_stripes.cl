/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Draws stripes over the pixels of YUV that are out of gamut. They are upright,
 * where zebra's slope, and leave every other band of pixels as it is, so that
 * both can be seen.
 */

#pragma once

#include "change/exposure_samples.cl"
#include "pixels/outside.cl"
#include "pixels/slices.cl"

/* The row to draw into, of luma, and its source. */
typedef struct
{
  yuv_row from;
  component_row to;
} gamut_rows;

/* Draws pixel x, which is out of gamut. */
INLINE void
draw_outside (gamut_rows rows, uint x, constant exposure_params *exposure)
{
  const uint luma = read_sample (rows.from.y, x);

  if (((x + exposure->phase) & exposure->stripe) != 0)
    put_uchar (rows.to.row, (size_t) x * rows.to.pixel_stride + rows.to.offset,
        2 * luma > exposure->black + exposure->white ? exposure->black
                                                     : exposure->white);
}

/* Draws n chunks of `chunks`, which begin at pixel `head` of the rows. */
INLINE void
draw_chunks (gamut_rows rows, yuv_row chunks, uint head, uint n,
    constant frame_params *params, constant exposure_params *exposure)
{
  FOR_ROW_CHUNKS (i, n) {
    const lane_masks masks = are_outside (chunks, i, params);

    if (are_none (masks))
      continue;
    for (uint k = 0; k < N_PIXELS; k++)
      if (((const lane_mask *) &masks)[k] != 0)
        draw_outside (rows, head + i * N_PIXELS + k, exposure);
  }
}

OUTLINE void
draw_gamut_rows (uchar_planes source, uchar_planes target,
    constant frame_params *params, constant exposure_params *exposure,
    row_range range)
{
  constant component_params *luma = &params->luma;

  FOR_ROWS (y, range) {
    const gamut_rows rows = { frame_yuv_row (source, params, y),
      frame_component_row (target, luma, y) };
    const uint head = min (yuv_row_head (rows.from), luma->width);
    const uint n = (luma->width - head) / N_PIXELS;
    const yuv_row chunks = yuv_row_from (rows.from, head);

    draw_chunks (rows,
        is_half_planar (chunks) ? planar_yuv_row (chunks, 1) : chunks, head, n,
        params, exposure);
    FOR_ROW_CHUNKS (i, luma->width - n * N_PIXELS) {
      const uint x = i < head ? i : i + n * N_PIXELS;

      if (is_pixel_outside (rows.from, x, params))
        draw_outside (rows, x, exposure);
    }
  }
}

/* Draws into luma of the target, which may be the same frame as the source. */
kernel GROUP void
draw_gamut (global uint *source0, global uint *source1, global uint *source2,
    global uint *target0, global uint *target1, global uint *target2,
    constant frame_params *params, constant exposure_params *exposure)
{
  draw_gamut_rows (
      planes_at (source0, source1, source2, source0, params->source),
      planes_at (target0, target1, target2, target0, params->target), params,
      exposure, own_chunk_rows (params->luma.height));
}
