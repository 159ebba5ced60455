/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/plan.h"
#include "core/planes.h"
#include "core/pixels/arithmetic.h"
#include "core/change/chroma.h"
#include "core/measure/difference.h"
#include "core/measure/passes.h"
#include "core/measure/picture.h"
#include "core/pixels/channels.h"
#include "core/pixels/samples.h"

#include <string.h>

#define LUMA_BIT AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_LUMA)

/* CPU shape: minimum number of a channel's samples per group for counting in
 * pairs. With fewer, clearing and folding the pairs takes longer than counting
 * them saves. */
#define MIN_PAIRED (96 * 1024)
/* CPU shape: target number of tile parts per slice, so that slices get about
 * equal work; in the GPU shape it is one. Parts have a minimum number of
 * pixels, below which clearing and adding up bins takes longer than counting.
 */
#define PARTS_PER_SLICE 2
#define MIN_PART 1024
#define MIN_GPU_PART 4096

/* --- the region --- */

/* Rounds `end` down to the end of a unit. The unit at the frame's edge may be
 * incomplete. */
static uint32_t
round_down (uint32_t end, uint32_t size, uint32_t unit)
{
  return end < size ? end / unit * unit : end;
}

/* The first of the rows at the frame's lower edge that use chroma of rows above
 * them, because the planes lack a chroma row of one field; the frame's height
 * if there are none. Both fields use a single chroma row. */
static uint32_t
shared_rows (const AmphistoLayout *layout)
{
  const uint32_t height = amphisto_layout_luma (layout)->height;
  const uint32_t unit = amphisto_layout_row_unit (layout);
  const uint32_t rows = layout->component[AMPHISTO_CHANNEL_U].height;

  return layout->has_fields && rows > 1 && rows % 2 == 1 && height % unit > 1
      ? height - height % unit
      : height;
}

/* The region without pixels whose chroma samples extend outside. */
static AmphistoRegion
whole_chroma (const AmphistoRegion *region, const AmphistoLayout *layout)
{
  const AmphistoComponent *pixels = amphisto_layout_luma (layout);
  const uint32_t unit_x = 1u << layout->component[AMPHISTO_CHANNEL_U].x_shift;
  const uint32_t unit_y = amphisto_layout_row_unit (layout);
  const uint32_t shared = shared_rows (layout);
  const uint32_t x = round_up (region->x, unit_x);
  const uint32_t end_x =
      round_down (region->x + region->width, pixels->width, unit_x);
  uint32_t y = round_up (region->y, unit_y);
  uint32_t end_y =
      round_down (region->y + region->height, pixels->height, unit_y);

  if (y == shared)
    y = pixels->height;
  if (end_y == shared && end_y < pixels->height)
    end_y -= MIN (end_y, unit_y);

  return end_x > x && end_y > y ? (AmphistoRegion){ x, y, end_x - x, end_y - y }
                                : (AmphistoRegion){ 0 };
}

static void
plan_parts (AmphistoPlan *plan)
{
  AmphistoRegion region = plan->settings.region;
  AmphistoRegion drawn;

  if (region.width == 0)
    region.width = UINT32_MAX;
  if (region.height == 0)
    region.height = UINT32_MAX;
  plan->region = amphisto_region_clip (&region, &plan->layout);
  drawn = whole_chroma (&plan->region, &plan->layout);
  amphisto_layout_crop (&plan->layout, &plan->region, &plan->part);
  amphisto_layout_crop (&plan->layout, &drawn, &plan->drawn);
}

/* --- counting --- */

static void
plan_channels (AmphistoPlan *plan)
{
  uint32_t n_slots = 0;

  plan->reported = plan->layout.channels & plan->settings.channels;
  plan->counted = plan->reported;
  if (plan->settings.equalization != AMPHISTO_EQUALIZATION_NONE
      || plan->reported == 0)
    plan->counted |= LUMA_BIT;
  for (unsigned c = 0; c < AMPHISTO_N_CHANNELS; c++)
    if (plan->counted & AMPHISTO_CHANNEL_BIT (c))
      plan->slot_channel[n_slots++] = c;
}

