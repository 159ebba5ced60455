/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/waveform.h"
#include "core/arithmetic.h"
#include "core/blend.h"
#include "core/clipping.h"
#include "core/drawing.h"
#include "core/histogram.h"

#include <string.h>

/* Cells with HALF_LIGHT times the mean number of samples have half of the
 * light. */
#define HALF_LIGHT 2
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
        n_columns * n_values * height * HALF_LIGHT, trace->brightness[kind]);
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
  memcpy (
      trace->colour, amphisto_channel_light (channel), sizeof trace->colour);
}

static void
fill_traces (const AmphistoLayout *part, AmphistoChannelMask shown,
    waveform_params *params)
{
  for (unsigned c = 0; c < AMPHISTO_N_CHANNELS; c++) {
    trace_params *trace = &params->trace[params->n_traces];

    if (!(shown & AMPHISTO_CHANNEL_BIT (c)))
      continue;
    fill_trace (part, c, trace);
    trace->columns = MIN (params->plot_width, trace->samples.width);
    fill_brightness (params->rows, trace);
    params->n_traces++;
  }
}

/* Divides a panel: a frame of gridlines around the plot, with some space
 * outside. */
static void
divide_panel (waveform_params *params)
{
  const uint32_t rule = params->gridline_width;
  const uint32_t most = params->panel_height - 4 * rule;

  params->plot_left = 2 * rule;
  params->plot_width = params->panel_width - 4 * rule;
  params->plot_height = amphisto_scope_plot_size (most);
  params->plot_top = (params->panel_height - params->plot_height) / 2;
  params->rows = MIN (params->plot_height, AMPHISTO_N_BINS);
}

void
amphisto_waveform_fill_params (const AmphistoOverlay *overlay,
    const AmphistoScopePlace *place, const AmphistoLayout *part,
    AmphistoChannelMask shown, waveform_params *params)
{
  memset (params, 0, sizeof *params);
  if (place->panels_x == 0)
    return;
  params->x = place->x;
  params->y = place->y;
  params->panel_width = place->panel_width;
  params->panel_height = place->panel_height;
  params->panels_x = place->panels_x;
  params->panels_y = place->panels_y;
  params->gridline_width =
      amphisto_scope_rule (part, params->panel_width, params->panel_height);
  divide_panel (params);
  fill_traces (part, shown & part->channels, params);
  params->panel_traces =
      params->n_traces / (params->panels_x * params->panels_y);
  params->background = (uint32_t) (overlay->opacity * 255 + 0.5);
  params->has_graticule = overlay->graticule;
  if (overlay->exposure & AMPHISTO_EXPOSURE_FALSE_COLOR)
    params->legend_width = LEGEND_GRIDLINES * params->gridline_width;
}

void
amphisto_waveform_divide (
    waveform_params *params, uint32_t n, bool is_gpu_shape)
{
  const uint32_t unit = is_gpu_shape ? GPU_STRIP_UNIT : CPU_STRIP_UNIT;
  const uint32_t most = is_gpu_shape ? WAVEFORM_GPU_STRIP : WAVEFORM_MAX_STRIP;
  const uint32_t n_columns = params->n_traces * params->panel_width;
  const uint32_t each = (n_columns / n + unit) / unit * unit;

  params->strip = MIN (each, most);
  params->n_strips = (params->panel_width + params->strip - 1) / params->strip;
}

size_t
amphisto_waveform_light_size (const waveform_params *params)
{
  return (size_t) params->n_traces * params->rows * params->panel_width;
}

/* --- graticule --- */

/* The panel's row for the middle of value lo + quarter / 4 (hi - lo) of the
 * trace's range. */
static int
row_of_quarter (
    const waveform_params *params, const trace_params *trace, uint32_t quarter)
{
  const uint32_t v4 = 4 * trace->lo + quarter * (trace->hi - trace->lo);

  return (int) (params->plot_top + params->plot_height - 1
      - (v4 + 2) * params->plot_height / (4 * AMPHISTO_N_BINS));
}

/* A panel, with its first pixel (x, y) in the graph. Gridlines and text use the
 * range of its first trace. */
typedef struct
{
  const waveform_params *params;
  const trace_params *trace;
  int x;
  int y;
  AmphistoGraticule *graticule;
} Panel;

/* The plot's frame, the quarters of the range and, for limited range, its ends.
 */
static void
draw_rules (const Panel *panel)
{
  const waveform_params *params = panel->params;
  const uint32_t rule = params->gridline_width;
  const int left = panel->x + (int) params->plot_left;
  const int top = panel->y + (int) params->plot_top;

  amphisto_graticule_box (panel->graticule, left - (int) rule, top - (int) rule,
      params->plot_width + 2 * rule, params->plot_height + 2 * rule, rule,
      AMPHISTO_SCOPE_FRAME);
  for (uint32_t quarter = 0; quarter <= 4; quarter++) {
    const bool is_limit = quarter % 4 == 0;

    if (!is_limit || panel->trace->lo > 0)
      amphisto_graticule_fill (panel->graticule, left,
          panel->y + row_of_quarter (params, panel->trace, quarter)
              - (int) rule / 2,
          params->plot_width, rule,
          is_limit ? AMPHISTO_SCOPE_LIMIT : AMPHISTO_SCOPE_QUARTER);
  }
}

