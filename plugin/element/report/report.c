/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/report/report.h"

#include "element/report/meta.h"

void
gst_amphisto_report_init (GstAmphistoReport *self, GstVideoFilter *filter)
{
  *self = (GstAmphistoReport){ .filter = filter,
    .expect = { .element = GST_ELEMENT (filter) } };
}

void
gst_amphisto_report_flush (GstAmphistoReport *self)
{
  self->has_message = FALSE;
  gst_amphisto_expect_flush (&self->expect);
}

gboolean
gst_amphisto_report_next_posts (GstAmphistoReport *self,
    const GstSegment *segment, const GstAmphistoMeasurement *measurement)
{
  const GstAmphistoSettings *settings = measurement->settings;
  const gint64 start = measurement->times.start;
  const gint64 elapsed =
      gst_amphisto_times_elapsed (segment, self->message, start);
  const gboolean restarts = elapsed <= 0 && self->begins_segment;
  const guint64 distance = elapsed < 0 ? -(guint64) elapsed : (guint64) elapsed;

  self->begins_segment = FALSE;
  if (!settings->post_messages
      || (self->has_message && !restarts && distance < settings->interval))
    return FALSE;
  self->has_message = TRUE;
  self->message = start;
  return TRUE;
}

static void
post_message (GstElement *element, const GstAmphistoMeasurement *measurement)
{
  const GstAmphistoTimes *times = &measurement->times;
  GstStructure *structure = gst_structure_new_empty ("amphisto");

  gst_amphisto_times_add (times, structure);
  gst_structure_set (
      structure, "duration", G_TYPE_UINT64, times->duration, NULL);
  gst_amphisto_structure_add_channels (structure, measurement);
  gst_element_post_message (
      element, gst_message_new_element (GST_OBJECT (element), structure));
}

gboolean
gst_amphisto_report_frame (GstAmphistoReport *self,
    GstAmphistoMeasurement *measurement, const AmphistoPlan *plan,
    GstBuffer *canvas, GstBuffer *buffer)
{
  GstElement *element = GST_ELEMENT (self->filter);

  gst_amphisto_measurement_end (measurement, &plan->layout);
  if (measurement->settings->attach_meta
      && !gst_amphisto_meta_attach (
          buffer, &self->filter->in_info, &plan->layout, measurement)) {
    GST_ELEMENT_ERROR (element, LIBRARY, FAILED,
        ("The histogram can't be attached to the buffer."), (NULL));
    return FALSE;
  }
  if (canvas != NULL)
    gst_amphisto_composition_attach (&self->composition, plan, canvas, buffer);
  if (measurement->posts)
    post_message (element, measurement);
  return gst_amphisto_expect_add_frame (&self->expect, measurement);
}