/* Stores the components and the matrix for computed channels. */
static void
fill_matrix (const AmphistoLayout *layout, frame_params *params)
{
  const bool is_grey =
      (layout->channels & AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_RED)) == 0;

  for (unsigned c = 0; c < 3; c++) {
    params->rgb[c] = amphisto_layout_component (
        layout, is_grey ? AMPHISTO_CHANNEL_LUMA : AMPHISTO_CHANNEL_RED + c);
    params->weights[c] = layout->weights[c];
  }
  params->luma = amphisto_layout_component (layout, AMPHISTO_CHANNEL_LUMA);
  for (unsigned c = 0; c < 2; c++)
    params->chroma[c] =
        amphisto_layout_component (layout, AMPHISTO_CHANNEL_U + c);
  amphisto_rgb_chroma_matrix (layout, params->chroma_matrix);
  memcpy (params->matrix, layout->matrix, sizeof params->matrix);
  params->legal_lo = layout->lo > 0 ? AMPHISTO_LEGAL_LO : 0;
  params->legal_hi = layout->lo > 0 ? AMPHISTO_LEGAL_HI : 255;
}

/* Stores the parameters for counting the plan's channels in frames of the
 * layout `part`. */
static void
fill_counting (
    const AmphistoPlan *plan, const AmphistoLayout *part, frame_params *params)
{
  memset (params, 0, sizeof *params);
  params->n_slots = amphisto_channels_count (plan->counted);
  for (uint32_t s = 0; s < params->n_slots; s++) {
    const AmphistoChannel channel = plan->slot_channel[s];
    const AmphistoComponent *samples = &part->component[channel];
    const uint64_t n_samples = (uint64_t) samples->width * samples->height;

    params->measured[s] = amphisto_layout_component (part, channel);
    params->counts_pairs[s] = n_samples / plan->division.n_groups >= MIN_PAIRED;
  }
  fill_matrix (part, params);
}

void
amphisto_plan_fill_region_params (const AmphistoPlan *plan,
    const AmphistoRegion *region, AmphistoLayout *part, frame_params *params)
{
  amphisto_layout_crop (&plan->layout, region, part);
  fill_counting (plan, part, params);
}

/* --- changing pixels --- */

static void
plan_equalization (AmphistoPlan *plan)
{
  const AmphistoSettings *settings = &plan->settings;
  const AmphistoLayout *part = &plan->part;
  const AmphistoComponent *luma = amphisto_layout_luma (part);
  const double n_samples = (double) luma->width * luma->height;
  const AmphistoRange chroma =
      amphisto_channel_range (part, AMPHISTO_CHANNEL_U);
  frame_params *params = &plan->params.frame;

  params->lo = part->lo;
  params->hi = part->hi;
  params->strength = settings->strength;
  params->stretch_low = (uint32_t) (n_samples * settings->stretch_low / 100);
  params->stretch_high = (uint32_t) (n_samples * settings->stretch_high / 100);
  params->frame_weight = 1.0f - settings->smoothing;
  params->row_bytes = part->plane[luma->plane].row_bytes;
  params->chroma_lo = chroma.lo;
  params->chroma_hi = chroma.hi;
  params->keeps_colors = settings->equalization != AMPHISTO_EQUALIZATION_NONE
      && settings->keeps_colors
      && (part->is_rgb || amphisto_chroma_planes (part) != 0);
}

static void
plan_exposure (AmphistoPlan *plan)
{
  const AmphistoRegion drawn = whole_chroma (&plan->region, &plan->layout);
  exposure_params *params = &plan->params.exposure;

  amphisto_drawing_fill_params (&plan->drawn, &plan->params.exposure_drawing);
  amphisto_exposure_fill_params (&plan->settings.exposure, &plan->drawn,
      &plan->params.exposure_drawing, params);
  params->peaking_x = drawn.x - MIN (drawn.x, plan->region.x);
  params->peaking_y = drawn.y - MIN (drawn.y, plan->region.y);
}

