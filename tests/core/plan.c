/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Plans of measuring and equalizing. No device is needed.
 */

#include "channels.h"
#include "layouts.h"
#include "plans.h"
#include "suite.h"

/* --- regions --- */

/* The part that is drawn into shares no chroma sample with pixels outside the
 * region. At the frame's edges, there are no such pixels. */
static void
test_drawn (void)
{
  const AmphistoLayout layout = yuv_layout (23, 13, 1, 1);
  AmphistoSettings settings = { .region = { 3, 5, 0, 0 } };
  AmphistoPlan plan;

  amphisto_plan_init (&plan, &layout, &settings, &cpu);
  g_assert_cmpuint (plan.part.component[0].width, ==, 23 - 3);
  g_assert_cmpuint (plan.part.component[0].height, ==, 13 - 5);
  g_assert_cmpuint (plan.drawn.plane[0].first_byte, ==, 4);
  g_assert_cmpuint (plan.drawn.plane[0].first_row, ==, 6);
  g_assert_cmpuint (plan.drawn.component[0].width, ==, 23 - 4);
  g_assert_cmpuint (plan.drawn.component[0].height, ==, 13 - 6);
  g_assert_cmpuint (plan.drawn.component[1].x_phase, ==, 0);

  settings.region = (AmphistoRegion){ 3, 5, 8, 6 };
  amphisto_plan_init (&plan, &layout, &settings, &cpu);
  g_assert_cmpuint (plan.drawn.component[0].width, ==, 6);
  g_assert_cmpuint (plan.drawn.component[0].height, ==, 4);

  settings.region = (AmphistoRegion){ 3, 5, 1, 6 };
  amphisto_plan_init (&plan, &layout, &settings, &cpu);
  g_assert_cmpuint (plan.part.component[0].width, ==, 1);
  g_assert_cmpuint (plan.drawn.component[0].width, ==, 0);
}

/* A region outside the frame changes nothing, and its empty histogram does not
 * enter the temporal mean. */
static void
test_outside (void)
{
  const AmphistoSettings settings = { .channels = LUMA,
    .equalization = AMPHISTO_EQUALIZATION_CLAHE,
    .clahe = { 8, 8, 3 },
    .smoothing = 0.5f,
    .region = { 640, 0, 0, 0 } };
  const AmphistoPlan plan = plan_i420 (&settings);

  g_assert_cmphex (plan.stages, ==, STAGE (HISTOGRAM));
  g_assert_cmpuint (plan.region.width, ==, 0);
  assert_planes (&plan, 1, 0, 0, 0);
}

static void
test_region_params (void)
{
  const AmphistoSettings settings = { .channels = CHROMA,
    .measures_regions = true };
  const AmphistoRegion region = { 11, 7, 100, 50 };
  const AmphistoPlan plan = plan_i420 (&settings);
  AmphistoLayout part;
  frame_params params;

  g_assert_cmphex (plan.stages, ==, STAGE (HISTOGRAM) | STAGE (REGIONS));
  amphisto_plan_fill_region_params (&plan, &region, &part, &params);
  g_assert_cmpuint (params.n_slots, ==, 2);
  /* pixels 11 to 110 have chroma samples 5 to 55 */
  g_assert_cmpuint (params.measured[0].width, ==, 51);
  g_assert_cmpuint (params.measured[0].height, ==, 26);
  g_assert_cmpuint (part.plane[1].first_byte, ==, 5);
  g_assert_cmpuint (part.plane[1].first_row, ==, 3);
}

/* --- channels --- */

static void
test_channels (void)
{
  AmphistoSettings settings = { .channels = CHROMA | ALPHA };
  AmphistoPlan plan = plan_i420 (&settings);

  g_assert_cmphex (plan.stages, ==, STAGE (HISTOGRAM));
  g_assert_cmphex (plan.reported, ==, CHROMA);
  g_assert_cmphex (plan.counted, ==, CHROMA);
  g_assert_cmpuint (plan.params.frame.n_slots, ==, 2);
  g_assert_cmpint (plan.slot_channel[0], ==, AMPHISTO_CHANNEL_U);
  g_assert_cmpint (plan.slot_channel[1], ==, AMPHISTO_CHANNEL_V);
  assert_planes (&plan, 6, 0, 0, 0);

  /* luma is always counted */
  settings.channels = ALPHA;
  plan = plan_i420 (&settings);
  g_assert_cmphex (plan.reported, ==, 0);
  g_assert_cmphex (plan.counted, ==, LUMA);

  /* the LUT is computed from luma */
  settings = (AmphistoSettings){ .channels = CHROMA,
    .equalization = AMPHISTO_EQUALIZATION_GLOBAL };
  plan = plan_i420 (&settings);
  g_assert_cmphex (plan.reported, ==, CHROMA);
  g_assert_cmphex (plan.counted, ==, LUMA | CHROMA);
  g_assert_cmpint (plan.slot_channel[0], ==, AMPHISTO_CHANNEL_LUMA);

  /* a colour is computed from all planes */
  settings = (AmphistoSettings){ .channels = RGB };
  plan = plan_i420 (&settings);
  assert_planes (&plan, 7, 0, 0, 0);
}

