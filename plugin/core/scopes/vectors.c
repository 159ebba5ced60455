/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/vectorscope.h"
#include "core/pixels/arithmetic.h"
#include "core/pixels/samples.h"

#include <string.h>

const AmphistoComponent *
amphisto_vectors_samples (const AmphistoLayout *layout)
{
  return &layout->component[layout->is_rgb ? AMPHISTO_CHANNEL_RED
                                           : AMPHISTO_CHANNEL_U];
}

/* --- counting --- */

static void
vector_at (const vectorscope_params *params, const AmphistoFrame *frame,
    uint32_t x, uint32_t y, uint32_t vector[2])
{
  const AmphistoComponent *c = amphisto_vectors_samples (frame->layout);
  uint8_t samples[3] = { 0 };

  for (uint32_t i = 0; i < (params->is_rgb ? 3 : 2); i++)
    samples[i] = *amphisto_frame_sample (frame, &c[i], x, y);
  for (uint32_t i = 0; i < 2; i++)
    vector[i] = params->is_rgb ? amphisto_matrix_sample (
                    params->weights[i], samples[0], samples[1], samples[2])
                               : samples[i];
}

/* The cell of sample (x, y); row 0 has the highest V.
 *
 * Returns: false if the sample is outside the plot. */
static bool
cell_of (const vectorscope_params *params, const AmphistoFrame *frame,
    uint32_t x, uint32_t y, uint32_t *column, uint32_t *row)
{
  uint32_t vector[2];

  vector_at (params, frame, x, y, vector);
  for (uint32_t i = 0; i < 2; i++) {
    const uint32_t value = vector[i] - params->first;

    if (value >= params->n_values)
      return false;
    vector[i] = value * params->size / params->n_values;
  }
  *column = vector[0];
  *row = params->size - 1 - vector[1];
  return true;
}

/* Rows of `size` counts, the highest V first. */
typedef uint8_t Counts[AMPHISTO_N_BINS][AMPHISTO_N_BINS];

static void
count_frame (
    const vectorscope_params *params, const AmphistoFrame *frame, Counts counts)
{
  const AmphistoComponent *samples = amphisto_vectors_samples (frame->layout);

  memset (counts, 0, sizeof (Counts));
  for (uint32_t y = 0; y < samples->height; y++)
    for (uint32_t x = 0; x < samples->width; x++) {
      uint32_t column, row;

      if (cell_of (params, frame, x, y, &column, &row))
        counts[row][column] += counts[row][column] < 255;
    }
}

/* Stores the cells of the probes: their rows in the upper byte, their columns
 * in the lower one. */
static void
probe_frame (const vectorscope_params *params, const AmphistoFrame *frame,
    uint16_t *probes)
{
  for (uint32_t j = 0; j < params->probe_rows; j++)
    for (uint32_t i = 0; i < params->probe_columns; i++) {
      uint32_t column, row;

      *probes++ =
          cell_of (params, frame, PROBE_POSITION (params->probe_width, i, j),
              PROBE_POSITION (params->probe_height, j, i), &column, &row)
          ? (uint16_t) (row * AMPHISTO_N_BINS + column)
          : VECTORSCOPE_NO_CELL;
    }
}

/* --- traces --- */

/* See vectorscope_params.h. Without near_spots: rows that have no spots have
 * zeros. */
typedef struct
{
  uint16_t *spots;
  uint8_t *cells;
} Trace;

static Trace
trace_of (const vectorscope_params *params, const void *trace)
{
  const size_t n = (size_t) params->size * params->scope.panel_width;
  uint16_t *spots = (uint16_t *) trace;

  return (Trace){ spots, (uint8_t *) (spots + n) };
}

/* The position of pixel i of the plot, in 1/256 of a cell. half: of a column or
 * row. */
static uint32_t
position_of (uint32_t half, uint32_t i)
{
  return (2 * i + 1) * half >> 14;
}

/* Interpolates between the nearest two of `size` cells, `stride` numbers apart.
 * Stays at the brightness of a cell around its middle, for a sixth of the way
 * to the next. */
static uint32_t
interpolate (
    const uint8_t *cells, size_t stride, uint32_t size, uint32_t position)
{
  const uint32_t from_middle = MAX (position, 128) - 128;
  const uint32_t first = from_middle / 256;
  const uint32_t second = MIN (first + 1, size - 1);
  const uint32_t way = from_middle % 256 * 3 / 2;
  const uint32_t weight = MIN (MAX (way, 64), 320) - 64;

  return (cells[first * stride] * (256 - weight)
             + cells[second * stride] * weight + 128)
      >> 8;
}

/* `area` less the squared distance of a position from the middle of a cell, at
 * least 0. */
static uint32_t
spot_at (uint32_t area, uint32_t cell, uint32_t position)
{
  const int32_t distance =
      (int32_t) (position / 16) - (int32_t) (cell * 16 + 8);
  const uint32_t square = (uint32_t) (distance * distance);

  return area - MIN (square, area);
}

static bool
is_wide (const vectorscope_params *params, uint32_t i)
{
  return params->wide_cells[i / 32] >> i % 32 & 1;
}

