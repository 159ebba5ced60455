/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/draw.h"
#include "core/arithmetic.h"
#include "core/blend.h"
#include "core/drawing.h"

/* --- curves --- */

/* The data for drawing a panel's curves. Heights are in 1/16 pixel above the
 * plot's lower end. */
typedef struct
{
  const overlay_params *params;
  const curve_params *curve;
  const uint32_t *caption; /* its light, row by row */
  uint32_t peak;
  /* heights of the bins */
  uint32_t height[AMPHISTO_MAX_SLOTS][AMPHISTO_N_BINS];
  /* heights of the black and the white bar */
  uint32_t bar[AMPHISTO_MAX_SLOTS][2];
  /* the percentiles, as values */
  uint32_t mark[AMPHISTO_MAX_SLOTS][OVERLAY_N_MARKS];
  /* whether the bins of black and of white are cut off */
  bool is_cut[AMPHISTO_MAX_SLOTS][2];
} Panel;

/* One curve in one column. The line's coverage ramps from 0 at `upper` to full
 * at `upper` - `span`; the coverage of the area below it, from 0 at `lower` to
 * full at `lower` - `span`. */
typedef struct
{
  uint32_t upper;
  uint32_t lower;
  uint32_t span;
} Edge;

typedef struct
{
  uint32_t light[3];
  Edge edge[AMPHISTO_MAX_SLOTS];
  Edge arrow[AMPHISTO_MAX_SLOTS];
} Column;

uint32_t
amphisto_overlay_log (uint32_t n)
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
scaled_count (const Panel *panel, uint32_t count)
{
  if (panel->params->is_log)
    return amphisto_overlay_log (count);
  for (uint32_t peak = panel->peak; peak > 65535; peak >>= 1)
    count >>= 1;
  return count;
}

/* The count relative to the peak, which is 65535. */
static uint32_t
level_of (const Panel *panel, uint32_t count)
{
  const uint32_t whole = MAX (1, scaled_count (panel, panel->peak));

  return scaled_count (panel, count) * (UINT32_MAX / whole) >> 16;
}

static uint32_t
height_of (const overlay_params *params, uint32_t level)
{
  return level * (params->plot_height * 16) >> 16;
}

/* Clipped to the plot's height. */
static uint32_t
bin_height (const Panel *panel, uint32_t count)
{
  return height_of (panel->params, level_of (panel, MIN (count, panel->peak)));
}

/* The panel's tallest bin between black and white, which would often flatten
 * the rest; if those bins are empty, the tallest of all bins. */
static uint32_t
tallest_bin (const Panel *panel, const uint32_t bins[][AMPHISTO_N_BINS])
{
  uint32_t all = 0, inner = 0;

  for (uint32_t i = 0; i < panel->params->panel_curves; i++) {
    const curve_params *curve = &panel->curve[i];

    for (uint32_t v = 0; v < AMPHISTO_N_BINS; v++) {
      all = MAX (all, bins[curve->slot][v]);
      if (v > curve->black && v < curve->white)
        inner = MAX (inner, bins[curve->slot][v]);
    }
  }
  return inner > 0 ? inner : all;
}

static void
move_peak (
    const Panel *panel, const uint32_t bins[][AMPHISTO_N_BINS], uint32_t *peak)
{
  const uint32_t tallest = tallest_bin (panel, bins);

  if (panel->params->reset || tallest >= *peak)
    *peak = tallest;
  else
    *peak -= (*peak - tallest + 15) / 16;
}

/* 0 for up to one sample in 100; above, at least 1/16 of the plot, to be
 * visible. */
static uint32_t
bar_height (const overlay_params *params, uint64_t clipped, uint64_t samples)
{
  const uint32_t height = params->plot_height * 16;

  if (clipped * 100 <= samples)
    return 0;
  return MAX (height / 16, height_of (params, clipped * 65535 / samples));
}

static void
measure (Panel *panel, uint32_t i, const uint32_t bins[AMPHISTO_N_BINS])
{
  const curve_params *curve = &panel->curve[i];
  uint64_t samples = 0, black = 0, white = 0, sum = 0;
  uint32_t n_marks = 0;

  for (uint32_t v = 0; v < AMPHISTO_N_BINS; v++) {
    panel->height[i][v] = bin_height (panel, bins[v]);
    samples += bins[v];
    black += v <= curve->black ? bins[v] : 0;
    white += v >= curve->white ? bins[v] : 0;
    panel->is_cut[i][0] |= v <= curve->black && bins[v] > panel->peak;
    panel->is_cut[i][1] |= v >= curve->white && bins[v] > panel->peak;
  }
  panel->bar[i][0] = bar_height (panel->params, black, samples);
  panel->bar[i][1] = bar_height (panel->params, white, samples);
  for (uint32_t v = 0; v < AMPHISTO_N_BINS; v++) {
    sum += bins[v];
    while (n_marks < OVERLAY_N_MARKS
        && sum * 100 >= samples * OVERLAY_MARK (n_marks))
      panel->mark[i][n_marks++] = v;
  }
}

/* The height of curve i in a column of the plot: the tallest of the column's
 * bins, or interpolated between the two nearest bins. */
