/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The frames in flight, in order of arrival, and how long they are held back.
 */

#pragma once

#include <gst/video/gstvideofilter.h>

#include "element/flow/inflight.h"
#include "element/flow/watch.h"

/* Used by the thread that holds the sink pad's stream lock. */
typedef struct
{
  /*< read-only >*/
  guint n_in_flight;
  GstClockTime frame_duration; /* by the caps; 0: no framerate */

  /*< private >*/
  GstVideoFilter *filter;
  GstAmphistoInFlight *entries; /* owned */
  guint n_entries;
  guint oldest;
  GstAmphistoWatch watch; /* over frames that are held back */

  /* protected by the object lock */
  GstClockTime latency; /* of frames held back */
  gboolean is_live;     /* upstream, by the last latency query */
} GstAmphistoRing;

/* `filter` must outlive `self`, which must not be moved. In live pipelines, a
 * thread calls `on_late` when the next frame is late, or when a frame has been
 * held back for the latency: it sends on the frames that are due. */
void gst_amphisto_ring_init (GstAmphistoRing *self, GstVideoFilter *filter,
    GstAmphistoWatchFunc on_late, gpointer user_data);

void gst_amphisto_ring_clear (GstAmphistoRing *self);

/* Makes entries for `n_entries` frames in flight. */
void gst_amphisto_ring_start (GstAmphistoRing *self, guint n_entries);

/* Drops the frames in flight. */
void gst_amphisto_ring_stop (GstAmphistoRing *self);

/* Sets the framerate of the caps. Posts a LATENCY message if the latency
 * changes. */
void gst_amphisto_ring_set_rate (
    GstAmphistoRing *self, const GstVideoInfo *info);

/* --- frames --- */

/* Returns: the next entry, empty, for a frame that arrives now; it is not in
 * flight yet. There always is a free entry, as fewer frames than entries are
 * held back. */
GstAmphistoInFlight *gst_amphisto_ring_next (GstAmphistoRing *self);

/* Puts the frame in the next entry in flight. */
void gst_amphisto_ring_push (GstAmphistoRing *self);

/* Returns: the oldest of the frames in flight, of which there must be one. */
GstAmphistoInFlight *gst_amphisto_ring_oldest (GstAmphistoRing *self);

/* Removes the oldest frame in flight, whose job has ended. Returns: (transfer
 * full): its buffer to send on. */
GstBuffer *gst_amphisto_ring_pop (GstAmphistoRing *self);

/* Drops the frames in flight. */
void gst_amphisto_ring_drop (GstAmphistoRing *self);

/* Whether the oldest frame has to be sent on: no more frames can be held back,
 * or the newest one's pool has few buffers. At least one frame must be in
 * flight. */
gboolean gst_amphisto_ring_is_full (GstAmphistoRing *self);

/* Whether to send on the oldest frame, if any, without waiting for the next
 * one. */
gboolean gst_amphisto_ring_is_due (GstAmphistoRing *self);

/* Live pipelines: watches the frames held back until the next frame should
 * arrive. */
void gst_amphisto_ring_watch (GstAmphistoRing *self);

/* The same, if that time has passed: for the duration of one more frame. */
void gst_amphisto_ring_watch_on (GstAmphistoRing *self);

/* --- latency --- */

/* Returns: the number of frames held back. It is 0 without a framerate, as
 * their latency would be unknown. */
guint gst_amphisto_ring_n_held (const GstAmphistoRing *self);

/* Posts a LATENCY message if the latency has changed: it is 0 in
 * passthrough. */
void gst_amphisto_ring_update_latency (GstAmphistoRing *self);

/* Adds the latency to the answer to a LATENCY query. In live pipelines, frames
 * held back are watched from then on. */
void gst_amphisto_ring_add_latency (GstAmphistoRing *self, GstQuery *query);
