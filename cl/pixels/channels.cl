/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Reads single samples of channels: stored ones, luma of RGB, red, green and
 * blue of YUV, and saturation.
 */

#pragma once

#include "pixels/luma.cl"
#include "pixels/saturation.cl"
#include "pixels/yuv.cl"

/* The component's sample for pixel (x, y), read or computed. */
INLINE uint
read_channel (constant frame_params *params, uchar_planes planes,
    constant component_params *component, uint x, uint y)
{
  if (HAS_RGB && component->plane == AMPHISTO_RGB_LUMA)
    return read_rgb_luma (
        frame_rgb_row (planes, params->rgb, y), x, params->weights);
  if (HAS_SATURATION && HAS_RGB && component->plane == AMPHISTO_RGB_SATURATION)
    return saturation_at (read_rgb_chroma (
        frame_rgb_row (planes, params->rgb, y), x, params->chroma_matrix));
  if (HAS_SATURATION && component->plane == AMPHISTO_YUV_SATURATION)
    return saturation_at (
        read_chroma (frame_chroma_row (planes, params->chroma, y), x));
  if (HAS_COLOURS && component->plane >= AMPHISTO_YUV_RED)
    return read_colour (frame_yuv_row (planes, params, y), x,
        params->matrix[component->plane - AMPHISTO_YUV_RED]);
  return read_sample (frame_component_row (planes, component, y), x);
}
