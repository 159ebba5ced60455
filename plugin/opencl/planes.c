/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "opencl/planes.h"

#include <string.h>

void
amphisto_cl_planes_init (AmphistoClPlanes *self, AmphistoClQueue *queue)
{
  *self = (AmphistoClPlanes){ .queue = queue };
}

void
amphisto_cl_planes_release (AmphistoClPlanes *self)
{
  for (guint p = 0; p < AMPHISTO_N_PLANES; p++) {
    amphisto_cl_buffer_clear (&self->source[p]);
    amphisto_cl_buffer_clear (&self->target[p]);
  }
  memset (self->mapped, 0, sizeof self->mapped);
}

void
amphisto_cl_planes_clear (AmphistoClPlanes *self)
{
  amphisto_cl_planes_release (self);
  for (guint p = 0; p < AMPHISTO_N_PLANES; p++)
    for (guint i = 0; i < 2; i++)
      amphisto_cl_buffer_clear (&self->staging[i][p].buffer);
}

/* Stores a new reference to the buffer in `to`. */
static gboolean
retain_buffer (cl_mem buffer, cl_mem *to, GError **error)
{
  if (!amphisto_cl_check (
          clRetainMemObject (buffer), "clRetainMemObject", error))
    return FALSE;
  *to = buffer;
  return TRUE;
}

static gsize
whole_words (gsize bytes)
{
  return (bytes + sizeof (cl_uint) - 1) / sizeof (cl_uint) * sizeof (cl_uint);
}

/* --- imported --- */

/* Whether the device can work on the planes where they lie. A CPU can
 * anywhere. Some other devices' drivers copy what does not begin where they
 * like it, and would write back what others have changed around it. */
static gboolean
can_import (
    const AmphistoClDevice *device, const AmphistoFrame *frame, guint planes)
{
  if (!device->shares_host_memory)
    return FALSE;
  if (device->is_cpu)
    return TRUE;
  for (guint p = 0; p < AMPHISTO_N_PLANES; p++)
    if (planes & 1u << p
        && (gsize) frame->plane[p].data % device->alignment != 0)
      return FALSE;
  return TRUE;
}

/* A buffer over the whole words that hold the plane. */
static gboolean
import_plane (AmphistoClPlanes *self, const AmphistoFrame *frame, guint p,
    cl_mem_flags flags, cl_mem *buffer, plane_params *place, GError **error)
{
  const AmphistoPlane *plane = &frame->plane[p];
  const gsize offset = (gsize) plane->data % sizeof (cl_uint);
  const gsize size =
      offset + amphisto_plane_span (frame->layout, p, plane->stride);

  *place = (plane_params){ offset, plane->stride };
  *buffer =
      amphisto_cl_queue_new_buffer (self->queue, flags | CL_MEM_USE_HOST_PTR,
          whole_words (size), plane->data - offset, error);
  return *buffer != NULL;
}

static gboolean
import_source_and_target (
    AmphistoClPlanes *self, const AmphistoJob *job, guint p, GError **error)
{
  const gboolean is_written = (job->plan->written & 1u << p) != 0;
  const gboolean in_place =
      is_written && job->target.plane[p].data == job->source.plane[p].data;

  if ((in_place || job->plan->read & 1u << p)
      && !import_plane (self, &job->source, p,
          in_place ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY, &self->source[p],
          &self->source_place[p], error))
    return FALSE;
  if (!in_place)
    return !is_written
        || import_plane (self, &job->target, p, CL_MEM_READ_WRITE,
            &self->target[p], &self->target_place[p], error);
  self->target_place[p] = self->source_place[p];
  return retain_buffer (self->source[p], &self->target[p], error);
}

