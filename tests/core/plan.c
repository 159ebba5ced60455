/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Plans: stages, planes, regions and the kernels' numbers. No device is needed.
 */

#include "channels.h"
#include "layouts.h"
#include "placed.h"
#include "plans.h"
#include "suite.h"

#define COUNT STAGE (HISTOGRAM)
#define SCOPE_STAGES (STAGE (MEASURE_SCOPES) | STAGE (DRAW_SCOPES))
#define TASK(name) (1u << AMPHISTO_TASK_##name)

/* --- work --- */

/* The tasks that plans differ in. */
#define TASKS                                                                  \
  (TASK (KEEP_COLORS) | TASK (CHANGE_YUV) | TASK (SUM_TILES)                   \
      | TASK (DRAW_TONES) | TASK (DRAW_GAMUT) | TASK (COLOUR_WAVEFORM))

/* A third of the frame. */
#define SCOPE(kind)                                                            \
  {                                                                            \
    .enabled = AMPHISTO_SCOPE_##kind, .width = 0.3, .height = 0.3              \
  }
#define IN_COLOUR                                                              \
  {                                                                            \
    .enabled = WAVEFORM, .width = 0.3, .height = 0.3,                          \
    .waveform_colors = AMPHISTO_WAVEFORM_PICTURE                               \
  }

typedef enum
{
  I420,
  YUYV,
  RGBX,
  LIMITED_RGBX,
  LIMITED_GREY
} Format;

/* A plan for 640 by 480 pixels on the CPU. */
static AmphistoPlan
plan_of (Format format, const AmphistoSettings *settings)
{
  AmphistoLayout layout = format == I420 ? yuv_layout (640, 480, 1, 1)
      : format == LIMITED_GREY
      ? grey_layout (640, 480)
      : packed_layout (format == YUYV ? "YUYV" : "RGBx", 640, 480);
  AmphistoPlan plan;

  set_range (&layout, format != RGBX);
  amphisto_plan_init (&plan, &layout, settings, &cpu);
  return plan;
}

/* What plans do, and the planes that they read, write, copy, and need a
 * separate target for. */
