/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/planes.h"
#include "core/change/chroma.h"
#include "core/pixels/arithmetic.h"
#include "core/pixels/channels.h"

/* --- planes --- */

/* The planes of the first `n_components` components drawn. */
static uint32_t
drawn_planes (const drawing_params *drawing, uint32_t n_components)
{
  uint32_t planes = 0;

  for (uint32_t c = 0; c < n_components; c++)
    planes |= 1u << drawing->drawn[c].samples.plane;
  return planes;
}

/* The planes that consist only of samples of the area for false colour: drawing
 * all of it overwrites every byte. */
static uint32_t
drawn_whole (const AmphistoPlan *plan)
{
  const drawing_params *drawing = &plan->params.exposure_drawing;
  uint64_t n_bytes[AMPHISTO_N_PLANES] = { 0 };
  uint32_t planes = 0;

  for (uint32_t c = 0; c < drawing->n_drawn; c++) {
    const component_params *samples = &drawing->drawn[c].samples;

    n_bytes[samples->plane] += (uint64_t) samples->width * samples->height;
  }
  for (uint32_t p = 0; p < plan->layout.n_planes; p++) {
    const AmphistoPlaneLayout *plane = &plan->layout.plane[p];

    if (n_bytes[p] == (uint64_t) plane->row_bytes * plane->rows)
      planes |= 1u << p;
  }
  return planes;
}

/* The planes that equalization reads and writes. */
static uint32_t
equalized_planes (const AmphistoPlan *plan)
{
  const AmphistoLayout *layout = &plan->layout;

  if (!amphisto_plan_has_stage (plan, AMPHISTO_STAGE_EQUALIZE)
      && !amphisto_plan_has_stage (plan, AMPHISTO_STAGE_CLAHE))
    return 0;
  return amphisto_channel_planes (layout, AMPHISTO_CHANNEL_LUMA)
      | (plan->params.frame.keeps_colors ? amphisto_chroma_planes (layout) : 0);
}

/* The planes of whole pixels: Y, U and V, or red, green and blue, or grey. */
static uint32_t
pixel_planes (const AmphistoLayout *layout)
{
  return amphisto_channel_planes (layout,
      amphisto_layout_is_yuv (layout) ? AMPHISTO_CHANNEL_RED
                                      : AMPHISTO_CHANNEL_LUMA);
}

/* The planes that the stages before AMPHISTO_FIRST_WRITING_STAGE read. */
static uint32_t
measured_planes (const AmphistoPlan *plan)
{
  const frame_params *frame = &plan->params.frame;
  AmphistoChannelMask channels = plan->counted;
  uint32_t planes = 0;

  if (amphisto_plan_has_stage (plan, AMPHISTO_STAGE_LETTERBOX)
      || amphisto_plan_has_stage (plan, AMPHISTO_STAGE_SHARPNESS)
      || frame->compares_luma)
    channels |= AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_LUMA);
  if (plan->scopes & AMPHISTO_SCOPE_VECTORSCOPE)
    channels |= AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_SATURATION);
  for (unsigned c = 0; c < AMPHISTO_N_CHANNELS; c++)
    if (channels & AMPHISTO_CHANNEL_BIT (c))
      planes |= amphisto_channel_planes (&plan->layout, c);
  for (uint32_t i = 0; i < frame->n_compared; i++)
    planes |= 1u << frame->compared[i].plane;
  if (amphisto_plan_has_stage (plan, AMPHISTO_STAGE_GAMUT)
      || amphisto_plan_has_task (plan, AMPHISTO_TASK_COLOUR_WAVEFORM))
    planes |= pixel_planes (&plan->layout);
  return planes;
}

/* Stores the masks of planes. */
static void
plan_masks (AmphistoPlan *plan)
{
  const exposure_params *exposure = &plan->params.exposure;
  const bool draws_exposure =
      amphisto_plan_has_stage (plan, AMPHISTO_STAGE_EXPOSURE);
  const bool replaces = draws_exposure && exposure->has_bands;
  const bool draws_peaking = draws_exposure && exposure->has_peaking;
  const bool draws_scopes =
      plan->scopes != AMPHISTO_SCOPE_NONE && !amphisto_plan_has_canvas (plan);
  const bool draws = replaces || draws_peaking || draws_scopes;
  const uint32_t equalized = equalized_planes (plan);
  const drawing_params *drawing = &plan->params.exposure_drawing;
  const uint32_t tested =
      drawn_planes (drawing, draws_exposure ? exposure->n_luma : 0);
  const uint32_t drawn = drawn_planes (drawing, draws ? drawing->n_drawn : 0);
  const uint32_t alpha =
      draws_scopes && drawing->has_alpha ? 1u << drawing->alpha.plane : 0;

  plan->read = measured_planes (plan) | tested | equalized
      | (exposure->has_gamut ? pixel_planes (&plan->layout) : 0);
  plan->written = equalized | tested | drawn | alpha;
  plan->copied = plan->written
      & ~(amphisto_region_is_whole (&plan->region, &plan->layout) ? equalized
                                                                  : 0)
      & ~(replaces ? drawn_whole (plan) : 0);
  /* zebra and false colour show the frame before equalization */
  plan->needs_separate_target = draws_exposure ? equalized : 0;
  /* peaking reads the neighbours of the pixels it draws */
  if (draws_peaking)
    plan->needs_separate_target |= tested;
  if (exposure->has_gamut
      && (draws_peaking || amphisto_exposure_draws_tones (exposure)))
    plan->needs_separate_target |=
        tested | (replaces || draws_peaking ? drawn : 0);
}

/* --- rows --- */

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

/* Adds the component's rows for pixel rows `first` to `end` - 1. */
static void
add_component (AmphistoRows rows[AMPHISTO_N_PLANES],
    const component_params *component, uint32_t first, uint32_t end)
{
  for (uint32_t y = first; y < end; y++) {
    const uint32_t row = amphisto_component_row (component, y);

    add (&rows[component->plane], row, row + 1);
  }
}

static void
add_scopes (AmphistoPlan *plan)
{
  const drawing_params *drawing = &plan->params.drawing;
  scope_params *scopes[AMPHISTO_N_SCOPES];

  amphisto_scopes_list (&plan->params.scopes, scopes);
  for (uint32_t i = 0; i < AMPHISTO_N_SCOPES; i++) {
    const uint32_t first = scopes[i]->y, end = first + scopes[i]->height;

    for (uint32_t c = 0; c < drawing->n_drawn; c++)
      add_component (
          plan->changed_rows, &drawing->drawn[c].samples, first, end);
    if (drawing->has_alpha)
      add_component (plan->changed_rows, &drawing->alpha, first, end);
  }
}

/* The stages that change all of the region, or draw its outline. */
static bool
changes_region (const AmphistoPlan *plan)
{
  return amphisto_plan_has_stage (plan, AMPHISTO_STAGE_EQUALIZE)
      || amphisto_plan_has_stage (plan, AMPHISTO_STAGE_CLAHE)
      || amphisto_plan_has_stage (plan, AMPHISTO_STAGE_EXPOSURE)
      || amphisto_plan_has_task (plan, AMPHISTO_TASK_DRAW_OUTLINE);
}

/* Stores the rows of each plane that are used, and that change. */
static void
plan_rows (AmphistoPlan *plan)
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

void
amphisto_planes_plan (AmphistoPlan *plan)
{
  plan_masks (plan);
  plan_rows (plan);
}
