/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/waveform.h"
#include "core/pixels/arithmetic.h"
#include "core/scopes/axis.h"
#include "core/scopes/captions.h"
#include "core/scopes/places.h"
#include "core/pixels/samples.h"
#include "core/pixels/channels.h"

#include <math.h>
#include <string.h>

/* Cells with HALF_BRIGHTNESS times the mean number of samples are halfway from
 * the faintest to the brightest. Luma is neutral: in panels with colours it
 * needs SHARED_LUMA_FACTOR times as many, so that only its lines are white. */
#define HALF_BRIGHTNESS 2
#define SHARED_LUMA_FACTOR 4
/* Strips are multiples of a word in the GPU shape, of a vector in the CPU
 * shape. */
#define GPU_STRIP_UNIT 4
#define CPU_STRIP_UNIT 16
/* Width of the legend of false colour, in gridlines. */
#define LEGEND_GRIDLINES 4
/* The most that figures take of a scope's width, as a divisor of it. */
#define FIGURES_DIVISOR 4

/* Red, green and blue of traces beyond 0 and 100 %: orange. */
static const uint32_t beyond_colour[3] = { 255, 150, 20 };

/* --- parameters --- */

/* factor: multiplies the number of samples for half of the brightness. */
static void
fill_brightness (uint32_t factor, double intensity, trace_params *trace)
{
  const uint64_t height = trace->samples.height;

  for (uint32_t kind = 0; kind < 4; kind++) {
    const uint64_t n_columns = trace->samples.width / trace->columns + kind % 2;
    const uint64_t n_values = AMPHISTO_N_BINS / trace->rows + kind / 2;

    /* a column's samples are spread over 256 values */
    amphisto_scope_fill_brightness (
        n_columns * n_values * height * HALF_BRIGHTNESS * factor, intensity,
        trace->brightness[kind]);
  }
}

/* The row of the plot, counted from its lowest, not rounded: the middle of a
 * position on the axis, in 1/65536. */
static double
row_at (const waveform_params *params, uint32_t position)
{
  return (position * (255 / 65536.0) + 0.5) * params->scope.plot_height
      / AMPHISTO_N_BINS;
}

/* Stores the trace's rows of the plot, for luma's codes if it is unclamped.
 * Codes that are lower than a row are in the row of their middle: the same row
 * as another trace's code at the same position. */
static void
fill_rows (const AmphistoScopeWork *work, const waveform_params *params,
    trace_params *trace)
{
  const AmphistoAxisSpan span = amphisto_axis_span (work->part, work->shown,
      trace->is_unclamped ? AMPHISTO_CHANNEL_LUMA : trace->channel);
  const double first = row_at (params, span.first);
  const double last = row_at (params, span.last);
  const double edge = fmax (0, (last - first) / 255 - 1) / 2;

  trace->bottom = (uint32_t) floor (first - edge);
  trace->height = (uint32_t) floor (last + edge) + 1 - trace->bottom;
  trace->rows = MIN (trace->height, AMPHISTO_N_BINS);
  trace->row_scale = (65536 * trace->rows + trace->height - 1) / trace->height;
}

/* The row of a trace that has value v. */
static uint32_t
row_of (const trace_params *trace, uint32_t v)
{
  return (2 * v + 1) * trace->rows / (2 * AMPHISTO_N_BINS);
}

/* Stores the trace's colours. U and V beyond their range keep their own: there
 * is no white or black in them. */
static void
fill_colours (const AmphistoScopeWork *work, trace_params *trace)
{
  const AmphistoRange range = amphisto_channel_range (
      work->part, trace->is_unclamped ? AMPHISTO_CHANNEL_LUMA : trace->channel);
  const uint32_t *colour = amphisto_channel_styles[trace->channel].line;

  trace->first_legal = row_of (trace, range.lo);
  trace->end_legal = row_of (trace, range.hi) + 1;
  memcpy (trace->colour, colour, sizeof trace->colour);
  memcpy (trace->beyond,
      amphisto_channel_is_chroma (trace->channel) ? colour : beyond_colour,
      sizeof trace->beyond);
}

