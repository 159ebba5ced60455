/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/vectorscope.h"
#include "core/pixels/arithmetic.h"
#include "core/pixels/samples.h"

#include <string.h>

/* Luma of the plot's colours. */
#define COLOUR_LUMA 150
/* GPU shape: minimum number of samples per additional slice. */
#define MIN_SLICE 32768
/* GPU shape: slices are added up in 16 bits, and each counts up to 255. */
#define MAX_GPU_SLICES 257

/* Cells with mean / HALF_BRIGHTNESS_DIVISOR samples are halfway from the
 * faintest to the brightest, because pictures have few colours. */
#define HALF_BRIGHTNESS_DIVISOR 2

/* Spots of 1/32 of the samples are the largest: colour bars have more. Spots
 * with 1/8 of their area are the smallest. */
#define LARGE_SPOT_DIVISOR 32
#define SMALL_SPOT_DIVISOR 8
/* The largest spot's radius in percent of the side of a 75 % bar's box, and the
 * fraction of its area, in percent, that fades. */
#define SPOT_RADIUS 45
#define SPOT_FADE 58

/* --- parameters --- */

static void
fill_colours (const AmphistoLayout *part, vectorscope_params *params)
{
  for (uint32_t c = 0; c < 3; c++) {
    const int32_t *row = part->matrix[c];

    params->colours[c][0] = row[1];
    params->colours[c][1] = row[2];
    params->colours[c][2] = COLOUR_LUMA * 65536 + 32768
        - (128 - (int32_t) params->first) * (row[1] + row[2]);
  }
}

static void
fill_brightness (
    uint64_t n_samples, double intensity, vectorscope_params *params)
{
  const uint32_t size = params->size;
  const uint32_t n_values = params->n_values / size;

  for (uint32_t i = 0; i < size; i++) {
    const uint32_t first = (i * params->n_values + size - 1) / size;
    const uint32_t end = ((i + 1) * params->n_values + size - 1) / size;

    params->wide_cells[i / 32] |= (end - first - n_values) << i % 32;
  }
  for (uint32_t kind = 0; kind < 3; kind++) {
    const uint64_t columns = n_values + (kind > 0),
                   rows = n_values + (kind > 1);

    amphisto_scope_fill_brightness (
        n_samples * columns * rows / AMPHISTO_N_BINS / HALF_BRIGHTNESS_DIVISOR,
        intensity, params->brightness[kind]);
  }
}

/* Makes the plot square on the display. There are no more cells than pixels, in
 * either direction. */
static void
divide_panel (vectorscope_params *params)
{
  scope_params *scope = &params->scope;
  const uint32_t aspect = scope->pixel_aspect;
  const uint32_t n_values = params->n_values;
  const uint32_t margins = 2 * amphisto_scope_margin (scope);
  const uint32_t most =
      scope->panel_width - 2 * amphisto_scope_side_margin (scope);
  const uint64_t highest = (uint64_t) most * aspect / AMPHISTO_SQUARE_PIXEL;
  const uint32_t height = amphisto_scope_plot_size (
      (uint32_t) MAX (MIN (scope->panel_height - margins, highest), 1));
  const uint64_t width =
      ((uint64_t) height * AMPHISTO_SQUARE_PIXEL + aspect / 2) / aspect;

  scope->plot_height = height;
  scope->plot_width = (uint32_t) MAX (MIN (width, most), 1);
  scope->plot_left = (scope->panel_width - scope->plot_width) / 2;
  scope->plot_top = (scope->panel_height - scope->plot_height) / 2;
  params->size = MIN (MIN (scope->plot_width, height), n_values);
  if (params->first > 0)
    params->size = params->size / 2 * 2;
  params->plane_size = params->size * AMPHISTO_N_BINS / n_values;
  params->first_cell = (params->plane_size - params->size) / 2;
  params->stride = round_up (params->plane_size, 16);
  params->chroma_per_column = (n_values << 16) / scope->plot_width;
  params->chroma_per_row = (n_values << 16) / height;
  params->half_column = (params->size << 21) / scope->plot_width;
  params->half_row = (params->size << 21) / height;
  params->segment_column = (VECTORSCOPE_N_ARROWS << 15) / scope->plot_width;
  params->segment_row = (VECTORSCOPE_N_ARROWS << 15) / height;
}