/* Mapping makes what the device wrote visible to the host. */
static gboolean
map_plane (AmphistoClPlanes *self, const AmphistoFrame *target, guint p,
    GError **error)
{
  const gsize size = self->target_place[p].offset
      + amphisto_plane_span (target->layout, p, target->plane[p].stride);
  cl_int status;

  self->mapped[p] = clEnqueueMapBuffer (self->queue->queue, self->target[p],
      CL_FALSE, CL_MAP_READ, 0, size, 0, NULL, NULL, &status);
  return amphisto_cl_check (status, "clEnqueueMapBuffer", error);
}

/* --- uploaded --- */

/* Whole rows, padding behind the last one too: NVIDIA's driver refuses to read
 * rectangles from less. */
static gsize
staged_size (const AmphistoFrame *source, guint p)
{
  const AmphistoPlaneLayout *plane = &source->layout->plane[p];

  return whole_words (
      (gsize) MAX (source->plane[p].stride, plane->row_bytes) * plane->rows);
}

static gboolean
reserve_staging (AmphistoClPlanes *self, AmphistoClReserve *staging, gsize size,
    cl_mem *buffer, GError **error)
{
  return amphisto_cl_queue_reserve (self->queue, staging, size, error)
      && retain_buffer (staging->buffer, buffer, error);
}

static gboolean
upload_plane (
    AmphistoClPlanes *self, const AmphistoJob *job, guint p, GError **error)
{
  const AmphistoFrame *source = &job->source;
  const guint stride = source->plane[p].stride;
  const gsize size = staged_size (source, p);
  const gboolean is_apart = (job->plan->apart & 1u << p) != 0;

  if (!reserve_staging (
          self, &self->staging[0][p], size, &self->source[p], error)
      || !amphisto_cl_queue_write (self->queue, self->source[p],
          source->plane[p].data,
          amphisto_plane_span (source->layout, p, stride), error))
    return FALSE;
  self->source_place[p] = (plane_params){ 0, stride };
  if (!(job->plan->written & 1u << p))
    return TRUE;
  self->target_place[p] = self->source_place[p];
  return reserve_staging (
      self, &self->staging[is_apart][p], size, &self->target[p], error);
}

static gboolean
download_plane (AmphistoClPlanes *self, const AmphistoFrame *target, guint p,
    GError **error)
{
  const AmphistoPlaneLayout *plane = &target->layout->plane[p];
  const gsize origin[3] = { 0, 0, 0 };
  const gsize region[3] = { plane->row_bytes, plane->rows, 1 };
  const gsize from = MAX (self->target_place[p].stride, plane->row_bytes);
  const gsize to = MAX (target->plane[p].stride, plane->row_bytes);

  return amphisto_cl_check (
      clEnqueueReadBufferRect (self->queue->queue, self->target[p], CL_FALSE,
          origin, origin, region, from, 0, to, 0, target->plane[p].data, 0,
          NULL, NULL),
      "clEnqueueReadBufferRect", error);
}

/* --- either --- */

static void
bind_planes (AmphistoClPlanes *self, const AmphistoPlan *plan)
{
  const guint luma = plan->layout.component[AMPHISTO_CHANNEL_LUMA].plane;

  for (guint p = 0; p < AMPHISTO_N_PLANES; p++) {
    amphisto_cl_queue_bind_buffer (
        self->queue, AMPHISTO_CL_ARG_SOURCE0 + p, self->source[p]);
    amphisto_cl_queue_bind_buffer (
        self->queue, AMPHISTO_CL_ARG_TARGET0 + p, self->target[p]);
  }
  amphisto_cl_queue_bind_buffer (
      self->queue, AMPHISTO_CL_ARG_SOURCE_LUMA, self->source[luma]);
  amphisto_cl_queue_bind_buffer (
      self->queue, AMPHISTO_CL_ARG_TARGET_LUMA, self->target[luma]);
}

