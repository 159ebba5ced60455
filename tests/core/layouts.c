/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "layouts.h"
#include "channels.h"

#include <string.h>

AmphistoLayout
grey_layout (uint32_t width, uint32_t height)
{
  return (AmphistoLayout){ .n_planes = 1,
    .plane = { { .row_bytes = width, .rows = height } },
    .channels = LUMA,
    .component = { [AMPHISTO_CHANNEL_LUMA] = { .pixel_stride = 1,
                       .width = width,
                       .height = height } },
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
  set_range (&layout, true);
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

AmphistoLayout
packed_layout (const char *bytes, uint32_t width, uint32_t height)
{
  const uint32_t n = strlen (bytes);
  const char *luma = strchr (bytes, 'Y');
  const uint32_t shift = luma != NULL && strchr (luma + 1, 'Y') != NULL;
  AmphistoLayout layout = yuv_layout (width, height, shift, 0);

  layout.n_planes = 1;
  memset (layout.plane + 1, 0, 2 * sizeof *layout.plane);
  layout.plane[0].row_bytes = ((width + shift) >> shift) * n;
  if (luma == NULL) {
    layout.is_rgb = true;
    layout.channels = LUMA | RGB | SATURATION;
    set_range (&layout, false);
  }
  for (uint32_t c = 0; c <= AMPHISTO_CHANNEL_ALPHA; c++) {
    const char *first = strchr (bytes, "YUVRGBA"[c]);
    AmphistoComponent *component = &layout.component[c];

    if (first == NULL)
      continue;
    if (c == AMPHISTO_CHANNEL_ALPHA)
      *component = layout.component[0];
    layout.channels |= AMPHISTO_CHANNEL_BIT (c);
    component->plane = 0;
    component->offset = first - bytes;
    component->pixel_stride = c == AMPHISTO_CHANNEL_LUMA ? n >> shift : n;
  }
  layout.component[AMPHISTO_CHANNEL_SATURATION] =
      layout.component[layout.is_rgb ? AMPHISTO_CHANNEL_LUMA
                                     : AMPHISTO_CHANNEL_U];
  return layout;
}

AmphistoLayout
rgb_layout (uint32_t width, uint32_t height)
{
  return packed_layout ("RGB", width, height);
}

AmphistoLayout
random_layout (GRand *random, int least, int most)
{
  static const uint32_t shifts[][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 2, 0 },
    { 2, 2 } };
  static const uint32_t aspects[] = { 0, AMPHISTO_SQUARE_PIXEL,
    AMPHISTO_SQUARE_PIXEL * 64 / 45, AMPHISTO_SQUARE_PIXEL * 8 / 9, 256,
    65536 };
  const uint32_t width = g_rand_int_range (random, least, most);
  const uint32_t height = g_rand_int_range (random, least, most);
  const int i = g_rand_int_range (random, -2, G_N_ELEMENTS (shifts));
  AmphistoLayout layout = i == -2 ? rgb_layout (width, height)
      : i == -1                   ? grey_layout (width, height)
                : yuv_layout (width, height, shifts[i][0], shifts[i][1]);

  layout.has_fields = g_rand_boolean (random);
  layout.pixel_aspect =
      aspects[g_rand_int_range (random, 0, G_N_ELEMENTS (aspects))];
  return layout;
}

void
set_range (AmphistoLayout *layout, bool is_limited)
{
  layout->lo = is_limited ? 16 : 0;
  layout->hi = is_limited ? 235 : 255;
}

void
set_matrix (AmphistoLayout *layout, uint32_t matrix, bool is_limited)
{
  set_range (layout, is_limited);
  amphisto_layout_set_matrix (layout, matrices[matrix][0], matrices[matrix][1]);
}

AmphistoFrame
frame_in (const AmphistoLayout *layout, const uint8_t *bytes, uint32_t padding)
{
  AmphistoFrame frame = { .layout = layout };

  for (uint32_t p = 0; p < layout->n_planes; p++) {
    const uint32_t stride = layout->plane[p].row_bytes + padding;

    frame.plane[p] = (AmphistoPlane){ (uint8_t *) bytes, stride };
    bytes += (size_t) stride * layout->plane[p].rows;
  }
  return frame;
}

Picture *
picture_new (const AmphistoLayout *layout, uint8_t value)
{
  size_t size = 0;
  Picture *self;

  for (uint32_t p = 0; p < layout->n_planes; p++)
    size += (size_t) layout->plane[p].row_bytes * layout->plane[p].rows;
  self = g_malloc (sizeof *self + size);
  self->layout = *layout;
  self->frame = frame_in (&self->layout, self->bytes, 0);
  self->size = size;
  memset (self->bytes, value, size);
  return self;
}
