/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/flow/inflight.h"

#include "element/memory/fields.h"

/* A frame in another buffer gets every plane, and the source's planes that the
 * plan does not write are copied to it. The output of scopes alone has nothing
 * of the source. */
static void
choose_planes (GstAmphistoInFlight *self, const AmphistoPlan *plan)
{
  const gboolean verifies = self->measurement.settings->verify;
  const gboolean writes_elsewhere =
      plan->written != 0 && self->inbuf != self->outbuf;

  self->in.reads = verifies || writes_elsewhere ? GST_AMPHISTO_ALL_PLANES
                                                : plan->read | plan->written;
  self->in.writes = writes_elsewhere ? 0 : plan->written;
  self->out.reads = 0;
  self->out.writes = writes_elsewhere || amphisto_plan_is_scopes_only (plan)
      ? GST_AMPHISTO_ALL_PLANES
      : 0;
}

static void
unmap_frames (GstAmphistoInFlight *self)
{
  gst_amphisto_map_clear (&self->out);
  gst_amphisto_map_clear (&self->in);
}

static gboolean
map_canvas (GstAmphistoInFlight *self, GError **error)
{
  const AmphistoLayout *layout = &self->job.plan->canvas.layout;

  if (self->canvas == NULL)
    return TRUE;
  if (!gst_buffer_map (self->canvas, &self->canvas_map, GST_MAP_READWRITE)) {
    g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_WRITE,
        "The memory for scopes can't be mapped.");
    return FALSE;
  }
  self->job.canvas = (AmphistoFrame){ .layout = layout,
    .plane = { { self->canvas_map.data, layout->plane[0].row_bytes } } };
  return TRUE;
}

static gboolean
map_frames (GstAmphistoInFlight *self, const GstVideoInfo *info,
    const GstVideoInfo *out_info, GError **error)
{
  AmphistoJob *job = &self->job;
  const AmphistoLayout *layout = &job->plan->layout;

  if (!gst_amphisto_frame_map (
          &self->in, &job->source, layout, info, self->inbuf, error))
    return FALSE;
  job->target = job->source;
  if (amphisto_plan_is_scopes_only (job->plan))
    return gst_amphisto_frame_map (&self->out, &job->canvas,
        &job->plan->canvas.layout, out_info, self->outbuf, error);
  return self->out.writes == 0
      || gst_amphisto_frame_map (
          &self->out, &job->target, layout, info, self->outbuf, error);
}

gboolean
gst_amphisto_in_flight_begin_job (GstAmphistoInFlight *self,
    AmphistoClExecutor *executor, const AmphistoPlan *plan,
    const GstVideoInfo *info, const GstVideoInfo *out_info,
    gboolean keeps_memory, GError **error)
{
  const GstAmphistoRegions *regions = &self->measurement.regions;

  self->job = (AmphistoJob){
    .plan = plan,
    .regions = regions->clipped,
    .n_regions = regions->n,
    .has_fields = gst_amphisto_fields_are_in (info, self->inbuf),
  };
  self->in.keeps_memory = keeps_memory;
  self->out.keeps_memory = keeps_memory && !amphisto_plan_is_scopes_only (plan);
  choose_planes (self, plan);
  if (!map_frames (self, info, out_info, error) || !map_canvas (self, error)) {
    unmap_frames (self);
    return FALSE;
  }
  self->completes_target = plan->written != 0 && self->out.writes != 0
      && self->out.bottom_up == 0 /* then it lacks rows where the source does */
      && gst_amphisto_fields_are_in (info, self->outbuf)
      && gst_amphisto_fields_have_all_rows (
          &plan->layout, info, self->outbuf, &self->out.crop);
  self->executor = executor;
  return TRUE;
}

/* --- verification --- */

static gboolean
set_no_memory_error (GError **error)
{
  g_set_error_literal (error, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_NO_SPACE_LEFT,
      "There is no memory for a copy of the frame to verify it by.");
  return FALSE;
}

static gboolean
verify_regions (const GstAmphistoInFlight *self, char *text, gsize size)
{
  const AmphistoJob *job = &self->job;

  for (guint i = 0; i < job->n_regions; i++)
    if (!amphisto_verify_region (&self->copy.frame, &job->regions[i],
            job->plan->reported, &self->measurement.regions.histograms[i], text,
            size))
      return FALSE;
  return TRUE;
}

/* Compares the result with the reference's, if the source was kept. */
static gboolean
verify (const GstAmphistoInFlight *self, AmphistoReferenceState *state,
    GError **error)
{
  AmphistoVerifyResult result = AMPHISTO_VERIFY_DIFFERENT;
  char text[128];

  if (self->copy.memory == NULL)
    return TRUE;
  if (verify_regions (self, text, sizeof text))
    result = amphisto_verify_job (&self->job, &self->copy.frame,
        &self->measurement.histograms, state, text, sizeof text);
  if (result == AMPHISTO_VERIFY_NO_MEMORY)
    return set_no_memory_error (error);
  if (result == AMPHISTO_VERIFY_DIFFERENT)
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_FAILED,
        "The device's result is wrong: %s.", text);
  return result == AMPHISTO_VERIFY_EQUAL;
}

/* --- the job --- */

gboolean
gst_amphisto_in_flight_submit_job (GstAmphistoInFlight *self, GError **error)
{
  const gboolean verifies = self->measurement.settings->verify;

  if (verifies)
    self->copy = amphisto_verify_copy_new (&self->job.source);
  if (verifies && self->copy.memory == NULL)
    return set_no_memory_error (error);
  return amphisto_cl_executor_submit (
      self->executor, self->entry, &self->job, error);
}

/* The device must have finished the job. */
static void
release_job (GstAmphistoInFlight *self)
{
  unmap_frames (self);
  if (self->canvas != NULL)
    gst_buffer_unmap (self->canvas, &self->canvas_map);
  amphisto_verify_copy_clear (&self->copy);
  self->executor = NULL;
}

gboolean
gst_amphisto_in_flight_end_job (
    GstAmphistoInFlight *self, AmphistoReferenceState *state, GError **error)
{
  GstAmphistoMeasurement *measurement = &self->measurement;

  if (self->executor == NULL)
    return TRUE;
  if (!amphisto_cl_executor_finish (self->executor, self->entry,
          &measurement->histograms, measurement->regions.histograms, error)
      || !verify (self, state, error))
    return FALSE;
  if (self->completes_target)
    gst_amphisto_fields_complete (&self->job.target);
  gst_amphisto_map_write_back (&self->in);
  gst_amphisto_map_write_back (&self->out);
  release_job (self);
  return TRUE;
}

/* --- buffers --- */

GstBuffer *
gst_amphisto_in_flight_take_buffer (GstAmphistoInFlight *self)
{
  GstBuffer *buffer = g_steal_pointer (&self->outbuf);

  if (self->inbuf == buffer)
    self->inbuf = NULL;
  gst_amphisto_in_flight_clear (self);
  return buffer;
}

void
gst_amphisto_in_flight_clear (GstAmphistoInFlight *self)
{
  if (self->executor != NULL) {
    amphisto_cl_executor_drop (self->executor);
    release_job (self);
  }
  gst_amphisto_measurement_clear (&self->measurement);
  if (self->outbuf != self->inbuf)
    gst_clear_buffer (&self->outbuf);
  self->outbuf = NULL;
  gst_clear_buffer (&self->inbuf);
  gst_clear_buffer (&self->canvas);
}
