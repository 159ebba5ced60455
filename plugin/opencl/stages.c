/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "opencl/stages.h"
#include "core/captions.h"

#include <stdlib.h>
#include <string.h>

#define STAGE_BIT(STAGE) (1u << AMPHISTO_STAGE_##STAGE)

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

#define LAUNCH(STAGE, KERNEL, condition)                                       \
  {                                                                            \
    AMPHISTO_STAGE_##STAGE, AMPHISTO_CL_##KERNEL, condition                    \
  }

/* The kernels of each stage, in order. Conditions that depend on the layout do
 * not hold before it is known. regions.c launches the kernel of its stage. */
static const struct
{
  AmphistoStage stage;
  AmphistoClKernel kernel;
  gboolean (*condition) (const AmphistoPlan *plan); /* NULL: always */
} launches[] = {
  LAUNCH (HISTOGRAM, CALCULATE_HISTOGRAM, NULL),
  LAUNCH (MEASURE_WAVEFORM, MEASURE_WAVEFORM, NULL),
  LAUNCH (MEASURE_VECTORS, COUNT_VECTORS, NULL),
  LAUNCH (MEASURE_VECTORS, MERGE_VECTORS, NULL),
  LAUNCH (SMOOTH, FIND_CUT, NULL),
  LAUNCH (SMOOTH, SMOOTH_LUMA, NULL),
  LAUNCH (REGIONS, CALCULATE_REGIONS, NULL),
  LAUNCH (EQUALIZE, EQUALIZE_LUT, equalizes),
  LAUNCH (EQUALIZE, MATCH_LUT, matches),
  LAUNCH (EQUALIZE, APPLY_LUT, changes_luma),
  LAUNCH (EQUALIZE, APPLY_LUMA_DELTA, changes_rgb),
  LAUNCH (CLAHE, COUNT_TILES, counts_tiles),
  LAUNCH (CLAHE, COUNT_TILE_PARTS, counts_parts),
  LAUNCH (CLAHE, MERGE_TILES, counts_parts),
  LAUNCH (CLAHE, SMOOTH_TILES, smooths),
  LAUNCH (CLAHE, SUM_TILES, sums_tiles),
  LAUNCH (CLAHE, MAKE_TILE_TABLES, NULL),
  LAUNCH (CLAHE, APPLY_TILES, changes_luma),
  LAUNCH (CLAHE, APPLY_TILES_DELTA, changes_rgb),
  LAUNCH (CLIPPING, DRAW_CLIPPING, NULL),
  LAUNCH (OVERLAY, CALCULATE_CURVES, NULL),
  LAUNCH (OVERLAY, DRAW_OVERLAY, NULL),
  LAUNCH (WAVEFORM, DRAW_WAVEFORM, NULL),
  LAUNCH (VECTORSCOPE, DRAW_VECTORSCOPE, NULL),
};

static gboolean
is_launched (guint i, const AmphistoPlan *plan)
{
  return amphisto_plan_has_stage (plan, launches[i].stage)
      && (launches[i].condition == NULL || launches[i].condition (plan));
}

static gboolean
add_kernels (AmphistoClQueue *queue, const AmphistoPlan *plan, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (launches); i++)
    if (is_launched (i, plan)
        && !amphisto_cl_queue_add_kernel (queue, launches[i].kernel, error))
      return FALSE;
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
  return amphisto_waveform_light_size (&plan->params.waveform);
}

static gsize
vector_part_size (const AmphistoPlan *plan)
{
  return plan->division.is_gpu_shape
      ? amphisto_vectorscope_part_size (&plan->params.vectorscope)
      : 0;
}

static gsize
vector_counts_size (const AmphistoPlan *plan)
{
  return amphisto_vectorscope_counts_size (&plan->params.vectorscope);
}

static gsize
vector_light_size (const AmphistoPlan *plan)
{
  return amphisto_vectorscope_light_size (&plan->params.vectorscope);
}

static gsize
n_tiles (const AmphistoPlan *plan)
{
  return amphisto_clahe_n_tiles (&plan->params.clahe);
}

static gsize
n_tile_parts (const AmphistoPlan *plan)
{
  return counts_parts (plan) ? n_tiles (plan) * plan->params.clahe.n_parts : 0;
}

static gsize
n_tile_means (const AmphistoPlan *plan)
{
  return smooths (plan) ? n_tiles (plan) : 0;
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
  return amphisto_overlay_n_columns (&plan->params.overlay);
}

typedef enum
{
  BUFFER, /* made or enlarged with a plan; undefined contents then */
  ZEROED, /* kept from frame to frame, for all plans; zeros at first */
  LOCAL,  /* GPU shape: local memory; CPU shape: as BUFFER */
  NUMBER
} Kind;

