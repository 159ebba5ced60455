/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "opencl/frame.h"
#include "opencl/histogram.h"
#include "opencl/step.h"

static const AmphistoClStep *const steps[AMPHISTO_N_STEPS] = {
  [AMPHISTO_STEP_HISTOGRAM] = &amphisto_cl_step_histogram,
  [AMPHISTO_STEP_REGIONS] = &amphisto_cl_step_regions,
  [AMPHISTO_STEP_SMOOTH] = &amphisto_cl_step_smooth,
  [AMPHISTO_STEP_EQUALIZE] = &amphisto_cl_step_equalize,
  [AMPHISTO_STEP_CLAHE] = &amphisto_cl_step_clahe,
  [AMPHISTO_STEP_ZEBRA] = &amphisto_cl_step_zebra,
  [AMPHISTO_STEP_OVERLAY] = &amphisto_cl_step_overlay,
};

struct _AmphistoClFrame
{
  AmphistoClQueue queue;
  AmphistoClPlanes planes;
  gpointer state[AMPHISTO_N_STEPS];
  gboolean is_ready; /* for the plan prepared last */

  AmphistoClParams frame;
  AmphistoClParams clahe;
  AmphistoClParams overlay;

  cl_event done; /* the frame in flight, or NULL */
};

static gboolean
check_limits (AmphistoClDevice *device, GError **error)
{
  const gsize constant = MAX (sizeof (frame_params), sizeof (overlay_params));

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
  return TRUE;
}

AmphistoClFrame *
amphisto_cl_frame_new (AmphistoClDevice *device, AmphistoClBuildFunc on_build,
    gpointer user_data, GError **error)
{
  AmphistoClFrame *self;

  if (!check_limits (device, error))
    return NULL;
  self = g_new0 (AmphistoClFrame, 1);
  for (guint s = 0; s < AMPHISTO_N_STEPS; s++)
    self->state[s] = g_malloc0 (steps[s]->state_size);
  amphisto_cl_planes_init (&self->planes, &self->queue);
  if (!amphisto_cl_queue_init (
          &self->queue, device, on_build, user_data, error))
    g_clear_pointer (&self, amphisto_cl_frame_free);
  return self;
}

const AmphistoDivision *
amphisto_cl_frame_division (const AmphistoClFrame *self)
{
  return &self->queue.division;
}

/* Nothing may be in flight. */
static void
release_job (AmphistoClFrame *self)
{
  amphisto_cl_planes_release (&self->planes);
  if (self->done != NULL && clReleaseEvent (self->done) != CL_SUCCESS)
    g_warning ("an OpenCL event was not released");
  self->done = NULL;
}

/* Nothing may be in flight. */
static void
release_all (AmphistoClFrame *self)
{
  release_job (self);
  for (guint s = 0; s < AMPHISTO_N_STEPS; s++)
    steps[s]->clear (self->state[s]);
  amphisto_cl_params_clear (&self->frame);
  amphisto_cl_params_clear (&self->clahe);
  amphisto_cl_params_clear (&self->overlay);
  self->is_ready = FALSE;
}

void
amphisto_cl_frame_free (AmphistoClFrame *self)
{
  release_all (self);
  for (guint s = 0; s < AMPHISTO_N_STEPS; s++)
    g_free (self->state[s]);
  amphisto_cl_planes_clear (&self->planes);
  amphisto_cl_queue_clear (&self->queue);
  g_free (self);
}

gboolean
amphisto_cl_frame_prepare (
    AmphistoClFrame *self, const AmphistoPlan *plan, GError **error)
{
  self->is_ready = FALSE;
  for (guint s = 0; s < AMPHISTO_N_STEPS; s++)
    if (amphisto_plan_has_step (plan, s)
        && !steps[s]->ready (self->state[s], &self->queue, plan, error))
      return FALSE;
  self->is_ready = TRUE;
  return TRUE;
}

/* --- submit --- */

/* What the job adds to the plan's parameters. */
static void
fill_params (const AmphistoClFrame *self, const AmphistoJob *job,
    frame_params *frame, overlay_params *overlay)
{
  const AmphistoPlan *plan = job->plan;

  *frame = plan->frame;
  frame->resets_mean = job->resets_mean;
  *overlay = plan->overlay;
  overlay->reset = job->resets_scale;
  overlay->phase = job->phase;
  amphisto_cl_planes_place (
      &self->planes, &plan->part, frame->source, frame->target);
  amphisto_cl_planes_place (
      &self->planes, &plan->drawn, overlay->source, overlay->target);
}

