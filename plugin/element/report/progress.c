/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/report/progress.h"

GST_DEBUG_CATEGORY_EXTERN (gst_amphisto_debug);
#define GST_CAT_DEFAULT gst_amphisto_debug

#define NOTICE_DELAY (500 * GST_MSECOND)

void
gst_amphisto_progress_init (GstAmphistoProgress *self, GstElement *element)
{
  *self = (GstAmphistoProgress){ .element = element };
  g_mutex_init (&self->lock);
}

void
gst_amphisto_progress_clear (GstAmphistoProgress *self)
{
  g_mutex_clear (&self->lock);
}

static void
post (GstAmphistoProgress *self, GstProgressType type, const gchar *text)
{
  GST_INFO_OBJECT (self->element, "%s", text);
  gst_element_post_message (self->element,
      gst_message_new_progress (
          GST_OBJECT (self->element), type, "build-kernels", text));
}

/* Called by the clock's thread. */
static gboolean
announce (GstClock *clock, GstClockTime time, GstClockID id, gpointer user_data)
{
  GstAmphistoProgress *self = user_data;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  (void) clock;
  (void) time;
  (void) id;
  if (self->is_building) {
    self->is_announced = TRUE;
    post (self, GST_PROGRESS_TYPE_START, "Building OpenCL kernels");
  }
  return TRUE;
}

static void
unref_element (gpointer user_data)
{
  gst_object_unref (((GstAmphistoProgress *) user_data)->element);
}

void
gst_amphisto_progress_begin (GstAmphistoProgress *self)
{
  g_autoptr (GstClock) clock = NULL;

  if (self->notice != NULL)
    return;
  clock = gst_system_clock_obtain ();
  self->is_building = TRUE;
  self->is_announced = FALSE;
  self->notice = gst_clock_new_single_shot_id (
      clock, gst_clock_get_time (clock) + NOTICE_DELAY);
  /* `self` is part of the element, which has to live until the clock is done */
  gst_object_ref (self->element);
  if (gst_clock_id_wait_async (self->notice, announce, self, unref_element)
      != GST_CLOCK_OK)
    GST_WARNING_OBJECT (self->element, "a long build will not be announced");
}

void
gst_amphisto_progress_end (GstAmphistoProgress *self, gboolean succeeded)
{
  if (self->notice == NULL)
    return;
  gst_clock_id_unschedule (self->notice);
  g_clear_pointer (&self->notice, gst_clock_id_unref);

  g_mutex_lock (&self->lock);
  self->is_building = FALSE;
  if (self->is_announced && succeeded)
    post (self, GST_PROGRESS_TYPE_COMPLETE, "Built OpenCL kernels");
  else if (self->is_announced)
    post (self, GST_PROGRESS_TYPE_ERROR, "OpenCL kernels do not build");
  g_mutex_unlock (&self->lock);
}
