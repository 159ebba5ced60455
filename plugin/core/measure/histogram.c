/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/measure/histogram.h"

#include <math.h>
#include <string.h>

static const char *const field_names[AMPHISTO_N_FIELDS] = {
  [AMPHISTO_FIELD_SAMPLES] = "samples",
  [AMPHISTO_FIELD_MIN] = "min",
  [AMPHISTO_FIELD_MAX] = "max",
  [AMPHISTO_FIELD_MEDIAN] = "median",
  [AMPHISTO_FIELD_MEAN] = "mean",
  [AMPHISTO_FIELD_STDDEV] = "stddev",
  [AMPHISTO_FIELD_ENTROPY] = "entropy",
  [AMPHISTO_FIELD_CLIPPED_LOW] = "clipped-low",
  [AMPHISTO_FIELD_CLIPPED_HIGH] = "clipped-high",
  [AMPHISTO_FIELD_DIFFERENCE] = "difference",
  [AMPHISTO_FIELD_DISTANCE] = "distance",
};

const char *
amphisto_field_name (AmphistoField field)
{
  return field_names[field];
}

bool
amphisto_field_is_comparison (AmphistoField field)
{
  return field == AMPHISTO_FIELD_DIFFERENCE || field == AMPHISTO_FIELD_DISTANCE;
}

bool
amphisto_statistics_get (
    const AmphistoStatistics *statistics, AmphistoField field, double *value)
{
  const double values[AMPHISTO_N_FIELDS] = {
    [AMPHISTO_FIELD_SAMPLES] = (double) statistics->samples,
    [AMPHISTO_FIELD_MIN] = statistics->min,
    [AMPHISTO_FIELD_MAX] = statistics->max,
    [AMPHISTO_FIELD_MEDIAN] = statistics->median,
    [AMPHISTO_FIELD_MEAN] = statistics->mean,
    [AMPHISTO_FIELD_STDDEV] = statistics->stddev,
    [AMPHISTO_FIELD_ENTROPY] = statistics->entropy,
    [AMPHISTO_FIELD_CLIPPED_LOW] = statistics->clipped_low,
    [AMPHISTO_FIELD_CLIPPED_HIGH] = statistics->clipped_high,
    [AMPHISTO_FIELD_DIFFERENCE] = statistics->difference,
    [AMPHISTO_FIELD_DISTANCE] = statistics->distance,
  };

  if (amphisto_field_is_comparison (field) && !statistics->has_difference)
    return false;
  *value = values[field];
  return true;
}

void
amphisto_histogram_statistics (
    const uint32_t bins[AMPHISTO_N_BINS], AmphistoStatistics *statistics)
{
  uint64_t samples = 0, sum = 0, cdf = 0;
  double variance = 0.0;
  bool has_median = false;

  memset (statistics, 0, sizeof *statistics);
  for (unsigned v = 0; v < AMPHISTO_N_BINS; v++) {
    samples += bins[v];
    sum += (uint64_t) bins[v] * v;
  }
  if (samples == 0)
    return;

  statistics->samples = samples;
  statistics->mean = (double) sum / (double) samples;
  for (unsigned v = 0; v < AMPHISTO_N_BINS; v++) {
    const double p = (double) bins[v] / (double) samples;
    const double distance = v - statistics->mean;

    if (bins[v] == 0)
      continue;
    if (cdf == 0)
      statistics->min = v;
    statistics->max = v;
    cdf += bins[v];
    if (!has_median && 2 * cdf >= samples) {
      statistics->median = v;
      has_median = true;
    }
    variance += p * distance * distance;
    statistics->entropy -= p * log2 (p);
  }
  statistics->stddev = sqrt (variance);
  /* a single value: - 1 * log2 (1) is -0 */
  statistics->entropy = fabs (statistics->entropy);
}

void
amphisto_histograms_statistics (const AmphistoHistograms *histograms,
    const AmphistoLayout *layout, AmphistoChannel channel,
    AmphistoStatistics *statistics)
{
  const AmphistoComparison *comparison = &histograms->comparison;
  const uint32_t *bins = histograms->bins[channel];
  uint8_t lo, hi;

  amphisto_histogram_statistics (bins, statistics);
  amphisto_channel_range (layout, channel, &lo, &hi);
  statistics->clipped_low = amphisto_histogram_fraction (bins, 0, lo);
  statistics->clipped_high =
      amphisto_histogram_fraction (bins, hi, AMPHISTO_N_BINS - 1);
  if (channel != AMPHISTO_CHANNEL_LUMA || !comparison->has_previous)
    return;
  statistics->has_difference = true;
  statistics->difference = comparison->difference;
  statistics->distance = comparison->distance;
}

