/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Scopes on a canvas of their own: the same places and the same light as in the
 * frame, which is left alone.
 */

#include "channels.h"
#include "core/reference.h"
#include "core/verify.h"
#include "layouts.h"
#include "placed.h"
#include "plans.h"
#include "suite.h"

static AmphistoSettings
settings_for (AmphistoScopes scopes, AmphistoScopePosition position)
{
  AmphistoSettings settings = { .channels = LUMA | CHROMA | RGB,
    .strength = 1.0f,
    .scopes = settings_with (scopes) };

  settings.scopes.position = position;
  settings.scopes.opacity = 0.7;
  settings.scopes.graticule = true;
  settings.scopes.clipping_bars = true;
  settings.scopes.percentile_marks = true;
  return settings;
}

/* Two plans with the same settings: scopes are drawn into the frame, or on a
 * canvas. */
typedef struct
{
  AmphistoPlan drawn;
  AmphistoPlan canvas;
} Plans;

static void
plans_init (
    Plans *self, const AmphistoLayout *layout, const AmphistoSettings *settings)
{
  AmphistoSettings with_canvas = *settings;

  with_canvas.uses_canvas = true;
  amphisto_plan_init (&self->drawn, layout, settings, &cpu);
  amphisto_plan_init (&self->canvas, layout, &with_canvas, &cpu);
  g_assert_false (amphisto_plan_has_canvas (&self->drawn));
}

/* --- places --- */

/* Each scope has the same parameters on the canvas as in the frame, except its
 * place, which is the same as well if the canvas lies in the frame at its
 * region. The canvas is no larger than needed, and has gaps if its scopes do
 * not cover it. */
static void
assert_places (Plans *plans)
{
  const AmphistoCanvas *canvas = &plans->canvas.canvas;
  const AmphistoRegion *region = &canvas->region;
  uint32_t left = ~0u, top = ~0u, right = 0, bottom = 0;
  uint64_t n_pixels = 0;
  scope_params *moved[AMPHISTO_N_SCOPES];

  amphisto_scopes_list (&plans->canvas.params.scopes, moved);
  for (guint i = 0; i < AMPHISTO_N_SCOPES; i++) {
    if (moved[i]->panels_x == 0)
      continue;
    left = MIN (left, moved[i]->x);
    top = MIN (top, moved[i]->y);
    right = MAX (right, moved[i]->x + moved[i]->width);
    bottom = MAX (bottom, moved[i]->y + moved[i]->height);
    n_pixels += (uint64_t) moved[i]->width * moved[i]->height;
    moved[i]->x += region->x;
    moved[i]->y += region->y;
  }
  g_assert_cmpmem (&plans->drawn.params.scopes,
      sizeof plans->drawn.params.scopes, &plans->canvas.params.scopes,
      sizeof plans->canvas.params.scopes);
  g_assert_cmpuint (left, ==, 0);
  g_assert_cmpuint (top, ==, 0);
  g_assert_cmpuint (right, ==, region->width);
  g_assert_cmpuint (bottom, ==, region->height);
  g_assert_cmpint (canvas->has_gaps, ==,
      n_pixels < (uint64_t) region->width * region->height);
}

/* In every corner, one to three scopes, side by side and in two rows; in
 * interlaced frames, too. */
static void
test_places (void)
{
  AmphistoLayout layouts[] = { yuv_layout (640, 480, 1, 1),
    yuv_layout (144, 256, 1, 1), yuv_layout (720, 576, 1, 1),
    rgb_layout (1366, 768), yuv_layout (163, 301, 2, 2) };
  Plans plans;

  layouts[2].has_fields = true;
  for (guint l = 0; IS_ROW (layouts, l); l++)
    for (guint scopes = 1; scopes <= ALL_SCOPES; scopes++)
      for (guint position = 0; position < 4; position++) {
        const AmphistoSettings settings = settings_for (scopes, position);

        plans_init (&plans, &layouts[l], &settings);
        g_assert_cmphex (plans.canvas.scopes, ==, scopes);
        assert_places (&plans);
      }
}

