/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/curves.h"
#include "core/pixels/arithmetic.h"
#include "core/measure/statistics.h"
#include "core/scopes/scales.h"

/* The column, in its panel, of a curve's value v. */
static uint32_t
value_column (
    const histogram_scope_params *params, const curve_params *curve, uint32_t v)
{
  return params->scope.plot_left + curve->left
      + (v * (curve->width - 1) + 127) / 255;
}

/* The first column of mark m. */
static uint32_t
mark_column (const histogram_scope_params *params, const curve_params *curve,
    const uint32_t bins[AMPHISTO_N_BINS], uint32_t m)
{
  const uint32_t v = amphisto_histogram_percentile (bins, CURVES_MARK (m));

  return value_column (params, curve, v) - params->scope.gridline_width / 2;
}

/* --- curves --- */

/* The data for drawing a curve. Heights are in 1/16 pixel above the plot's
 * lower end. */
typedef struct
{
  const histogram_scope_params *params;
  const curve_params *curve;
  /* heights of the bins, and whether they are cut off */
  uint32_t height[AMPHISTO_N_BINS];
  bool is_cut[AMPHISTO_N_BINS];
  uint32_t bar[2];               /* heights of the black and the white bar */
  uint32_t mark[CURVES_N_MARKS]; /* the first columns of the marks */
} Curve;

/* The line's coverage ramps from 0 at `upper` to full at `upper` - `span`; the
 * coverage of the area below it, from 0 at `lower` to full at `lower` - `span`.
 */
typedef struct
{
  uint32_t upper;
  uint32_t lower;
  uint32_t span;
} Edge;

/* A curve in a column of its panel. */
typedef struct
{
  Edge edge;
  Edge arrow;
  bool has_mark;
} Column;

/* A panel's trace: the columns of its curves, column by column, and the light
 * of the gridlines of its rows. */
typedef struct
{
  Column *columns;
  uint8_t *rows;
} Trace;

static size_t
n_columns (const histogram_scope_params *params)
{
  return (size_t) params->panel_curves * params->scope.panel_width;
}

static size_t
panel_size (const histogram_scope_params *params)
{
  return n_columns (params) * sizeof (Column) + params->scope.panel_height;
}

size_t
amphisto_curves_trace_size (const scope_params *scope)
{
  return scope->panels_x * scope->panels_y
      * panel_size ((const histogram_scope_params *) scope);
}

static Trace
trace_of (
    const histogram_scope_params *params, uint32_t panel, const void *trace)
{
  uint8_t *bytes = (uint8_t *) trace + panel * panel_size (params);
  Column *columns = (Column *) bytes;

  return (Trace){ columns, (uint8_t *) (columns + n_columns (params)) };
}

uint32_t
amphisto_curves_log (uint32_t n)
{
  uint32_t exponent = 31;
  uint32_t x = n + 1;
  uint32_t fraction, bulge;

  for (; !(x & 1u << 31); x <<= 1)
    exponent--;
  fraction = (x & 0x7fffffff) >> 15;
  bulge = fraction * (65536 - fraction) >> 16;
  return exponent << 10 | (fraction + (bulge * 11 >> 5)) >> 6;
}

/* A count on the scale of the plot, less than 65536. */
static uint32_t
scaled_count (
    const histogram_scope_params *params, uint32_t peak, uint32_t count)
{
  if (params->is_log)
    return amphisto_curves_log (count);
  for (; peak > 65535; peak >>= 1)
    count >>= 1;
  return count;
}

/* The count relative to the peak, which is 65535. */
static uint32_t
level_of (const histogram_scope_params *params, uint32_t peak, uint32_t count)
{
  const uint32_t whole = MAX (1, scaled_count (params, peak, peak));

  return scaled_count (params, peak, count) * (UINT32_MAX / whole) >> 16;
}

static uint32_t
height_of (const histogram_scope_params *params, uint32_t level)
{
  return level * (params->scope.plot_height * 16) >> 16;
}

/* --- curves in columns --- */

/* 0 for less than one sample in CURVES_CLIPPED; otherwise at least 1/16 of the
 * plot, to be visible. */
static uint32_t
bar_height (
    const histogram_scope_params *params, uint64_t clipped, uint64_t samples)
{
  const uint32_t height = params->scope.plot_height * 16;

  if (clipped == 0 || clipped * CURVES_CLIPPED < samples)
    return 0;
  return MAX (height / 16, height_of (params, clipped * 65535 / samples));
}

