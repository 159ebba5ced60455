/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/reference.h"
#include "core/captions.h"
#include "core/equalize.h"
#include "core/histogram.h"

#include <stdlib.h>
#include <string.h>

void
amphisto_reference_state_clear (AmphistoReferenceState *state)
{
  free (state->tile_means);
  *state = (AmphistoReferenceState){ 0 };
}

/* A job's region of source and target, and luma's bins there. Smoothing
 * replaces the bins by their mean. */
typedef struct
{
  const AmphistoJob *job;
  AmphistoFrame source;
  AmphistoFrame target;
  uint32_t luma[AMPHISTO_N_BINS];
} Part;

/* Updates luma's mean and replaces the bins by it.
 *
 * Returns: how to update the means of the tiles. */
static AmphistoSmoothing
smooth_luma (Part *part, float mean[AMPHISTO_N_BINS])
{
  const AmphistoSmoothing smoothing = { part->job->plan->params.frame.renewal,
    part->job->resets_mean || amphisto_smooth_is_cut (part->luma, mean) };

  amphisto_smooth_bins (
      smoothing, AMPHISTO_N_BINS, part->luma, mean, part->luma);
  return smoothing;
}

static void
equalize_globally (const Part *part)
{
  const AmphistoPlan *plan = part->job->plan;
  const AmphistoSettings *settings = &plan->settings;
  uint8_t lut[AMPHISTO_N_BINS];

  if (settings->equalization == AMPHISTO_EQUALIZATION_MATCH)
    amphisto_match_lut (
        part->luma, settings->reference, settings->strength, lut);
  else
    amphisto_equalize_lut (
        part->luma, plan->part.lo, plan->part.hi, settings->strength, lut);
  amphisto_equalize_apply (&part->source, &part->target, lut);
}

static bool
reserve_tile_means (AmphistoReferenceState *state, size_t n_tiles)
{
  void *means;

  if (n_tiles <= state->n_tiles)
    return true;
  means = realloc (state->tile_means, n_tiles * sizeof *state->tile_means);
  if (means == NULL)
    return false;
  state->tile_means = means;
  state->n_tiles = n_tiles;
  return true;
}

static bool
equalize_tiles (const Part *part, AmphistoSmoothing smoothing,
    AmphistoReferenceState *state)
{
  const AmphistoPlan *plan = part->job->plan;
  const bool smooths = amphisto_plan_has_stage (plan, AMPHISTO_STAGE_SMOOTH);

  if (smooths
      && !reserve_tile_means (
          state, amphisto_clahe_n_tiles (&plan->params.clahe)))
    return false;
  return amphisto_clahe_equalize (&plan->settings.clahe, &part->source,
      &part->target, plan->settings.strength, smoothing,
      smooths ? state->tile_means[0] : NULL);
}

static bool
equalize (Part *part, AmphistoReferenceState *state)
{
  const AmphistoPlan *plan = part->job->plan;
  AmphistoSmoothing smoothing = { 1, true };

  if (amphisto_plan_has_stage (plan, AMPHISTO_STAGE_SMOOTH))
    smoothing = smooth_luma (part, state->mean);
  if (amphisto_plan_has_stage (plan, AMPHISTO_STAGE_EQUALIZE))
    equalize_globally (part);
  return !amphisto_plan_has_stage (plan, AMPHISTO_STAGE_CLAHE)
      || equalize_tiles (part, smoothing, state);
}

static bool
draw_overlay (const AmphistoPlan *plan, const overlay_params *params,
    const uint32_t bins[][AMPHISTO_N_BINS], AmphistoOverlayState *state,
    const AmphistoFrame *target)
{
  AmphistoGraticule captions;

  if (!amphisto_captions_init (&captions, params, &plan->settings.overlay,
          &plan->drawn, plan->reported))
    return false;
  amphisto_overlay_draw (
      &plan->params.drawing, params, &captions, bins, state, target);
  amphisto_graticule_clear (&captions);
  return true;
}

static bool
draw (const AmphistoJob *job, const uint32_t bins[][AMPHISTO_N_BINS],
    AmphistoReferenceState *state)
{
  const AmphistoPlan *plan = job->plan;
  const AmphistoFrame source = amphisto_frame_crop (&job->source, &plan->drawn);
  const AmphistoFrame target = amphisto_frame_crop (&job->target, &plan->drawn);
  AmphistoParams params;

  amphisto_job_fill_params (job, &params);
  if (amphisto_plan_has_stage (plan, AMPHISTO_STAGE_CLIPPING))
    amphisto_clipping_draw (
        &params.drawing, &params.clipping, &source, &target);
  return !amphisto_plan_has_stage (plan, AMPHISTO_STAGE_OVERLAY)
      || draw_overlay (plan, &params.overlay, bins, &state->overlay, &target);
}

