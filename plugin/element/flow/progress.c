/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/flow/progress.h"

GST_DEBUG_CATEGORY_EXTERN (gst_amphisto_debug);
#define GST_CAT_DEFAULT gst_amphisto_debug

#define NOTICE_DELAY (500 * G_TIME_SPAN_MILLISECOND)

static void
post (GstAmphistoProgress *self, GstProgressType type, const gchar *text)
{
  GST_INFO_OBJECT (self->element, "%s", text);
  gst_element_post_message (self->element,
      gst_message_new_progress (
          GST_OBJECT (self->element), type, "build-kernels", text));
}

/* Called by the watch's thread. */
static void
announce (gpointer user_data)
{
  GstAmphistoProgress *self = user_data;

  self->is_announced = TRUE;
  post (self, GST_PROGRESS_TYPE_START, "Building OpenCL kernels");
}

void
gst_amphisto_progress_init (GstAmphistoProgress *self, GstElement *element)
{
  *self = (GstAmphistoProgress){ .element = element };
  gst_amphisto_watch_init (&self->notice, announce, self);
}

void
gst_amphisto_progress_clear (GstAmphistoProgress *self)
{
  gst_amphisto_watch_clear (&self->notice);
}

void
gst_amphisto_progress_begin (GstAmphistoProgress *self)
{
  if (self->is_building)
    return;
  self->is_building = TRUE;
  self->is_announced = FALSE;
  gst_amphisto_watch_start (&self->notice);
  gst_amphisto_watch_set (
      &self->notice, g_get_monotonic_time () + NOTICE_DELAY);
}

void
gst_amphisto_progress_end (GstAmphistoProgress *self, gboolean succeeded)
{
  if (!self->is_building)
    return;
  self->is_building = FALSE;
  gst_amphisto_watch_stop (&self->notice);
  if (self->is_announced && succeeded)
    post (self, GST_PROGRESS_TYPE_COMPLETE, "Built OpenCL kernels");
  else if (self->is_announced)
    post (self, GST_PROGRESS_TYPE_ERROR, "OpenCL kernels do not build");
}
