/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The percentile marks of the histogram's scope, and their labels.
 */

#include "channels.h"
#include "core/measure/statistics.h"
#include "core/scopes/curves.h"
#include "layouts.h"
#include "placed.h"
#include "suite.h"

#include <math.h>
#include <string.h>

/* In the order of the parameters. */
static const struct
{
  const char *text;
  double percent;
} marks[CURVES_N_MARKS] = { { "P1", 1 }, { "P99", 99 }, { "P50", 50 } };

/* A scope with marks, whose trace is measured. */
typedef struct
{
  histogram_scope_params params;
  uint32_t bins[AMPHISTO_MAX_SLOTS][AMPHISTO_N_BINS];
  AmphistoGraticule graticule;
  void *trace;
} Scope;

static const AmphistoScopeSettings usual = { .enabled = HISTOGRAM,
  .display = OVERLAY,
  .position = TOP_LEFT,
  .width = 0.8,
  .height = 0.6,
  .opacity = 1.0,
  .scale = LINEAR,
  .graticule = true,
  .clipping_bars = true,
  .percentile_marks = true };

/* Measures self->bins.
 *
 * Returns: false if there is no room. */
static bool
scope_init (Scope *self, const AmphistoScopeSettings *settings,
    const AmphistoLayout *layout, AmphistoChannelMask channels)
{
  const AmphistoScope *scope = &amphisto_histogram_scope;
  uint32_t peaks[AMPHISTO_MAX_SLOTS];
  const AmphistoScopeInput input = { NULL,
    (const uint32_t (*)[AMPHISTO_N_BINS]) self->bins, peaks };

  self->params =
      placed_scopes (settings, false, layout, channels, ~0u).histogram;
  self->params.reset = 1;
  if (self->params.n_curves == 0)
    return false;
  self->trace = measured_trace (scope, &self->params.scope, &input);
  self->graticule = graticule_of (scope, &self->params.scope);
  scope->draw_text (&self->params.scope, &input, &self->graticule);
  return true;
}

static void
scope_clear (Scope *self)
{
  amphisto_graticule_clear (&self->graticule);
  g_free (self->trace);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Scope, scope_clear)

/* Pixel (x, y) of the first panel, with or without marks. */
static AmphistoPixelLight
pixel_at (const Scope *self, uint32_t x, uint32_t y, bool has_marks)
{
  histogram_scope_params params = self->params;
  AmphistoPixelLight light = amphisto_light_of (
      light_at (&self->graticule, (int) (params.scope.panels_left + x),
          (int) (params.scope.panels_top + y)));

  params.has_marks &= has_marks;
  amphisto_curves_draw_pixel (&params.scope, self->trace, 0, x, y, &light);
  return light;
}

static bool
are_equal (const AmphistoPixelLight *a, const AmphistoPixelLight *b)
{
  return memcmp (a, b, sizeof *a) == 0;
}

/* The first column of the curve's mark m. */
static int
line_of (const Scope *self, uint32_t i, guint m)
{
  const scope_params *scope = &self->params.scope;
  const curve_params *curve = &self->params.curve[i];
  const uint32_t v =
      amphisto_histogram_percentile (self->bins[curve->slot], marks[m].percent);

  return (int) (scope->plot_left + curve->left)
      + (int) rint (v * (curve->width - 1) / 255.0)
      - (int) scope->gridline_width / 2;
}

/* --- marks --- */

/* Stores the light of a dash in column x of the first panel.
 *
 * Returns: false if no mark is there. */
static bool
mark_light (const Scope *self, int x, AmphistoPixelLight *light)
{
  const int thick = (int) self->params.scope.gridline_width;
  bool has_mark = false;

  *light = (AmphistoPixelLight){ { 0 } };
  for (guint i = 0; i < CURVES_N_MARKS * self->params.panel_curves; i++) {
    const uint32_t curve = i / CURVES_N_MARKS;
    const int line = line_of (self, curve, i % CURVES_N_MARKS);
    const uint32_t *colour =
        amphisto_channel_styles[self->params.curve[curve].channel].line;

    if (x < line || x >= line + thick)
      continue;
    has_mark = true;
    for (guint c = 0; c < 3; c++)
      light->channel[c] = MAX (light->channel[c], colour[c]);
  }
  return has_mark;
}

/* Marks are dashes and gaps of four gridlines, over the curves, from the top of
 * the plot on. Nothing else changes. */
static void
assert_marks (const Scope *self)
{
  const scope_params *scope = &self->params.scope;
  const uint32_t dash = 4 * scope->gridline_width;
  uint32_t n_dashes = 0;

  for (uint32_t x = 0; x < scope->panel_width; x++) {
    AmphistoPixelLight mark;
    const bool has_mark = mark_light (self, (int) x, &mark);

    for (uint32_t y = 0; y < scope->panel_height; y++) {
      const AmphistoPixelLight with = pixel_at (self, x, y, true);
      const AmphistoPixelLight without = pixel_at (self, x, y, false);
      const uint32_t down = y - scope->plot_top;
      const bool is_dash =
          has_mark && down < scope->plot_height && down / dash % 2 == 0;

      g_assert_true (are_equal (&with, is_dash ? &mark : &without));
      n_dashes += is_dash;
    }
  }
  g_assert_cmpuint (n_dashes, >=, scope->plot_height / 3);
}

