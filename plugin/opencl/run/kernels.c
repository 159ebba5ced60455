/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "opencl/run/kernels.h"

/* --- programs --- */

#define INCLUDE(file) "#include \"" file "\"\n"

const char *const amphisto_cl_program_sources[AMPHISTO_CL_N_PROGRAMS] = {
  [AMPHISTO_CL_PROGRAM_HISTOGRAM] = INCLUDE ("measure/histogram.cl"),
  [AMPHISTO_CL_PROGRAM_DIFFERENCE] = INCLUDE ("measure/difference.cl"),
  [AMPHISTO_CL_PROGRAM_REGIONS] = INCLUDE ("measure/regions.cl"),
  [AMPHISTO_CL_PROGRAM_SMOOTH] = INCLUDE ("change/smooth.cl"),
  [AMPHISTO_CL_PROGRAM_EQUALIZE] =
      INCLUDE ("change/equalize.cl") INCLUDE ("change/apply.cl"),
  [AMPHISTO_CL_PROGRAM_CLAHE] =
      INCLUDE ("change/clahe_tables.cl") INCLUDE ("change/clahe_apply.cl"),
  [AMPHISTO_CL_PROGRAM_EXPOSURE] = INCLUDE ("change/exposure.cl"),
  [AMPHISTO_CL_PROGRAM_OUTLINE] = INCLUDE ("scopes/outline.cl"),
  [AMPHISTO_CL_PROGRAM_HISTOGRAM_SCOPE] =
      INCLUDE ("scopes/curves.cl") INCLUDE ("scopes/histogram_scope.cl"),
  [AMPHISTO_CL_PROGRAM_WAVEFORM] =
      INCLUDE ("scopes/traces.cl") INCLUDE ("scopes/waveform.cl"),
  [AMPHISTO_CL_PROGRAM_VECTORSCOPE] =
      INCLUDE ("scopes/vectors.cl") INCLUDE ("scopes/vectorscope.cl"),
};

#define NEEDS(name) AMPHISTO_CL_NEEDS_##name

const AmphistoClNeeds amphisto_cl_program_needs[AMPHISTO_CL_N_PROGRAMS] = {
  [AMPHISTO_CL_PROGRAM_HISTOGRAM] =
      NEEDS (RGB) | NEEDS (COLOURS) | NEEDS (MULTI_SLOT),
  [AMPHISTO_CL_PROGRAM_DIFFERENCE] = NEEDS (RGB),
  [AMPHISTO_CL_PROGRAM_REGIONS] = NEEDS (RGB) | NEEDS (COLOURS),
  [AMPHISTO_CL_PROGRAM_EQUALIZE] = NEEDS (RGB),
  [AMPHISTO_CL_PROGRAM_CLAHE] = NEEDS (RGB),
  [AMPHISTO_CL_PROGRAM_EXPOSURE] = NEEDS (RGB),
  [AMPHISTO_CL_PROGRAM_HISTOGRAM_SCOPE] = NEEDS (RGB),
  [AMPHISTO_CL_PROGRAM_VECTORSCOPE] = NEEDS (RGB),
  [AMPHISTO_CL_PROGRAM_WAVEFORM] = NEEDS (RGB) | NEEDS (COLOURS),
};

static gboolean
has_rgb (const AmphistoLayout *layout)
{
  return layout->is_rgb
      || layout->component[AMPHISTO_CHANNEL_LUMA].pixel_stride > 2;
}

static gboolean
is_colour (const component_params *samples)
{
  return samples->plane >= AMPHISTO_YUV_RED;
}

static gboolean
has_colours (const AmphistoParams *params)
{
  for (guint s = 0; s < params->frame.n_slots; s++)
    if (is_colour (&params->frame.measured[s]))
      return TRUE;
  for (guint t = 0; t < params->scopes.waveform.n_traces; t++)
    if (is_colour (&params->scopes.waveform.trace[t].samples))
      return TRUE;
  return FALSE;
}

AmphistoClNeeds
amphisto_cl_plan_needs (const AmphistoPlan *plan)
{
  const frame_params *frame = &plan->params.frame;

  return (has_rgb (&plan->layout) ? NEEDS (RGB) : 0)
      | (has_colours (&plan->params) ? NEEDS (COLOURS) : 0)
      | (frame->n_passes < frame->n_slots ? NEEDS (MULTI_SLOT) : 0);
}