gboolean
amphisto_cl_planes_import_or_upload (
    AmphistoClPlanes *self, const AmphistoJob *job, GError **error)
{
  const AmphistoPlan *plan = job->plan;
  const AmphistoClDevice *device = self->queue->device;

  self->is_imported = can_import (device, &job->source, plan->read)
      && can_import (device, &job->target, plan->written);
  /* parameters are compared with the last frame's byte by byte */
  memset (self->source_place, 0, sizeof self->source_place);
  memset (self->target_place, 0, sizeof self->target_place);
  for (guint p = 0; p < plan->layout.n_planes; p++) {
    if (!((plan->read | plan->written) & 1u << p))
      continue;
    if (!(self->is_imported ? import_source_and_target (self, job, p, error)
                            : upload_plane (self, job, p, error)))
      return FALSE;
  }
  bind_planes (self, plan);
  return TRUE;
}

static plane_params
place_in (const plane_params *whole, const AmphistoPlaneLayout *part)
{
  return (plane_params){ whole->offset + part->first_row * whole->stride
        + part->first_byte,
    whole->stride };
}

void
amphisto_cl_planes_place (const AmphistoClPlanes *self,
    const AmphistoLayout *part, plane_params source[AMPHISTO_N_PLANES],
    plane_params target[AMPHISTO_N_PLANES])
{
  for (guint p = 0; p < AMPHISTO_N_PLANES; p++) {
    source[p] = place_in (&self->source_place[p], &part->plane[p]);
    target[p] = place_in (&self->target_place[p], &part->plane[p]);
  }
}

static gboolean
copy_staged (AmphistoClPlanes *self, const AmphistoFrame *source, guint p,
    GError **error)
{
  return amphisto_cl_check (
      clEnqueueCopyBuffer (self->queue->queue, self->source[p], self->target[p],
          0, 0, staged_size (source, p), 0, NULL, NULL),
      "clEnqueueCopyBuffer", error);
}

gboolean
amphisto_cl_planes_copy (
    AmphistoClPlanes *self, const AmphistoJob *job, GError **error)
{
  guint copied = 0;

  for (guint p = 0; p < AMPHISTO_N_PLANES; p++)
    if (job->plan->copied & 1u << p && self->target[p] != self->source[p])
      copied |= 1u << p;
  if (copied == 0)
    return TRUE;
  if (!amphisto_cl_check (clFlush (self->queue->queue), "clFlush", error))
    return FALSE;
  for (guint p = 0; p < AMPHISTO_N_PLANES; p++) {
    if (!(copied & 1u << p))
      continue;
    if (self->is_imported)
      amphisto_frame_copy_plane (&job->source, &job->target, p);
    else if (!copy_staged (self, &job->source, p, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
amphisto_cl_planes_map_or_download (
    AmphistoClPlanes *self, const AmphistoJob *job, GError **error)
{
  for (guint p = 0; p < AMPHISTO_N_PLANES; p++)
    if (job->plan->written & 1u << p
        && !(self->is_imported ? map_plane (self, &job->target, p, error)
                               : download_plane (self, &job->target, p, error)))
      return FALSE;
  return TRUE;
}

/* Only now that the planes are mapped: some drivers know of a mapping once it
 * was carried out. */
gboolean
amphisto_cl_planes_unmap (AmphistoClPlanes *self, GError **error)
{
  gboolean unmaps = FALSE;

  for (guint p = 0; p < AMPHISTO_N_PLANES; p++) {
    void *mapped = g_steal_pointer (&self->mapped[p]);

    if (mapped == NULL)
      continue;
    if (!amphisto_cl_check (clEnqueueUnmapMemObject (self->queue->queue,
                                self->target[p], mapped, 0, NULL, NULL),
            "clEnqueueUnmapMemObject", error))
      return FALSE;
    unmaps = TRUE;
  }
  if (!unmaps)
    return TRUE;
  if (!self->queue->division.is_gpu_shape)
    return amphisto_cl_check (clFlush (self->queue->queue), "clFlush", error);
  return amphisto_cl_check (clFinish (self->queue->queue), "clFinish", error);
}
