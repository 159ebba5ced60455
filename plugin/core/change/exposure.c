/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/change/exposure.h"
#include "core/pixels/arithmetic.h"
#include "core/measure/picture.h"
#include "core/pixels/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Chroma of grey. */
#define NO_CHROMA 128
/* A stripe's width: the frame's height over this, and at most the maximum. */
#define STRIPE_WIDTH_DIVISOR 160
#define MAX_STRIPE_WIDTH 128

/* --- bands --- */

/* Green and pink have much blue. Without it, viewers who cannot tell red from
 * green would take green for red, and pink for the grey around it. */
static const uint8_t colours[EXPOSURE_N_BANDS][3] = {
  { 90, 0, 120 },    /* purple */
  { 0, 110, 255 },   /* blue */
  { 60, 228, 140 },  /* green */
  { 255, 130, 228 }, /* pink */
  { 255, 225, 0 },   /* yellow */
  { 235, 0, 0 },     /* red */
};

const AmphistoBand
    amphisto_exposure_bands[AMPHISTO_N_FALSE_COLOR_SCALES][EXPOSURE_N_BANDS] = {
      [AMPHISTO_FALSE_COLOR_VIDEO] = { { INT16_MIN, 25 }, { 25, 40 },
          { 410, 480 }, { 610, 700 }, { 970, 990 }, { 990, INT16_MAX } },
      [AMPHISTO_FALSE_COLOR_LOG] = { { INT16_MIN, 25 }, { 25, 40 },
          { 380, 420 }, { 520, 560 }, { 970, 990 }, { 990, INT16_MAX } },
      [AMPHISTO_FALSE_COLOR_LIMITS] = { { INT16_MIN, 25 }, { 0 }, { 0 }, { 0 },
          { 0 }, { 990, INT16_MAX } },
    };

/* The first value at or above `tenths` of a per cent of the range; 256 if there
 * is none. */
static uint32_t
first_value (uint32_t lo, uint32_t hi, int32_t tenths)
{
  const int32_t thousandfold =
      1000 * (int32_t) lo + tenths * (int32_t) (hi - lo);

  return MIN (MAX (thousandfold + 999, 0) / 1000, 256);
}

static band_params
band_of (AmphistoFalseColorScale scale, uint32_t lo, uint32_t hi, uint32_t b)
{
  const AmphistoBand *band = &amphisto_exposure_bands[scale][b];
  const uint32_t first = first_value (lo, hi, band->first);

  return (band_params){ .first = first,
    .size = first_value (lo, hi, band->end) - first };
}

/* The number of the band, or EXPOSURE_N_BANDS for none. */
static uint32_t
find_band (const band_params band[EXPOSURE_N_BANDS], uint32_t v)
{
  uint32_t b = 0;

  while (b < EXPOSURE_N_BANDS && v - band[b].first >= band[b].size)
    b++;
  return b;
}

uint32_t
amphisto_exposure_light (
    AmphistoFalseColorScale scale, uint8_t lo, uint8_t hi, uint8_t v)
{
  const uint32_t range = hi - lo;
  const uint32_t grey = (MIN (MAX (v, lo), hi) - lo) * 255u + range / 2;

  for (uint32_t b = 0; b < EXPOSURE_N_BANDS; b++) {
    const uint8_t *colour = colours[b];
    const band_params band = band_of (scale, lo, hi, b);

    if (v - band.first < band.size)
      return colour[0] | colour[1] << 8 | (uint32_t) colour[2] << 16;
  }
  return grey / range * 0x10101;
}

/* The sample for a colour at full opacity. */
static uint32_t
colour_sample (const drawn_params *drawn, const uint8_t colour[3])
{
  const uint32_t *w = drawn->weights;

  return (w[0] * colour[0] + w[1] * colour[1] + w[2] * colour[2]
             + drawn->offset * 255 + 127)
      / 255;
}

static void
fill_bands (AmphistoFalseColorScale scale, const AmphistoLayout *layout,
    const drawing_params *drawing, exposure_params *params)
{
  params->has_bands = 1;
  for (uint32_t b = 0; b < EXPOSURE_N_BANDS; b++) {
    params->band[b] = band_of (scale, layout->lo, layout->hi, b);
    for (uint32_t c = 0; c < drawing->n_drawn; c++)
      params->band[b].samples[c] =
          colour_sample (&drawing->drawn[c], colours[b]);
  }
}

