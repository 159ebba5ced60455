/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What is kept from frame to frame: the smoothed mean of histograms, and the
 * scope's decaying scale. Decides when each of them restarts.
 */

#ifndef AMPHISTO_CORE_HISTORY_H
#define AMPHISTO_CORE_HISTORY_H

#include "core/plan.h"

/* What the mean is of; zeros for a plan without smoothing. Where the region
 * lies does not matter: it may move. */
typedef struct
{
  AmphistoEqualization equalization;
  uint32_t width; /* of the clipped region */
  uint32_t height;
  uint32_t tiles_x; /* CLAHE only */
  uint32_t tiles_y;
} AmphistoMeanKey;

/* What the scale is of; zeros for a plan without a graph. How large the graph
 * is, and which region it shows, does not matter: the scale follows. */
typedef struct
{
  AmphistoOverlayMode mode;
  AmphistoChannelMask channels; /* asked for */
} AmphistoScaleKey;

/* Zeros before the first frame. */
typedef struct
{
  AmphistoMeanKey mean;
  AmphistoScaleKey scale;
  /* Whether a frame has been done since it had to restart. A restart is due
   * until a frame that carries it out has been done. */
  bool has_mean;
  bool has_scale;
} AmphistoHistory;

/* Restarts mean and scale: after a flush, with new caps, after a frame that
 * failed, and where the reference does not know them (`verify`). */
void amphisto_history_clear (AmphistoHistory *self);

/* The next frames are of `plan`. Restarts what it does without, and what is of
 * something else. */
void amphisto_history_set_plan (
    AmphistoHistory *self, const AmphistoPlan *plan);

/* Sets what restarts with the job, which is of the plan set last. */
void amphisto_history_begin_job (const AmphistoHistory *self, AmphistoJob *job);

/* The job has been done. */
void amphisto_history_end_job (AmphistoHistory *self, const AmphistoJob *job);

#endif