uint64_t
amphisto_histogram_area (
    const uint32_t a[AMPHISTO_N_BINS], const uint32_t b[AMPHISTO_N_BINS])
{
  int64_t ahead = 0; /* a's CDF minus b's */
  uint64_t area = 0;

  for (unsigned v = 0; v < AMPHISTO_N_BINS; v++) {
    ahead += (int64_t) a[v] - (int64_t) b[v];
    area += (uint64_t) (ahead < 0 ? -ahead : ahead);
  }
  return area;
}

uint64_t
amphisto_histogram_sum (
    const uint32_t bins[AMPHISTO_N_BINS], unsigned from, unsigned to)
{
  uint64_t sum = 0;

  for (unsigned v = from; v <= to; v++)
    sum += bins[v];
  return sum;
}

double
amphisto_histogram_fraction (
    const uint32_t bins[AMPHISTO_N_BINS], unsigned from, unsigned to)
{
  const uint64_t samples =
      amphisto_histogram_sum (bins, 0, AMPHISTO_N_BINS - 1);

  return samples > 0
      ? (double) amphisto_histogram_sum (bins, from, to) / (double) samples
      : 0;
}

unsigned
amphisto_histogram_percentile (
    const uint32_t bins[AMPHISTO_N_BINS], double percent)
{
  const double samples =
      (double) amphisto_histogram_sum (bins, 0, AMPHISTO_N_BINS - 1);
  uint64_t cdf = 0;

  for (unsigned v = 0; v < AMPHISTO_N_BINS; v++) {
    cdf += bins[v];
    if (bins[v] > 0 && (double) cdf * 100 >= samples * percent)
      return v;
  }
  return 0;
}

static uint8_t
rgb_luma_at (const AmphistoFrame *frame, uint32_t x, uint32_t y)
{
  const AmphistoComponent *c = frame->layout->component;

  return amphisto_rgb_luma (frame->layout->weights,
      *amphisto_frame_sample (frame, &c[AMPHISTO_CHANNEL_RED], x, y),
      *amphisto_frame_sample (frame, &c[AMPHISTO_CHANNEL_GREEN], x, y),
      *amphisto_frame_sample (frame, &c[AMPHISTO_CHANNEL_BLUE], x, y));
}

static uint8_t
yuv_colour_at (
    const AmphistoFrame *frame, AmphistoChannel channel, uint32_t x, uint32_t y)
{
  const AmphistoComponent *c = frame->layout->component;

  return amphisto_yuv_colour (
      frame->layout->matrix[channel - AMPHISTO_CHANNEL_RED],
      amphisto_pixel_sample (frame, &c[AMPHISTO_CHANNEL_LUMA], x, y),
      amphisto_pixel_sample (frame, &c[AMPHISTO_CHANNEL_U], x, y),
      amphisto_pixel_sample (frame, &c[AMPHISTO_CHANNEL_V], x, y));
}

uint8_t
amphisto_frame_value (
    const AmphistoFrame *frame, AmphistoChannel channel, uint32_t x, uint32_t y)
{
  const AmphistoLayout *layout = frame->layout;

  if (!amphisto_channel_is_computed (layout, channel))
    return *amphisto_frame_sample (frame, &layout->component[channel], x, y);
  return layout->is_rgb ? rgb_luma_at (frame, x, y)
                        : yuv_colour_at (frame, channel, x, y);
}

uint8_t
amphisto_frame_luma (const AmphistoFrame *frame, uint32_t x, uint32_t y)
{
  return amphisto_frame_value (frame, AMPHISTO_CHANNEL_LUMA, x, y);
}

/* Faster than amphisto_frame_value() for each sample; tests spend much time
 * here. */
static void
count_plane (const AmphistoFrame *frame, const AmphistoComponent *c,
    uint32_t bins[AMPHISTO_N_BINS])
{
  for (uint32_t y = 0; y < c->height; y++) {
    const uint8_t *sample = amphisto_frame_sample (frame, c, 0, y);

    for (uint32_t x = 0; x < c->width; x++)
      bins[sample[(size_t) x * c->pixel_stride]]++;
  }
}

void
amphisto_histogram_count (const AmphistoFrame *frame, AmphistoChannel channel,
    uint32_t bins[AMPHISTO_N_BINS])
{
  const AmphistoComponent *c = &frame->layout->component[channel];

  memset (bins, 0, AMPHISTO_N_BINS * sizeof *bins);
  if (!amphisto_channel_is_computed (frame->layout, channel)) {
    count_plane (frame, c, bins);
    return;
  }
  for (uint32_t y = 0; y < c->height; y++)
    for (uint32_t x = 0; x < c->width; x++)
      bins[amphisto_frame_value (frame, channel, x, y)]++;
}
