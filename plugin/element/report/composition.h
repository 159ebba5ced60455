/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Scopes that go along with a frame as a GstVideoOverlayComposition, for
 * downstream to show above it. caps.h has the caps feature, planning.c the
 * negotiation.
 */

#pragma once

#include <gst/video/video.h>

#include "element/memory/allocation.h"
#include "core/plan.h"

/* The lines of the region's outline. */
#define GST_AMPHISTO_N_LINES 4

/* All-zero at first. */
typedef struct
{
  /*< private >*/
  GstBufferPool *pool; /* of canvases; or NULL */
  GstVideoInfo info;   /* of the pool's canvases */
  outline_params outline;
  GstVideoOverlayRectangle *lines[GST_AMPHISTO_N_LINES]; /* of `outline`; or
                                                          * NULL */
} GstAmphistoComposition;

/* Releases everything. Canvases in use elsewhere stay valid. */
void gst_amphisto_composition_clear (GstAmphistoComposition *self);

/* Returns: (transfer full): a buffer for the canvas of the plan, which must
 * have one, in memory that suits the device; NULL with
 * GST_RESOURCE_ERROR_NO_SPACE_LEFT. */
GstBuffer *gst_amphisto_composition_new_canvas (GstAmphistoComposition *self,
    const AmphistoPlan *plan, const GstAmphistoAllocation *allocation,
    GError **error);

/* Attaches the canvas of a frame of the plan, at its place, and the outline of
 * the plan's region to `buffer`, which must be writable. Rectangles that are
 * attached already stay, below these. Nobody may change the canvas from then
 * on. */
void gst_amphisto_composition_attach (GstAmphistoComposition *self,
    const AmphistoPlan *plan, GstBuffer *canvas, GstBuffer *buffer);
