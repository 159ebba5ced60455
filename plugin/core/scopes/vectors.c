/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/vectorscope.h"
#include "core/pixels/arithmetic.h"
#include "core/pixels/samples.h"

#include <stdlib.h>
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

/* The cell of sample (x, y) in a plane of all values; row 0 has the highest V.
 */
static void
cell_of (const vectorscope_params *params, const AmphistoFrame *frame,
    uint32_t x, uint32_t y, uint32_t *column, uint32_t *row)
{
  uint32_t vector[2];

  vector_at (params, frame, x, y, vector);
  *column = vector[0] * params->plane_size / AMPHISTO_N_BINS;
  *row =
      params->plane_size - 1 - vector[1] * params->plane_size / AMPHISTO_N_BINS;
}

/* Rows of plane_size counts, the highest V first. */
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

      cell_of (params, frame, x, y, &column, &row);
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

      cell_of (params, frame, PROBE_POSITION (params->probe_width, i, j),
          PROBE_POSITION (params->probe_height, j, i), &column, &row);
      column -= params->first_cell;
      row -= params->first_cell;
      *probes++ = MAX (column, row) < params->size
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
  uint32_t *arrows;
} Trace;

static Trace
trace_of (const vectorscope_params *params, const void *trace)
{
  const size_t n = (size_t) params->size * params->scope.panel_width;
  uint16_t *spots = (uint16_t *) trace;

  uint8_t *cells = (uint8_t *) (spots + n);

  return (Trace){ spots, cells, (uint32_t *) (cells + n) };
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

/* The arrow that points to a cell of a plane, if it is not shown; 0: none. */
static uint32_t
arrow_to (const vectorscope_params *params, uint32_t column, uint32_t row)
{
  const int size = (int) params->plane_size, n = VECTORSCOPE_N_ARROWS;
  /* from the middle, in halves of a cell */
  const int x = 2 * (int) column + 1 - size, y = 2 * (int) row + 1 - size;
  const int away = MAX (abs (x), abs (y));

  if (away < (int) params->size)
    return 0;
  if (abs (y) > abs (x))
    return 1u << ((x + away) * n / (2 * away) + (y < 0 ? 0 : n));
  return 1u << (MIN ((y + away) * n / (2 * away), n - 1)
             + (x < 0 ? 2 * n : 3 * n));
}

static uint32_t
find_arrows (const vectorscope_params *params, Counts counts)
{
  uint32_t arrows = 0;

  for (uint32_t row = 0; row < params->plane_size; row++)
    for (uint32_t column = 0; column < params->plane_size; column++)
      if (counts[row][column] > 0)
        arrows |= arrow_to (params, column, row);
  return arrows;
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

    fill_cells (params, row,
        counts[row + params->first_cell] + params->first_cell, rows.cells + at);
    fill_spots (params, row, probes, rows.spots + at);
  }
  *rows.arrows = find_arrows (params, counts);
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

/* Whether a pixel is in an arrow of a side. arrows: bits of the side's
 * segments; along, depth: along the side, and from it, in 1/65536 of a segment.
 */
static bool
is_in_arrow (uint32_t arrows, uint32_t along, uint32_t depth)
{
  const int32_t from_middle = (int32_t) (along % 65536) - 32768;

  return (arrows >> along / 65536 & 1) != 0 && depth < VECTORSCOPE_ARROW
      && 2 * (uint32_t) abs (from_middle) <= depth;
}

static uint32_t
arrows_brightness (const vectorscope_params *params, uint32_t arrows,
    uint32_t across, uint32_t down)
{
  const uint32_t n = VECTORSCOPE_N_ARROWS;
  const uint32_t x = (2 * across + 1) * params->segment_column;
  const uint32_t y = (2 * down + 1) * params->segment_row;
  const bool is_lit = is_in_arrow (arrows, x, y)
      || is_in_arrow (arrows >> n, x, n * 65536 - y)
      || is_in_arrow (arrows >> 2 * n, y, x)
      || is_in_arrow (arrows >> 3 * n, y, n * 65536 - x);

  return is_lit ? 255 : 0;
}

void
amphisto_vectors_draw_pixel (const scope_params *scope, const void *trace,
    uint32_t panel, uint32_t x, uint32_t y, AmphistoPixelLight *light)
{
  const vectorscope_params *params = (const vectorscope_params *) scope;
  const uint32_t across = x - scope->plot_left, down = y - scope->plot_top;
  const Trace rows = trace_of (params, trace);

  (void) panel;
  if (across >= scope->plot_width || down >= scope->plot_height)
    return;

  const uint32_t cells = interpolate (rows.cells + x, scope->panel_width,
      params->size, position_of (params->half_row, down));
  const uint32_t spots = spots_brightness (params, rows, x, down);
  const uint32_t arrows =
      arrows_brightness (params, *rows.arrows, across, down);
  const uint32_t most = MAX (MAX (cells, spots), arrows);
  uint32_t rgb[3];

  for (uint32_t c = 0; c < 3; c++)
    rgb[c] = (most * colour_at (params, c, across, down) + 255) >> 8;
  amphisto_light_draw_trace_over (light, rgb, most);
}
