/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Finds the pixels of RGB of limited range that are out of gamut (EBU R103):
 * red, green or blue is out of its bounds. Grey is RGB whose components are the
 * same.
 */

#pragma once

#include "pixels/rgb.cl"

/* -1 in the lanes of pixels that are outside, or 0. */
INLINE signed_pixels
are_rgb_outside (rgb_pixels p, constant frame_params *params)
{
  const pixels least = min (min (p.r, p.g), p.b);
  const pixels most = max (max (p.r, p.g), p.b);

  return (least < (pixels) (params->legal_lo))
      | (most > (pixels) (params->legal_hi));
}

/* Whether one pixel (R, G, B, 0) is outside. */
INLINE bool
is_rgb_outside (uint4 p, constant frame_params *params)
{
  return min (min (p.x, p.y), p.z) < params->legal_lo
      || max (max (p.x, p.y), p.z) > params->legal_hi;
}
