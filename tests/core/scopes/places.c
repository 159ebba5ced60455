/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Places and sizes of the scopes.
 */

#include "core/scopes/drawing.h"
#include "layouts.h"
#include "placed.h"
#include "suite.h"

#define BOTH_GRAPHS (AMPHISTO_SCOPE_HISTOGRAM | AMPHISTO_SCOPE_WAVEFORM)

/* The places in a frame. */
typedef struct
{
  AmphistoScopes wanted; /* have content */
  AmphistoScopes drawn;
  scope_params scopes[AMPHISTO_N_SCOPES];
} Places;

static Places
places_in (const AmphistoLayout *layout, const AmphistoScopeSettings *settings,
    uint32_t n_channels)
{
  const AmphistoScopeWork work =
      scope_work_for (settings, layout, ~0u, (1u << n_channels) - 1);
  AmphistoScopeParams params;
  scope_params *scopes[AMPHISTO_N_SCOPES];
  Places places = { .wanted = amphisto_scopes_with_content (&work),
    .drawn = amphisto_scopes_fill_params (&work, &params) };

  amphisto_scopes_list (&params, scopes);
  for (guint i = 0; i < AMPHISTO_N_SCOPES; i++) {
    places.scopes[i] = *scopes[i];
    g_assert_cmpuint (
        scopes[i]->panels_x > 0, ==, (places.drawn & 1u << i) != 0);
  }
  return places;
}

static Places
places_of (const AmphistoScopeSettings *settings, uint32_t width,
    uint32_t height, uint32_t n_channels)
{
  const AmphistoLayout layout = yuv_layout (width, height, 1, 1);

  return places_in (&layout, settings, n_channels);
}

static void
assert_place (const scope_params *place, uint32_t x, uint32_t y, uint32_t width,
    uint32_t height)
{
  g_assert_cmpuint (place->x, ==, x);
  g_assert_cmpuint (place->y, ==, y);
  g_assert_cmpuint (place->width, ==, width);
  g_assert_cmpuint (place->height, ==, height);
}

/* --- cases --- */

/* Side by side from each corner, with the same margins. */
static void
test_order (void)
{
  AmphistoScopeSettings settings = settings_with (ALL_SCOPES);
  Places places = places_of (&settings, 1920, 1080, 1);

  assert_place (&places.scopes[0], 1256, 780, 640, 272);
  assert_place (&places.scopes[1], 592, 780, 640, 272);
  assert_place (&places.scopes[2], 296, 780, 272, 272);
  settings.position = AMPHISTO_SCOPE_TOP_LEFT;
  places = places_of (&settings, 1920, 1080, 1);
  assert_place (&places.scopes[0], 24, 28, 640, 272);
  assert_place (&places.scopes[1], 688, 28, 640, 272);
  assert_place (&places.scopes[2], 1352, 28, 272, 272);
}

/* A scope takes the place of scopes that are not drawn. */
static void
test_alone (void)
{
  for (guint i = 0; i < AMPHISTO_N_SCOPES; i++) {
    const AmphistoScopeSettings settings = settings_with (1u << i);
    const Places places = places_of (&settings, 1920, 1080, 1);

    g_assert_cmphex (places.drawn, ==, 1u << i);
    assert_place (
        &places.scopes[i], i < 2 ? 1256 : 1624, 780, i < 2 ? 640 : 272, 272);
  }
}

static void
test_nothing_to_show (void)
{
  AmphistoScopeSettings settings = settings_with (ALL_SCOPES);
  const AmphistoLayout grey = grey_layout (1920, 1080);

  g_assert_cmphex (places_of (&settings, 1920, 1080, 0).drawn, ==,
      AMPHISTO_SCOPE_VECTORSCOPE);
  g_assert_cmphex (places_in (&grey, &settings, 1).drawn, ==, BOTH_GRAPHS);
  settings.enabled = AMPHISTO_SCOPE_NONE;
  g_assert_cmphex (
      places_of (&settings, 1920, 1080, 1).drawn, ==, AMPHISTO_SCOPE_NONE);
}

static const uint32_t sizes[][2] = { { 320, 240 }, { 640, 480 }, { 720, 576 },
  { 540, 960 }, { 1280, 720 }, { 1920, 1080 }, { 3840, 2160 } };

/* Half of the frame's width each leaves no room for margins: both shrink, by
 * less than an eighth. */
