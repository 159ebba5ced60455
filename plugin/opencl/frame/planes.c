/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "opencl/frame/planes.h"
#include "opencl/device/log.h"

#include <string.h>

void
amphisto_cl_planes_init (AmphistoClPlanes *self, AmphistoClLauncher *launcher)
{
  *self = (AmphistoClPlanes){ .launcher = launcher };
}

/* --- imported memory --- */

/* Registers the memory of a block that is to be imported. If several buffers
 * are made of the same host memory, OpenCL leaves their contents undefined,
 * even if nobody writes to it, and whether in one context or in several. Two
 * elements behind a tee, or two frames in flight, may have the same memory.
 * CPUs work on the memory itself, with any number of buffers.
 *
 * Returns: FALSE if another buffer uses a part of the memory. */
static gboolean
claim_memory (AmphistoClDevice *device, AmphistoBlock *block)
{
  AmphistoClShared *shared = device->shared;
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = NULL;

  if (device->is_cpu)
    return TRUE;
  locker = g_mutex_locker_new (&shared->imported.lock);
  for (GSList *link = shared->imported.blocks; link != NULL; link = link->next)
    if (amphisto_blocks_share_words (link->data, block))
      return FALSE;
  shared->imported.blocks = g_slist_prepend (shared->imported.blocks, block);
  return TRUE;
}

static void
return_memory (AmphistoClDevice *device, AmphistoBlock *block)
{
  AmphistoClShared *shared = device->shared;
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&shared->imported.lock);

  shared->imported.blocks = g_slist_remove (shared->imported.blocks, block);
}

static void
release_side (AmphistoClPlanes *self, AmphistoClSide *side)
{
  for (guint i = 0; i < side->n_blocks; i++) {
    AmphistoClBlock *block = &side->blocks[i];

    amphisto_cl_buffer_clear (&block->buffer);
    if (block->is_imported)
      return_memory (self->launcher->device, &block->block);
  }
  side->n_blocks = 0;
  memset (side->block, 0, sizeof side->block);
  memset (side->mapped, 0, sizeof side->mapped);
}

void
amphisto_cl_planes_release (AmphistoClPlanes *self)
{
  release_side (self, &self->source);
  release_side (self, &self->target);
  release_side (self, &self->canvas);
}

void
amphisto_cl_planes_clear (AmphistoClPlanes *self)
{
  amphisto_cl_planes_release (self);
  amphisto_cl_side_clear (&self->source);
  amphisto_cl_side_clear (&self->target);
  amphisto_cl_side_clear (&self->canvas);
}

/* --- blocks --- */

/* Why memory is copied on a device that imports it. */
typedef enum
{
  SHARED_WORDS,
  UNALIGNED,
  IN_SOURCE,
  IN_USE,
  REFUSED
} Obstacle;

/* Logs the first block that meets the obstacle. Others do, too: frames are
 * alike. Returns: FALSE. */
static gboolean
refuse (AmphistoClPlanes *self, const AmphistoBlock *block, Obstacle obstacle,
    const char *text)
{
  if (self->launcher->obstacles & 1u << obstacle)
    return FALSE;
  self->launcher->obstacles |= 1u << obstacle;
  AMPHISTO_CL_LOG (INFO,
      "frames are copied: planes 0x%x, %" G_GSIZE_FORMAT " bytes at %p: %s",
      block->planes, amphisto_block_size (block),
      (void *) amphisto_block_words (block), text);
  return FALSE;
}

static gboolean
shares_words (const AmphistoClSide *side, const AmphistoBlock *block)
{
  for (guint i = 0; i < side->n_blocks; i++)
    if (amphisto_blocks_share_words (&side->blocks[i].block, block))
      return TRUE;
  return FALSE;
}

/* CPUs need no alignment. Drivers of other devices copy a block that is not
 * aligned, and would overwrite changes around it when they write it back. */
static gboolean
is_aligned (const AmphistoClDevice *device, const AmphistoBlock *block)
{
  return device->is_cpu
      || ((guintptr) amphisto_block_words (block) % device->alignment == 0
          && amphisto_block_size (block) % device->alignment == 0);
}

