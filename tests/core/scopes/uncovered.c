/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Nothing covers a sample: whatever the size and the settings, each cell of the
 * waveform and of the vectorscope shows its samples, and the histogram has no
 * text in its plot.
 */

#include "channels.h"
#include "core/scopes/vectorscope.h"
#include "layouts.h"
#include "placed.h"
#include "size.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

/* The least difference that shows, in some colour. */
#define VISIBLE 16
/* Columns and rows of the measured picture. */
#define SIDE 64
/* Distance of values of U and V in a picture: farther than a spot reaches. */
#define APART 16

static guint
test_by_size (guint small, guint quick, guint full)
{
  const guint sizes[] = { small, quick, full };

  return sizes[test_size ()];
}

typedef struct
{
  AmphistoScopeSettings settings;
  AmphistoLayout layout; /* drawn into */
  AmphistoLayout part;   /* measured */
  AmphistoScopeParams params;
} Case;

static void
case_init (Case *self, AmphistoScopes scopes, GRand *rand)
{
  static const uint32_t aspects[] = { AMPHISTO_SQUARE_PIXEL, 5825, 2048 };
  const int most = (int) test_by_size (500, 700, 1500);
  AmphistoScopeWork work;

  self->settings = settings_with (scopes);
  self->settings.graticule = true;
  self->settings.width = g_rand_double_range (rand, 0.1, 1);
  self->settings.height = g_rand_double_range (rand, 0.1, 1);
  self->settings.display = g_rand_int_range (rand, 0, 3);
  self->settings.scale = g_rand_int_range (rand, 0, 2);
  self->settings.clipping_bars = g_rand_boolean (rand);
  self->settings.percentile_marks = g_rand_boolean (rand);
  self->settings.zoom_shift = g_rand_int_range (rand, 0, 3);
  self->layout = rgb_layout (
      g_rand_int_range (rand, 40, most), g_rand_int_range (rand, 40, most));
  self->layout.pixel_aspect = aspects[g_rand_int_range (rand, 0, 3)];
  self->part = yuv_layout (SIDE, SIDE, 0, 0);
  set_matrix (&self->part, 0, g_rand_boolean (rand));
  work = scope_work_for (
      &self->settings, &self->part, ~0u, 1 + g_rand_int_range (rand, 0, 63));
  work.layout = &self->layout;
  work.has_legend = g_rand_boolean (rand);
  work.is_scopes_only = g_rand_boolean (rand);
  amphisto_scopes_fill_params (&work, &self->params);
}

/* A scope's graticule, and its trace of a picture. */
typedef struct
{
  const AmphistoScope *kind;
  const scope_params *scope;
  AmphistoGraticule graticule;
  const void *trace;
} Drawn;

/* The light of pixel (x, y) of a panel, with the trace or without. */
static AmphistoPixelLight
light_of_pixel (
    const Drawn *self, uint32_t panel, uint32_t x, uint32_t y, bool has_trace)
{
  const scope_params *scope = self->scope;
  AmphistoPixelLight light = amphisto_light_of (light_at (&self->graticule,
      (int) (scope->panels_left + panel % scope->panels_x * scope->panel_width
          + x),
      (int) (scope->panels_top + panel / scope->panels_x * scope->panel_height
          + y)));

  if (has_trace)
    self->kind->draw_pixel (scope, self->trace, panel, x, y, &light);
  return light;
}

static bool
shows_trace (const Drawn *self, uint32_t panel, uint32_t x, uint32_t y)
{
  const AmphistoPixelLight bare = light_of_pixel (self, panel, x, y, false);
  const AmphistoPixelLight full = light_of_pixel (self, panel, x, y, true);
  bool is_visible = false;

  for (guint c = 0; c < 3; c++)
    is_visible |=
        abs ((int) full.channel[c] - (int) bare.channel[c]) >= VISIBLE;
  if (!is_visible)
    g_test_message ("in panel %u, (%u, %u): %u %u %u (shade %u) for %u %u %u",
        panel, x, y, full.channel[0], full.channel[1], full.channel[2],
        bare.channel[3], bare.channel[0], bare.channel[1], bare.channel[2]);
  return is_visible;
}

