/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Decides when state that is kept from frame to frame must restart: the
 * previous frame's channels, the temporal means of histograms and of the gamut
 * budget, and the scope's decaying scale.
 */

#pragma once

#include "core/plan.h"

/* The input of the temporal mean; zeros for a plan without smoothing. Does not
 * include the region's position: the mean continues when the region moves. */
typedef struct
{
  AmphistoEqualization equalization;
  uint32_t width; /* of the clipped region */
  uint32_t height;
  uint32_t tiles_x; /* 0 without CLAHE */
  uint32_t tiles_y;
} AmphistoMeanKey;

/* The input of the decaying scales, and which curves share one; zeros for a
 * plan without a graph. Does not include the graph's size and the region: the
 * scales adapt to them. */
typedef struct
{
  AmphistoDisplay wanted;
  AmphistoDisplay display;      /* a parade without room is an overlay */
  AmphistoChannelMask channels; /* requested */
  AmphistoScopeScale scale;     /* a logarithmic one for each panel */
} AmphistoScaleKey;

/* The part of frames whose samples at the same positions are compared; zeros:
 * none is. In interlaced frames, the same region may have other chroma rows. */
typedef struct
{
  AmphistoRegion region;
  AmphistoPlaneLayout plane[AMPHISTO_N_PLANES];
} AmphistoPictureKey;

/* Zeros before the first frame. */
typedef struct
{
  AmphistoMeanKey mean;
  AmphistoScaleKey scale;
  AmphistoRegion compared; /* of luma; empty: it is not compared */
  AmphistoPictureKey picture;
  /* Whether a frame has completed since mean, budget, scale or comparisons had
   * to restart. Until then, each new frame restarts them. */
  bool has_mean;
  bool has_budget;
  bool has_scale;
  bool has_previous; /* luma */
  bool has_picture;
} AmphistoHistory;

/* Restarts all of them: after a flush, new caps or a failed frame, and when
 * `verify` needs a state that the reference also knows. */
void amphisto_history_clear (AmphistoHistory *self);

/* The plan of the next frames. Resets state that the plan does not use, or that
 * belongs to different input. */
void amphisto_history_set_plan (
    AmphistoHistory *self, const AmphistoPlan *plan);

/* Sets the restarts of a job of the plan set last. */
void amphisto_history_begin_job (const AmphistoHistory *self, AmphistoJob *job);

/* To be called when the job has completed. */
void amphisto_history_end_job (AmphistoHistory *self, const AmphistoJob *job);
