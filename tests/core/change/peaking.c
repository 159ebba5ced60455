/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Peaking: thresholds, edges of frames and of fields, and the drawing of the C
 * reference.
 */

#include "channels.h"
#include "core/change/exposure.h"
#include "layouts.h"
#include "placed.h"
#include "plans.h"
#include "suite.h"

#include <string.h>

/* Luma of a frame that is wholly drawn into, |gx| + |gy| by matrices, of one
 * field: rows `step` apart. */
static int
gradient_at (const uint8_t *luma, int width, int height, int step, int x, int y)
{
  static const int across[3][3] = { { -1, 0, 1 }, { -2, 0, 2 }, { -1, 0, 1 } };
  const int first = y % step;
  const int last = first + (height - 1 - first) / step * step;
  int gx = 0, gy = 0;

  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) {
      const int column = CLAMP (x + i - 1, 0, width - 1);
      const int row = CLAMP (y + (j - 1) * step, first, last);

      gx += across[j][i] * luma[row * width + column];
      gy += across[i][j] * luma[row * width + column];
    }
  return ABS (gx) + ABS (gy);
}

static exposure_params
peaking_params (
    const AmphistoLayout *layout, AmphistoExposure others, double threshold)
{
  const AmphistoExposureSettings settings = { .enabled = PEAKING | others,
    .zebra_high = 100,
    .peaking_threshold = threshold };
  const drawing_params drawing = drawing_for (layout);
  exposure_params params;

  amphisto_exposure_fill_params (&settings, layout, &drawing, &params);
  return params;
}

/* The least gradient is rounded up, and a flat area is no edge. */
static void
test_peaking_threshold (void)
{
  static const struct
  {
    double threshold;
    uint32_t gradient;
  } cases[] = { { 0, 1 }, { 0.01, 1 }, { 10, 153 }, { 10.1, 155 }, { 15, 230 },
    { 100, 1530 } };
  const AmphistoLayout layout = grey_layout (8, 8);

  for (guint i = 0; IS_ROW (cases, i); i++) {
    const exposure_params params =
        peaking_params (&layout, AMPHISTO_EXPOSURE_NONE, cases[i].threshold);

    g_assert_true (params.has_peaking);
    g_assert_cmpuint (params.least_gradient, ==, cases[i].gradient);
  }
}

/* Fills luma with steps of random heights. */
static void
fill_steps (GRand *rand, uint8_t *luma, gsize n)
{
  for (gsize i = 0; i < n; i++)
    luma[i] = g_rand_int_range (rand, 0, 4) > 0 && i > 0
        ? luma[i - 1]
        : (uint8_t) g_rand_int_range (rand, 0, 256);
}

/* Edges of grey are white; others stay. Fields have edges of their own. */
static void
test_peaking_grey (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1530);

  for (guint n = 0; n < 400; n++) {
    const int width = g_rand_int_range (rand, 1, 20);
    const int height = g_rand_int_range (rand, 1, 12);
    const int step = 1 + n % 2;
    const double threshold = g_rand_int_range (rand, 0, 60);
    const AmphistoLayout layout = grey_layout (width, height);
    exposure_params params =
        peaking_params (&layout, AMPHISTO_EXPOSURE_NONE, threshold);
    const drawing_params drawing = drawing_for (&layout);
    g_autofree Picture *source = picture_new (&layout, 0);
    g_autofree Picture *target = picture_new (&layout, 7);

    params.row_step = step;
    fill_steps (rand, source->bytes, source->size);
    amphisto_exposure_draw_peaking (
        &drawing, &params, &source->frame, &target->frame);
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        const int gradient =
            gradient_at (source->bytes, width, height, step, x, y);

        g_assert_cmpuint (target->bytes[y * width + x], ==,
            gradient > 0 && gradient * 100 >= 1530 * threshold ? 255 : 7);
      }
  }
}

/* Edges of YUV are orange, under zebra. A chroma sample is the mean of its
 * pixels: those of edges are orange, the others have the target's colour, or
 * that of their bands. */
