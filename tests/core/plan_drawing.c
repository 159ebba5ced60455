/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Plans of drawing into the picture: scopes, outline, zebra, false colour. No
 * device is needed.
 */

#include "channels.h"
#include "layouts.h"
#include "plans.h"
#include "suite.h"

#define SCOPE_STAGES (STAGE (MEASURE_SCOPES) | STAGE (DRAW_SCOPES))

/* --- scopes --- */

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

/* --- exposure --- */

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

const CoreTest core_tests[] = {
  { "/scopes", test_scopes },
  { "/scopes/waveform", test_waveform },
  { "/scopes/region", test_scopes_of_region },
  { "/scopes/outline", test_outline },
  { "/scopes/exposure", test_drawing },
  { "/scopes/no-room", test_no_room },
  { "/exposure/gamut", test_gamut_stripes },
  { "/exposure/false-color", test_false_color },
  { NULL },
};
