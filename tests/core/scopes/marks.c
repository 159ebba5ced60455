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
} marks[CURVES_N_MARKS] = { { "1", 1 }, { "99", 99 }, { "50", 50 } };

/* A scope with marks, whose trace is measured. */
typedef struct
{
  histogram_scope_params params;
  uint32_t bins[AMPHISTO_MAX_SLOTS][AMPHISTO_N_BINS];
  AmphistoGraticule graticule;
  void *trace;
} Scope;

static const AmphistoScopeSettings usual = { HISTOGRAM, OVERLAY, TOP_LEFT, 0.8,
  0.6, 1.0, LINEAR, true, true, true, 0 };

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
  return true;
}

static void
scope_clear (Scope *self)
{
  amphisto_graticule_clear (&self->graticule);
  g_free (self->trace);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Scope, scope_clear)

/* Pixel (x, y) of a panel, with or without marks and with or without labels. */
static AmphistoPixelLight
pixel_at (const Scope *self, uint32_t panel, uint32_t x, uint32_t y,
    bool has_marks, bool has_labels)
{
  histogram_scope_params params = self->params;
  const scope_params *scope = &params.scope;
  const uint32_t word = light_at (&self->graticule,
      (int) (panel % scope->panels_x * scope->panel_width + x),
      (int) (panel / scope->panels_x * scope->panel_height + y));
  AmphistoPixelLight light = amphisto_light_of (word);

  params.has_marks &= has_marks;
  params.n_labelled *= has_labels;
  amphisto_curves_draw_pixel (
      scope, &self->graticule, self->trace, panel, x, y, &light);
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
      const AmphistoPixelLight with = pixel_at (self, 0, x, y, true, false);
      const AmphistoPixelLight without = pixel_at (self, 0, x, y, false, false);
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

/* Where a curve shows its labels: the first column, or -1. */
typedef struct
{
  int line[CURVES_N_MARKS];
  int left[CURVES_N_MARKS];
  uint32_t width[CURVES_N_MARKS];
} Labels;

/* Whether the curve's label m is shown from column `left` on. */
static bool
has_label (
    const Scope *self, uint32_t curve, const AmphistoGraticule *label, int left)
{
  const uint32_t panel = curve / self->params.panel_curves;
  const uint32_t top = self->params.label_top
      + curve % self->params.panel_curves * label->height;
  const uint32_t *line = self->params.curve[curve].line;

  for (uint32_t j = 0; j < label->height; j++)
    for (uint32_t i = 0; i < label->width; i++) {
      const uint32_t word = label->light[j * label->width + i];
      const AmphistoPixelLight with =
          pixel_at (self, panel, left + i, top + j, true, true);
      AmphistoPixelLight wanted = amphisto_light_of (word);
      const AmphistoPixelLight below =
          pixel_at (self, panel, left + i, top + j, true, false);

      for (guint c = 0; c < 3; c++)
        wanted.channel[c] = (wanted.channel[c] * line[c] + 127) / 255;
      amphisto_light_draw_over (&wanted, below.channel);
      if (!are_equal (&with, &wanted))
        return false;
    }
  return true;
}

/* Finds the labels of a curve: beside the marks, inside the plot. */
static Labels
find_labels (const Scope *self, uint32_t curve)
{
  const scope_params *scope = &self->params.scope;
  const int gridline = (int) scope->gridline_width;
  const int left = (int) scope->plot_left;
  Labels labels;

  for (guint m = 0; m < CURVES_N_MARKS; m++) {
    g_auto (AmphistoGraticule) picture = text_alone (self->params.label_text,
        marks[m].text, AMPHISTO_LIGHT (255, 255, 255), scope->pixel_aspect);
    const int width = (int) picture.width;
    const int line = line_of (self, curve, m);
    const int lefts[2] = { line - gridline - width, line + 2 * gridline };

    labels.line[m] = line;
    labels.width[m] = picture.width;
    labels.left[m] = -1;
    for (guint i = 0; i < 2; i++)
      if (lefts[i] >= left && lefts[i] + width <= left + (int) scope->plot_width
          && has_label (self, curve, &picture, lefts[i]))
        labels.left[m] = lefts[i];
  }
  return labels;
}

static bool
overlap (int a, int a_width, int b, int b_width)
{
  return a < b + b_width && b < a + a_width;
}

/* Whether columns in the plot have neither a mark nor another label of the
 * curve. */
static bool
is_free (const Scope *self, const Labels *labels, guint label, int left)
{
  const scope_params *scope = &self->params.scope;
  const int width = (int) labels->width[label];
  const int end = (int) (scope->plot_left + scope->plot_width);
  bool is_taken = left < (int) scope->plot_left || left + width > end;

  for (guint m = 0; m < CURVES_N_MARKS; m++) {
    is_taken |=
        overlap (left, width, labels->line[m], (int) scope->gridline_width);
    is_taken |= m != label && labels->left[m] >= 0
        && overlap (left, width, labels->left[m], (int) labels->width[m]);
  }
  return !is_taken;
}

/* Labels do not touch each other or marks, and are left out only if there is no
 * room. Returns: the number of their pixels. */
static uint32_t
check_curve (const Scope *self, uint32_t curve)
{
  const Labels labels = find_labels (self, curve);
  const int gridline = (int) self->params.scope.gridline_width;
  uint32_t n_columns = 0;

  for (guint m = 0; m < CURVES_N_MARKS; m++) {
    const int width = (int) labels.width[m], line = labels.line[m];

    if (labels.left[m] >= 0) {
      g_assert_true (is_free (self, &labels, m, labels.left[m]));
      n_columns += labels.width[m];
    } else {
      g_assert_false (is_free (self, &labels, m, line - gridline - width));
      g_assert_false (is_free (self, &labels, m, line + 2 * gridline));
    }
  }
  return n_columns * self->params.scope.label_height;
}

/* Pixels that labels change. */
static uint32_t
count_label_pixels (const Scope *self)
{
  const scope_params *scope = &self->params.scope;
  uint32_t n = 0;

  for (uint32_t p = 0; p < scope->panels_x * scope->panels_y; p++)
    for (uint32_t y = 0; y < scope->panel_height; y++)
      for (uint32_t x = 0; x < scope->panel_width; x++)
        n += pixel_at (self, p, x, y, true, true).channel[3]
            > pixel_at (self, p, x, y, true, false).channel[3];
  return n;
}

/* Labels are in the upper two thirds of the plot; every pixel that they change
 * is in one of them. Returns: the number of curves that have labels. */
static uint32_t
check_labels (const Scope *self)
{
  const histogram_scope_params *params = &self->params;
  const uint32_t n = MIN (params->n_labelled, params->panel_curves);
  uint32_t n_pixels = 0, n_labelled = 0;

  if (params->scope.label_height == 0) {
    g_assert_cmpuint (count_label_pixels (self), ==, 0);
    return 0;
  }
  g_assert_cmpuint (params->label_text, >=, AMPHISTO_TEXT_LEAST);
  g_assert_cmpuint (params->label_top, >=, params->scope.plot_top);
  g_assert_cmpuint (params->label_top + n * params->scope.label_height, <=,
      params->scope.plot_top + params->scope.plot_height * 2 / 3);
  for (uint32_t i = 0; i < params->n_curves; i++)
    if (i % params->panel_curves < n) {
      n_pixels += check_curve (self, i);
      n_labelled++;
    }
  g_assert_cmpuint (count_label_pixels (self), ==, n_pixels);
  return n_labelled;
}

/* A histogram of all kinds: even, with one or two values, at an end. */
static void
fill_bins (uint32_t bins[AMPHISTO_N_BINS], GRand *rand)
{
  const int kind = g_rand_int_range (rand, 0, 4);
  const int first = kind == 1 ? 0 : g_rand_int_range (rand, 0, AMPHISTO_N_BINS);
  const int width =
      kind == 0 ? AMPHISTO_N_BINS : g_rand_int_range (rand, 1, 4 << 2 * kind);

  memset (bins, 0, AMPHISTO_N_BINS * sizeof *bins);
  for (int v = first; v < MIN (first + width, AMPHISTO_N_BINS); v++)
    bins[v] = g_rand_int_range (rand, 0, 1000);
  bins[first]++;
  bins[g_rand_int_range (rand, 0, AMPHISTO_N_BINS)] +=
      g_rand_int_range (rand, 0, 100);
}

static void
test_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (99);
  uint32_t n_labelled = 0;

  for (guint n = 0; n < 200; n++) {
    AmphistoLayout layout = random_layout (rand, 40, 400);
    const AmphistoChannelMask channels =
        g_rand_boolean (rand) ? LUMA : g_rand_int (rand);
    AmphistoScopeSettings settings = usual;
    g_auto (Scope) scope = { 0 };

    /* strokes of much wider pixels leave the backings of labels */
    layout.pixel_aspect = MIN (layout.pixel_aspect, 2 * AMPHISTO_SQUARE_PIXEL);
    settings.width = g_rand_double_range (rand, 0.3, 1);
    settings.height = g_rand_double_range (rand, 0.3, 1);
    settings.display = g_rand_int_range (rand, 0, 3);
    settings.scale = g_rand_int_range (rand, 0, 2);
    settings.clipping_bars = g_rand_boolean (rand);
    for (guint i = 0; i < AMPHISTO_MAX_SLOTS; i++)
      fill_bins (scope.bins[i], rand);
    if (scope_init (&scope, &settings, &layout, channels))
      n_labelled += check_labels (&scope);
  }
  g_assert_cmpuint (n_labelled, >=, 200);
}

