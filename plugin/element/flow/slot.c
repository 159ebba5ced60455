/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/flow/slot.h"

#include "element/memory/fields.h"

/* A frame in another buffer gets every plane, and the source's planes that the
 * plan does not write are copied to it. */
static void
choose_planes (
    GstAmphistoSlot *self, const AmphistoPlan *plan, gboolean verifies)
{
  const gboolean writes_elsewhere =
      plan->written != 0 && self->inbuf != self->outbuf;

  self->in.reads = verifies || writes_elsewhere ? GST_AMPHISTO_ALL_PLANES
                                                : plan->read | plan->written;
  self->in.writes = writes_elsewhere ? 0 : plan->written;
  self->out.reads = 0;
  self->out.writes = writes_elsewhere ? GST_AMPHISTO_ALL_PLANES : 0;
}

static void
unmap_frames (GstAmphistoSlot *self)
{
  gst_amphisto_map_clear (&self->out);
  gst_amphisto_map_clear (&self->in);
}

static gboolean
map_canvas (GstAmphistoSlot *self, GError **error)
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

gboolean
gst_amphisto_slot_begin_job (GstAmphistoSlot *self, const AmphistoPlan *plan,
    const GstVideoInfo *info, gboolean keeps_memory, gboolean verifies,
    GError **error)
{
  AmphistoJob *job = &self->job;

  *job = (AmphistoJob){
    .plan = plan, .regions = self->regions.clipped, .n_regions = self->regions.n
  };
  self->in.keeps_memory = self->out.keeps_memory = keeps_memory;
  choose_planes (self, plan, verifies);
  if (!gst_amphisto_frame_map (
          &self->in, &job->source, &plan->layout, info, self->inbuf, error))
    return FALSE;
  job->target = job->source;
  if (self->out.writes != 0
      && !gst_amphisto_frame_map (
          &self->out, &job->target, &plan->layout, info, self->outbuf, error)) {
    unmap_frames (self);
    return FALSE;
  }
  if (!map_canvas (self, error)) {
    unmap_frames (self);
    return FALSE;
  }
  self->completes_target = self->out.writes != 0
      && gst_amphisto_fields_are_in (info, self->outbuf)
      && gst_amphisto_fields_have_all_rows (&plan->layout, info, self->outbuf);
  self->has_job = TRUE;
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

gboolean
gst_amphisto_slot_keep_source (GstAmphistoSlot *self, GError **error)
{
  self->copy = amphisto_verify_copy_new (&self->job.source);
  return self->copy.memory != NULL || set_no_memory_error (error);
}

static gboolean
verify_regions (const GstAmphistoSlot *self, char *text, gsize size)
{
  const AmphistoJob *job = &self->job;

  for (guint i = 0; i < job->n_regions; i++)
    if (!amphisto_verify_region (&self->copy.frame, &job->regions[i],
            &self->regions.histograms[i], text, size))
      return FALSE;
  return TRUE;
}

gboolean
gst_amphisto_slot_verify (
    GstAmphistoSlot *self, AmphistoReferenceState *state, GError **error)
{
  AmphistoVerifyResult result = AMPHISTO_VERIFY_DIFFERENT;
  char text[128];

  if (self->copy.memory == NULL)
    return TRUE;
  if (verify_regions (self, text, sizeof text))
    result = amphisto_verify_job (&self->job, &self->copy.frame,
        &self->histograms, state, text, sizeof text);
  if (result == AMPHISTO_VERIFY_NO_MEMORY)
    return set_no_memory_error (error);
  if (result == AMPHISTO_VERIFY_DIFFERENT)
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_FAILED,
        "The device's result is wrong: %s.", text);
  return result == AMPHISTO_VERIFY_EQUAL;
}

/* --- the end --- */

void
gst_amphisto_slot_complete_target (GstAmphistoSlot *self)
{
  if (self->completes_target)
    gst_amphisto_fields_complete (&self->job.target);
}

void
gst_amphisto_slot_end_job (GstAmphistoSlot *self)
{
  if (!self->has_job)
    return;
  unmap_frames (self);
  if (self->canvas != NULL)
    gst_buffer_unmap (self->canvas, &self->canvas_map);
  amphisto_verify_copy_clear (&self->copy);
  self->has_job = FALSE;
}

GstBuffer *
gst_amphisto_slot_take_buffer (GstAmphistoSlot *self)
{
  GstBuffer *buffer = g_steal_pointer (&self->outbuf);

  if (self->inbuf == buffer)
    self->inbuf = NULL;
  gst_amphisto_slot_clear (self);
  return buffer;
}

void
gst_amphisto_slot_clear (GstAmphistoSlot *self)
{
  gst_amphisto_slot_end_job (self);
  gst_amphisto_regions_clear (&self->regions);
  if (self->outbuf != self->inbuf)
    gst_clear_buffer (&self->outbuf);
  self->outbuf = NULL;
  gst_clear_buffer (&self->inbuf);
  gst_clear_buffer (&self->canvas);
}
