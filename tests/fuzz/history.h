/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A model of the state that an element keeps from frame to frame: the previous
 * frame, the mean of its histograms, and that of gamut budgets. Each restarts
 * on its own.
 */

#pragma once

#include "checks.h"

/* All-zero before the first frame. */
typedef struct
{
  /* The part of the previous frame that was compared. */
  gboolean has_previous;
  guint x, y, width, height;
  guint8 *luma; /* owned */
  guint32 bins[256];
  Picture *picture; /* owned; NULL: it was not compared */

  /* The mean, luma's bins in its last frame, and the settings that it belongs
   * to. */
  gboolean has_mean;
  gint equalization;
  guint mean_width, mean_height, tiles_x, tiles_y;
  gfloat mean[256];
  guint32 last_bins[256];

  /* The mean of the gamut budget; only of global equalization. */
  gboolean has_budget;
  gfloat budget;
} FuzzHistory;

/* Forgets all frames: after a flush, new caps, or a restart. */
void fuzz_history_clear (FuzzHistory *self);

/* Whether the mean goes on with a next frame, unless the scene is cut. */
gboolean fuzz_history_continues_mean (
    const FuzzHistory *self, const FuzzFrame *frame);

/* Adds a frame with its settings. Stores its comparison with the previous one,
 * in `smoothed` the bins that its LUT is made from, and in `budget` the gamut
 * budget of global equalization that keeps colours, or 0. */
void fuzz_history_add_frame (FuzzHistory *self, const FuzzFrame *frame,
    FuzzComparison *comparison, guint32 smoothed[256], gint *budget);