/* Values of the percentiles 1, 99 and 50, and the sides of their labels: left
 * (l), right (r) or nowhere (-). */
static void
test_sides (void)
{
  static const struct
  {
    guint8 values[CURVES_N_MARKS];
    const char *sides;
  } cases[] = { { { 90, 170, 130 }, "lrr" }, { { 0, 255, 128 }, "rlr" },
    { { 128, 128, 128 }, "lr-" },
    /* beside another mark, there may be room on the other side only */
    { { 90, 133, 130 }, "lrl" }, { { 0, 255, 250 }, "r-l" },
    { { 0, 200, 2 }, "-rr" }, { { 120, 130, 125 }, "lr-" } };
  const AmphistoLayout layout = grey_layout (640, 400);

  for (guint i = 0; IS_ROW (cases, i); i++) {
    g_auto (Scope) scope = { .bins = { { 0 } } };

    scope.bins[0][cases[i].values[0]] += 2;
    scope.bins[0][cases[i].values[2]] += 96;
    scope.bins[0][cases[i].values[1]] += 2;
    g_assert_true (scope_init (&scope, &usual, &layout, LUMA));

    const Labels labels = find_labels (&scope, 0);

    for (guint m = 0; m < CURVES_N_MARKS; m++)
      g_assert_cmpint (labels.left[m] < 0       ? '-'
              : labels.left[m] < labels.line[m] ? 'l'
                                                : 'r',
          ==, cases[i].sides[m]);
    check_labels (&scope);
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
  } cases[] = { { 640, 480, true, true, true },
    { 640, 480, false, true, false }, { 640, 480, true, false, false },
    { 90, 300, true, true, true }, { 40, 300, true, true, false },
    { 300, 20, true, true, false } };

  for (guint i = 0; IS_ROW (cases, i); i++) {
    const AmphistoLayout layout = grey_layout (cases[i].width, cases[i].height);
    g_auto (Scope) scope = { .bins = { { [30] = 2, [120] = 96, [250] = 2 } } };
    AmphistoScopeSettings settings = usual;

    settings.graticule = cases[i].graticule;
    settings.percentile_marks = cases[i].marks;
    g_assert_true (scope_init (&scope, &settings, &layout, LUMA));
    g_assert_cmpint (check_labels (&scope) > 0, ==, cases[i].has_labels);
    g_assert_cmpint (count_label_pixels (&scope) > 0, ==, cases[i].has_labels);
  }
}

const CoreTest core_tests[] = {
  { "/marks", test_marks },
  { "/labels/sides", test_sides },
  { "/labels/none", test_none },
  { "/labels/random", test_random },
  { 0 },
};
