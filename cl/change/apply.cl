/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Applies a LUT to luma of grey and YUV, and to R, G and B with their luma.
 */

#pragma once

#include "pixels/luma.cl"
#include "change/luma_delta.cl"
#include "change/map_planes.cl"

/* Grey and YUV: Y = lut[Y]. source, target: Y's plane; may be the same buffer.
 * Writes row_bytes of each row of the target. */
kernel GROUP void
apply_lut (global uint *source, global uint *target,
    constant frame_params *params, LUT uchar *lut)
{
  map_luma_rows (plane_at (source, &params->source[params->luma.plane]),
      plane_at (target, &params->target[params->luma.plane]), params, lut,
      own_chunk_rows (params->luma.height));
}

/* YUV: Y = lut[Y]; U and V become chroma_lut[U] and chroma_lut[V]. Packed
 * formats must be 4:2:2, and the frame whole. Writes the target as apply_lut
 * and scale_chroma do. */
kernel GROUP void
apply_luts (global uint *source0, global uint *source1, global uint *source2,
    global uint *target0, global uint *target1, global uint *target2,
    constant frame_params *params, constant drawing_params *drawing,
    LUT uchar *lut, LUT uchar *chroma_lut)
{
  constant component_params *luma = &params->luma;
  const uchar_plane source = frame_plane (
      planes_at (source0, source1, source2, source0, params->source),
      luma->plane);
  const uchar_plane target = frame_plane (
      planes_at (target0, target1, target2, target0, params->target),
      luma->plane);
  const row_range rows = own_chunk_rows (luma->height);

  if (params->chroma[0].plane == luma->plane) {
    map_packed_rows (source, target, params, lut, chroma_lut, rows);
  } else {
    map_luma_rows (source, target, params, lut, rows);
    map_chroma (planes_at (source0, source1, source2, source0, drawing->source),
        planes_at (target0, target1, target2, target0, drawing->target),
        drawing, chroma_lut);
  }
}

#ifdef AMPHISTO_GPU

INLINE void
move_chunks (rgb_row source, rgb_row target, constant uint *weights,
    lut_view lut, uint gain, uint n)
{
  const luma_view view = view_luma (source, weights);

  FOR_COLUMNS (i, n) {
    const rgb_pixels p = read_rgb_pixels (source, i);
    const pixels luma = luma_of (view, p);

    write_moved_pixels (target, i, p, luma, look_up (lut, luma), gain);
  }
}

#else

/* Takes N_LUT_CHUNKS chunks per look-up. At the end of the row the last chunk
 * is repeated to fill the look-up, but written only once. */
INLINE void
move_chunks (rgb_row source, rgb_row target, constant uint *weights,
    lut_view lut, uint gain, uint n)
{
  const luma_view view = view_luma (source, weights);
  pixels luma[N_LUT_CHUNKS], to[N_LUT_CHUNKS];

  for (uint i = 0; i < n; i += N_LUT_CHUNKS) {
    for (uint k = 0; k < N_LUT_CHUNKS; k++)
      luma[k] = luma_of (view, read_rgb_pixels (source, min (i + k, n - 1)));
    look_up_chunks (lut, luma, to);
    for (uint k = 0; k < min (n - i, (uint) N_LUT_CHUNKS); k++)
      write_moved_pixels (
          target, i + k, read_rgb_pixels (source, i + k), luma[k], to[k], gain);
  }
}

#endif

INLINE void
move_row (rgb_row source, rgb_row target, constant frame_params *params,
    lut_view lut, uint gain)
{
  const uint width = params->rgb[0].width;
  const uint n = has_whole_chunks (target) ? width / N_PIXELS : 0;

  if (source.pixel_stride == 4)
    move_chunks (packed_row (source, 4), packed_row (target, 4),
        params->weights, lut, gain, n);
  else if (IS_GPU && source.pixel_stride == 3)
    move_chunks (packed_row (source, 3), packed_row (target, 3),
        params->weights, lut, gain, n);
  else
    move_chunks (source, target, params->weights, lut, gain, n);
  FOR_COLUMNS (i, width - n * N_PIXELS) {
    const uint x = n * N_PIXELS + i;
    const uint luma = read_rgb_luma (source, x, params->weights);

    move_pixel (source, target, x, luma, lut.values[luma], gain);
  }
}

NOINLINE void
move_rows (uchar_planes source, uchar_planes target,
    constant frame_params *params, LUT uchar *lut, uint gain, row_range rows)
{
  const lut_view view = view_lut (lut);

  FOR_ROWS (y, rows)
    move_row (frame_rgb_row (source, params->rgb, y),
        frame_rgb_row (target, params->rgb, y), params, view, gain);
}

/* RGB: luma of each pixel becomes lut[Y], and R, G and B keep their difference
 * from it, scaled by the gain; see move_components(). Planes as in the frame;
 * source and target may be the same. Writes whole pixels of a packed target; R,
 * G and B of a planar one. */
kernel GROUP void
apply_luma_delta (global uint *source0, global uint *source1,
    global uint *source2, global uint *target0, global uint *target1,
    global uint *target2, constant frame_params *params, LUT uchar *lut,
    global const uint *gain)
{
  if (HAS_RGB)
    move_rows (planes_at (source0, source1, source2, source0, params->source),
        planes_at (target0, target1, target2, target0, params->target), params,
        lut, read_gain (params, gain), own_rows (params->rgb[0].height));
}
