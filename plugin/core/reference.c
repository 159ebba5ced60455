/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/reference.h"
#include "core/measure/difference.h"
#include "core/change/chroma.h"
#include "core/change/equalize.h"
#include "core/pixels/channels.h"

#include <stdlib.h>
#include <string.h>

void
amphisto_reference_state_clear (AmphistoReferenceState *state)
{
  free (state->tile_means.data);
  free (state->previous.data);
  *state = (AmphistoReferenceState){ 0 };
}

/* Returns: false if memory runs out. */
static bool
reserve (AmphistoReferenceMemory *memory, size_t size)
{
  void *data;

  if (size <= memory->size)
    return true;
  data = realloc (memory->data, size);
  if (data == NULL)
    return false;
  *memory = (AmphistoReferenceMemory){ data, size };
  return true;
}

#define LUMA AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_LUMA)

static AmphistoChannelMask
compared_channels (const AmphistoPlan *plan)
{
  return (amphisto_plan_compares_luma (plan) ? LUMA : 0)
      | (amphisto_plan_compares_picture (plan)
              ? amphisto_picture_channels (&plan->part)
              : 0);
}

/* Stores the sums of luma's and of the picture's differences from the previous
 * frame. previous: of luma and all channels of the picture, compared or not, so
 * that a channel stays where it is if another one is no longer compared. */
static void
add_up_differences (const AmphistoJob *job, const AmphistoFrame *source,
    uint8_t *previous, uint64_t *luma, uint64_t *picture)
{
  const AmphistoChannelMask compared = compared_channels (job->plan);

  *luma = *picture = 0;
  for (unsigned c = 0; c < AMPHISTO_N_CHANNELS; c++) {
    const AmphistoChannelMask channel = AMPHISTO_CHANNEL_BIT (c);
    const bool is_luma = c == AMPHISTO_CHANNEL_LUMA;
    const bool is_in_picture =
        (amphisto_picture_channels (source->layout) & channel) != 0;
    const bool is_new =
        is_luma ? amphisto_job_resets_luma (job) : job->resets_picture;
    uint64_t sum = 0;

    if (compared & channel)
      sum = amphisto_difference_update (source, c, is_new, previous);
    *luma += is_luma ? sum : 0;
    *picture += is_in_picture ? sum : 0;
    if (is_luma || is_in_picture)
      previous += amphisto_channels_n_samples (source->layout, channel);
  }
}

/* Compares with the previous frame, after measure_picture(). */
static bool
compare (const AmphistoJob *job, const AmphistoFrame *source,
    const uint32_t luma[AMPHISTO_N_BINS], AmphistoReferenceState *state)
{
  const AmphistoPlan *plan = job->plan;
  uint64_t luma_sum, picture_sum;

  if (!amphisto_plan_has_stage (plan, AMPHISTO_STAGE_COMPARE))
    return true;
  if (!reserve (&state->previous,
          amphisto_channels_n_samples (source->layout,
              LUMA | amphisto_picture_channels (source->layout))))
    return false;
  add_up_differences (
      job, source, state->previous.data, &luma_sum, &picture_sum);
  if (amphisto_plan_compares_luma (plan))
    amphisto_difference_compare (luma_sum, luma, job->resets_comparison,
        state->luma_bins, &state->comparison);
  if (amphisto_plan_compares_picture (plan) && !job->resets_picture)
    amphisto_picture_set_difference (
        &state->picture, source->layout, picture_sum);
  return true;
}

static void
measure_picture (
    const AmphistoJob *job, const AmphistoFrame *part, AmphistoPicture *picture)
{
  const AmphistoPlan *plan = job->plan;
  uint32_t extents[4];

  *picture = (AmphistoPicture){ 0 };
  if (amphisto_plan_has_stage (plan, AMPHISTO_STAGE_LETTERBOX)) {
    amphisto_picture_find_active (part, extents);
    amphisto_picture_set_active (picture, &plan->region, extents);
  }
  if (amphisto_plan_has_stage (plan, AMPHISTO_STAGE_SHARPNESS)) {
    const AmphistoLaplacian sums =
        amphisto_sharpness_add_up (part, job->has_fields ? 2 : 1);

    amphisto_picture_set_sharpness (picture, part->layout, &sums);
  }
  if (amphisto_plan_checks_gamut (plan))
    amphisto_picture_set_out_of_gamut (picture, &plan->region,
        amphisto_plan_has_stage (plan, AMPHISTO_STAGE_GAMUT)
            ? amphisto_picture_count_outside (part)
            : 0);
}

