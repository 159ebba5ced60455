/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "layouts.h"
#include "channels.h"

AmphistoLayout
grey_layout (uint32_t width, uint32_t height)
{
  return (AmphistoLayout){ .n_planes = 1,
    .plane = { { width, height } },
    .channels = LUMA,
    .component = { [AMPHISTO_CHANNEL_LUMA] = { 0, 0, 1, width, height } },
    .weights = { 19595, 38470, 7471 },
    .lo = 0,
    .hi = 255 };
}

AmphistoLayout
yuv_layout (uint32_t width, uint32_t height, uint32_t shift_x, uint32_t shift_y)
{
  AmphistoLayout layout = grey_layout (width, height);
  const uint32_t w = (width + (1 << shift_x) - 1) >> shift_x;
  const uint32_t h = (height + (1 << shift_y) - 1) >> shift_y;

  layout.n_planes = 3;
  layout.channels = LUMA | CHROMA | RGB;
  layout.lo = 16;
  layout.hi = 235;
  for (uint32_t c = 1; c < 3; c++) {
    layout.plane[c].row_bytes = w;
    layout.plane[c].rows = h;
    layout.component[c] = (AmphistoComponent){ .plane = c,
      .pixel_stride = 1,
      .width = w,
      .height = h,
      .x_shift = shift_x,
      .y_shift = shift_y };
  }
  for (uint32_t c = 0; c < 3; c++)
    layout.component[AMPHISTO_CHANNEL_RED + c] =
        (AmphistoComponent){ .width = width, .height = height };
  return layout;
}

AmphistoLayout
rgb_layout (uint32_t width, uint32_t height)
{
  AmphistoLayout layout = grey_layout (width, height);

  layout.plane[0].row_bytes = 3 * width;
  layout.channels = LUMA | RGB;
  layout.is_rgb = true;
  for (uint32_t c = 0; c < 3; c++)
    layout.component[AMPHISTO_CHANNEL_RED + c] = (AmphistoComponent){
      .offset = c, .pixel_stride = 3, .width = width, .height = height
    };
  return layout;
}
