/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/change/clahe.h"
#include "core/change/chroma.h"
#include "core/change/equalize.h"
#include "core/pixels/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- tiles --- */

static uint32_t
bin_limit (double clip_limit, uint64_t n_samples)
{
  const double limit = clip_limit * (double) n_samples / AMPHISTO_N_BINS;

  if (clip_limit <= 0 || limit >= (double) n_samples)
    return (uint32_t) n_samples;
  return limit < 1 ? 1 : (uint32_t) limit;
}

bool
amphisto_clahe_fits (const AmphistoClahe *clahe, const AmphistoLayout *layout)
{
  const AmphistoComponent *luma = amphisto_layout_luma (layout);

  return luma->width % clahe->tiles_x == 0
      && luma->height % clahe->tiles_y == 0;
}

/* If either side of the frame is not divisible by its tiles, both are extended,
 * as in OpenCV; a divisible side grows by one pixel per tile. */
void
amphisto_clahe_fill_params (const AmphistoClahe *clahe,
    const AmphistoLayout *layout, clahe_params *params)
{
  const AmphistoComponent *luma = amphisto_layout_luma (layout);
  const bool is_extended = !amphisto_clahe_fits (clahe, layout);
  const uint32_t width = luma->width / clahe->tiles_x + is_extended;
  const uint32_t height = luma->height / clahe->tiles_y + is_extended;
  const uint64_t n_samples = (uint64_t) width * height;

  *params = (clahe_params){ .tiles_x = clahe->tiles_x,
    .tiles_y = clahe->tiles_y,
    .tile_width = width,
    .tile_height = height,
    .limit = bin_limit (clahe->clip_limit, n_samples),
    .scale = (float) (layout->hi - layout->lo) / (float) n_samples,
    .per_x = 1.0f / (float) width,
    .per_y = 1.0f / (float) height };
}

uint32_t
amphisto_clahe_n_tiles (const clahe_params *params)
{
  return params->tiles_x * params->tiles_y;
}

/* --- counting --- */

/* The pixel that pixel `i`, possibly beyond `size` pixels, mirrors. */
static uint32_t
mirror (uint32_t i, uint32_t size)
{
  const uint32_t period = size > 1 ? 2 * (size - 1) : 1;

  i %= period;
  return i < size ? i : period - i;
}

static void
count_tile (const AmphistoFrame *frame, const clahe_params *params,
    uint32_t tile, uint32_t bins[AMPHISTO_N_BINS])
{
  const AmphistoComponent *luma = amphisto_layout_luma (frame->layout);
  const uint32_t x = tile % params->tiles_x * params->tile_width;
  const uint32_t y = tile / params->tiles_x * params->tile_height;

  memset (bins, 0, AMPHISTO_N_BINS * sizeof *bins);
  for (uint32_t j = 0; j < params->tile_height; j++)
    for (uint32_t i = 0; i < params->tile_width; i++)
      bins[amphisto_frame_luma (
          frame, mirror (x + i, luma->width), mirror (y + j, luma->height))]++;
}

void
amphisto_clahe_count (const AmphistoFrame *frame, const clahe_params *params,
    uint32_t bins[][AMPHISTO_N_BINS])
{
  for (uint32_t t = 0; t < amphisto_clahe_n_tiles (params); t++)
    count_tile (frame, params, t, bins[t]);
}

/* --- LUTs --- */

static void
clip (uint32_t limit, uint32_t bins[AMPHISTO_N_BINS])
{
  uint32_t excess = 0;

  for (unsigned i = 0; i < AMPHISTO_N_BINS; i++)
    if (bins[i] > limit) {
      excess += bins[i] - limit;
      bins[i] = limit;
    }

  const uint32_t rest = excess % AMPHISTO_N_BINS;
  const uint32_t step = rest > 0 ? AMPHISTO_N_BINS / rest : 1;

  for (unsigned i = 0; i < AMPHISTO_N_BINS; i++)
    bins[i] += excess / AMPHISTO_N_BINS;
  for (unsigned i = 0; i < rest; i++)
    bins[i * step]++;
}

static void
make_lut (const AmphistoLayout *layout, const clahe_params *params,
    const uint32_t bins[AMPHISTO_N_BINS], uint8_t lut[AMPHISTO_N_BINS])
{
  uint32_t clipped[AMPHISTO_N_BINS];
  uint32_t cdf = 0;

  memcpy (clipped, bins, sizeof clipped);
  clip (params->limit, clipped);
  for (unsigned i = 0; i < AMPHISTO_N_BINS; i++) {
    cdf += clipped[i];

    const uint32_t value =
        layout->lo + (uint32_t) rintf ((float) cdf * params->scale);

    lut[i] = value < layout->hi ? value : layout->hi;
  }
}

void
amphisto_clahe_luts (const AmphistoLayout *layout, const clahe_params *params,
    const uint32_t bins[][AMPHISTO_N_BINS], uint8_t luts[][AMPHISTO_N_BINS])
{
  for (uint32_t t = 0; t < amphisto_clahe_n_tiles (params); t++)
    make_lut (layout, params, bins[t], luts[t]);
}