static uint32_t
choose_tile_slices (const clahe_params *clahe, const AmphistoDivision *division)
{
  const uint32_t n_tiles = amphisto_clahe_n_tiles (clahe);
  const uint32_t wanted = division->is_gpu_shape
      ? division->n_slices / n_tiles
      : (PARTS_PER_SLICE * division->n_slices + n_tiles - 1) / n_tiles;
  const uint64_t n_pixels = (uint64_t) clahe->tile_width * clahe->tile_height;
  const uint64_t most =
      n_pixels / (division->is_gpu_shape ? MIN_GPU_PART : MIN_PART);

  return (uint32_t) MAX (MIN (MIN (most, clahe->tile_height), wanted), 1);
}

/* --- histograms that other stages add up --- */

static void
mark_counted_elsewhere (AmphistoPlan *plan, uint32_t slot)
{
  plan->added_up |= 1u << slot;
  plan->params.frame.measured[slot].height = 0;
  plan->params.frame.counts_pairs[slot] = false;
}

/* CPU shape: the counts of a waveform contain the histograms. */
static void
plan_waveform (AmphistoPlan *plan)
{
  const waveform_params *waveform = &plan->params.scopes.waveform;

  for (uint32_t t = 0; t < waveform->n_traces; t++)
    mark_counted_elsewhere (plan, waveform->trace[t].slot);
}

/* If each pixel is in exactly one tile, luma's histogram will be the sum of the
 * tile histograms. With smoothing, luma is always counted: the mean is updated
 * before the tiles are counted. */
static void
plan_clahe (AmphistoPlan *plan)
{
  const AmphistoSettings *settings = &plan->settings;

  amphisto_clahe_fill_params (
      &settings->clahe, &plan->part, &plan->params.clahe);
  plan->params.clahe.n_slices =
      choose_tile_slices (&plan->params.clahe, &plan->division);
  if ((plan->added_up & 1) != 0 || settings->smoothing > 0
      || !amphisto_clahe_fits (&settings->clahe, &plan->part))
    return;
  if (plan->layout.n_planes > 0)
    plan->tasks |= 1u << AMPHISTO_TASK_SUM_TILES;
  mark_counted_elsewhere (plan, 0);
}

static AmphistoScopeWork
scope_work (const AmphistoPlan *plan)
{
  const AmphistoSettings *settings = &plan->settings;
  const bool is_scopes_only = amphisto_plan_is_scopes_only (plan);

  return (AmphistoScopeWork){ .settings = &settings->scopes,
    .has_legend = plan->params.exposure.has_bands,
    .legend_scale = settings->exposure.scale,
    .layout = is_scopes_only ? &plan->canvas.layout : &plan->layout,
    .part = &plan->part,
    .division = &plan->division,
    .counted = plan->counted,
    .shown = amphisto_scope_channels (plan->reported),
    .is_scopes_only = is_scopes_only };
}

static void
choose_scopes (AmphistoPlan *plan)
{
  const AmphistoScopeWork work = scope_work (plan);

  plan->scopes = amphisto_scopes_fill_params (&work, &plan->params.scopes);
  plan->left_out = amphisto_scopes_with_content (&work) & ~plan->scopes;
  plan->display = amphisto_scopes_display (&work);
}

/* The scopes, the outline of the region that they measure, and their canvas.
 * Scopes alone have one even if it turns out that there are none. */
static void
plan_scopes (AmphistoPlan *plan)
{
  const AmphistoSettings *settings = &plan->settings;
  const bool is_scopes_only = amphisto_plan_is_scopes_only (plan);
  AmphistoParams *params = &plan->params;

  if (is_scopes_only)
    amphisto_canvas_init_opaque (
        &plan->canvas, settings->output_width, settings->output_height);
  if (plan->region.width > 0)
    choose_scopes (plan);
  if (is_scopes_only)
    amphisto_canvas_find_gaps (&plan->canvas, &params->scopes);
  else if (plan->scopes != AMPHISTO_SCOPE_NONE && settings->uses_canvas)
    amphisto_canvas_init (&plan->canvas, &params->scopes);
  if (!is_scopes_only && plan->scopes != AMPHISTO_SCOPE_NONE
      && settings->scopes.graticule
      && !amphisto_region_is_whole (&plan->region, &plan->layout))
    amphisto_outline_fill_params (
        &plan->layout, &plan->region, &params->outline);

  const bool has_canvas = amphisto_plan_has_canvas (plan);

  amphisto_drawing_fill_params (
      has_canvas ? &plan->canvas.layout : &plan->layout, &params->drawing);
  params->drawing.is_canvas = has_canvas;
}

