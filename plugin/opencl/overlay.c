/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "opencl/overlay.h"

#include <string.h>

/* Planes that are drawn into: all but one for alpha alone. */
#define N_DRAWN_PLANES 3

gboolean
amphisto_cl_overlay_init (
    AmphistoClOverlay *self, AmphistoClQueue *queue, GError **error)
{
  cl_uint peaks[AMPHISTO_MAX_SLOTS] = { 0 };

  *self = (AmphistoClOverlay){ .queue = queue };
  return (self->params_buffer = amphisto_cl_queue_new_buffer (
              queue, CL_MEM_READ_ONLY, sizeof (overlay_params), NULL, error))
      && (self->peaks = amphisto_cl_queue_new_buffer (queue,
              CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof peaks, peaks,
              error))
      && amphisto_cl_queue_set_buffer (
          queue, AMPHISTO_CALCULATE_CURVES, 0, self->params_buffer, error)
      && amphisto_cl_queue_set_buffer (
          queue, AMPHISTO_CALCULATE_CURVES, 2, self->peaks, error)
      && amphisto_cl_queue_set_buffer (
          queue, AMPHISTO_DRAW_OVERLAY, 3, self->params_buffer, error)
      && amphisto_cl_queue_set_buffer (
          queue, AMPHISTO_DRAW_ZEBRA, 6, self->params_buffer, error);
}

void
amphisto_cl_overlay_forget (AmphistoClOverlay *self)
{
  memset (&self->params, 0, sizeof self->params);
}

void
amphisto_cl_overlay_clear (AmphistoClOverlay *self)
{
  amphisto_cl_buffer_clear (&self->params_buffer);
  amphisto_cl_buffer_clear (&self->peaks);
  amphisto_cl_buffer_clear (&self->columns.buffer);
}

static gboolean
upload_params (AmphistoClOverlay *self, overlay_params params,
    const AmphistoLayout *part, const AmphistoClPlanes *planes, GError **error)
{
  amphisto_cl_planes_place (planes->source_place, part, params.source);
  amphisto_cl_planes_place (planes->target_place, part, params.target);
  if (memcmp (&self->params, &params, sizeof params) == 0)
    return TRUE;
  self->params = params;
  return amphisto_cl_queue_write (self->queue, self->params_buffer,
      &self->params, sizeof self->params, error);
}

static gboolean
enqueue_zebra (
    AmphistoClOverlay *self, const AmphistoClPlanes *planes, GError **error)
{
  return amphisto_cl_queue_set_planes (self->queue, AMPHISTO_DRAW_ZEBRA, 0,
             planes->source, N_DRAWN_PLANES, self->peaks, error)
      && amphisto_cl_queue_set_planes (self->queue, AMPHISTO_DRAW_ZEBRA,
          N_DRAWN_PLANES, planes->target, N_DRAWN_PLANES, self->peaks, error)
      && amphisto_cl_queue_launch_on_rows (
          self->queue, AMPHISTO_DRAW_ZEBRA, error);
}

static gboolean
enqueue_graph (AmphistoClOverlay *self, const AmphistoClPlanes *planes,
    cl_mem bins, GError **error)
{
  const gsize group_size =
      self->queue->is_gpu_shape ? AMPHISTO_CL_GROUP_SIZE : 1;
  const gsize columns_size =
      amphisto_overlay_n_columns (&self->params) * sizeof (cl_ushort);

  return amphisto_cl_queue_reserve (
             self->queue, &self->columns, columns_size, error)
      && amphisto_cl_queue_set_buffer (
          self->queue, AMPHISTO_CALCULATE_CURVES, 1, bins, error)
      && amphisto_cl_queue_set_buffer (self->queue, AMPHISTO_CALCULATE_CURVES,
          3, self->columns.buffer, error)
      && amphisto_cl_queue_launch (
          self->queue, AMPHISTO_CALCULATE_CURVES, 1, group_size, error)
      && amphisto_cl_queue_set_planes (self->queue, AMPHISTO_DRAW_OVERLAY, 0,
          planes->target, N_DRAWN_PLANES, self->peaks, error)
      && amphisto_cl_queue_set_buffer (
          self->queue, AMPHISTO_DRAW_OVERLAY, 4, self->columns.buffer, error)
      && amphisto_cl_queue_launch_on_rows (
          self->queue, AMPHISTO_DRAW_OVERLAY, error);
}

gboolean
amphisto_cl_overlay_enqueue (AmphistoClOverlay *self,
    const overlay_params *params, const AmphistoLayout *part,
    const AmphistoClPlanes *planes, cl_mem bins, GError **error)
{
  if (params->n_judged == 0 && params->n_curves == 0)
    return TRUE;
  return upload_params (self, *params, part, planes, error)
      && (params->n_judged == 0 || enqueue_zebra (self, planes, error))
      && (params->n_curves == 0 || enqueue_graph (self, planes, bins, error));
}