/* peak: of the curve's scale. */
static void
measure_curve (Curve *self, uint32_t peak, const uint32_t bins[AMPHISTO_N_BINS])
{
  const histogram_scope_params *params = self->params;
  const curve_params *curve = self->curve;
  uint64_t samples = 0, black = 0, white = 0;

  for (uint32_t v = 0; v < AMPHISTO_N_BINS; v++) {
    self->height[v] =
        height_of (params, level_of (params, peak, MIN (bins[v], peak)));
    self->is_cut[v] = bins[v] > peak;
    samples += bins[v];
    black += v <= curve->black ? bins[v] : 0;
    white += v >= curve->white ? bins[v] : 0;
  }
  self->bar[0] = bar_height (params, black, samples);
  self->bar[1] = bar_height (params, white, samples);
  for (uint32_t m = 0; m < CURVES_N_MARKS; m++)
    self->mark[m] = mark_column (params, curve, bins, m);
}

/* Whether neither neighbour of bin v is taller. */
static bool
is_summit (const uint32_t height[AMPHISTO_N_BINS], uint32_t v)
{
  return (v == 0 || height[v - 1] <= height[v])
      && (v == AMPHISTO_N_BINS - 1 || height[v + 1] <= height[v]);
}

/* The curve's height in one of its columns: the tallest of the column's
 * bins, or interpolated between the two nearest bins. Summits keep their height
 * in the column that is nearest to them. */
static uint32_t
curve_height (const Curve *self, uint32_t column)
{
  const uint32_t *height = self->height;
  const uint32_t width = self->curve->width;

  if (width < AMPHISTO_N_BINS) {
    uint32_t most = 0;

    for (uint32_t v = column * AMPHISTO_N_BINS / width;
         v < (column + 1) * AMPHISTO_N_BINS / width; v++)
      most = MAX (most, height[v]);
    return most;
  }

  const uint32_t at = column * self->curve->bins_per_column;
  const uint32_t v = MIN (at >> 16, 254);
  const uint32_t fraction = MIN ((at - (v << 16)) >> 8, 256);
  const uint32_t nearest = v + (fraction >= 128);

  if (is_summit (height, nearest)
      && (nearest * (width - 1) + 127) / 255 == column)
    return height[nearest];
  return (height[v] * (256 - fraction) + height[v + 1] * fraction) >> 8;
}

/* The curve passes through the column's height in the column's middle, and
 * through the average with each neighbour at the column's sides. Steep lines
 * are as thick as flat lines, but do not reach beyond the neighbours' heights.
 */
static Edge
curve_edge (const Curve *self, uint32_t column)
{
  const uint32_t last = self->curve->width - 1;
  const int line = self->params->line_width;
  const int left = curve_height (self, column == 0 ? 0 : column - 1);
  const int middle = curve_height (self, column);
  const int right = curve_height (self, column == last ? last : column + 1);
  const int high = MAX (middle, (middle + MAX (left, right)) / 2);
  const int low = MIN (middle, (middle + MIN (left, right)) / 2);
  const int slope = high - low;
  const int length = MAX (16, slope) + MIN (16, slope) * 3 / 8;
  const int reach = line * length / 32;
  const int top = MAX (middle, MAX (left, right)) + line / 2;
  const int bottom = MIN (middle, MIN (left, right)) - line / 2;

  return (Edge){ .upper = MIN (high + reach, top),
    .lower = MAX (0, MAX (high - reach, bottom)),
    .span = MIN (slope + 16, 4095) };
}

/* The arrows above the bins that are cut off. */
static Edge
arrow_edge (const Curve *self, uint32_t x)
{
  const scope_params *scope = &self->params->scope;
  const uint32_t top =
      (scope->plot_top + scope->plot_height - 1 - self->params->arrow_top) * 16;
  Edge edge = { 0, 0, 16 };

  for (uint32_t v = 0; v < AMPHISTO_N_BINS; v++) {
    const uint32_t column = value_column (self->params, self->curve, v);
    const uint32_t fall =
        (x > column ? x - column : column - x) * CURVES_ARROW_SLOPE;

    if (self->is_cut[v] && fall < top)
      edge.upper = MAX (edge.upper, top - fall);
  }
  return edge;
}

/* The curve in column x of the panel, which may be in a bar, in the plot, or in
 * neither. */
