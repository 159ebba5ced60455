/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * CLAHE: histograms of tiles, tables of their LUTs, and their application.
 */

#include "opencl/step.h"

#define BINS_SIZE (AMPHISTO_N_BINS * sizeof (cl_uint))
#define MEANS_SIZE (AMPHISTO_N_BINS * sizeof (cl_float))

typedef struct
{
  AmphistoClReserve parts;  /* bins of parts of tiles */
  AmphistoClReserve bins;   /* AMPHISTO_N_BINS for each tile */
  AmphistoClReserve means;  /* means of `bins` over time, floats */
  AmphistoClReserve tables; /* AMPHISTO_N_BINS words where four tiles meet */
} Clahe;

static gboolean
is_counted_in_parts (const AmphistoPlan *plan)
{
  return plan->clahe.n_parts > 1;
}

static AmphistoClKernel
apply_kernel (const AmphistoPlan *plan)
{
  return plan->layout.is_rgb ? AMPHISTO_CL_APPLY_TILES_DELTA
                             : AMPHISTO_CL_APPLY_TILES;
}

static gboolean
add_kernels (AmphistoClQueue *queue, const AmphistoPlan *plan, GError **error)
{
  if (!amphisto_cl_queue_add_kernel (queue, AMPHISTO_CL_COUNT_TILES, error)
      || !amphisto_cl_queue_add_kernel (
          queue, AMPHISTO_CL_MAKE_TILE_TABLES, error))
    return FALSE;
  if (plan->layout.n_planes == 0)
    return TRUE;
  return (!is_counted_in_parts (plan)
             || amphisto_cl_queue_add_kernel (
                 queue, AMPHISTO_CL_MERGE_TILES, error))
      && (!plan->sums_tiles
          || amphisto_cl_queue_add_kernel (queue, AMPHISTO_CL_SUM_TILES, error))
      && amphisto_cl_queue_add_kernel (queue, apply_kernel (plan), error);
}

static gboolean
clahe_ready (gpointer state, AmphistoClQueue *queue, const AmphistoPlan *plan,
    GError **error)
{
  Clahe *self = state;
  const clahe_params *clahe = &plan->clahe;
  const gsize n_tiles = amphisto_clahe_n_tiles (clahe);
  const gsize n_tables = (clahe->tiles_x + 1) * (clahe->tiles_y + 1);

  if (!amphisto_cl_queue_reserve_arg (queue, &self->bins,
          AMPHISTO_CL_ARG_TILE_BINS, n_tiles * BINS_SIZE, error)
      || !amphisto_cl_queue_reserve_arg (queue, &self->tables,
          AMPHISTO_CL_ARG_TABLES, n_tables * BINS_SIZE, error))
    return FALSE;
  /* tiles that are counted whole need no merging */
  amphisto_cl_queue_bind_buffer (
      queue, AMPHISTO_CL_ARG_TILE_PARTS, self->bins.buffer);
  if (amphisto_plan_has_stage (plan, AMPHISTO_STAGE_SMOOTH)
      && !amphisto_cl_queue_reserve (
          queue, &self->means, n_tiles * MEANS_SIZE, error))
    return FALSE;
  if (is_counted_in_parts (plan)
      && !amphisto_cl_queue_reserve_arg (queue, &self->parts,
          AMPHISTO_CL_ARG_TILE_PARTS, n_tiles * clahe->n_parts * BINS_SIZE,
          error))
    return FALSE;
  return add_kernels (queue, plan, error);
}

/* The smooth step has run before, and has decided whether means restart. */
static gboolean
enqueue_smoothing (Clahe *self, AmphistoClQueue *queue,
    const AmphistoPlan *plan, GError **error)
{
  const guint n_bins = amphisto_clahe_n_tiles (&plan->clahe) * AMPHISTO_N_BINS;

  amphisto_cl_queue_bind_number (queue, AMPHISTO_CL_ARG_N_SMOOTHED, n_bins);
  amphisto_cl_queue_bind_buffer (
      queue, AMPHISTO_CL_ARG_UNSMOOTHED, self->bins.buffer);
  amphisto_cl_queue_bind_buffer (
      queue, AMPHISTO_CL_ARG_SMOOTHED, self->bins.buffer);
  amphisto_cl_queue_bind_buffer (
      queue, AMPHISTO_CL_ARG_MEAN, self->means.buffer);
  return amphisto_cl_queue_launch (queue, AMPHISTO_CL_SMOOTH_BINS, error);
}

static gboolean
clahe_enqueue (gpointer state, AmphistoClQueue *queue, guint index,
    const AmphistoClPlanes *planes, const AmphistoJob *job, GError **error)
{
  const AmphistoPlan *plan = job->plan;

  (void) index;
  (void) planes;
  return amphisto_cl_queue_launch (queue, AMPHISTO_CL_COUNT_TILES, error)
      && (!is_counted_in_parts (plan)
          || amphisto_cl_queue_launch (queue, AMPHISTO_CL_MERGE_TILES, error))
      && (!amphisto_plan_has_stage (plan, AMPHISTO_STAGE_SMOOTH)
          || enqueue_smoothing (state, queue, plan, error))
      && (!plan->sums_tiles
          || amphisto_cl_queue_launch (queue, AMPHISTO_CL_SUM_TILES, error))
      && amphisto_cl_queue_launch (queue, AMPHISTO_CL_MAKE_TILE_TABLES, error)
      && amphisto_cl_queue_launch (queue, apply_kernel (plan), error);
}

static void
clahe_clear (gpointer state)
{
  Clahe *self = state;

  amphisto_cl_buffer_clear (&self->parts.buffer);
  amphisto_cl_buffer_clear (&self->bins.buffer);
  amphisto_cl_buffer_clear (&self->means.buffer);
  amphisto_cl_buffer_clear (&self->tables.buffer);
  *self = (Clahe){ 0 };
}

const AmphistoClStep amphisto_cl_step_clahe = { sizeof (Clahe), clahe_ready,
  clahe_enqueue, NULL, clahe_clear };
