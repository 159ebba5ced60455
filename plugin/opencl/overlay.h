/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The overlay, drawn into a frame's planes on the device.
 */

#ifndef AMPHISTO_OPENCL_OVERLAY_H
#define AMPHISTO_OPENCL_OVERLAY_H

#include "opencl/planes.h"
#include "core/overlay.h"

typedef struct
{
  /*< private >*/
  AmphistoClQueue *queue;
  overlay_params params; /* what params_buffer holds */
  cl_mem params_buffer;
  cl_mem peaks;
  AmphistoClReserve columns;
} AmphistoClOverlay;

/* `queue` must outlive it.
 *
 * Returns: FALSE with CALL; to be cleared either way. */
gboolean amphisto_cl_overlay_init (
    AmphistoClOverlay *self, AmphistoClQueue *queue, GError **error);

/* Nothing may be in flight. */
void amphisto_cl_overlay_clear (AmphistoClOverlay *self);

/* After a failure: what the parameters' buffer holds is not known. */
void amphisto_cl_overlay_forget (AmphistoClOverlay *self);

/* Enqueues that stripes are drawn over pixels of the target that are clipped
 * in the source, of the part of the frame with the layout `part`, then the
 * graph of `bins`: as amphisto_overlay_draw_zebra() and amphisto_overlay_draw()
 * do, whatever of the two `params` say. What they say of planes is not looked
 * at.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_overlay_enqueue (AmphistoClOverlay *self,
    const overlay_params *params, const AmphistoLayout *part,
    const AmphistoClPlanes *planes, cl_mem bins, GError **error);

#endif
