/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The frames in flight, in order of arrival, between the streaming thread,
 * which submits them, and the source pad's task, which sends them on.
 */

#pragma once

#include <gst/video/gstvideofilter.h>

#include "element/flow/inflight.h"

typedef struct
{
  /*< read-only for the streaming thread >*/
  GstClockTime frame_duration; /* by the caps; 0: no framerate */
  guint n_entries;             /* of the executor: frames in flight, at most */

  /*< private >*/
  GstVideoFilter *filter;
  GstAmphistoInFlight *slots; /* n_entries, and one for the frame that is sent
                               * on; owned */
  /* used by the streaming thread only */
  guint next_entry; /* of the executor */
  gboolean has_task;

  GMutex lock; /* protects the fields below; not held while a frame is worked on
                * or sent */
  GCond changed;
  guint oldest;
  guint n_in_flight;   /* worked on */
  gboolean is_sending; /* the task reports a frame, or sends it on */
  GstFlowReturn flow;
  gboolean is_interrupted; /* frames are dropped, and the task ends */

  /* protected by the object lock */
  GstClockTime latency;
} GstAmphistoRing;

/* `filter` must outlive `self`, which must not be moved. */
void gst_amphisto_ring_init (GstAmphistoRing *self, GstVideoFilter *filter);

void gst_amphisto_ring_clear (GstAmphistoRing *self);

/* Makes entries for `n_entries` frames in flight. */
void gst_amphisto_ring_start (GstAmphistoRing *self, guint n_entries);

/* Drops the frames in flight, and ends the task: when the source pad is
 * deactivated, while the streaming thread may go on. No frame is sent on until
 * the ring starts again. */
void gst_amphisto_ring_interrupt (GstAmphistoRing *self);

/* The streaming thread must have stopped. */
void gst_amphisto_ring_stop (GstAmphistoRing *self);

/* Sets the framerate of the caps. Posts a LATENCY message if the latency
 * changes. */
void gst_amphisto_ring_set_rate (
    GstAmphistoRing *self, const GstVideoInfo *info);

/* --- for the streaming thread --- */

/* Waits until fewer frames are in flight than there are entries. Returns: the
 * next entry, empty, for a frame that arrives now; it is not in flight yet. */
GstAmphistoInFlight *gst_amphisto_ring_next (GstAmphistoRing *self);

/* Starts the source pad's task, which calls `send` with `user_data` for each
 * frame in flight.
 *
 * Returns: FALSE if the streaming thread has to finish each frame: there is one
 * entry, downstream pulls frames, or there is no thread. */
gboolean gst_amphisto_ring_start_task (
    GstAmphistoRing *self, GstTaskFunction send, gpointer user_data);

/* Puts the frame in the next entry in flight. The task must have started.
 *
 * Returns: FALSE if the ring has been interrupted. */
gboolean gst_amphisto_ring_push (GstAmphistoRing *self);

/* Waits until all frames in flight are finished and sent on.
 *
 * Returns: what downstream has returned since gst_amphisto_ring_reset(). If it
 * is not GST_FLOW_OK, the frames in flight were dropped. */
GstFlowReturn gst_amphisto_ring_drain (GstAmphistoRing *self);

/* Returns: the same, without waiting for frames in flight. */
GstFlowReturn gst_amphisto_ring_flow (GstAmphistoRing *self);

gboolean gst_amphisto_ring_is_empty (GstAmphistoRing *self);

/* Sends frames again after a failure, unless the ring has been interrupted. No
 * frame may be in flight. */
void gst_amphisto_ring_reset (GstAmphistoRing *self);

/* --- for the task --- */

/* Waits for a frame in flight.
 *
 * Returns: the oldest one, or NULL if the task is paused and must return. */
GstAmphistoInFlight *gst_amphisto_ring_await (GstAmphistoRing *self);

/* Lets another frame take the place of the oldest one, whose job has ended. The
 * oldest frame stays valid while it is reported and sent on. */
void gst_amphisto_ring_pop (GstAmphistoRing *self);

/* The frame has been cleared. `flow`: how sending has ended. */
void gst_amphisto_ring_end_sending (GstAmphistoRing *self, GstFlowReturn flow);

/* --- latency --- */

/* Posts a LATENCY message if the latency has changed: it is 0 in
 * passthrough. */
void gst_amphisto_ring_update_latency (GstAmphistoRing *self);

/* Adds the latency to the answer to a LATENCY query: the most that a frame can
 * wait for the device, if it keeps up. */
void gst_amphisto_ring_add_latency (GstAmphistoRing *self, GstQuery *query);