/* Widths of a gridline of 1, 2 and 4 pixels. */
static void
test_marks (void)
{
  static const uint32_t heights[] = { 200, 600, 1600 };

  for (guint i = 0; IS_ROW (heights, i); i++) {
    const AmphistoLayout layout = rgb_layout (2 * heights[i], heights[i]);
    g_auto (Scope) scope = { .bins = { { [51] = 1, [102] = 98, [204] = 1 },
                                 { [51] = 10, [52] = 80, [102] = 10 },
                                 { [7] = 10, [102] = 50, [200] = 40 },
                                 { [0] = 2, [128] = 90, [255] = 8 } } };

    g_assert_true (scope_init (&scope, &usual, &layout, LUMA | RGB));
    g_assert_cmpuint (scope.params.scope.gridline_width, ==, 1 << i);
    assert_marks (&scope);
  }
}

/* --- labels --- */

/* The columns and the row of the first panel's labels; the column beside a
 * label is part of it. */
typedef struct
{
  int width;
  int begin;
  bool is_there;
} Label;

/* Where the curve's label m has to be: in the middle of its mark, but inside
 * the plot. */
static Label
find_label (const Scope *self, uint32_t curve, guint m)
{
  const histogram_scope_params *params = &self->params;
  const scope_params *scope = &params->scope;
  const uint32_t *line = params->curve[curve].line;
  const int width = (int) (params->label_left[m + 1] - params->label_left[m]);
  const int first = (int) scope->plot_left;
  const int last = first + (int) scope->plot_width - width;
  const int middle = line_of (self, curve, m) + (int) scope->gridline_width / 2;
  const int begin = MAX (MIN (middle - width / 2, last), first);
  const int x = (int) scope->panels_left + begin;
  const int y = (int) (scope->panels_top + params->label_top);

  return (Label){ width, begin,
    has_text (&self->graticule, x, y, x + width / 3,
        y + (int) scope->text_height / 2, scope->text_height, marks[m].text,
        AMPHISTO_LIGHT (line[0], line[1], line[2])) };
}

/* The labels of the panel: each is in its place, unless an earlier one is
 * there. Returns: their number. */
static guint
check_labels (const Scope *self)
{
  Label labels[AMPHISTO_MAX_SLOTS * CURVES_N_MARKS];
  const uint32_t n = CURVES_N_MARKS * self->params.panel_curves;
  guint n_there = 0;

  if (!self->params.has_labels)
    return 0;
  for (uint32_t i = 0; i < n; i++) {
    bool is_free = true;

    labels[i] = find_label (self, i / CURVES_N_MARKS, i % CURVES_N_MARKS);
    for (uint32_t k = 0; k < i; k++)
      is_free &= !labels[k].is_there
          || labels[k].begin + labels[k].width <= labels[i].begin
          || labels[i].begin + labels[i].width <= labels[k].begin;
    g_assert_true (labels[i].is_there == is_free);
    n_there += is_free;
  }
  return n_there;
}

/* Values of the percentiles 1, 99 and 50 of luma and red, and the number of
 * labels in their places. */
static const struct
{
  guint8 values[2][CURVES_N_MARKS];
  guint n_labels;
} cases[] = { { { { 90, 170, 130 }, { 40, 220, 60 } }, 6 },
  { { { 0, 255, 128 }, { 0, 255, 128 } }, 3 },
  { { { 128, 128, 128 }, { 128, 128, 128 } }, 1 },
  { { { 10, 200, 11 }, { 12, 201, 100 } }, 3 } };

static void
test_labels (void)
{
  AmphistoLayout layout = rgb_layout (1280, 400);

  for (guint i = 0; IS_ROW (cases, i); i++) {
    g_auto (Scope) scope = { .bins = { { 0 } } };

    for (guint k = 0; k < 2; k++) {
      scope.bins[k][cases[i].values[k][0]] += 2;
      scope.bins[k][cases[i].values[k][2]] += 96;
      scope.bins[k][cases[i].values[k][1]] += 2;
    }
    g_assert_true (scope_init (&scope, &usual, &layout,
        LUMA | AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_RED)));
    g_assert_cmpuint (check_labels (&scope), ==, cases[i].n_labels);
  }
}

/* No labels without marks, without the graticule, or in small panels. */
static void
test_none (void)
{
  static const struct
  {
    uint32_t width, height;
    bool graticule, marks, has_labels;
  } rooms[] = { { 640, 480, true, true, true },
    { 640, 480, false, true, false }, { 640, 480, true, false, false },
    { 120, 300, true, true, true }, { 40, 300, true, true, false },
    { 300, 60, true, true, false } };

  for (guint i = 0; IS_ROW (rooms, i); i++) {
    const AmphistoLayout layout = grey_layout (rooms[i].width, rooms[i].height);
    g_auto (Scope) scope = { .bins = { { [30] = 2, [120] = 96, [250] = 2 } } };
    AmphistoScopeSettings settings = usual;

    settings.graticule = rooms[i].graticule;
    settings.percentile_marks = rooms[i].marks;
    g_assert_true (scope_init (&scope, &settings, &layout, LUMA));
    g_assert_cmpint (check_labels (&scope) > 0, ==, rooms[i].has_labels);
  }
}

const CoreTest core_tests[] = {
  { "/marks", test_marks },
  { "/labels", test_labels },
  { "/labels/none", test_none },
  { 0 },
};
