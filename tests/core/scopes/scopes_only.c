/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Places of scopes that fill a frame of their own, and its canvas.
 */

#include "channels.h"
#include "core/pixels/channels.h"
#include "core/reference.h"
#include "layouts.h"
#include "placed.h"
#include "plans.h"
#include "suite.h"

#include <string.h>

static AmphistoSettings
settings_for (AmphistoScopes scopes, guint width, guint height)
{
  AmphistoSettings settings = { .channels = LUMA,
    .strength = 1.0f,
    .scopes = settings_with (scopes),
    .output_width = width,
    .output_height = height };

  settings.scopes.opacity = 0.2;
  settings.scopes.graticule = true;
  return settings;
}

/* A plan, and its scopes. */
typedef struct
{
  AmphistoPlan plan;
  scope_params *scopes[AMPHISTO_N_SCOPES];
} Places;

static void
places_init (Places *self, const AmphistoSettings *settings)
{
  const AmphistoLayout layout = yuv_layout (64, 48, 1, 1);

  amphisto_plan_init (&self->plan, &layout, settings, &cpu);
  amphisto_scopes_list (&self->plan.params.scopes, self->scopes);
}

/* --- cases --- */

/* Places of the histogram, the waveform and the vectorscope: x, y, width and
 * height. */
static const struct
{
  AmphistoScopes scopes;
  guint width, height;
  uint32_t places[AMPHISTO_N_SCOPES][4];
} cases[] = {
  { WAVEFORM, 1280, 720, { [1] = { 0, 0, 1280, 720 } } },
  { VECTORSCOPE, 720, 720, { [2] = { 0, 0, 720, 720 } } },
  { VECTORSCOPE, 1280, 720, { [2] = { 280, 0, 720, 720 } } },
  /* in a row */
  { WAVEFORM | VECTORSCOPE, 800, 400,
      { [1] = { 0, 28, 448, 340 }, [2] = { 448, 28, 352, 340 } } },
  { WAVEFORM | VECTORSCOPE, 3840, 1080,
      { [1] = { 0, 0, 2752, 1080 }, [2] = { 2752, 0, 1088, 1080 } } },
  { ALL_SCOPES, 1920, 480,
      { { 0, 0, 720, 480 }, { 720, 0, 720, 480 }, { 1440, 0, 480, 480 } } },
  /* in a column */
  { HISTOGRAM | WAVEFORM, 640, 960,
      { { 0, 0, 640, 480 }, { 0, 480, 640, 480 } } },
  { ALL_SCOPES, 400, 900,
      { { 0, 0, 400, 300 }, { 0, 300, 400, 300 }, { 48, 600, 304, 300 } } },
  /* two by two */
  { ALL_SCOPES, 1280, 720,
      { { 0, 0, 560, 360 }, { 0, 360, 560, 360 }, { 560, 0, 720, 720 } } },
  { ALL_SCOPES, 800, 640,
      { { 0, 0, 400, 300 }, { 400, 0, 400, 300 }, { 224, 300, 352, 340 } } },
};

static void
test_cases (void)
{
  for (guint i = 0; IS_ROW (cases, i); i++) {
    const AmphistoSettings settings =
        settings_for (cases[i].scopes, cases[i].width, cases[i].height);
    Places places;

    places_init (&places, &settings);
    g_assert_cmphex (places.plan.scopes, ==, cases[i].scopes);
    for (guint s = 0; s < AMPHISTO_N_SCOPES; s++)
      assert_place (places.scopes[s], cases[i].places[s]);
  }
}

/* --- the best places --- */

/* A part of the frame, in pixels. */
typedef struct
{
  double width;
  double height;
} Part;

/* The pixels of a panel, without rows that make a graph narrower than 4:3. */
static double
area_of (Part graph, guint n_panels)
{
  return graph.width * MIN (graph.height, graph.width * 3 / 4) / n_panels;
}

/* The smallest area of a panel where graphs are in a row, or in a column, and
 * the square is beside them, as high as they are together and so small that
 * they are 4:3; or below them, at least as high as each. */
