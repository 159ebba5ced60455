/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/vectorscope.h"
#include "core/arithmetic.h"
#include "core/histogram.h"

#include <string.h>

/* Luma of the plot's colours. */
#define COLOUR_LUMA 150
/* GPU shape: minimum number of samples per additional slice. */
#define MIN_SLICE 32768
/* GPU shape: slices are added up in 16 bits, and each counts up to 255. */
#define MAX_GPU_SLICES 257

/* Cells with mean / HALF_LIGHT_DIVISOR samples have half of the light: pictures
 * have few colours. */
#define HALF_LIGHT_DIVISOR 2

/* --- parameters --- */

/* U and V of RGB, of full range, are
 *
 *   (row . (R, G, B) + 128 * 65536 + 32768) >> 16
 *
 * clamped to 255, with the rows, in 1/65536,
 *
 *   U   -a Kr             a Kr - 32768   32768            a = 32768 / (1 - Kb)
 *   V   32768    b Kb - 32768            -b Kb            b = 32768 / (1 - Kr)
 *
 * rounded; so grey is at 128, and pure blue and red are 128 above it in U and
 * V. */
static void
fill_weights (const AmphistoLayout *part, vectorscope_params *params)
{
  const int64_t kr = part->weights[0], kb = part->weights[2];
  const int64_t u_rest = 65536 - kb, v_rest = 65536 - kr;
  const int32_t u_red = -(int32_t) ((32768 * kr + u_rest / 2) / u_rest);
  const int32_t v_blue = -(int32_t) ((32768 * kb + v_rest / 2) / v_rest);
  const int32_t rows[2][4] = { { u_red, -32768 - u_red, 32768,
                                   128 * 65536 + 32768 },
    { 32768, -32768 - v_blue, v_blue, 128 * 65536 + 32768 } };

  memcpy (params->weights, rows, sizeof rows);
  memcpy (params->luma_weights, part->weights, sizeof part->weights);
}

static void
fill_colours (const AmphistoLayout *part, vectorscope_params *params)
{
  for (uint32_t c = 0; c < 3; c++) {
    const int32_t *row = part->matrix[c];

    params->colours[c][0] = row[1];
    params->colours[c][1] = row[2];
    params->colours[c][2] =
        COLOUR_LUMA * 65536 + 32768 - 128 * (row[1] + row[2]);
  }
}

static void
fill_brightness (uint64_t n_samples, vectorscope_params *params)
{
  const uint32_t n_values = AMPHISTO_N_BINS / params->size;

  for (uint32_t kind = 0; kind < 3; kind++) {
    const uint64_t columns = n_values + (kind > 0),
                   rows = n_values + (kind > 1);

    amphisto_scope_fill_brightness (
        n_samples * columns * rows / AMPHISTO_N_BINS / HALF_LIGHT_DIVISOR,
        params->brightness[kind]);
  }
}

static void
divide_panel (vectorscope_params *params)
{
  scope_params *scope = &params->scope;
  const uint32_t size = amphisto_scope_plot_size (
      scope->panel_height - 4 * scope->gridline_width);

  scope->plot_width = scope->plot_height = size;
  scope->plot_left = (scope->panel_width - size) / 2;
  scope->plot_top = (scope->panel_height - size) / 2;
  params->chroma_per_column = (AMPHISTO_N_BINS << 16) / size;
  params->size = MIN (size, AMPHISTO_N_BINS);
  params->stride = (params->size + 15) / 16 * 16;
}

static const AmphistoComponent *
samples_of (const AmphistoLayout *layout)
{
  return &layout->component[layout->is_rgb ? AMPHISTO_CHANNEL_RED
                                           : AMPHISTO_CHANNEL_U];
}

/* Rows of the largest part of a plane. */
static uint32_t
part_rows (const vectorscope_params *params)
{
  return (params->size + (1u << params->part_shift) - 1) >> params->part_shift;
}

static bool
part_fits (const vectorscope_params *params, size_t local_memory)
{
  return part_rows (params) <= VECTORSCOPE_PART_ROWS
      && amphisto_vectorscope_part_size (params) <= local_memory;
}

void
amphisto_vectorscope_divide (vectorscope_params *params, uint32_t n,
    bool is_gpu_shape, size_t local_memory, const AmphistoLayout *part)
{
  const AmphistoComponent *samples = samples_of (part);
  const uint64_t n_samples = (uint64_t) samples->width * samples->height;

  params->part_shift = 0;
  params->n_slices = n;
  if (!is_gpu_shape)
    return;
  while (!part_fits (params, local_memory) && 2u << params->part_shift <= n)
    params->part_shift++;
  params->n_slices =
      (uint32_t) MIN (MIN (MAX (1, n >> params->part_shift), MAX_GPU_SLICES),
          1 + n_samples / MIN_SLICE);
}

static void
fill_params (const AmphistoScopeWork *work, scope_params *scope)
{
  vectorscope_params *params = (vectorscope_params *) scope;
  const AmphistoLayout *part = work->part;
  const AmphistoDivision *division = work->division;
  const AmphistoComponent *samples = samples_of (part);

  divide_panel (params);
  params->is_rgb = part->is_rgb;
  fill_weights (part, params);
  fill_colours (part, params);
  fill_brightness ((uint64_t) samples->width * samples->height, params);
  params->range = part->lo > 0 ? 224 : 255;
  amphisto_vectorscope_divide (params, division->n_groups,
      division->is_gpu_shape, division->max_local_memory, part);
}