static void
test_halves (void)
{
  AmphistoScopeSettings settings = settings_with (BOTH_GRAPHS);

  settings.width = 0.5;
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const uint32_t width = sizes[i][0], height = sizes[i][1];
    const Places places = places_of (&settings, width, height, 1);

    g_assert_cmphex (places.drawn, ==, BOTH_GRAPHS);
    g_assert_cmpuint (places.scopes[0].width, ==, places.scopes[1].width);
    g_assert_cmpuint (places.scopes[0].width, <, width / 2);
    g_assert_cmpuint (places.scopes[0].width, >=, width * 7 / 16);
    g_assert_cmpuint (places.scopes[0].height, ==, places.scopes[1].height);
    g_assert_cmpuint (places.scopes[0].height, >=, height * 7 / 32 - 4);
    g_assert_cmpuint (places.scopes[1].x, >, 0);
  }
}

static void
test_all_three (void)
{
  const AmphistoScopeSettings settings = settings_with (ALL_SCOPES);
  Places places = places_of (&settings, 320, 240, 1);

  assert_place (&places.scopes[0], 200, 172, 112, 60);
  assert_place (&places.scopes[1], 80, 172, 112, 60);
  assert_place (&places.scopes[2], 8, 172, 64, 60);
  places = places_of (&settings, 176, 144, 1);
  assert_place (&places.scopes[0], 112, 108, 64, 32);
  assert_place (&places.scopes[1], 40, 108, 64, 32);
  assert_place (&places.scopes[2], 0, 108, 32, 32);
  places = places_of (&settings, 540, 960, 1);
  assert_place (&places.scopes[0], 384, 740, 144, 208);
  assert_place (&places.scopes[1], 232, 740, 144, 208);
  assert_place (&places.scopes[2], 16, 740, 208, 208);
  g_assert_cmphex (places_of (&settings, 16, 16, 1).drawn, ==, 0);
}

/* Scopes that are no longer legible side by side take a second row, towards the
 * middle of the frame, unless the frame is wide. */
static void
test_two_rows (void)
{
  AmphistoScopeSettings settings = settings_with (ALL_SCOPES);
  Places places = places_of (&settings, 144, 256, 1);

  assert_place (&places.scopes[0], 80, 200, 64, 52);
  assert_place (&places.scopes[1], 8, 200, 64, 52);
  assert_place (&places.scopes[2], 80, 144, 64, 52);
  settings.position = AMPHISTO_SCOPE_TOP_LEFT;
  places = places_of (&settings, 144, 256, 1);
  assert_place (&places.scopes[0], 0, 4, 64, 52);
  assert_place (&places.scopes[1], 72, 4, 64, 52);
  assert_place (&places.scopes[2], 0, 60, 64, 52);
  /* side by side if that is legible, or the only way */
  places = places_of (&settings, 320, 340, 1);
  g_assert_cmpuint (places.scopes[0].y, ==, places.scopes[2].y);
  places = places_of (&settings, 144, 144, 1);
  g_assert_cmphex (places.drawn, ==, ALL_SCOPES);
  g_assert_cmpuint (places.scopes[0].y, ==, places.scopes[2].y);
}

/* A scope as wide as the frame, of panels that need not be multiples of 16. */
static void
test_wide_parade (void)
{
  AmphistoScopeSettings settings = settings_with (AMPHISTO_SCOPE_WAVEFORM);
  const AmphistoLayout rgb = rgb_layout (1366, 768);
  Places places;

  settings.display = AMPHISTO_DISPLAY_PARADE;
  settings.width = 1;
  places = places_of (&settings, 1280, 720, 3);
  assert_place (&places.scopes[1], 0, 520, 1280, 180);
  g_assert_cmpuint (places.scopes[1].panel_width, ==, 424);
  places = places_of (&settings, 304, 96, 3);
  assert_place (&places.scopes[1], 0, 44, 304, 48);
  g_assert_cmpuint (places.scopes[1].panel_width, ==, 100);
  /* the rest is split */
  places = places_in (&rgb, &settings, 6);
  assert_place (&places.scopes[1], 4, 556, 1360, 192);
}

