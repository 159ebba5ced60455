/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The mean of histograms over time on the device.
 */

#ifndef AMPHISTO_OPENCL_SMOOTH_H
#define AMPHISTO_OPENCL_SMOOTH_H

#include "opencl/queue.h"
#include "cl/frame_params.h"

typedef struct
{
  /*< read-only >*/
  cl_mem smoothed; /* luma's mean in whole samples, AMPHISTO_BINS */

  /*< private >*/
  AmphistoClQueue *queue;
  cl_mem mean;
  cl_mem is_new; /* whether means begin anew with the frame */
} AmphistoClSmooth;

/* `params` will hold the frame's parameters. `queue` must outlive it.
 *
 * Returns: FALSE with CALL; to be cleared either way. */
gboolean amphisto_cl_smooth_init (AmphistoClSmooth *self,
    AmphistoClQueue *queue, cl_mem params, GError **error);

/* Nothing may be in flight. */
void amphisto_cl_smooth_clear (AmphistoClSmooth *self);

/* Enqueues that luma's mean moves on by `bins`, of which luma's are the first,
 * or begins anew.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_smooth_enqueue (
    AmphistoClSmooth *self, cl_mem bins, GError **error);

/* Enqueues behind that, for the same frame, that the mean of n other bins moves
 * on, floats in `mean`; or begins anew, as luma's did. `smoothed`, which may be
 * `bins`, becomes it in whole samples.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_smooth_enqueue_bins (AmphistoClSmooth *self, guint n,
    cl_mem bins, cl_mem mean, cl_mem smoothed, GError **error);

#endif
