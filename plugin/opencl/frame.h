/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A frame's journey on the device: its planes are brought there, measured,
 * equalized, drawn into, and what was changed is brought back. One
 * AmphistoClFrame is one element's, used by one thread at a time.
 */

#ifndef AMPHISTO_OPENCL_FRAME_H
#define AMPHISTO_OPENCL_FRAME_H

#include "opencl/device.h"
#include "core/histogram.h"
#include "core/work.h"

typedef struct _AmphistoClFrame AmphistoClFrame;

/* Makes a queue and kernels on `device`, which is kept referenced, and runs
 * each kernel once, so that the first frame does not wait for a compiler.
 *
 * Returns: (transfer full): the new object, or NULL with BUILD or CALL. */
AmphistoClFrame *amphisto_cl_frame_new (
    AmphistoClDevice *device, GError **error);

void amphisto_cl_frame_free (AmphistoClFrame *self);

/* Enqueues `work` on the frame `source` and returns at once, or when it has
 * copied what is to be drawn into. `target` is where the changed frame goes:
 * `source` itself, or another frame of its layout, of which whole rows of the
 * planes that are changed are written, and nothing else. Work that equalizes
 * and draws a zebra, which shows what is clipped in the frame as it arrived,
 * must have a target of its own. Both frames' memory must stay, and be left
 * alone, until amphisto_cl_frame_finish(), but for the planes that are not
 * changed.
 *
 * Returns: FALSE with CALL if it failed; nothing is in flight then. */
gboolean amphisto_cl_frame_submit (AmphistoClFrame *self,
    const AmphistoFrame *source, const AmphistoFrame *target,
    const AmphistoWork *work, GError **error);

/* The planes that the frame submitted last changes, a bit each. */
guint amphisto_cl_frame_planes_written (AmphistoClFrame *self);

/* Waits for the frame submitted last, whose pixels are then in place, and
 * fills `histograms` in for the channels that were to be measured, and
 * `regions`, as many as the work had.
 *
 * Returns: FALSE with CALL if it failed; nothing is in flight either way. */
gboolean amphisto_cl_frame_finish (AmphistoClFrame *self,
    AmphistoHistograms *histograms, AmphistoHistograms *regions,
    GError **error);

#endif