/* Lets the device work on the block in place, if it can. The driver may refuse
 * memory that is mapped from a device or not writable, for example.
 *
 * Returns: FALSE if the block has to be copied. */
static gboolean
import (AmphistoClPlanes *self, const AmphistoClSide *side,
    AmphistoClBlock *block, gboolean is_changed)
{
  const cl_mem_flags flags =
      is_changed ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
  AmphistoClDevice *device = self->launcher->device;
  AmphistoBlock *memory = &block->block;
  cl_mem buffer;
  cl_int status;

  if (!device->shares_host_memory)
    return FALSE;
  if (memory->shares_words)
    return refuse (
        self, memory, SHARED_WORDS, "another plane has some of them");
  if (!is_aligned (device, memory))
    return refuse (self, memory, UNALIGNED, "they are not aligned");
  if (side != &self->source && shares_words (&self->source, memory))
    return refuse (self, memory, IN_SOURCE, "the source has some of them");
  if (!claim_memory (device, memory))
    return refuse (self, memory, IN_USE, "they are in use for a frame");
  buffer = clCreateBuffer (device->context, flags | CL_MEM_USE_HOST_PTR,
      amphisto_block_size (memory), amphisto_block_words (memory), &status);
  if (status != CL_SUCCESS) {
    return_memory (device, memory);
    return refuse (self, memory, REFUSED, amphisto_cl_status_name (status));
  }
  block->buffer = buffer;
  block->is_imported = TRUE;
  return TRUE;
}

/* --- sources --- */

/* Whether source and target are the same frame; FALSE if the plan writes
 * nothing. Compares a written plane: planes that the plan neither reads nor
 * writes may be NULL in both. */
static gboolean
is_in_place (const AmphistoJob *job)
{
  const gint p = g_bit_nth_lsf (job->plan->written, -1);

  return p >= 0 && job->target.plane[p].data == job->source.plane[p].data;
}

/* Returns: a mask of the planes that are written in blocks of the source: all
 * written planes of a frame in place; on a device with memory of its own, all
 * that need no separate target. */
static guint
changed_in_source (const AmphistoClPlanes *self, const AmphistoJob *job)
{
  if (is_in_place (job))
    return job->plan->written;
  return self->launcher->device->shares_host_memory
      ? 0
      : job->plan->written & ~job->plan->needs_separate_target;
}

/* first: the argument of plane 0; the other planes' and luma's follow it. */
static void
bind_side (AmphistoClPlanes *self, const AmphistoClSide *side,
    const AmphistoLayout *layout, AmphistoClArg first)
{
  const guint luma_plane = layout->component[AMPHISTO_CHANNEL_LUMA].plane;
  cl_mem buffers[AMPHISTO_N_PLANES] = { NULL };

  for (guint p = 0; p < AMPHISTO_N_PLANES; p++) {
    if (side->block[p] != NULL)
      buffers[p] = side->block[p]->buffer;
    amphisto_cl_launcher_bind_buffer (self->launcher, first + p, buffers[p]);
  }
  amphisto_cl_launcher_bind_buffer (
      self->launcher, first + AMPHISTO_N_PLANES, buffers[luma_plane]);
}

/* Finds the target's planes, in blocks of their own, except the planes
 * `in_source`. */
static void
find_targets (AmphistoClPlanes *self, const AmphistoJob *job, guint in_source)
{
  AmphistoClSide *target = &self->target;

  amphisto_cl_side_find_blocks (
      target, &job->target, job->plan->written & ~in_source);
  for (guint p = 0; p < AMPHISTO_N_PLANES; p++)
    if (in_source & 1u << p) {
      target->block[p] = self->source.block[p];
      target->plane[p] = self->source.plane[p];
    }
}

/* Uploads what kernels use of the block. All of it if the frame gets a new
 * buffer, since unchanged rows come back with the others. */
static gboolean
upload_source (AmphistoClPlanes *self, AmphistoClBlock *block,
    const AmphistoJob *job, guint changed, GError **error)
{
  AmphistoClSide *source = &self->source;
  AmphistoClCommandQueue *uploads = self->launcher->uploads;

  if (!amphisto_cl_side_reserve (source, block, self->launcher->device, error))
    return FALSE;
  if (block->block.planes & changed && !is_in_place (job))
    return amphisto_cl_side_write_block (source, block, uploads, error);
  return amphisto_cl_side_write_rows (
      source, block, uploads, &job->source, job->plan->used_rows, error);
}

