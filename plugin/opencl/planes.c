/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "opencl/planes.h"

#include <string.h>

G_STATIC_ASSERT (AMPHISTO_MAX_PLANES == AMPHISTO_N_PLANES);

component_params
amphisto_cl_component (const AmphistoLayout *layout, AmphistoChannel channel)
{
  const AmphistoComponent *c = &layout->component[channel];

  component_params params = { c->plane, c->offset, c->pixel_stride, c->width,
    c->height };

  if (amphisto_channel_is_computed (layout, channel))
    params.plane = layout->is_rgb
        ? AMPHISTO_RGB_LUMA
        : AMPHISTO_YUV_RED + (channel - AMPHISTO_CHANNEL_RED);
  return params;
}

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
      amphisto_cl_buffer_clear (&self->staging[i][p]);
}

/* One more reference for `to`. */
static gboolean
share_buffer (cl_mem buffer, cl_mem *to, GError **error)
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

/* --- wrapped --- */

/* Whether the device can work on the planes where they lie. A CPU can
 * anywhere; of other devices' drivers some copy what does not begin where they
 * like it, and would then write back what others changed around it. */
static gboolean
can_wrap (
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
wrap_plane (AmphistoClPlanes *self, const AmphistoFrame *frame, guint p,
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
wrap_planes (AmphistoClPlanes *self, const AmphistoFrame *source,
    const AmphistoFrame *target, guint read, GError **error)
{
  for (guint p = 0; p < AMPHISTO_N_PLANES; p++) {
    const gboolean is_written = (self->written & 1u << p) != 0;
    const gboolean in_place =
        is_written && target->plane[p].data == source->plane[p].data;

    if ((in_place || read & 1u << p)
        && !wrap_plane (self, source, p,
            in_place ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY, &self->source[p],
            &self->source_place[p], error))
      return FALSE;
    if (in_place) {
      self->target_place[p] = self->source_place[p];
      if (!share_buffer (self->source[p], &self->target[p], error))
        return FALSE;
    } else if (is_written
        && !wrap_plane (self, target, p, CL_MEM_READ_WRITE, &self->target[p],
            &self->target_place[p], error)) {
      return FALSE;
    }
  }
  return TRUE;
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

/* --- staged --- */

/* Whole rows, padding behind the last one too: drivers (NVIDIA's) refuse to
 * read rectangles from less. */
static gsize
staged_size (const AmphistoFrame *source, guint p)
{
  const AmphistoPlaneLayout *plane = &source->layout->plane[p];

  return whole_words (
      (gsize) MAX (source->plane[p].stride, plane->row_bytes) * plane->rows);
}

/* `which`: 0 the source's, 1 the target's. */
static gboolean
reserve_staging (AmphistoClPlanes *self, guint which,
    const AmphistoFrame *source, guint p, GError **error)
{
  const gsize size = staged_size (source, p);

  if (self->staging_size[which][p] >= size)
    return TRUE;
  amphisto_cl_buffer_clear (&self->staging[which][p]);
  self->staging_size[which][p] = 0;
  self->staging[which][p] = amphisto_cl_queue_new_buffer (
      self->queue, CL_MEM_READ_WRITE, size, NULL, error);
  if (self->staging[which][p] == NULL)
    return FALSE;
  self->staging_size[which][p] = size;
  return TRUE;
}

static gboolean
stage_plane (AmphistoClPlanes *self, const AmphistoFrame *source, guint p,
    gboolean is_apart, GError **error)
{
  const guint stride = source->plane[p].stride;

  if (!reserve_staging (self, 0, source, p, error)
      || !amphisto_cl_queue_write (self->queue, self->staging[0][p],
          source->plane[p].data,
          amphisto_plane_span (source->layout, p, stride), error)
      || !share_buffer (self->staging[0][p], &self->source[p], error))
    return FALSE;
  self->source_place[p] = (plane_params){ 0, stride };
  if (!(self->written & 1u << p))
    return TRUE;
  self->target_place[p] = self->source_place[p];
  return (!is_apart || reserve_staging (self, 1, source, p, error))
      && share_buffer (self->staging[is_apart][p], &self->target[p], error);
}

static gboolean
stage_planes (AmphistoClPlanes *self, const AmphistoFrame *source, guint read,
    guint apart, GError **error)
{
  for (guint p = 0; p < AMPHISTO_N_PLANES; p++)
    if ((read | self->written) & 1u << p
        && !stage_plane (self, source, p, (apart & 1u << p) != 0, error))
      return FALSE;
  return TRUE;
}

static gboolean
fetch_plane (AmphistoClPlanes *self, const AmphistoFrame *target, guint p,
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

gboolean
amphisto_cl_planes_bring (AmphistoClPlanes *self, const AmphistoFrame *source,
    const AmphistoFrame *target, guint read, guint written, guint apart,
    GError **error)
{
  const AmphistoClDevice *device = self->queue->device;

  self->written = written;
  self->is_wrapped = can_wrap (device, source, read)
      && (written == 0 || can_wrap (device, target, written));
  /* all bytes are compared with the last frame's */
  memset (self->source_place, 0, sizeof self->source_place);
  memset (self->target_place, 0, sizeof self->target_place);
  return self->is_wrapped ? wrap_planes (self, source, target, read, error)
                          : stage_planes (self, source, read, apart, error);
}

void
amphisto_cl_planes_place (
    const plane_params *whole, const AmphistoLayout *part, plane_params *place)
{
  for (guint p = 0; p < AMPHISTO_N_PLANES; p++) {
    const AmphistoPlaneLayout *plane = &part->plane[p];

    place[p] = whole[p];
    place[p].offset += plane->first_row * whole[p].stride + plane->first_byte;
  }
}

/* On the device, where planes are staged apart; it has whole planes. */
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
amphisto_cl_planes_copy (AmphistoClPlanes *self, const AmphistoFrame *source,
    const AmphistoFrame *target, guint planes, GError **error)
{
  guint copied = 0;

  for (guint p = 0; p < AMPHISTO_N_PLANES; p++)
    if (planes & self->written & 1u << p && self->target[p] != self->source[p])
      copied |= 1u << p;
  if (copied == 0)
    return TRUE;
  if (!amphisto_cl_check (clFlush (self->queue->queue), "clFlush", error))
    return FALSE;
  for (guint p = 0; p < AMPHISTO_N_PLANES; p++) {
    if (!(copied & 1u << p))
      continue;
    if (self->is_wrapped)
      amphisto_frame_copy_plane (source, target, p);
    else if (!copy_staged (self, source, p, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
amphisto_cl_planes_enqueue_back (
    AmphistoClPlanes *self, const AmphistoFrame *target, GError **error)
{
  for (guint p = 0; p < AMPHISTO_N_PLANES; p++)
    if (self->written & 1u << p
        && !(self->is_wrapped ? map_plane (self, target, p, error)
                              : fetch_plane (self, target, p, error)))
      return FALSE;
  return TRUE;
}

/* Gives the planes back to the device that were mapped. Only now that they
 * are: some drivers know of a mapping once it was carried out. Then waits, lest
 * the driver look at the host's memory when it is somebody else's; but not for
 * a core, whose own memory it is. */
gboolean
amphisto_cl_planes_finish (AmphistoClPlanes *self, GError **error)
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
  if (!self->queue->is_gpu_shape)
    return amphisto_cl_check (clFlush (self->queue->queue), "clFlush", error);
  return amphisto_cl_check (clFinish (self->queue->queue), "clFinish", error);
}
