/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Conditions that the statistics of each frame are to meet, and how long one
 * fails.
 */

#ifndef AMPHISTO_CORE_EXPECT_H
#define AMPHISTO_CORE_EXPECT_H

#include "core/histogram.h"

typedef enum
{
  AMPHISTO_OPERATOR_LESS,
  AMPHISTO_OPERATOR_LESS_OR_EQUAL,
  AMPHISTO_OPERATOR_EQUAL,
  AMPHISTO_OPERATOR_NOT_EQUAL,
  AMPHISTO_OPERATOR_GREATER_OR_EQUAL,
  AMPHISTO_OPERATOR_GREATER,
} AmphistoOperator;

/* `channel`.`field` `operator` `number` */
typedef struct
{
  AmphistoChannel channel;
  AmphistoField field;
  AmphistoOperator operator;
  double number;
} AmphistoCondition;

/* Whether statistics of the condition's channel meet it: also if they lack the
 * field. Stores the value of a field that does not meet it. */
bool amphisto_condition_is_met (const AmphistoCondition *self,
    const AmphistoStatistics *statistics, double *value);

/* A condition over time; zeros before the first frame. */
typedef struct
{
  bool fails;
  bool is_told; /* it has failed for long enough */
  double value; /* of the first frame that failed */
  /* Stream time from the start of that frame to the start of the last frame,
   * and to its end, or only to its start if it meets the condition; in ns. */
  uint64_t elapsed;
  uint64_t duration;
} AmphistoConditionState;

/* What to tell of a condition, as flags: a short frame after a pause may give
 * both. */
typedef enum
{
  AMPHISTO_NEWS_FAILED = 1 << 0, /* it has failed for `min_duration` */
  AMPHISTO_NEWS_MET = 1 << 1,    /* it is met again, after it was told */
} AmphistoNews;

/* A frame that may fail: its times are in ns of stream time. */
typedef struct
{
  bool is_met;
  double value;      /* unless met */
  uint64_t step;     /* from the start of the previous frame to this one's */
  uint64_t duration; /* 0: unknown */
} AmphistoOutcome;

/* Adds the next frame. `min_duration`: how long the condition has to fail
 * before it is told.
 *
 * Returns: AmphistoNews. */
unsigned amphisto_condition_add_frame (AmphistoConditionState *self,
    const AmphistoOutcome *outcome, uint64_t min_duration);

#endif