static uint32_t
panels_of_parade (AmphistoScopes scopes, double fraction, uint32_t width,
    uint32_t height, uint32_t n_channels)
{
  AmphistoScopeSettings settings = settings_with (scopes);
  Places places;

  settings.display = AMPHISTO_DISPLAY_PARADE;
  settings.width = fraction;
  places = places_of (&settings, width, height, n_channels);
  g_assert_cmphex (places.drawn, ==, scopes);
  g_assert_cmpuint (places.scopes[0].panels_x, ==, places.scopes[1].panels_x);
  return places.scopes[0].panels_x;
}

/* A parade has panels that can be read, and leaves a third of the picture free
 * unless its size is asked for. Otherwise, channels are overlaid. */
static void
test_narrow_parade (void)
{
  AmphistoScopeSettings settings = settings_with (AMPHISTO_SCOPE_WAVEFORM);

  settings.display = AMPHISTO_DISPLAY_PARADE;
  g_assert_cmpuint (
      places_of (&settings, 320, 240, 3).scopes[1].panels_x, ==, 1);
  g_assert_cmpuint (
      places_of (&settings, 431, 240, 3).scopes[1].panels_x, ==, 1);
  g_assert_cmpuint (
      places_of (&settings, 432, 240, 3).scopes[1].panels_x, ==, 3);
  settings.width = 1;
  g_assert_cmpuint (
      places_of (&settings, 320, 240, 3).scopes[1].panels_x, ==, 3);
  /* both graphs alike, and none is left out for the other's panels */
  g_assert_cmpuint (panels_of_parade (BOTH_GRAPHS, 0.33, 640, 480, 3), ==, 3);
  g_assert_cmpuint (panels_of_parade (BOTH_GRAPHS, 0.33, 560, 420, 3), ==, 1);
  g_assert_cmpuint (panels_of_parade (BOTH_GRAPHS, 0.33, 176, 144, 3), ==, 1);
}

/* The reported frame has room for a parade; one a pixel narrower has none. */
static void
test_parade_room (void)
{
  AmphistoScopeSettings settings = settings_with (BOTH_GRAPHS);

  settings.display = AMPHISTO_DISPLAY_PARADE;
  for (uint32_t n = 2; n <= 6; n++) {
    AmphistoLayout layout = yuv_layout (90, 120, 1, 1);
    const AmphistoScopeWork work =
        scope_work_for (&settings, &layout, ~0u, (1u << n) - 1);
    uint32_t width, height;

    amphisto_scopes_find_parade (&work, &width, &height);
    g_assert_cmpuint (height, ==, 120);
    layout.component[0].width = width;
    g_assert_cmpint (
        amphisto_scopes_display (&work), ==, AMPHISTO_DISPLAY_PARADE);
    layout.component[0].width--;
    g_assert_cmpint (
        amphisto_scopes_display (&work), ==, AMPHISTO_DISPLAY_OVERLAY);
  }
}

/* A scope that does not fit is left out; a smaller one after it is drawn. */
static void
test_left_out (void)
{
  AmphistoScopeSettings settings = settings_with (ALL_SCOPES);

  g_assert_cmphex (places_of (&settings, 80, 48, 1).drawn, ==, BOTH_GRAPHS);
  settings.display = AMPHISTO_DISPLAY_STACK;
  g_assert_cmphex (
      places_of (&settings, 176, 40, 3).drawn, ==, AMPHISTO_SCOPE_VECTORSCOPE);
}

/* The vectorscope is square on the display, and shrinks if it is too wide. */
static void
test_pixel_aspect (void)
{
  const AmphistoScopeSettings settings =
      settings_with (AMPHISTO_SCOPE_VECTORSCOPE);
  AmphistoLayout layout = yuv_layout (720, 576, 1, 1);
  Places places;

  layout.pixel_aspect = AMPHISTO_SQUARE_PIXEL * 64 / 45;
  places = places_in (&layout, &settings, 1);
  assert_place (&places.scopes[2], 592, 416, 112, 144);
  g_assert_cmpuint (places.scopes[2].pixel_aspect, ==, layout.pixel_aspect);
  layout.pixel_aspect = AMPHISTO_SQUARE_PIXEL * 16 / 22;
  places = places_in (&layout, &settings, 1);
  assert_place (&places.scopes[2], 496, 416, 208, 144);
  layout.pixel_aspect = AMPHISTO_SQUARE_PIXEL / 16;
  places = places_in (&layout, &settings, 1);
  assert_place (&places.scopes[2], 8, 528, 704, 44);
  layout.pixel_aspect = 0;
  places = places_in (&layout, &settings, 1);
  assert_place (&places.scopes[2], 560, 416, 144, 144);
  g_assert_cmpuint (places.scopes[2].pixel_aspect, ==, AMPHISTO_SQUARE_PIXEL);
}

