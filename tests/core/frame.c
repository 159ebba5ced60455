/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Parts of frames: the same samples as in the frame, wherever the part begins.
 */

#include "core/histogram.h"
#include "core/work.h"

#include <glib.h>

#define WIDTH 23
#define HEIGHT 13
#define STRIDE 64

#define LUMA AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_LUMA)
#define CHROMA                                                                 \
  (AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_U)                                   \
      | AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_V))

static AmphistoComponent
component (uint32_t plane, uint32_t offset, uint32_t pixel_stride,
    uint32_t x_shift, uint32_t y_shift)
{
  return (AmphistoComponent){ .plane = plane,
    .offset = offset,
    .pixel_stride = pixel_stride,
    .width = (WIDTH + (1u << x_shift) - 1) >> x_shift,
    .height = (HEIGHT + (1u << y_shift) - 1) >> y_shift,
    .x_shift = x_shift,
    .y_shift = y_shift };
}

static AmphistoLayout
layout_new (const AmphistoComponent components[3])
{
  AmphistoLayout layout = { .channels = LUMA | CHROMA, .hi = 255 };

  for (uint32_t c = 0; c < 3; c++) {
    const AmphistoComponent *from = &components[c];
    AmphistoPlaneLayout *plane = &layout.plane[from->plane];

    layout.component[c] = *from;
    layout.n_planes = MAX (layout.n_planes, from->plane + 1);
    plane->row_bytes = MAX (plane->row_bytes, from->width * from->pixel_stride);
    plane->rows = from->height;
  }
  return layout;
}

static AmphistoLayout
layout_nth (guint i)
{
  const AmphistoComponent layouts[][3] = {
    /* as I420, NV12, YUY2, UYVY, YUV9, Y444 */
    { component (0, 0, 1, 0, 0), component (1, 0, 1, 1, 1),
        component (2, 0, 1, 1, 1) },
    { component (0, 0, 1, 0, 0), component (1, 0, 2, 1, 1),
        component (1, 1, 2, 1, 1) },
    { component (0, 0, 2, 0, 0), component (0, 1, 4, 1, 0),
        component (0, 3, 4, 1, 0) },
    { component (0, 1, 2, 0, 0), component (0, 0, 4, 1, 0),
        component (0, 2, 4, 1, 0) },
    { component (0, 0, 1, 0, 0), component (1, 0, 1, 2, 2),
        component (2, 0, 1, 2, 2) },
    { component (0, 0, 1, 0, 0), component (1, 0, 1, 0, 0),
        component (2, 0, 1, 0, 0) },
  };

  g_assert_cmpuint (i, <, G_N_ELEMENTS (layouts));
  return layout_new (layouts[i]);
}

#define N_LAYOUTS 6

/* The sample of every pixel of the part is the one that the pixel has in the
 * frame, and the part has no others; its planes hold them. */
static void
check_part (const AmphistoFrame *frame, const AmphistoRegion *region)
{
  AmphistoLayout layout;

  amphisto_layout_crop (frame->layout, region, &layout);

  const AmphistoFrame part = amphisto_frame_crop (frame, &layout);

  for (guint i = 0; i < 3; i++) {
    const AmphistoComponent *whole = &frame->layout->component[i];
    const AmphistoComponent *c = &layout.component[i];
    const AmphistoPlaneLayout *plane = &layout.plane[c->plane];

    for (uint32_t y = 0; y < region->height; y++)
      for (uint32_t x = 0; x < region->width; x++) {
        const uint32_t column = (c->x_phase + x) >> c->x_shift;
        const uint32_t row = (c->y_phase + y) >> c->y_shift;

        g_assert_cmpuint (column, <, c->width);
        g_assert_cmpuint (row, <, c->height);
        g_assert_true (amphisto_frame_sample (&part, c, column, row)
            == amphisto_frame_sample (frame, whole,
                (region->x + x) >> c->x_shift, (region->y + y) >> c->y_shift));
      }
    g_assert_cmpuint (
        (c->x_phase + region->width - 1) >> c->x_shift, ==, c->width - 1);
    g_assert_cmpuint (
        (c->y_phase + region->height - 1) >> c->y_shift, ==, c->height - 1);
    g_assert_cmpuint (
        c->offset + (c->width - 1) * c->pixel_stride, <, plane->row_bytes);
    g_assert_cmpuint (plane->rows, ==, c->height);
    g_assert_cmpuint (plane->first_byte + plane->row_bytes, <=,
        frame->layout->plane[c->plane].row_bytes);
  }
}

static AmphistoFrame
frame_new (const AmphistoLayout *layout, uint8_t *memory)
{
  AmphistoFrame frame = { .layout = layout };

  for (uint32_t p = 0; p < layout->n_planes; p++)
    frame.plane[p] =
        (AmphistoPlane){ memory + (size_t) p * STRIDE * HEIGHT, STRIDE };
  return frame;
}

