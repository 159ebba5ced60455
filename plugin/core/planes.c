/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/planes.h"
#include "core/change/chroma.h"
#include "core/change/equalize.h"
#include "core/pixels/channels.h"

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
  return amphisto_equalize_planes (layout)
      | (plan->params.frame.keeps_colors ? amphisto_chroma_planes (layout) : 0);
}

void
amphisto_planes_plan (AmphistoPlan *plan)
{
  const exposure_params *exposure = &plan->params.exposure;
  const bool draws_exposure =
      amphisto_plan_has_stage (plan, AMPHISTO_STAGE_EXPOSURE);
  const bool replaces = draws_exposure && exposure->has_bands;
  const bool draws_scopes =
      plan->scopes != AMPHISTO_SCOPE_NONE && !amphisto_plan_has_canvas (plan);
  const bool draws = replaces || draws_scopes;
  const uint32_t equalized = equalized_planes (plan);
  const drawing_params *drawing = &plan->params.exposure_drawing;
  const uint32_t tested =
      amphisto_drawing_planes (drawing, draws_exposure ? exposure->n_luma : 0);
  const uint32_t drawn =
      amphisto_drawing_planes (drawing, draws ? drawing->n_drawn : 0);
  const uint32_t alpha =
      draws_scopes ? amphisto_drawing_alpha_plane (drawing) : 0;

  plan->read = tested | equalized;
  for (unsigned c = 0; c < AMPHISTO_N_CHANNELS; c++)
    if (plan->counted & AMPHISTO_CHANNEL_BIT (c))
      plan->read |= amphisto_channel_planes (&plan->layout, c);
  if (amphisto_plan_has_stage (plan, AMPHISTO_STAGE_LETTERBOX))
    plan->read |=
        amphisto_channel_planes (&plan->layout, AMPHISTO_CHANNEL_LUMA);
  if (amphisto_plan_has_stage (plan, AMPHISTO_STAGE_GAMUT)
      || exposure->has_gamut)
    plan->read |= amphisto_channel_planes (&plan->layout, AMPHISTO_CHANNEL_RED);
  if (plan->scopes & AMPHISTO_SCOPE_VECTORSCOPE)
    plan->read |= amphisto_vectorscope_planes (&plan->layout);
  plan->written = equalized | tested | drawn | alpha;
  plan->copied = plan->written
      & ~(amphisto_region_is_whole (&plan->region, &plan->layout) ? equalized
                                                                  : 0)
      & ~(replaces ? drawn_whole (plan) : 0);
  /* zebra and false colour show the frame before equalization */
  plan->needs_separate_target = draws_exposure ? equalized : 0;
  if (exposure->has_gamut && amphisto_exposure_draws_tones (exposure))
    plan->needs_separate_target |= tested | (replaces ? drawn : 0);
}
