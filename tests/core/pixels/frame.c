/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Layouts: the planes of a channel, and parts of frames: each pixel keeps its
 * samples, wherever the part begins.
 */

#include "channels.h"
#include "core/measure/histogram.h"
#include "core/pixels/frame.h"
#include "core/pixels/samples.h"
#include "layouts.h"
#include "suite.h"
#include "core/pixels/channels.h"

#include <string.h>

/* --- channels --- */

/* The computed channels, and the planes that they are computed from. */
static void
test_planes (void)
{
  const AmphistoLayout rgb = { .is_rgb = true,
    .component = { [AMPHISTO_CHANNEL_GREEN] = { .plane = 1 },
        [AMPHISTO_CHANNEL_BLUE] = { .plane = 2 },
        [AMPHISTO_CHANNEL_ALPHA] = { .plane = 3 } } };
  const AmphistoLayout yuv = yuv_layout (4, 4, 1, 1);
  static const guint planes[AMPHISTO_N_CHANNELS][2] = { { 7, 1 }, { 1, 2 },
    { 1, 4 }, { 1, 7 }, { 2, 7 }, { 4, 7 }, { 8, 1 }, { 7, 6 } };

  for (guint c = 0; c < AMPHISTO_N_CHANNELS; c++) {
    const AmphistoChannelMask bit = AMPHISTO_CHANNEL_BIT (c);

    g_assert_cmpint (amphisto_channel_is_computed (&rgb, c), ==,
        (bit & (LUMA | SATURATION)) != 0);
    g_assert_cmpint (amphisto_channel_is_computed (&yuv, c), ==,
        (bit & (RGB | SATURATION)) != 0);
    g_assert_cmpuint (amphisto_channel_planes (&rgb, c), ==, planes[c][0]);
    g_assert_cmpuint (amphisto_channel_planes (&yuv, c), ==, planes[c][1]);
  }
}

/* R, G and B have all 256 values, even from limited-range YUV, but not if they
 * are stored in limited range. Saturation ends where U or V does, and those of
 * RGB have full range. */
static void
test_range (void)
{
  static const uint8_t limited[2][AMPHISTO_N_CHANNELS][2] = {
    { { 16, 235 }, { 16, 240 }, { 16, 240 }, { 0, 255 }, { 0, 255 }, { 0, 255 },
        { 0, 255 }, { 0, 112 } },
    { { 16, 235 }, { 0 }, { 0 }, { 16, 235 }, { 16, 235 }, { 16, 235 },
        { 0, 255 }, { 0, 127 } },
  };

  for (unsigned i = 0; i < 2 * AMPHISTO_N_CHANNELS; i++) {
    const bool is_rgb = i >= AMPHISTO_N_CHANNELS;
    const unsigned c = i % AMPHISTO_N_CHANNELS;
    const AmphistoLayout full_layout = { .is_rgb = is_rgb, .hi = 255 };
    const AmphistoLayout limited_layout = {
      .is_rgb = is_rgb, .lo = 16, .hi = 235
    };
    const AmphistoRange full = amphisto_channel_range (&full_layout, c);
    const AmphistoRange range = amphisto_channel_range (&limited_layout, c);

    if (is_rgb && (AMPHISTO_CHANNEL_BIT (c) & CHROMA))
      continue; /* not a channel of RGB */
    g_assert_cmpuint (full.lo, ==, 0);
    g_assert_cmpuint (
        full.hi, ==, c == AMPHISTO_CHANNEL_SATURATION ? 127 : 255);
    g_assert_cmpuint (range.lo, ==, limited[is_rgb][c][0]);
    g_assert_cmpuint (range.hi, ==, limited[is_rgb][c][1]);
  }
}

/* --- parts --- */

#define WIDTH 23
#define HEIGHT 13

/* The row of samples for the pixels of row y. Each field consists of every
 * other row of pixels and of samples. Rows of a field that lacks samples use
 * its last row, or the other field's if it has none. */
static uint32_t
row_of_field (const AmphistoComponent *c, uint32_t y)
{
  const uint32_t field = c->height > 1 ? y % 2 : 0;
  const uint32_t n_rows = (c->height + 1 - field) / 2;
  const uint32_t row = (y / 2) >> c->y_shift;

  return 2 * MIN (row, n_rows - 1) + field;
}

#define N_LAYOUTS 6

