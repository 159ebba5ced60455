/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Statistics of histograms.
 */

#pragma once

#include "core/measure/histogram.h"

/* Statistics of a histogram's samples. */
typedef struct
{
  double samples; /* the sum of the bins */
  double min;     /* smallest value that occurs */
  double max;     /* greatest value that occurs */
  double median;  /* smallest v with 2 * CDF (v) >= samples */
  double mean;
  double stddev;       /* of the population: divides by samples */
  double entropy;      /* bits per sample, 0 to 8 */
  double clipped_low;  /* fraction at or below the channel's low end, 0 to 1 */
  double clipped_high; /* fraction at or above its high end, 0 to 1 */
  bool has_difference; /* false: the next two are 0 */
  double difference;   /* see AmphistoComparison */
  double distance;
} AmphistoStatistics;

/* The statistics by name: fields of metadata and messages, in their order, and
 * of conditions. */
typedef enum
{
  AMPHISTO_FIELD_SAMPLES,
  AMPHISTO_FIELD_MIN,
  AMPHISTO_FIELD_MAX,
  AMPHISTO_FIELD_MEDIAN,
  AMPHISTO_FIELD_MEAN,
  AMPHISTO_FIELD_STDDEV,
  AMPHISTO_FIELD_ENTROPY,
  AMPHISTO_FIELD_CLIPPED_LOW,
  AMPHISTO_FIELD_CLIPPED_HIGH,
  AMPHISTO_FIELD_DIFFERENCE,
  AMPHISTO_FIELD_DISTANCE,
  AMPHISTO_N_FIELDS
} AmphistoField;

/* The field's name: "samples", "min", … "clipped-low", … "distance". */
const char *amphisto_field_name (AmphistoField field);

/* The type of the field in metadata and messages. */
typedef enum
{
  AMPHISTO_FIELD_UINT64,
  AMPHISTO_FIELD_UINT,
  AMPHISTO_FIELD_DOUBLE
} AmphistoFieldType;

AmphistoFieldType amphisto_field_type (AmphistoField field);

/* Whether the field needs a comparison with the previous frame, which only luma
 * has. */
bool amphisto_field_is_comparison (AmphistoField field);

/* Stores the field's value.
 *
 * Returns: false if the statistics lack the field. */
bool amphisto_statistics_get (
    const AmphistoStatistics *statistics, AmphistoField field, double *value);

/* Stores the statistics of `bins` that do not depend on the channel; all are 0
 * if there are no samples. */
void amphisto_histogram_statistics (
    const uint32_t bins[AMPHISTO_N_BINS], AmphistoStatistics *statistics);

/* Stores all statistics of `channel`, which is in `histograms`; of luma with
 * the difference from the previous frame, if there is one. `layout`: of the
 * frame; gives the channel's range. */
void amphisto_histograms_statistics (const AmphistoHistograms *histograms,
    const AmphistoLayout *layout, AmphistoChannel channel,
    AmphistoStatistics *statistics);

/* The area between the CDFs of `a` and `b`,
 *
 *   |a's CDF (0) - b's CDF (0)| + ... + |a's CDF (255) - b's CDF (255)|
 *
 * With the same number of samples in both, it is the number of levels that
 * samples have to move, all together, to turn one histogram into the other. */
uint64_t amphisto_histogram_area (
    const uint32_t a[AMPHISTO_N_BINS], const uint32_t b[AMPHISTO_N_BINS]);

/* The number of samples: the sum of the bins. */
uint64_t amphisto_histogram_samples (const uint32_t bins[AMPHISTO_N_BINS]);

/* The fraction of the samples, 0 to 1, with values `from` to `to`; 0 if there
 * are no samples. */
double amphisto_histogram_fraction (
    const uint32_t bins[AMPHISTO_N_BINS], unsigned from, unsigned to);

/* The smallest occurring value v with CDF (v) >= `percent` % of the samples:
 * the minimum for 0, the maximum for 100. 0 if there are no samples. */
unsigned amphisto_histogram_percentile (
    const uint32_t bins[AMPHISTO_N_BINS], double percent);