/* --- random frames and settings --- */

typedef struct
{
  AmphistoLayout layout;
  AmphistoScopeSettings settings;
  uint32_t n_channels;
} Case;

static AmphistoLayout
random_layout (GRand *random)
{
  static const uint32_t shifts[][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 2, 0 },
    { 2, 2 } };
  static const uint32_t aspects[] = { 0, AMPHISTO_SQUARE_PIXEL,
    AMPHISTO_SQUARE_PIXEL * 64 / 45, AMPHISTO_SQUARE_PIXEL * 8 / 9, 256,
    65536 };
  const gint most = g_rand_boolean (random) ? 250 : 3000;
  const uint32_t width = g_rand_int_range (random, 1, most);
  const uint32_t height = g_rand_int_range (random, 1, most);
  const gint i = g_rand_int_range (random, -2, G_N_ELEMENTS (shifts));
  AmphistoLayout layout = i == -2 ? rgb_layout (width, height)
      : i == -1                   ? grey_layout (width, height)
                : yuv_layout (width, height, shifts[i][0], shifts[i][1]);

  layout.has_fields = g_rand_boolean (random);
  layout.pixel_aspect =
      aspects[g_rand_int_range (random, 0, G_N_ELEMENTS (aspects))];
  return layout;
}

static Case
random_case (GRand *random)
{
  Case c = { .layout = random_layout (random),
    .settings = settings_with (g_rand_int (random) & 7),
    .n_channels = g_rand_int_range (random, 0, 8) };

  c.settings.display = g_rand_int_range (random, 0, 3);
  c.settings.position = g_rand_int_range (random, 0, 4);
  c.settings.width = g_rand_double_range (random, 0, 1.1);
  c.settings.height = g_rand_double_range (random, 0, 1.1);
  c.settings.width = MIN (c.settings.width, 1);
  c.settings.height = MIN (c.settings.height, 1);
  return c;
}

/* Within the frame, at multiples of a word and of a block, and not tiny. */
static void
assert_within (const AmphistoLayout *layout, const scope_params *scope)
{
  const uint32_t rows = amphisto_drawing_rows (layout);
  const uint32_t panels = scope->panels_x * scope->panel_width;

  g_assert_cmpuint (scope->x + scope->width, <=, layout->component[0].width);
  g_assert_cmpuint (scope->y + scope->height, <=, layout->component[0].height);
  for (guint c = 0; c < 3; c++)
    g_assert_cmpuint (scope->x % (4u << layout->component[c].x_shift), ==, 0);
  g_assert_cmpuint (scope->y % rows, ==, 0);
  g_assert_cmpuint (scope->width % SCOPE_UNIT, ==, 0);
  g_assert_cmpuint (scope->panel_width % 4, ==, 0);
  g_assert_cmpuint (scope->panel_height % rows, ==, 0);
  g_assert_cmpuint (scope->panel_width, >=, 32);
  g_assert_cmpuint (scope->panel_height, >=, 16);
  g_assert_true (scope->panels_x == 1 || scope->panel_width >= 96);
  g_assert_cmpuint (panels, <=, scope->width);
  g_assert_cmpuint (panels, >, scope->width - SCOPE_UNIT);
  g_assert_cmpuint (scope->panels_y * scope->panel_height, ==, scope->height);
}

/* The next scope is farther from the corner: beside the last one, or beyond it
 * in the next row. */
static void
assert_next (const Case *c, const scope_params *last, const scope_params *next)
{
  const AmphistoScopePosition position = c->settings.position;
  const bool is_right = position == AMPHISTO_SCOPE_TOP_RIGHT
      || position == AMPHISTO_SCOPE_BOTTOM_RIGHT;
  const bool is_bottom = position == AMPHISTO_SCOPE_BOTTOM_LEFT
      || position == AMPHISTO_SCOPE_BOTTOM_RIGHT;
  const bool is_beside = is_right ? next->x + next->width < last->x
                                  : next->x > last->x + last->width;
  const bool is_beyond = is_bottom ? next->y + next->height < last->y
                                   : next->y > last->y + last->height;

  g_assert_true (is_beside || is_beyond);
}