static void
fill_cells (const vectorscope_params *params, uint32_t row,
    const uint8_t *counts, uint8_t *brightness)
{
  const scope_params *scope = &params->scope;
  const uint32_t size = params->size;
  uint8_t cells[AMPHISTO_N_BINS];

  for (uint32_t i = 0; i < size; i++) {
    const uint32_t kind =
        is_wide (params, i) + is_wide (params, size - 1 - row);

    cells[i] = (uint8_t) (params->brightness[kind][counts[i] / 4]
        >> counts[i] % 4 * 8);
  }
  memset (brightness, 0, scope->panel_width);
  for (uint32_t x = 0; x < scope->plot_width; x++)
    brightness[scope->plot_left + x] = (uint8_t) interpolate (
        cells, 1, size, position_of (params->half_column, x));
}

static void
fill_spots (const vectorscope_params *params, uint32_t row,
    const uint16_t *probes, uint16_t *spots)
{
  const scope_params *scope = &params->scope;
  const uint32_t n_probes = params->probe_columns * params->probe_rows;
  uint32_t found[AMPHISTO_N_BINS] = { 0 };

  memset (spots, 0, scope->panel_width * sizeof *spots);
  for (uint32_t i = 0; i < n_probes; i++)
    found[probes[i] % AMPHISTO_N_BINS] += probes[i] / AMPHISTO_N_BINS == row;
  for (uint32_t i = 0; i < params->size; i++) {
    const uint32_t area =
        MIN (found[i] * params->spot_growth, params->spot_max);

    if (area < params->spot_min)
      continue;
    for (uint32_t x = 0; x < scope->plot_width; x++) {
      uint16_t *pixel = &spots[scope->plot_left + x];

      *pixel = (uint16_t) MAX (
          *pixel, spot_at (area, i, position_of (params->half_column, x)));
    }
  }
}

void
amphisto_vectors_measure (
    const scope_params *scope, const AmphistoScopeInput *input, void *trace)
{
  const vectorscope_params *params = (const vectorscope_params *) scope;
  const Trace rows = trace_of (params, trace);
  uint16_t probes[VECTORSCOPE_MAX_PROBES * VECTORSCOPE_MAX_PROBES];
  Counts counts;

  count_frame (params, input->frame, counts);
  probe_frame (params, input->frame, probes);
  for (uint32_t row = 0; row < params->size; row++) {
    const size_t at = (size_t) row * scope->panel_width;

    fill_cells (params, row, counts[row], rows.cells + at);
    fill_spots (params, row, probes, rows.spots + at);
  }
}

/* --- pixels --- */

/* The chroma in the middle of pixel i of the plot, from `first` on. */
static int32_t
chroma_at (uint32_t chroma_per_pixel, uint32_t i)
{
  return (int32_t) ((i * chroma_per_pixel + chroma_per_pixel / 2) >> 16);
}

/* Red, green or blue of column x and row `down` of the plot. */
static uint32_t
colour_at (
    const vectorscope_params *params, uint32_t c, uint32_t x, uint32_t down)
{
  const int32_t *row = params->colours[c];
  const int32_t sum = row[0] * chroma_at (params->chroma_per_column, x)
      + row[1]
          * chroma_at (
              params->chroma_per_row, params->scope.plot_height - 1 - down)
      + row[2];

  return sum < 0 ? 0 : MIN (sum >> 16, 255);
}

/* The brightness of the spots near row `down` of the plot, in column x of the
 * panel.
 */
static uint32_t
spots_brightness (
    const vectorscope_params *params, Trace trace, uint32_t x, uint32_t down)
{
  const uint32_t position = position_of (params->half_row, down);
  const uint32_t middle = position / 256;
  const uint32_t first = middle - MIN (middle, VECTORSCOPE_SPOT_REACH);
  const uint32_t end = MIN (middle + VECTORSCOPE_SPOT_REACH + 1, params->size);
  uint32_t most = 0;

  for (uint32_t row = first; row < end; row++)
    most = MAX (most,
        spot_at (trace.spots[(size_t) row * params->scope.panel_width + x], row,
            position));
  return MIN (most * params->spot_gain >> 16, 255);
}

void
amphisto_vectors_add_light (const scope_params *scope,
    const AmphistoGraticule *graticule, const void *trace, uint32_t panel,
    uint32_t x, uint32_t y, AmphistoPixelLight *sum)
{
  const vectorscope_params *params = (const vectorscope_params *) scope;
  const uint32_t across = x - scope->plot_left, down = y - scope->plot_top;
  const Trace rows = trace_of (params, trace);

  (void) graticule;
  (void) panel;
  if (across >= scope->plot_width || down >= scope->plot_height)
    return;

  const uint32_t cells = interpolate (rows.cells + x, scope->panel_width,
      params->size, position_of (params->half_row, down));
  const uint32_t most = MAX (cells, spots_brightness (params, rows, x, down));
  uint32_t rgb[3];

  for (uint32_t c = 0; c < 3; c++)
    rgb[c] = (most * colour_at (params, c, across, down) + 255) >> 8;
  amphisto_light_add (sum, rgb);
}