/* --- equalization --- */

/* A job's region of source and target, the pixels of it that drawing covers,
 * and luma's bins there. Smoothing replaces the bins by their mean. */
typedef struct
{
  const AmphistoJob *job;
  AmphistoFrame source;
  AmphistoFrame target;
  AmphistoFrame drawn_source;
  AmphistoFrame drawn_target;
  uint32_t luma[AMPHISTO_N_BINS];
} Part;

/* Equalizes all pixels with the same LUT. Sets the gain if colours are kept. */
static void
equalize_globally (const Part *part, AmphistoColours *colours)
{
  const AmphistoPlan *plan = part->job->plan;
  const AmphistoSettings *settings = &plan->settings;
  const frame_params *params = &plan->params.frame;
  const uint8_t lo = plan->part.lo, hi = plan->part.hi;
  uint8_t lut[AMPHISTO_N_BINS];

  if (settings->equalization == AMPHISTO_EQUALIZATION_MATCH)
    amphisto_match_lut (
        part->luma, settings->match_bins, lo, hi, settings->strength, lut);
  else if (settings->equalization == AMPHISTO_EQUALIZATION_STRETCH)
    amphisto_stretch_lut (part->luma, params->stretch_low, params->stretch_high,
        lo, hi, settings->strength, lut);
  else
    amphisto_equalize_lut (part->luma, lo, hi, settings->strength, lut);
  if (params->keeps_colors)
    amphisto_chroma_limit_gain (colours,
        amphisto_chroma_gain (1, &part->luma, &lut, 1),
        amphisto_equalize_budget (&part->source, lut));
  amphisto_equalize_apply (&part->source, &part->target, lut, colours->gain);
}

static bool
equalize_tiles (const Part *part, AmphistoSmoothing smoothing,
    AmphistoReferenceState *state)
{
  const AmphistoPlan *plan = part->job->plan;
  const bool smooths = amphisto_plan_has_stage (plan, AMPHISTO_STAGE_SMOOTH);
  const size_t n_tiles = amphisto_clahe_n_tiles (&plan->params.clahe);

  if (smooths
      && !reserve (
          &state->tile_means, n_tiles * sizeof (float[AMPHISTO_N_BINS])))
    return false;
  return amphisto_clahe_equalize (&plan->settings.clahe, &part->source,
      &part->target, plan->settings.strength, smoothing,
      smooths ? state->tile_means.data : NULL,
      plan->params.frame.keeps_colors ? &state->colours : NULL);
}

static bool
equalize (Part *part, AmphistoReferenceState *state)
{
  const AmphistoPlan *plan = part->job->plan;
  AmphistoSmoothing smoothing = { 1, true };
  AmphistoColours *colours = &state->colours;

  if (amphisto_plan_has_stage (plan, AMPHISTO_STAGE_SMOOTH))
    smoothing = amphisto_smooth_luma (plan->params.frame.frame_weight,
        part->job->resets_mean, part->luma, &state->smoothed_luma);
  colours->gain = AMPHISTO_UNIT_GAIN;
  colours->smoothing = (AmphistoSmoothing){ smoothing.frame_weight,
    smoothing.is_new || part->job->resets_budget };
  if (amphisto_plan_has_stage (plan, AMPHISTO_STAGE_EQUALIZE))
    equalize_globally (part, colours);
  if (amphisto_plan_has_stage (plan, AMPHISTO_STAGE_CLAHE)
      && !equalize_tiles (part, smoothing, state))
    return false;
  if (colours->gain != AMPHISTO_UNIT_GAIN)
    amphisto_chroma_apply (
        &part->drawn_source, &part->drawn_target, colours->gain);
  return true;
}

static void
draw_exposure (const Part *part, const AmphistoParams *params)
{
  if (amphisto_plan_has_stage (part->job->plan, AMPHISTO_STAGE_EXPOSURE))
    amphisto_exposure_draw (&params->exposure_drawing, &params->exposure,
        &part->drawn_source, &part->drawn_target);
  if (params->exposure.has_peaking)
    amphisto_exposure_draw_peaking (&params->exposure_drawing,
        &params->exposure, &part->source, &part->drawn_target);
  if (params->exposure.has_gamut)
    amphisto_exposure_draw_gamut (
        &params->exposure, &part->source, &part->target);
}