/* Frames are compared if luma is reported and there are pixels. */
static void
test_comparison (void)
{
  AmphistoSettings settings = { .channels = LUMA, .compares = true };
  AmphistoPlan plan = plan_i420 (&settings);

  g_assert_cmphex (plan.stages, ==, STAGE (HISTOGRAM) | STAGE (COMPARE));
  g_assert_cmpuint (plan.params.frame.previous_stride, ==, 640);
  assert_planes (&plan, 1, 0, 0, 0);

  settings.region = (AmphistoRegion){ 3, 0, 97, 0 };
  plan = plan_i420 (&settings);
  g_assert_cmpuint (plan.params.frame.previous_stride, ==, 112);

  settings.region.x = 640;
  plan = plan_i420 (&settings);
  g_assert_cmphex (plan.stages, ==, STAGE (HISTOGRAM));

  /* luma is counted, but not reported */
  settings = (AmphistoSettings){ .channels = CHROMA,
    .equalization = AMPHISTO_EQUALIZATION_GLOBAL,
    .compares = true };
  plan = plan_i420 (&settings);
  g_assert_cmphex (plan.stages, ==, STAGE (HISTOGRAM) | STAGE (EQUALIZE));
}

/* Luma is read for the letterbox, whatever is reported, if there are pixels. */
static void
test_letterbox (void)
{
  AmphistoSettings settings = { .channels = CHROMA, .finds_letterbox = true };
  AmphistoPlan plan = plan_i420 (&settings);

  g_assert_cmphex (plan.stages, ==, STAGE (HISTOGRAM) | STAGE (LETTERBOX));
  g_assert_cmpuint (plan.sizes.luma_sums, ==, 640 + 480);
  assert_planes (&plan, 7, 0, 0, 0);

  settings.region = (AmphistoRegion){ 3, 5, 97, 50 };
  plan = plan_i420 (&settings);
  g_assert_cmpuint (plan.sizes.luma_sums, ==, 97 + 50);

  settings.region.x = 640;
  plan = plan_i420 (&settings);
  g_assert_cmphex (plan.stages, ==, STAGE (HISTOGRAM));
}

/* All planes of YUV are read; RGB is never out of gamut. */
static void
test_gamut (void)
{
  const AmphistoSettings settings = { .channels = LUMA, .checks_gamut = true };
  const AmphistoDivision division = { .n_groups = 1, .n_slices = 1 };
  const AmphistoLayout rgb = rgb_layout (64, 48);
  AmphistoPlan plan = plan_i420 (&settings);

  g_assert_cmphex (plan.stages, ==, STAGE (HISTOGRAM) | STAGE (GAMUT));
  g_assert_cmpuint (plan.params.frame.legal_lo, ==, 5);
  g_assert_cmpuint (plan.params.frame.legal_hi, ==, 246);
  assert_planes (&plan, 7, 0, 0, 0);

  amphisto_plan_init (&plan, &rgb, &settings, &division);
  g_assert_cmphex (plan.stages, ==, STAGE (HISTOGRAM));
  g_assert_true (amphisto_plan_has_picture (&plan));
}

/* --- equalization --- */