static void
fill_trace (const AmphistoScopeWork *work, const waveform_params *params,
    trace_params *trace)
{
  const AmphistoRange range =
      amphisto_channel_range (work->part, trace->channel);
  const bool is_shared_luma = trace->channel == AMPHISTO_CHANNEL_LUMA
      && params->scope.panels_x * params->scope.panels_y == 1
      && work->shown & AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_RED);

  trace->samples = amphisto_layout_component (work->part, trace->channel);
  trace->is_unclamped = amphisto_axis_is_unclamped (work->part, trace->channel);
  trace->slot = amphisto_scope_slot (work, trace->channel);
  trace->lo = range.lo;
  trace->hi = range.hi;
  trace->columns = MIN (params->scope.plot_width, trace->samples.width);
  fill_rows (work, params, trace);
  fill_colours (work, trace);
  fill_brightness (is_shared_luma ? SHARED_LUMA_FACTOR : 1,
      work->settings->intensity, trace);
}

static bool
has_picture_colours (const AmphistoScopeWork *work)
{
  return work->settings->waveform_colors == AMPHISTO_WAVEFORM_PICTURE
      && work->shown & AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_LUMA)
      && (work->part->is_rgb || amphisto_layout_is_yuv (work->part));
}

static void
fill_traces (const AmphistoScopeWork *work, waveform_params *params)
{
  for (unsigned c = 0; c < AMPHISTO_N_CHANNELS; c++)
    if (work->shown & AMPHISTO_CHANNEL_BIT (c)) {
      trace_params *trace = &params->trace[params->n_traces++];

      trace->channel = c;
      fill_trace (work, params, trace);
    }
  params->has_picture_colours = has_picture_colours (work);
}

/* The columns of the widest figure at the left of the panels. */
static uint32_t
widest_figure (const scope_params *scope)
{
  uint32_t width = 0;

  for (uint32_t y = 0; y < scope->panels_y; y++)
    width = MAX (width, amphisto_captions_width (scope, y * scope->panels_x));
  return width;
}

/* Divides the width: figures, the panels, and figures of the last panel if they
 * are others. In a panel, the legend is left of the plot. */
static void
divide_width (waveform_params *params)
{
  scope_params *scope = &params->scope;
  const uint32_t margin = amphisto_scope_side_margin (scope);
  const uint32_t gap =
      amphisto_scope_columns (scope, amphisto_scope_text_gap (scope));
  const uint32_t last = scope->panels_x - 1;
  uint32_t left = 0, right = 0;

  if (scope->has_graticule) {
    left = round_up (widest_figure (scope) + gap, SCOPE_UNIT);
    if (!amphisto_captions_are_same (scope, 0, last))
      right = amphisto_captions_width (scope, last) + gap;
  }
  params->has_figures =
      left > 0 && (left + right) * FIGURES_DIVISOR <= scope->width;
  params->has_right_figures = params->has_figures && right > 0;
  if (params->has_figures) {
    scope->panels_left = left;
    scope->panel_width = (scope->width - left - right) / scope->panels_x
        / AMPHISTO_PANEL_UNIT * AMPHISTO_PANEL_UNIT;
  }
  if (scope->has_graticule && scope->has_legend
      && scope->channels & AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_LUMA))
    params->legend_width = LEGEND_GRIDLINES * scope->gridline_width;
  scope->plot_left = margin + params->legend_width
      + (params->legend_width > 0 ? 2 * scope->gridline_width : 0);
  scope->plot_width = scope->panel_width - scope->plot_left - margin;
}

/* Divides a panel's height: the letters, and the plot within its border. */
static void
divide_height (const AmphistoScopeWork *work, waveform_params *params)
{
  scope_params *scope = &params->scope;
  const uint32_t margin = amphisto_scope_margin (scope);
  uint32_t room = scope->panel_height - 2 * margin;

  scope->has_letters = amphisto_captions_letters_fit (scope)
      && amphisto_captions_take_row (scope, &room);
  if (scope->has_letters)
    amphisto_captions_place (work, scope, 0);
  scope->plot_height = amphisto_scope_plot_size (room);
  scope->plot_top =
      scope->panel_height - margin - room + (room - scope->plot_height) / 2;
  scope->letters_top = scope->plot_top - amphisto_captions_row (scope);
  params->most_rows = MIN (scope->plot_height, AMPHISTO_N_BINS);
}

static void
fill_axis (const AmphistoScopeWork *work, waveform_params *params)
{
  scope_params *scope = &params->scope;

  for (uint32_t i = 0; i < SCOPE_N_TICKS; i++)
    scope->ticks[i] =
        (uint32_t) row_at (params, amphisto_captions_tick (work, scope, i));
}

