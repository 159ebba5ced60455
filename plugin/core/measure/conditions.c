/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/measure/conditions.h"

/* Returns: false if the frame lacks the field, or the channel has no samples.
 */
static bool
get_value (const AmphistoCondition *self,
    const AmphistoStatistics statistics[AMPHISTO_N_CHANNELS],
    const AmphistoHistograms *histograms, double *value)
{
  const AmphistoStatistics *channel = &statistics[self->channel];

  if (self->is_of_picture)
    return amphisto_picture_get (
        &histograms->picture, self->picture_field, value);
  if (channel->samples == 0)
    return false;
  if (!self->is_percentile)
    return amphisto_statistics_get (channel, self->field, value);
  *value = amphisto_histogram_percentile (
      histograms->bins[self->channel], self->percent);
  return true;
}

AmphistoTestResult
amphisto_condition_test (const AmphistoCondition *self,
    const AmphistoStatistics statistics[AMPHISTO_N_CHANNELS],
    const AmphistoHistograms *histograms, double *value)
{
  AmphistoOperator order = AMPHISTO_OPERATOR_EQUAL;

  if (!get_value (self, statistics, histograms, value))
    return AMPHISTO_UNTESTED;
  if (*value < self->number)
    order = AMPHISTO_OPERATOR_LESS;
  else if (*value > self->number)
    order = AMPHISTO_OPERATOR_GREATER;
  return (order & self->operator) != 0 ? AMPHISTO_MET : AMPHISTO_FAILED;
}

void
amphisto_condition_end_failure (AmphistoConditionState *self)
{
  self->fails = false;
  self->last_failed = false;
}

unsigned
amphisto_condition_add_frame (AmphistoConditionState *self,
    const AmphistoOutcome *outcome, uint64_t min_duration)
{
  const bool is_met = outcome->result == AMPHISTO_MET;
  const bool has_failed = outcome->result == AMPHISTO_FAILED;
  unsigned news = 0;

  self->was_met |= is_met;
  self->n_tested += outcome->result != AMPHISTO_UNTESTED;
  if (self->last_failed)
    self->elapsed += outcome->step;
  if (has_failed && !self->fails) {
    self->fails = true;
    self->is_reported = false;
    self->value = outcome->value;
    self->elapsed = 0;
  }
  self->last_failed = has_failed;
  if (!self->fails)
    return 0;

  self->duration = self->elapsed + (has_failed ? outcome->duration : 0);
  if (!self->is_reported && self->duration >= min_duration) {
    self->is_reported = true;
    news |= AMPHISTO_NEWS_FAILED;
  }
  if (is_met && self->is_reported)
    news |= AMPHISTO_NEWS_MET;
  if (is_met)
    amphisto_condition_end_failure (self);
  return news;
}
