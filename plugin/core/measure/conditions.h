/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Conditions that the statistics of each frame have to meet, and how long one
 * fails.
 */

#pragma once

#include "core/measure/statistics.h"

/* A bit for each order of value and number that meets the condition. */
typedef enum
{
  AMPHISTO_OPERATOR_LESS = 1 << 0,
  AMPHISTO_OPERATOR_EQUAL = 1 << 1,
  AMPHISTO_OPERATOR_GREATER = 1 << 2,
  AMPHISTO_OPERATOR_LESS_OR_EQUAL =
      AMPHISTO_OPERATOR_LESS | AMPHISTO_OPERATOR_EQUAL,
  AMPHISTO_OPERATOR_NOT_EQUAL =
      AMPHISTO_OPERATOR_LESS | AMPHISTO_OPERATOR_GREATER,
  AMPHISTO_OPERATOR_GREATER_OR_EQUAL =
      AMPHISTO_OPERATOR_GREATER | AMPHISTO_OPERATOR_EQUAL,
} AmphistoOperator;

/* `channel`.`field` `operator` `number`, or `channel`.p`percent` …, or
 * `picture`.`picture_field` … */
typedef struct
{
  bool is_of_picture; /* and of no channel */
  bool is_percentile; /* and no field */
  AmphistoChannel channel;
  AmphistoField field;
  double percent; /* 0 to 100 */
  AmphistoPictureField picture_field;
  AmphistoOperator operator;
  double number;
} AmphistoCondition;

/* What a frame says about a condition. */
typedef enum
{
  AMPHISTO_UNTESTED, /* nothing: it lacks the field, has no samples, or is never
                      * shown */
  AMPHISTO_MET,
  AMPHISTO_FAILED,
} AmphistoTestResult;

/* Tests the histograms of a frame, or its picture. `statistics`: of all
 * channels of `histograms`. Stores the field's value, unless the condition is
 * untested. */
AmphistoTestResult amphisto_condition_test (const AmphistoCondition *self,
    const AmphistoStatistics statistics[AMPHISTO_N_CHANNELS],
    const AmphistoHistograms *histograms, double *value);

/* A condition over time; zeros before the first frame. */
typedef struct
{
  /* A failure lasts from a frame that fails the condition until one meets it.
   * Frames that do not test the condition neither end it nor prolong it. */
  bool fails;
  bool is_reported;  /* it has lasted for long enough */
  double value;      /* of its first frame; kept after its end */
  uint64_t duration; /* ns of stream time, to the end of the last frame; kept */

  bool was_met;      /* by any frame */
  uint64_t n_tested; /* frames that met or failed the condition */

  /*< private >*/
  bool last_failed; /* the last frame failed the condition */
  uint64_t elapsed; /* like `duration`, but to the start of the last frame */
} AmphistoConditionState;

/* What to report of a condition, as flags: a short frame before a pause may
 * give both. */
typedef enum
{
  AMPHISTO_NEWS_FAILED = 1 << 0, /* it has failed for `min_duration` */
  AMPHISTO_NEWS_MET = 1 << 1,    /* a reported failure has ended */
} AmphistoNews;

/* A frame that may have tested the condition: its times are in ns of stream
 * time. */
typedef struct
{
  AmphistoTestResult result;
  double value;      /* unless untested */
  uint64_t step;     /* from the start of the previous frame to this one's */
  uint64_t duration; /* 0: unknown */
} AmphistoOutcome;

/* Adds the next frame. `min_duration`: how long the condition has to fail
 * before that is reported.
 *
 * Returns: AmphistoNews. */
unsigned amphisto_condition_add_frame (AmphistoConditionState *self,
    const AmphistoOutcome *outcome, uint64_t min_duration);

/* Ends a failure without a frame that meets the condition. */
void amphisto_condition_end_failure (AmphistoConditionState *self);