/* Lines off the axis are left out. */
static void
fill_reference_lines (const AmphistoScopeWork *work, waveform_params *params)
{
  const AmphistoReferenceLines *lines = &work->settings->reference_lines;

  for (uint32_t i = 0; i < lines->n; i++)
    if (amphisto_axis_reaches (work->part, work->shown, lines->percent[i]))
      params->reference_row[params->n_reference_lines++] = (uint32_t) row_at (
          params,
          amphisto_axis_percent (work->part, work->shown, lines->percent[i]));
}

/* Whether the next three traces are red, green and blue of the same pixels:
 * packed, or calculated from YUV. */
static bool
are_colours (const waveform_params *params, uint32_t first)
{
  const trace_params *trace = &params->trace[first];

  return first + 2 < params->n_traces
      && trace[0].channel == AMPHISTO_CHANNEL_RED
      && trace[2].channel == AMPHISTO_CHANNEL_BLUE
      && (trace->samples.plane == AMPHISTO_YUV_RED
          || trace->samples.pixel_stride > 1);
}

/* Forms passes: a pass for each trace, but in the CPU shape one for the
 * colours, whose pixels are then read or calculated once. Luma in the colours
 * of the picture has a kernel of its own.
 *
 * Returns: the maximum number of traces in a pass. */
static uint32_t
fill_passes (waveform_params *params, bool is_gpu_shape)
{
  uint32_t first = params->has_picture_colours ? 1 : 0;
  uint32_t most = 1;

  params->n_passes = 0;
  while (first < params->n_traces) {
    const uint32_t n = !is_gpu_shape && are_colours (params, first) ? 3 : 1;

    params->first_trace[params->n_passes++] = first;
    first += n;
    most = MAX (most, n);
  }
  params->first_trace[params->n_passes] = first;
  return most;
}

void
amphisto_waveform_divide (
    waveform_params *params, uint32_t n, bool is_gpu_shape)
{
  const uint32_t unit = is_gpu_shape ? GPU_STRIP_UNIT : CPU_STRIP_UNIT;
  const uint32_t most = is_gpu_shape ? WAVEFORM_GPU_STRIP : WAVEFORM_MAX_STRIP;
  const uint32_t pass_traces = fill_passes (params, is_gpu_shape);
  const uint32_t width = params->scope.panel_width;
  const uint32_t n_columns = params->n_passes * width;
  const uint32_t each = (n_columns / n + unit) / unit * unit;

  params->strip = MIN (each, most / pass_traces);
  params->n_strips = (width + params->strip - 1) / params->strip;
}

static void
fill_params (const AmphistoScopeWork *work, scope_params *scope)
{
  waveform_params *params = (waveform_params *) scope;
  const AmphistoDivision *division = work->division;

  amphisto_captions_init (work, scope);
  divide_width (params);
  divide_height (work, params);
  fill_axis (work, params);
  fill_traces (work, params);
  fill_reference_lines (work, params);
  params->panel_traces = params->n_traces / (scope->panels_x * scope->panels_y);
  amphisto_waveform_divide (params,
      division->is_gpu_shape ? division->n_groups : division->n_slices,
      division->is_gpu_shape);
}

/* Plane i of the waveform's traces: trace i, or the colour i - n_traces of
 * luma's. */
static uint8_t *
plane_of_trace (const waveform_params *params, const void *trace, uint32_t i)
{
  return (uint8_t *) trace
      + (size_t) i * params->most_rows * params->scope.panel_width;
}

/* Kernels read SCOPE_UNIT columns at once, even at the end. */
static size_t
trace_size (const scope_params *scope)
{
  const waveform_params *params = (const waveform_params *) scope;
  const uint32_t n_planes =
      params->n_traces + (params->has_picture_colours ? 3 : 0);

  return (size_t) n_planes * params->most_rows * scope->panel_width
      + SCOPE_UNIT;
}

/* --- counting --- */

/* The first sample of a row that belongs to the column. */
static uint32_t
first_sample (const trace_params *trace, uint32_t column)
{
  return ((uint64_t) column * trace->samples.width + trace->columns - 1)
      / trace->columns;
}

/* The first value that belongs to the row. */
static uint32_t
first_value (const trace_params *trace, uint32_t row)
{
  return (row * 2 * AMPHISTO_N_BINS + trace->rows - 1) / (2 * trace->rows);
}

/* The trace's value of sample (x, y). */
static uint32_t
value_at (const trace_params *trace, const AmphistoFrame *frame, uint32_t x,
    uint32_t y)
{
  int32_t colour;

  if (!trace->is_unclamped)
    return amphisto_frame_value (frame, trace->channel, x, y);
  colour = amphisto_frame_unclamped (frame, trace->channel, x, y);
  return WAVEFORM_CODE (
      MIN (MAX (colour, WAVEFORM_LEAST_COLOUR), WAVEFORM_MOST_COLOUR));
}