static const struct
{
  AmphistoSettings settings;
  uint32_t stages;
  uint8_t planes[4];
  uint32_t tasks;
  Format format;
} works[] = {
  /* a colour is computed from all planes */
  { { .channels = CHROMA | ALPHA }, COUNT, { 6 }, 0, I420 },
  { { .channels = RGB }, COUNT, { 7 }, 0, I420 },
  /* frames are compared if luma is reported and there are pixels */
  { { .channels = LUMA, .compares_luma = true }, COUNT | STAGE (COMPARE), { 1 },
      0, I420 },
  { { .channels = LUMA, .compares_luma = true, .region = { .x = 640 } }, COUNT,
      { 1 }, 0, I420 },
  { { .channels = CHROMA, .equalization = GLOBAL, .compares_luma = true },
      COUNT | STAGE (EQUALIZE), { 7, 1 }, 0, I420 },
  { { .channels = LUMA, .compares_picture = true }, COUNT | STAGE (COMPARE),
      { 7 }, 0, I420 },
  { { .channels = CHROMA, .compares_picture = true, .region = { .x = 640 } },
      COUNT, { 6 }, 0, I420 },
  /* luma is read for the letterbox, whatever is reported */
  { { .channels = CHROMA, .finds_letterbox = true }, COUNT | STAGE (LETTERBOX),
      { 7 }, 0, I420 },
  { { .channels = CHROMA, .finds_letterbox = true, .region = { .x = 640 } },
      COUNT, { 6 }, 0, I420 },
  { { .channels = CHROMA, .measures_sharpness = true },
      COUNT | STAGE (SHARPNESS), { 7 }, 0, I420 },
  { { .channels = CHROMA, .measures_sharpness = true, .region = { .x = 640 } },
      COUNT, { 6 }, 0, I420 },
  /* RGB of full range is never out of gamut */
  { { .channels = LUMA, .checks_gamut = true }, COUNT | STAGE (GAMUT), { 7 }, 0,
      I420 },
  { { .channels = LUMA, .checks_gamut = true }, COUNT, { 1 }, 0, RGBX },
  { { .channels = LUMA, .checks_gamut = true }, COUNT | STAGE (GAMUT), { 1 }, 0,
      LIMITED_RGBX },
  { { .channels = LUMA, .checks_gamut = true }, COUNT | STAGE (GAMUT), { 1 }, 0,
      LIMITED_GREY },

  /* a plane that is written completely is not copied */
  { { .channels = LUMA, .equalization = MATCH, .smoothing = 0.75f },
      COUNT | STAGE (SMOOTH) | STAGE (EQUALIZE), { 1, 1 }, 0, I420 },
  { { .channels = LUMA, .equalization = STRETCH, .region = { .width = 639 } },
      COUNT | STAGE (EQUALIZE), { 1, 1, 1 }, 0, I420 },
  { { .equalization = GLOBAL }, COUNT | STAGE (EQUALIZE), { 1, 1 }, 0, RGBX },
  { { .smoothing = 0.5f }, COUNT, { 1 }, 0, I420 },
  /* the empty histogram of a region outside does not enter the mean */
  { { .channels = LUMA,
        .equalization = CLAHE,
        .clahe = { 8, 8, 3 },
        .smoothing = 0.5f,
        .region = { .x = 640 } },
      COUNT, { 1 }, 0, I420 },
  /* luma's histogram is the sum of the tiles' if every pixel is in one tile,
   * and no mean is needed before */
  { { .channels = LUMA, .equalization = CLAHE, .clahe = { 8, 8, 3 } },
      STAGE (CLAHE), { 1, 1 }, TASK (SUM_TILES), I420 },
  { { .channels = LUMA, .equalization = CLAHE, .clahe = { 7, 8, 3 } },
      COUNT | STAGE (CLAHE), { 1, 1 }, 0, I420 },
  { { .channels = LUMA,
        .equalization = CLAHE,
        .clahe = { 1, 1, 3 },
        .smoothing = 0.5f },
      COUNT | STAGE (SMOOTH) | STAGE (CLAHE), { 1, 1 }, 0, I420 },

  /* colours: chroma is copied if only a part of it changes */
  { { .channels = LUMA, .equalization = GLOBAL, .keeps_colors = true },
      COUNT | STAGE (EQUALIZE), { 7, 7 },
      TASK (KEEP_COLORS) | TASK (CHANGE_YUV), I420 },
  { { .channels = LUMA,
        .equalization = GLOBAL,
        .keeps_colors = true,
        .region = { .width = 639 } },
      COUNT | STAGE (EQUALIZE), { 7, 7, 7 },
      TASK (KEEP_COLORS) | TASK (CHANGE_YUV), I420 },
  { { .channels = LUMA,
        .equalization = GLOBAL,
        .keeps_colors = true,
        .region = { .width = 639 },
        .exposure.enabled = ZEBRA },
      COUNT | STAGE (EQUALIZE) | STAGE (EXPOSURE), { 7, 7, 7, 7 },
      TASK (KEEP_COLORS) | TASK (CHANGE_YUV) | TASK (DRAW_TONES), I420 },
  { { .channels = LUMA, .keeps_colors = true }, COUNT, { 1 }, 0, I420 },
  { { .channels = LUMA,
        .equalization = CLAHE,
        .clahe = { 8, 8, 3 },
        .keeps_colors = true },
      STAGE (CLAHE), { 7, 7 }, TASK (KEEP_COLORS) | TASK (SUM_TILES), I420 },
  { { .channels = LUMA,
        .equalization = CLAHE,
        .clahe = { 8, 8, 3 },
        .keeps_colors = true },
      STAGE (CLAHE), { 1, 1 }, TASK (KEEP_COLORS) | TASK (SUM_TILES), RGBX },
  /* luma and chroma of packed 4:2:2 change in one pass, unless only a part of
   * the frame changes, or each tile has its own LUT */
  { { .channels = LUMA, .equalization = GLOBAL, .keeps_colors = true },
      COUNT | STAGE (EQUALIZE), { 1, 1 },
      TASK (KEEP_COLORS) | TASK (CHANGE_YUV), YUYV },
  { { .channels = LUMA,
        .equalization = CLAHE,
        .clahe = { 8, 8, 3 },
        .keeps_colors = true },
      STAGE (CLAHE), { 1, 1 }, TASK (KEEP_COLORS) | TASK (SUM_TILES), YUYV },
  { { .channels = LUMA,
        .equalization = MATCH,
        .keeps_colors = true,
        .region = { .width = 638 } },
      COUNT | STAGE (EQUALIZE), { 1, 1, 1 }, TASK (KEEP_COLORS), YUYV },

  /* all scopes have the same stages, except that a waveform adds up histograms
   * on CPUs; the vectorscope reads chroma */
  { { .channels = LUMA, .scopes = SCOPE (HISTOGRAM) }, COUNT | SCOPE_STAGES,
      { 1, 7, 7 }, 0, I420 },
  { { .channels = LUMA, .scopes = SCOPE (WAVEFORM) }, SCOPE_STAGES, { 1, 7, 7 },
      0, I420 },
  { { .channels = LUMA, .scopes = SCOPE (VECTORSCOPE) }, COUNT | SCOPE_STAGES,
      { 7, 7, 7 }, 0, I420 },
  /* the colours of the picture are read if luma's trace has them */
  { { .channels = LUMA, .scopes = IN_COLOUR, .uses_canvas = true },
      SCOPE_STAGES, { 7 }, TASK (COLOUR_WAVEFORM), I420 },
  { { .channels = CHROMA, .scopes = IN_COLOUR, .uses_canvas = true },
      SCOPE_STAGES, { 6 }, 0, I420 },
  { { .channels = LUMA, .scopes = IN_COLOUR, .uses_canvas = true },
      SCOPE_STAGES, { 1 }, 0, LIMITED_GREY },
  { { .channels = LUMA, .equalization = GLOBAL, .scopes = SCOPE (HISTOGRAM) },
      COUNT | STAGE (EQUALIZE) | SCOPE_STAGES, { 1, 7, 6 }, 0, I420 },
  /* the zebra reads the output of equalization */
  { { .channels = LUMA,
        .equalization = GLOBAL,
        .exposure.enabled = ZEBRA,
        .scopes = SCOPE (HISTOGRAM) },
      COUNT | STAGE (EQUALIZE) | STAGE (EXPOSURE) | SCOPE_STAGES,
      { 1, 7, 6, 1 }, TASK (DRAW_TONES), I420 },
  { { .channels = CHROMA, .exposure.enabled = ZEBRA }, COUNT | STAGE (EXPOSURE),
      { 7, 1, 1 }, TASK (DRAW_TONES), I420 },
  /* stripes over pixels out of gamut are drawn in place, unless zebra or false
   * colour changes what they are tested by */
  { { .channels = LUMA, .exposure.enabled = GAMUT }, COUNT | STAGE (EXPOSURE),
      { 7, 1, 1 }, TASK (DRAW_GAMUT), I420 },
  { { .channels = LUMA, .exposure = { .enabled = GAMUT | ZEBRA } },
      COUNT | STAGE (EXPOSURE), { 7, 1, 1, 1 },
      TASK (DRAW_GAMUT) | TASK (DRAW_TONES), I420 },
  { { .channels = LUMA, .exposure.enabled = GAMUT | FALSE_COLOR },
      COUNT | STAGE (EXPOSURE), { 7, 7, 0, 7 },
      TASK (DRAW_GAMUT) | TASK (DRAW_TONES), I420 },
  { { .channels = LUMA, .exposure.enabled = GAMUT }, COUNT, { 1 }, 0, RGBX },
  { { .channels = LUMA, .exposure.enabled = GAMUT }, COUNT | STAGE (EXPOSURE),
      { 1, 1, 1 }, TASK (DRAW_GAMUT), LIMITED_RGBX },
  { { .channels = LUMA, .exposure = { .enabled = GAMUT | ZEBRA } },
      COUNT | STAGE (EXPOSURE), { 1, 1, 1, 1 },
      TASK (DRAW_GAMUT) | TASK (DRAW_TONES), LIMITED_GREY },
  /* false colour writes all planes completely, except outside the region and
   * for other bytes of the planes */
  { { .channels = CHROMA, .exposure.enabled = FALSE_COLOR },
      COUNT | STAGE (EXPOSURE), { 7, 7 }, TASK (DRAW_TONES), I420 },
  { { .channels = LUMA,
        .region = { .width = 638 },
        .exposure.enabled = FALSE_COLOR },
      COUNT | STAGE (EXPOSURE), { 1, 7, 7 }, TASK (DRAW_TONES), I420 },
  { { .channels = LUMA,
        .equalization = GLOBAL,
        .exposure.enabled = FALSE_COLOR },
      COUNT | STAGE (EQUALIZE) | STAGE (EXPOSURE), { 1, 7, 0, 1 },
      TASK (DRAW_TONES), I420 },
  { { .channels = LUMA, .exposure.enabled = FALSE_COLOR },
      COUNT | STAGE (EXPOSURE), { 1, 1, 1 }, TASK (DRAW_TONES), RGBX },
};