static Edge
column_edge (const Curve *self, uint32_t x)
{
  const histogram_scope_params *params = self->params;
  const scope_params *scope = &params->scope;
  const uint32_t first = scope->plot_left + self->curve->left;

  if (x - params->bar_left < params->bar_width)
    return (Edge){ self->bar[0], 0, 16 };
  if (scope->panel_width - 1 - x - params->bar_left < params->bar_width)
    return (Edge){ self->bar[1], 0, 16 };
  if (x - first < self->curve->width)
    return curve_edge (self, x - first);
  return (Edge){ 0, 0, 16 };
}

static bool
is_on_gridline (const scope_params *scope, uint32_t at, uint32_t gridline)
{
  return at - gridline < scope->gridline_width;
}

/* --- panels --- */

static Column
make_column (const Curve *self, uint32_t x)
{
  const histogram_scope_params *params = self->params;
  Column column = { column_edge (self, x), arrow_edge (self, x), false };

  for (uint32_t m = 0; m < CURVES_N_MARKS; m++)
    column.has_mark |= is_on_gridline (&params->scope, x, self->mark[m]);
  return column;
}

/* The light of the moving gridlines in row y: on a logarithmic scale, bins of
 * 1, 10, 100, ... samples. */
static uint8_t
row_light (const histogram_scope_params *params, uint32_t peak, uint32_t y)
{
  const scope_params *scope = &params->scope;
  const uint32_t up = scope->plot_top + scope->plot_height - 1 - y;

  if (scope->has_graticule && params->is_log)
    for (uint32_t count = 1; count < peak && count < 1000000000; count *= 10)
      if (is_on_gridline (scope, up,
              height_of (params, level_of (params, peak, count)) / 16))
        return SCOPE_GRIDLINE_LIGHT;
  return 0;
}

void
amphisto_curves_measure (
    const scope_params *scope, const AmphistoScopeInput *input, void *trace)
{
  const histogram_scope_params *params = (const histogram_scope_params *) scope;

  amphisto_scales_move (params, input->bins, input->peaks);
  for (uint32_t p = 0; p < scope->panels_x * scope->panels_y; p++) {
    const curve_params *curve = &params->curve[p * params->panel_curves];
    const Trace part = trace_of (params, p, trace);

    for (uint32_t i = 0; i < params->panel_curves; i++) {
      Curve self = { .params = params, .curve = &curve[i] };

      measure_curve (
          &self, input->peaks[curve[i].scale], input->bins[curve[i].slot]);
      for (uint32_t x = 0; x < scope->panel_width; x++)
        part.columns[x * params->panel_curves + i] = make_column (&self, x);
    }
    for (uint32_t y = 0; y < scope->panel_height; y++)
      part.rows[y] = row_light (params, input->peaks[curve->scale], y);
  }
}

/* --- drawing --- */

/* Coverage of the pixel above `bottom` by the area below an edge, 0 to 255. */
static uint32_t
cover (uint32_t edge, uint32_t span, uint32_t bottom)
{
  const uint32_t below = edge > bottom ? MIN (edge - bottom, span) : 0;

  return below * 16 * (0xfffff / span) >> 16;
}

/* Adds the area below the curve to `areas`. Raises `brightest` to the light of
 * the curve alone. */
static void
add_curve (const curve_params *curve, const Edge *edge, uint32_t bottom,
    uint32_t areas[3], uint32_t brightest[3])
{
  const uint32_t fill = cover (edge->lower, edge->span, bottom);
  const uint32_t line = cover (edge->upper, edge->span, bottom) - fill;

  for (uint32_t c = 0; c < 3; c++) {
    areas[c] += (fill * curve->fill[c] + 255) >> 8;
    brightest[c] = MAX (brightest[c],
        (fill * curve->fill[c] + line * curve->line[c] + 255) >> 8);
  }
}

/* The light of a panel's curves. The light of areas adds up; lines keep their
 * colours over areas, which would otherwise turn them white. */
static void
curves_light (const histogram_scope_params *params, const curve_params *curve,
    const Column *column, uint32_t y, uint32_t rgb[3])
{
  const uint32_t bottom = params->scope.plot_top + params->scope.plot_height;
  uint32_t brightest[3] = { 0 };

  for (uint32_t i = 0; y < bottom && i < params->panel_curves; i++)
    add_curve (&curve[i],
        y < params->arrow_bottom ? &column[i].arrow : &column[i].edge,
        (bottom - 1 - y) * 16, rgb, brightest);
  for (uint32_t c = 0; c < 3; c++)
    rgb[c] = MAX (rgb[c], brightest[c]);
}