/* The legend of false colour. It is drawn into the frame, not on a canvas: the
 * frame changes anyway, and a canvas with the legend would cover most of it. */
static void
plan_legend (AmphistoPlan *plan)
{
  const AmphistoSettings *settings = &plan->settings;
  const AmphistoFalseColorScale scale = settings->exposure.scale;
  const AmphistoExposureSettings colour = {
    .enabled = AMPHISTO_EXPOSURE_FALSE_COLOR, .scale = scale
  };
  const AmphistoRegion area = whole_chroma (&plan->region, &plan->layout);
  AmphistoParams *params = &plan->params;
  const AmphistoLayout *legend = &params->legend.layout;

  if (!params->exposure.has_bands || !settings->scopes.graticule)
    return;
  amphisto_legend_init (&params->legend, scale, &plan->layout, &area,
      settings->scopes.position, &params->scopes, &plan->canvas.region);
  if (!amphisto_legend_is_drawn (&params->legend))
    return;
  amphisto_drawing_fill_params (legend, &params->legend_drawing);
  for (uint32_t p = 0; p < legend->n_planes; p++)
    params->legend_drawing.source[p] =
        (plane_params){ (uint32_t) amphisto_packed_size (legend, p),
          amphisto_packed_stride (legend, p) };
  amphisto_exposure_fill_params (
      &colour, legend, &params->legend_drawing, &params->legend_exposure);
}

void
amphisto_plan_find_room (const AmphistoPlan *plan, bool needs_parade,
    uint32_t *width, uint32_t *height)
{
  const AmphistoScopeWork work = scope_work (plan);

  amphisto_scopes_find_room (&work, needs_parade, width, height);
}

static void
plan_stages (AmphistoPlan *plan)
{
  const AmphistoSettings *settings = &plan->settings;
  const bool has_pixels = plan->region.width > 0;
  const bool changes_luma =
      has_pixels && settings->equalization != AMPHISTO_EQUALIZATION_NONE;
  const bool is_clahe = settings->equalization == AMPHISTO_EQUALIZATION_CLAHE;
  const exposure_params *exposure = &plan->params.exposure;
  const bool draws_exposure = amphisto_exposure_draws_tones (exposure)
      || exposure->has_peaking || exposure->has_gamut;
  const bool does[AMPHISTO_N_STAGES] = {
    [AMPHISTO_STAGE_HISTOGRAM] = true,
    [AMPHISTO_STAGE_COMPARE] = amphisto_plan_compares_luma (plan)
        || amphisto_plan_compares_picture (plan),
    [AMPHISTO_STAGE_LETTERBOX] = settings->finds_letterbox && has_pixels,
    [AMPHISTO_STAGE_GAMUT] = amphisto_plan_checks_gamut (plan)
        && amphisto_picture_has_gamut (&plan->layout),
    [AMPHISTO_STAGE_SHARPNESS] = settings->measures_sharpness && has_pixels,
    [AMPHISTO_STAGE_REGIONS] = settings->measures_regions,
    [AMPHISTO_STAGE_SMOOTH] = changes_luma && settings->smoothing > 0,
    [AMPHISTO_STAGE_EQUALIZE] = changes_luma && !is_clahe,
    [AMPHISTO_STAGE_CLAHE] = changes_luma && is_clahe,
    [AMPHISTO_STAGE_EXPOSURE] = draws_exposure,
    [AMPHISTO_STAGE_MEASURE_SCOPES] = plan->scopes != AMPHISTO_SCOPE_NONE,
    [AMPHISTO_STAGE_DRAW_SCOPES] = plan->scopes != AMPHISTO_SCOPE_NONE,
  };

  for (unsigned stage = 0; stage < AMPHISTO_N_STAGES; stage++)
    plan->stages |= (uint32_t) does[stage] << stage;
}

/* --- what the stages do --- */

