/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/history.h"

#include <string.h>

static AmphistoMeanKey
mean_key (const AmphistoPlan *plan)
{
  const clahe_params *clahe = &plan->params.clahe;

  if (!amphisto_plan_has_stage (plan, AMPHISTO_STAGE_SMOOTH))
    return (AmphistoMeanKey){ 0 };
  return (AmphistoMeanKey){ plan->settings.equalization, plan->region.width,
    plan->region.height, clahe->tiles_x, clahe->tiles_y };
}

/* The mean of the gamut budget also restarts whenever the mean of bins does.
 * has_budget is about frames without a budget alone. */
static bool
smooths_budget (const AmphistoPlan *plan)
{
  return amphisto_plan_has_stage (plan, AMPHISTO_STAGE_SMOOTH)
      && plan->params.frame.keeps_colors;
}

static AmphistoScaleKey
scale_key (const AmphistoPlan *plan)
{
  if (!(plan->scopes & AMPHISTO_SCOPE_HISTOGRAM))
    return (AmphistoScaleKey){ 0 };
  return (AmphistoScaleKey){ plan->settings.scopes.display, plan->display,
    plan->settings.channels, plan->settings.scopes.scale };
}

/* Samples at the same positions are compared, so the comparison restarts when
 * the region moves. */
static AmphistoRegion
compared_region (const AmphistoPlan *plan)
{
  return amphisto_plan_compares_luma (plan) ? plan->region
                                            : (AmphistoRegion){ 0 };
}

static AmphistoPictureKey
picture_key (const AmphistoPlan *plan)
{
  AmphistoPictureKey key = { .region = plan->region };

  if (!amphisto_plan_compares_picture (plan))
    return (AmphistoPictureKey){ 0 };
  memcpy (key.plane, plan->part.plane, sizeof key.plane);
  return key;
}

void
amphisto_history_clear (AmphistoHistory *self)
{
  self->has_mean = false;
  self->has_budget = false;
  self->has_scale = false;
  self->has_previous = false;
  self->has_picture = false;
}

void
amphisto_history_set_plan (AmphistoHistory *self, const AmphistoPlan *plan)
{
  const AmphistoMeanKey mean = mean_key (plan);
  const AmphistoScaleKey scale = scale_key (plan);
  const AmphistoRegion compared = compared_region (plan);
  const AmphistoPictureKey picture = picture_key (plan);

  /* the keys have no padding */
  self->has_mean &= memcmp (&self->mean, &mean, sizeof mean) == 0;
  self->has_budget &= smooths_budget (plan);
  self->has_scale &= memcmp (&self->scale, &scale, sizeof scale) == 0;
  self->has_previous &=
      memcmp (&self->compared, &compared, sizeof compared) == 0;
  self->has_picture &= memcmp (&self->picture, &picture, sizeof picture) == 0;
  self->mean = mean;
  self->scale = scale;
  self->compared = compared;
  self->picture = picture;
}

void
amphisto_history_begin_job (const AmphistoHistory *self, AmphistoJob *job)
{
  job->resets_mean = !self->has_mean;
  job->resets_budget = !self->has_budget;
  job->resets_scale = !self->has_scale;
  job->resets_comparison = !self->has_previous;
  job->resets_picture = !self->has_picture
      || (!self->has_previous && amphisto_plan_compares_luma (job->plan));
}

void
amphisto_history_end_job (AmphistoHistory *self, const AmphistoJob *job)
{
  const AmphistoPlan *plan = job->plan;

  self->has_mean |= amphisto_plan_has_stage (plan, AMPHISTO_STAGE_SMOOTH);
  self->has_budget |= smooths_budget (plan);
  self->has_scale |= (plan->scopes & AMPHISTO_SCOPE_HISTOGRAM) != 0;
  self->has_previous |= amphisto_plan_compares_luma (plan);
  self->has_picture |= amphisto_plan_compares_picture (plan);
}
