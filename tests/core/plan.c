/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Plans for layouts and settings. No device is needed.
 */

#include "channels.h"
#include "core/plan.h"
#include "layouts.h"
#include "suite.h"

#define STAGE(name) (1u << AMPHISTO_STAGE_##name)
#define SCOPE_STAGES (STAGE (MEASURE_SCOPES) | STAGE (DRAW_SCOPES))

static const AmphistoDivision cpu = { .n_groups = 2, .n_slices = 16 };
static const AmphistoDivision gpu = { .is_gpu_shape = true,
  .n_groups = 256,
  .n_slices = 256,
  .local_memory = 48 * 1024,
  .max_local_memory = 48 * 1024 };

static AmphistoPlan
plan_i420 (const AmphistoSettings *settings)
{
  const AmphistoLayout layout = yuv_layout (640, 480, 1, 1);
  AmphistoPlan plan;

  amphisto_plan_init (&plan, &layout, settings, &cpu);
  return plan;
}

static void
assert_planes (const AmphistoPlan *plan, guint read, guint written,
    guint copied, guint needs_separate_target)
{
  g_assert_cmphex (plan->read, ==, read);
  g_assert_cmphex (plan->written, ==, written);
  g_assert_cmphex (plan->copied, ==, copied);
  g_assert_cmphex (plan->needs_separate_target, ==, needs_separate_target);
}

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

/* Stripes over pixels out of gamut are drawn into luma in place, unless zebra
 * or false colour changes what they are tested by. */