/* --- kernels --- */

static gboolean
knows_layout (const AmphistoPlan *plan)
{
  return plan->layout.n_planes > 0;
}

static gboolean
changes_rgb (const AmphistoPlan *plan)
{
  return plan->layout.is_rgb;
}

static gboolean
changes_luma (const AmphistoPlan *plan)
{
  return knows_layout (plan) && !plan->layout.is_rgb;
}

static gboolean
matches (const AmphistoPlan *plan)
{
  return plan->settings.equalization == AMPHISTO_EQUALIZATION_MATCH;
}

static gboolean
stretches (const AmphistoPlan *plan)
{
  return plan->settings.equalization == AMPHISTO_EQUALIZATION_STRETCH;
}

static gboolean
equalizes (const AmphistoPlan *plan)
{
  return !matches (plan) && !stretches (plan);
}

static gboolean
smooths (const AmphistoPlan *plan)
{
  return amphisto_plan_has_stage (plan, AMPHISTO_STAGE_SMOOTH);
}

static gboolean
counts_parts (const AmphistoPlan *plan)
{
  return knows_layout (plan) && plan->params.clahe.n_parts > 1;
}

static gboolean
counts_tiles (const AmphistoPlan *plan)
{
  return !counts_parts (plan);
}

static gboolean
sums_tiles (const AmphistoPlan *plan)
{
  return knows_layout (plan) && plan->sums_tiles;
}

static gboolean
draws_outline (const AmphistoPlan *plan)
{
  return plan->params.outline.width > 0 && !amphisto_plan_has_canvas (plan);
}

static gboolean
draws_histogram (const AmphistoPlan *plan)
{
  return (plan->scopes & AMPHISTO_SCOPE_HISTOGRAM) != 0;
}

static gboolean
draws_waveform (const AmphistoPlan *plan)
{
  return (plan->scopes & AMPHISTO_SCOPE_WAVEFORM) != 0;
}

static gboolean
draws_vectorscope (const AmphistoPlan *plan)
{
  return (plan->scopes & AMPHISTO_SCOPE_VECTORSCOPE) != 0;
}

/* clang-format off */

#define ARG(name) AMPHISTO_CL_ARG_##name
#define SOURCES ARG (SOURCE0), ARG (SOURCE1), ARG (SOURCE2)
#define TARGETS ARG (TARGET0), ARG (TARGET1), ARG (TARGET2)
#define ALL_TARGETS TARGETS, ARG (TARGET3)
#define KERNEL(KERNEL, name, PROGRAM, LAUNCH, STAGE, condition, ...)           \
  [AMPHISTO_CL_##KERNEL] = { name, AMPHISTO_CL_PROGRAM_##PROGRAM,              \
    AMPHISTO_CL_LAUNCH_##LAUNCH, AMPHISTO_STAGE_##STAGE, condition,            \
    { __VA_ARGS__ } },

