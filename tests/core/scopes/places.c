/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Places and sizes of the scopes.
 */

#include "core/scopes/drawing.h"
#include "layouts.h"
#include "placed.h"
#include "suite.h"

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

/* --- cases --- */

/* Wanted scopes, and those that are drawn: x, y, width and height, unless they
 * are all 0. */
static const struct
{
  AmphistoScopes wanted;
  AmphistoScopePosition position;
  AmphistoDisplay display;
  double fraction; /* of the frame's width */
  uint32_t width, height, n_channels;
  double pixel_aspect;
  AmphistoScopes drawn;
  uint32_t places[AMPHISTO_N_SCOPES][4];
} cases[] = {
  /* side by side from each corner, with the same margins */
  { ALL_SCOPES, BOTTOM_RIGHT, OVERLAY, 0.33, 1920, 1080, 1, 1, ALL_SCOPES,
      { { 1256, 780, 640, 272 }, { 592, 780, 640, 272 },
          { 296, 780, 272, 272 } } },
  { ALL_SCOPES, BOTTOM_LEFT, OVERLAY, 0.33, 1920, 1080, 1, 1, ALL_SCOPES,
      { { 24, 780, 640, 272 }, { 688, 780, 640, 272 },
          { 1352, 780, 272, 272 } } },
  { ALL_SCOPES, TOP_RIGHT, OVERLAY, 0.33, 1920, 1080, 1, 1, ALL_SCOPES,
      { { 1256, 28, 640, 272 }, { 592, 28, 640, 272 },
          { 296, 28, 272, 272 } } },
  { ALL_SCOPES, TOP_LEFT, OVERLAY, 0.33, 1920, 1080, 1, 1, ALL_SCOPES,
      { { 24, 28, 640, 272 }, { 688, 28, 640, 272 }, { 1352, 28, 272, 272 } } },
  { ALL_SCOPES, BOTTOM_RIGHT, OVERLAY, 0.33, 320, 240, 1, 1, ALL_SCOPES,
      { { 200, 172, 112, 60 }, { 80, 172, 112, 60 }, { 8, 172, 64, 60 } } },
  { ALL_SCOPES, BOTTOM_RIGHT, OVERLAY, 0.33, 176, 144, 1, 1, ALL_SCOPES,
      { { 112, 108, 64, 32 }, { 40, 108, 64, 32 }, { 0, 108, 32, 32 } } },
  { ALL_SCOPES, BOTTOM_RIGHT, OVERLAY, 0.33, 540, 960, 1, 1, ALL_SCOPES,
      { { 384, 740, 144, 208 }, { 232, 740, 144, 208 },
          { 16, 740, 208, 208 } } },
  /* half of the frame's width each leaves no room for margins: both shrink */
  { BOTH_GRAPHS, BOTTOM_RIGHT, OVERLAY, 0.5, 320, 240, 1, 1, BOTH_GRAPHS,
      { { 168, 180, 144, 56 }, { 16, 180, 144, 56 } } },
  { BOTH_GRAPHS, BOTTOM_RIGHT, OVERLAY, 0.5, 540, 960, 1, 1, BOTH_GRAPHS,
      { { 288, 724, 240, 224 }, { 32, 724, 240, 224 } } },
  { BOTH_GRAPHS, BOTTOM_RIGHT, OVERLAY, 0.5, 1920, 1080, 1, 1, BOTH_GRAPHS,
      { { 984, 792, 912, 260 }, { 48, 792, 912, 260 } } },
  /* a scope takes the place of scopes that are not drawn */
  { HISTOGRAM, BOTTOM_RIGHT, OVERLAY, 0.33, 1920, 1080, 1, 1, HISTOGRAM,
      { [0] = { 1256, 780, 640, 272 } } },
  { WAVEFORM, BOTTOM_RIGHT, OVERLAY, 0.33, 1920, 1080, 1, 1, WAVEFORM,
      { [1] = { 1256, 780, 640, 272 } } },
  { VECTORSCOPE, BOTTOM_RIGHT, OVERLAY, 0.33, 1920, 1080, 1, 1, VECTORSCOPE,
      { [2] = { 1624, 780, 272, 272 } } },
  /* nothing to show */
  { ALL_SCOPES, BOTTOM_RIGHT, OVERLAY, 0.33, 1920, 1080, 0, 1, VECTORSCOPE,
      { [2] = { 1624, 780, 272, 272 } } },
  { AMPHISTO_SCOPE_NONE, BOTTOM_RIGHT, OVERLAY, 0.33, 1920, 1080, 1, 1,
      AMPHISTO_SCOPE_NONE, { { 0 } } },
  /* scopes that are no longer legible side by side take a second row, towards
   * the middle of the frame, unless the frame is wide */
  { ALL_SCOPES, BOTTOM_RIGHT, OVERLAY, 0.33, 144, 256, 1, 1, ALL_SCOPES,
      { { 80, 200, 64, 52 }, { 8, 200, 64, 52 }, { 80, 144, 64, 52 } } },
  { ALL_SCOPES, TOP_LEFT, OVERLAY, 0.33, 144, 256, 1, 1, ALL_SCOPES,
      { { 0, 4, 64, 52 }, { 72, 4, 64, 52 }, { 0, 60, 64, 52 } } },
  /* side by side if that is legible, or the only way */
  { ALL_SCOPES, TOP_LEFT, OVERLAY, 0.33, 320, 340, 1, 1, ALL_SCOPES,
      { { 8, 8, 96, 80 }, { 112, 8, 96, 80 }, { 216, 8, 80, 80 } } },
  { ALL_SCOPES, TOP_LEFT, OVERLAY, 0.33, 144, 144, 1, 1, ALL_SCOPES,
      { { 0, 0, 48, 28 }, { 56, 0, 48, 28 }, { 112, 0, 32, 32 } } },
  /* a scope as wide as the frame, of panels that need not be multiples of 16 */
  { WAVEFORM, BOTTOM_RIGHT, PARADE, 1, 1280, 720, 3, 1, WAVEFORM,
      { [1] = { 0, 520, 1280, 180 } } },
  { WAVEFORM, BOTTOM_RIGHT, PARADE, 1, 304, 96, 3, 1, WAVEFORM,
      { [1] = { 0, 44, 304, 48 } } },
  /* a scope that does not fit is left out; a smaller one after it is drawn */
  { ALL_SCOPES, BOTTOM_RIGHT, OVERLAY, 0.33, 16, 16, 1, 1, AMPHISTO_SCOPE_NONE,
      { { 0 } } },
  { ALL_SCOPES, BOTTOM_RIGHT, OVERLAY, 0.33, 80, 48, 1, 1, BOTH_GRAPHS,
      { { 0 } } },
  { ALL_SCOPES, BOTTOM_RIGHT, STACK, 0.33, 176, 40, 3, 1, VECTORSCOPE,
      { { 0 } } },
  /* the vectorscope is square on the display, and shrinks if it is too wide */
  { VECTORSCOPE, BOTTOM_RIGHT, OVERLAY, 0.33, 720, 576, 1, 64 / 45.0,
      VECTORSCOPE, { [2] = { 592, 416, 112, 144 } } },
  { VECTORSCOPE, BOTTOM_RIGHT, OVERLAY, 0.33, 720, 576, 1, 16 / 22.0,
      VECTORSCOPE, { [2] = { 496, 416, 208, 144 } } },
  { VECTORSCOPE, BOTTOM_RIGHT, OVERLAY, 0.33, 720, 576, 1, 1 / 16.0,
      VECTORSCOPE, { [2] = { 8, 528, 704, 44 } } },
  { VECTORSCOPE, BOTTOM_RIGHT, OVERLAY, 0.33, 720, 576, 1, 0, VECTORSCOPE,
      { [2] = { 560, 416, 144, 144 } } },
};