static void
test_gamut_stripes (void)
{
  AmphistoSettings settings = { .channels = LUMA,
    .exposure = { .enabled = AMPHISTO_EXPOSURE_GAMUT } };
  AmphistoPlan plan = plan_i420 (&settings);

  g_assert_cmphex (plan.stages, ==, STAGE (HISTOGRAM) | STAGE (EXPOSURE));
  g_assert_cmphex (
      plan.tasks & (AMPHISTO_TASK_DRAW_TONES | AMPHISTO_TASK_DRAW_GAMUT), ==,
      AMPHISTO_TASK_DRAW_GAMUT);
  assert_planes (&plan, 7, 1, 1, 0);

  settings.exposure.enabled |= AMPHISTO_EXPOSURE_ZEBRA;
  plan = plan_i420 (&settings);
  assert_planes (&plan, 7, 1, 1, 1);

  settings.exposure.enabled |= AMPHISTO_EXPOSURE_FALSE_COLOR;
  plan = plan_i420 (&settings);
  assert_planes (&plan, 7, 7, 0, 7);
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

/* --- drawing --- */

static void
test_drawing (void)
{
  AmphistoSettings settings = { .channels = LUMA,
    .scopes = { .display = AMPHISTO_DISPLAY_OVERLAY,
        .enabled = AMPHISTO_SCOPE_HISTOGRAM,
        .width = 0.3,
        .height = 0.3 } };
  AmphistoPlan plan = plan_i420 (&settings);

  g_assert_cmphex (plan.stages, ==, STAGE (HISTOGRAM) | SCOPE_STAGES);
  g_assert_cmphex (plan.scopes, ==, AMPHISTO_SCOPE_HISTOGRAM);
  assert_planes (&plan, 1, 7, 7, 0);

  settings.equalization = AMPHISTO_EQUALIZATION_GLOBAL;
  plan = plan_i420 (&settings);
  assert_planes (&plan, 1, 7, 6, 0);
  g_assert_true (amphisto_plan_can_be_in_place (&plan));

  /* the zebra reads the output of equalization */
  settings.exposure.enabled = AMPHISTO_EXPOSURE_ZEBRA;
  plan = plan_i420 (&settings);
  g_assert_cmphex (plan.stages, ==,
      STAGE (HISTOGRAM) | STAGE (EQUALIZE) | STAGE (EXPOSURE) | SCOPE_STAGES);
  assert_planes (&plan, 1, 7, 6, 1);
  g_assert_false (amphisto_plan_can_be_in_place (&plan));

  settings.equalization = AMPHISTO_EQUALIZATION_NONE;
  settings.scopes.enabled = AMPHISTO_SCOPE_NONE;
  settings.channels = CHROMA;
  plan = plan_i420 (&settings);
  g_assert_cmphex (plan.stages, ==, STAGE (HISTOGRAM) | STAGE (EXPOSURE));
  assert_planes (&plan, 7, 1, 1, 0);
  g_assert_true (amphisto_plan_can_be_in_place (&plan));
}

/* All scopes have the same stages, except that a waveform adds up histograms on
 * CPUs; the channels for the metadata stay. The vectorscope reads chroma. */
static void
test_scopes (void)
{
  AmphistoSettings settings = { .channels = LUMA,
    .scopes = { .display = AMPHISTO_DISPLAY_OVERLAY,
        .enabled = AMPHISTO_SCOPE_WAVEFORM,
        .width = 0.3,
        .height = 0.3 } };
  AmphistoPlan plan = plan_i420 (&settings);

  g_assert_cmphex (plan.stages, ==, SCOPE_STAGES);
  g_assert_cmphex (plan.scopes, ==, AMPHISTO_SCOPE_WAVEFORM);
  assert_planes (&plan, 1, 7, 7, 0);

  settings.scopes.enabled = AMPHISTO_SCOPE_VECTORSCOPE;
  plan = plan_i420 (&settings);
  g_assert_cmphex (plan.stages, ==, STAGE (HISTOGRAM) | SCOPE_STAGES);
  g_assert_cmphex (plan.scopes, ==, AMPHISTO_SCOPE_VECTORSCOPE);
  g_assert_cmphex (plan.counted, ==, LUMA);
  assert_planes (&plan, 7, 7, 7, 0);

  settings.scopes.enabled = AMPHISTO_SCOPE_NONE;
  plan = plan_i420 (&settings);
  g_assert_cmphex (plan.stages, ==, STAGE (HISTOGRAM));
  assert_planes (&plan, 1, 0, 0, 0);
}

/* CPUs: a waveform adds up the histograms of its channels. Other channels are
 * counted, and in the GPU shape all are. Tiles then need not add up luma's. */
static void
test_waveform (void)
{
  AmphistoSettings settings = { .channels = CHROMA,
    .equalization = AMPHISTO_EQUALIZATION_CLAHE,
    .clahe = { 8, 8, 3 },
    .scopes = {
        .enabled = AMPHISTO_SCOPE_WAVEFORM, .width = 0.3, .height = 0.3 } };
  const AmphistoLayout layout = yuv_layout (640, 480, 1, 1);
  AmphistoPlan plan = plan_i420 (&settings);

  g_assert_cmphex (plan.added_up, ==, 7);
  g_assert_true (plan.tasks & AMPHISTO_TASK_SUM_TILES);
  g_assert_cmphex (plan.stages, ==, STAGE (CLAHE) | SCOPE_STAGES);
  g_assert_cmpuint (plan.params.scopes.waveform.trace[0].slot, ==, 1);
  g_assert_cmpuint (plan.params.scopes.waveform.trace[1].slot, ==, 2);

  settings.channels = LUMA;
  plan = plan_i420 (&settings);
  g_assert_false (plan.tasks & AMPHISTO_TASK_SUM_TILES);
  g_assert_cmphex (plan.stages, ==, STAGE (CLAHE) | SCOPE_STAGES);

  settings.channels = CHROMA;
  settings.equalization = AMPHISTO_EQUALIZATION_GLOBAL;
  plan = plan_i420 (&settings);
  g_assert_cmphex (plan.added_up, ==, 6);
  g_assert_cmphex (
      plan.stages, ==, STAGE (HISTOGRAM) | STAGE (EQUALIZE) | SCOPE_STAGES);
  g_assert_cmpuint (plan.params.frame.measured[0].height, ==, 480);
  g_assert_cmpuint (plan.params.frame.measured[1].height, ==, 0);

  amphisto_plan_init (&plan, &layout, &settings, &gpu);
  g_assert_cmphex (plan.added_up, ==, 0);
  g_assert_cmpuint (plan.params.frame.measured[1].height, ==, 240);
}

/* Scopes measure the whole region, with every chroma sample of its pixels.
 * Zebra and false colour are drawn only where no chroma sample is shared;
 * scopes are drawn in the frame's corner, and the region gets an outline. */
static void
test_scopes_of_region (void)
{
  AmphistoSettings settings = { .channels = LUMA | CHROMA,
    .scopes = { .display = AMPHISTO_DISPLAY_OVERLAY,
        .enabled = AMPHISTO_SCOPE_WAVEFORM | AMPHISTO_SCOPE_VECTORSCOPE,
        .width = 0.3,
        .height = 0.3 } };
  const AmphistoPlan whole = plan_i420 (&settings);
  AmphistoPlan plan;

  settings.region = (AmphistoRegion){ 1, 1, 638, 478 };
  plan = plan_i420 (&settings);
  g_assert_cmpuint (plan.drawn.component[0].width, ==, 636);
  g_assert_cmpuint (
      plan.params.exposure_drawing.drawn[0].samples.width, ==, 636);
  g_assert_cmpuint (plan.params.drawing.drawn[0].samples.width, ==, 640);
  g_assert_cmpuint (plan.params.scopes.vectorscope.scope.x, ==,
      whole.params.scopes.vectorscope.scope.x);
  g_assert_cmpuint (plan.params.scopes.vectorscope.scope.y, ==,
      whole.params.scopes.vectorscope.scope.y);
  g_assert_cmpuint (
      plan.params.scopes.waveform.trace[0].samples.width, ==, 638);
  g_assert_cmpuint (
      plan.params.scopes.waveform.trace[0].samples.height, ==, 478);
  g_assert_cmpuint (
      plan.params.scopes.waveform.trace[1].samples.width, ==, 320);
  g_assert_cmpuint (
      plan.params.scopes.waveform.trace[2].samples.height, ==, 240);
  /* as many vectors and cells as for the whole frame */
  g_assert_cmpuint (plan.params.scopes.vectorscope.size, ==,
      whole.params.scopes.vectorscope.size);
  g_assert_cmpmem (plan.params.scopes.vectorscope.brightness,
      sizeof plan.params.scopes.vectorscope.brightness,
      whole.params.scopes.vectorscope.brightness,
      sizeof whole.params.scopes.vectorscope.brightness);
}

static bool
has_outline (const AmphistoSettings *settings)
{
  const AmphistoPlan plan = plan_i420 (settings);

  return plan.params.outline.width > 0;
}

/* A region that is smaller than the frame has an outline if scopes are drawn
 * with a graticule. An empty region has nothing. */
static void
test_outline (void)
{
  const AmphistoSettings usual = { .channels = LUMA,
    .scopes = { .display = AMPHISTO_DISPLAY_OVERLAY,
        .enabled = AMPHISTO_SCOPE_WAVEFORM,
        .width = 0.3,
        .height = 0.3,
        .graticule = true },
    .region = { 600, 400, 0, 79 } };
  AmphistoSettings settings = usual;
  AmphistoPlan plan = plan_i420 (&settings);

  g_assert_cmpuint (plan.params.outline.x, ==, 600);
  g_assert_cmpuint (plan.params.outline.y, ==, 400);
  g_assert_cmpuint (plan.params.outline.width, ==, 40);
  g_assert_cmpuint (plan.params.outline.height, ==, 79);
  g_assert_cmpuint (plan.params.outline.line_width, ==, 1);
  settings.scopes.graticule = false;
  g_assert_false (has_outline (&settings));
  settings = usual;
  settings.region = (AmphistoRegion){ 0, 0, 640, 480 };
  g_assert_false (has_outline (&settings));
  settings = usual;
  settings.scopes.enabled = AMPHISTO_SCOPE_NONE;
  g_assert_false (has_outline (&settings));
  settings = usual;
  settings.region.x = 640;
  plan = plan_i420 (&settings);
  g_assert_cmphex (plan.stages, ==, STAGE (HISTOGRAM));
  g_assert_cmphex (plan.left_out, ==, 0);
  g_assert_cmpuint (plan.params.outline.width, ==, 0);
}

/* False colour writes all planes completely, except outside the region and for
 * other bytes of the planes. */
static void
test_false_color (void)
{
  AmphistoSettings settings = { .channels = CHROMA,
    .exposure = { .enabled = AMPHISTO_EXPOSURE_FALSE_COLOR } };
  const AmphistoLayout rgbx = rgbx_layout (640, 480);
  AmphistoPlan plan = plan_i420 (&settings);

  g_assert_cmphex (plan.stages, ==, STAGE (HISTOGRAM) | STAGE (EXPOSURE));
  assert_planes (&plan, 7, 7, 0, 0);
  g_assert_true (amphisto_plan_can_be_in_place (&plan));

  settings.channels = LUMA;
  settings.region = (AmphistoRegion){ 0, 0, 638, 0 };
  plan = plan_i420 (&settings);
  assert_planes (&plan, 1, 7, 7, 0);

  settings.region = (AmphistoRegion){ 0 };
  settings.equalization = AMPHISTO_EQUALIZATION_GLOBAL;
  plan = plan_i420 (&settings);
  assert_planes (&plan, 1, 7, 0, 1);
  g_assert_false (amphisto_plan_can_be_in_place (&plan));

  settings.equalization = AMPHISTO_EQUALIZATION_NONE;
  amphisto_plan_init (&plan, &rgbx, &settings, &cpu);
  assert_planes (&plan, 1, 1, 1, 0);
}

/* A frame that is too small for the scope is not written. */
static void
test_no_room (void)
{
  const AmphistoLayout layout = yuv_layout (31, 15, 1, 1);
  const AmphistoSettings settings = { .channels = LUMA,
    .scopes = { .display = AMPHISTO_DISPLAY_OVERLAY,
        .enabled = AMPHISTO_SCOPE_HISTOGRAM,
        .width = 1,
        .height = 1 } };
  AmphistoPlan plan;
  uint32_t width, height;

  amphisto_plan_init (&plan, &layout, &settings, &cpu);
  g_assert_cmphex (plan.stages, ==, STAGE (HISTOGRAM));
  g_assert_cmphex (plan.written, ==, 0);
  g_assert_cmphex (plan.left_out, ==, AMPHISTO_SCOPE_HISTOGRAM);
  amphisto_plan_find_room (&plan, &width, &height);
  g_assert_cmpuint (width, ==, 32);
  g_assert_cmpuint (height, ==, 16);
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

const CoreTest core_tests[] = {
  { "/region/drawn", test_drawn },
  { "/region/outside", test_outside },
  { "/region/params", test_region_params },
  { "/channels", test_channels },
  { "/comparison", test_comparison },
  { "/letterbox", test_letterbox },
  { "/gamut", test_gamut },
  { "/gamut-stripes", test_gamut_stripes },
  { "/equalize", test_equalize },
  { "/colors", test_colors },
  { "/colors/one-row", test_colors_of_one_row },
  { "/stretch", test_stretch },
  { "/clahe", test_clahe },
  { "/drawing/scopes", test_scopes },
  { "/drawing/waveform", test_waveform },
  { "/drawing/scopes-of-region", test_scopes_of_region },
  { "/drawing/outline", test_outline },
  { "/drawing", test_drawing },
  { "/false-color", test_false_color },
  { "/no-room", test_no_room },
  { NULL },
};
