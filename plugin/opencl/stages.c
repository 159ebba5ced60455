/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "opencl/stages.h"

#include <stdlib.h>
#include <string.h>

/* --- launches --- */

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
equalizes (const AmphistoPlan *plan)
{
  return !matches (plan);
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

/* The kernels of each stage, in order. Conditions that depend on the layout do
 * not hold before it is known. regions.c launches the kernel of its stage. */
static const struct
{
  AmphistoStage stage;
  AmphistoClKernel kernel;
  gboolean (*condition) (const AmphistoPlan *plan); /* NULL: always */
} launches[] = {
  { AMPHISTO_STAGE_HISTOGRAM, AMPHISTO_CL_CALCULATE_HISTOGRAM, NULL },
  { AMPHISTO_STAGE_MEASURE_SCOPES, AMPHISTO_CL_MEASURE_WAVEFORM,
      draws_waveform },
  { AMPHISTO_STAGE_MEASURE_SCOPES, AMPHISTO_CL_COUNT_VECTORS,
      draws_vectorscope },
  { AMPHISTO_STAGE_MEASURE_SCOPES, AMPHISTO_CL_MERGE_VECTORS,
      draws_vectorscope },
  { AMPHISTO_STAGE_SMOOTH, AMPHISTO_CL_FIND_CUT, NULL },
  { AMPHISTO_STAGE_SMOOTH, AMPHISTO_CL_SMOOTH_LUMA, NULL },
  { AMPHISTO_STAGE_REGIONS, AMPHISTO_CL_CALCULATE_REGIONS, NULL },
  { AMPHISTO_STAGE_EQUALIZE, AMPHISTO_CL_EQUALIZE_LUT, equalizes },
  { AMPHISTO_STAGE_EQUALIZE, AMPHISTO_CL_MATCH_LUT, matches },
  { AMPHISTO_STAGE_EQUALIZE, AMPHISTO_CL_APPLY_LUT, changes_luma },
  { AMPHISTO_STAGE_EQUALIZE, AMPHISTO_CL_APPLY_LUMA_DELTA, changes_rgb },
  { AMPHISTO_STAGE_CLAHE, AMPHISTO_CL_COUNT_TILES, counts_tiles },
  { AMPHISTO_STAGE_CLAHE, AMPHISTO_CL_COUNT_TILE_PARTS, counts_parts },
  { AMPHISTO_STAGE_CLAHE, AMPHISTO_CL_MERGE_TILES, counts_parts },
  { AMPHISTO_STAGE_CLAHE, AMPHISTO_CL_SMOOTH_TILES, smooths },
  { AMPHISTO_STAGE_CLAHE, AMPHISTO_CL_SUM_TILES, sums_tiles },
  { AMPHISTO_STAGE_CLAHE, AMPHISTO_CL_MAKE_TILE_TABLES, NULL },
  { AMPHISTO_STAGE_CLAHE, AMPHISTO_CL_APPLY_TILES, changes_luma },
  { AMPHISTO_STAGE_CLAHE, AMPHISTO_CL_APPLY_TILES_DELTA, changes_rgb },
  { AMPHISTO_STAGE_EXPOSURE, AMPHISTO_CL_DRAW_EXPOSURE, NULL },
  { AMPHISTO_STAGE_DRAW_SCOPES, AMPHISTO_CL_CALCULATE_CURVES, draws_histogram },
  { AMPHISTO_STAGE_DRAW_SCOPES, AMPHISTO_CL_DRAW_HISTOGRAM, draws_histogram },
  { AMPHISTO_STAGE_DRAW_SCOPES, AMPHISTO_CL_DRAW_WAVEFORM, draws_waveform },
  { AMPHISTO_STAGE_DRAW_SCOPES, AMPHISTO_CL_DRAW_VECTORSCOPE,
      draws_vectorscope },
};

static gboolean
is_launched (guint i, const AmphistoPlan *plan)
{
  return amphisto_plan_has_stage (plan, launches[i].stage)
      && (launches[i].condition == NULL || launches[i].condition (plan));
}

/* Adds the plan's kernels, and notes their arguments. */
static gboolean
add_kernels (AmphistoClStages *self, AmphistoClQueue *queue,
    const AmphistoPlan *plan, GError **error)
{
  memset (self->has_arg, 0, sizeof self->has_arg);
  for (guint i = 0; i < G_N_ELEMENTS (launches); i++) {
    const AmphistoClKernel kernel = launches[i].kernel;

    if (!is_launched (i, plan))
      continue;
    if (!amphisto_cl_queue_add_kernel (queue, kernel, error))
      return FALSE;
    for (guint a = 0; a < AMPHISTO_CL_MAX_ARGS; a++)
      self->has_arg[amphisto_cl_kernel_infos[kernel].args[a]] = TRUE;
  }
  return TRUE;
}

gboolean
amphisto_cl_stages_launch (AmphistoClQueue *queue, const AmphistoPlan *plan,
    AmphistoStage first, AmphistoStage end, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (launches); i++)
    if (launches[i].stage >= first && launches[i].stage < end
        && is_launched (i, plan)
        && !amphisto_cl_queue_launch (queue, launches[i].kernel, error))
      return FALSE;
  return TRUE;
}

