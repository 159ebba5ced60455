/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/measure/statistics.h"
#include "core/pixels/channels.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define AT(member) offsetof (AmphistoStatistics, member)

/* In the order of AmphistoField. */
static const struct
{
  const char *name;
  AmphistoFieldType type;
  size_t offset; /* in AmphistoStatistics */
  bool is_comparison;
} fields[AMPHISTO_N_FIELDS] = {
  { "samples", AMPHISTO_FIELD_UINT64, AT (samples), false },
  { "min", AMPHISTO_FIELD_UINT, AT (min), false },
  { "max", AMPHISTO_FIELD_UINT, AT (max), false },
  { "median", AMPHISTO_FIELD_UINT, AT (median), false },
  { "mean", AMPHISTO_FIELD_DOUBLE, AT (mean), false },
  { "stddev", AMPHISTO_FIELD_DOUBLE, AT (stddev), false },
  { "entropy", AMPHISTO_FIELD_DOUBLE, AT (entropy), false },
  { "clipped-low", AMPHISTO_FIELD_DOUBLE, AT (clipped_low), false },
  { "clipped-high", AMPHISTO_FIELD_DOUBLE, AT (clipped_high), false },
  { "difference", AMPHISTO_FIELD_DOUBLE, AT (difference), true },
  { "distance", AMPHISTO_FIELD_DOUBLE, AT (distance), true },
};

const char *
amphisto_field_name (AmphistoField field)
{
  return fields[field].name;
}

AmphistoFieldType
amphisto_field_type (AmphistoField field)
{
  return fields[field].type;
}

bool
amphisto_field_is_comparison (AmphistoField field)
{
  return fields[field].is_comparison;
}

bool
amphisto_statistics_get (
    const AmphistoStatistics *statistics, AmphistoField field, double *value)
{
  const char *member = (const char *) statistics + fields[field].offset;

  if (fields[field].is_comparison && !statistics->has_difference)
    return false;
  *value = *(const double *) member;
  return true;
}

void
amphisto_histogram_statistics (
    const uint32_t bins[AMPHISTO_N_BINS], AmphistoStatistics *statistics)
{
  const uint64_t samples = amphisto_histogram_samples (bins);
  uint64_t sum = 0, cdf = 0;
  double variance = 0.0;

  memset (statistics, 0, sizeof *statistics);
  for (unsigned v = 0; v < AMPHISTO_N_BINS; v++)
    sum += (uint64_t) bins[v] * v;
  if (samples == 0)
    return;

  statistics->samples = (double) samples;
  statistics->mean = (double) sum / (double) samples;
  for (unsigned v = 0; v < AMPHISTO_N_BINS; v++) {
    const double p = (double) bins[v] / (double) samples;
    const double distance = v - statistics->mean;

    if (bins[v] == 0)
      continue;
    if (cdf == 0)
      statistics->min = v;
    statistics->max = v;
    if (2 * cdf < samples)
      statistics->median = v;
    cdf += bins[v];
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
  const AmphistoRange range = amphisto_channel_range (layout, channel);

  amphisto_histogram_statistics (bins, statistics);
  statistics->clipped_low = amphisto_histogram_fraction (bins, 0, range.lo);
  statistics->clipped_high =
      amphisto_histogram_fraction (bins, range.hi, AMPHISTO_N_BINS - 1);
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
amphisto_histogram_samples (const uint32_t bins[AMPHISTO_N_BINS])
{
  uint64_t samples = 0;

  for (unsigned v = 0; v < AMPHISTO_N_BINS; v++)
    samples += bins[v];
  return samples;
}

double
amphisto_histogram_fraction (
    const uint32_t bins[AMPHISTO_N_BINS], unsigned from, unsigned to)
{
  const uint64_t samples = amphisto_histogram_samples (bins);
  uint64_t n = 0;

  for (unsigned v = from; v <= to; v++)
    n += bins[v];
  return samples > 0 ? (double) n / (double) samples : 0;
}

unsigned
amphisto_histogram_percentile (
    const uint32_t bins[AMPHISTO_N_BINS], double percent)
{
  const double samples = (double) amphisto_histogram_samples (bins);
  uint64_t cdf = 0;

  for (unsigned v = 0; v < AMPHISTO_N_BINS; v++) {
    cdf += bins[v];
    if (bins[v] > 0 && (double) cdf * 100 >= samples * percent)
      return v;
  }
  return 0;
}