/* --- scopes --- */

/* The light of the scopes, owned. Measured before the frame is changed. */
typedef struct
{
  uint8_t *waveform;
  uint8_t *vectorscope;
} ScopeLight;

static void
clear_scopes (ScopeLight *light)
{
  free (light->waveform);
  free (light->vectorscope);
}

static bool
measure_waveform (const Part *part, ScopeLight *light)
{
  const waveform_params *params = &part->job->plan->params.waveform;

  light->waveform = malloc (amphisto_waveform_light_size (params));
  if (light->waveform == NULL)
    return false;
  amphisto_waveform_measure (params, &part->source, light->waveform);
  return true;
}

static bool
measure_vectors (const Part *part, ScopeLight *light)
{
  const vectorscope_params *params = &part->job->plan->params.vectorscope;

  light->vectorscope = malloc (amphisto_vectorscope_light_size (params));
  if (light->vectorscope == NULL)
    return false;
  amphisto_vectorscope_measure (params, &part->source, light->vectorscope);
  return true;
}

static bool
measure_scopes (const Part *part, ScopeLight *light)
{
  const AmphistoPlan *plan = part->job->plan;

  return (!amphisto_plan_has_stage (plan, AMPHISTO_STAGE_MEASURE_WAVEFORM)
             || measure_waveform (part, light))
      && (!amphisto_plan_has_stage (plan, AMPHISTO_STAGE_MEASURE_VECTORS)
          || measure_vectors (part, light));
}

static bool
draw_waveform (const AmphistoJob *job, const ScopeLight *light)
{
  const AmphistoPlan *plan = job->plan;
  const AmphistoFrame target = amphisto_frame_crop (&job->target, &plan->drawn);
  AmphistoGraticule graticule;

  if (!amphisto_waveform_init_graticule (&plan->params.waveform, &graticule))
    return false;
  amphisto_waveform_draw (&plan->params.drawing, &plan->params.waveform,
      &graticule, light->waveform, &target);
  amphisto_graticule_clear (&graticule);
  return true;
}

static bool
draw_vectorscope (const AmphistoJob *job, const ScopeLight *light)
{
  const AmphistoPlan *plan = job->plan;
  const AmphistoFrame target = amphisto_frame_crop (&job->target, &plan->drawn);
  AmphistoGraticule graticule;

  if (!amphisto_vectorscope_init_graticule (
          &plan->params.vectorscope, &graticule))
    return false;
  amphisto_vectorscope_draw (&plan->params.drawing, &plan->params.vectorscope,
      &graticule, light->vectorscope, &target);
  amphisto_graticule_clear (&graticule);
  return true;
}

static bool
draw_scopes (const AmphistoJob *job, const ScopeLight *light)
{
  return (!amphisto_plan_has_stage (job->plan, AMPHISTO_STAGE_WAVEFORM)
             || draw_waveform (job, light))
      && (!amphisto_plan_has_stage (job->plan, AMPHISTO_STAGE_VECTORSCOPE)
          || draw_vectorscope (job, light));
}

/* --- the job --- */

bool
amphisto_reference_run (const AmphistoJob *job, AmphistoReferenceState *state)
{
  const AmphistoPlan *plan = job->plan;
  uint32_t bins[AMPHISTO_MAX_SLOTS][AMPHISTO_N_BINS];
  Part part = { .job = job,
    .source = amphisto_frame_crop (&job->source, &plan->part),
    .target = amphisto_frame_crop (&job->target, &plan->part) };
  ScopeLight light = { 0 };
  bool ok;

  for (uint32_t s = 0; s < plan->params.frame.n_slots; s++)
    amphisto_histogram_count (&part.source, plan->slot_channel[s], bins[s]);
  /* only for equalization, which always counts luma in slot 0 */
  memcpy (part.luma, bins[0], sizeof part.luma);
  ok = measure_scopes (&part, &light) && equalize (&part, state)
      && draw (job, bins, state) && draw_scopes (job, &light);
  clear_scopes (&light);
  return ok;
}