/* --- arguments --- */

static gsize
counts_size (const AmphistoPlan *plan)
{
  return plan->counts_size;
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

typedef enum
{
  BUFFER, /* made or enlarged with a plan; undefined contents then */
  ZEROED, /* kept from frame to frame, for all plans; zeros at first */
  LOCAL,  /* GPU shape: local memory; CPU shape: as BUFFER */
  NUMBER
} Kind;

/* Arguments that are the same for all frames of a plan. */
static const struct
{
  AmphistoClArg arg;
  Kind kind;
  gsize size;                                /* of an item, in bytes */
  gsize (*count) (const AmphistoPlan *plan); /* items; NULL: one */
} arguments[] = {
  { AMPHISTO_CL_ARG_COUNTS, LOCAL, 1, counts_size },
  { AMPHISTO_CL_ARG_WAVEFORM_LIGHT, BUFFER, 1, waveform_light_size },
  { AMPHISTO_CL_ARG_VECTOR_PART, LOCAL, 1, vector_part_size },
  { AMPHISTO_CL_ARG_VECTOR_COUNTS, BUFFER, 1, vector_counts_size },
  { AMPHISTO_CL_ARG_VECTOR_LIGHT, BUFFER, 1, vector_light_size },
  { AMPHISTO_CL_ARG_LUMA_MEAN, ZEROED, AMPHISTO_CL_BINS_SIZE, NULL },
  { AMPHISTO_CL_ARG_SMOOTHED, BUFFER, AMPHISTO_CL_BINS_SIZE, NULL },
  { AMPHISTO_CL_ARG_IS_NEW, BUFFER, sizeof (cl_uint), NULL },
  { AMPHISTO_CL_ARG_N_BINS, NUMBER, AMPHISTO_N_BINS, NULL },
  { AMPHISTO_CL_ARG_LUT, BUFFER, AMPHISTO_N_BINS, NULL },
  { AMPHISTO_CL_ARG_TILE_BINS, BUFFER, AMPHISTO_CL_BINS_SIZE, n_tiles },
  { AMPHISTO_CL_ARG_TILE_PARTS, BUFFER, AMPHISTO_CL_BINS_SIZE, n_tile_parts },
  { AMPHISTO_CL_ARG_TILE_MEANS, BUFFER, AMPHISTO_CL_BINS_SIZE, n_tiles },
  { AMPHISTO_CL_ARG_N_TILE_BINS, NUMBER, AMPHISTO_N_BINS, n_tiles },
  { AMPHISTO_CL_ARG_TABLES, BUFFER, AMPHISTO_CL_BINS_SIZE, n_tables },
  { AMPHISTO_CL_ARG_PEAKS, ZEROED, sizeof (cl_uint[AMPHISTO_MAX_SLOTS]), NULL },
  { AMPHISTO_CL_ARG_COLUMNS, BUFFER, sizeof (cl_ushort), n_columns },
};
G_STATIC_ASSERT (G_N_ELEMENTS (arguments) == AMPHISTO_CL_N_ARGUMENTS);

static gboolean
make_zeroed (AmphistoClQueue *queue, AmphistoClReserve *reserve, gsize size,
    GError **error)
{
  if (reserve->buffer == NULL)
    reserve->buffer = amphisto_cl_queue_new_zeroed (queue, size, error);
  return reserve->buffer != NULL;
}

/* Makes and binds the argument in row `i`. */
static gboolean
prepare_argument (AmphistoClReserve *reserve, guint i, AmphistoClQueue *queue,
    const AmphistoPlan *plan, GError **error)
{
  const AmphistoClArg arg = arguments[i].arg;
  const gsize size = arguments[i].size
      * (arguments[i].count != NULL ? arguments[i].count (plan) : 1);
  gboolean ok = TRUE;

  if (arguments[i].kind == NUMBER) {
    amphisto_cl_queue_bind_number (queue, arg, size);
  } else if (arguments[i].kind == LOCAL && plan->division.is_gpu_shape) {
    amphisto_cl_queue_bind_local (queue, arg, size);
  } else {
    ok = arguments[i].kind == ZEROED
        ? make_zeroed (queue, reserve, size, error)
        : amphisto_cl_queue_reserve (queue, reserve, size, error);
    amphisto_cl_queue_bind_buffer (queue, arg, reserve->buffer);
  }
  return ok;
}

/* --- contents --- */

/* Returns: (transfer full): the light of all pixels, a word each. */
static gpointer
draw_graticule (
    const AmphistoScope *scope, const scope_params *params, gsize *size)
{
  AmphistoGraticule graticule;

  if (!amphisto_scope_init_graticule (scope, params, &graticule))
    return NULL;
  *size = (gsize) graticule.width * graticule.height * sizeof *graticule.light;
  return graticule.light;
}

static gpointer
copy_reference (const AmphistoPlan *plan, gsize *size)
{
  gpointer copy = malloc (AMPHISTO_CL_BINS_SIZE);

  *size = AMPHISTO_CL_BINS_SIZE;
  return copy != NULL ? memcpy (copy, plan->settings.reference, *size) : NULL;
}

#define PARAMS(member)                                                         \
  offsetof (AmphistoParams, member), G_SIZEOF_MEMBER (AmphistoParams, member)

/* Contents of buffers, uploaded with a plan. Drawing graticules may take longer
 * than a frame's duration, so these are made only if their parameters have
 * changed. */
static const struct
{
  AmphistoClArg arg;
  const AmphistoScope *scope; /* whose graticule it is; NULL: the reference */
  gsize offset;               /* of the parameters in AmphistoParams */
  gsize size; /* of the parameters; 0: depends on more than parameters */
} contents[] = {
  { AMPHISTO_CL_ARG_REFERENCE, NULL, 0, 0 },
  { AMPHISTO_CL_ARG_HISTOGRAM_GRATICULE, &amphisto_histogram_scope,
      PARAMS (scopes.histogram) },
  { AMPHISTO_CL_ARG_WAVEFORM_GRATICULE, &amphisto_waveform,
      PARAMS (scopes.waveform) },
  { AMPHISTO_CL_ARG_VECTORSCOPE_GRATICULE, &amphisto_vectorscope,
      PARAMS (scopes.vectorscope) },
};
G_STATIC_ASSERT (G_N_ELEMENTS (contents) == AMPHISTO_CL_N_CONTENTS);

/* Makes, uploads and binds the contents in row `i`. */
static gboolean
upload_contents (AmphistoClContents *self, guint i, AmphistoClQueue *queue,
    const AmphistoPlan *plan, GError **error)
{
  const guint8 *params = (const guint8 *) &plan->params + contents[i].offset;
  gsize size;
  gpointer data;
  gboolean ok;

  if (self->made_from != NULL
      && memcmp (self->made_from, params, contents[i].size) == 0)
    return TRUE;
  g_clear_pointer (&self->made_from, g_free);
  data = contents[i].scope != NULL
      ? draw_graticule (contents[i].scope, (const scope_params *) params, &size)
      : copy_reference (plan, &size);
  if (data == NULL) {
    g_set_error_literal (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_CALL,
        "there is no memory for the graticule");
    return FALSE;
  }
  ok = amphisto_cl_queue_upload (
      queue, &self->buffer, contents[i].arg, data, size, error);
  free (data);
  if (ok)
    self->made_from = g_memdup2 (params, contents[i].size);
  return ok;
}

gboolean
amphisto_cl_stages_prepare (AmphistoClStages *self, AmphistoClQueue *queue,
    const AmphistoPlan *plan, GError **error)
{
  if (!add_kernels (self, queue, plan, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (arguments); i++)
    if (self->has_arg[arguments[i].arg]
        && !prepare_argument (&self->buffers[i], i, queue, plan, error))
      return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (contents); i++)
    if (self->has_arg[contents[i].arg]
        && !upload_contents (&self->contents[i], i, queue, plan, error))
      return FALSE;
  return TRUE;
}

void
amphisto_cl_stages_clear (AmphistoClStages *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->buffers); i++)
    amphisto_cl_reserve_clear (&self->buffers[i]);
  for (guint i = 0; i < G_N_ELEMENTS (self->contents); i++) {
    amphisto_cl_params_clear (&self->contents[i].buffer);
    g_clear_pointer (&self->contents[i].made_from, g_free);
  }
}