static void
test_equalize (void)
{
  AmphistoSettings settings = { .channels = LUMA,
    .equalization = AMPHISTO_EQUALIZATION_MATCH,
    .strength = 0.25f,
    .smoothing = 0.75f };
  const AmphistoLayout rgbx = rgbx_layout (640, 480);
  AmphistoPlan plan = plan_i420 (&settings);

  g_assert_cmphex (
      plan.stages, ==, STAGE (HISTOGRAM) | STAGE (SMOOTH) | STAGE (EQUALIZE));
  g_assert_cmpfloat (plan.params.frame.strength, ==, 0.25f);
  g_assert_cmpfloat (plan.params.frame.renewal, ==, 0.25f);
  g_assert_true (amphisto_plan_can_be_in_place (&plan));
  /* luma's plane is written completely, so nothing is copied */
  assert_planes (&plan, 1, 1, 0, 0);

  settings.region = (AmphistoRegion){ 0, 0, 639, 0 };
  plan = plan_i420 (&settings);
  assert_planes (&plan, 1, 1, 1, 0);

  settings = (AmphistoSettings){ .smoothing = 0.5f };
  plan = plan_i420 (&settings);
  g_assert_cmphex (plan.stages, ==, STAGE (HISTOGRAM));

  settings.equalization = AMPHISTO_EQUALIZATION_GLOBAL;
  amphisto_plan_init (&plan, &rgbx, &settings, &cpu);
  assert_planes (&plan, 1, 1, 0, 0);
}

/* Chroma is read and written, and copied if only a part of it changes; zebra
 * and false colour need a separate target. Without equalization, nothing
 * changes.
 */
static void
test_colors (void)
{
  AmphistoSettings settings = { .channels = LUMA,
    .equalization = AMPHISTO_EQUALIZATION_GLOBAL,
    .keeps_colors = true };
  const AmphistoLayout rgbx = rgbx_layout (640, 480);
  AmphistoPlan plan = plan_i420 (&settings);

  assert_planes (&plan, 7, 7, 0, 0);
  g_assert_true (plan.tasks & AMPHISTO_TASK_KEEP_COLORS);
  settings.region.width = 639;
  plan = plan_i420 (&settings);
  assert_planes (&plan, 7, 7, 7, 0);
  g_assert_true (plan.tasks & AMPHISTO_TASK_CHANGE_YUV);
  settings.exposure.enabled = AMPHISTO_EXPOSURE_ZEBRA;
  plan = plan_i420 (&settings);
  assert_planes (&plan, 7, 7, 7, 7);

  settings = (AmphistoSettings){ .channels = LUMA, .keeps_colors = true };
  plan = plan_i420 (&settings);
  assert_planes (&plan, 1, 0, 0, 0);
  g_assert_false (plan.tasks & AMPHISTO_TASK_KEEP_COLORS);

  settings.equalization = AMPHISTO_EQUALIZATION_CLAHE;
  settings.clahe = (AmphistoClahe){ 8, 8, 3 };
  plan = plan_i420 (&settings);
  assert_planes (&plan, 7, 7, 0, 0);
  amphisto_plan_init (&plan, &rgbx, &settings, &cpu);
  assert_planes (&plan, 1, 1, 0, 0);
  g_assert_true (plan.tasks & AMPHISTO_TASK_KEEP_COLORS);
}

/* Luma and chroma of packed 4:2:2 change in one pass, unless only a part of the
 * frame changes, or each tile has its own LUT. */
static void
test_colors_of_packed (void)
{
  AmphistoSettings settings = { .channels = LUMA,
    .equalization = AMPHISTO_EQUALIZATION_GLOBAL,
    .keeps_colors = true,
    .clahe = { 8, 8, 3 } };
  AmphistoLayout layout = yuv_layout (640, 480, 1, 0);
  AmphistoPlan plan;

  layout.n_planes = 1;
  layout.plane[0].row_bytes = 1280;
  layout.component[0].pixel_stride = 2;
  for (unsigned c = 1; c < 3; c++) {
    layout.component[c].plane = 0;
    layout.component[c].offset = 2 * c - 1;
    layout.component[c].pixel_stride = 4;
  }
  amphisto_plan_init (&plan, &layout, &settings, &cpu);
  assert_planes (&plan, 1, 1, 0, 0);
  g_assert_true (plan.tasks & AMPHISTO_TASK_CHANGE_YUV);
  g_assert_false (plan.tasks & AMPHISTO_TASK_CHANGE_LUMA);

  settings.equalization = AMPHISTO_EQUALIZATION_CLAHE;
  amphisto_plan_init (&plan, &layout, &settings, &cpu);
  g_assert_false (plan.tasks & AMPHISTO_TASK_CHANGE_YUV);
  g_assert_true (plan.tasks & AMPHISTO_TASK_CHANGE_LUMA);

  settings.equalization = AMPHISTO_EQUALIZATION_MATCH;
  settings.region.width = 638;
  amphisto_plan_init (&plan, &layout, &settings, &cpu);
  g_assert_false (plan.tasks & AMPHISTO_TASK_CHANGE_YUV);
  g_assert_true (plan.tasks & AMPHISTO_TASK_CHANGE_LUMA);
}