static void
test_cases (void)
{
  for (guint i = 0; IS_ROW (cases, i); i++) {
    AmphistoLayout layout = yuv_layout (cases[i].width, cases[i].height, 1, 1);
    AmphistoScopeSettings settings = settings_with (cases[i].wanted);
    Places places;

    g_test_message ("%u", i);
    settings.position = cases[i].position;
    settings.display = cases[i].display;
    settings.width = cases[i].fraction;
    layout.pixel_aspect = AMPHISTO_SQUARE_PIXEL * cases[i].pixel_aspect;
    places = places_in (&layout, &settings, cases[i].n_channels);
    g_assert_cmphex (places.drawn, ==, cases[i].drawn);
    for (guint s = 0; s < AMPHISTO_N_SCOPES; s++)
      if (cases[i].places[s][2] > 0) {
        assert_place (&places.scopes[s], cases[i].places[s]);
        g_assert_cmpuint (places.scopes[s].pixel_aspect, ==,
            layout.pixel_aspect > 0 ? layout.pixel_aspect
                                    : AMPHISTO_SQUARE_PIXEL);
        g_assert_cmpuint (
            places.scopes[s].panels_x, ==, cases[i].display == PARADE ? 3 : 1);
        g_assert_cmpuint (places.scopes[s].panel_width, ==,
            cases[i].places[s][2] / places.scopes[s].panels_x / 4 * 4);
      }
  }
}