static void
fill_spots (const AmphistoComponent *samples, vectorscope_params *params)
{
  const uint32_t columns = MIN (samples->width, VECTORSCOPE_MAX_PROBES);
  const uint32_t rows = MIN (samples->height, VECTORSCOPE_MAX_PROBES);
  const uint32_t radius = MAX (16,
      amphisto_vectorscope_box_size (params->scope.plot_height) * params->size
          * 16 * SPOT_RADIUS / (params->scope.plot_height * 100));
  const uint32_t most = radius * radius;

  params->probe_columns = columns;
  params->probe_rows = rows;
  params->probe_width = (uint32_t) ((uint64_t) samples->width * 256 / columns);
  params->probe_height = (uint32_t) ((uint64_t) samples->height * 256 / rows);
  params->spot_max = most;
  params->spot_min = most / SMALL_SPOT_DIVISOR;
  params->spot_growth = most * LARGE_SPOT_DIVISOR / (columns * rows);
  params->spot_gain = (255 << 16) / (most * SPOT_FADE / 100);
}

/* Rows of the largest sub-plane. */
static uint32_t
subplane_rows (const vectorscope_params *params)
{
  return (params->plane_size + (1u << params->subplane_shift) - 1)
      >> params->subplane_shift;
}

void
amphisto_vectorscope_divide (vectorscope_params *params, uint32_t n,
    bool is_gpu_shape, size_t local_memory, const AmphistoLayout *part)
{
  const AmphistoComponent *samples = amphisto_vectors_samples (part);
  const uint64_t n_samples = (uint64_t) samples->width * samples->height;

  params->subplane_shift = 0;
  params->n_slices = n;
  if (!is_gpu_shape)
    return;
  while ((subplane_rows (params) > VECTORSCOPE_SUBPLANE_ROWS
             || amphisto_vectorscope_subplane_size (params) > local_memory)
      && 2u << params->subplane_shift <= n)
    params->subplane_shift++;
  params->n_slices = (uint32_t) MIN (
      MIN (MAX (1, n >> params->subplane_shift), MAX_GPU_SLICES),
      1 + n_samples / MIN_SLICE);
}

static void
fill_params (const AmphistoScopeWork *work, scope_params *scope)
{
  vectorscope_params *params = (vectorscope_params *) scope;
  const AmphistoLayout *part = work->part;
  const AmphistoDivision *division = work->division;
  const AmphistoComponent *samples = amphisto_vectors_samples (part);

  params->n_values = AMPHISTO_N_BINS >> work->settings->zoom_shift;
  params->first = 128 - params->n_values / 2;
  divide_panel (params);
  params->is_rgb = part->is_rgb;
  amphisto_rgb_chroma_matrix (part, params->weights);
  memcpy (params->luma_weights, part->weights, sizeof part->weights);
  fill_colours (part, params);
  fill_brightness ((uint64_t) samples->width * samples->height,
      work->settings->intensity, params);
  fill_spots (samples, params);
  params->range = amphisto_layout_chroma_range (part);
  amphisto_vectorscope_divide (params, division->n_groups,
      division->is_gpu_shape, division->max_local_memory, part);
}

size_t
amphisto_vectorscope_subplane_size (const vectorscope_params *params)
{
  return (size_t) subplane_rows (params) * VECTORSCOPE_ROW_WORDS
      * sizeof (uint32_t);
}

static size_t
trace_size (const scope_params *scope)
{
  const vectorscope_params *params = (const vectorscope_params *) scope;

  return params->size * ((size_t) scope->panel_width * 3 + sizeof (uint32_t))
      + sizeof (uint32_t);
}

const AmphistoScope amphisto_vectorscope = { "vectorscope",
  "Vectorscope: hue and saturation",
  offsetof (AmphistoScopeParams, vectorscope), true, fill_params,
  amphisto_vectorscope_draw_graticule, trace_size, amphisto_vectors_measure,
  amphisto_vectors_draw_pixel, NULL };