/* --- the waveform --- */

/* All samples have one code: each column of the plot shows it, in every row of
 * its cell. */
static void
check_trace (const Drawn *self, uint32_t t)
{
  const waveform_params *params = (const waveform_params *) self->scope;
  const trace_params *trace = &params->trace[t];
  const scope_params *scope = self->scope;
  const uint8_t *cells = (const uint8_t *) self->trace
      + (size_t) t * params->most_rows * scope->panel_width;
  uint32_t n_shown = 0;

  for (uint32_t at = 0; at < trace->height; at++) {
    const uint32_t up = trace->bottom + at;
    const uint8_t *row =
        cells + (at * trace->row_scale >> 16) * scope->panel_width;

    for (uint32_t x = scope->plot_left;
         x < scope->plot_left + scope->plot_width; x++)
      if (row[x] > 0) {
        g_assert_true (shows_trace (self, t / params->panel_traces, x,
            scope->plot_top + scope->plot_height - 1 - up));
        n_shown++;
      }
  }
  g_assert_cmpuint (n_shown, >=, scope->plot_width);
}

/* The traces one by one: overlaid ones may hide each other. */
static void
check_code (Drawn *self, const AmphistoFrame *frame)
{
  const waveform_params *params = (const waveform_params *) self->scope;
  const size_t size = (size_t) params->most_rows * self->scope->panel_width;
  g_autofree uint8_t *all = trace_of_frame (self->kind, self->scope, frame);
  g_autofree uint8_t *one = g_malloc0 (self->kind->trace_size (self->scope));

  self->trace = one;
  for (uint32_t t = 0; t < params->n_traces; t++) {
    memcpy (one + t * size, all + t * size, size);
    check_trace (self, t);
    memset (one + t * size, 0, size);
  }
}

/* Every second code: pictures differ in which row a line or letter is. */
static void
test_waveform (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (51);

  for (guint n = 0; n < test_by_size (2, 6, 50); n++) {
    Case c;

    case_init (&c, WAVEFORM, rand);
    if (c.params.waveform.n_traces == 0)
      continue;

    g_autofree Picture *picture = picture_new (&c.part, 0);
    const uint32_t bins[AMPHISTO_MAX_SLOTS][AMPHISTO_N_BINS] = { { 1, 1 } };
    const AmphistoScopeInput input = { .bins = bins };
    Drawn drawn = { .kind = &amphisto_waveform,
      .scope = &c.params.waveform.scope,
      .graticule =
          graticule_of (&amphisto_waveform, &c.params.waveform.scope) };

    drawn.kind->draw_text (drawn.scope, &input, &drawn.graticule);

    for (guint code = n % 3; code < AMPHISTO_N_BINS;
         code += test_by_size (51, 3, 2)) {
      memset (picture->bytes, (int) code, picture->size);
      check_code (&drawn, &picture->frame);
    }
    amphisto_graticule_clear (&drawn.graticule);
  }
}

/* --- the vectorscope --- */

/* Every APART'th value of U and V, from (u, v) on. */
static void
fill_vectors (Picture *picture, guint u, guint v)
{
  const uint32_t n = AMPHISTO_N_BINS / APART;

  for (guint i = 0; i < SIDE * SIDE; i++) {
    picture->bytes[SIDE * SIDE + i] = (uint8_t) (u + i % n * APART);
    picture->bytes[2 * SIDE * SIDE + i] = (uint8_t) (v + i / n % n * APART);
  }
}

/* The cell of a value of U or V. */
static uint32_t
cell_of (const vectorscope_params *params, uint32_t value)
{
  return value * params->plane_size / AMPHISTO_N_BINS - params->first_cell;
}

