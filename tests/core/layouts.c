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
  layout.channels |= SATURATION;
  layout.component[AMPHISTO_CHANNEL_SATURATION] =
      layout.component[AMPHISTO_CHANNEL_U];
  return layout;
}

static AmphistoLayout
packed_layout (uint32_t width, uint32_t height, uint32_t pixel_stride)
{
  AmphistoLayout layout = grey_layout (width, height);

  layout.plane[0].row_bytes = pixel_stride * width;
  layout.channels = LUMA | RGB | SATURATION;
  layout.is_rgb = true;
  layout.component[AMPHISTO_CHANNEL_SATURATION] =
      (AmphistoComponent){ .width = width, .height = height };
  for (uint32_t c = 0; c < 3; c++)
    layout.component[AMPHISTO_CHANNEL_RED + c] =
        (AmphistoComponent){ .offset = c,
          .pixel_stride = pixel_stride,
          .width = width,
          .height = height };
  return layout;
}

AmphistoLayout
rgb_layout (uint32_t width, uint32_t height)
{
  return packed_layout (width, height, 3);
}

AmphistoLayout
rgbx_layout (uint32_t width, uint32_t height)
{
  return packed_layout (width, height, 4);
}

const double matrices[N_MATRICES][2] = { { 0.299, 0.114 }, { 0.2126, 0.0722 },
  { 0.2627, 0.0593 }, { 0.212, 0.087 }, { 0.30, 0.11 } };

void
set_matrix (AmphistoLayout *layout, uint32_t matrix, bool is_limited)
{
  layout->lo = is_limited ? 16 : 0;
  layout->hi = is_limited ? 235 : 255;
  amphisto_layout_set_matrix (layout, matrices[matrix][0], matrices[matrix][1]);
}
