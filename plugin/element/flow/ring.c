/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/flow/ring.h"

GST_DEBUG_CATEGORY_EXTERN (gst_amphisto_debug);
#define GST_CAT_DEFAULT gst_amphisto_debug

void
gst_amphisto_ring_init (GstAmphistoRing *self, GstVideoFilter *filter,
    GstAmphistoWatchFunc on_late, gpointer user_data)
{
  *self = (GstAmphistoRing){ .filter = filter };
  gst_amphisto_watch_init (&self->watch, on_late, user_data);
}

void
gst_amphisto_ring_clear (GstAmphistoRing *self)
{
  gst_amphisto_watch_clear (&self->watch);
}

void
gst_amphisto_ring_start (GstAmphistoRing *self, guint n_entries)
{
  self->entries = g_new0 (GstAmphistoInFlight, n_entries);
  self->n_entries = n_entries;
  self->oldest = 0;
  GST_OBJECT_LOCK (self->filter);
  self->is_live = FALSE;
  GST_OBJECT_UNLOCK (self->filter);
  gst_amphisto_watch_start (&self->watch);
}

void
gst_amphisto_ring_stop (GstAmphistoRing *self)
{
  gst_amphisto_watch_stop (&self->watch);
  gst_amphisto_ring_drop (self);
  g_clear_pointer (&self->entries, g_free);
}

/* --- frames --- */

static GstAmphistoInFlight *
nth (GstAmphistoRing *self, guint n)
{
  return &self->entries[(self->oldest + n) % self->n_entries];
}

GstAmphistoInFlight *
gst_amphisto_ring_next (GstAmphistoRing *self)
{
  GstAmphistoInFlight *frame = nth (self, self->n_in_flight);

  *frame = (GstAmphistoInFlight){ .entry = frame - self->entries,
    .arrival = g_get_monotonic_time () };
  return frame;
}

void
gst_amphisto_ring_push (GstAmphistoRing *self)
{
  self->n_in_flight++;
}

GstAmphistoInFlight *
gst_amphisto_ring_oldest (GstAmphistoRing *self)
{
  return nth (self, 0);
}

GstBuffer *
gst_amphisto_ring_pop (GstAmphistoRing *self)
{
  GstAmphistoInFlight *frame = nth (self, 0);

  self->oldest = (self->oldest + 1) % self->n_entries;
  self->n_in_flight--;
  return gst_amphisto_in_flight_take_buffer (frame);
}

void
gst_amphisto_ring_drop (GstAmphistoRing *self)
{
  while (self->n_in_flight > 0)
    gst_amphisto_in_flight_clear (nth (self, --self->n_in_flight));
}

gboolean
gst_amphisto_ring_is_full (GstAmphistoRing *self)
{
  const guint n_held = self->n_in_flight - 1;

  return n_held >= gst_amphisto_ring_n_held (self)
      || n_held >= gst_amphisto_in_flight_max_held (nth (self, n_held));
}

/* --- late frames --- */

/* A live source may send frames more slowly than its caps say, or none at all
 * for a while. A frame is held back no longer than the reported latency. If the
 * next frame does not come in time, finished frames are sent on at once; the
 * device may go on with the others. */

static gboolean
is_live (GstAmphistoRing *self)
{
  gboolean is_live;

  GST_OBJECT_LOCK (self->filter);
  is_live = self->is_live;
  GST_OBJECT_UNLOCK (self->filter);
  return is_live;
}

/* Returns: the duration of `n` frames, in microseconds. */
static gint64
duration_of (const GstAmphistoRing *self, guint n)
{
  return (gint64) (n * self->frame_duration / GST_USECOND);
}

/* Latest time to send on the oldest frame in flight. */
static gint64
last_time (GstAmphistoRing *self)
{
  return nth (self, 0)->arrival + duration_of (self, self->n_entries - 1);
}

/* When the frame after the newest one in flight should arrive. */
static gint64
next_time (GstAmphistoRing *self)
{
  return nth (self, self->n_in_flight - 1)->arrival + duration_of (self, 1);
}

/* Sets the watch to check the frames held back at `time`, or earlier if the
 * oldest one has to be sent on by then. */
static void
watch_until (GstAmphistoRing *self, gint64 time)
{
  gst_amphisto_watch_set (&self->watch, MIN (time, last_time (self)));
}

void
gst_amphisto_ring_watch (GstAmphistoRing *self)
{
  if (self->n_in_flight > 0 && is_live (self))
    watch_until (self, next_time (self));
}

void
gst_amphisto_ring_watch_on (GstAmphistoRing *self)
{
  if (self->n_in_flight > 0 && is_live (self))
    watch_until (self, g_get_monotonic_time () + duration_of (self, 1));
}

gboolean
gst_amphisto_ring_is_due (GstAmphistoRing *self)
{
  const gint64 now = g_get_monotonic_time ();

  if (self->n_in_flight == 0)
    return FALSE;
  return now >= last_time (self)
      || (now >= next_time (self)
          && gst_amphisto_in_flight_is_done (nth (self, 0)));
}

/* --- latency --- */

guint
gst_amphisto_ring_n_held (const GstAmphistoRing *self)
{
  return self->frame_duration > 0 ? self->n_entries - 1 : 0;
}

void
gst_amphisto_ring_set_rate (GstAmphistoRing *self, const GstVideoInfo *info)
{
  const gboolean has_rate = info->fps_n > 0 && info->fps_d > 0;

  self->frame_duration = has_rate
      ? gst_util_uint64_scale (GST_SECOND, info->fps_d, info->fps_n)
      : 0;
  gst_amphisto_ring_update_latency (self);
}

/* Frames are held back until more arrive than are held. */
void
gst_amphisto_ring_update_latency (GstAmphistoRing *self)
{
  GstElement *element = GST_ELEMENT (self->filter);
  const GstClockTime latency =
      gst_base_transform_is_passthrough (GST_BASE_TRANSFORM (element))
      ? 0
      : gst_amphisto_ring_n_held (self) * self->frame_duration;
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
  gboolean is_live, is_new;

  gst_query_parse_latency (query, &is_live, &min, &max);
  GST_OBJECT_LOCK (self->filter);
  latency = self->latency;
  is_new = is_live && !self->is_live;
  self->is_live = is_live;
  GST_OBJECT_UNLOCK (self->filter);
  if (is_new && latency > 0)
    gst_amphisto_watch_set (&self->watch, 0);
  min += latency;
  if (GST_CLOCK_TIME_IS_VALID (max))
    max += latency;
  gst_query_set_latency (query, is_live, min, max);
}
