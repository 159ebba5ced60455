/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "opencl/frame.h"
#include "opencl/histogram.h"
#include "opencl/step.h"

/* Bytes of the first plane: commands are held back for frames of at least this
 * size. */
#define MIN_HELD (128 * 128)

/* Bytes of local memory: for the smallest part of its plane that the
 * vectorscope can count in, and for the driver. Histograms need less; other
 * kernels are checked when they are made. */
#define MIN_LOCAL_MEMORY (8 * 1024 + AMPHISTO_CL_SPARE_LOCAL_MEMORY)

static const AmphistoClStep *const steps[AMPHISTO_N_STAGES] = {
  [AMPHISTO_STAGE_HISTOGRAM] = &amphisto_cl_step_histogram,
  [AMPHISTO_STAGE_REGIONS] = &amphisto_cl_step_regions,
  [AMPHISTO_STAGE_SMOOTH] = &amphisto_cl_step_smooth,
  [AMPHISTO_STAGE_EQUALIZE] = &amphisto_cl_step_equalize,
  [AMPHISTO_STAGE_CLAHE] = &amphisto_cl_step_clahe,
  [AMPHISTO_STAGE_CLIPPING] = &amphisto_cl_step_clipping,
  [AMPHISTO_STAGE_OVERLAY] = &amphisto_cl_step_overlay,
  [AMPHISTO_STAGE_MEASURE_WAVEFORM] = &amphisto_cl_step_measure_waveform,
  [AMPHISTO_STAGE_WAVEFORM] = &amphisto_cl_step_waveform,
  [AMPHISTO_STAGE_MEASURE_VECTORS] = &amphisto_cl_step_measure_vectors,
  [AMPHISTO_STAGE_VECTORSCOPE] = &amphisto_cl_step_vectorscope,
};

/* The parameters of all stages of a frame. */
typedef struct
{
  frame_params frame;
  clahe_params clahe;
  drawing_params drawing;
  clipping_params clipping;
  overlay_params overlay;
  waveform_params waveform;
  vectorscope_params vectorscope;
} Params;

#define STAGE(name) (1u << AMPHISTO_STAGE_##name)
#define PARAMS(ARG, member, steps)                                             \
  {                                                                            \
    AMPHISTO_CL_ARG_##ARG, offsetof (Params, member),                          \
        G_SIZEOF_MEMBER (Params, member), steps                                \
  }

/* Each has a buffer, which is uploaded if the plan has any of the stages. */
static const struct
{
  AmphistoClArg arg;
  gsize offset; /* in Params */
  gsize size;
  guint32 steps;
} params_table[] = {
  PARAMS (PARAMS, frame, STAGE (HISTOGRAM)),
  PARAMS (CLAHE_PARAMS, clahe, STAGE (CLAHE)),
  PARAMS (DRAWING_PARAMS, drawing, STAGE (CLIPPING) | AMPHISTO_DRAWING_STAGES),
  PARAMS (CLIPPING_PARAMS, clipping, STAGE (CLIPPING)),
  PARAMS (OVERLAY_PARAMS, overlay, STAGE (OVERLAY)),
  PARAMS (WAVEFORM_PARAMS, waveform, STAGE (WAVEFORM)),
  PARAMS (VECTORSCOPE_PARAMS, vectorscope, STAGE (VECTORSCOPE)),
};
#define N_PARAMS G_N_ELEMENTS (params_table)

/* A frame slot. Its buffers are kept for the next frame in the slot. */
typedef struct
{
  AmphistoJob job;
  AmphistoClPlanes planes;
  AmphistoClParams params[N_PARAMS];
  cl_event done; /* NULL unless the frame is in flight */
} InFlight;

struct _AmphistoClFrame
{
  AmphistoClQueue queue;
  gpointer state[AMPHISTO_N_STAGES];
  gboolean is_ready; /* for the plan prepared last */

  InFlight *in_flight; /* a ring of queue.n_frames; owned */
  guint oldest;
  guint n_in_flight;
};