static void
check_vectors (const Drawn *self, guint u, guint v)
{
  const vectorscope_params *params = (const vectorscope_params *) self->scope;
  const scope_params *scope = self->scope;
  const uint32_t n = params->size;

  for (uint32_t j = v; j < AMPHISTO_N_BINS; j += APART)
    for (uint32_t i = u; i < AMPHISTO_N_BINS; i += APART) {
      const uint32_t right = cell_of (params, i), up = cell_of (params, j);

      if (right < n && up < n)
        g_assert_true (shows_trace (self, 0,
            scope->plot_left + (2 * right + 1) * scope->plot_width / (2 * n),
            scope->plot_top + scope->plot_height - 1
                - (2 * up + 1) * scope->plot_height / (2 * n)));
    }
}

/* Names have at most half shade, and no backing. */
static void
assert_half_shade (const AmphistoGraticule *graticule)
{
  for (size_t i = 0; i < (size_t) graticule->width * graticule->height; i++)
    g_assert_cmpuint (graticule->light[i] >> 24, <=, 128);
}

static void
test_vectorscope (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (51);

  for (guint n = 0; n < test_by_size (2, 8, 30); n++) {
    Case c;

    case_init (&c, VECTORSCOPE, rand);
    if (c.params.vectorscope.scope.panels_x == 0)
      continue;

    const scope_params *scope = &c.params.vectorscope.scope;
    g_autofree Picture *picture = picture_new (&c.part, 0);
    Drawn drawn = { .kind = &amphisto_vectorscope,
      .scope = scope,
      .graticule = graticule_of (&amphisto_vectorscope, scope) };

    assert_half_shade (&drawn.graticule);
    for (guint i = 0; i < APART * APART; i++) {
      g_autofree void *trace = NULL;

      fill_vectors (picture, i % APART, i / APART);
      trace = trace_of_frame (drawn.kind, scope, &picture->frame);
      drawn.trace = trace;
      check_vectors (&drawn, i % APART, i / APART);
    }
    amphisto_graticule_clear (&drawn.graticule);
  }
}

/* --- the histogram --- */

/* Text has shade; lines have none. */
static void
assert_no_text (const histogram_scope_params *params,
    const AmphistoGraticule *graticule, uint32_t left, uint32_t top)
{
  const scope_params *scope = &params->scope;

  for (uint32_t y = params->arrow_top; y < plot_bottom (params); y++)
    for (uint32_t x = 0; x < scope->panel_width; x++)
      g_assert_cmpuint (
          light_at (graticule, (int) (left + x), (int) (top + y)) >> 24, ==, 0);
}

static void
test_histogram (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (51);

  for (guint n = 0; n < test_by_size (10, 60, 300); n++) {
    uint32_t bins[AMPHISTO_MAX_SLOTS][AMPHISTO_N_BINS], peaks[1] = { 0 };
    const AmphistoScopeInput input = { NULL,
      (const uint32_t (*)[AMPHISTO_N_BINS]) bins, peaks };
    Case c;

    case_init (&c, HISTOGRAM, rand);
    if (c.params.histogram.n_curves == 0)
      continue;
    for (guint i = 0; i < AMPHISTO_MAX_SLOTS; i++)
      for (guint v = 0; v < AMPHISTO_N_BINS; v++)
        bins[i][v] = g_rand_int_range (rand, 0, 9);

    const scope_params *scope = &c.params.histogram.scope;
    g_auto (AmphistoGraticule) graticule =
        graticule_of (&amphisto_histogram_scope, scope);

    amphisto_histogram_scope.draw_text (scope, &input, &graticule);
    for (uint32_t p = 0; p < scope->panels_x * scope->panels_y; p++)
      assert_no_text (&c.params.histogram, &graticule,
          scope->panels_left + p % scope->panels_x * scope->panel_width,
          scope->panels_top + p / scope->panels_x * scope->panel_height);
  }
}

const CoreTest core_tests[] = {
  { "/uncovered/waveform", test_waveform },
  { "/uncovered/vectorscope", test_vectorscope },
  { "/uncovered/histogram", test_histogram },
  { 0 },
};