#define ARGUMENT(STAGE, KIND, ARG, size, count)                                \
  {                                                                            \
    AMPHISTO_STAGE_##STAGE, KIND, AMPHISTO_CL_ARG_##ARG, size, count           \
  }

/* The arguments that are the same for all frames of a plan. */
static const struct
{
  AmphistoStage stage;
  Kind kind;
  AmphistoClArg arg;
  gsize size;                                /* of an item, in bytes */
  gsize (*count) (const AmphistoPlan *plan); /* items; NULL: one */
} arguments[] = {
  ARGUMENT (HISTOGRAM, LOCAL, COUNTS, 1, counts_size),
  ARGUMENT (MEASURE_WAVEFORM, BUFFER, WAVEFORM_LIGHT, 1, waveform_light_size),
  ARGUMENT (MEASURE_VECTORS, LOCAL, VECTOR_PART, 1, vector_part_size),
  ARGUMENT (MEASURE_VECTORS, BUFFER, VECTOR_COUNTS, 1, vector_counts_size),
  ARGUMENT (MEASURE_VECTORS, BUFFER, VECTOR_LIGHT, 1, vector_light_size),
  ARGUMENT (SMOOTH, ZEROED, LUMA_MEAN, AMPHISTO_CL_BINS_SIZE, NULL),
  ARGUMENT (SMOOTH, BUFFER, SMOOTHED, AMPHISTO_CL_BINS_SIZE, NULL),
  ARGUMENT (SMOOTH, BUFFER, IS_NEW, sizeof (cl_uint), NULL),
  ARGUMENT (SMOOTH, NUMBER, N_BINS, AMPHISTO_N_BINS, NULL),
  ARGUMENT (EQUALIZE, BUFFER, LUT, AMPHISTO_N_BINS, NULL),
  ARGUMENT (CLAHE, BUFFER, TILE_BINS, AMPHISTO_CL_BINS_SIZE, n_tiles),
  ARGUMENT (CLAHE, BUFFER, TILE_PARTS, AMPHISTO_CL_BINS_SIZE, n_tile_parts),
  ARGUMENT (CLAHE, BUFFER, TILE_MEANS, AMPHISTO_CL_BINS_SIZE, n_tile_means),
  ARGUMENT (CLAHE, NUMBER, N_TILE_BINS, AMPHISTO_N_BINS, n_tiles),
  ARGUMENT (CLAHE, BUFFER, TABLES, AMPHISTO_CL_BINS_SIZE, n_tables),
  ARGUMENT (
      OVERLAY, ZEROED, PEAKS, AMPHISTO_MAX_SLOTS * sizeof (cl_uint), NULL),
  ARGUMENT (OVERLAY, BUFFER, COLUMNS, sizeof (cl_ushort), n_columns),
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
prepare_argument (AmphistoClStages *self, guint i, AmphistoClQueue *queue,
    const AmphistoPlan *plan, GError **error)
{
  const AmphistoClArg arg = arguments[i].arg;
  AmphistoClReserve *reserve = &self->buffers[i];
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

static gboolean
prepare_arguments (AmphistoClStages *self, AmphistoClQueue *queue,
    const AmphistoPlan *plan, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (arguments); i++)
    if (amphisto_plan_has_stage (plan, arguments[i].stage)
        && !prepare_argument (self, i, queue, plan, error))
      return FALSE;
  return TRUE;
}

/* --- contents --- */

/* Returns: (transfer full): the light of all pixels, a word each. */
static gpointer
light_of (const AmphistoGraticule *graticule, gsize *size)
{
  *size =
      (gsize) graticule->width * graticule->height * sizeof *graticule->light;
  return graticule->light;
}

static gpointer
make_waveform_graticule (const AmphistoPlan *plan, gsize *size)
{
  AmphistoGraticule graticule;

  return amphisto_waveform_init_graticule (&plan->params.waveform, &graticule)
      ? light_of (&graticule, size)
      : NULL;
}

static gpointer
make_vectorscope_graticule (const AmphistoPlan *plan, gsize *size)
{
  AmphistoGraticule graticule;

  return amphisto_vectorscope_init_graticule (
             &plan->params.vectorscope, &graticule)
      ? light_of (&graticule, size)
      : NULL;
}

static gpointer
make_captions (const AmphistoPlan *plan, gsize *size)
{
  AmphistoGraticule captions;
  cl_ushort *columns;

  if (!amphisto_captions_init (&captions, &plan->params.overlay,
          &plan->settings.overlay, &plan->drawn, plan->reported))
    return NULL;
  *size = (gsize) 3 * captions.width * captions.height * sizeof *columns;
  columns = malloc (MAX (*size, 1));
  if (columns != NULL)
    amphisto_captions_split (&captions, columns);
  amphisto_graticule_clear (&captions);
  return columns;
}

/* Global equalization has no reference. */
static gpointer
copy_reference (const AmphistoPlan *plan, gsize *size)
{
  const uint32_t *reference = plan->settings.reference;
  gpointer copy = malloc (AMPHISTO_CL_BINS_SIZE);

  *size = matches (plan) ? AMPHISTO_CL_BINS_SIZE : 0;
  return copy != NULL ? memcpy (copy, reference, *size) : NULL;
}

#define CONTENTS(STAGE, ARG, make)                                             \
  {                                                                            \
    AMPHISTO_STAGE_##STAGE, AMPHISTO_CL_ARG_##ARG, make, 0, 0                  \
  }
#define CONTENTS_MADE_FROM(STAGE, ARG, make, member)                           \
  {                                                                            \
    AMPHISTO_STAGE_##STAGE, AMPHISTO_CL_ARG_##ARG, make,                       \
        offsetof (AmphistoParams, member),                                     \
        G_SIZEOF_MEMBER (AmphistoParams, member)                               \
  }

/* Contents of buffers, uploaded with a plan. Drawing graticules may take longer
 * than a frame's duration, so these are made only if their parameters have
 * changed. */
static const struct
{
  AmphistoStage stage;
  AmphistoClArg arg;
  /* Returns: (transfer full): memory to be freed with free(), or NULL if memory
   * runs out. Size 0: the kernels do not read the buffer. */
  gpointer (*make) (const AmphistoPlan *plan, gsize *size);
  gsize offset; /* of the parameters in AmphistoParams */
  gsize size;   /* of the parameters; 0: depends on more than parameters */
} contents[] = {
  CONTENTS (EQUALIZE, REFERENCE, copy_reference),
  CONTENTS (OVERLAY, CAPTIONS, make_captions),
  CONTENTS_MADE_FROM (
      WAVEFORM, WAVEFORM_GRATICULE, make_waveform_graticule, waveform),
  CONTENTS_MADE_FROM (VECTORSCOPE, VECTORSCOPE_GRATICULE,
      make_vectorscope_graticule, vectorscope),
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
  data = contents[i].make (plan, &size);
  if (data == NULL) {
    g_set_error_literal (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_CALL,
        "there is no memory for the graticule");
    return FALSE;
  }
  amphisto_cl_queue_bind_buffer (queue, contents[i].arg, NULL);
  ok = size == 0
      || amphisto_cl_queue_upload (
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
  if (!prepare_arguments (self, queue, plan, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (contents); i++)
    if (amphisto_plan_has_stage (plan, contents[i].stage)
        && !upload_contents (&self->contents[i], i, queue, plan, error))
      return FALSE;
  return add_kernels (queue, plan, error);
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

#define PARAMS(ARG, member, stages)                                            \
  {                                                                            \
    AMPHISTO_CL_ARG_##ARG, offsetof (AmphistoParams, member),                  \
        G_SIZEOF_MEMBER (AmphistoParams, member), stages                       \
  }

/* Each frame in flight has a buffer for each row. */
static const struct
{
  AmphistoClArg arg;
  gsize offset; /* in AmphistoParams */
  gsize size;
  guint32 stages; /* that need the parameters */
} params_rows[] = {
  PARAMS (PARAMS, frame, STAGE_BIT (HISTOGRAM)),
  PARAMS (CLAHE_PARAMS, clahe, STAGE_BIT (CLAHE)),
  PARAMS (
      DRAWING_PARAMS, drawing, STAGE_BIT (CLIPPING) | AMPHISTO_DRAWING_STAGES),
  PARAMS (CLIPPING_PARAMS, clipping, STAGE_BIT (CLIPPING)),
  PARAMS (OVERLAY_PARAMS, overlay, STAGE_BIT (OVERLAY)),
  PARAMS (WAVEFORM_PARAMS, waveform, STAGE_BIT (WAVEFORM)),
  PARAMS (VECTORSCOPE_PARAMS, vectorscope, STAGE_BIT (VECTORSCOPE)),
};
G_STATIC_ASSERT (G_N_ELEMENTS (params_rows) == AMPHISTO_CL_N_PARAMS);

gsize
amphisto_cl_stages_max_params (void)
{
  gsize size = 0;

  for (guint i = 0; i < G_N_ELEMENTS (params_rows); i++)
    size = MAX (size, params_rows[i].size);
  return size;
}

gboolean
amphisto_cl_stages_upload_params (
    AmphistoClParams buffers[AMPHISTO_CL_N_PARAMS], AmphistoClQueue *queue,
    const AmphistoPlan *plan, const AmphistoParams *params, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (params_rows); i++)
    if ((plan->stages & params_rows[i].stages) != 0
        && !amphisto_cl_queue_upload (queue, &buffers[i], params_rows[i].arg,
            (const guint8 *) params + params_rows[i].offset,
            params_rows[i].size, error))
      return FALSE;
  return TRUE;
}