const AmphistoClKernelInfo amphisto_cl_kernel_infos[AMPHISTO_CL_N_KERNELS] = {
  KERNEL (CALCULATE_HISTOGRAM, "calculate_histogram", HISTOGRAM, GROUPS,
    HISTOGRAM, NULL,
    SOURCES, ARG (SOURCE3), ARG (PARAMS), ARG (COUNTS), ARG (BINS),
    ARG (NEXT_BINS))

  KERNEL (CALCULATE_DIFFERENCE, "calculate_difference", DIFFERENCE, SLICES,
    COMPARE, NULL,
    SOURCES, ARG (PARAMS), ARG (PREVIOUS_LUMA), ARG (BINS))

  KERNEL (CALCULATE_REGIONS, "calculate_regions", REGIONS, SLICES,
    REGIONS, NULL,
    SOURCES, ARG (SOURCE3), ARG (REGIONS), ARG (FIRST_REGION), ARG (N_REGIONS),
    ARG (REGION_BINS))

  KERNEL (FIND_CUT, "find_cut", SMOOTH, BINS,
    SMOOTH, NULL,
    ARG (PARAMS), ARG (BINS), ARG (LUMA_MEAN), ARG (IS_NEW))
  KERNEL (SMOOTH_LUMA, "smooth_bins", SMOOTH, SLICES,
    SMOOTH, NULL,
    ARG (PARAMS), ARG (IS_NEW), ARG (N_BINS), ARG (BINS), ARG (LUMA_MEAN),
    ARG (SMOOTHED))

  KERNEL (EQUALIZE_LUT, "equalize_lut", EQUALIZE, ONE_GROUP,
    EQUALIZE, equalizes,
    ARG (PARAMS), ARG (LUT_BINS), ARG (LUT))
  KERNEL (MATCH_LUT, "match_lut", EQUALIZE, BINS,
    EQUALIZE, matches,
    ARG (PARAMS), ARG (LUT_BINS), ARG (LUT), ARG (REFERENCE))
  KERNEL (STRETCH_LUT, "stretch_lut", EQUALIZE, BINS,
    EQUALIZE, stretches,
    ARG (PARAMS), ARG (LUT_BINS), ARG (LUT))
  KERNEL (APPLY_LUT, "apply_lut", EQUALIZE, SLICES,
    EQUALIZE, changes_luma,
    ARG (SOURCE_LUMA), ARG (TARGET_LUMA), ARG (PARAMS), ARG (LUT))
  KERNEL (APPLY_LUMA_DELTA, "apply_luma_delta", EQUALIZE, SLICES,
    EQUALIZE, changes_rgb,
    SOURCES, TARGETS, ARG (PARAMS), ARG (LUT))

  KERNEL (COUNT_TILES, "count_tiles", CLAHE, SLICES,
    CLAHE, counts_tiles,
    SOURCES, ARG (PARAMS), ARG (CLAHE_PARAMS), ARG (TILE_BINS))
  KERNEL (COUNT_TILE_PARTS, "count_tiles", CLAHE, SLICES,
    CLAHE, counts_parts,
    SOURCES, ARG (PARAMS), ARG (CLAHE_PARAMS), ARG (TILE_PARTS))
  KERNEL (MERGE_TILES, "merge_tiles", CLAHE, SLICES,
    CLAHE, counts_parts,
    ARG (CLAHE_PARAMS), ARG (TILE_PARTS), ARG (TILE_BINS))
  KERNEL (SMOOTH_TILES, "smooth_bins", SMOOTH, SLICES,
    CLAHE, smooths,
    ARG (PARAMS), ARG (IS_NEW), ARG (N_TILE_BINS), ARG (TILE_BINS),
    ARG (TILE_MEANS), ARG (TILE_BINS))
  KERNEL (SUM_TILES, "sum_tiles", CLAHE, SLICES,
    CLAHE, sums_tiles,
    ARG (CLAHE_PARAMS), ARG (TILE_BINS), ARG (BINS))
  KERNEL (MAKE_TILE_TABLES, "make_tile_tables", CLAHE, SLICES,
    CLAHE, NULL,
    ARG (PARAMS), ARG (CLAHE_PARAMS), ARG (TILE_BINS), ARG (TABLES))
  KERNEL (APPLY_TILES, "apply_tiles", CLAHE, SLICES,
    CLAHE, changes_luma,
    ARG (SOURCE_LUMA), ARG (TARGET_LUMA), ARG (PARAMS), ARG (CLAHE_PARAMS),
    ARG (TABLES))
  KERNEL (APPLY_TILES_DELTA, "apply_tiles_delta", CLAHE, SLICES,
    CLAHE, changes_rgb,
    SOURCES, TARGETS, ARG (PARAMS), ARG (CLAHE_PARAMS), ARG (TABLES))

  KERNEL (DRAW_EXPOSURE, "draw_exposure", EXPOSURE, SLICES,
    EXPOSURE, NULL,
    SOURCES, TARGETS, ARG (EXPOSURE_DRAWING_PARAMS), ARG (EXPOSURE_PARAMS))

  KERNEL (DRAW_OUTLINE, "draw_outline", OUTLINE, SLICES,
    DRAW_SCOPES, draws_outline,
    ALL_TARGETS, ARG (DRAWING_PARAMS), ARG (OUTLINE_PARAMS))

  KERNEL (CALCULATE_CURVES, "calculate_curves", HISTOGRAM_SCOPE, ONE_GROUP,
    DRAW_SCOPES, draws_histogram,
    ARG (HISTOGRAM_SCOPE_PARAMS), ARG (BINS), ARG (PEAKS), ARG (COLUMNS))
  KERNEL (DRAW_HISTOGRAM, "draw_histogram", HISTOGRAM_SCOPE, SLICES,
    DRAW_SCOPES, draws_histogram,
    ALL_TARGETS, ARG (DRAWING_PARAMS), ARG (HISTOGRAM_SCOPE_PARAMS),
    ARG (COLUMNS), ARG (HISTOGRAM_GRATICULE))

  KERNEL (MEASURE_WAVEFORM, "measure_waveform", WAVEFORM, STRIPS,
    MEASURE_SCOPES, draws_waveform,
    SOURCES, ARG (SOURCE3), ARG (PARAMS), ARG (WAVEFORM_PARAMS), ARG (BINS),
    ARG (WAVEFORM_LIGHT))
  KERNEL (DRAW_WAVEFORM, "draw_waveform", WAVEFORM, SLICES,
    DRAW_SCOPES, draws_waveform,
    ALL_TARGETS, ARG (DRAWING_PARAMS), ARG (WAVEFORM_PARAMS),
    ARG (WAVEFORM_LIGHT), ARG (WAVEFORM_GRATICULE))

  KERNEL (COUNT_VECTORS, "count_vectors", VECTORSCOPE, GROUPS,
    MEASURE_SCOPES, draws_vectorscope,
    SOURCES, ARG (PARAMS), ARG (VECTORSCOPE_PARAMS), ARG (VECTOR_PART),
    ARG (VECTOR_COUNTS), ARG (VECTOR_PROBES), ARG (VECTOR_LIGHT))
  KERNEL (MERGE_VECTORS, "merge_vectors", VECTORSCOPE, SLICES,
    MEASURE_SCOPES, draws_vectorscope,
    ARG (VECTORSCOPE_PARAMS), ARG (VECTOR_COUNTS), ARG (VECTOR_PROBES),
    ARG (VECTOR_LIGHT))
  KERNEL (DRAW_VECTORSCOPE, "draw_vectorscope", VECTORSCOPE, SLICES,
    DRAW_SCOPES, draws_vectorscope,
    ALL_TARGETS, ARG (DRAWING_PARAMS), ARG (VECTORSCOPE_PARAMS),
    ARG (VECTOR_LIGHT), ARG (VECTORSCOPE_GRATICULE))
};