/* --- peaking --- */

/* Orange: no other aid has it, and it differs from bands, greys and skin also
 * for viewers who cannot tell red from green. */
static const uint8_t peaking_colour[3] = { 255, 128, 0 };
static const uint8_t white[3] = { 255, 255, 255 };

static void
fill_peaking (
    double threshold, const drawing_params *drawing, exposure_params *params)
{
  const bool is_grey = drawing->n_drawn == 1;

  params->has_peaking = 1;
  params->least_gradient =
      MAX (1, (uint32_t) ceil (EXPOSURE_MAX_GRADIENT * threshold / 100));
  for (uint32_t c = 0; c < drawing->n_drawn; c++)
    params->peaking_samples[c] =
        colour_sample (&drawing->drawn[c], is_grey ? white : peaking_colour);
  params->row_step = 1;
}

/* --- zebra --- */

static uint32_t
clamp_value (double v)
{
  return (uint32_t) fmin (fmax (v, 0), 255);
}

/* Values at a threshold get stripes. 0 is always dark and 255 always bright,
 * whatever the thresholds. */
static void
fill_zebra (const AmphistoExposureSettings *settings,
    const AmphistoLayout *layout, exposure_params *params)
{
  const uint32_t lo = layout->lo, range = layout->hi - layout->lo;

  params->has_zebra = 1;
  params->dark = clamp_value (floor (lo + settings->zebra_low * range / 100));
  params->bright = clamp_value (ceil (lo + settings->zebra_high * range / 100));
  params->dark_least = lo + range / 4;
  params->bright_most = layout->hi - range / 4;
}

/* Of zebra and gamut. */
static void
fill_stripes (const AmphistoLayout *layout, exposure_params *params)
{
  const uint32_t height = amphisto_layout_luma (layout)->height;

  params->black = layout->lo;
  params->white = layout->hi;
  params->stripe_width = 4;
  while (params->stripe_width
      < MIN (height / STRIPE_WIDTH_DIVISOR, MAX_STRIPE_WIDTH))
    params->stripe_width *= 2;
}

void
amphisto_exposure_fill_params (const AmphistoExposureSettings *settings,
    const AmphistoLayout *layout, const drawing_params *drawing,
    exposure_params *params)
{
  memset (params, 0, sizeof *params);
  memcpy (params->weights, layout->weights, sizeof params->weights);
  params->n_luma = layout->is_rgb ? 3 : 1;
  if ((settings->enabled & AMPHISTO_EXPOSURE_FALSE_COLOR)
      && drawing->n_drawn > 1)
    fill_bands (settings->scale, layout, drawing, params);
  if (settings->enabled & AMPHISTO_EXPOSURE_ZEBRA)
    fill_zebra (settings, layout, params);
  if (settings->enabled & AMPHISTO_EXPOSURE_GAMUT)
    params->has_gamut = amphisto_picture_has_gamut (layout);
  if (settings->enabled & AMPHISTO_EXPOSURE_PEAKING)
    fill_peaking (settings->peaking_threshold, drawing, params);
  if (params->has_zebra || params->has_gamut)
    fill_stripes (layout, params);
}

/* --- drawing --- */

static uint8_t *
drawn_sample (const drawing_params *drawing, const AmphistoFrame *frame,
    uint32_t c, uint32_t x, uint32_t y)
{
  return amphisto_frame_sample (frame, &drawing->drawn[c].samples, x, y);
}

/* Component c of a pixel of this luma, in false colour. */
static uint32_t
band_sample (const exposure_params *params, uint32_t c, uint32_t luma)
{
  const uint32_t b = find_band (params->band, luma);

  if (b < EXPOSURE_N_BANDS)
    return params->band[b].samples[c];
  return c < params->n_luma ? luma : NO_CHROMA;
}