static void
test_work (void)
{
  for (guint i = 0; IS_ROW (works, i); i++) {
    const AmphistoPlan plan = plan_of (works[i].format, &works[i].settings);
    const uint8_t *planes = works[i].planes;
    const bool is_rgb =
        works[i].format == RGBX || works[i].format == LIMITED_RGBX;
    const bool is_tested_as_rgb = is_rgb || works[i].format == LIMITED_GREY;
    const bool changes_luma = !is_rgb && !(works[i].tasks & TASK (CHANGE_YUV));

    g_test_message ("%u", i);
    g_assert_cmphex (plan.stages, ==, works[i].stages);
    assert_planes (&plan, planes[0], planes[1], planes[2], planes[3]);
    g_assert_true (amphisto_plan_can_be_in_place (&plan) == (planes[3] == 0));
    g_assert_cmphex (plan.tasks & TASKS, ==, works[i].tasks);
    g_assert_true (((plan.tasks & TASK (CHANGE_LUMA)) != 0) == changes_luma);
    g_assert_cmphex (plan.tasks & (TASK (TEST_YUV) | TASK (TEST_RGB)), ==,
        is_tested_as_rgb ? TASK (TEST_RGB) : TASK (TEST_YUV));
    g_assert_cmphex (plan.scopes, ==, works[i].settings.scopes.enabled);
    g_assert_true (amphisto_plan_has_picture (&plan)
        == (works[i].settings.region.x == 0
            && (works[i].settings.checks_gamut
                || works[i].settings.compares_picture
                || works[i].settings.measures_sharpness
                || works[i].settings.finds_letterbox)));
  }
}

