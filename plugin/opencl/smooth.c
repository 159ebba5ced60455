/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "opencl/smooth.h"

static gboolean
make_buffers (AmphistoClSmooth *self, GError **error)
{
  cl_float mean[AMPHISTO_BINS] = { 0 };

  return (self->mean = amphisto_cl_queue_new_buffer (self->queue,
              CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof mean, mean,
              error))
      && (self->smoothed = amphisto_cl_queue_new_buffer (self->queue,
              CL_MEM_READ_WRITE, AMPHISTO_BINS * sizeof (cl_uint), NULL, error))
      && (self->is_new = amphisto_cl_queue_new_buffer (
              self->queue, CL_MEM_READ_WRITE, sizeof (cl_uint), NULL, error));
}

static gboolean
set_constant_args (AmphistoClSmooth *self, cl_mem params, GError **error)
{
  return amphisto_cl_queue_set_buffer (
             self->queue, AMPHISTO_FIND_CUT, 0, params, error)
      && amphisto_cl_queue_set_buffer (
          self->queue, AMPHISTO_FIND_CUT, 2, self->mean, error)
      && amphisto_cl_queue_set_buffer (
          self->queue, AMPHISTO_FIND_CUT, 3, self->is_new, error)
      && amphisto_cl_queue_set_buffer (
          self->queue, AMPHISTO_SMOOTH_BINS, 0, params, error)
      && amphisto_cl_queue_set_buffer (
          self->queue, AMPHISTO_SMOOTH_BINS, 1, self->is_new, error);
}

gboolean
amphisto_cl_smooth_init (AmphistoClSmooth *self, AmphistoClQueue *queue,
    cl_mem params, GError **error)
{
  *self = (AmphistoClSmooth){ .queue = queue };
  return make_buffers (self, error) && set_constant_args (self, params, error);
}

void
amphisto_cl_smooth_clear (AmphistoClSmooth *self)
{
  amphisto_cl_buffer_clear (&self->mean);
  amphisto_cl_buffer_clear (&self->smoothed);
  amphisto_cl_buffer_clear (&self->is_new);
}

gboolean
amphisto_cl_smooth_enqueue (AmphistoClSmooth *self, cl_mem bins, GError **error)
{
  return amphisto_cl_queue_set_buffer (
             self->queue, AMPHISTO_FIND_CUT, 1, bins, error)
      && amphisto_cl_queue_launch (
          self->queue, AMPHISTO_FIND_CUT, 1, AMPHISTO_BINS, error)
      && amphisto_cl_smooth_enqueue_bins (
          self, AMPHISTO_BINS, bins, self->mean, self->smoothed, error);
}

gboolean
amphisto_cl_smooth_enqueue_bins (AmphistoClSmooth *self, guint n, cl_mem bins,
    cl_mem mean, cl_mem smoothed, GError **error)
{
  return amphisto_cl_queue_set_uint (
             self->queue, AMPHISTO_SMOOTH_BINS, 2, n, error)
      && amphisto_cl_queue_set_buffer (
          self->queue, AMPHISTO_SMOOTH_BINS, 3, bins, error)
      && amphisto_cl_queue_set_buffer (
          self->queue, AMPHISTO_SMOOTH_BINS, 4, mean, error)
      && amphisto_cl_queue_set_buffer (
          self->queue, AMPHISTO_SMOOTH_BINS, 5, smoothed, error)
      && amphisto_cl_queue_launch_on_rows (
          self->queue, AMPHISTO_SMOOTH_BINS, error);
}
