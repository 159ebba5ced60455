/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The histogram step. Reading its bins is the last command of every frame.
 */

#ifndef AMPHISTO_OPENCL_HISTOGRAM_H
#define AMPHISTO_OPENCL_HISTOGRAM_H

#include "opencl/step.h"

/* Enqueues a read of the bins of frame `index`, the one enqueued last. `done`
 * (transfer full) is the event of the read: when it is complete, so is the
 * frame.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_histogram_enqueue_read (gpointer state,
    AmphistoClQueue *queue, guint index, const AmphistoPlan *plan,
    cl_event *done, GError **error);

#endif