/* As I420, NV12, YUY2, UYVY, YUV9 and Y444. */
static AmphistoLayout
layout_nth (guint i, uint32_t height)
{
  const uint32_t shift = i < 2 ? 1 : i == 4 ? 2 : 0;
  AmphistoLayout layout = i == 2 || i == 3
      ? packed_layout (i == 2 ? "YUYV" : "UYVY", WIDTH, height)
      : yuv_layout (WIDTH, height, shift, shift);

  if (i == 1) {
    layout.n_planes = 2;
    layout.plane[1].row_bytes *= 2;
    layout.plane[2] = (AmphistoPlaneLayout){ 0 };
    for (guint c = AMPHISTO_CHANNEL_U; c <= AMPHISTO_CHANNEL_V; c++) {
      layout.component[c].plane = 1;
      layout.component[c].offset = c - AMPHISTO_CHANNEL_U;
      layout.component[c].pixel_stride = 2;
    }
  }
  layout.channels = LUMA | CHROMA;
  return layout;
}

/* An interlaced layout. */
static AmphistoLayout
fields_nth (guint i, uint32_t height, bool has_all_rows)
{
  AmphistoLayout layout = layout_nth (i, height);

  layout.has_fields = true;
  amphisto_layout_set_interlaced (&layout, true, has_all_rows);
  return layout;
}

/* Each pixel of the part has the same sample of the component as in the whole
 * frame. The part has no other samples, and all of them are in its plane. */
static void
check_component (const AmphistoFrame *frame, const AmphistoFrame *part,
    const AmphistoRegion *region, AmphistoChannel channel)
{
  const AmphistoComponent *whole = &frame->layout->component[channel];
  const AmphistoComponent *c = &part->layout->component[channel];
  const AmphistoPlaneLayout *plane = &part->layout->plane[c->plane];
  uint32_t column = 0, first = UINT32_MAX, last = 0;

  for (uint32_t y = 0; y < region->height; y++) {
    const uint32_t row = amphisto_component_row (c, y);
    const uint32_t in_frame = frame->layout->has_fields && c->y_shift > 0
        ? row_of_field (whole, region->y + y)
        : (region->y + y) >> c->y_shift;

    first = MIN (first, row);
    last = MAX (last, row);
    g_assert_cmpuint (row, <, c->height);
    for (uint32_t x = 0; x < region->width; x++) {
      column = (c->x_phase + x) >> c->x_shift;
      g_assert_cmpuint (column, <, c->width);
      g_assert_true (amphisto_frame_sample (part, c, column, row)
          == amphisto_frame_sample (
              frame, whole, (region->x + x) >> c->x_shift, in_frame));
    }
  }
  g_assert_cmpuint (column, ==, c->width - 1);
  g_assert_cmpuint (first, ==, 0);
  g_assert_cmpuint (last, ==, c->height - 1);
  g_assert_cmpuint (c->offset + column * c->pixel_stride, <, plane->row_bytes);
  g_assert_cmpuint (plane->rows, ==, c->height);
  g_assert_cmpuint (plane->first_byte + plane->row_bytes, <=,
      frame->layout->plane[c->plane].row_bytes);
}

static void
check_part (const AmphistoFrame *frame, const AmphistoRegion *region)
{
  AmphistoLayout layout;
  AmphistoFrame part;

  amphisto_layout_crop (frame->layout, region, &layout);
  part = amphisto_frame_crop (frame, &layout);
  for (guint c = AMPHISTO_CHANNEL_LUMA; c <= AMPHISTO_CHANNEL_V; c++)
    check_component (frame, &part, region, c);
}

static void
test_samples (void)
{
  for (guint i = 0; i < N_LAYOUTS; i++) {
    const AmphistoLayout layout = layout_nth (i, HEIGHT);
    g_autofree Picture *picture = picture_new (&layout, 0);

    for (uint32_t x = 0; x < WIDTH; x++)
      for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t w = 1; w <= WIDTH - x; w += 1 + w / 4)
          for (uint32_t h = 1; h <= HEIGHT - y; h += 1 + h / 4)
            check_part (&picture->frame, &(AmphistoRegion){ x, y, w, h });
  }
}