static gboolean
check_limits (AmphistoClDevice *device, GError **error)
{
  gsize constant = 0;

  for (guint p = 0; p < N_PARAMS; p++)
    constant = MAX (constant, params_table[p].size);
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

AmphistoClFrame *
amphisto_cl_frame_new (AmphistoClDevice *device, guint n_frames,
    AmphistoClBuildFunc on_build, gpointer user_data, GError **error)
{
  AmphistoClFrame *self;

  if (!check_limits (device, error))
    return NULL;
  self = g_new0 (AmphistoClFrame, 1);
  for (guint s = 0; s < AMPHISTO_N_STAGES; s++)
    self->state[s] = g_malloc0 (steps[s]->state_size);
  self->in_flight = g_new0 (InFlight, n_frames);
  for (guint i = 0; i < n_frames; i++)
    amphisto_cl_planes_init (&self->in_flight[i].planes, &self->queue);
  if (!amphisto_cl_queue_init (
          &self->queue, device, n_frames, on_build, user_data, error))
    g_clear_pointer (&self, amphisto_cl_frame_free);
  return self;
}

const AmphistoDivision *
amphisto_cl_frame_division (const AmphistoClFrame *self)
{
  return &self->queue.division;
}

/* The frame must be done. */
static void
release_frame (InFlight *frame)
{
  amphisto_cl_planes_release (&frame->planes);
  amphisto_cl_event_clear (&frame->done);
}

/* No command may be in flight. */
static void
release_all (AmphistoClFrame *self)
{
  for (guint i = 0; i < self->queue.n_frames; i++) {
    InFlight *frame = &self->in_flight[i];

    release_frame (frame);
    amphisto_cl_planes_clear (&frame->planes);
    for (guint p = 0; p < N_PARAMS; p++)
      amphisto_cl_params_clear (&frame->params[p]);
  }
  for (guint s = 0; s < AMPHISTO_N_STAGES; s++)
    steps[s]->clear (self->state[s]);
  self->oldest = self->n_in_flight = 0;
  self->is_ready = FALSE;
}

/* After a failure, and to drop frames. Waits, as commands may still use the
 * buffers; releases these, as their contents are unknown. */
static void
abandon (AmphistoClFrame *self)
{
  g_autoptr (GError) error = NULL;

  if (!amphisto_cl_queue_finish (&self->queue, &error))
    g_warning ("waiting for the device failed: %s", error->message);
  release_all (self);
}

void
amphisto_cl_frame_free (AmphistoClFrame *self)
{
  amphisto_cl_frame_drop (self);
  release_all (self);
  for (guint s = 0; s < AMPHISTO_N_STAGES; s++)
    g_free (self->state[s]);
  g_free (self->in_flight);
  amphisto_cl_queue_clear (&self->queue);
  g_free (self);
}

static gboolean
prepare_steps (AmphistoClFrame *self, const AmphistoPlan *plan, GError **error)
{
  for (guint s = 0; s < AMPHISTO_N_STAGES; s++)
    if (amphisto_plan_has_stage (plan, s)
        && !steps[s]->ready (self->state[s], &self->queue, plan, error))
      return FALSE;
  return TRUE;
}

/* Waits for the uploads of the stages: another plan, or the end, may come before
 * a frame, and free the host memory. */
gboolean
amphisto_cl_frame_prepare (
    AmphistoClFrame *self, const AmphistoPlan *plan, GError **error)
{
  const gboolean ok = prepare_steps (self, plan, error);

  self->is_ready =
      amphisto_cl_commands_finish (self->queue.uploads, ok ? error : NULL)
      && ok;
  if (!self->is_ready)
    abandon (self);
  return self->is_ready;
}

/* --- submit --- */

/* Takes the plan's parameters, and sets the fields that differ from frame to
 * frame. */
static void
fill_params (const InFlight *in_flight, Params *params)
{
  const AmphistoJob *job = &in_flight->job;
  const AmphistoPlan *plan = job->plan;

  *params = (Params){ plan->frame, plan->clahe, plan->drawing, plan->clipping,
    plan->overlay, plan->waveform, plan->vectorscope };
  params->frame.resets_mean = job->resets_mean;
  params->overlay.reset = job->resets_scale;
  params->clipping.phase = job->phase;
  amphisto_cl_planes_place (&in_flight->planes, &plan->part,
      params->frame.source, params->frame.target);
  amphisto_cl_planes_place (&in_flight->planes, &plan->drawn,
      params->drawing.source, params->drawing.target);
}

static gboolean
upload_params (AmphistoClFrame *self, InFlight *in_flight, GError **error)
{
  Params params;

  fill_params (in_flight, &params);
  for (guint p = 0; p < N_PARAMS; p++)
    if ((in_flight->job.plan->stages & params_table[p].steps) != 0
        && !amphisto_cl_queue_upload (&self->queue, &in_flight->params[p],
            params_table[p].arg, (guint8 *) &params + params_table[p].offset,
            params_table[p].size, error))
      return FALSE;
  return TRUE;
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

/* Enqueues the plan's stages from `first` on, up to but not including `end`. */
static gboolean
enqueue_steps (AmphistoClFrame *self, const InFlight *frame,
    AmphistoStage first, AmphistoStage end, GError **error)
{
  const AmphistoJob *job = &frame->job;
  const guint index = frame - self->in_flight;

  for (guint s = first; s < end; s++)
    if (amphisto_plan_has_stage (job->plan, s)
        && !steps[s]->enqueue (
            self->state[s], &self->queue, index, &frame->planes, job, error))
      return FALSE;
  return TRUE;
}

static gboolean
enqueue_kernels (AmphistoClFrame *self, InFlight *frame, GError **error)
{
  return enqueue_steps (self, frame, 0, AMPHISTO_FIRST_WRITING_STAGE, error)
      && amphisto_cl_planes_add_targets (&frame->planes, &frame->job, error)
      && enqueue_steps (
          self, frame, AMPHISTO_FIRST_WRITING_STAGE, AMPHISTO_N_STAGES, error);
}

static gboolean
enqueue_frame (AmphistoClFrame *self, InFlight *frame, GError **error)
{
  const AmphistoClQueue *queue = &self->queue;
  const AmphistoJob *job = &frame->job;

  return hold_commands (queue, job, error)
      && amphisto_cl_planes_add_sources (&frame->planes, job, error)
      && upload_params (self, frame, error)
      && amphisto_cl_commands_join (queue->uploads, queue->kernels, error)
      && enqueue_kernels (self, frame, error)
      && amphisto_cl_commands_join (queue->kernels, queue->downloads, error)
      && amphisto_cl_planes_map_or_download (&frame->planes, job, error)
      && amphisto_cl_histogram_enqueue_read (
          self->state[AMPHISTO_STAGE_HISTOGRAM], &self->queue,
          frame - self->in_flight, job->plan, &frame->done, error)
      && amphisto_cl_commands_flush (queue->downloads, error);
}

gboolean
amphisto_cl_frame_submit (
    AmphistoClFrame *self, const AmphistoJob *job, GError **error)
{
  const guint next = (self->oldest + self->n_in_flight) % self->queue.n_frames;
  InFlight *frame = &self->in_flight[next];

  g_return_val_if_fail (self->n_in_flight < self->queue.n_frames, FALSE);
  frame->job = *job;
  if (!self->is_ready && !amphisto_cl_frame_prepare (self, job->plan, error))
    return FALSE;
  if (enqueue_frame (self, frame, error)) {
    self->n_in_flight++;
    amphisto_cl_planes_copy_unwritten (&frame->planes, job);
    return TRUE;
  }
  abandon (self);
  return FALSE;
}

/* --- finish --- */

/* TRUE if the query fails: amphisto_cl_frame_finish() then waits, and reports
 * the error. */
gboolean
amphisto_cl_frame_is_done (const AmphistoClFrame *self)
{
  const InFlight *frame = &self->in_flight[self->oldest];
  cl_int status = CL_COMPLETE;

  g_return_val_if_fail (self->n_in_flight > 0, FALSE);
  return clGetEventInfo (frame->done, CL_EVENT_COMMAND_EXECUTION_STATUS,
             sizeof status, &status, NULL)
      != CL_SUCCESS
      || status <= CL_COMPLETE;
}

gboolean
amphisto_cl_frame_finish (AmphistoClFrame *self, AmphistoHistograms *histograms,
    AmphistoHistograms *regions, GError **error)
{
  const guint index = self->oldest;
  InFlight *frame = &self->in_flight[index];

  g_return_val_if_fail (self->n_in_flight > 0, FALSE);
  if (!amphisto_cl_check (
          clWaitForEvents (1, &frame->done), "clWaitForEvents", error)
      || !amphisto_cl_planes_unmap (&frame->planes, error)) {
    abandon (self);
    return FALSE;
  }
  release_frame (frame);
  self->oldest = (index + 1) % self->queue.n_frames;
  self->n_in_flight--;
  for (guint s = 0; s < AMPHISTO_N_STAGES; s++)
    if (amphisto_plan_has_stage (frame->job.plan, s)
        && steps[s]->collect != NULL)
      steps[s]->collect (
          self->state[s], index, &frame->job, histograms, regions);
  return TRUE;
}

void
amphisto_cl_frame_drop (AmphistoClFrame *self)
{
  if (self->n_in_flight > 0)
    abandon (self);
}
