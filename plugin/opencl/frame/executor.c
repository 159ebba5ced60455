/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "opencl/frame/executor.h"
#include "opencl/frame/bins.h"
#include "opencl/frame/planes.h"
#include "opencl/frame/regions.h"
#include "opencl/run/stages.h"

/* Bytes of the first plane: commands are held back for frames of at least this
 * size. */
#define MIN_HELD (128 * 128)

/* Bytes of local memory: for the smallest part of its plane that the
 * vectorscope can count in, and for the driver. Histograms need less; other
 * kernels are checked when they are made. */
#define MIN_LOCAL_MEMORY (8 * 1024 + AMPHISTO_CL_SPARE_LOCAL_MEMORY)

/* A frame slot. Its buffers are kept for the next frame in the slot. */
typedef struct
{
  const AmphistoJob *job; /* NULL: free */
  AmphistoClPlanes planes;
  AmphistoClParams params[AMPHISTO_CL_N_ARGS];
  cl_event done; /* or NULL */
} InFlight;

struct _AmphistoClFrame
{
  AmphistoClQueue queue;
  AmphistoClStages stages;
  AmphistoClBins bins;
  AmphistoClRegions regions;
  gboolean is_ready;   /* for the next job's plan */
  InFlight *in_flight; /* queue.n_frames slots; owned */
};

static gboolean
check_limits (AmphistoClDevice *device, GError **error)
{
  const gsize constant = amphisto_cl_stages_max_params ();

  if (device->constant_memory < constant) {
    g_set_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_BUILD,
        "\"%s\" has constant buffers of %" G_GSIZE_FORMAT " bytes; the kernels "
        "need %" G_GSIZE_FORMAT ".",
        device->name, device->constant_memory, constant);
    return FALSE;
  }
  if (device->max_work_group < AMPHISTO_CL_GROUP_SIZE) {
    g_set_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_BUILD,
        "\"%s\" has work-groups of %" G_GSIZE_FORMAT " work-items; the kernels "
        "need %d.",
        device->name, device->max_work_group, AMPHISTO_CL_GROUP_SIZE);
    return FALSE;
  }
  if (device->shape == AMPHISTO_CL_SHAPE_GPU
      && device->local_memory < MIN_LOCAL_MEMORY) {
    g_set_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_BUILD,
        "\"%s\" has local memory of %" G_GSIZE_FORMAT " bytes; the kernels "
        "need %d.",
        device->name, device->local_memory, MIN_LOCAL_MEMORY);
    return FALSE;
  }
  return TRUE;
}

AmphistoClExecutor *
amphisto_cl_executor_new (AmphistoClDevice *device, guint n_frames,
    AmphistoClBuildFunc on_build, gpointer user_data, GError **error)
{
  AmphistoClExecutor *self;

  if (!check_limits (device, error))
    return NULL;
  self = g_new0 (AmphistoClExecutor, 1);
  self->in_flight = g_new0 (InFlight, n_frames);
  for (guint i = 0; i < n_frames; i++)
    amphisto_cl_planes_init (&self->in_flight[i].planes, &self->queue);
  if (!amphisto_cl_queue_init (
          &self->queue, device, n_frames, on_build, user_data, error))
    g_clear_pointer (&self, amphisto_cl_executor_free);
  return self;
}

const AmphistoDivision *
amphisto_cl_executor_division (const AmphistoClExecutor *self)
{
  return &self->queue.division;
}

/* The frame must be done. */
static void
release_frame (InFlight *frame)
{
  amphisto_cl_planes_release (&frame->planes);
  amphisto_cl_event_clear (&frame->done);
  frame->job = NULL;
}

/* No command may be in flight. */
static void
release_all (AmphistoClExecutor *self)
{
  for (guint i = 0; i < self->queue.n_frames; i++) {
    InFlight *frame = &self->in_flight[i];

    release_frame (frame);
    amphisto_cl_planes_clear (&frame->planes);
    for (guint p = 0; p < AMPHISTO_CL_N_ARGS; p++)
      amphisto_cl_params_clear (&frame->params[p]);
  }
  amphisto_cl_stages_clear (&self->stages);
  amphisto_cl_bins_clear (&self->bins);
  amphisto_cl_regions_clear (&self->regions);
  self->is_ready = FALSE;
}

/* After a failure, and to drop frames. Waits, as commands may still use the
 * buffers; releases these, as their contents are unknown. */
static void
abandon (AmphistoClExecutor *self)
{
  g_autoptr (GError) error = NULL;

  if (!amphisto_cl_queue_finish (&self->queue, &error))
    g_warning ("waiting for the device failed: %s", error->message);
  release_all (self);
}

void
amphisto_cl_executor_free (AmphistoClExecutor *self)
{
  amphisto_cl_executor_drop (self);
  release_all (self);
  g_free (self->in_flight);
  amphisto_cl_queue_clear (&self->queue);
  g_free (self);
}

/* Waits for uploads: another plan, or the end, may come before a frame, and
 * free the host memory. */
gboolean
amphisto_cl_executor_prepare (
    AmphistoClExecutor *self, const AmphistoPlan *plan, GError **error)
{
  const gboolean ok =
      amphisto_cl_bins_prepare (&self->bins, &self->queue, error)
      && amphisto_cl_stages_prepare (&self->stages, &self->queue, plan, error);

  self->is_ready =
      amphisto_cl_commands_finish (self->queue.uploads, ok ? error : NULL)
      && ok;
  if (!self->is_ready)
    abandon (self);
  return self->is_ready;
}

/* --- submit --- */