static void
assert_apart (const scope_params *a, const scope_params *b)
{
  g_assert_true (a->x + a->width < b->x || b->x + b->width < a->x
      || a->y + a->height < b->y || b->y + b->height < a->y);
}

static void
assert_placed (const Case *c, const Places *places)
{
  const scope_params *last = NULL;

  for (guint i = 0; i < AMPHISTO_N_SCOPES; i++) {
    const scope_params *scope = &places->scopes[i];

    if (!(places->drawn & 1u << i))
      continue;
    assert_within (&c->layout, scope);
    if (last != NULL)
      assert_next (c, last, scope);
    last = scope;
    for (guint j = 0; j < i; j++)
      if (places->drawn & 1u << j)
        assert_apart (scope, &places->scopes[j]);
  }
}

/* The least size of scope i. Parades may be overlaid. */
static void
least_size (const Case *c, guint i, uint32_t *width, uint32_t *height)
{
  const uint32_t n = c->n_channels;
  const uint32_t aspect = c->layout.pixel_aspect > 0 ? c->layout.pixel_aspect
                                                     : AMPHISTO_SQUARE_PIXEL;

  if (i == 2) {
    *width = MAX (32, (32 * AMPHISTO_SQUARE_PIXEL / aspect + 15) / 16 * 16);
    *height = 32;
  } else {
    *width = 32;
    *height = 16 * (c->settings.display == AMPHISTO_DISPLAY_STACK ? n : 1);
  }
}

/* Whether the scopes fit side by side at their least sizes, without margins. */
static gboolean
fit_in_row (const Case *c, AmphistoScopes scopes)
{
  const AmphistoComponent *pixels = c->layout.component;
  const uint32_t gap = 4u << pixels[1].x_shift;
  uint32_t width = 0, total = 0, height = 0;

  for (guint i = 0; i < AMPHISTO_N_SCOPES; i++)
    if (scopes & 1u << i) {
      least_size (c, i, &width, &height);
      if (height > pixels[0].height)
        return FALSE;
      total += width + (total > 0 ? gap : 0);
    }
  return total <= pixels[0].width;
}

/* A scope is left out only if there is no room for it beside the drawn ones.
 * The reported frame has room; frames a pixel smaller have none. */
static void
assert_left_out (const Case *c, AmphistoScopes wanted, AmphistoScopes drawn)
{
  const AmphistoScopes left_out = wanted & ~drawn;
  const AmphistoScopeWork work =
      scope_work_for (&c->settings, &c->layout, ~0u, (1u << c->n_channels) - 1);
  const uint32_t width = c->layout.component[0].width;
  const uint32_t height = c->layout.component[0].height;
  uint32_t size[2];

  for (guint i = 0; i < AMPHISTO_N_SCOPES; i++)
    if (left_out & 1u << i)
      g_assert_false (fit_in_row (c, drawn | 1u << i));
  amphisto_scopes_find_room (&work, &size[0], &size[1]);
  if (left_out == 0)
    g_assert_true (size[0] == width && size[1] == height);
  else
    for (guint i = 0; i < 3; i++) {
      Case other = *c;

      other.layout.component[0].width = size[0] - (i == 1 && size[0] > width);
      other.layout.component[0].height = size[1] - (i == 2 && size[1] > height);
      g_assert_cmpint (
          places_in (&other.layout, &c->settings, c->n_channels).drawn
              == wanted,
          ==,
          other.layout.component[0].width == size[0]
              && other.layout.component[0].height == size[1]);
    }
}

static void
test_random (void)
{
  GRand *random = g_rand_new_with_seed (13);

  for (guint i = 0; i < 10000; i++) {
    const Case c = random_case (random);
    const Places places = places_in (&c.layout, &c.settings, c.n_channels);

    assert_placed (&c, &places);
    assert_left_out (&c, places.wanted, places.drawn);
  }
  g_rand_free (random);
}

const CoreTest core_tests[] = {
  { "/order", test_order },
  { "/alone", test_alone },
  { "/nothing-to-show", test_nothing_to_show },
  { "/halves", test_halves },
  { "/all-three", test_all_three },
  { "/two-rows", test_two_rows },
  { "/wide-parade", test_wide_parade },
  { "/narrow-parade", test_narrow_parade },
  { "/parade-room", test_parade_room },
  { "/left-out", test_left_out },
  { "/pixel-aspect", test_pixel_aspect },
  { "/random", test_random },
  { NULL },
};