/* --- regions --- */

static void
assert_size (const AmphistoLayout *layout, uint32_t width, uint32_t height)
{
  g_assert_cmpuint (layout->component[0].width, ==, width);
  g_assert_cmpuint (layout->component[0].height, ==, height);
}

/* The part that is drawn into shares no chroma sample with pixels outside the
 * region. At the frame's edges, there are no such pixels. */
static void
test_drawn (void)
{
  const AmphistoLayout layout = yuv_layout (23, 13, 1, 1);
  AmphistoSettings settings = { .region = { 3, 5, 0, 0 } };
  AmphistoPlan plan;

  amphisto_plan_init (&plan, &layout, &settings, &cpu);
  assert_size (&plan.part, 23 - 3, 13 - 5);
  assert_size (&plan.drawn, 23 - 4, 13 - 6);
  g_assert_cmpuint (plan.drawn.plane[0].first_byte, ==, 4);
  g_assert_cmpuint (plan.drawn.plane[0].first_row, ==, 6);
  g_assert_cmpuint (plan.drawn.component[1].x_phase, ==, 0);

  settings.region = (AmphistoRegion){ 3, 5, 8, 6 };
  amphisto_plan_init (&plan, &layout, &settings, &cpu);
  assert_size (&plan.drawn, 6, 4);

  settings.region = (AmphistoRegion){ 3, 5, 1, 6 };
  amphisto_plan_init (&plan, &layout, &settings, &cpu);
  assert_size (&plan.part, 1, 6);
  g_assert_cmpuint (plan.drawn.component[0].width, ==, 0);
}

static void
test_region_params (void)
{
  const AmphistoSettings settings = { .channels = CHROMA,
    .measures_regions = true };
  const AmphistoRegion region = { 11, 7, 100, 50 };
  const AmphistoPlan plan = plan_of (I420, &settings);
  AmphistoLayout part;
  frame_params params;

  g_assert_cmphex (plan.stages, ==, COUNT | STAGE (REGIONS));
  amphisto_plan_fill_region_params (&plan, &region, &part, &params);
  g_assert_cmpuint (params.n_slots, ==, 2);
  /* pixels 11 to 110 have chroma samples 5 to 55 */
  g_assert_cmpuint (params.measured[0].width, ==, 51);
  g_assert_cmpuint (params.measured[0].height, ==, 26);
  g_assert_cmpuint (part.plane[1].first_byte, ==, 5);
  g_assert_cmpuint (part.plane[1].first_row, ==, 3);
}