static uint32_t
stripe_sample (const exposure_params *params, uint32_t luma, uint32_t sample,
    uint32_t x, uint32_t y)
{
  const bool is_rising =
      ((x + y + params->stripe_phase) & params->stripe_width) != 0;
  const bool is_falling =
      ((x - y + params->stripe_phase) & params->stripe_width) != 0;

  if (luma >= params->bright)
    return is_falling ? params->white : MIN (sample, params->bright_most);
  if (luma <= params->dark)
    return is_rising ? params->black : MAX (sample, params->dark_least);
  return sample;
}

/* Draws a chroma sample in false colour. */
static void
draw_mean (const drawing_params *drawing, const exposure_params *params,
    const AmphistoFrame *source, const AmphistoFrame *target, uint32_t c,
    uint32_t x, uint32_t y)
{
  const drawn_params *drawn = drawing->drawn;
  const uint32_t n = amphisto_component_n_pixels (&drawn[c].samples);
  uint32_t sum = n / 2;

  for (uint32_t i = 0; i < n; i++) {
    const AmphistoPosition at = amphisto_component_pixel (
        &drawn[c].samples, &drawn[0].samples, x, y, i);

    sum += band_sample (params, c, amphisto_frame_luma (source, at.x, at.y));
  }
  *drawn_sample (drawing, target, c, x, y) = sum / n;
}

/* Must run before luma is drawn: target may be source, and chroma is drawn from
 * the source's luma. */
static void
draw_chroma (const drawing_params *drawing, const exposure_params *params,
    const AmphistoFrame *source, const AmphistoFrame *target)
{
  for (uint32_t c = params->n_luma; c < drawing->n_drawn; c++) {
    const component_params *samples = &drawing->drawn[c].samples;

    for (uint32_t y = 0; y < samples->height; y++)
      for (uint32_t x = 0; x < samples->width; x++)
        draw_mean (drawing, params, source, target, c, x, y);
  }
}

static void
draw_pixel (const drawing_params *drawing, const exposure_params *params,
    const AmphistoFrame *source, const AmphistoFrame *target, uint32_t x,
    uint32_t y)
{
  const uint32_t luma = amphisto_frame_luma (source, x, y);

  for (uint32_t c = 0; c < params->n_luma; c++) {
    uint8_t *sample = drawn_sample (drawing, target, c, x, y);

    if (params->has_bands)
      *sample = band_sample (params, c, luma);
    if (params->has_zebra)
      *sample = stripe_sample (params, luma, *sample, x, y);
  }
}

void
amphisto_exposure_draw (const drawing_params *drawing,
    const exposure_params *params, const AmphistoFrame *source,
    const AmphistoFrame *target)
{
  const component_params *pixels = &drawing->drawn[0].samples;

  if (params->has_bands)
    draw_chroma (drawing, params, source, target);
  for (uint32_t y = 0; y < pixels->height; y++)
    for (uint32_t x = 0; x < pixels->width; x++)
      draw_pixel (drawing, params, source, target, x, y);
}

/* --- drawing peaking --- */

/* |gx| + |gy| of the Sobel operator at a pixel of the region. */
static uint32_t
find_gradient (
    const AmphistoFrame *region, uint32_t step, uint32_t x, uint32_t y)
{
  const AmphistoComponent *luma = amphisto_layout_luma (region->layout);
  const uint32_t columns[3] = { x - MIN (x, 1), x,
    MIN (x + 1, luma->width - 1) };
  const uint32_t rows[3] = { y < step ? y : y - step, y,
    y + step < luma->height ? y + step : y };
  static const int weights[3] = { 1, 2, 1 };
  int gx = 0, gy = 0;

  for (uint32_t i = 0; i < 3; i++) {
    gx += weights[i]
        * (amphisto_frame_luma (region, columns[2], rows[i])
            - amphisto_frame_luma (region, columns[0], rows[i]));
    gy += weights[i]
        * (amphisto_frame_luma (region, columns[i], rows[2])
            - amphisto_frame_luma (region, columns[i], rows[0]));
  }
  return (uint32_t) (abs (gx) + abs (gy));
}

/* x, y: in the area to draw into. */
static bool
is_edge (const exposure_params *params, const AmphistoFrame *region, uint32_t x,
    uint32_t y)
{
  return find_gradient (region, params->row_step, x + params->peaking_x,
             y + params->peaking_y)
      >= params->least_gradient;
}

