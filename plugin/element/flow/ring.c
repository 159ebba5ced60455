/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/flow/ring.h"

#include "element/memory/allocation.h"
#include "element/report/messages.h"

GST_DEBUG_CATEGORY_EXTERN (gst_amphisto_debug);
#define GST_CAT_DEFAULT gst_amphisto_debug

static void send_due_frames (gpointer user_data);

void
gst_amphisto_ring_init (GstAmphistoRing *self, GstVideoFilter *filter,
    GstAmphistoDevice *device, GstAmphistoJobs *jobs,
    GstAmphistoComposition *composition, GstAmphistoExpect *expect)
{
  *self = (GstAmphistoRing){ .filter = filter,
    .device = device,
    .jobs = jobs,
    .composition = composition,
    .expect = expect };
  gst_amphisto_watch_init (&self->watch, send_due_frames, self);
}

void
gst_amphisto_ring_clear (GstAmphistoRing *self)
{
  gst_amphisto_watch_clear (&self->watch);
}

void
gst_amphisto_ring_start (GstAmphistoRing *self, guint n_slots)
{
  self->slots = g_new0 (GstAmphistoSlot, n_slots);
  self->n_slots = n_slots;
  self->oldest = 0;
  self->has_failed = FALSE;
  self->drained = GST_FLOW_OK;
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
  g_clear_pointer (&self->slots, g_free);
}

static GstAmphistoSlot *
nth_slot (GstAmphistoRing *self, guint n)
{
  return &self->slots[(self->oldest + n) % self->n_slots];
}

/* --- frames --- */

GstAmphistoSlot *
gst_amphisto_ring_next (GstAmphistoRing *self, GstBuffer *buffer)
{
  GstAmphistoSlot *slot = nth_slot (self, self->n_in_flight);

  *slot = (GstAmphistoSlot){ .index = slot - self->slots,
    .inbuf = buffer,
    .arrival = g_get_monotonic_time () };
  return slot;
}

void
gst_amphisto_ring_push (GstAmphistoRing *self)
{
  self->n_in_flight++;
}

void
gst_amphisto_ring_drop (GstAmphistoRing *self)
{
  gst_amphisto_jobs_drop (self->jobs);
  while (self->n_in_flight > 0)
    gst_amphisto_slot_clear (nth_slot (self, --self->n_in_flight));
}

void
gst_amphisto_ring_flush (GstAmphistoRing *self)
{
  gst_amphisto_ring_drop (self);
  self->drained = GST_FLOW_OK;
  self->has_failed = FALSE;
}

GstFlowReturn
gst_amphisto_ring_fail (GstAmphistoRing *self, const GError *error)
{
  self->has_failed = TRUE;
  gst_amphisto_ring_drop (self);
  gst_amphisto_device_post_error (
      self->device, error, GST_LIBRARY_ERROR_FAILED);
  return GST_FLOW_ERROR;
}

/* Attaches and posts the histograms of a frame that is done, and attaches its
 * scopes. */
static gboolean
report (GstAmphistoRing *self, const GstAmphistoSlot *slot, GError **error)
{
  const AmphistoPlan *plan = &self->jobs->plan;
  const GstAmphistoStatisticsOptions options = { .layout = &plan->layout,
    .percentiles = slot->percentiles,
    .n_percentiles = slot->n_percentiles };

  if (slot->attaches
      && !gst_amphisto_meta_attach (slot->outbuf, &self->filter->in_info,
          &slot->histograms,
          plan->settings.measures_regions ? &slot->regions : NULL, &options)) {
    g_set_error_literal (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_FAILED,
        "The histogram can't be attached to the buffer.");
    return FALSE;
  }
  if (slot->canvas != NULL)
    gst_amphisto_composition_attach (
        self->composition, plan, slot->canvas, slot->outbuf);
  if (slot->posts)
    gst_amphisto_messages_post (GST_ELEMENT (self->filter),
        &GST_BASE_TRANSFORM (self->filter)->segment, slot->outbuf,
        &slot->histograms, &options);
  return TRUE;
}

static gboolean
test (GstAmphistoRing *self, const GstAmphistoSlot *slot)
{
  const GstAmphistoExpectFrame frame = { .expectations = &slot->expectations,
    .histograms = &slot->histograms,
    .layout = &self->jobs->plan.layout,
    .segment = &GST_BASE_TRANSFORM (self->filter)->segment,
    .buffer = slot->outbuf };

  return !slot->is_tested
      || gst_amphisto_expect_add_frame (self->expect, &frame);
}

/* Returns: how many frames may be held back without stopping the pool of the
 * newest one's `buffer`. The pool needs a buffer for the next frame and one for
 * the frame downstream. A frame with two of its buffers is sent on at once. */