/* --- parameters --- */

/* Arguments that may differ from frame to frame: each frame in flight has a
 * buffer for each. */
static const struct
{
  AmphistoClArg arg;
  gsize offset; /* in AmphistoParams */
  gsize size;
} params_table[] = {
  { AMPHISTO_CL_ARG_PARAMS, PARAMS (frame) },
  { AMPHISTO_CL_ARG_CLAHE_PARAMS, PARAMS (clahe) },
  { AMPHISTO_CL_ARG_DRAWING_PARAMS, PARAMS (drawing) },
  { AMPHISTO_CL_ARG_EXPOSURE_PARAMS, PARAMS (exposure) },
  { AMPHISTO_CL_ARG_HISTOGRAM_SCOPE_PARAMS, PARAMS (scopes.histogram) },
  { AMPHISTO_CL_ARG_WAVEFORM_PARAMS, PARAMS (scopes.waveform) },
  { AMPHISTO_CL_ARG_VECTORSCOPE_PARAMS, PARAMS (scopes.vectorscope) },
};
G_STATIC_ASSERT (G_N_ELEMENTS (params_table) == AMPHISTO_CL_N_PARAMS);

gsize
amphisto_cl_stages_max_params (void)
{
  gsize size = 0;

  for (guint i = 0; i < G_N_ELEMENTS (params_table); i++)
    size = MAX (size, params_table[i].size);
  return size;
}

gboolean
amphisto_cl_stages_upload_params (const AmphistoClStages *self,
    AmphistoClParams buffers[AMPHISTO_CL_N_PARAMS], AmphistoClQueue *queue,
    const AmphistoParams *params, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (params_table); i++)
    if (self->has_arg[params_table[i].arg]
        && !amphisto_cl_queue_upload (queue, &buffers[i], params_table[i].arg,
            (const guint8 *) params + params_table[i].offset,
            params_table[i].size, error))
      return FALSE;
  return TRUE;
}