static uint32_t
region_luma (const exposure_params *params, const AmphistoFrame *region,
    uint32_t x, uint32_t y)
{
  return amphisto_frame_luma (
      region, x + params->peaking_x, y + params->peaking_y);
}

/* Draws sample (x, y) of a subsampled or whole chroma component. */
static void
draw_peaking_mean (const drawing_params *drawing, const exposure_params *params,
    const AmphistoFrame *region, const AmphistoFrame *target, uint32_t c,
    uint32_t x, uint32_t y)
{
  const drawn_params *drawn = drawing->drawn;
  uint8_t *sample = drawn_sample (drawing, target, c, x, y);
  const uint32_t n = amphisto_component_n_pixels (&drawn[c].samples);
  uint32_t sum = n / 2;
  bool has_edge = false;

  for (uint32_t i = 0; i < n; i++) {
    const AmphistoPosition at = amphisto_component_pixel (
        &drawn[c].samples, &drawn[0].samples, x, y, i);
    const bool is_marked = is_edge (params, region, at.x, at.y);
    const uint32_t own = params->has_bands
        ? band_sample (params, c, region_luma (params, region, at.x, at.y))
        : *sample;

    has_edge |= is_marked;
    sum += is_marked ? params->peaking_samples[c] : own;
  }
  if (has_edge)
    *sample = sum / n;
}

static void
draw_peaking_pixel (const drawing_params *drawing,
    const exposure_params *params, const AmphistoFrame *region,
    const AmphistoFrame *target, uint32_t x, uint32_t y)
{
  const uint32_t luma = region_luma (params, region, x, y);

  for (uint32_t c = 0; c < params->n_luma; c++) {
    const uint32_t sample = params->peaking_samples[c];

    *drawn_sample (drawing, target, c, x, y) =
        params->has_zebra ? stripe_sample (params, luma, sample, x, y) : sample;
  }
}

void
amphisto_exposure_draw_peaking (const drawing_params *drawing,
    const exposure_params *params, const AmphistoFrame *region,
    const AmphistoFrame *target)
{
  const component_params *pixels = &drawing->drawn[0].samples;

  for (uint32_t c = params->n_luma; c < drawing->n_drawn; c++)
    for (uint32_t y = 0; y < drawing->drawn[c].samples.height; y++)
      for (uint32_t x = 0; x < drawing->drawn[c].samples.width; x++)
        draw_peaking_mean (drawing, params, region, target, c, x, y);
  for (uint32_t y = 0; y < pixels->height; y++)
    for (uint32_t x = 0; x < pixels->width; x++)
      if (is_edge (params, region, x, y))
        draw_peaking_pixel (drawing, params, region, target, x, y);
}

/* --- drawing stripes over pixels out of gamut --- */

/* Stores `value` in the components that equal luma in grey pixels. */
static void
draw_grey (const exposure_params *params, const AmphistoFrame *frame,
    uint32_t x, uint32_t y, uint8_t value)
{
  const AmphistoLayout *layout = frame->layout;
  const AmphistoComponent *c =
      &layout->component[layout->is_rgb ? AMPHISTO_CHANNEL_RED
                                        : AMPHISTO_CHANNEL_LUMA];

  for (uint32_t i = 0; i < params->n_luma; i++)
    *amphisto_frame_sample (frame, &c[i], x, y) = value;
}

void
amphisto_exposure_draw_gamut (const exposure_params *params,
    const AmphistoFrame *source, const AmphistoFrame *target)
{
  const AmphistoLayout *layout = source->layout;
  const AmphistoComponent *luma = amphisto_layout_luma (layout);

  for (uint32_t y = 0; y < luma->height; y++)
    for (uint32_t x = 0; x < luma->width; x++) {
      const uint32_t value = amphisto_frame_luma (source, x, y);
      const bool is_bright = 2 * value > params->black + params->white;

      if (((x + params->stripe_phase) & params->stripe_width) != 0
          && amphisto_picture_is_outside (source, x, y))
        draw_grey (
            params, target, x, y, is_bright ? params->black : params->white);
    }
}