static guint
max_held (const GstAmphistoSlot *newest, const GstBuffer *buffer)
{
  const guint max = buffer->pool != NULL
      ? gst_amphisto_allocation_max_buffers (buffer->pool)
      : 0;

  if (max == 0)
    return G_MAXUINT;
  if (newest->inbuf != newest->outbuf
      && newest->inbuf->pool == newest->outbuf->pool)
    return 0;
  return max > 2 ? max - 2 : 0;
}

gboolean
gst_amphisto_ring_is_full (GstAmphistoRing *self)
{
  const guint n_held = self->n_in_flight - 1;
  const GstAmphistoSlot *newest;

  if (n_held >= gst_amphisto_ring_n_held (self))
    return TRUE;
  newest = nth_slot (self, n_held);
  return n_held >= max_held (newest, newest->inbuf)
      || n_held >= max_held (newest, newest->outbuf);
}

GstFlowReturn
gst_amphisto_ring_finish (GstAmphistoRing *self, GstBuffer **buffer)
{
  GstAmphistoSlot *slot = nth_slot (self, 0);
  g_autoptr (GError) error = NULL;

  if (!gst_amphisto_jobs_finish (self->jobs, slot, &error)
      || !report (self, slot, &error))
    return gst_amphisto_ring_fail (self, error);
  if (!test (self, slot)) {
    gst_amphisto_ring_drop (self);
    return GST_FLOW_ERROR;
  }
  GST_LOG_OBJECT (self->filter,
      "measured %" GST_PTR_FORMAT ", sent on %" GST_PTR_FORMAT, slot->inbuf,
      slot->outbuf);
  self->has_failed = FALSE;
  *buffer = gst_amphisto_slot_take_buffer (slot);
  self->oldest = (self->oldest + 1) % self->n_slots;
  self->n_in_flight--;
  return GST_FLOW_OK;
}

/* --- sending on --- */

static GstFlowReturn
send_oldest (GstAmphistoRing *self)
{
  GstBuffer *buffer;
  const GstFlowReturn ret = gst_amphisto_ring_finish (self, &buffer);

  if (ret != GST_FLOW_OK)
    return ret;
  return gst_pad_push (GST_BASE_TRANSFORM_SRC_PAD (self->filter), buffer);
}

static void
keep_flow (GstAmphistoRing *self, GstFlowReturn ret)
{
  if (ret == GST_FLOW_OK)
    return;
  GST_DEBUG_OBJECT (
      self->filter, "draining ends with %s", gst_flow_get_name (ret));
  self->drained = ret;
  gst_amphisto_ring_drop (self);
}

void
gst_amphisto_ring_drain (GstAmphistoRing *self)
{
  GstFlowReturn ret = GST_FLOW_OK;

  while (self->n_in_flight > 0 && ret == GST_FLOW_OK)
    ret = send_oldest (self);
  keep_flow (self, ret);
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
  return nth_slot (self, 0)->arrival + duration_of (self, self->n_slots - 1);
}

/* When the frame after the newest one in flight should arrive. */
static gint64
next_time (GstAmphistoRing *self)
{
  return nth_slot (self, self->n_in_flight - 1)->arrival
      + duration_of (self, 1);
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

/* Whether to send on the oldest frame without waiting for the next one. */
static gboolean
is_due (GstAmphistoRing *self, gint64 now)
{
  if (now >= last_time (self))
    return TRUE;
  return now >= next_time (self)
      && gst_amphisto_jobs_is_done (self->jobs, nth_slot (self, 0));
}

/* Called by the watch's thread. */
static void
send_due_frames (gpointer user_data)
{
  GstAmphistoRing *self = user_data;
  GstPad *pad = GST_BASE_TRANSFORM_SINK_PAD (self->filter);
  GstFlowReturn ret = GST_FLOW_OK;
  gint64 now;

  GST_PAD_STREAM_LOCK (pad);
  now = g_get_monotonic_time ();
  while (self->n_in_flight > 0 && ret == GST_FLOW_OK && is_due (self, now)) {
    ret = send_oldest (self);
    now = g_get_monotonic_time ();
  }
  keep_flow (self, ret);
  if (self->n_in_flight > 0 && is_live (self))
    watch_until (self, now + duration_of (self, 1));
  GST_PAD_STREAM_UNLOCK (pad);
}

/* --- latency --- */

guint
gst_amphisto_ring_n_held (const GstAmphistoRing *self)
{
  return self->frame_duration > 0 ? self->n_slots - 1 : 0;
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

/* Returns: how long frames are held back: until more arrive than are held. */
static GstClockTime
calculate_latency (const GstAmphistoRing *self)
{
  if (gst_base_transform_is_passthrough (GST_BASE_TRANSFORM (self->filter)))
    return 0;
  return gst_amphisto_ring_n_held (self) * self->frame_duration;
}

void
gst_amphisto_ring_update_latency (GstAmphistoRing *self)
{
  GstElement *element = GST_ELEMENT (self->filter);
  const GstClockTime latency = calculate_latency (self);
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
