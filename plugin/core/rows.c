/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/rows.h"
#include "core/pixels/arithmetic.h"

static void
add (AmphistoRows *rows, uint32_t first, uint32_t end)
{
  if (first >= end)
    return;
  if (rows->first == rows->end)
    *rows = (AmphistoRows){ first, end };
  *rows = (AmphistoRows){ MIN (rows->first, first), MAX (rows->end, end) };
}

static void
add_planes (AmphistoRows rows[AMPHISTO_N_PLANES], uint32_t planes,
    const AmphistoLayout *part)
{
  for (uint32_t p = 0; p < part->n_planes; p++)
    if (planes & 1u << p)
      add (&rows[p], part->plane[p].first_row,
          part->plane[p].first_row + part->plane[p].rows);
}

/* Adds the component's rows for pixel rows `first` to `end` - 1, which begin
 * and end with a unit of rows of both fields. */
static void
add_component (AmphistoRows rows[AMPHISTO_N_PLANES],
    const component_params *component, uint32_t first, uint32_t end)
{
  for (uint32_t y = first; y < MIN (first + 2, end); y++) {
    const uint32_t row = amphisto_component_row (component, y);

    add (&rows[component->plane], row, row + 1);
  }
  for (uint32_t y = MAX (end, 2) - 2; y < end; y++) {
    const uint32_t row = amphisto_component_row (component, y);

    add (&rows[component->plane], row, row + 1);
  }
}

static void
add_scope (AmphistoRows rows[AMPHISTO_N_PLANES], const drawing_params *drawing,
    const scope_params *scope)
{
  const uint32_t end = scope->y + scope->height;

  for (uint32_t c = 0; c < drawing->n_drawn; c++)
    add_component (rows, &drawing->drawn[c].samples, scope->y, end);
  if (drawing->has_alpha)
    add_component (rows, &drawing->alpha, scope->y, end);
}

static void
add_scopes (AmphistoPlan *plan)
{
  scope_params *scopes[AMPHISTO_N_SCOPES];

  amphisto_scopes_list (&plan->params.scopes, scopes);
  for (uint32_t i = 0; i < AMPHISTO_N_SCOPES; i++)
    if (plan->scopes & 1u << i)
      add_scope (plan->changed_rows, &plan->params.drawing, scopes[i]);
}

/* The stages that change all of the region, or draw its outline. */
static bool
changes_region (const AmphistoPlan *plan)
{
  return amphisto_plan_has_stage (plan, AMPHISTO_STAGE_EQUALIZE)
      || amphisto_plan_has_stage (plan, AMPHISTO_STAGE_CLAHE)
      || amphisto_plan_has_stage (plan, AMPHISTO_STAGE_EXPOSURE)
      || (plan->tasks & AMPHISTO_TASK_DRAW_OUTLINE) != 0;
}

void
amphisto_rows_plan (AmphistoPlan *plan)
{
  const bool reads_all = plan->settings.measures_regions;

  if (changes_region (plan))
    add_planes (plan->changed_rows, plan->written, &plan->part);
  if (plan->written != 0
      && amphisto_plan_has_stage (plan, AMPHISTO_STAGE_DRAW_SCOPES)
      && !amphisto_plan_has_canvas (plan))
    add_scopes (plan);
  add_planes (
      plan->used_rows, plan->read, reads_all ? &plan->layout : &plan->part);
  for (uint32_t p = 0; p < plan->layout.n_planes; p++)
    add (&plan->used_rows[p], plan->changed_rows[p].first,
        plan->changed_rows[p].end);
}
