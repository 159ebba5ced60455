/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A frame on its way through the element, from its arrival until it is sent on:
 * its buffers, what is to be done to it, and what was measured.
 */

#ifndef AMPHISTO_ELEMENT_FLIGHT_H
#define AMPHISTO_ELEMENT_FLIGHT_H

#include <gst/video/video.h>

#include "element/regions.h"
#include "core/verify.h"

/* Zeros: none. */
typedef struct
{
  GstBuffer *inbuf;  /* owned */
  GstBuffer *outbuf; /* owned; it may be `inbuf` */
  gint64 arrival;    /* by g_get_monotonic_time() */
  gboolean attaches; /* metadata */
  gboolean posts;    /* a message */

  gboolean has_job; /* until that is done; it is mapped as long */
  AmphistoJob job;
  AmphistoHistograms histograms; /* of the whole frame, or of `roi` */
  GstAmphistoRegions regions;

  /*< private >*/
  GstVideoFrame in;
  GstVideoFrame out;       /* mapped if the job writes to another buffer */
  AmphistoVerifyCopy copy; /* of the source, if the result will be verified */
} GstAmphistoFlight;

/* Maps the buffers, which are frames of `info` and of the plan's layout, and
 * makes the job one of `plan`, which must outlive it. The regions are the
 * job's. What is kept from frame to frame is left to the caller.
 *
 * Returns: FALSE with GST_RESOURCE_ERROR_READ, and nothing mapped. */
gboolean gst_amphisto_flight_begin_job (GstAmphistoFlight *self,
    const AmphistoPlan *plan, const GstVideoInfo *info, GError **error);

/* Keeps a copy of the source, to verify the result by; before the job is
 * submitted.
 *
 * Returns: FALSE with GST_RESOURCE_ERROR_NO_SPACE_LEFT. */
gboolean gst_amphisto_flight_keep_source (
    GstAmphistoFlight *self, GError **error);

/* If a copy of the source was kept: compares the result with the reference's,
 * and moves `state` on.
 *
 * Returns: FALSE with GST_LIBRARY_ERROR_FAILED (they differ) or
 * GST_RESOURCE_ERROR_NO_SPACE_LEFT. */
gboolean gst_amphisto_flight_verify (
    GstAmphistoFlight *self, AmphistoReferenceState *state, GError **error);

/* Unmaps the buffers, once the device has done with them. */
void gst_amphisto_flight_end_job (GstAmphistoFlight *self);

/* Takes the buffer to send on, and clears the rest. Returns: (transfer full):
 * the buffer. */
GstBuffer *gst_amphisto_flight_take_buffer (GstAmphistoFlight *self);

/* Releases everything; no command may use it. */
void gst_amphisto_flight_clear (GstAmphistoFlight *self);

#endif