/* Grey has no vectorscope. The rest of a wide parade's width is split. */
static void
test_other_formats (void)
{
  AmphistoScopeSettings settings = settings_with (ALL_SCOPES);
  const AmphistoLayout grey = grey_layout (1920, 1080);
  const AmphistoLayout rgb = rgb_layout (1366, 768);
  Places places = places_in (&grey, &settings, 1);

  g_assert_cmphex (places.drawn, ==, BOTH_GRAPHS);
  settings.enabled = WAVEFORM;
  settings.display = PARADE;
  settings.width = 1;
  places = places_in (&rgb, &settings, 6);
  assert_place (&places.scopes[1], (const uint32_t[4]){ 4, 556, 1360, 192 });
}

/* A parade has panels that can be read, and leaves a third of the picture free
 * unless its size is asked for. Otherwise, channels are overlaid. Both graphs
 * are alike, and none is left out for the other's panels. */
static void
test_narrow_parade (void)
{
  static const struct
  {
    AmphistoScopes scopes;
    double fraction;
    uint32_t width, height, panels;
  } parades[] = { { WAVEFORM, 0.33, 320, 240, 1 },
    { WAVEFORM, 0.33, 431, 240, 1 }, { WAVEFORM, 0.33, 432, 240, 3 },
    { WAVEFORM, 1, 320, 240, 3 }, { BOTH_GRAPHS, 0.33, 640, 480, 3 },
    { BOTH_GRAPHS, 0.33, 560, 420, 1 }, { BOTH_GRAPHS, 0.33, 176, 144, 1 } };

  for (guint i = 0; IS_ROW (parades, i); i++) {
    AmphistoScopeSettings settings = settings_with (parades[i].scopes);
    Places places;

    settings.display = PARADE;
    settings.width = parades[i].fraction;
    places = places_of (&settings, parades[i].width, parades[i].height, 3);
    g_assert_cmphex (places.drawn, ==, parades[i].scopes);
    for (guint s = 0; s < 2; s++)
      if (parades[i].scopes & 1u << s)
        g_assert_cmpuint (places.scopes[s].panels_x, ==, parades[i].panels);
  }
}

/* The reported frame has room for a parade; one a pixel narrower has none. */
static void
test_parade_room (void)
{
  AmphistoScopeSettings settings = settings_with (BOTH_GRAPHS);

  settings.display = PARADE;
  for (uint32_t n = 2; n <= 6; n++) {
    AmphistoLayout layout = yuv_layout (90, 120, 1, 1);
    const AmphistoScopeWork work =
        scope_work_for (&settings, &layout, ~0u, (1u << n) - 1);
    uint32_t width, height;

    amphisto_scopes_find_room (&work, true, &width, &height);
    g_assert_cmpuint (height, ==, 120);
    layout.component[0].width = width;
    g_assert_cmpint (amphisto_scopes_display (&work), ==, PARADE);
    layout.component[0].width--;
    g_assert_cmpint (amphisto_scopes_display (&work), ==, OVERLAY);
  }
}

/* --- random frames and settings --- */

typedef struct
{
  AmphistoLayout layout;
  AmphistoScopeSettings settings;
  uint32_t n_channels;
} Case;

static Case
random_case (GRand *random)
{
  Case c = { .layout = random_layout (
                 random, 1, g_rand_boolean (random) ? 250 : 3000),
    .settings = settings_with (g_rand_int (random) & ALL_SCOPES),
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
  const bool is_right = position == TOP_RIGHT || position == BOTTOM_RIGHT;
  const bool is_bottom = position == BOTTOM_LEFT || position == BOTTOM_RIGHT;
  const bool is_beside = is_right ? next->x + next->width < last->x
                                  : next->x > last->x + last->width;
  const bool is_beyond = is_bottom ? next->y + next->height < last->y
                                   : next->y > last->y + last->height;

  g_assert_true (is_beside || is_beyond);
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
        g_assert_false (have_common_pixels (scope, &places->scopes[j]));
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
    *height = 16 * (c->settings.display == STACK ? n : 1);
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
  amphisto_scopes_find_room (&work, false, &size[0], &size[1]);
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
  g_autoptr (GRand) random = g_rand_new_with_seed (13);

  for (guint i = 0; i < 10000; i++) {
    const Case c = random_case (random);
    const Places places = places_in (&c.layout, &c.settings, c.n_channels);

    assert_placed (&c, &places);
    assert_left_out (&c, places.wanted, places.drawn);
  }
}

const CoreTest core_tests[] = {
  { "/cases", test_cases },
  { "/other-formats", test_other_formats },
  { "/narrow-parade", test_narrow_parade },
  { "/parade-room", test_parade_room },
  { "/random", test_random },
  { 0 },
};