/* clang-format on */

/* --- arguments --- */

static gsize
counts_size (const AmphistoPlan *plan)
{
  return plan->counts_size;
}

static gsize
previous_luma_size (const AmphistoPlan *plan)
{
  return (gsize) plan->params.frame.previous_stride * plan->region.height;
}

static gsize
waveform_light_size (const AmphistoPlan *plan)
{
  return amphisto_waveform.light_size (&plan->params.scopes.waveform.scope);
}

static gsize
vector_part_size (const AmphistoPlan *plan)
{
  return plan->division.is_gpu_shape
      ? amphisto_vectorscope_part_size (&plan->params.scopes.vectorscope)
      : 0;
}

static gsize
vector_counts_size (const AmphistoPlan *plan)
{
  return amphisto_vectorscope_counts_size (&plan->params.scopes.vectorscope);
}

static gsize
vector_probes_size (const AmphistoPlan *plan)
{
  return amphisto_vectorscope_probes_size (&plan->params.scopes.vectorscope);
}

static gsize
vector_light_size (const AmphistoPlan *plan)
{
  return amphisto_vectorscope.light_size (
      &plan->params.scopes.vectorscope.scope);
}

static gsize
n_tiles (const AmphistoPlan *plan)
{
  return amphisto_clahe_n_tiles (&plan->params.clahe);
}

static gsize
n_tile_parts (const AmphistoPlan *plan)
{
  return n_tiles (plan) * plan->params.clahe.n_parts;
}

