/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/history.h"

#include <string.h>

static AmphistoMeanKey
mean_key (const AmphistoPlan *plan)
{
  const AmphistoSettings *settings = &plan->settings;
  AmphistoMeanKey key = { 0 };

  if (!amphisto_plan_has_stage (plan, AMPHISTO_STAGE_SMOOTH))
    return key;
  key.equalization = settings->equalization;
  key.width = plan->region.width;
  key.height = plan->region.height;
  if (settings->equalization == AMPHISTO_EQUALIZATION_CLAHE) {
    key.tiles_x = settings->clahe.tiles_x;
    key.tiles_y = settings->clahe.tiles_y;
  }
  return key;
}

static AmphistoScaleKey
scale_key (const AmphistoPlan *plan)
{
  if (!(plan->scopes & AMPHISTO_SCOPE_HISTOGRAM))
    return (AmphistoScaleKey){ 0 };
  return (AmphistoScaleKey){ plan->settings.scopes.display, plan->display,
    plan->settings.channels };
}

/* Samples at the same positions are compared, so the comparison restarts when
 * the region moves. */
static AmphistoRegion
compared_region (const AmphistoPlan *plan)
{
  return amphisto_plan_has_stage (plan, AMPHISTO_STAGE_COMPARE)
      ? plan->region
      : (AmphistoRegion){ 0 };
}

void
amphisto_history_clear (AmphistoHistory *self)
{
  self->has_mean = false;
  self->has_scale = false;
  self->has_previous = false;
}

void
amphisto_history_set_plan (AmphistoHistory *self, const AmphistoPlan *plan)
{
  const AmphistoMeanKey mean = mean_key (plan);
  const AmphistoScaleKey scale = scale_key (plan);
  const AmphistoRegion compared = compared_region (plan);

  /* the keys have no padding */
  self->has_mean &= memcmp (&self->mean, &mean, sizeof mean) == 0;
  self->has_scale &= memcmp (&self->scale, &scale, sizeof scale) == 0;
  self->has_previous &=
      memcmp (&self->compared, &compared, sizeof compared) == 0;
  self->mean = mean;
  self->scale = scale;
  self->compared = compared;
}

void
amphisto_history_begin_job (const AmphistoHistory *self, AmphistoJob *job)
{
  job->resets_mean = !self->has_mean;
  job->resets_scale = !self->has_scale;
  job->resets_comparison = !self->has_previous;
}

void
amphisto_history_end_job (AmphistoHistory *self, const AmphistoJob *job)
{
  if (amphisto_plan_has_stage (job->plan, AMPHISTO_STAGE_SMOOTH))
    self->has_mean = true;
  if (job->plan->scopes & AMPHISTO_SCOPE_HISTOGRAM)
    self->has_scale = true;
  if (amphisto_plan_has_stage (job->plan, AMPHISTO_STAGE_COMPARE))
    self->has_previous = true;
}