gboolean
amphisto_cl_planes_add_sources (
    AmphistoClPlanes *self, const AmphistoJob *job, GError **error)
{
  AmphistoClSide *source = &self->source;
  const guint changed = changed_in_source (self, job);

  amphisto_cl_side_find_blocks (
      source, &job->source, job->plan->read | changed);
  find_targets (self, job, changed);
  if (amphisto_plan_has_canvas (job->plan))
    amphisto_cl_side_find_blocks (&self->canvas, &job->canvas, 1);
  for (guint i = 0; i < source->n_blocks; i++) {
    AmphistoClBlock *block = &source->blocks[i];
    if (!import (self, source, block, (block->block.planes & changed) != 0)
        && !upload_source (self, block, job, changed, error))
      return FALSE;
  }
  bind_side (self, source, &job->plan->layout, AMPHISTO_CL_ARG_SOURCE0);
  return TRUE;
}

static plane_params
locate_in (const plane_params *whole, const AmphistoPlaneLayout *part)
{
  return (plane_params){ whole->offset + part->first_row * whole->stride
        + part->first_byte,
    whole->stride };
}

void
amphisto_cl_planes_locate (const AmphistoClPlanes *self,
    const AmphistoLayout *part, plane_params source[AMPHISTO_N_PLANES],
    plane_params target[AMPHISTO_N_PLANES])
{
  for (guint p = 0; p < AMPHISTO_N_PLANES; p++) {
    source[p] = locate_in (&self->source.plane[p], &part->plane[p]);
    target[p] = locate_in (&self->target.plane[p], &part->plane[p]);
  }
}

/* --- targets --- */

/* Returns: a mask of the planes that the plan does not write, or 0 if the frame
 * is in place. */
static guint
unwritten (const AmphistoJob *job)
{
  const AmphistoPlan *plan = job->plan;

  if (plan->written == 0 || is_in_place (job))
    return 0;
  return ((1u << plan->layout.n_planes) - 1) & ~plan->written;
}

/* Returns: a mask of the unwritten planes that lie in words of the target's
 * blocks. */
static guint
unwritten_in_blocks (const AmphistoClPlanes *self, const AmphistoJob *job)
{
  guint planes = unwritten (job);

  for (guint p = 0; p < job->plan->layout.n_planes; p++) {
    AmphistoBlock plane;

    if (!(planes & 1u << p))
      continue;
    plane = amphisto_plane_block (&job->target, p);
    if (!shares_words (&self->target, &plane))
      planes &= ~(1u << p);
  }
  return planes;
}

/* A copy that helpers share. */
typedef struct
{
  const AmphistoJob *job;
  guint planes;
  guint n_parts;
} Copy;

/* Copies a part of each plane's rows. */
static void
copy_part (gpointer data, guint lane, guint first, guint n)
{
  const Copy *self = data;
  const AmphistoLayout *layout = &self->job->plan->layout;

  (void) lane;
  for (guint p = 0; p < layout->n_planes; p++) {
    const guint64 rows = layout->plane[p].rows;

    if (self->planes & 1u << p)
      amphisto_frame_copy_rows (&self->job->source, &self->job->target, p,
          (guint) (rows * first / self->n_parts),
          (guint) (rows * (first + n) / self->n_parts));
  }
}

void
amphisto_cl_planes_copy (const AmphistoClPlanes *self, const AmphistoJob *job,
    guint planes, gboolean is_last)
{
  Copy copy = { job, planes, self->launcher->division.n_slices };

  if (planes != 0)
    amphisto_cl_launcher_share (
        self->launcher, copy.n_parts, copy_part, &copy, is_last);
}

/* Copies the planes that the host must not write once the target's blocks are
 * imported. */