/* The same in interlaced frames, of any number of rows modulo 4 and 8. */
static void
test_fields (void)
{
  for (guint i = 0; i < 2 * N_LAYOUTS; i++)
    for (uint32_t height = 1; height <= HEIGHT; height++) {
      const AmphistoLayout layout = fields_nth (i / 2, height, i % 2);
      g_autofree Picture *picture = picture_new (&layout, 0);

      for (uint32_t y = 0; y < height; y++)
        for (uint32_t h = 1; h <= height - y; h++)
          check_part (&picture->frame, &(AmphistoRegion){ 5, y, 7, h });
    }
}

/* Rows of samples and rows of pixels map to each other in both directions,
 * except a last row of pixels whose field has no samples for it. */
static void
test_pixel_rows (void)
{
  for (uint32_t n = 2 * 2; n < 2 * (HEIGHT + 1); n++) {
    const uint32_t height = n / 2;
    const bool has_all_rows = n % 2;
    const AmphistoLayout layout = fields_nth (0, height, has_all_rows);
    const AmphistoComponent *chroma = &layout.component[AMPHISTO_CHANNEL_U];
    uint32_t n_rows = 0;

    for (uint32_t i = 0; i < 2 * chroma->height; i++) {
      const uint32_t row = i / 2;
      const uint32_t y = amphisto_component_pixel_row (chroma, row, i % 2);

      if (y < height) {
        g_assert_cmpuint (amphisto_component_row (chroma, y), ==, row);
        n_rows++;
      }
    }
    g_assert_cmpuint (n_rows, ==,
        height % 4 == 2 && height > 2 && !has_all_rows ? height - 1 : height);
  }
}

/* The rows of chroma in GStreamer's video-info.c, which rounds up to pairs in
 * interlaced frames, less a last one that no pixel uses; none of the layout's
 * other rows change. */
static void
test_field_rows (void)
{
  static const struct
  {
    uint32_t layout, height, progressive, interlaced;
  } cases[] = { { 0, 1, 1, 1 }, { 0, 2, 1, 2 }, { 0, 4, 2, 2 }, { 0, 5, 3, 3 },
    { 0, 6, 3, 4 }, { 0, 7, 4, 4 }, { 1, 6, 3, 4 }, { 2, 6, 6, 6 },
    { 4, 1, 1, 1 }, { 4, 2, 1, 2 }, { 4, 4, 1, 2 }, { 4, 5, 2, 2 },
    { 4, 8, 2, 2 }, { 4, 9, 3, 3 }, { 4, 10, 3, 4 }, { 4, 12, 3, 4 },
    { 4, 13, 4, 4 } };

  for (guint i = 0; IS_ROW (cases, i); i++) {
    AmphistoLayout layout =
        fields_nth (cases[i].layout, cases[i].height, false);
    const AmphistoComponent *chroma = &layout.component[AMPHISTO_CHANNEL_U];
    const AmphistoPlaneLayout *plane = &layout.plane[chroma->plane];
    const bool differs = cases[i].interlaced > cases[i].progressive;

    g_assert_cmpuint (chroma->height, ==, cases[i].progressive);
    g_assert_true (
        amphisto_layout_set_interlaced (&layout, true, true) == differs);
    g_assert_cmpuint (chroma->height, ==, cases[i].interlaced);
    g_assert_cmpuint (plane->rows, ==, cases[i].interlaced);
    g_assert_cmpuint (layout.plane[0].rows, ==, cases[i].height);
    g_assert_false (amphisto_layout_set_interlaced (&layout, true, true));
    amphisto_layout_set_interlaced (&layout, false, true);
    g_assert_cmpuint (chroma->height, ==, cases[i].progressive);
    g_assert_cmpuint (plane->rows, ==, cases[i].progressive);
    g_assert_false (amphisto_layout_set_interlaced (&layout, false, false));
  }
}

/* The part that is the whole frame has the frame's layout. */
static void
test_all (void)
{
  const AmphistoRegion all = { 0, 0, WIDTH, HEIGHT };

  for (guint i = 0; i < 2 * N_LAYOUTS; i++) {
    const AmphistoLayout layout =
        i % 2 ? fields_nth (i / 2, HEIGHT, true) : layout_nth (i / 2, HEIGHT);
    AmphistoLayout part;

    amphisto_layout_crop (&layout, &all, &part);
    g_assert_cmpmem (&part, sizeof part, &layout, sizeof layout);
  }
}