static void
test_samples (void)
{
  uint8_t memory[3 * STRIDE * HEIGHT];

  for (guint i = 0; i < N_LAYOUTS; i++) {
    const AmphistoLayout layout = layout_nth (i);
    const AmphistoFrame frame = frame_new (&layout, memory);

    for (uint32_t x = 0; x < WIDTH; x++)
      for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t w = 1; w <= WIDTH - x; w += 1 + w / 4)
          for (uint32_t h = 1; h <= HEIGHT - y; h += 1 + h / 4) {
            const AmphistoRegion region = { x, y, w, h };

            check_part (&frame, &region);
          }
  }
}

/* A part that is all of it is the layout itself. */
static void
test_all (void)
{
  const AmphistoRegion all = { 0, 0, WIDTH, HEIGHT };

  for (guint i = 0; i < N_LAYOUTS; i++) {
    const AmphistoLayout layout = layout_nth (i);
    AmphistoLayout part;

    amphisto_layout_crop (&layout, &all, &part);
    g_assert_cmpmem (&part, sizeof part, &layout, sizeof layout);
  }
}

static void
assert_region (AmphistoRegion region, uint32_t x, uint32_t y, uint32_t width,
    uint32_t height)
{
  g_assert_cmpuint (region.x, ==, x);
  g_assert_cmpuint (region.y, ==, y);
  g_assert_cmpuint (region.width, ==, width);
  g_assert_cmpuint (region.height, ==, height);
}

static AmphistoRegion
clip (uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
  const AmphistoLayout layout = layout_nth (0);
  const AmphistoRegion region = { x, y, width, height };

  return amphisto_region_clip (&region, &layout);
}

static void
test_clip (void)
{
  assert_region (clip (0, 0, WIDTH, HEIGHT), 0, 0, WIDTH, HEIGHT);
  assert_region (clip (3, 4, 5, 6), 3, 4, 5, 6);
  assert_region (clip (20, 10, 9, 9), 20, 10, 3, 3);
  assert_region (clip (22, 12, UINT32_MAX, UINT32_MAX), 22, 12, 1, 1);
  assert_region (clip (WIDTH, 0, 1, 1), 0, 0, 0, 0);
  assert_region (clip (0, HEIGHT, 1, 1), 0, 0, 0, 0);
  assert_region (clip (UINT32_MAX, UINT32_MAX, UINT32_MAX, 1), 0, 0, 0, 0);
  assert_region (clip (3, 4, 0, 6), 0, 0, 0, 0);
  assert_region (clip (3, 4, 5, 0), 0, 0, 0, 0);
}

/* Of what is drawn into, no chroma sample is another pixel's too, but for the
 * frame's edges. */
static void
test_drawn (void)
{
  const AmphistoLayout layout = layout_nth (0);
  AmphistoWork work = { .region = { 3, 5, 0, 0 } };
  AmphistoLayout part, drawn;

  amphisto_work_crop (&work, &layout, &part, &drawn);
  g_assert_cmpuint (part.component[0].width, ==, WIDTH - 3);
  g_assert_cmpuint (part.component[0].height, ==, HEIGHT - 5);
  g_assert_cmpuint (drawn.plane[0].first_byte, ==, 4);
  g_assert_cmpuint (drawn.plane[0].first_row, ==, 6);
  g_assert_cmpuint (drawn.component[0].width, ==, WIDTH - 4);
  g_assert_cmpuint (drawn.component[0].height, ==, HEIGHT - 6);
  g_assert_cmpuint (drawn.component[1].x_phase, ==, 0);

  work.region = (AmphistoRegion){ 3, 5, 8, 6 };
  amphisto_work_crop (&work, &layout, &part, &drawn);
  g_assert_cmpuint (drawn.component[0].width, ==, 6);
  g_assert_cmpuint (drawn.component[0].height, ==, 4);

  work.region = (AmphistoRegion){ 3, 5, 1, 6 };
  amphisto_work_crop (&work, &layout, &part, &drawn);
  g_assert_cmpuint (part.component[0].width, ==, 1);
  g_assert_cmpuint (drawn.component[0].width, ==, 0);
  g_assert_false (amphisto_work_is_on_all (&work, &layout));

  work.region = (AmphistoRegion){ 0, 0, 0, HEIGHT };
  g_assert_true (amphisto_work_is_on_all (&work, &layout));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/parts/samples", test_samples);
  g_test_add_func ("/parts/all", test_all);
  g_test_add_func ("/parts/clip", test_clip);
  g_test_add_func ("/parts/drawn", test_drawn);
  return g_test_run ();
}
