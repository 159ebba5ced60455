/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The histogram step: the one whose result ends every frame.
 */

#ifndef AMPHISTO_OPENCL_HISTOGRAM_H
#define AMPHISTO_OPENCL_HISTOGRAM_H

#include "opencl/step.h"

/* Enqueues that the bins of frame `index` are read, which was enqueued last:
 * once `done`, the event of it (transfer full), is complete, the frame is.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_histogram_enqueue_read (gpointer state,
    AmphistoClQueue *queue, guint index, const AmphistoPlan *plan,
    cl_event *done, GError **error);

#endif