static bool
has_dash (const histogram_scope_params *params, uint32_t y)
{
  const scope_params *scope = &params->scope;

  return params->has_marks && y - scope->plot_top < scope->plot_height
      && (y - scope->plot_top) / (CURVES_DASH * scope->gridline_width) % 2 == 0;
}

/* Draws the marks of the curves over a pixel. */
static void
draw_marks (const histogram_scope_params *params, const curve_params *curve,
    const Column *column, AmphistoPixelLight *light)
{
  AmphistoPixelLight mark = { { 0, 0, 0, light->channel[3] } };
  bool has_mark = false;

  for (uint32_t i = 0; i < params->panel_curves; i++) {
    has_mark |= column[i].has_mark;
    for (uint32_t c = 0; column[i].has_mark && c < 3; c++)
      mark.channel[c] = MAX (mark.channel[c], curve[i].line[c]);
  }
  if (has_mark)
    *light = mark;
}

void
amphisto_curves_draw_pixel (const scope_params *scope, const void *trace,
    uint32_t panel, uint32_t x, uint32_t y, AmphistoPixelLight *light)
{
  const histogram_scope_params *params = (const histogram_scope_params *) scope;
  const Trace part = trace_of (params, panel, trace);
  const Column *column = &part.columns[x * params->panel_curves];
  const uint32_t row = part.rows[y];
  const curve_params *curve = &params->curve[panel * params->panel_curves];
  uint32_t rgb[3] = { 0 };

  for (uint32_t c = 0; c < 3; c++)
    light->channel[c] = MAX (light->channel[c], row);
  curves_light (params, curve, column, y, rgb);
  amphisto_light_draw_over (light, rgb);
  if (has_dash (params, y))
    draw_marks (params, curve, column, light);
}

/* --- labels --- */

#define MOST_LABELS (AMPHISTO_MAX_SLOTS * CURVES_N_MARKS)

/* The columns of a panel that a label takes; none if it is left out. */
typedef struct
{
  uint32_t begin;
  uint32_t end;
} Label;

/* A label of mark m in the middle of its mark, but within the plot, and left
 * out where it would touch one of the n earlier labels. */
static Label
place_label (const histogram_scope_params *params, uint32_t mark, uint32_t m,
    const Label *labels, uint32_t n)
{
  const scope_params *scope = &params->scope;
  const uint32_t width = params->label_left[m + 1] - params->label_left[m];
  const uint32_t end = scope->plot_left + scope->plot_width;
  const uint32_t middle = mark + scope->gridline_width / 2;
  const uint32_t begin =
      MAX (MIN (middle, end - width + width / 2), scope->plot_left + width / 2)
      - width / 2;

  for (uint32_t i = 0; i < n; i++)
    if (begin < labels[i].end && labels[i].begin < begin + width)
      return (Label){ 0, 0 };
  return begin + width <= end ? (Label){ begin, begin + width }
                              : (Label){ 0, 0 };
}

void
amphisto_curves_draw_labels (const scope_params *scope,
    const AmphistoScopeInput *input, AmphistoGraticule *graticule)
{
  const histogram_scope_params *params = (const histogram_scope_params *) scope;

  for (uint32_t p = 0;
       params->has_labels && p < scope->panels_x * scope->panels_y; p++) {
    const uint32_t left =
        scope->panels_left + p % scope->panels_x * scope->panel_width;
    const uint32_t top = scope->panels_top
        + p / scope->panels_x * scope->panel_height + params->label_top;
    Label labels[MOST_LABELS];

    for (uint32_t n = 0; n < params->panel_curves * CURVES_N_MARKS; n++) {
      const uint32_t i = n / CURVES_N_MARKS, m = n % CURVES_N_MARKS;
      const curve_params *curve = &params->curve[p * params->panel_curves + i];

      labels[n] = place_label (params,
          mark_column (params, curve, input->bins[curve->slot], m), m, labels,
          n);
      if (labels[n].end > 0)
        amphisto_scope_copy_glyphs (scope, params->label_left[m],
            labels[n].end - labels[n].begin, curve->line,
            left + labels[n].begin, top, graticule);
    }
  }
}