/* There is a table where four tiles meet, also at the edges. */
static gsize
n_tables (const AmphistoPlan *plan)
{
  const clahe_params *clahe = &plan->params.clahe;

  return (gsize) (clahe->tiles_x + 1) * (clahe->tiles_y + 1);
}

static gsize
n_columns (const AmphistoPlan *plan)
{
  return amphisto_histogram_scope_n_columns (&plan->params.scopes.histogram);
}

/* clang-format off */

#define VALUE(ARG, KIND, size, count)                                          \
  [AMPHISTO_CL_ARG_##ARG] = { AMPHISTO_CL_KIND_##KIND, size, count, 0, NULL },
#define FROM_PARAMS(ARG, KIND, member, scope)                                  \
  [AMPHISTO_CL_ARG_##ARG] = { AMPHISTO_CL_KIND_##KIND,                         \
    G_SIZEOF_MEMBER (AmphistoParams, member), NULL,                            \
    offsetof (AmphistoParams, member), scope },
#define PARAMS(ARG, member) FROM_PARAMS (ARG, PARAMS, member, NULL)
#define GRATICULE(ARG, member, scope)                                          \
  FROM_PARAMS (ARG, CONTENTS, member, &scope)

const AmphistoClArgInfo amphisto_cl_arg_infos[AMPHISTO_CL_N_ARGS] = {
  PARAMS (PARAMS, frame)
  PARAMS (CLAHE_PARAMS, clahe)
  PARAMS (DRAWING_PARAMS, drawing)
  PARAMS (EXPOSURE_DRAWING_PARAMS, exposure_drawing)
  PARAMS (EXPOSURE_PARAMS, exposure)
  PARAMS (OUTLINE_PARAMS, outline)
  PARAMS (HISTOGRAM_SCOPE_PARAMS, scopes.histogram)
  PARAMS (WAVEFORM_PARAMS, scopes.waveform)
  PARAMS (VECTORSCOPE_PARAMS, scopes.vectorscope)

  VALUE (COUNTS, LOCAL, 1, counts_size)

  VALUE (PREVIOUS_LUMA, BUFFER, 1, previous_luma_size)

  VALUE (LUMA_MEAN, ZEROED, AMPHISTO_CL_BINS_SIZE, NULL)
  VALUE (IS_NEW, BUFFER, sizeof (guint32), NULL)
  VALUE (N_BINS, NUMBER, AMPHISTO_N_BINS, NULL)
  VALUE (SMOOTHED, BUFFER, AMPHISTO_CL_BINS_SIZE, NULL)

  VALUE (LUT, BUFFER, AMPHISTO_N_BINS, NULL)
  VALUE (REFERENCE, CONTENTS, 0, NULL)

  VALUE (TILE_PARTS, BUFFER, AMPHISTO_CL_BINS_SIZE, n_tile_parts)
  VALUE (TILE_BINS, BUFFER, AMPHISTO_CL_BINS_SIZE, n_tiles)
  VALUE (TILE_MEANS, BUFFER, AMPHISTO_CL_BINS_SIZE, n_tiles)
  VALUE (N_TILE_BINS, NUMBER, AMPHISTO_N_BINS, n_tiles)
  VALUE (TABLES, BUFFER, AMPHISTO_CL_BINS_SIZE, n_tables)

  VALUE (PEAKS, ZEROED, sizeof (guint32[AMPHISTO_MAX_SLOTS]), NULL)
  VALUE (COLUMNS, BUFFER, sizeof (guint16), n_columns)
  GRATICULE (HISTOGRAM_GRATICULE, scopes.histogram, amphisto_histogram_scope)

  VALUE (WAVEFORM_LIGHT, BUFFER, 1, waveform_light_size)
  GRATICULE (WAVEFORM_GRATICULE, scopes.waveform, amphisto_waveform)

  VALUE (VECTOR_PART, LOCAL, 1, vector_part_size)
  VALUE (VECTOR_COUNTS, BUFFER, 1, vector_counts_size)
  VALUE (VECTOR_PROBES, BUFFER, 1, vector_probes_size)
  VALUE (VECTOR_LIGHT, BUFFER, 1, vector_light_size)
  GRATICULE (VECTORSCOPE_GRATICULE, scopes.vectorscope, amphisto_vectorscope)
};