static double
smallest_panel (AmphistoScopes scopes, Part frame, bool is_row, bool is_beside,
    guint n_panels)
{
  const guint n = amphisto_channels_count (scopes & ~VECTORSCOPE);
  const guint across = is_row ? MAX (n, 1) : 1, down = is_row ? 1 : MAX (n, 1);
  Part graph = { frame.width / across, frame.height / down };
  double side = MIN (frame.width, frame.height);

  if (!(scopes & VECTORSCOPE))
    return area_of (graph, n_panels);
  if (n == 0)
    return side * side;
  if (is_beside) {
    side = MIN (frame.height, frame.width / (1 + across * 4.0 / 3 / down));
    graph = (Part){ (frame.width - side) / across, side / down };
  } else {
    side = MIN (frame.width,
        MAX (frame.height / (down + 1),
            frame.height - down * 0.75 * frame.width / across));
    graph = (Part){ frame.width / across, (frame.height - side) / down };
  }
  return MIN (side * side, area_of (graph, n_panels));
}

/* Returns: the area of the scope's panel. */
static double
check_scope (const Places *places, guint s)
{
  const scope_params *scope = places->scopes[s];
  const bool is_square = 1u << s == VECTORSCOPE;
  const guint w = scope->panel_width, h = scope->height;

  g_assert_cmpuint (
      scope->x + scope->width, <=, places->plan.settings.output_width);
  g_assert_cmpuint (
      scope->y + scope->height, <=, places->plan.settings.output_height);
  g_assert_cmpuint (scope->width % SCOPE_UNIT, ==, 0);
  g_assert_cmpuint (scope->height % SCOPE_ROWS, ==, 0);
  g_assert_cmpuint (scope->background, ==, 255);
  g_assert_cmpuint (scope->pixel_aspect, ==, AMPHISTO_SQUARE_PIXEL);
  for (guint t = 0; t < s; t++)
    g_assert_false (places->scopes[t]->panels_x > 0
        && have_common_pixels (places->scopes[t], scope));
  if (is_square)
    g_assert_cmpuint (w, <, h + SCOPE_UNIT);
  return is_square
      ? (double) h * h
      : area_of ((Part){ scope->width, h }, scope->panels_x * scope->panels_y);
}

/* The smallest panel is about as large as in the best arrangement: sides of
 * scopes are multiples of 16 and of 4 pixels. */
static void
test_best (void)
{
  static const guint sizes[][2] = { { 1280, 720 }, { 1920, 1080 }, { 640, 480 },
    { 720, 1280 }, { 3840, 800 }, { 501, 1203 }, { 777, 777 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes) * 3 * ALL_SCOPES; i++) {
    const guint *size = sizes[i % G_N_ELEMENTS (sizes)];
    const AmphistoScopes scopes = 1 + i / G_N_ELEMENTS (sizes) % ALL_SCOPES;
    AmphistoSettings settings = settings_for (scopes, size[0], size[1]);
    double least = 1e9, best = 0;
    Places places;

    settings.scopes.display = i / G_N_ELEMENTS (sizes) / ALL_SCOPES;
    settings.channels = RGB;
    places_init (&places, &settings);
    g_assert_cmphex (places.plan.scopes, ==, scopes);
    for (guint s = 0; s < AMPHISTO_N_SCOPES; s++)
      if (scopes & 1u << s)
        least = MIN (least, check_scope (&places, s));
    for (guint n = 0; n < 4; n++)
      best = MAX (best,
          smallest_panel (scopes, (Part){ size[0], size[1] }, n % 2, n / 2,
              settings.scopes.display == OVERLAY ? 1 : 3));
    g_assert_cmpfloat (least, >=, 0.85 * best);
    g_assert_cmpfloat (least, <=, 1.02 * best);
  }
}

/* --- legible --- */

/* The scopes of a frame of this size, and the least size for all. */
static const struct
{
  guint width, height;
  AmphistoScopes scopes;
  guint all_width, all_height;
} rooms[] = {
  { 640, 480, ALL_SCOPES, 640, 480 },
  { 96, 144, ALL_SCOPES, 96, 144 },
  { 96, 143, HISTOGRAM | WAVEFORM, 192, 143 },
  { 287, 48, ALL_SCOPES, 287, 48 },
  { 239, 48, HISTOGRAM | WAVEFORM, 240, 48 },
  { 100, 50, HISTOGRAM, 242, 50 },
  { 32, 16, HISTOGRAM, 240, 48 },
  { 31, 16, AMPHISTO_SCOPE_NONE, 240, 48 },
  { 1, 1, AMPHISTO_SCOPE_NONE, 240, 48 },
};

