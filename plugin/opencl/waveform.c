/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The waveform: measured in the source, drawn into the target.
 */

#include "opencl/graticule.h"
#include "opencl/step.h"

#include <string.h>

/* --- measuring --- */

static gboolean
measure_ready (gpointer state, AmphistoClQueue *queue, const AmphistoPlan *plan,
    GError **error)
{
  AmphistoClReserve *light = state;

  return amphisto_cl_queue_reserve_arg (queue, light,
             AMPHISTO_CL_ARG_WAVEFORM_LIGHT,
             amphisto_waveform_light_size (&plan->waveform), error)
      && amphisto_cl_queue_add_kernel (
          queue, AMPHISTO_CL_MEASURE_WAVEFORM, error);
}

static gboolean
measure_enqueue (gpointer state, AmphistoClQueue *queue, guint index,
    const AmphistoClPlanes *planes, const AmphistoJob *job, GError **error)
{
  (void) state;
  (void) index;
  (void) planes;
  (void) job;
  return amphisto_cl_queue_launch (queue, AMPHISTO_CL_MEASURE_WAVEFORM, error);
}

static void
measure_clear (gpointer state)
{
  AmphistoClReserve *light = state;

  amphisto_cl_buffer_clear (&light->buffer);
  *light = (AmphistoClReserve){ 0 };
}

const AmphistoClStep amphisto_cl_step_measure_waveform = {
  sizeof (AmphistoClReserve), measure_ready, measure_enqueue, NULL,
  measure_clear
};

/* --- drawing --- */

typedef struct
{
  AmphistoClParams graticule;
  waveform_params params; /* of the graticule */
} Waveform;

/* Rasterising may take longer than a frame's duration, so it is done only if
 * the parameters have changed. */
static gboolean
make_graticule (Waveform *self, AmphistoClQueue *queue,
    const AmphistoPlan *plan, GError **error)
{
  AmphistoGraticule graticule;

  if (self->graticule.is_uploaded
      && memcmp (&self->params, &plan->waveform, sizeof self->params) == 0)
    return TRUE;
  if (!amphisto_waveform_init_graticule (&plan->waveform, &graticule))
    return amphisto_cl_graticule_set_no_memory (error);
  if (!amphisto_cl_graticule_upload (queue, &self->graticule,
          AMPHISTO_CL_ARG_WAVEFORM_GRATICULE, &graticule, error))
    return FALSE;
  self->params = plan->waveform;
  return TRUE;
}

static gboolean
draw_ready (gpointer state, AmphistoClQueue *queue, const AmphistoPlan *plan,
    GError **error)
{
  return make_graticule (state, queue, plan, error)
      && amphisto_cl_queue_add_kernel (queue, AMPHISTO_CL_DRAW_WAVEFORM, error);
}

static gboolean
draw_enqueue (gpointer state, AmphistoClQueue *queue, guint index,
    const AmphistoClPlanes *planes, const AmphistoJob *job, GError **error)
{
  (void) state;
  (void) index;
  (void) planes;
  (void) job;
  return amphisto_cl_queue_launch (queue, AMPHISTO_CL_DRAW_WAVEFORM, error);
}

static void
draw_clear (gpointer state)
{
  Waveform *self = state;

  amphisto_cl_params_clear (&self->graticule);
  *self = (Waveform){ 0 };
}

const AmphistoClStep amphisto_cl_step_waveform = { sizeof (Waveform),
  draw_ready, draw_enqueue, NULL, draw_clear };