static gboolean
upload_params (AmphistoClFrame *self, const AmphistoJob *job, GError **error)
{
  const AmphistoPlan *plan = job->plan;
  const gboolean draws = amphisto_plan_has_step (plan, AMPHISTO_STEP_ZEBRA)
      || amphisto_plan_has_step (plan, AMPHISTO_STEP_OVERLAY);
  frame_params frame;
  overlay_params overlay;

  fill_params (self, job, &frame, &overlay);
  return amphisto_cl_queue_upload (&self->queue, &self->frame,
             AMPHISTO_CL_ARG_PARAMS, &frame, sizeof frame, error)
      && (!amphisto_plan_has_step (plan, AMPHISTO_STEP_CLAHE)
          || amphisto_cl_queue_upload (&self->queue, &self->clahe,
              AMPHISTO_CL_ARG_CLAHE_PARAMS, &plan->clahe, sizeof plan->clahe,
              error))
      && (!draws
          || amphisto_cl_queue_upload (&self->queue, &self->overlay,
              AMPHISTO_CL_ARG_OVERLAY_PARAMS, &overlay, sizeof overlay, error));
}

/* The plan's steps from `first` up to `end`. */
static gboolean
enqueue_steps (AmphistoClFrame *self, const AmphistoJob *job,
    AmphistoStep first, AmphistoStep end, GError **error)
{
  for (guint s = first; s < end; s++)
    if (amphisto_plan_has_step (job->plan, s)
        && !steps[s]->enqueue (
            self->state[s], &self->queue, &self->planes, job, error))
      return FALSE;
  return TRUE;
}

static gboolean
enqueue_job (AmphistoClFrame *self, const AmphistoJob *job, GError **error)
{
  return amphisto_cl_planes_add_sources (&self->planes, job, error)
      && upload_params (self, job, error)
      && enqueue_steps (self, job, 0, AMPHISTO_FIRST_WRITING_STEP, error)
      && amphisto_cl_planes_add_targets (&self->planes, job, error)
      && enqueue_steps (
          self, job, AMPHISTO_FIRST_WRITING_STEP, AMPHISTO_N_STEPS, error)
      && amphisto_cl_planes_map_or_download (&self->planes, job, error)
      && amphisto_cl_histogram_enqueue_read (
          self->state[AMPHISTO_STEP_HISTOGRAM], &self->queue, job->plan,
          &self->done, error)
      && amphisto_cl_check (clFlush (self->queue.queue), "clFlush", error);
}

/* After a failure: commands may still use the frames, and nobody knows what the
 * buffers hold. */
static void
abandon (AmphistoClFrame *self)
{
  g_autoptr (GError) error = NULL;

  if (!amphisto_cl_queue_finish (&self->queue, &error))
    g_warning ("waiting for the device failed: %s", error->message);
  release_all (self);
}

gboolean
amphisto_cl_frame_submit (
    AmphistoClFrame *self, const AmphistoJob *job, GError **error)
{
  if ((self->is_ready || amphisto_cl_frame_prepare (self, job->plan, error))
      && enqueue_job (self, job, error)) {
    amphisto_cl_planes_copy_unwritten (&self->planes, job);
    return TRUE;
  }
  abandon (self);
  return FALSE;
}

/* --- finish --- */

gboolean
amphisto_cl_frame_finish (AmphistoClFrame *self, const AmphistoJob *job,
    AmphistoHistograms *histograms, AmphistoHistograms *regions, GError **error)
{
  if (!amphisto_cl_check (
          clWaitForEvents (1, &self->done), "clWaitForEvents", error)
      || !amphisto_cl_planes_unmap (&self->planes, error)) {
    abandon (self);
    return FALSE;
  }
  release_job (self);
  for (guint s = 0; s < AMPHISTO_N_STEPS; s++)
    if (amphisto_plan_has_step (job->plan, s) && steps[s]->collect != NULL)
      steps[s]->collect (self->state[s], job, histograms, regions);
  return TRUE;
}