static gboolean
copy_first (AmphistoClPlanes *self, const AmphistoJob *job, GError **error)
{
  guint planes = unwritten_in_blocks (self, job);

  for (guint i = 0; i < self->target.n_blocks; i++)
    planes |= self->target.blocks[i].block.planes & job->plan->copied;
  if (planes == 0)
    return TRUE;
  if (!amphisto_cl_command_queue_flush (self->launcher->kernels, error))
    return FALSE;
  amphisto_cl_planes_copy (self, job, planes, FALSE);
  return TRUE;
}

/* Imports a block to write; or makes memory for it, and uploads it if it has
 * contents. */
static gboolean
add_target_block (AmphistoClPlanes *self, AmphistoClSide *side,
    AmphistoClBlock *block, gboolean has_contents, GError **error)
{
  if (import (self, side, block, TRUE))
    return TRUE;
  return amphisto_cl_side_reserve (side, block, self->launcher->device, error)
      && (!has_contents
          || amphisto_cl_side_write_block (
              side, block, self->launcher->kernels, error));
}

gboolean
amphisto_cl_planes_add_targets (
    AmphistoClPlanes *self, const AmphistoJob *job, GError **error)
{
  AmphistoClSide *target = &self->target;

  if (!copy_first (self, job, error))
    return FALSE;
  for (guint i = 0; i < target->n_blocks; i++) {
    AmphistoClBlock *block = &target->blocks[i];
    const gboolean has_contents =
        (block->block.planes & job->plan->copied) != 0;

    if (!add_target_block (self, target, block, has_contents, error))
      return FALSE;
  }
  bind_side (self, target, &job->plan->layout, AMPHISTO_CL_ARG_TARGET0);
  return TRUE;
}

guint
amphisto_cl_planes_find_unwritten (
    const AmphistoClPlanes *self, const AmphistoJob *job)
{
  return unwritten (job) & ~unwritten_in_blocks (self, job);
}

/* --- the canvas --- */

plane_params
amphisto_cl_planes_locate_canvas (const AmphistoClPlanes *self)
{
  return self->canvas.plane[0];
}

static gboolean
clear_block (AmphistoClPlanes *self, const AmphistoClBlock *block,
    cl_uint background, GError **error)
{
  AmphistoClCommandQueue *kernels = self->launcher->kernels;

  return amphisto_cl_command_queue_check (kernels,
      clEnqueueFillBuffer (kernels->handle, block->buffer, &background,
          sizeof background, 0, amphisto_block_size (&block->block),
          AMPHISTO_CL_ORDER (kernels)),
      "clEnqueueFillBuffer", error);
}

/* Whether the host fills the canvas with its background before it is imported
 * or uploaded. A command would also write between the rows of imported memory,
 * and writes words, where pixels need not begin. */
static gboolean
fills_on_host (const AmphistoClPlanes *self, const AmphistoJob *job)
{
  const AmphistoPlane *plane = &job->canvas.plane[0];

  return self->launcher->device->shares_host_memory
      || ((guintptr) plane->data | plane->stride) % sizeof (cl_uint) != 0;
}

/* Adds the canvas's block, which must not be written by the host from then on.
 */
static gboolean
add_canvas_block (AmphistoClPlanes *self, const AmphistoJob *job,
    AmphistoClBlock *block, GError **error)
{
  const AmphistoCanvas *canvas = &job->plan->canvas;

  if (!canvas->has_gaps)
    return add_target_block (self, &self->canvas, block, FALSE, error);
  if (!fills_on_host (self, job))
    return add_target_block (self, &self->canvas, block, FALSE, error)
        && clear_block (self, block, canvas->background, error);
  if (!amphisto_cl_command_queue_flush (self->launcher->kernels, error))
    return FALSE;
  amphisto_canvas_clear (canvas, &job->canvas);
  return add_target_block (self, &self->canvas, block, TRUE, error);
}

gboolean
amphisto_cl_planes_add_canvas (
    AmphistoClPlanes *self, const AmphistoJob *job, GError **error)
{
  const AmphistoPlan *plan = job->plan;
  AmphistoClSide *canvas = &self->canvas;

  if (!amphisto_plan_has_canvas (plan))
    return TRUE;
  if (!add_canvas_block (self, job, &canvas->blocks[0], error))
    return FALSE;
  bind_side (self, canvas, &plan->canvas.layout, AMPHISTO_CL_ARG_TARGET0);
  return TRUE;
}