static void
test_rooms (void)
{
  for (guint i = 0; IS_ROW (rooms, i); i++) {
    const AmphistoSettings settings =
        settings_for (ALL_SCOPES, rooms[i].width, rooms[i].height);
    uint32_t width, height;
    Places places;

    places_init (&places, &settings);
    g_assert_cmphex (places.plan.scopes, ==, rooms[i].scopes);
    g_assert_cmphex (places.plan.left_out, ==, ALL_SCOPES & ~rooms[i].scopes);
    amphisto_plan_find_room (&places.plan, false, &width, &height);
    g_assert_cmpuint (width, ==, rooms[i].all_width);
    g_assert_cmpuint (height, ==, rooms[i].all_height);
  }
}

/* --- the canvas --- */

/* Nothing of the picture is written, and no outline drawn. */
static void
test_plan (void)
{
  AmphistoSettings settings = settings_for (ALL_SCOPES, 330, 150);
  Places places;

  settings.region = (AmphistoRegion){ 4, 4, 20, 20 };
  places_init (&places, &settings);
  g_assert_true (amphisto_plan_is_scopes_only (&places.plan));
  g_assert_true (amphisto_plan_has_canvas (&places.plan));
  g_assert_cmphex (places.plan.written, ==, 0);
  g_assert_cmphex (places.plan.read, ==, 7);
  g_assert_cmpuint (places.plan.params.outline.width, ==, 0);
  g_assert_true (places.plan.canvas.has_gaps);
  settings = settings_for (WAVEFORM, 320, 100);
  places_init (&places, &settings);
  g_assert_false (places.plan.canvas.has_gaps);
  /* all of it, without a scope */
  settings.region.x = 100;
  places_init (&places, &settings);
  g_assert_true (places.plan.canvas.has_gaps);
  g_assert_cmpuint (places.plan.canvas.region.width, ==, 320);
}

#define WIDTH 330
#define HEIGHT 150

/* The canvas is opaque, black without scopes, and may have any stride. */
static void
test_opaque (void)
{
  const AmphistoSettings settings = settings_for (ALL_SCOPES, WIDTH, HEIGHT);
  const AmphistoLayout layout = yuv_layout (64, 48, 1, 1);
  const guint stride = 4 * WIDTH + 3;
  g_autofree Picture *source = picture_new (&layout, 0);
  g_autofree uint8_t *pixels = g_malloc (stride * HEIGHT);
  AmphistoReferenceState state = { 0 };
  AmphistoJob job = { .resets_scale = true };
  guint n_lit = 0;
  Places places;

  memset (pixels, 7, stride * HEIGHT);
  places_init (&places, &settings);
  job.plan = &places.plan;
  job.source = job.target = source->frame;
  job.canvas = frame_in (&places.plan.canvas.layout, pixels, 3);
  g_assert_true (amphisto_reference_run (&job, &state));
  amphisto_reference_state_clear (&state);
  for (guint y = 0; y < HEIGHT; y++) {
    for (guint x = 0; x < WIDTH; x++) {
      const uint8_t *pixel = pixels + stride * y + 4 * x;
      const bool is_lit = pixel[0] + pixel[1] + pixel[2] > 0;
      bool is_inside = false;

      for (guint s = 0; s < AMPHISTO_N_SCOPES; s++)
        is_inside |= is_in_scope (places.scopes[s], x, y);
      g_assert_cmpuint (pixel[3], ==, 255);
      g_assert_true (is_inside || !is_lit);
      n_lit += is_lit;
    }
    g_assert_cmpuint (pixels[stride * y + 4 * WIDTH], ==, 7);
  }
  g_assert_cmpuint (n_lit, >, 1000);
}

const CoreTest core_tests[] = {
  { "/scopes-only/cases", test_cases },
  { "/scopes-only/best", test_best },
  { "/scopes-only/rooms", test_rooms },
  { "/scopes-only/plan", test_plan },
  { "/scopes-only/opaque", test_opaque },
  { 0 },
};
