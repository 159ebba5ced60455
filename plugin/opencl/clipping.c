/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Zebra stripes and false colour in the target, by the luma of the source.
 */

#include "opencl/step.h"

static gboolean
clipping_ready (gpointer state, AmphistoClQueue *queue,
    const AmphistoPlan *plan, GError **error)
{
  (void) state;
  (void) plan;
  return amphisto_cl_queue_add_kernel (queue, AMPHISTO_CL_DRAW_CLIPPING, error);
}

static gboolean
clipping_enqueue (gpointer state, AmphistoClQueue *queue, guint index,
    const AmphistoClPlanes *planes, const AmphistoJob *job, GError **error)
{
  (void) state;
  (void) index;
  (void) planes;
  (void) job;
  return amphisto_cl_queue_launch (queue, AMPHISTO_CL_DRAW_CLIPPING, error);
}

static void
clipping_clear (gpointer state)
{
  (void) state;
}

const AmphistoClStep amphisto_cl_step_clipping = { 0, clipping_ready,
  clipping_enqueue, NULL, clipping_clear };