/* --- pixels --- */

/* Along one axis: the two neighbouring tiles of a pixel, and the interpolation
 * weight of the second. Beyond the outermost centres both are the outermost
 * tile. */
typedef struct
{
  uint32_t first;
  uint32_t second;
  float fraction;
} Between;

static Between
find_between (uint32_t pixel, float tiles_a_pixel, uint32_t n_tiles)
{
  const float at = (float) pixel * tiles_a_pixel - 0.5f;
  const float before = floorf (at);
  const int first = (int) before, last = (int) n_tiles - 1;

  return (Between){ first < 0 ? 0 : first, first < last ? first + 1 : last,
    at - before };
}

static float
interpolate (float first, float second, float fraction)
{
  return first * (1.0f - fraction) + second * fraction;
}

/* Looks up luma `v` in the LUTs of four tiles, and interpolates. */
static uint8_t
look_up (const uint8_t luts[][AMPHISTO_N_BINS], uint32_t tiles_x, uint8_t v,
    Between across, Between down)
{
  const uint8_t (*upper)[AMPHISTO_N_BINS] = luts + down.first * tiles_x;
  const uint8_t (*lower)[AMPHISTO_N_BINS] = luts + down.second * tiles_x;
  const float above = interpolate (
      upper[across.first][v], upper[across.second][v], across.fraction);
  const float below = interpolate (
      lower[across.first][v], lower[across.second][v], across.fraction);

  return (uint8_t) rintf (interpolate (above, below, down.fraction));
}

/* The equalized value of pixel (x, y), which has luma v. */
static uint8_t
equalize_pixel (const clahe_params *params,
    const uint8_t luts[][AMPHISTO_N_BINS], float strength, uint32_t x,
    uint32_t y, uint8_t v)
{
  const Between across = find_between (x, params->per_x, params->tiles_x);
  const Between down = find_between (y, params->per_y, params->tiles_y);

  return amphisto_equalize_move (
      strength, v, look_up (luts, params->tiles_x, v, across, down));
}

void
amphisto_clahe_apply (const AmphistoFrame *source, const AmphistoFrame *target,
    const clahe_params *params, const uint8_t luts[][AMPHISTO_N_BINS],
    float strength, uint32_t gain)
{
  const AmphistoComponent *luma = amphisto_layout_luma (source->layout);

  amphisto_equalize_copy (source, target);
  for (uint32_t y = 0; y < luma->height; y++)
    for (uint32_t x = 0; x < luma->width; x++)
      amphisto_frame_set_luma (target, x, y,
          equalize_pixel (
              params, luts, strength, x, y, amphisto_frame_luma (target, x, y)),
          gain);
}

/* Returns: the gamut budget. */
static uint32_t
find_budget (const AmphistoFrame *source, const clahe_params *params,
    const uint8_t luts[][AMPHISTO_N_BINS], float strength)
{
  const AmphistoComponent *luma = amphisto_layout_luma (source->layout);
  AmphistoProbedLuma equalized;

  for (uint32_t j = 0; j < AMPHISTO_PROBE_ROWS; j++)
    for (uint32_t i = 0; i < AMPHISTO_PROBE_ROWS; i++) {
      const uint32_t x = amphisto_chroma_probe (i, luma->width);
      const uint32_t y = amphisto_chroma_probe (j, luma->height);

      equalized[j][i] = equalize_pixel (
          params, luts, strength, x, y, amphisto_frame_luma (source, x, y));
    }
  return amphisto_chroma_budget (source, equalized);
}

bool
amphisto_clahe_equalize (const AmphistoClahe *clahe,
    const AmphistoFrame *source, const AmphistoFrame *target, float strength,
    AmphistoSmoothing smoothing, float *means, AmphistoColours *colours)
{
  const AmphistoComponent *luma = amphisto_layout_luma (source->layout);
  clahe_params params;

  if (luma->width == 0 || luma->height == 0)
    return true;
  amphisto_clahe_fill_params (clahe, source->layout, &params);

  const size_t n = amphisto_clahe_n_tiles (&params);
  uint32_t (*bins)[AMPHISTO_N_BINS] = malloc (n * sizeof *bins);
  uint8_t (*luts)[AMPHISTO_N_BINS] = malloc (n * sizeof *luts);
  const bool ok = bins != NULL && luts != NULL;

  if (ok) {
    amphisto_clahe_count (source, &params, bins);
    if (means != NULL)
      amphisto_smooth_bins (
          smoothing, n * AMPHISTO_N_BINS, bins[0], means, bins[0]);
    amphisto_clahe_luts (source->layout, &params, bins, luts);
    if (colours != NULL)
      amphisto_chroma_limit_gain (colours,
          amphisto_chroma_gain (n, bins, luts, strength),
          find_budget (source, &params, luts, strength));
    amphisto_clahe_apply (source, target, &params, luts, strength,
        colours != NULL ? colours->gain : AMPHISTO_UNIT_GAIN);
  }
  free (bins);
  free (luts);
  return ok;
}