/* Whether luma and chroma change with one kernel: in planar formats and in
 * whole frames of packed 4:2:2, unless CLAHE changes luma. */
static bool
changes_yuv (const AmphistoPlan *plan)
{
  const AmphistoLayout *layout = &plan->layout;
  const AmphistoComponent *luma = amphisto_layout_luma (layout);
  const uint32_t chroma = amphisto_chroma_planes (layout);

  if (!plan->params.frame.keeps_colors || chroma == 0
      || plan->settings.equalization == AMPHISTO_EQUALIZATION_CLAHE)
    return false;
  return (chroma & 1u << luma->plane) == 0
      || (luma->pixel_stride == 2
          && amphisto_region_is_whole (&plan->region, layout));
}

/* Adds to what plan_clahe() has found. */
static void
plan_tasks (AmphistoPlan *plan)
{
  const AmphistoParams *params = &plan->params;
  const bool knows_layout = plan->layout.n_planes > 0;
  const bool is_rgb = plan->layout.is_rgb;
  const bool is_yuv = amphisto_layout_is_yuv (&plan->layout);
  const bool is_partial = knows_layout && params->clahe.n_slices > 1;
  const bool is_at_once = !is_rgb && changes_yuv (plan);
  const bool does[AMPHISTO_TASK_EQUALIZATION] = {
    [AMPHISTO_TASK_CHANGE_LUMA] = knows_layout && !is_rgb && !is_at_once,
    [AMPHISTO_TASK_CHANGE_RGB] = is_rgb,
    [AMPHISTO_TASK_CHANGE_YUV] = is_at_once,
    [AMPHISTO_TASK_WHOLE_TILES] = !is_partial,
    [AMPHISTO_TASK_PARTIAL_TILES] = is_partial,
    [AMPHISTO_TASK_SMOOTH_TILES] =
        amphisto_plan_has_stage (plan, AMPHISTO_STAGE_SMOOTH),
    [AMPHISTO_TASK_KEEP_COLORS] = params->frame.keeps_colors,
    [AMPHISTO_TASK_DRAW_OUTLINE] =
        params->outline.width > 0 && !amphisto_plan_has_canvas (plan),
    [AMPHISTO_TASK_WRITE_NUMBERS] = params->scopes.waveform.scope.n_numbers > 0,
    [AMPHISTO_TASK_DRAW_LEGEND] = amphisto_legend_is_drawn (&params->legend),
    [AMPHISTO_TASK_DRAW_TONES] =
        amphisto_exposure_draws_tones (&params->exposure),
    [AMPHISTO_TASK_DRAW_PEAKING] = params->exposure.has_peaking,
    [AMPHISTO_TASK_DRAW_GAMUT] = params->exposure.has_gamut,
    [AMPHISTO_TASK_TEST_YUV] = is_yuv,
    [AMPHISTO_TASK_TEST_RGB] = !is_yuv,
    [AMPHISTO_TASK_COLOUR_WAVEFORM] =
        params->scopes.waveform.has_picture_colours,
  };

  for (unsigned task = 0; task < AMPHISTO_TASK_EQUALIZATION; task++)
    plan->tasks |= (uint32_t) does[task] << task;
  plan->tasks |=
      1u << (AMPHISTO_TASK_EQUALIZATION + plan->settings.equalization);
  plan->tasks |= (uint32_t) plan->scopes << AMPHISTO_TASK_SCOPE;
}

/* Whether the slots or the waveform need red, green or blue of YUV. */
static bool
has_colours (const AmphistoParams *params)
{
  const waveform_params *waveform = &params->scopes.waveform;

  for (uint32_t s = 0; s < params->frame.n_slots; s++)
    if (params->frame.measured[s].plane >= AMPHISTO_YUV_RED)
      return true;
  for (uint32_t t = 0; t < waveform->n_traces; t++)
    if (waveform->trace[t].samples.plane >= AMPHISTO_YUV_RED)
      return true;
  return false;
}

