/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/flow/ring.h"

GST_DEBUG_CATEGORY_EXTERN (gst_amphisto_debug);
#define GST_CAT_DEFAULT gst_amphisto_debug

void
gst_amphisto_ring_init (GstAmphistoRing *self, GstVideoFilter *filter)
{
  *self = (GstAmphistoRing){ .filter = filter };
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
}

void
gst_amphisto_ring_clear (GstAmphistoRing *self)
{
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->lock);
}

static GstPad *
source_pad (const GstAmphistoRing *self)
{
  return GST_BASE_TRANSFORM_SRC_PAD (self->filter);
}

void
gst_amphisto_ring_start (GstAmphistoRing *self, guint n_entries)
{
  self->slots = g_new0 (GstAmphistoInFlight, n_entries + 1);
  self->n_entries = n_entries;
  self->next_entry = 0;
  self->has_task = FALSE;
  g_mutex_lock (&self->lock);
  self->oldest = 0;
  self->flow = GST_FLOW_OK;
  self->is_interrupted = FALSE;
  g_mutex_unlock (&self->lock);
}

/* Call with the lock. */
static gboolean
has_frames (const GstAmphistoRing *self)
{
  return self->n_in_flight > 0 || self->is_sending;
}

void
gst_amphisto_ring_interrupt (GstAmphistoRing *self)
{
  g_mutex_lock (&self->lock);
  self->flow = GST_FLOW_FLUSHING;
  self->is_interrupted = TRUE;
  g_cond_broadcast (&self->changed);
  while (has_frames (self))
    g_cond_wait (&self->changed, &self->lock);
  g_mutex_unlock (&self->lock);
  if (!gst_pad_stop_task (source_pad (self)))
    GST_WARNING_OBJECT (self->filter, "the source pad's task did not stop");
}

void
gst_amphisto_ring_stop (GstAmphistoRing *self)
{
  gst_amphisto_ring_interrupt (self);
  g_clear_pointer (&self->slots, g_free);
}

/* --- the streaming thread --- */

/* Call with the lock. */
static GstAmphistoInFlight *
nth (GstAmphistoRing *self, guint n)
{
  return &self->slots[(self->oldest + n) % (self->n_entries + 1)];
}

GstAmphistoInFlight *
gst_amphisto_ring_next (GstAmphistoRing *self)
{
  GstAmphistoInFlight *frame;

  g_mutex_lock (&self->lock);
  while (self->n_in_flight == self->n_entries)
    g_cond_wait (&self->changed, &self->lock);
  frame = nth (self, self->n_in_flight);
  g_mutex_unlock (&self->lock);

  *frame = (GstAmphistoInFlight){ .entry = self->next_entry };
  return frame;
}

gboolean
gst_amphisto_ring_start_task (
    GstAmphistoRing *self, GstTaskFunction send, gpointer user_data)
{
  GstPad *pad = source_pad (self);

  if (self->n_entries == 1 || GST_PAD_MODE (pad) != GST_PAD_MODE_PUSH)
    return FALSE;
  if (!self->has_task) {
    self->has_task = gst_pad_start_task (pad, send, user_data, NULL);
    if (!self->has_task)
      GST_WARNING_OBJECT (self->filter,
          "no thread can be started: one frame is in flight at a time");
  }
  return self->has_task;
}

gboolean
gst_amphisto_ring_push (GstAmphistoRing *self)
{
  gboolean sends;

  g_mutex_lock (&self->lock);
  sends = !self->is_interrupted;
  if (sends) {
    self->n_in_flight++;
    self->next_entry = (self->next_entry + 1) % self->n_entries;
  }
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
  return sends;
}

GstFlowReturn
gst_amphisto_ring_drain (GstAmphistoRing *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&self->lock);

  while (has_frames (self))
    g_cond_wait (&self->changed, &self->lock);
  return self->flow;
}

GstFlowReturn
gst_amphisto_ring_flow (GstAmphistoRing *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&self->lock);

  return self->flow;
}

gboolean
gst_amphisto_ring_is_empty (GstAmphistoRing *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&self->lock);

  return !has_frames (self);
}

void
gst_amphisto_ring_reset (GstAmphistoRing *self)
{
  g_mutex_lock (&self->lock);
  if (!self->is_interrupted)
    self->flow = GST_FLOW_OK;
  g_mutex_unlock (&self->lock);
}

/* --- the task --- */

GstAmphistoInFlight *
gst_amphisto_ring_await (GstAmphistoRing *self)
{
  GstAmphistoInFlight *frame = NULL;

  g_mutex_lock (&self->lock);
  while (self->n_in_flight == 0 && !self->is_interrupted)
    g_cond_wait (&self->changed, &self->lock);
  if (self->n_in_flight > 0)
    frame = nth (self, 0);
  g_mutex_unlock (&self->lock);
  if (frame == NULL)
    gst_pad_pause_task (source_pad (self));
  return frame;
}

void
gst_amphisto_ring_pop (GstAmphistoRing *self)
{
  g_mutex_lock (&self->lock);
  self->oldest = (self->oldest + 1) % (self->n_entries + 1);
  self->n_in_flight--;
  self->is_sending = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

void
gst_amphisto_ring_end_sending (GstAmphistoRing *self, GstFlowReturn flow)
{
  g_mutex_lock (&self->lock);
  self->is_sending = FALSE;
  if (self->flow == GST_FLOW_OK)
    self->flow = flow;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

/* --- latency --- */

void
gst_amphisto_ring_set_rate (GstAmphistoRing *self, const GstVideoInfo *info)
{
  const gboolean has_rate = info->fps_n > 0 && info->fps_d > 0;

  self->frame_duration = has_rate
      ? gst_util_uint64_scale (GST_SECOND, info->fps_d, info->fps_n)
      : 0;
  gst_amphisto_ring_update_latency (self);
}

/* The ring is full when the next frames have to wait. */
void
gst_amphisto_ring_update_latency (GstAmphistoRing *self)
{
  GstElement *element = GST_ELEMENT (self->filter);
  const GstClockTime latency =
      gst_base_transform_is_passthrough (GST_BASE_TRANSFORM (element))
      ? 0
      : (self->n_entries - 1) * self->frame_duration;
  gboolean is_new;

  GST_OBJECT_LOCK (element);
  is_new = latency != self->latency;
  self->latency = latency;
  GST_OBJECT_UNLOCK (element);
  if (!is_new)
    return;
  GST_DEBUG_OBJECT (
      element, "latency %" GST_TIME_FORMAT, GST_TIME_ARGS (latency));
  gst_element_post_message (
      element, gst_message_new_latency (GST_OBJECT (element)));
}

void
gst_amphisto_ring_add_latency (GstAmphistoRing *self, GstQuery *query)
{
  GstClockTime min, max, latency;
  gboolean is_live;

  gst_query_parse_latency (query, &is_live, &min, &max);
  GST_OBJECT_LOCK (self->filter);
  latency = self->latency;
  GST_OBJECT_UNLOCK (self->filter);
  min += latency;
  if (GST_CLOCK_TIME_IS_VALID (max))
    max += latency;
  gst_query_set_latency (query, is_live, min, max);
}
