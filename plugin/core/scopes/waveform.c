/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/waveform.h"
#include "core/pixels/arithmetic.h"
#include "core/change/exposure.h"
#include "core/scopes/font.h"
#include "core/pixels/samples.h"
#include "core/pixels/channels.h"

#include <string.h>

/* Cells with HALF_BRIGHTNESS times the mean number of samples have half of the
 * brightness. */
#define HALF_BRIGHTNESS 2
/* Strips are multiples of a word in the GPU shape, of a vector in the CPU
 * shape. */
#define GPU_STRIP_UNIT 4
#define CPU_STRIP_UNIT 16
/* Width of the legend of false colour, in gridlines. */
#define LEGEND_GRIDLINES 4

/* --- parameters --- */

static void
fill_brightness (uint32_t rows, trace_params *trace)
{
  const uint64_t height = trace->samples.height;

  for (uint32_t kind = 0; kind < 4; kind++) {
    const uint64_t n_columns = trace->samples.width / trace->columns + kind % 2;
    const uint64_t n_values = AMPHISTO_N_BINS / rows + kind / 2;

    /* a column's samples are spread over 256 values */
    amphisto_scope_fill_brightness (
        n_columns * n_values * height * HALF_BRIGHTNESS,
        trace->brightness[kind]);
  }
}

static void
fill_trace (
    const AmphistoLayout *part, AmphistoChannel channel, trace_params *trace)
{
  uint8_t lo, hi;

  amphisto_channel_range (part, channel, &lo, &hi);
  trace->samples = amphisto_layout_component (part, channel);
  trace->channel = channel;
  trace->lo = lo;
  trace->hi = hi;
  memcpy (trace->colour, amphisto_channel_styles[channel].line,
      sizeof trace->colour);
}

static void
fill_traces (const AmphistoScopeWork *work, waveform_params *params)
{
  for (unsigned c = 0; c < AMPHISTO_N_CHANNELS; c++) {
    trace_params *trace = &params->trace[params->n_traces];

    if (!(work->shown & AMPHISTO_CHANNEL_BIT (c)))
      continue;
    fill_trace (work->part, c, trace);
    trace->slot = amphisto_scope_slot (work, c);
    trace->columns = MIN (params->scope.plot_width, trace->samples.width);
    fill_brightness (params->rows, trace);
    params->n_traces++;
  }
}

/* Divides a panel: a frame of gridlines around the plot, with some space
 * outside. */
