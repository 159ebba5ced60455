/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The mean of luma's histogram over time, which the LUT is made from.
 */

#include "opencl/step.h"

typedef struct
{
  cl_mem mean; /* floats */
  cl_mem smoothed;
  cl_mem is_new; /* whether means restart with the frame */
} Smooth;

static gboolean
make_buffers (Smooth *self, AmphistoClQueue *queue, GError **error)
{
  cl_float zeros[AMPHISTO_N_BINS] = { 0 };

  if (self->is_new != NULL)
    return TRUE;
  amphisto_cl_buffer_clear (&self->mean);
  amphisto_cl_buffer_clear (&self->smoothed);
  return (self->mean = amphisto_cl_queue_new_buffer (queue,
              CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros,
              error))
      && (self->smoothed =
              amphisto_cl_queue_new_buffer (queue, CL_MEM_READ_WRITE,
                  AMPHISTO_N_BINS * sizeof (cl_uint), NULL, error))
      && (self->is_new = amphisto_cl_queue_new_buffer (
              queue, CL_MEM_READ_WRITE, sizeof (cl_uint), NULL, error));
}

static gboolean
smooth_ready (gpointer state, AmphistoClQueue *queue, const AmphistoPlan *plan,
    GError **error)
{
  Smooth *self = state;

  (void) plan;
  if (!make_buffers (self, queue, error))
    return FALSE;
  amphisto_cl_queue_bind_buffer (queue, AMPHISTO_CL_ARG_LUMA_MEAN, self->mean);
  amphisto_cl_queue_bind_buffer (queue, AMPHISTO_CL_ARG_IS_NEW, self->is_new);
  return amphisto_cl_queue_add_kernel (queue, AMPHISTO_CL_FIND_CUT, error)
      && amphisto_cl_queue_add_kernel (queue, AMPHISTO_CL_SMOOTH_BINS, error);
}

static gboolean
smooth_enqueue (gpointer state, AmphistoClQueue *queue, guint index,
    const AmphistoClPlanes *planes, const AmphistoJob *job, GError **error)
{
  const Smooth *self = state;
  const cl_mem bins =
      amphisto_cl_queue_bound_buffer (queue, AMPHISTO_CL_ARG_BINS);

  (void) index;
  (void) planes;
  (void) job;
  amphisto_cl_queue_bind_number (
      queue, AMPHISTO_CL_ARG_N_SMOOTHED, AMPHISTO_N_BINS);
  amphisto_cl_queue_bind_buffer (queue, AMPHISTO_CL_ARG_UNSMOOTHED, bins);
  amphisto_cl_queue_bind_buffer (queue, AMPHISTO_CL_ARG_MEAN, self->mean);
  amphisto_cl_queue_bind_buffer (
      queue, AMPHISTO_CL_ARG_SMOOTHED, self->smoothed);
  amphisto_cl_queue_bind_buffer (
      queue, AMPHISTO_CL_ARG_LUT_BINS, self->smoothed);
  return amphisto_cl_queue_launch (queue, AMPHISTO_CL_FIND_CUT, error)
      && amphisto_cl_queue_launch (queue, AMPHISTO_CL_SMOOTH_BINS, error);
}

static void
smooth_clear (gpointer state)
{
  Smooth *self = state;

  amphisto_cl_buffer_clear (&self->mean);
  amphisto_cl_buffer_clear (&self->smoothed);
  amphisto_cl_buffer_clear (&self->is_new);
}

const AmphistoClStep amphisto_cl_step_smooth = { sizeof (Smooth), smooth_ready,
  smooth_enqueue, NULL, smooth_clear };
