/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The histograms of a frame's planes on the device.
 */

#ifndef AMPHISTO_OPENCL_HISTOGRAM_H
#define AMPHISTO_OPENCL_HISTOGRAM_H

#include "opencl/planes.h"
#include "core/histogram.h"

typedef struct
{
  /*< read-only >*/
  /* The bins of the frame in flight, AMPHISTO_BINS a slot: the first. CPU
   * shape: AMPHISTO_COUNTS, and the other is zeros, for the next frame, when
   * that is done. */
  cl_mem bins[2];

  /*< private >*/
  AmphistoClQueue *queue;
  cl_mem partials; /* GPU shape */
  cl_mem pairs;    /* CPU shape; NULL until there are samples enough */
  guint n_slots;
  AmphistoChannel slot_channel[AMPHISTO_MAX_SLOTS];
  cl_uint read_bins[AMPHISTO_MAX_SLOTS][AMPHISTO_BINS];
} AmphistoClHistogram;

/* `params` will hold what amphisto_cl_histogram_fill_params() made. `queue`
 * must outlive it.
 *
 * Returns: FALSE with CALL; to be cleared either way. */
gboolean amphisto_cl_histogram_init (AmphistoClHistogram *self,
    AmphistoClQueue *queue, cl_mem params, GError **error);

/* Nothing may be in flight. */
void amphisto_cl_histogram_clear (AmphistoClHistogram *self);

/* After a failure, when nothing is in flight: what the bins hold is not known.
 */
void amphisto_cl_histogram_forget (AmphistoClHistogram *self);

/* Says in `params`, so far zeros, how the channels `counted` are counted, some
 * of the layout's: each in the next slot, in their order. */
void amphisto_cl_histogram_fill_params (AmphistoClHistogram *self,
    frame_params *params, const AmphistoLayout *layout,
    AmphistoChannelMask counted);

/* Enqueues the counting. Returns: FALSE with CALL. */
gboolean amphisto_cl_histogram_enqueue (AmphistoClHistogram *self,
    const frame_params *params, const AmphistoClPlanes *planes, GError **error);

/* Enqueues that the bins come back; `done`: (transfer full): the event of it.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_histogram_enqueue_back (
    AmphistoClHistogram *self, cl_event *done, GError **error);

/* When that is done: fills `histograms` in for those of `channels` that were
 * counted. */
void amphisto_cl_histogram_store (AmphistoClHistogram *self,
    AmphistoChannelMask channels, AmphistoHistograms *histograms);

#endif
