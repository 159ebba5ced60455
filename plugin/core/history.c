/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/history.h"

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

static bool
mean_key_equal (const AmphistoMeanKey *a, const AmphistoMeanKey *b)
{
  return a->equalization == b->equalization && a->width == b->width
      && a->height == b->height && a->tiles_x == b->tiles_x
      && a->tiles_y == b->tiles_y;
}

static AmphistoScaleKey
scale_key (const AmphistoPlan *plan)
{
  if (!(plan->scopes & AMPHISTO_SCOPE_HISTOGRAM))
    return (AmphistoScaleKey){ 0 };
  return (AmphistoScaleKey){ plan->settings.scopes.display,
    plan->settings.channels };
}

static bool
scale_key_equal (const AmphistoScaleKey *a, const AmphistoScaleKey *b)
{
  return a->display == b->display && a->channels == b->channels;
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

static bool
region_equal (const AmphistoRegion *a, const AmphistoRegion *b)
{
  return a->x == b->x && a->y == b->y && a->width == b->width
      && a->height == b->height;
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

  self->has_mean = self->has_mean && mean_key_equal (&self->mean, &mean);
  self->has_scale = self->has_scale && scale_key_equal (&self->scale, &scale);
  self->has_previous =
      self->has_previous && region_equal (&self->compared, &compared);
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
