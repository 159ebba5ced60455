/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Global equalization and matching: a LUT from luma's bins, and its
 * application.
 */

#include "opencl/step.h"

typedef struct
{
  AmphistoClReserve lut;
  AmphistoClParams reference;
} Equalize;

static AmphistoClKernel
lut_kernel (const AmphistoPlan *plan)
{
  return plan->settings.equalization == AMPHISTO_EQUALIZATION_MATCH
      ? AMPHISTO_CL_MATCH_LUT
      : AMPHISTO_CL_EQUALIZE_LUT;
}

static AmphistoClKernel
apply_kernel (const AmphistoPlan *plan)
{
  return plan->layout.is_rgb ? AMPHISTO_CL_APPLY_LUMA_DELTA
                             : AMPHISTO_CL_APPLY_LUT;
}

static gboolean
equalize_ready (gpointer state, AmphistoClQueue *queue,
    const AmphistoPlan *plan, GError **error)
{
  Equalize *self = state;
  const uint32_t *reference = plan->settings.reference;

  if (!amphisto_cl_queue_reserve_arg (
          queue, &self->lut, AMPHISTO_CL_ARG_LUT, AMPHISTO_N_BINS, error))
    return FALSE;
  if (plan->settings.equalization == AMPHISTO_EQUALIZATION_MATCH
      && !amphisto_cl_queue_upload (queue, &self->reference,
          AMPHISTO_CL_ARG_REFERENCE, reference,
          AMPHISTO_N_BINS * sizeof *reference, error))
    return FALSE;
  return amphisto_cl_queue_add_kernel (queue, lut_kernel (plan), error)
      && (plan->layout.n_planes == 0
          || amphisto_cl_queue_add_kernel (queue, apply_kernel (plan), error));
}

static gboolean
equalize_enqueue (gpointer state, AmphistoClQueue *queue, guint index,
    const AmphistoClPlanes *planes, const AmphistoJob *job, GError **error)
{
  (void) state;
  (void) index;
  (void) planes;
  return amphisto_cl_queue_launch (queue, lut_kernel (job->plan), error)
      && amphisto_cl_queue_launch (queue, apply_kernel (job->plan), error);
}

static void
equalize_clear (gpointer state)
{
  Equalize *self = state;

  amphisto_cl_buffer_clear (&self->lut.buffer);
  amphisto_cl_params_clear (&self->reference);
  *self = (Equalize){ 0 };
}

const AmphistoClStep amphisto_cl_step_equalize = { sizeof (Equalize),
  equalize_ready, equalize_enqueue, NULL, equalize_clear };
