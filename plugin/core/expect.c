/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/expect.h"

static bool
compare (double value, AmphistoOperator operator, double number)
{
  switch (operator) {
    case AMPHISTO_OPERATOR_LESS:
      return value < number;
    case AMPHISTO_OPERATOR_LESS_OR_EQUAL:
      return value <= number;
    case AMPHISTO_OPERATOR_EQUAL:
      return value == number;
    case AMPHISTO_OPERATOR_NOT_EQUAL:
      return value != number;
    case AMPHISTO_OPERATOR_GREATER_OR_EQUAL:
      return value >= number;
    default:
      return value > number;
  }
}

bool
amphisto_condition_is_met (const AmphistoCondition *self,
    const AmphistoStatistics *statistics, double *value)
{
  double field;

  if (!amphisto_statistics_get (statistics, self->field, &field)
      || compare (field, self->operator, self->number))
    return true;
  *value = field;
  return false;
}

unsigned
amphisto_condition_add_frame (AmphistoConditionState *self,
    const AmphistoOutcome *outcome, uint64_t min_duration)
{
  unsigned news = 0;

  if (self->fails)
    self->elapsed += outcome->step;
  else if (outcome->is_met)
    return 0;
  else
    *self = (AmphistoConditionState){ .fails = true, .value = outcome->value };

  self->duration = self->elapsed + (outcome->is_met ? 0 : outcome->duration);
  if (!self->is_told && self->duration >= min_duration) {
    self->is_told = true;
    news |= AMPHISTO_NEWS_FAILED;
  }
  if (outcome->is_met && self->is_told)
    news |= AMPHISTO_NEWS_MET;
  if (outcome->is_met)
    self->fails = false;
  return news;
}