/* Both fields use a single row of chroma, which changes as a whole. */
static void
test_one_row (void)
{
  const AmphistoSettings settings = {
    .channels = LUMA, .equalization = GLOBAL, .keeps_colors = true
  };
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

/* --- numbers --- */

/* Luma is always counted if nothing else is, and for LUTs. */
static void
test_channels (void)
{
  static const struct
  {
    AmphistoChannelMask channels;
    AmphistoEqualization equalization;
    AmphistoChannelMask reported, counted;
    guint n_slots;
    AmphistoChannel slots[3];
  } cases[] = {
    { CHROMA | ALPHA, AMPHISTO_EQUALIZATION_NONE, CHROMA, CHROMA, 2,
        { AMPHISTO_CHANNEL_U, AMPHISTO_CHANNEL_V } },
    { ALPHA, AMPHISTO_EQUALIZATION_NONE, 0, LUMA, 1,
        { AMPHISTO_CHANNEL_LUMA } },
    { CHROMA, GLOBAL, CHROMA, LUMA | CHROMA, 3,
        { AMPHISTO_CHANNEL_LUMA, AMPHISTO_CHANNEL_U, AMPHISTO_CHANNEL_V } },
  };

  for (guint i = 0; IS_ROW (cases, i); i++) {
    const AmphistoSettings settings = { .channels = cases[i].channels,
      .equalization = cases[i].equalization };
    const AmphistoPlan plan = plan_of (I420, &settings);

    g_assert_cmphex (plan.reported, ==, cases[i].reported);
    g_assert_cmphex (plan.counted, ==, cases[i].counted);
    g_assert_cmpuint (plan.params.frame.n_slots, ==, cases[i].n_slots);
    for (guint s = 0; s < plan.params.frame.n_slots; s++)
      g_assert_cmpint (plan.slot_channel[s], ==, cases[i].slots[s]);
  }
}

static void
test_sizes (void)
{
  AmphistoSettings settings = {
    .channels = LUMA, .compares_luma = true, .finds_letterbox = true
  };
  AmphistoPlan plan = plan_of (I420, &settings);

  g_assert_cmpuint (plan.sizes.previous_luma, ==, 640 * 480);
  g_assert_cmpuint (plan.sizes.luma_sums, ==, 640 + 480);
  settings.region = (AmphistoRegion){ 3, 5, 97, 50 };
  plan = plan_of (I420, &settings);
  g_assert_cmpuint (plan.sizes.previous_luma, ==, 112 * 50);
  g_assert_cmpuint (plan.sizes.luma_sums, ==, 97 + 50);
  /* chroma of 49 by 26 samples */
  settings.compares_picture = true;
  plan = plan_of (I420, &settings);
  g_assert_cmpuint (plan.sizes.previous_luma, ==, 112 * 50);
  g_assert_cmpuint (plan.sizes.previous_bytes, ==, 2 * 64 * 26);
}

/* The samples that may be clipped are a fraction of the region's, rounded down.
 */
static void
test_equalize (void)
{
  AmphistoSettings settings = { .channels = LUMA,
    .equalization = STRETCH,
    .strength = 0.25f,
    .smoothing = 0.75f,
    .stretch_low = 0.5,
    .stretch_high = 50 };
  AmphistoPlan plan = plan_of (I420, &settings);

  g_assert_cmpfloat (plan.params.frame.strength, ==, 0.25f);
  g_assert_cmpfloat (plan.params.frame.frame_weight, ==, 0.25f);
  g_assert_cmpuint (plan.params.frame.legal_lo, ==, 5);
  g_assert_cmpuint (plan.params.frame.legal_hi, ==, 246);
  g_assert_cmpuint (plan.params.frame.stretch_low, ==, 1536);
  g_assert_cmpuint (plan.params.frame.stretch_high, ==, 153600);

  settings.region = (AmphistoRegion){ 100, 0, 33, 0 };
  settings.stretch_low = 0.51;
  settings.stretch_high = 0.41;
  plan = plan_of (I420, &settings);
  g_assert_cmpuint (plan.params.frame.stretch_low, ==, 80);  /* 80.784 */
  g_assert_cmpuint (plan.params.frame.stretch_high, ==, 64); /* 64.944 */
}

/* A single tile is divided into slices. */
static void
test_clahe (void)
{
  AmphistoSettings settings = {
    .channels = LUMA, .equalization = CLAHE, .clahe = { 8, 8, 3 }
  };
  AmphistoPlan plan = plan_of (I420, &settings);

  g_assert_cmpuint (plan.params.frame.measured[0].height, ==, 0);
  g_assert_cmpuint (plan.params.clahe.tile_width, ==, 80);
  g_assert_cmpuint (plan.params.clahe.n_slices, ==, 1);
  settings.clahe.tiles_x = 7;
  plan = plan_of (I420, &settings);
  g_assert_cmpuint (plan.params.frame.measured[0].height, ==, 480);
  settings.clahe = (AmphistoClahe){ 1, 1, 3 };
  plan = plan_of (I420, &settings);
  g_assert_cmpuint (plan.params.clahe.n_slices, ==, 2 * 16);
}

/* --- scopes --- */

/* CPUs: a waveform adds up the histograms of its channels. Other channels are
 * counted, and in the GPU shape all are. Tiles then need not add up luma's. */
static void
test_waveform (void)
{
  AmphistoSettings settings = { .channels = CHROMA,
    .equalization = CLAHE,
    .clahe = { 8, 8, 3 },
    .scopes = SCOPE (WAVEFORM) };
  const AmphistoLayout layout = yuv_layout (640, 480, 1, 1);
  AmphistoPlan plan = plan_of (I420, &settings);

  g_assert_cmphex (plan.added_up, ==, 7);
  g_assert_true (plan.tasks & TASK (SUM_TILES));
  g_assert_cmphex (plan.stages, ==, STAGE (CLAHE) | SCOPE_STAGES);
  g_assert_cmpuint (plan.params.scopes.waveform.trace[0].slot, ==, 1);
  g_assert_cmpuint (plan.params.scopes.waveform.trace[1].slot, ==, 2);

  settings.channels = LUMA;
  plan = plan_of (I420, &settings);
  g_assert_false (plan.tasks & TASK (SUM_TILES));
  g_assert_cmphex (plan.stages, ==, STAGE (CLAHE) | SCOPE_STAGES);

  settings.channels = CHROMA;
  settings.equalization = GLOBAL;
  plan = plan_of (I420, &settings);
  g_assert_cmphex (plan.added_up, ==, 6);
  g_assert_cmphex (plan.stages, ==, COUNT | STAGE (EQUALIZE) | SCOPE_STAGES);
  g_assert_cmpuint (plan.params.frame.measured[0].height, ==, 480);
  g_assert_cmpuint (plan.params.frame.measured[1].height, ==, 0);

  amphisto_plan_init (&plan, &layout, &settings, &gpu);
  g_assert_cmphex (plan.added_up, ==, 0);
  g_assert_cmpuint (plan.params.frame.measured[1].height, ==, 240);
}

/* Scopes measure the whole region, with every chroma sample of its pixels.
 * Zebra and false colour are drawn only where no chroma sample is shared;
 * scopes are drawn in the frame's corner, and have as many vectors and cells as
 * for the whole frame. */
static void
test_scopes_of_region (void)
{
  AmphistoSettings settings = { .channels = LUMA | CHROMA,
    .scopes = SCOPE (WAVEFORM) };

  settings.scopes.enabled |= VECTORSCOPE;

  const AmphistoPlan whole = plan_of (I420, &settings);

  settings.region = (AmphistoRegion){ 1, 1, 638, 478 };

  const AmphistoPlan plan = plan_of (I420, &settings);
  const trace_params *trace = plan.params.scopes.waveform.trace;
  const vectorscope_params *vectorscope = &plan.params.scopes.vectorscope;
  const vectorscope_params *expected = &whole.params.scopes.vectorscope;

  g_assert_cmpuint (plan.drawn.component[0].width, ==, 636);
  g_assert_cmpuint (
      plan.params.exposure_drawing.drawn[0].samples.width, ==, 636);
  g_assert_cmpuint (plan.params.drawing.drawn[0].samples.width, ==, 640);
  g_assert_cmpuint (trace[0].samples.width, ==, 638);
  g_assert_cmpuint (trace[0].samples.height, ==, 478);
  g_assert_cmpuint (trace[1].samples.width, ==, 320);
  g_assert_cmpuint (trace[2].samples.height, ==, 240);
  g_assert_cmpmem (&vectorscope->scope, sizeof vectorscope->scope,
      &expected->scope, sizeof expected->scope);
  g_assert_cmpuint (vectorscope->size, ==, expected->size);
  g_assert_cmpmem (vectorscope->brightness, sizeof vectorscope->brightness,
      expected->brightness, sizeof expected->brightness);
}

/* Scopes have a legend where false colour is drawn. Grey has none. */
static void
test_legend (void)
{
  const AmphistoLayout grey = grey_layout (640, 480);
  const AmphistoSettings settings = { .channels = LUMA,
    .exposure.enabled = FALSE_COLOR,
    .scopes = { .enabled = BOTH_GRAPHS, .width = 0.3, .height = 0.3 } };
  AmphistoPlan plan = plan_of (I420, &settings);

  g_assert_cmphex (plan.scopes, ==, BOTH_GRAPHS);
  g_assert_true (plan.params.scopes.histogram.scope.has_legend);
  g_assert_true (plan.params.scopes.waveform.scope.has_legend);

  amphisto_plan_init (&plan, &grey, &settings, &cpu);
  g_assert_cmphex (plan.scopes, ==, BOTH_GRAPHS);
  g_assert_false (plan.params.scopes.histogram.scope.has_legend);
  g_assert_false (plan.params.scopes.waveform.scope.has_legend);
}

/* A region that is smaller than the frame has an outline if scopes are drawn
 * with a graticule. An empty region has nothing. */
static void
test_outline (void)
{
  static const struct
  {
    AmphistoRegion region;
    AmphistoScopes scopes;
    bool graticule;
    outline_params outline;
  } cases[] = {
    { { 600, 400, 0, 79 }, WAVEFORM, true, { 600, 400, 40, 79, 1 } },
    { { 600, 400, 0, 79 }, WAVEFORM, false, { 0 } },
    { { 600, 400, 0, 79 }, AMPHISTO_SCOPE_NONE, true, { 0 } },
    { { 0, 0, 640, 480 }, WAVEFORM, true, { 0 } },
    { { 640, 400, 0, 79 }, WAVEFORM, true, { 0 } },
  };

  for (guint i = 0; IS_ROW (cases, i); i++) {
    const AmphistoSettings settings = { .channels = LUMA,
      .region = cases[i].region,
      .scopes = { .enabled = cases[i].scopes,
          .width = 0.3,
          .height = 0.3,
          .graticule = cases[i].graticule } };
    const AmphistoPlan plan = plan_of (I420, &settings);

    g_assert_cmpmem (&plan.params.outline, sizeof plan.params.outline,
        &cases[i].outline, sizeof cases[i].outline);
    g_assert_true ((plan.scopes != 0)
        == (cases[i].scopes != 0 && cases[i].region.x < 640));
    g_assert_cmphex (plan.left_out, ==, 0);
  }
}

/* A frame that is too small for the scope is not written. */
static void
test_no_room (void)
{
  const AmphistoLayout layout = yuv_layout (31, 15, 1, 1);
  const AmphistoSettings settings = { .channels = LUMA,
    .scopes = { .enabled = HISTOGRAM, .width = 1, .height = 1 } };
  AmphistoPlan plan;
  uint32_t width, height;

  amphisto_plan_init (&plan, &layout, &settings, &cpu);
  g_assert_cmphex (plan.stages, ==, HISTOGRAM);
  g_assert_cmphex (plan.written, ==, 0);
  g_assert_cmphex (plan.left_out, ==, HISTOGRAM);
  amphisto_plan_find_room (&plan, false, &width, &height);
  g_assert_cmpuint (width, ==, 32);
  g_assert_cmpuint (height, ==, 16);
}

const CoreTest core_tests[] = {
  { "/work", test_work },
  { "/region/drawn", test_drawn },
  { "/region/params", test_region_params },
  { "/region/one-row", test_one_row },
  { "/numbers/channels", test_channels },
  { "/numbers/sizes", test_sizes },
  { "/numbers/equalize", test_equalize },
  { "/numbers/clahe", test_clahe },
  { "/scopes/waveform", test_waveform },
  { "/scopes/region", test_scopes_of_region },
  { "/scopes/legend", test_legend },
  { "/scopes/outline", test_outline },
  { "/scopes/no-room", test_no_room },
  { 0 },
};
