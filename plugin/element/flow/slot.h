/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A slot for a frame in flight, from its arrival until it is sent on: its
 * buffers, its job, its histograms, and its report.
 */

#pragma once

#include <gst/video/video.h>

#include "element/report/expect.h"
#include "element/memory/mapping.h"
#include "element/report/regions.h"
#include "core/verify.h"

typedef struct
{
  guint index;       /* in the ring, and of the device's slot */
  GstBuffer *inbuf;  /* owned */
  GstBuffer *outbuf; /* owned; it may be `inbuf` */
  GstBuffer *canvas; /* owned; NULL: the plan has none */
  gint64 arrival;    /* by g_get_monotonic_time() */

  /* as set when the frame arrived */
  gboolean attaches; /* a meta to `outbuf` */
  gboolean posts;    /* a message */
  gdouble percentiles[GST_AMPHISTO_MAX_PERCENTILES];
  guint n_percentiles;
  gboolean is_tested; /* against the expectations: no empty gap */
  GstAmphistoExpectations expectations;

  gboolean has_job; /* a job in progress; keeps the buffers mapped */
  AmphistoJob job;
  AmphistoHistograms histograms; /* of the plan's region */
  GstAmphistoRegions regions;

  /*< private >*/
  GstAmphistoMap in;
  GstAmphistoMap out;        /* mapped if the job writes to another buffer */
  gboolean completes_target; /* it is interlaced and holds all rows */
  GstMapInfo canvas_map;     /* mapped if there is a canvas */
  AmphistoVerifyCopy copy;   /* of the source, if the result will be verified */
} GstAmphistoSlot;

/* Maps the buffers' planes that the plan needs; all of them if the result will
 * be verified. Sets the job's plan, frames and regions of interest. The caller
 * sets the fields that depend on earlier frames. The buffers hold frames of
 * `info` and of the plan's layout. `keeps_memory`: see GstAmphistoMap. `plan`
 * must outlive the job.
 *
 * Returns: FALSE with GST_RESOURCE_ERROR_READ or GST_RESOURCE_ERROR_WRITE, and
 * nothing mapped. */
gboolean gst_amphisto_slot_begin_job (GstAmphistoSlot *self,
    const AmphistoPlan *plan, const GstVideoInfo *info, gboolean keeps_memory,
    gboolean verifies, GError **error);

/* Copies the source, to verify the result later. Required before the job is
 * submitted, since the job may work in place.
 *
 * Returns: FALSE with GST_RESOURCE_ERROR_NO_SPACE_LEFT. */
gboolean gst_amphisto_slot_keep_source (GstAmphistoSlot *self, GError **error);

/* If gst_amphisto_slot_keep_source() was called, compares the result with the
 * reference's, and advances `state` by this frame.
 *
 * Returns: FALSE with GST_LIBRARY_ERROR_FAILED (they differ) or
 * GST_RESOURCE_ERROR_NO_SPACE_LEFT. */
gboolean gst_amphisto_slot_verify (
    GstAmphistoSlot *self, AmphistoReferenceState *state, GError **error);

/* Writes the rows of a new buffer that the job's layout lacks
 * (gst_amphisto_fields_complete()). */
void gst_amphisto_slot_complete_target (GstAmphistoSlot *self);

/* Unmaps the buffers. The device must have finished the job. */
void gst_amphisto_slot_end_job (GstAmphistoSlot *self);

/* Takes the buffer to send on, and clears the rest. Returns: (transfer full):
 * the buffer. */
GstBuffer *gst_amphisto_slot_take_buffer (GstAmphistoSlot *self);

/* Releases everything. No command in flight may use the buffers. */
void gst_amphisto_slot_clear (GstAmphistoSlot *self);
