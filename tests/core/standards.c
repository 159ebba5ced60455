/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "standards.h"

const double matrices[N_MATRICES][2] = { { 0.299, 0.114 }, { 0.2126, 0.0722 },
  { 0.2627, 0.0593 }, { 0.212, 0.087 }, { 0.30, 0.11 } };

void
yuv_of (uint32_t matrix, bool is_limited, const double rgb[3], double yuv[3])
{
  const double kr = matrices[matrix][0], kb = matrices[matrix][1];
  const double y = kr * rgb[0] + (1 - kr - kb) * rgb[1] + kb * rgb[2];
  const double scale = is_limited ? 224 / 255.0 : 1;

  yuv[0] = is_limited ? 16 + y * 219 / 255 : y;
  yuv[1] = 128 + (rgb[2] - y) / (2 - 2 * kb) * scale;
  yuv[2] = 128 + (rgb[0] - y) / (2 - 2 * kr) * scale;
}

void
rgb_of (uint32_t matrix, bool is_limited, const double yuv[3], double rgb[3])
{
  const double kr = matrices[matrix][0], kb = matrices[matrix][1];
  const double y = is_limited ? (yuv[0] - 16) * 255 / 219 : yuv[0];
  const double scale = is_limited ? 255 / 224.0 : 1;

  rgb[0] = y + 2 * (1 - kr) * (yuv[2] - 128) * scale;
  rgb[2] = y + 2 * (1 - kb) * (yuv[1] - 128) * scale;
  rgb[1] = (y - kr * rgb[0] - kb * rgb[2]) / (1 - kr - kb);
}
