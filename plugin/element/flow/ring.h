/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The frames in flight, in order of arrival: sending them on, dropping them,
 * and how long they are held back.
 */

#pragma once

#include <gst/video/gstvideofilter.h>

#include "element/report/composition.h"
#include "element/flow/device.h"
#include "element/flow/jobs.h"
#include "element/flow/slot.h"
#include "element/flow/watch.h"

/* Used by the thread that holds the sink pad's stream lock. */
typedef struct
{
  /*< public >*/
  /* flow return of draining: if not GST_FLOW_OK, the next buffer has to be
   * refused with it */
  GstFlowReturn drained;

  /*< read-only >*/
  guint n_slots;
  guint n_in_flight;
  gboolean has_failed;         /* an error was posted for the last frame */
  GstClockTime frame_duration; /* by the caps; 0: no framerate */

  /*< private >*/
  GstVideoFilter *filter;
  GstAmphistoDevice *device; /* posts errors */
  GstAmphistoJobs *jobs;     /* of the frames */
  GstAmphistoComposition *composition;
  GstAmphistoExpect *expect;
  GstAmphistoSlot *slots; /* owned */
  guint oldest;
  GstAmphistoWatch watch; /* over frames that are held back */

  /* protected by the object lock */
  GstClockTime latency; /* of frames held back */
  gboolean is_live;     /* upstream, by the last latency query */
} GstAmphistoRing;

/* The pointers must stay valid, and `self` must not be moved. */
void gst_amphisto_ring_init (GstAmphistoRing *self, GstVideoFilter *filter,
    GstAmphistoDevice *device, GstAmphistoJobs *jobs,
    GstAmphistoComposition *composition, GstAmphistoExpect *expect);

void gst_amphisto_ring_clear (GstAmphistoRing *self);

/* Makes `n_slots` slots: the number of frames that may be in flight. */
void gst_amphisto_ring_start (GstAmphistoRing *self, guint n_slots);

/* Drops the frames in flight. */
void gst_amphisto_ring_stop (GstAmphistoRing *self);

/* Sets the framerate of the caps. Posts a LATENCY message if the latency
 * changes. */
void gst_amphisto_ring_set_rate (
    GstAmphistoRing *self, const GstVideoInfo *info);

/* --- frames --- */

/* Puts `buffer` (transfer full) into the next slot, without counting it as in
 * flight yet. There always is a free slot, as fewer frames than slots are held
 * back. */
GstAmphistoSlot *gst_amphisto_ring_next (
    GstAmphistoRing *self, GstBuffer *buffer);

/* Puts the frame in the next slot in flight. */
void gst_amphisto_ring_push (GstAmphistoRing *self);

/* Whether the oldest frame has to be sent on: no more frames can be held back,
 * or the newest one's pool has few buffers. At least one frame must be in
 * flight. */
gboolean gst_amphisto_ring_is_full (GstAmphistoRing *self);

/* Waits for the oldest frame in flight, reports its histograms, and tests it
 * against its expectations. `buffer`: (transfer full): the frame to send on.
 *
 * Returns: GST_FLOW_OK, or GST_FLOW_ERROR after posting an error and dropping
 * the frames in flight. */
GstFlowReturn gst_amphisto_ring_finish (
    GstAmphistoRing *self, GstBuffer **buffer);

/* Sends on all frames in flight: before serialized events and queries, and
 * before plan or caps change. */
void gst_amphisto_ring_drain (GstAmphistoRing *self);

/* After a flush: drops the frames in flight, and forgets the error. */
void gst_amphisto_ring_flush (GstAmphistoRing *self);

/* Drops the frames in flight. Also resets smoothing and the scope's decaying
 * scale. */
void gst_amphisto_ring_drop (GstAmphistoRing *self);

/* Drops the frames in flight, and posts the error.
 *
 * Returns: GST_FLOW_ERROR. */
GstFlowReturn gst_amphisto_ring_fail (
    GstAmphistoRing *self, const GError *error);

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

/* Live pipelines: sends on finished frames if the next frame is late, and each
 * frame when it has been held back for the latency. */
void gst_amphisto_ring_watch (GstAmphistoRing *self);