static void
test_clip (void)
{
  /* regions, and what is left of them */
  static const AmphistoRegion cases[][2] = {
    { { 0, 0, WIDTH, HEIGHT }, { 0, 0, WIDTH, HEIGHT } },
    { { 3, 4, 5, 6 }, { 3, 4, 5, 6 } },
    { { 20, 10, 9, 9 }, { 20, 10, 3, 3 } },
    { { 22, 12, UINT32_MAX, UINT32_MAX }, { 22, 12, 1, 1 } },
    { { WIDTH, 0, 1, 1 }, { 0 } },
    { { 0, HEIGHT, 1, 1 }, { 0 } },
    { { UINT32_MAX, UINT32_MAX, UINT32_MAX, 1 }, { 0 } },
    { { 3, 4, 0, 6 }, { 0 } },
    { { 3, 4, 5, 0 }, { 0 } },
  };
  const AmphistoLayout layout = layout_nth (0, HEIGHT);

  for (guint i = 0; IS_ROW (cases, i); i++) {
    const AmphistoRegion clipped = amphisto_region_clip (&cases[i][0], &layout);

    g_assert_cmpmem (
        &clipped, sizeof clipped, &cases[i][1], sizeof cases[i][1]);
  }
}

/* The sample of the component for pixel (x, y) of the frame. */
static uint8_t
pixel_sample (
    const AmphistoFrame *frame, AmphistoChannel channel, guint x, guint y)
{
  const AmphistoComponent *c = &frame->layout->component[channel];

  return *amphisto_frame_sample (frame, c, x >> c->x_shift, y >> c->y_shift);
}

/* Counts a computed colour of the region's pixels, in the whole frame. */
static void
count_colour (const AmphistoFrame *frame, AmphistoChannel colour,
    const AmphistoRegion *region, uint32_t bins[AMPHISTO_N_BINS])
{
  const int32_t *row = frame->layout->matrix[colour - AMPHISTO_CHANNEL_RED];

  memset (bins, 0, AMPHISTO_N_BINS * sizeof *bins);
  for (guint y = region->y; y < region->y + region->height; y++)
    for (guint x = region->x; x < region->x + region->width; x++)
      bins[amphisto_matrix_sample (row,
          pixel_sample (frame, AMPHISTO_CHANNEL_LUMA, x, y),
          pixel_sample (frame, AMPHISTO_CHANNEL_U, x, y),
          pixel_sample (frame, AMPHISTO_CHANNEL_V, x, y))]++;
}

static void
check_colours (const AmphistoFrame *frame, const AmphistoRegion *region)
{
  AmphistoLayout layout;
  AmphistoFrame part;

  amphisto_layout_crop (frame->layout, region, &layout);
  part = amphisto_frame_crop (frame, &layout);
  for (guint c = AMPHISTO_CHANNEL_RED; c <= AMPHISTO_CHANNEL_BLUE; c++) {
    uint32_t expected[AMPHISTO_N_BINS], bins[AMPHISTO_N_BINS];

    count_colour (frame, c, region, expected);
    amphisto_histogram_count (&part, c, bins);
    g_assert_cmpmem (bins, sizeof bins, expected, sizeof expected);
  }
}

/* A pixel's colour is computed from the same chroma sample as in the whole
 * frame, even if the part begins in the middle of a chroma sample. */
static void
test_colours (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (guint shifts = 0; shifts < 9; shifts++)
    for (guint i = 0; i < 100; i++) {
      AmphistoLayout layout =
          yuv_layout (WIDTH, HEIGHT, shifts % 3, shifts / 3);
      const guint x = i % 10, y = i / 10;
      g_autofree Picture *picture = NULL;

      set_matrix (&layout, 0, true);
      picture = picture_new (&layout, 0);
      for (gsize k = 0; k < picture->size; k++)
        picture->bytes[k] = g_rand_int_range (random, 0, 256);
      check_colours (&picture->frame,
          &(AmphistoRegion){ x, y, g_rand_int_range (random, 0, WIDTH - x + 1),
              g_rand_int_range (random, 0, HEIGHT - y + 1) });
    }
}

const CoreTest core_tests[] = {
  { "/channels/planes", test_planes },
  { "/channels/range", test_range },
  { "/parts/samples", test_samples },
  { "/parts/fields", test_fields },
  { "/parts/pixel-rows", test_pixel_rows },
  { "/parts/rows", test_field_rows },
  { "/parts/all", test_all },
  { "/parts/clip", test_clip },
  { "/parts/colours", test_colours },
  { 0 },
};