static void
divide_panel (waveform_params *params)
{
  scope_params *scope = &params->scope;
  const uint32_t gridline = scope->gridline_width;

  scope->plot_left = 2 * gridline;
  scope->plot_width = scope->panel_width - 4 * gridline;
  scope->plot_height =
      amphisto_scope_plot_size (scope->panel_height - 4 * gridline);
  scope->plot_top = (scope->panel_height - scope->plot_height) / 2;
  params->rows = MIN (scope->plot_height, AMPHISTO_N_BINS);
  params->legend_width = scope->has_legend ? LEGEND_GRIDLINES * gridline : 0;
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
 * colours, whose pixels are then read or calculated once.
 *
 * Returns: the maximum number of traces in a pass. */
static uint32_t
fill_passes (waveform_params *params, bool is_gpu_shape)
{
  uint32_t first = 0;
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

  divide_panel (params);
  fill_traces (work, params);
  params->panel_traces = params->n_traces / (scope->panels_x * scope->panels_y);
  amphisto_waveform_divide (params,
      division->is_gpu_shape ? division->n_groups : division->n_slices,
      division->is_gpu_shape);
}

/* Kernels read SCOPE_UNIT columns at once, even at the end. */
static size_t
trace_size (const scope_params *scope)
{
  const waveform_params *params = (const waveform_params *) scope;

  return (size_t) params->n_traces * params->rows * scope->panel_width
      + SCOPE_UNIT;
}

/* --- graticule --- */

/* The panel's row for the middle of value lo + quarter / 4 (hi - lo) of the
 * trace's range. */
static uint32_t
row_of_quarter (
    const waveform_params *params, const trace_params *trace, uint32_t quarter)
{
  const scope_params *scope = &params->scope;
  const uint32_t v4 = 4 * trace->lo + quarter * (trace->hi - trace->lo);

  return scope->plot_top + scope->plot_height - 1
      - (v4 + 2) * scope->plot_height / (4 * AMPHISTO_N_BINS);
}

/* The quarters of the range and, for limited range, its ends. */
static void
draw_gridlines (const waveform_params *params, const trace_params *trace,
    AmphistoGraticule *graticule)
{
  const scope_params *scope = &params->scope;

  for (uint32_t quarter = 0; quarter <= 4; quarter++) {
    const bool is_limit = quarter % 4 == 0;

    if (!is_limit || trace->lo > 0)
      amphisto_graticule_fill (graticule, scope->plot_left,
          row_of_quarter (params, trace, quarter) - scope->gridline_width / 2,
          scope->plot_width, scope->gridline_width,
          is_limit ? AMPHISTO_SCOPE_LIMIT : AMPHISTO_SCOPE_QUARTER);
  }
}

/* The legend of false colour, aligned with luma's values. */
static void
draw_legend (const waveform_params *params, const trace_params *luma,
    AmphistoGraticule *graticule)
{
  const scope_params *scope = &params->scope;

  for (uint32_t up = 0; up < scope->plot_height; up++)
    amphisto_graticule_fill (graticule, scope->plot_left,
        scope->plot_top + scope->plot_height - 1 - up, params->legend_width, 1,
        amphisto_exposure_light (luma->lo, luma->hi,
            (uint8_t) (up * AMPHISTO_N_BINS / scope->plot_height)));
}

/* The height of text, in rows, for which the letters of the traces have room; 0
 * if there is none. */
static uint32_t
text_height (const waveform_params *params)
{
  const scope_params *scope = &params->scope;
  const uint32_t room = scope->plot_width - params->legend_width;
  uint32_t height =
      MIN (amphisto_scope_text_height (scope), scope->plot_height / 5);

  while (height >= AMPHISTO_TEXT_LEAST
      && params->panel_traces * amphisto_scope_letter_advance (scope, height)
          > room)
    height--;
  return height >= AMPHISTO_TEXT_LEAST ? height : 0;
}

/* The letters of the traces at the right, and the scale's ends at the left.
 * "100" is left out where it would touch the letters. */
static void
draw_text (const waveform_params *params, const trace_params *traces,
    uint32_t height, AmphistoGraticule *graticule)
{
  const scope_params *scope = &params->scope;
  const uint32_t space = height * 2 / 7;
  const uint32_t gap = amphisto_scope_columns (scope, space);
  const uint32_t advance = amphisto_scope_letter_advance (scope, height);
  const uint32_t left = scope->plot_left + params->legend_width + gap;
  const uint32_t letters =
      scope->plot_left + scope->plot_width - params->panel_traces * advance;
  const uint32_t top = row_of_quarter (params, traces, 4) + space;
  const uint32_t bottom = row_of_quarter (params, traces, 0) - space;

  for (uint32_t i = 0; i < params->panel_traces; i++) {
    const uint32_t *colour = traces[i].colour;

    amphisto_graticule_text (graticule, letters + i * advance, top, height,
        amphisto_channel_styles[traces[i].channel].letter,
        AMPHISTO_LIGHT (colour[0], colour[1], colour[2]));
  }
  if (left + 2 * gap
          + amphisto_graticule_text_width ("100", height, scope->pixel_aspect)
      <= letters)
    amphisto_graticule_text (
        graticule, left, top, height, "100", AMPHISTO_SCOPE_TEXT);
  amphisto_graticule_text (
      graticule, left, bottom - height + 1, height, "0", AMPHISTO_SCOPE_TEXT);
}

/* Gridlines and text use the range of the panel's first trace. */
static void
draw_graticule (
    const scope_params *scope, uint32_t p, AmphistoGraticule *graticule)
{
  const waveform_params *params = (const waveform_params *) scope;
  const trace_params *traces = &params->trace[p * params->panel_traces];
  const uint32_t height = text_height (params);

  if (!scope->has_graticule)
    return;
  amphisto_scope_draw_border (scope, graticule);
  draw_gridlines (params, traces, graticule);
  if (traces->channel == AMPHISTO_CHANNEL_LUMA)
    draw_legend (params, traces, graticule);
  if (height > 0)
    draw_text (params, traces, height, graticule);
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
first_value (const waveform_params *params, uint32_t row)
{
  return (row * AMPHISTO_N_BINS + params->rows - 1) / params->rows;
}

static void
count_column (const waveform_params *params, const trace_params *trace,
    uint32_t column, const AmphistoFrame *frame,
    uint8_t counts[AMPHISTO_N_BINS])
{
  const uint32_t end = first_sample (trace, column + 1);

  memset (counts, 0, AMPHISTO_N_BINS);
  for (uint32_t y = 0; y < trace->samples.height; y++)
    for (uint32_t x = first_sample (trace, column); x < end; x++) {
      const uint8_t v = amphisto_frame_value (frame, trace->channel, x, y);
      uint8_t *count = &counts[v * params->rows / AMPHISTO_N_BINS];

      *count += *count < 255;
    }
}

static uint8_t
cell_brightness (const waveform_params *params, const trace_params *trace,
    uint32_t column, uint32_t row, uint8_t count)
{
  const uint32_t n_samples =
      first_sample (trace, column + 1) - first_sample (trace, column);
  const uint32_t n_values =
      first_value (params, row + 1) - first_value (params, row);
  const uint32_t kind = n_samples - trace->samples.width / trace->columns
      + 2 * (n_values - AMPHISTO_N_BINS / params->rows);

  return trace->brightness[kind][count / 4] >> count % 4 * 8;
}

static void
measure_trace (const waveform_params *params, const trace_params *trace,
    const AmphistoFrame *frame, uint8_t *cells)
{
  const scope_params *scope = &params->scope;
  uint8_t counts[AMPHISTO_N_BINS] = { 0 };
  uint32_t counted = UINT32_MAX;

  memset (cells, 0, (size_t) params->rows * scope->panel_width);
  for (uint32_t x = 0; x < scope->plot_width; x++) {
    const uint32_t column = (uint64_t) x * trace->columns / scope->plot_width;

    if (column != counted)
      count_column (params, trace, counted = column, frame, counts);
    for (uint32_t row = 0; row < params->rows; row++)
      cells[row * scope->panel_width + scope->plot_left + x] =
          cell_brightness (params, trace, column, row, counts[row]);
  }
}

static void
measure (
    const scope_params *scope, const AmphistoScopeInput *input, void *trace)
{
  const waveform_params *params = (const waveform_params *) scope;

  for (uint32_t t = 0; t < params->n_traces; t++)
    measure_trace (params, &params->trace[t], input->frame,
        (uint8_t *) trace + (size_t) t * params->rows * scope->panel_width);
}

/* --- drawing --- */

static void
add_light (const scope_params *scope, const AmphistoGraticule *graticule,
    const void *trace, uint32_t panel, uint32_t x, uint32_t y,
    AmphistoPixelLight *sum)
{
  const waveform_params *params = (const waveform_params *) scope;
  const trace_params *traces = &params->trace[panel * params->panel_traces];
  const uint32_t down = y - scope->plot_top;
  uint32_t rgb[3] = { 0 };

  (void) graticule;
  if (down >= scope->plot_height)
    return;

  const uint32_t row =
      (scope->plot_height - 1 - down) * params->rows / scope->plot_height;
  const uint8_t *cell = (const uint8_t *) trace
      + ((size_t) panel * params->panel_traces * params->rows + row)
          * scope->panel_width
      + x;

  for (uint32_t i = 0; i < params->panel_traces; i++)
    for (uint32_t c = 0; c < 3; c++)
      rgb[c] +=
          (cell[i * params->rows * scope->panel_width] * traces[i].colour[c]
              + 255)
          >> 8;
  amphisto_light_add (sum, rgb);
}

const AmphistoScope amphisto_waveform = { "waveform",
  "Waveform: values of each column of the picture", false, fill_params,
  draw_graticule, trace_size, measure, add_light };