static uint32_t
curve_height (const Panel *panel, uint32_t i, uint32_t column)
{
  const uint32_t *height = panel->height[i];
  const uint32_t width = panel->params->plot_width;

  if (width < AMPHISTO_N_BINS) {
    uint32_t most = 0;

    for (uint32_t v = column * AMPHISTO_N_BINS / width;
         v < (column + 1) * AMPHISTO_N_BINS / width; v++)
      most = MAX (most, height[v]);
    return most;
  }

  const uint32_t at = column * panel->params->bins_per_column;
  const uint32_t v = MIN (at >> 16, 254);
  const uint32_t fraction = MIN ((at - (v << 16)) >> 8, 256);

  return (height[v] * (256 - fraction) + height[v + 1] * fraction) >> 8;
}

/* The curve passes through the column's height in the column's middle, and
 * through the average with each neighbour at the column's sides. Steep lines
 * are as thick as flat lines, but do not reach beyond the neighbours' heights.
 */
static Edge
curve_edge (const Panel *panel, uint32_t i, uint32_t column)
{
  const uint32_t last = panel->params->plot_width - 1;
  const int line = panel->params->line_width;
  const int left = curve_height (panel, i, column == 0 ? 0 : column - 1);
  const int middle = curve_height (panel, i, column);
  const int right = curve_height (panel, i, column == last ? last : column + 1);
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

static uint32_t
value_column (const overlay_params *params, uint32_t v)
{
  return params->plot_left + (v * (params->plot_width - 1) + 127) / 255;
}

/* The arrows above the bins of black and white that are cut off. */
static Edge
arrow_edge (const Panel *panel, uint32_t i, uint32_t x)
{
  const uint32_t ends[2] = { panel->curve[i].black, panel->curve[i].white };
  const uint32_t top = (panel->params->plot_bottom - 1) * 16;
  Edge edge = { 0, 0, 16 };

  for (uint32_t end = 0; end < 2; end++) {
    const uint32_t column = value_column (panel->params, ends[end]);
    const uint32_t fall =
        (x > column ? x - column : column - x) * OVERLAY_ARROW_SLOPE;

    if (panel->is_cut[i][end] && fall < top)
      edge.upper = MAX (edge.upper, top - fall);
  }
  return edge;
}

/* Curve i in column x of the panel, which may be in a bar, in the plot, or in
 * neither. */
static Edge
column_edge (const Panel *panel, uint32_t i, uint32_t x)
{
  const overlay_params *params = panel->params;
  const uint32_t rule = params->gridline_width;

  if (x - rule < params->bar_width)
    return (Edge){ panel->bar[i][0], 0, 16 };
  if (params->panel_width - 1 - x - rule < params->bar_width)
    return (Edge){ panel->bar[i][1], 0, 16 };
  if (x - params->plot_left < params->plot_width)
    return curve_edge (panel, i, x - params->plot_left);
  return (Edge){ 0, 0, 16 };
}

/* --- graticule and marks --- */

static bool
is_on_gridline (const overlay_params *params, uint32_t at, uint32_t rule)
{
  return at - rule < params->gridline_width;
}

static bool
is_on_value (const overlay_params *params, uint32_t x, uint32_t v)
{
  return is_on_gridline (
      params, x, value_column (params, v) - params->gridline_width / 2);
}

static void
brighten (uint32_t light[3], uint32_t r, uint32_t g, uint32_t b)
{
  light[0] = MAX (light[0], r);
  light[1] = MAX (light[1], g);
  light[2] = MAX (light[2], b);
}

static void
draw_column_graticule (const Panel *panel, uint32_t x, uint32_t light[3])
{
  const overlay_params *params = panel->params;
  const uint32_t rule = params->gridline_width;
  uint32_t grey = 0;

  for (uint32_t v = 64; v < AMPHISTO_N_BINS; v += 64)
    if (is_on_value (params, x, v))
      grey = OVERLAY_QUARTER_LIGHT;
  if (is_on_gridline (params, x, params->plot_left - rule)
      || is_on_gridline (params, x, params->plot_left + params->plot_width))
    grey = OVERLAY_FRAME_LIGHT;
  brighten (light, grey, grey, grey);
  if (panel->curve->black > 0
      && (is_on_value (params, x, panel->curve->black)
          || is_on_value (params, x, panel->curve->white)))
    brighten (light, OVERLAY_LIMIT_R, OVERLAY_LIMIT_G, OVERLAY_LIMIT_B);
}

static Column
make_column (const Panel *panel, uint32_t x)
{
  const overlay_params *params = panel->params;
  Column column = { .light = { 0 } };

  if (params->has_graticule)
    draw_column_graticule (panel, x, column.light);
  for (uint32_t i = 0; i < params->panel_curves; i++) {
    const uint32_t *line = panel->curve[i].line;

    column.edge[i] = column_edge (panel, i, x);
    column.arrow[i] = arrow_edge (panel, i, x);
    for (uint32_t m = 0; params->has_marks && m < OVERLAY_N_MARKS; m++)
      if (is_on_value (params, x, panel->mark[i][m]))
        brighten (
            column.light, line[0] * 3 / 4, line[1] * 3 / 4, line[2] * 3 / 4);
  }
  return column;
}

/* The light of gridlines in row y: the frame and the quarters or, on a
 * logarithmic scale, bins of 1, 10, 100, ... samples. */
static uint32_t
row_light (const Panel *panel, uint32_t y)
{
  const overlay_params *params = panel->params;
  const uint32_t up = params->plot_bottom - 1 - y;

  if (!params->has_graticule)
    return 0;
  if (is_on_gridline (params, up, -params->gridline_width)
      || is_on_gridline (params, up, params->plot_height))
    return OVERLAY_FRAME_LIGHT;
  if (!params->is_log) {
    for (uint32_t quarter = 1; quarter < 4; quarter++)
      if (is_on_gridline (params, up, params->plot_height * quarter / 4))
        return OVERLAY_QUARTER_LIGHT;
  } else {
    for (uint32_t count = 1; count < panel->peak && count < 1000000000;
         count *= 10)
      if (is_on_gridline (
              params, up, height_of (params, level_of (panel, count)) / 16))
        return OVERLAY_QUARTER_LIGHT;
  }
  return 0;
}

/* --- pixels --- */

/* Coverage of the pixel above `bottom` by the area below an edge, 0 to 255. */
static uint32_t
cover (uint32_t edge, uint32_t span, uint32_t bottom)
{
  const uint32_t below = edge > bottom ? MIN (edge - bottom, span) : 0;

  return below * 16 * (0xfffff / span) >> 16;
}

static AmphistoPixelLight
graph_light (const Panel *panel, const Column *column, uint32_t y)
{
  const overlay_params *params = panel->params;
  const uint32_t row = row_light (panel, y);
  const uint32_t n_curves = y < params->plot_bottom ? params->panel_curves : 0;
  const Edge *edges = y < params->arrow_bottom ? column->arrow : column->edge;
  uint32_t light[3];

  for (uint32_t c = 0; c < 3; c++) {
    uint32_t sum = MAX (row, column->light[c]);

    for (uint32_t i = 0; i < n_curves; i++) {
      const Edge *edge = &edges[i];
      const uint32_t bottom = (params->plot_bottom - 1 - y) * 16;
      const uint32_t fill = cover (edge->lower, edge->span, bottom);
      const uint32_t line = cover (edge->upper, edge->span, bottom) - fill;

      sum += (fill * panel->curve[i].fill[c] + line * panel->curve[i].line[c]
                 + 255)
          >> 8;
    }
    light[c] = MIN (sum, 255);
  }
  return amphisto_pixel_light (
      light[0], light[1], light[2], params->background);
}

static AmphistoPixelLight
caption_light (const Panel *panel, uint32_t x, uint32_t y)
{
  const overlay_params *params = panel->params;
  const uint32_t row = y - params->caption_top;
  const uint32_t light = panel->caption[row * params->panel_width + x];

  return amphisto_pixel_light (
      light & 0xff, light >> 8 & 0xff, light >> 16 & 0xff, params->background);
}

/* x, y: the panel's first pixel in the frame. */
static void
draw_panel (const Panel *panel, const drawing_params *drawing, uint32_t x,
    uint32_t y, const AmphistoFrame *frame)
{
  const overlay_params *params = panel->params;
  const uint32_t n_rows = amphisto_drawing_rows (frame->layout);
  Column columns[OVERLAY_UNIT];
  AmphistoLightBlock block;

  for (uint32_t left = 0; left < params->panel_width; left += OVERLAY_UNIT) {
    for (uint32_t i = 0; i < OVERLAY_UNIT; i++)
      columns[i] = make_column (panel, left + i);
    for (uint32_t top = 0; top < params->panel_height; top += n_rows) {
      for (uint32_t j = 0; j < n_rows; j++)
        for (uint32_t i = 0; i < OVERLAY_UNIT; i++)
          block[j][i] = top + j < params->caption_top
              ? graph_light (panel, &columns[i], top + j)
              : caption_light (panel, left + i, top + j);
      amphisto_blend_block (drawing, block, x + left, y + top, frame);
    }
  }
}

void
amphisto_overlay_draw (const drawing_params *drawing,
    const overlay_params *params, const AmphistoGraticule *captions,
    const uint32_t bins[][AMPHISTO_N_BINS], AmphistoOverlayState *state,
    const AmphistoFrame *frame)
{
  const size_t caption_size =
      (size_t) (params->panel_height - params->caption_top)
      * params->panel_width;

  for (uint32_t p = 0; p < params->panels_x * params->panels_y; p++) {
    Panel panel = { .params = params,
      .curve = &params->curve[p * params->panel_curves],
      .caption = captions->light + p * caption_size };

    move_peak (&panel, bins, &state->peak[p]);
    panel.peak = state->peak[p];
    for (uint32_t i = 0; i < params->panel_curves; i++)
      measure (&panel, i, bins[panel.curve[i].slot]);
    draw_panel (&panel, drawing,
        params->x + p % params->panels_x * params->panel_width,
        params->y + p / params->panels_x * params->panel_height, frame);
  }
}
