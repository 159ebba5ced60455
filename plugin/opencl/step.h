/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The interface of the steps of a plan on the device. Each step has a file of
 * its own, and a state for each AmphistoClFrame.
 */

#ifndef AMPHISTO_OPENCL_STEP_H
#define AMPHISTO_OPENCL_STEP_H

#include "core/histogram.h"
#include "core/plan.h"
#include "opencl/planes.h"

typedef struct
{
  /* Bytes of the state, which is all-zero at first. */
  gsize state_size;

  /* Makes kernels and buffers ready for frames of the plan. No frame is in
   * flight.
   *
   * Returns: FALSE with BUILD or CALL; the state stays valid. */
  gboolean (*ready) (gpointer state, AmphistoClQueue *queue,
      const AmphistoPlan *plan, GError **error);

  /* Enqueues the step for a frame of the plan made ready last. `index` is the
   * frame's slot, from 0 up to the queue's n_frames - 1. The frame's planes and
   * parameters are bound; `planes` says where the planes begin. Kernels of all
   * frames run one after the other, so only memory for transfers, or for
   * results until `collect`, is needed per slot.
   *
   * Returns: FALSE with CALL. */
  gboolean (*enqueue) (gpointer state, AmphistoClQueue *queue, guint index,
      const AmphistoClPlanes *planes, const AmphistoJob *job, GError **error);

  /* Stores the results when the job in slot `index` is done: in `histograms`,
   * or in `regions`, one for each region of the job. NULL: no results. */
  void (*collect) (gpointer state, guint index, const AmphistoJob *job,
      AmphistoHistograms *histograms, AmphistoHistograms *regions);

  /* Releases everything; the state is as at first. No frame is in flight. Also
   * called after a failure, when the contents of buffers are unknown. */
  void (*clear) (gpointer state);
} AmphistoClStep;

extern const AmphistoClStep amphisto_cl_step_histogram;
extern const AmphistoClStep amphisto_cl_step_regions;
extern const AmphistoClStep amphisto_cl_step_smooth;
extern const AmphistoClStep amphisto_cl_step_equalize;
extern const AmphistoClStep amphisto_cl_step_clahe;
extern const AmphistoClStep amphisto_cl_step_clipping;
extern const AmphistoClStep amphisto_cl_step_overlay;
extern const AmphistoClStep amphisto_cl_step_measure_waveform;
extern const AmphistoClStep amphisto_cl_step_waveform;
extern const AmphistoClStep amphisto_cl_step_measure_vectors;
extern const AmphistoClStep amphisto_cl_step_vectorscope;

#endif