/* Both fields use a single row of chroma, which changes as a whole. */
static void
test_colors_of_one_row (void)
{
  const AmphistoSettings settings = { .channels = LUMA,
    .equalization = AMPHISTO_EQUALIZATION_GLOBAL,
    .keeps_colors = true };
  AmphistoLayout layout = yuv_layout (7, 3, 2, 2);
  AmphistoPlan plan;

  amphisto_plan_init (&plan, &layout, &settings, &cpu);
  assert_planes (&plan, 7, 7, 0, 0);
  layout.has_fields = true;
  amphisto_layout_set_interlaced (&layout, true, false);
  amphisto_plan_init (&plan, &layout, &settings, &cpu);
  assert_planes (&plan, 7, 7, 0, 0);
  g_assert_cmpuint (plan.drawn.component[AMPHISTO_CHANNEL_LUMA].height, ==, 3);
}

/* The samples that may be clipped are a fraction of the region's, rounded down.
 */
static void
test_stretch (void)
{
  AmphistoSettings settings = { .channels = LUMA,
    .equalization = AMPHISTO_EQUALIZATION_STRETCH,
    .stretch_low = 0.5,
    .stretch_high = 50 };
  AmphistoPlan plan = plan_i420 (&settings);

  g_assert_cmphex (plan.stages, ==, STAGE (HISTOGRAM) | STAGE (EQUALIZE));
  g_assert_cmpuint (plan.params.frame.stretch_low, ==, 1536);
  g_assert_cmpuint (plan.params.frame.stretch_high, ==, 153600);

  settings.region = (AmphistoRegion){ 100, 0, 33, 0 };
  settings.stretch_low = 0.51;
  settings.stretch_high = 0.41;
  plan = plan_i420 (&settings);
  g_assert_cmpuint (plan.params.frame.stretch_low, ==, 80);  /* 80.784 */
  g_assert_cmpuint (plan.params.frame.stretch_high, ==, 64); /* 64.944 */
}

/* If every pixel is in exactly one tile, luma's histogram is the sum of the
 * tile histograms, and luma is not counted. */
static void
test_clahe (void)
{
  AmphistoSettings settings = { .channels = LUMA,
    .equalization = AMPHISTO_EQUALIZATION_CLAHE,
    .clahe = { 8, 8, 3 } };
  AmphistoPlan plan = plan_i420 (&settings);

  g_assert_cmphex (plan.stages, ==, STAGE (CLAHE));
  g_assert_true (plan.tasks & AMPHISTO_TASK_SUM_TILES);
  g_assert_cmpuint (plan.params.frame.measured[0].height, ==, 0);
  g_assert_cmpuint (plan.params.clahe.tile_width, ==, 80);
  g_assert_cmpuint (plan.params.clahe.n_slices, ==, 1);

  settings.clahe.tiles_x = 7;
  plan = plan_i420 (&settings);
  g_assert_false (plan.tasks & AMPHISTO_TASK_SUM_TILES);
  g_assert_cmpuint (plan.params.frame.measured[0].height, ==, 480);

  /* a single tile is divided into slices */
  settings.clahe = (AmphistoClahe){ 1, 1, 3 };
  plan = plan_i420 (&settings);
  g_assert_cmpuint (plan.params.clahe.n_slices, ==, 2 * 16);

  settings.smoothing = 0.5f;
  plan = plan_i420 (&settings);
  g_assert_cmphex (
      plan.stages, ==, STAGE (HISTOGRAM) | STAGE (SMOOTH) | STAGE (CLAHE));
  g_assert_false (plan.tasks & AMPHISTO_TASK_SUM_TILES);
}

const CoreTest core_tests[] = {
  { "/region/drawn", test_drawn },
  { "/region/outside", test_outside },
  { "/region/params", test_region_params },
  { "/channels", test_channels },
  { "/comparison", test_comparison },
  { "/letterbox", test_letterbox },
  { "/gamut", test_gamut },
  { "/equalize", test_equalize },
  { "/colors", test_colors },
  { "/colors/packed", test_colors_of_packed },
  { "/colors/one-row", test_colors_of_one_row },
  { "/stretch", test_stretch },
  { "/clahe", test_clahe },
  { NULL },
};
