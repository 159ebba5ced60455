/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A step of a frame's plan on the device, and what it has in common with the
 * others. Each is a file of its own, with a state for each AmphistoClFrame.
 */

#ifndef AMPHISTO_OPENCL_STEP_H
#define AMPHISTO_OPENCL_STEP_H

#include "core/histogram.h"
#include "core/plan.h"
#include "opencl/planes.h"

typedef struct
{
  /* Bytes of the state; at first, zeros. */
  gsize state_size;

  /* Gets kernels and buffers ready for the plan's frames. Nothing is in flight.
   *
   * Returns: FALSE with BUILD or CALL; the state is as good as before. */
  gboolean (*ready) (gpointer state, AmphistoClQueue *queue,
      const AmphistoPlan *plan, GError **error);

  /* Enqueues the step for a frame of the plan made ready last, number `index`
   * of those in flight, from 0 up to the queue's n_frames. Its planes and
   * parameters are bound; `planes` says where the planes begin. Kernels are
   * carried out one after the other: only what is transferred, or kept until
   * `collect`, has to be apart for each frame.
   *
   * Returns: FALSE with CALL. */
  gboolean (*enqueue) (gpointer state, AmphistoClQueue *queue, guint index,
      const AmphistoClPlanes *planes, const AmphistoJob *job, GError **error);

  /* Stores what was measured, when the job of frame `index` is done: in
   * `histograms`, or in `regions`, one for each of the job's. NULL: nothing. */
  void (*collect) (gpointer state, guint index, const AmphistoJob *job,
      AmphistoHistograms *histograms, AmphistoHistograms *regions);

  /* Releases everything; the state is as at first. Nothing is in flight. Also
   * after a failure, when it is not known what buffers hold. */
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