/* The legend of false colour, aligned with luma's values. */
static void
draw_key (const Panel *panel)
{
  const waveform_params *params = panel->params;

  if (panel->trace->channel != AMPHISTO_CHANNEL_LUMA)
    return;
  for (uint32_t up = 0; up < params->plot_height; up++)
    amphisto_graticule_fill (panel->graticule,
        panel->x + (int) params->plot_left,
        panel->y + (int) (params->plot_top + params->plot_height - 1 - up),
        params->legend_width, 1,
        amphisto_clipping_light (panel->trace->lo, panel->trace->hi,
            (uint8_t) (up * AMPHISTO_N_BINS / params->plot_height)));
}

/* The scale's ends at the left and the letters of the traces at the right, if
 * there is room. */
static void
draw_text (const Panel *panel)
{
  static const char letters[AMPHISTO_N_CHANNELS][2] = { "Y", "U", "V", "R", "G",
    "B", "A" };
  const waveform_params *params = panel->params;
  const uint32_t scale =
      amphisto_scope_text_scale (params->panel_height, params->gridline_width);
  const int height = (int) amphisto_graticule_text_height (scale);
  const int space = (int) (2 * scale);
  const int left =
      panel->x + (int) (params->plot_left + params->legend_width) + space;
  const int top = panel->y + row_of_quarter (params, panel->trace, 4) + space;
  int right = panel->x + (int) (params->plot_left + params->plot_width);

  if (params->plot_height < 4 * (uint32_t) (height + space))
    return;
  amphisto_graticule_text (
      panel->graticule, left, top, scale, "100", AMPHISTO_SCOPE_TEXT);
  amphisto_graticule_text (panel->graticule, left,
      panel->y + row_of_quarter (params, panel->trace, 0) - height - space + 1,
      scale, "0", AMPHISTO_SCOPE_TEXT);
  for (uint32_t i = params->panel_traces; i-- > 0;) {
    const trace_params *trace = &panel->trace[i];

    right -= height + space;
    amphisto_graticule_text (panel->graticule, right, top, scale,
        letters[trace->channel],
        AMPHISTO_LIGHT (trace->colour[0], trace->colour[1], trace->colour[2]));
  }
}

bool
amphisto_waveform_init_graticule (
    const waveform_params *params, AmphistoGraticule *graticule)
{
  const uint32_t n_panels = params->panels_x * params->panels_y;

  if (!amphisto_graticule_init (graticule,
          params->panels_x * params->panel_width,
          params->panels_y * params->panel_height))
    return false;
  for (uint32_t p = 0; params->has_graticule && p < n_panels; p++) {
    const Panel panel = { params, &params->trace[p * params->panel_traces],
      (int) (p % params->panels_x * params->panel_width),
      (int) (p / params->panels_x * params->panel_height), graticule };

    draw_rules (&panel);
    draw_key (&panel);
    draw_text (&panel);
  }
  return true;
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
cell_light (const waveform_params *params, const trace_params *trace,
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
    const AmphistoFrame *frame, uint8_t *light)
{
  uint8_t counts[AMPHISTO_N_BINS] = { 0 };
  uint32_t counted = UINT32_MAX;

  memset (light, 0, (size_t) params->rows * params->panel_width);
  for (uint32_t x = 0; x < params->plot_width; x++) {
    const uint32_t column = (uint64_t) x * trace->columns / params->plot_width;

    if (column != counted)
      count_column (params, trace, counted = column, frame, counts);
    for (uint32_t row = 0; row < params->rows; row++)
      light[row * params->panel_width + params->plot_left + x] =
          cell_light (params, trace, column, row, counts[row]);
  }
}

void
amphisto_waveform_measure (
    const waveform_params *params, const AmphistoFrame *frame, uint8_t *light)
{
  for (uint32_t t = 0; t < params->n_traces; t++)
    measure_trace (params, &params->trace[t], frame,
        light + (size_t) t * params->rows * params->panel_width);
}

/* --- pixels --- */

/* Pixel (x, y) of the graph. */
static AmphistoPixelLight
pixel_light (const waveform_params *params, const AmphistoGraticule *graticule,
    const uint8_t *light, uint32_t x, uint32_t y)
{
  const uint32_t panel =
      y / params->panel_height * params->panels_x + x / params->panel_width;
  const uint32_t down = y % params->panel_height - params->plot_top;
  const uint32_t row =
      (params->plot_height - 1 - down) * params->rows / params->plot_height;
  uint32_t sum[3] = { 0 };

  for (uint32_t i = panel * params->panel_traces;
       down < params->plot_height && i < (panel + 1) * params->panel_traces;
       i++)
    for (uint32_t c = 0; c < 3; c++)
      sum[c] += (light[(i * params->rows + row) * params->panel_width
                     + x % params->panel_width]
                        * params->trace[i].colour[c]
                    + 255)
          >> 8;
  for (uint32_t c = 0; c < 3; c++)
    sum[c] = MIN (255,
        MAX (sum[c],
            graticule->light[y * graticule->width + x] >> 8 * c & 0xff));
  return amphisto_pixel_light (sum[0], sum[1], sum[2], params->background);
}

void
amphisto_waveform_draw (const drawing_params *drawing,
    const waveform_params *params, const AmphistoGraticule *graticule,
    const uint8_t *light, const AmphistoFrame *frame)
{
  const uint32_t n_rows = amphisto_drawing_rows (frame->layout);
  AmphistoLightBlock block;

  for (uint32_t y = 0; y < graticule->height; y += n_rows)
    for (uint32_t x = 0; x < graticule->width; x += OVERLAY_UNIT) {
      for (uint32_t j = 0; j < n_rows; j++)
        for (uint32_t i = 0; i < OVERLAY_UNIT; i++)
          block[j][i] = pixel_light (params, graticule, light, x + i, y + j);
      amphisto_blend_block (
          drawing, block, params->x + x, params->y + y, frame);
    }
}