static void
check_peaking_yuv (GRand *rand, bool has_bands)
{
  const int width = 13, height = 7;
  const AmphistoLayout layout = yuv_layout (width, height, 1, 1);
  const exposure_params params =
      peaking_params (&layout, ZEBRA | (has_bands ? FALSE_COLOR : 0), 10);
  const drawing_params drawing = drawing_for (&layout);
  g_autofree Picture *source = picture_new (&layout, 0);
  g_autofree Picture *target = picture_new (&layout, 90);

  fill_steps (rand, source->bytes, (gsize) (width * height));
  amphisto_exposure_draw_peaking (
      &drawing, &params, &source->frame, &target->frame);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const uint8_t luma = source->bytes[y * width + x];
      const bool is_edge =
          gradient_at (source->bytes, width, height, 1, x, y) >= 153;
      const uint8_t zebra = luma <= 16 ? ((x + y) & 4 ? 16 : 146)
          : luma >= 235                ? ((x - y) & 4 ? 235 : 146)
                                       : 146;

      g_assert_cmpuint (target->bytes[y * width + x], ==, is_edge ? zebra : 90);
    }
  for (int c = 1; c < 3; c++)
    for (int y = 0; y < 4; y++)
      for (int x = 0; x < 7; x++) {
        int sum = 2;
        bool has_edge = false;

        for (int i = 0; i < 4; i++) {
          const int column = MIN (2 * x + i % 2, width - 1);
          const int row = MIN (2 * y + i / 2, height - 1);
          const uint8_t luma = source->bytes[row * width + column];
          const bool is_edge =
              gradient_at (source->bytes, width, height, 1, column, row) >= 153;
          int own = 90;

          for (int b = 0; has_bands && b < EXPOSURE_N_BANDS; b++)
            if (luma - params.band[b].first < params.band[b].size)
              own = (int) params.band[b].samples[c];
          if (has_bands && own == 90)
            own = 128;
          has_edge |= is_edge;
          sum += is_edge ? (c == 1 ? 53 : 193) : own;
        }
        g_assert_cmpuint (target->frame.plane[c].data[7 * y + x], ==,
            has_edge ? sum / 4 : 90);
      }
}

static void
test_peaking_yuv (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);

  for (guint n = 0; n < 100; n++)
    check_peaking_yuv (rand, n % 2);
}

/* Edges are those of luma of RGB; R, G and B become orange. The area to draw
 * into may begin within the region, whose pixels count as neighbours. */
static void
test_peaking_rgb (void)
{
  const AmphistoLayout region = rgb_layout (5, 3);
  const AmphistoLayout layout = rgb_layout (4, 2);
  const drawing_params drawing = drawing_for (&layout);
  exposure_params params = peaking_params (&layout, AMPHISTO_EXPOSURE_NONE, 15);
  g_autofree Picture *source = picture_new (&region, 0);
  g_autofree Picture *target = picture_new (&layout, 9);

  params.peaking_x = params.peaking_y = 1;
  memset (source->bytes, 255, 3); /* white, in the corner */
  amphisto_exposure_draw_peaking (
      &drawing, &params, &source->frame, &target->frame);
  for (uint32_t i = 0; i < 8; i++)
    for (uint32_t c = 0; c < 3; c++)
      g_assert_cmpuint (target->bytes[3 * i + c], ==,
          i > 0        ? 9
              : c == 0 ? 255
              : c == 1 ? 128
                       : 0);
}

/* It reads the neighbours of the pixels that it draws, so it needs a separate
 * target for luma; for chroma as well if stripes over pixels out of gamut are
 * tested by it later. */
static void
test_plan (void)
{
  static const struct
  {
    AmphistoExposure others;
    uint32_t written, separate;
  } cases[] = { { AMPHISTO_EXPOSURE_NONE, 7, 1 }, { ZEBRA, 7, 1 },
    { FALSE_COLOR, 7, 1 }, { GAMUT, 7, 7 } };
  const AmphistoLayout layout = yuv_layout (640, 480, 1, 1);

  for (guint i = 0; IS_ROW (cases, i); i++) {
    const AmphistoSettings settings = { .channels = LUMA,
      .region = { 3, 5, 99, 99 },
      .exposure.enabled = PEAKING | cases[i].others };
    AmphistoPlan plan;

    amphisto_plan_init (&plan, &layout, &settings, &cpu);
    g_assert_true (amphisto_plan_has_task (&plan, AMPHISTO_TASK_DRAW_PEAKING));
    g_assert_cmphex (plan.written, ==, cases[i].written);
    g_assert_cmphex (plan.copied, ==, cases[i].written);
    g_assert_cmphex (plan.needs_separate_target, ==, cases[i].separate);
    g_assert_cmpuint (plan.params.exposure.peaking_x, ==, 1);
    g_assert_cmpuint (plan.params.exposure.peaking_y, ==, 1);
  }
}

const CoreTest core_tests[] = {
  { "/plan", test_plan },
  { "/threshold", test_peaking_threshold },
  { "/grey", test_peaking_grey },
  { "/yuv", test_peaking_yuv },
  { "/rgb", test_peaking_rgb },
  { 0 },
};