/* Without scopes, or without room for them, there is no canvas. */
static void
test_none (void)
{
  const AmphistoLayout small = yuv_layout (10, 10, 1, 1);
  const AmphistoLayout large = yuv_layout (640, 480, 1, 1);
  AmphistoSettings settings = settings_for (HISTOGRAM, TOP_LEFT);
  Plans plans;

  plans_init (&plans, &small, &settings);
  g_assert_false (amphisto_plan_has_canvas (&plans.canvas));
  g_assert_cmphex (plans.canvas.left_out, ==, HISTOGRAM);
  settings.scopes.enabled = AMPHISTO_SCOPE_NONE;
  plans_init (&plans, &large, &settings);
  g_assert_false (amphisto_plan_has_canvas (&plans.canvas));
}

/* --- planes --- */

/* The frame is read for the scopes, and written only for other work: the planes
 * are those of the same work without scopes. */
static void
test_planes (void)
{
  const AmphistoLayout layouts[] = { yuv_layout (640, 480, 1, 1),
    rgb_layout (640, 480) };
  Plans plans, without;

  for (guint l = 0; IS_ROW (layouts, l); l++)
    for (guint equalization = 0; equalization <= CLAHE; equalization++)
      for (guint exposure = 0; exposure < 4; exposure++) {
        AmphistoSettings settings = settings_for (ALL_SCOPES, TOP_LEFT);

        settings.equalization = equalization;
        settings.clahe = (AmphistoClahe){ 8, 8, 3 };
        settings.exposure = (AmphistoExposureSettings){
          .enabled = exposure, .zebra_low = 10, .zebra_high = 90
        };
        plans_init (&plans, &layouts[l], &settings);
        settings.scopes.enabled = AMPHISTO_SCOPE_NONE;
        plans_init (&without, &layouts[l], &settings);
        assert_planes (&plans.canvas, plans.drawn.read, without.drawn.written,
            without.drawn.copied, without.drawn.needs_separate_target);
        g_assert_cmpint (
            plans.canvas.written == 0, ==, equalization == 0 && exposure == 0);
        g_assert_cmphex (plans.drawn.written, !=, 0);
      }
}

/* --- light --- */

#define WIDTH 360
#define HEIGHT 240

/* A job of RGB frames, drawn and with a canvas. */
typedef struct
{
  Plans plans;
  AmphistoJob drawn;
  AmphistoJob canvas;
  Picture *before;
  Picture *after;
  uint8_t pixels[HEIGHT * WIDTH * 4]; /* of the canvas */
} Jobs;

static Jobs *
jobs_new (const AmphistoSettings *settings)
{
  const AmphistoLayout layout = rgb_layout (WIDTH, HEIGHT);
  Jobs *self = g_new (Jobs, 1);

  plans_init (&self->plans, &layout, settings);
  self->before = picture_new (&layout, 0);
  self->after = picture_new (&layout, 0);
  for (guint i = 0; i < self->before->size; i++) {
    const guint x = i % (3 * WIDTH), y = i / (3 * WIDTH);

    self->before->bytes[i] = (7 * x + x * y + y * y / 3) >> 1;
    self->after->bytes[i] = self->before->bytes[i];
  }
  for (guint i = 0; i < sizeof self->pixels; i++)
    self->pixels[i] = 11 * i;
  self->drawn = (AmphistoJob){ .plan = &self->plans.drawn,
    .source = self->before->frame,
    .target = self->after->frame,
    .resets_scale = true };
  self->canvas = self->drawn;
  self->canvas.plan = &self->plans.canvas;
  self->canvas.target = self->before->frame;
  self->canvas.canvas =
      frame_in (&self->plans.canvas.canvas.layout, self->pixels, 0);
  return self;
}

static void
jobs_free (Jobs *self)
{
  g_free (self->before);
  g_free (self->after);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Jobs, jobs_free)

