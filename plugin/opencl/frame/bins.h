/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The bins of frames, the comparison with the previous frame, and the
 * properties of the whole picture. Reading them is the last command of every
 * frame.
 */

#pragma once

#include "core/measure/histogram.h"
#include "opencl/run/buffers.h"
#include "opencl/run/launcher.h"

/* All-zero at first. */
typedef struct
{
  /*< private >*/
  /* A ring of AMPHISTO_COUNTS words each: one per frame in flight, and one with
   * zeros for the next frame */
  cl_mem bins[AMPHISTO_CL_MAX_FRAMES + 1];
  guint current;        /* the last frame's */
  AmphistoClHost *read; /* AMPHISTO_COUNTS words for each frame in flight */
  uint32_t
      previous[AMPHISTO_N_BINS]; /* luma's bins of the last frame compared */
} AmphistoClBins;

/* Makes the missing bins. Returns: FALSE with CALL. */
gboolean amphisto_cl_bins_prepare (
    AmphistoClBins *self, AmphistoClLauncher *launcher, GError **error);

/* Moves on to the bins of a new frame of the plan, which is prepared, and binds
 * them. Returns: FALSE with CALL. */
gboolean amphisto_cl_bins_next (AmphistoClBins *self,
    AmphistoClLauncher *launcher, const AmphistoPlan *plan, GError **error);

/* Enqueues a read of the bins of the frame in entry `index`, the one enqueued
 * last. `done` (transfer full) is the event of the read: when it is complete,
 * so is the frame.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_bins_read (const AmphistoClBins *self,
    const AmphistoClLauncher *launcher, guint index, const AmphistoPlan *plan,
    cl_event *done, GError **error);

/* Stores the histograms of the job in entry `index`, which is done: the next
 * one in the order of submission. */
void amphisto_cl_bins_collect (AmphistoClBins *self, guint index,
    const AmphistoJob *job, AmphistoHistograms *histograms);

/* Stores the bins of all slots of the plan, one after another, as the
 * histograms of the reported channels, without a comparison or a picture. */
void amphisto_cl_bins_store (const cl_uint *bins, const AmphistoPlan *plan,
    AmphistoHistograms *histograms);

/* Releases everything. No frame may be in flight. */
void amphisto_cl_bins_clear (AmphistoClBins *self);
