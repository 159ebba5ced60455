/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Draws zebra and false colour, which mark dark and bright areas of the source
 * in the picture itself.
 *
 * There are three ways of drawing: packed pixels of three components, and
 * planar RGB, are drawn pixel by pixel; zebra alone is drawn into rows of luma;
 * false colour of other YUV is drawn into all rows of a chroma row at once.
 */

#pragma once

#include "change/exposure_rgb.cl"
#include "change/exposure_yuv.cl"

/* Draws zebra and false colour of the source into the target, which may be the
 * same frame. */
kernel GROUP void
draw_exposure (global uint *source0, global uint *source1, global uint *source2,
    global uint *target0, global uint *target1, global uint *target2,
    constant drawing_params *drawing, constant exposure_params *params)
{
  const uchar_planes source =
      planes_at (source0, source1, source2, source0, drawing->source);
  const uchar_planes target =
      planes_at (target0, target1, target2, target0, drawing->target);
  constant component_params *luma = &drawing->drawn[0].samples;
  OWN uint own[AMPHISTO_N_BINS];

  if (HAS_RGB && (params->n_luma > 1 || luma->pixel_stride > 2))
    draw_rgb_rows (source, target, drawing, params, own_rows (luma->height));
  else if (params->has_bands)
    draw_yuv (source, target, drawing->drawn, params, own,
        share_yuv_blocks (drawing));
  else
    draw_luma_rows (source, target, drawing, params, own_rows (luma->height));
}