static void
jobs_run (Jobs *self)
{
  AmphistoReferenceState drawn = { 0 }, canvas = { 0 };

  g_assert_true (amphisto_reference_run (&self->drawn, &drawn));
  g_assert_true (amphisto_reference_run (&self->canvas, &canvas));
  amphisto_reference_state_clear (&drawn);
  amphisto_reference_state_clear (&canvas);
}

/* The pixel of the canvas that is above pixel (x, y) of the frame: B, G, R and
 * alpha. */
static const uint8_t *
pixel_above (const Jobs *self, guint x, guint y)
{
  static const uint8_t transparent[4];
  const AmphistoRegion *region = &self->plans.canvas.canvas.region;

  if (x < region->x || x >= region->x + region->width || y < region->y
      || y >= region->y + region->height)
    return transparent;
  return self->pixels
      + ((gsize) (y - region->y) * region->width + x - region->x) * 4;
}

static void
assert_blended (const Jobs *self, scope_params *const *scopes, guint x, guint y)
{
  const uint8_t *above = pixel_above (self, x, y);
  const gsize at = 3 * (y * WIDTH + x);
  const guint alpha = above[3];
  bool is_inside = false;

  for (guint c = 0; c < 3; c++) {
    const guint colour = above[2 - c];

    g_assert_cmpuint (colour, <=, alpha);
    g_assert_cmpuint (self->after->bytes[at + c], ==,
        (self->before->bytes[at + c] * (255 - alpha) + 255 * colour + 127)
            / 255);
  }
  for (guint i = 0; i < AMPHISTO_N_SCOPES; i++)
    is_inside |= is_in_scope (scopes[i], x, y);
  g_assert_true (is_inside || alpha == 0);
}

/* The canvas, blended above the frame, is the drawn scopes, exactly. The canvas
 * had other contents before, and gaps are transparent. */
static void
test_light (void)
{
  static const double opacities[] = { 0.0, 0.3, 0.7, 1.0 };

  for (guint n = 0; n < 3 * ALL_SCOPES; n++) {
    AmphistoSettings settings = settings_for (n % ALL_SCOPES + 1, n % 4);

    settings.scopes.opacity = opacities[n / 2 % 4];
    settings.scopes.display = n % 3;
    settings.scopes.graticule = n % 5 > 0;
    settings.channels = n % 2 > 0 ? LUMA : LUMA | RGB;

    g_autoptr (Jobs) jobs = jobs_new (&settings);
    scope_params *scopes[AMPHISTO_N_SCOPES];

    jobs_run (jobs);
    amphisto_scopes_list (&jobs->plans.drawn.params.scopes, scopes);
    for (guint y = 0; y < HEIGHT; y++)
      for (guint x = 0; x < WIDTH; x++)
        assert_blended (jobs, scopes, x, y);
  }
}

/* --- verification --- */

/* With the right histograms. */
static AmphistoVerifyResult
verify (const Jobs *jobs, char text[100])
{
  const AmphistoFrame *source = &jobs->canvas.source;
  AmphistoHistograms histograms = { .channels = jobs->canvas.plan->reported };
  AmphistoReferenceState state = { 0 };
  AmphistoVerifyResult result;

  for (guint c = 0; c < AMPHISTO_N_CHANNELS; c++)
    if (histograms.channels & AMPHISTO_CHANNEL_BIT (c))
      amphisto_histogram_count (source, c, histograms.bins[c]);
  result = amphisto_verify_job (
      &jobs->canvas, source, &histograms, &state, text, 100);
  amphisto_reference_state_clear (&state);
  return result;
}

