/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The graph of the histograms, drawn into the target.
 */

#include "core/captions.h"
#include "opencl/graticule.h"
#include "opencl/step.h"

typedef struct
{
  cl_mem peaks; /* one per panel: the count that its height stands for */
  AmphistoClReserve columns;
  AmphistoClParams captions;
} Overlay;

/* Panels without room have no captions: the kernel does not read the buffer. */
static gboolean
upload_captions (Overlay *self, AmphistoClQueue *queue,
    const AmphistoPlan *plan, GError **error)
{
  g_autofree cl_ushort *columns = NULL;
  AmphistoGraticule captions;
  gsize n;

  if (!amphisto_captions_init (&captions, &plan->overlay,
          &plan->settings.overlay, &plan->drawn, plan->reported))
    return amphisto_cl_graticule_set_no_memory (error);
  n = (gsize) 3 * captions.width * captions.height;
  columns = g_new (cl_ushort, n);
  amphisto_captions_split (&captions, columns);
  amphisto_graticule_clear (&captions);
  amphisto_cl_queue_bind_buffer (queue, AMPHISTO_CL_ARG_CAPTIONS, NULL);
  return n == 0
      || amphisto_cl_queue_upload (queue, &self->captions,
          AMPHISTO_CL_ARG_CAPTIONS, columns, n * sizeof *columns, error);
}

static gboolean
overlay_ready (gpointer state, AmphistoClQueue *queue, const AmphistoPlan *plan,
    GError **error)
{
  Overlay *self = state;
  cl_uint zeros[AMPHISTO_MAX_SLOTS] = { 0 };
  const gsize columns_size =
      amphisto_overlay_n_columns (&plan->overlay) * sizeof (cl_ushort);

  if (self->peaks == NULL)
    self->peaks = amphisto_cl_queue_new_buffer (queue,
        CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros, error);
  if (self->peaks == NULL)
    return FALSE;
  amphisto_cl_queue_bind_buffer (queue, AMPHISTO_CL_ARG_PEAKS, self->peaks);
  return amphisto_cl_queue_reserve_arg (queue, &self->columns,
             AMPHISTO_CL_ARG_COLUMNS, columns_size, error)
      && upload_captions (self, queue, plan, error)
      && amphisto_cl_queue_add_kernel (
          queue, AMPHISTO_CL_CALCULATE_CURVES, error)
      && amphisto_cl_queue_add_kernel (queue, AMPHISTO_CL_DRAW_OVERLAY, error);
}

static gboolean
overlay_enqueue (gpointer state, AmphistoClQueue *queue, guint index,
    const AmphistoClPlanes *planes, const AmphistoJob *job, GError **error)
{
  (void) state;
  (void) index;
  (void) planes;
  (void) job;
  return amphisto_cl_queue_launch (queue, AMPHISTO_CL_CALCULATE_CURVES, error)
      && amphisto_cl_queue_launch (queue, AMPHISTO_CL_DRAW_OVERLAY, error);
}

static void
overlay_clear (gpointer state)
{
  Overlay *self = state;

  amphisto_cl_buffer_clear (&self->peaks);
  amphisto_cl_buffer_clear (&self->columns.buffer);
  amphisto_cl_params_clear (&self->captions);
  *self = (Overlay){ 0 };
}

const AmphistoClStep amphisto_cl_step_overlay = { sizeof (Overlay),
  overlay_ready, overlay_enqueue, NULL, overlay_clear };