static void
count_column (const trace_params *trace, uint32_t column,
    const AmphistoFrame *frame, uint8_t counts[AMPHISTO_N_BINS])
{
  const uint32_t end = first_sample (trace, column + 1);

  memset (counts, 0, AMPHISTO_N_BINS);
  for (uint32_t y = 0; y < trace->samples.height; y++)
    for (uint32_t x = first_sample (trace, column); x < end; x++) {
      const uint32_t v = value_at (trace, frame, x, y);
      uint8_t *count = &counts[row_of (trace, v)];

      *count += *count < 255;
    }
}

static uint8_t
cell_brightness (
    const trace_params *trace, uint32_t column, uint32_t row, uint8_t count)
{
  const uint32_t n_samples =
      first_sample (trace, column + 1) - first_sample (trace, column);
  const uint32_t n_values =
      first_value (trace, row + 1) - first_value (trace, row);
  const uint32_t kind = n_samples - trace->samples.width / trace->columns
      + 2 * (n_values - AMPHISTO_N_BINS / trace->rows);

  return trace->brightness[kind][count / 4] >> count % 4 * 8;
}

static void
measure_trace (const waveform_params *params, const trace_params *trace,
    const AmphistoFrame *frame, uint8_t *cells)
{
  const scope_params *scope = &params->scope;
  uint8_t counts[AMPHISTO_N_BINS] = { 0 };
  uint32_t counted = UINT32_MAX;

  memset (cells, 0, (size_t) params->most_rows * scope->panel_width);
  for (uint32_t x = 0; x < scope->plot_width; x++) {
    const uint32_t column = (uint64_t) x * trace->columns / scope->plot_width;

    if (column != counted)
      count_column (trace, counted = column, frame, counts);
    for (uint32_t row = 0; row < trace->rows; row++)
      if (counts[row] > 0) /* most have none */
        cells[row * scope->panel_width + scope->plot_left + x] =
            cell_brightness (trace, column, row, counts[row]);
  }
}

/* --- colours of the picture --- */

/* Pixels of a cell: their number, and the sums of Y, U and V, or of R, G and B,
 * modulo 2^32. */
typedef struct
{
  uint32_t n;
  uint32_t sum[3];
} PixelSum;

static void
add_pixel (const AmphistoFrame *frame, uint32_t x, uint32_t y, PixelSum *cell)
{
  const AmphistoLayout *layout = frame->layout;
  const AmphistoComponent *first =
      &layout->component[layout->is_rgb ? AMPHISTO_CHANNEL_RED
                                        : AMPHISTO_CHANNEL_LUMA];

  cell->n++;
  for (uint32_t c = 0; c < 3; c++)
    cell->sum[c] += amphisto_pixel_sample (frame, &first[c], x, y);
}

static void
add_column (const trace_params *luma, uint32_t column,
    const AmphistoFrame *frame, PixelSum cells[AMPHISTO_N_BINS])
{
  const uint32_t end = first_sample (luma, column + 1);

  memset (cells, 0, sizeof (PixelSum[AMPHISTO_N_BINS]));
  for (uint32_t y = 0; y < luma->samples.height; y++)
    for (uint32_t x = first_sample (luma, column); x < end; x++)
      add_pixel (
          frame, x, y, &cells[row_of (luma, value_at (luma, frame, x, y))]);
}

/* Stores red, green and blue of the cell's mean pixel, to the nearest. */
static void
mean_colour (
    const AmphistoLayout *layout, const PixelSum *cell, uint32_t rgb[3])
{
  uint8_t mean[3];

  for (uint32_t c = 0; c < 3; c++)
    rgb[c] = mean[c] = (cell->sum[c] + cell->n / 2) / cell->n;
  for (uint32_t c = 0; c < 3 && !layout->is_rgb; c++)
    rgb[c] =
        amphisto_matrix_sample (layout->matrix[c], mean[0], mean[1], mean[2]);
}

/* Component c of the colour, whose greatest component becomes `light`. */
static uint8_t
at_light (const uint32_t rgb[3], uint32_t c, uint32_t light)
{
  const uint32_t greatest = MAX (MAX (rgb[0], rgb[1]), rgb[2]);

  return greatest == 0 ? light : (rgb[c] * light + greatest / 2) / greatest;
}