/* Any wrong byte of the canvas is found, in gaps as well. */
static void
test_verify (void)
{
  const AmphistoSettings settings = settings_for (ALL_SCOPES, TOP_LEFT);
  g_autoptr (Jobs) jobs = jobs_new (&settings);
  guint row_bytes, size;
  char text[100];

  jobs_run (jobs);
  g_assert_true (jobs->plans.canvas.canvas.has_gaps);
  g_assert_cmpint (verify (jobs, text), ==, AMPHISTO_VERIFY_EQUAL);
  row_bytes = jobs->plans.canvas.canvas.layout.plane[0].row_bytes;
  size = row_bytes * jobs->plans.canvas.canvas.region.height;
  for (guint at = 0; at < size; at += size / 13) {
    g_autofree char *expected = g_strdup_printf ("the canvas's plane 0, row %u,"
                                                 " byte %u: %u on the device,"
                                                 " %u on the CPU",
        at / row_bytes, at % row_bytes, jobs->pixels[at] ^ 1, jobs->pixels[at]);

    jobs->pixels[at] ^= 1;
    g_assert_cmpint (verify (jobs, text), ==, AMPHISTO_VERIFY_DIFFERENT);
    g_assert_cmpstr (text, ==, expected);
    jobs->pixels[at] ^= 1;
  }
  /* nothing behind it is compared */
  jobs->pixels[size] ^= 1;
  g_assert_cmpint (verify (jobs, text), ==, AMPHISTO_VERIFY_EQUAL);
}

/* A wrong byte of the frame is found as well, if the frame is changed. */
static void
test_verify_both (void)
{
  AmphistoSettings settings = settings_for (ALL_SCOPES, TOP_LEFT);
  AmphistoReferenceState state = { 0 };
  char text[100];

  settings.equalization = GLOBAL;

  g_autoptr (Jobs) jobs = jobs_new (&settings);

  jobs->canvas.target = jobs->drawn.target;
  g_assert_true (amphisto_reference_run (&jobs->canvas, &state));
  g_assert_cmpint (verify (jobs, text), ==, AMPHISTO_VERIFY_EQUAL);
  jobs->after->bytes[(HEIGHT - 1) * 3 * WIDTH + 5] ^= 1;
  g_assert_cmpint (verify (jobs, text), ==, AMPHISTO_VERIFY_DIFFERENT);
  g_assert_true (g_str_has_prefix (text, "plane 0, row 239, byte 5:"));
}

/* --- range --- */

static void
assert_range (const AmphistoPlan *plan, uint32_t black, uint32_t white)
{
  const trace_params *red = &plan->params.scopes.waveform.trace[1];

  g_assert_cmpuint (red->channel, ==, AMPHISTO_CHANNEL_RED);
  g_assert_cmpuint (red->lo, ==, 16);
  g_assert_cmpuint (red->hi, ==, 235);
  for (uint32_t c = 0; c < 3; c++) {
    const drawn_params *drawn = &plan->params.drawing.drawn[c];

    g_assert_cmpuint (drawn->offset, ==, black);
    g_assert_cmpuint (drawn->offset + drawn->weights[c], ==, white);
  }
}

/* Scopes of RGB of limited range are drawn into it in its range. A canvas is
 * RGB of full range, as renderers expect, and so are scopes alone. */
static void
test_range (void)
{
  const AmphistoSettings settings =
      settings_for (WAVEFORM, AMPHISTO_SCOPE_BOTTOM_RIGHT);
  AmphistoSettings alone = settings;
  AmphistoLayout layout = rgb_layout (640, 480);
  AmphistoPlan plan;
  Plans plans;

  set_range (&layout, true);
  plans_init (&plans, &layout, &settings);
  assert_range (&plans.drawn, 16, 235);
  assert_range (&plans.canvas, 0, 255);
  alone.output_width = 640;
  alone.output_height = 480;
  amphisto_plan_init (&plan, &layout, &alone, &cpu);
  assert_range (&plan, 0, 255);
}

const CoreTest core_tests[] = {
  { "/canvas/places", test_places },
  { "/canvas/none", test_none },
  { "/canvas/planes", test_planes },
  { "/canvas/light", test_light },
  { "/canvas/range", test_range },
  { "/canvas/verify", test_verify },
  { "/canvas/verify-both", test_verify_both },
  { 0 },
};
