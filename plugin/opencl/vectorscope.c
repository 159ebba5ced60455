/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The vectorscope: measured in the source, drawn into the target.
 */

#include "opencl/graticule.h"
#include "opencl/step.h"

#include <string.h>

/* --- measuring --- */

typedef struct
{
  AmphistoClReserve counts;
  AmphistoClReserve light;
} Vectors;

static gboolean
measure_ready (gpointer state, AmphistoClQueue *queue, const AmphistoPlan *plan,
    GError **error)
{
  Vectors *self = state;
  const vectorscope_params *params = &plan->vectorscope;

  if (queue->division.is_gpu_shape)
    amphisto_cl_queue_bind_local (queue, AMPHISTO_CL_ARG_VECTOR_PART,
        amphisto_vectorscope_part_size (params));
  else
    amphisto_cl_queue_bind_buffer (queue, AMPHISTO_CL_ARG_VECTOR_PART, NULL);
  return amphisto_cl_queue_reserve_arg (queue, &self->counts,
             AMPHISTO_CL_ARG_VECTOR_COUNTS,
             amphisto_vectorscope_counts_size (params), error)
      && amphisto_cl_queue_reserve_arg (queue, &self->light,
          AMPHISTO_CL_ARG_VECTOR_LIGHT,
          amphisto_vectorscope_light_size (params), error)
      && amphisto_cl_queue_add_kernel (queue, AMPHISTO_CL_COUNT_VECTORS, error)
      && amphisto_cl_queue_add_kernel (queue, AMPHISTO_CL_MERGE_VECTORS, error);
}

static gboolean
measure_enqueue (gpointer state, AmphistoClQueue *queue, guint index,
    const AmphistoClPlanes *planes, const AmphistoJob *job, GError **error)
{
  (void) state;
  (void) index;
  (void) planes;
  (void) job;
  return amphisto_cl_queue_launch (queue, AMPHISTO_CL_COUNT_VECTORS, error)
      && amphisto_cl_queue_launch (queue, AMPHISTO_CL_MERGE_VECTORS, error);
}

static void
measure_clear (gpointer state)
{
  Vectors *self = state;

  amphisto_cl_buffer_clear (&self->counts.buffer);
  amphisto_cl_buffer_clear (&self->light.buffer);
  *self = (Vectors){ 0 };
}

const AmphistoClStep amphisto_cl_step_measure_vectors = { sizeof (Vectors),
  measure_ready, measure_enqueue, NULL, measure_clear };

/* --- drawing --- */

typedef struct
{
  AmphistoClParams graticule;
  vectorscope_params params; /* of the graticule */
} Vectorscope;

/* Rasterising may take longer than a frame's duration, so it is done only if
 * the parameters have changed. */
static gboolean
make_graticule (Vectorscope *self, AmphistoClQueue *queue,
    const AmphistoPlan *plan, GError **error)
{
  AmphistoGraticule graticule;

  if (self->graticule.is_uploaded
      && memcmp (&self->params, &plan->vectorscope, sizeof self->params) == 0)
    return TRUE;
  if (!amphisto_vectorscope_init_graticule (&plan->vectorscope, &graticule))
    return amphisto_cl_graticule_set_no_memory (error);
  if (!amphisto_cl_graticule_upload (queue, &self->graticule,
          AMPHISTO_CL_ARG_VECTORSCOPE_GRATICULE, &graticule, error))
    return FALSE;
  self->params = plan->vectorscope;
  return TRUE;
}

static gboolean
draw_ready (gpointer state, AmphistoClQueue *queue, const AmphistoPlan *plan,
    GError **error)
{
  return make_graticule (state, queue, plan, error)
      && amphisto_cl_queue_add_kernel (
          queue, AMPHISTO_CL_DRAW_VECTORSCOPE, error);
}

static gboolean
draw_enqueue (gpointer state, AmphistoClQueue *queue, guint index,
    const AmphistoClPlanes *planes, const AmphistoJob *job, GError **error)
{
  (void) state;
  (void) index;
  (void) planes;
  (void) job;
  return amphisto_cl_queue_launch (queue, AMPHISTO_CL_DRAW_VECTORSCOPE, error);
}

static void
draw_clear (gpointer state)
{
  Vectorscope *self = state;

  amphisto_cl_params_clear (&self->graticule);
  *self = (Vectorscope){ 0 };
}

const AmphistoClStep amphisto_cl_step_vectorscope = { sizeof (Vectorscope),
  draw_ready, draw_enqueue, NULL, draw_clear };