static void
plan_needs (AmphistoPlan *plan)
{
  const AmphistoLayout *layout = &plan->layout;
  const frame_params *frame = &plan->params.frame;

  if (layout->is_rgb || amphisto_layout_luma (layout)->pixel_stride > 2)
    plan->needs |= AMPHISTO_NEEDS_RGB;
  if (has_colours (&plan->params))
    plan->needs |= AMPHISTO_NEEDS_COLOURS;
  if (frame->n_passes < frame->n_slots)
    plan->needs |= AMPHISTO_NEEDS_MULTI_SLOT;
  if (plan->counted & AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_SATURATION))
    plan->needs |= AMPHISTO_NEEDS_SATURATION;
}

static void
plan_sizes (AmphistoPlan *plan)
{
  const AmphistoParams *params = &plan->params;
  const clahe_params *clahe = &params->clahe;
  const scope_params *graph = &params->scopes.histogram.scope;
  const vectorscope_params *vectors = &params->scopes.vectorscope;
  AmphistoSizes *sizes = &plan->sizes;

  sizes->previous_luma = amphisto_difference_luma_size (&params->frame);
  sizes->previous_bytes = amphisto_difference_bytes_size (&params->frame);
  sizes->luma_sums = (size_t) plan->region.width + plan->region.height;
  sizes->tiles = amphisto_clahe_n_tiles (clahe);
  sizes->partial_tiles = sizes->tiles * clahe->n_slices;
  /* there is a table where four tiles meet, also at the edges */
  sizes->tables = (size_t) (clahe->tiles_x + 1) * (clahe->tiles_y + 1);
  /* for each panel, one per row and per column; for each curve, nine per
   * column; kernels read SCOPE_UNIT columns at once, even at the end */
  sizes->columns = (size_t) graph->panels_x * graph->panels_y
          * (graph->panel_height + graph->panel_width)
      + (size_t) params->scopes.histogram.n_curves * 9 * graph->panel_width
      + SCOPE_UNIT;
  if (plan->division.is_gpu_shape)
    sizes->sub_plane = amphisto_vectorscope_subplane_size (vectors);
  sizes->vector_counts =
      (size_t) vectors->n_slices * vectors->plane_size * vectors->stride;
  sizes->vector_probes =
      vectors->probe_columns * vectors->probe_rows * sizeof (uint16_t);
}

void
amphisto_plan_init (AmphistoPlan *plan, const AmphistoLayout *layout,
    const AmphistoSettings *settings, const AmphistoDivision *division)
{
  memset (plan, 0, sizeof *plan);
  plan->settings = *settings;
  plan->division = *division;
  plan->layout = *layout;
  plan->display = settings->scopes.display;
  plan_parts (plan);
  plan_channels (plan);
  fill_counting (plan, &plan->part, &plan->params.frame);
  amphisto_difference_fill_params (&plan->part,
      amphisto_plan_compares_luma (plan), amphisto_plan_compares_picture (plan),
      &plan->params.frame);
  plan_equalization (plan);
  plan_exposure (plan);
  plan_scopes (plan);
  plan_legend (plan);
  plan_stages (plan);
  if (!division->is_gpu_shape)
    plan_waveform (plan);
  if (amphisto_plan_has_stage (plan, AMPHISTO_STAGE_CLAHE))
    plan_clahe (plan);
  /* the kernel that counts takes CPUs long to compile */
  if (!division->is_gpu_shape
      && plan->added_up == (1u << plan->params.frame.n_slots) - 1)
    plan->stages &= ~(1u << AMPHISTO_STAGE_HISTOGRAM);
  plan->sizes.counts =
      amphisto_passes_fill_params (&plan->params.frame, division);
  plan_tasks (plan);
  plan_needs (plan);
  plan_sizes (plan);
  amphisto_planes_plan (plan);
}

void
amphisto_job_fill_params (const AmphistoJob *job, AmphistoParams *params)
{
  *params = job->plan->params;
  params->frame.resets_mean = job->resets_mean;
  params->frame.resets_budget = job->resets_budget;
  params->frame.resets_luma = amphisto_job_resets_luma (job);
  params->frame.resets_bytes = job->resets_picture;
  params->frame.n_fields = job->has_fields ? 2 : 1;
  params->scopes.histogram.reset = job->resets_scale;
  params->exposure.stripe_phase = job->stripe_phase;
  params->exposure.row_step = params->frame.n_fields;
}