/* Stores the colours of luma's cells, behind the traces. */
static void
measure_colours (
    const waveform_params *params, const AmphistoFrame *frame, void *traces)
{
  const scope_params *scope = &params->scope;
  const trace_params *luma = &params->trace[0];
  const uint8_t *lights = traces;
  PixelSum cells[AMPHISTO_N_BINS] = { 0 };
  uint32_t added = UINT32_MAX;

  memset (plane_of_trace (params, traces, params->n_traces), 0,
      3 * (size_t) params->most_rows * scope->panel_width);
  for (uint32_t x = 0; x < scope->plot_width; x++) {
    const uint32_t column = (uint64_t) x * luma->columns / scope->plot_width;

    if (column != added)
      add_column (luma, added = column, frame, cells);
    for (uint32_t row = 0; row < luma->rows; row++) {
      const uint32_t at = row * scope->panel_width + scope->plot_left + x;
      uint32_t rgb[3];

      if (cells[row].n == 0)
        continue;
      mean_colour (frame->layout, &cells[row], rgb);
      for (uint32_t c = 0; c < 3; c++)
        plane_of_trace (params, traces, params->n_traces + c)[at] =
            at_light (rgb, c, lights[at]);
    }
  }
}

static void
measure (
    const scope_params *scope, const AmphistoScopeInput *input, void *trace)
{
  const waveform_params *params = (const waveform_params *) scope;

  for (uint32_t t = 0; t < params->n_traces; t++)
    measure_trace (params, &params->trace[t], input->frame,
        plane_of_trace (params, trace, t));
  if (params->has_picture_colours)
    measure_colours (params, input->frame, trace);
}

/* --- drawing --- */

/* Whether a row of the trace has values from 0 to 100 %. */
static bool
is_legal (const trace_params *trace, uint32_t row)
{
  return row >= trace->first_legal && row < trace->end_legal;
}

/* Stores the light of the cell in column x of the panel, in a row of trace i.
 *
 * Returns: its brightness. */
static uint32_t
light_of_cell (const waveform_params *params, const void *traces, uint32_t i,
    uint32_t row, uint32_t x, uint32_t rgb[3])
{
  const trace_params *trace = &params->trace[i];
  const size_t at = (size_t) row * params->scope.panel_width + x;
  const uint32_t brightness = plane_of_trace (params, traces, i)[at];
  const bool has_picture_colours =
      params->has_picture_colours && i == 0 && is_legal (trace, row);
  const uint32_t *colour =
      is_legal (trace, row) ? trace->colour : trace->beyond;

  for (uint32_t c = 0; c < 3; c++)
    rgb[c] = has_picture_colours
        ? plane_of_trace (params, traces, params->n_traces + c)[at]
        : (brightness * colour[c] + 255) >> 8;
  return brightness;
}

/* Draws a cell of a trace over the graticule: raises `light` to its light. */
static void
join_cell (AmphistoPixelLight *light, AmphistoPixelLight graticule,
    const uint32_t rgb[3], uint32_t brightness)
{
  amphisto_light_draw_trace_over (&graticule, rgb, brightness);
  for (uint32_t c = 0; c < 3; c++)
    light->channel[c] = MAX (light->channel[c], graticule.channel[c]);
}

/* Of the traces' light, the brightest stays, for red, green and blue
 * separately: a sum would be white wherever traces are dense. */
static void
draw_pixel (const scope_params *scope, const void *traces, uint32_t panel,
    uint32_t x, uint32_t y, AmphistoPixelLight *light)
{
  const waveform_params *params = (const waveform_params *) scope;
  const AmphistoPixelLight below = *light;
  const uint32_t up = scope->plot_top + scope->plot_height - 1 - y;
  const uint32_t first = panel * params->panel_traces;

  for (uint32_t i = first; i < first + params->panel_traces; i++) {
    const trace_params *trace = &params->trace[i];
    const uint32_t at = up - trace->bottom;
    uint32_t rgb[3], brightness;

    if (at >= trace->height)
      continue;
    brightness =
        light_of_cell (params, traces, i, at * trace->row_scale >> 16, x, rgb);
    join_cell (light, below, rgb, brightness);
  }
}

const AmphistoScope amphisto_waveform = { "waveform",
  "Waveform: values of each column of the picture",
  offsetof (AmphistoScopeParams, waveform), false, fill_params,
  amphisto_waveform_draw_graticule, trace_size, measure, draw_pixel,
  amphisto_captions_draw_numbers };
