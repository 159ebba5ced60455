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

  if (((x + exposure->stripe_phase) & exposure->stripe_width) != 0)
    write_sample (rows.to, x,
        2 * luma > exposure->black + exposure->white ? exposure->black
                                                     : exposure->white);
}

/* Draws chunk i of the rows, which is pixel x of the frame. */
INLINE void
draw_chunk (gamut_rows rows, uint i, uint x, constant frame_params *params,
    constant exposure_params *exposure)
{
  const shorts at = TO_SHORTS (PIXEL_INDICES + (x + exposure->stripe_phase));
  const lane_masks masks = are_outside (rows.from, i, params)
      & ((at & TO_SHORT (exposure->stripe_width)) != (shorts) (0));

  if (are_none (masks))
    return;

  const shorts luma = TO_SHORTS (read_component_samples (rows.from.y, i));
  const shorts stripe = select ((shorts) (TO_SHORT (exposure->white)),
      (shorts) (TO_SHORT (exposure->black)),
      luma > TO_SHORT ((exposure->black + exposure->white) / 2));

  write_shared_samples (rows.to, i, 0,
      TO_PIXELS (select (
          TO_SHORTS (read_component_samples (rows.to, i)), stripe, masks)));
}

/* Draws n chunks of the rows, from pixel x of the frame on. */
INLINE void
draw_chunks (gamut_rows rows, uint n, uint x, constant frame_params *params,
    constant exposure_params *exposure)
{
  FOR_ROW_CHUNKS (i, n)
    draw_chunk (rows, i, x + i * N_PIXELS, params, exposure);
}

NOINLINE void
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
    const gamut_rows chunks = { yuv_row_from (rows.from, head),
      component_row_from (rows.to, head) };
    const gamut_rows planar = { half_planar_row (chunks.from),
      plain_row (chunks.to) };

    if (is_half_planar (chunks.from))
      draw_chunks (planar, n, head, params, exposure);
    else
      draw_chunks (chunks, n, head, params, exposure);
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