/* --- results --- */

/* Mapping makes the device's writes visible to the host. */
static gboolean
map_plane (AmphistoClPlanes *self, AmphistoClSide *side,
    const AmphistoFrame *frame, guint p, GError **error)
{
  AmphistoClCommandQueue *downloads = self->launcher->downloads;
  cl_int status;

  side->mapped[p] = clEnqueueMapBuffer (downloads->handle,
      side->block[p]->buffer, CL_FALSE, CL_MAP_READ, side->plane[p].offset,
      amphisto_plane_span (frame->layout, p, frame->plane[p].stride),
      AMPHISTO_CL_ORDER (downloads), &status);
  return amphisto_cl_command_queue_check (
      downloads, status, "clEnqueueMapBuffer", error);
}

/* Does the same on CPUs, with one command less. OpenCL allows reading a buffer
 * into the memory that it was made of, once the commands that use it are
 * done. */
static gboolean
read_plane_in_place (AmphistoClPlanes *self, AmphistoClSide *side,
    const AmphistoFrame *frame, guint p, GError **error)
{
  return amphisto_cl_command_queue_read (self->launcher->downloads,
      side->block[p]->buffer, side->plane[p].offset, frame->plane[p].data,
      amphisto_plane_span (frame->layout, p, frame->plane[p].stride), error);
}

static gboolean
unmap_plane (
    AmphistoClPlanes *self, AmphistoClSide *side, guint p, GError **error)
{
  void *mapped = g_steal_pointer (&side->mapped[p]);
  AmphistoClCommandQueue *unmaps = self->launcher->unmaps;

  return mapped == NULL
      || amphisto_cl_command_queue_check (unmaps,
          clEnqueueUnmapMemObject (unmaps->handle, side->block[p]->buffer,
              mapped, AMPHISTO_CL_ORDER (unmaps)),
          "clEnqueueUnmapMemObject", error);
}

static AmphistoRows
all_rows (const AmphistoLayout *layout, guint p)
{
  return (AmphistoRows){ 0, layout->plane[p].rows };
}

/* Enqueues a map of the plane if it is imported, else a download of `rows`. No
 * rows: the host has the whole plane. */
static gboolean
map_or_download_plane (AmphistoClPlanes *self, AmphistoClSide *side,
    const AmphistoFrame *frame, guint p, AmphistoRows rows, GError **error)
{
  if (!side->block[p]->is_imported)
    return rows.first == rows.end
        || amphisto_cl_side_read_rows (
            side, self->launcher->downloads, frame, p, rows, error);
  return self->launcher->division.is_gpu_shape
      ? map_plane (self, side, frame, p, error)
      : read_plane_in_place (self, side, frame, p, error);
}

gboolean
amphisto_cl_planes_map_or_download (
    AmphistoClPlanes *self, const AmphistoJob *job, GError **error)
{
  for (guint p = 0; p < AMPHISTO_N_PLANES; p++) {
    const AmphistoRows rows = is_in_place (job)
        ? job->plan->changed_rows[p]
        : all_rows (&job->plan->layout, p);

    if (job->plan->written & 1u << p
        && !map_or_download_plane (
            self, &self->target, &job->target, p, rows, error))
      return FALSE;
  }
  return !amphisto_plan_has_canvas (job->plan)
      || map_or_download_plane (self, &self->canvas, &job->canvas, 0,
          all_rows (&job->plan->canvas.layout, 0), error);
}

gboolean
amphisto_cl_planes_are_mapped (const AmphistoClPlanes *self)
{
  for (guint p = 0; p < AMPHISTO_N_PLANES; p++)
    if (self->target.mapped[p] != NULL || self->canvas.mapped[p] != NULL)
      return TRUE;
  return FALSE;
}

gboolean
amphisto_cl_planes_unmap (AmphistoClPlanes *self, GError **error)
{
  AmphistoClSide *const sides[] = { &self->target, &self->canvas };

  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    for (guint p = 0; p < AMPHISTO_N_PLANES; p++)
      if (!unmap_plane (self, sides[i], p, error))
        return FALSE;
  return amphisto_cl_command_queue_finish (self->launcher->unmaps, error);
}