uint32_t
amphisto_vectorscope_planes (const AmphistoLayout *layout)
{
  const AmphistoComponent *samples = samples_of (layout);

  return 1u << samples[0].plane | 1u << samples[1].plane
      | (layout->is_rgb ? 1u << samples[2].plane : 0);
}

size_t
amphisto_vectorscope_counts_size (const vectorscope_params *params)
{
  return (size_t) params->n_slices * params->size * params->stride;
}

size_t
amphisto_vectorscope_part_size (const vectorscope_params *params)
{
  return (size_t) part_rows (params) * VECTORSCOPE_ROW_WORDS
      * sizeof (uint32_t);
}

static size_t
light_size (const scope_params *scope)
{
  const vectorscope_params *params = (const vectorscope_params *) scope;

  return (size_t) params->size * scope->panel_width;
}

/* --- counting --- */

/* U or V of a pixel of RGB. */
static uint32_t
chroma_of (const int32_t row[4], int32_t r, int32_t g, int32_t b)
{
  const int32_t sum = row[0] * r + row[1] * g + row[2] * b + row[3];

  return sum < 0 ? 0 : MIN (sum >> 16, 255);
}

static void
vector_at (const vectorscope_params *params, const AmphistoFrame *frame,
    uint32_t x, uint32_t y, uint32_t vector[2])
{
  const AmphistoComponent *c = samples_of (frame->layout);
  const int32_t first = *amphisto_frame_sample (frame, &c[0], x, y);
  const int32_t second = *amphisto_frame_sample (frame, &c[1], x, y);

  if (!params->is_rgb) {
    vector[0] = first;
    vector[1] = second;
    return;
  }
  for (uint32_t i = 0; i < 2; i++)
    vector[i] = chroma_of (params->weights[i], first, second,
        *amphisto_frame_sample (frame, &c[2], x, y));
}

/* Rows of `size` counts, the highest V first. */
typedef uint8_t Counts[AMPHISTO_N_BINS][AMPHISTO_N_BINS];

static void
count_frame (
    const vectorscope_params *params, const AmphistoFrame *frame, Counts counts)
{
  const AmphistoComponent *samples = samples_of (frame->layout);
  const uint32_t size = params->size;

  memset (counts, 0, sizeof (Counts));
  for (uint32_t y = 0; y < samples->height; y++)
    for (uint32_t x = 0; x < samples->width; x++) {
      uint32_t vector[2];
      uint8_t *count;

      vector_at (params, frame, x, y, vector);
      count = &counts[size - 1 - vector[1] * size / AMPHISTO_N_BINS]
                     [vector[0] * size / AMPHISTO_N_BINS];
      *count += *count < 255;
    }
}

/* 1 if column or row i spans one more value than the narrowest ones, otherwise
 * 0. */
static uint32_t
cell_kind (uint32_t size, uint32_t i)
{
  const uint32_t first = (i * AMPHISTO_N_BINS + size - 1) / size;
  const uint32_t end = ((i + 1) * AMPHISTO_N_BINS + size - 1) / size;

  return end - first - AMPHISTO_N_BINS / size;
}

static void
measure (
    const scope_params *scope, const AmphistoScopeInput *input, void *light)
{
  const vectorscope_params *params = (const vectorscope_params *) scope;
  const uint32_t size = params->size;
  uint8_t *cells = light;
  Counts counts;

  count_frame (params, input->frame, counts);
  memset (light, 0, light_size (scope));
  for (uint32_t row = 0; row < size; row++)
    for (uint32_t x = 0; x < scope->plot_width; x++) {
      const uint32_t column = x * size / scope->plot_width;
      const uint32_t kind =
          cell_kind (size, column) + cell_kind (size, size - 1 - row);
      const uint8_t count = counts[row][column];

      cells[row * scope->panel_width + scope->plot_left + x] =
          params->brightness[kind][count / 4] >> count % 4 * 8;
    }
}

/* --- light --- */

/* The chroma in the middle of pixel i of the plot. */
static int32_t
chroma_at (const vectorscope_params *params, uint32_t i)
{
  return (
      int32_t) ((i * params->chroma_per_column + params->chroma_per_column / 2)
      >> 16);
}

/* Red, green or blue of column x and row `down` of the plot. */
static uint32_t
colour_at (
    const vectorscope_params *params, uint32_t c, uint32_t x, uint32_t down)
{
  const int32_t *row = params->colours[c];
  const int32_t sum = row[0] * chroma_at (params, x)
      + row[1] * chroma_at (params, params->scope.plot_height - 1 - down)
      + row[2];

  return sum < 0 ? 0 : MIN (sum >> 16, 255);
}

static void
add_light (const scope_params *scope, const AmphistoGraticule *graticule,
    const void *light, uint32_t panel, uint32_t x, uint32_t y,
    AmphistoPixelLight *sum)
{
  const vectorscope_params *params = (const vectorscope_params *) scope;
  const uint32_t across = x - scope->plot_left, down = y - scope->plot_top;

  (void) graticule;
  (void) panel;
  if (across >= scope->plot_width || down >= scope->plot_height)
    return;

  const uint8_t *row = (const uint8_t *) light
      + down * params->size / scope->plot_height * scope->panel_width;

  uint32_t rgb[3];

  for (uint32_t c = 0; c < 3; c++)
    rgb[c] = (row[x] * colour_at (params, c, across, down) + 255) >> 8;
  amphisto_light_add (sum, rgb);
}

const AmphistoScope amphisto_vectorscope = { "vectorscope",
  "Vectorscope: hue and saturation", true, fill_params,
  amphisto_vectorscope_draw_graticule, light_size, measure, add_light };
