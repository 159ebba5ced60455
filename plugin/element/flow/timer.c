/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/flow/timer.h"

void
gst_amphisto_timer_init (
    GstAmphistoTimer *self, GstAmphistoTimerFunc on_time, gpointer user_data)
{
  *self = (GstAmphistoTimer){
    .on_time = on_time, .user_data = user_data, .time = GST_AMPHISTO_TIMER_NEVER
  };
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
}

void
gst_amphisto_timer_clear (GstAmphistoTimer *self)
{
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->lock);
}

static gpointer
run (gpointer data)
{
  GstAmphistoTimer *self = data;

  g_mutex_lock (&self->lock);
  while (self->is_on)
    if (self->time == GST_AMPHISTO_TIMER_NEVER) {
      g_cond_wait (&self->changed, &self->lock);
    } else if (g_get_monotonic_time () < self->time) {
      g_cond_wait_until (&self->changed, &self->lock, self->time);
    } else {
      self->time = GST_AMPHISTO_TIMER_NEVER;
      g_mutex_unlock (&self->lock);
      self->on_time (self->user_data);
      g_mutex_lock (&self->lock);
    }
  g_mutex_unlock (&self->lock);
  return NULL;
}

void
gst_amphisto_timer_start (GstAmphistoTimer *self)
{
  g_mutex_lock (&self->lock);
  self->is_on = TRUE;
  self->time = GST_AMPHISTO_TIMER_NEVER;
  g_mutex_unlock (&self->lock);
}

void
gst_amphisto_timer_stop (GstAmphistoTimer *self)
{
  GThread *thread;

  g_mutex_lock (&self->lock);
  self->is_on = FALSE;
  thread = g_steal_pointer (&self->thread);
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);
  if (thread != NULL)
    g_thread_join (thread);
}

void
gst_amphisto_timer_set (GstAmphistoTimer *self, gint64 time)
{
  g_mutex_lock (&self->lock);
  if (self->is_on) {
    self->time = time;
    if (self->thread == NULL && time != GST_AMPHISTO_TIMER_NEVER)
      self->thread = g_thread_new ("amphisto-timer", run, self);
    g_cond_signal (&self->changed);
  }
  g_mutex_unlock (&self->lock);
}