/* Returns: false if memory runs out. */
static bool
draw_legend (const AmphistoJob *job, const AmphistoParams *params)
{
  const AmphistoLegend *legend = &params->legend;
  const AmphistoFrame target =
      amphisto_frame_crop (&job->target, &legend->layout);
  AmphistoFrame source;
  uint8_t *memory;
  size_t size;

  if (!amphisto_legend_is_drawn (legend))
    return true;
  memory = amphisto_legend_draw (legend, &size);
  if (memory == NULL)
    return false;
  source = amphisto_packed_frame (&legend->layout, memory);
  amphisto_exposure_draw (
      &params->legend_drawing, &params->legend_exposure, &source, &target);
  free (memory);
  return true;
}

/* --- scopes --- */

/* The parameters of all scopes, and the traces of the scopes to draw: owned,
 * measured before the frame is changed. */
typedef struct
{
  scope_params *params[AMPHISTO_N_SCOPES];
  void *trace[AMPHISTO_N_SCOPES];
} Scopes;

static void
clear_scopes (Scopes *scopes)
{
  for (uint32_t i = 0; i < AMPHISTO_N_SCOPES; i++)
    free (scopes->trace[i]);
}

static bool
measure_scopes (
    const AmphistoScopeInput *input, AmphistoParams *params, Scopes *scopes)
{
  amphisto_scopes_list (&params->scopes, scopes->params);
  for (uint32_t i = 0; i < AMPHISTO_N_SCOPES; i++) {
    const scope_params *scope = scopes->params[i];

    if (scope->panels_x == 0)
      continue;
    scopes->trace[i] = malloc (amphisto_scopes[i]->trace_size (scope));
    if (scopes->trace[i] == NULL)
      return false;
    amphisto_scopes[i]->measure (scope, input, scopes->trace[i]);
  }
  return true;
}

static bool
draw_scopes (const AmphistoJob *job, const AmphistoParams *params,
    const AmphistoScopeInput *input, const Scopes *scopes)
{
  const bool has_canvas = amphisto_plan_has_canvas (job->plan);
  const AmphistoFrame *frame = has_canvas ? &job->canvas : &job->target;
  AmphistoGraticule graticule;

  if (has_canvas)
    amphisto_canvas_clear (&job->plan->canvas, frame);
  else if (params->outline.width > 0)
    amphisto_outline_draw (&params->drawing, &params->outline, frame);
  for (uint32_t i = 0; i < AMPHISTO_N_SCOPES; i++) {
    const AmphistoScope *scope = amphisto_scopes[i];

    if (scopes->trace[i] == NULL)
      continue;
    if (!amphisto_scope_init_graticule (scope, scopes->params[i], &graticule))
      return false;
    if (scope->draw_text != NULL)
      scope->draw_text (scopes->params[i], input, &graticule);
    amphisto_scope_draw (scope, &params->drawing, scopes->params[i], &graticule,
        scopes->trace[i], frame);
    amphisto_graticule_clear (&graticule);
  }
  return true;
}

/* --- the job --- */

bool
amphisto_reference_run (const AmphistoJob *job, AmphistoReferenceState *state)
{
  const AmphistoPlan *plan = job->plan;
  uint32_t (*bins)[AMPHISTO_N_BINS] = state->bins;
  Part part = { .job = job,
    .source = amphisto_frame_crop (&job->source, &plan->part),
    .target = amphisto_frame_crop (&job->target, &plan->part),
    .drawn_source = amphisto_frame_crop (&job->source, &plan->drawn),
    .drawn_target = amphisto_frame_crop (&job->target, &plan->drawn) };
  const AmphistoScopeInput input = { &part.source,
    (const uint32_t (*)[AMPHISTO_N_BINS]) bins, state->peaks };
  Scopes scopes = { .trace = { NULL } };
  AmphistoParams params;
  bool ok;

  amphisto_job_fill_params (job, &params);
  for (uint32_t s = 0; s < plan->params.frame.n_slots; s++)
    amphisto_histogram_count (&part.source, plan->slot_channel[s], bins[s]);
  /* only for comparison and equalization, which always count luma in slot 0 */
  memcpy (part.luma, bins[0], sizeof part.luma);
  measure_picture (job, &part.source, &state->picture);
  ok = compare (job, &part.source, bins[0], state)
      && measure_scopes (&input, &params, &scopes) && equalize (&part, state);
  if (ok) {
    draw_exposure (&part, &params);
    ok = draw_legend (job, &params)
        && draw_scopes (job, &params, &input, &scopes);
  }
  clear_scopes (&scopes);
  return ok;
}