static gboolean
upload_params (AmphistoClExecutor *self, InFlight *frame, GError **error)
{
  const AmphistoPlan *plan = frame->job->plan;
  AmphistoParams params;

  amphisto_job_fill_params (frame->job, &params);
  amphisto_cl_planes_place (
      &frame->planes, &plan->part, params.frame.source, params.frame.target);
  amphisto_cl_planes_place (&frame->planes, &plan->drawn,
      params.exposure_drawing.source, params.exposure_drawing.target);
  if (amphisto_plan_has_canvas (plan))
    params.drawing.target[0] = amphisto_cl_planes_canvas_place (&frame->planes);
  else
    amphisto_cl_planes_place (&frame->planes, &plan->layout,
        params.drawing.source, params.drawing.target);
  return amphisto_cl_stages_upload_params (
      &self->stages, frame->params, &self->queue, &params, error);
}

/* CPUs: a frame that keeps several cores busy does not start until all its
 * commands are enqueued, or until the host has to copy planes in between. */
static gboolean
hold_commands (
    const AmphistoClQueue *queue, const AmphistoJob *job, GError **error)
{
  const AmphistoPlaneLayout *plane = &job->plan->layout.plane[0];

  return queue->division.is_gpu_shape || !queue->device->can_hold
      || (gsize) plane->rows * plane->row_bytes < MIN_HELD
      || amphisto_cl_commands_hold (queue->kernels, error);
}

static gboolean
enqueue_kernels (AmphistoClExecutor *self, InFlight *frame, GError **error)
{
  AmphistoClQueue *queue = &self->queue;
  const AmphistoJob *job = frame->job;

  return amphisto_cl_bins_next (&self->bins, queue, job->plan, error)
      && amphisto_cl_stages_launch (
          queue, job->plan, 0, AMPHISTO_STAGE_REGIONS, error)
      && amphisto_cl_regions_enqueue (&self->regions, queue,
          frame - self->in_flight, &frame->planes, job, error)
      && amphisto_cl_planes_add_targets (&frame->planes, job, error)
      && amphisto_cl_stages_launch (queue, job->plan,
          AMPHISTO_FIRST_WRITING_STAGE, AMPHISTO_STAGE_DRAW_SCOPES, error)
      && amphisto_cl_planes_add_canvas (&frame->planes, job, error)
      && amphisto_cl_stages_launch (queue, job->plan,
          AMPHISTO_STAGE_DRAW_SCOPES, AMPHISTO_N_STAGES, error);
}

static gboolean
enqueue_frame (AmphistoClExecutor *self, InFlight *frame, GError **error)
{
  const AmphistoClQueue *queue = &self->queue;
  const AmphistoJob *job = frame->job;

  return hold_commands (queue, job, error)
      && amphisto_cl_planes_add_sources (&frame->planes, job, error)
      && upload_params (self, frame, error)
      && amphisto_cl_commands_join (queue->uploads, queue->kernels, error)
      && enqueue_kernels (self, frame, error)
      && amphisto_cl_commands_join (queue->kernels, queue->downloads, error)
      && amphisto_cl_planes_map_or_download (&frame->planes, job, error)
      && amphisto_cl_bins_read (&self->bins, queue, frame - self->in_flight,
          job->plan, &frame->done, error)
      && amphisto_cl_commands_flush (queue->downloads, error);
}

void
amphisto_cl_executor_invalidate (AmphistoClExecutor *self)
{
  self->is_ready = FALSE;
}

gboolean
amphisto_cl_executor_submit (AmphistoClExecutor *self, guint slot,
    const AmphistoJob *job, GError **error)
{
  InFlight *frame = &self->in_flight[slot];

  g_return_val_if_fail (frame->job == NULL, FALSE);
  if (!self->is_ready && !amphisto_cl_executor_prepare (self, job->plan, error))
    return FALSE;
  frame->job = job;
  if (enqueue_frame (self, frame, error)) {
    amphisto_cl_planes_copy_unwritten (&frame->planes, job);
    return TRUE;
  }
  abandon (self);
  return FALSE;
}

/* --- finish --- */

/* TRUE if the query fails: amphisto_cl_executor_finish() then waits, and
 * reports the error. */
gboolean
amphisto_cl_executor_is_done (const AmphistoClExecutor *self, guint slot)
{
  const InFlight *frame = &self->in_flight[slot];
  cl_int status = CL_COMPLETE;

  g_return_val_if_fail (frame->job != NULL, FALSE);
  return clGetEventInfo (frame->done, CL_EVENT_COMMAND_EXECUTION_STATUS,
             sizeof status, &status, NULL)
      != CL_SUCCESS
      || status <= CL_COMPLETE;
}

gboolean
amphisto_cl_executor_finish (AmphistoClExecutor *self, guint slot,
    AmphistoHistograms *histograms, AmphistoHistograms *regions, GError **error)
{
  InFlight *frame = &self->in_flight[slot];
  const AmphistoJob *job = frame->job;

  g_return_val_if_fail (job != NULL, FALSE);
  if (!amphisto_cl_check (
          clWaitForEvents (1, &frame->done), "clWaitForEvents", error)
      || !amphisto_cl_planes_unmap (&frame->planes, error)) {
    abandon (self);
    return FALSE;
  }
  release_frame (frame);
  amphisto_cl_bins_collect (&self->bins, slot, job, histograms);
  amphisto_cl_regions_collect (&self->regions, slot, job, regions);
  return TRUE;
}

void
amphisto_cl_executor_drop (AmphistoClExecutor *self)
{
  for (guint i = 0; i < self->queue.n_frames; i++)
    if (self->in_flight[i].job != NULL) {
      abandon (self);
      return;
    }
}
