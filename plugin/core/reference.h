/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Carries out jobs in plain C: the reference for the device's results.
 */

#pragma once

#include "core/change/chroma.h"
#include "core/measure/histogram.h"
#include "core/plan.h"

/* Owned. */
typedef struct
{
  void *data;
  size_t size;
} AmphistoReferenceMemory;

/* The state kept from frame to frame; zeros before the first frame. */
typedef struct
{
  uint32_t bins[AMPHISTO_MAX_SLOTS][AMPHISTO_N_BINS]; /* of the last job */
  uint32_t peaks[AMPHISTO_MAX_SLOTS]; /* the histogram scope's scale */
  AmphistoLumaMean smoothed_luma;
  AmphistoColours colours;
  AmphistoReferenceMemory tile_means; /* floats: of each tile's histogram */
  AmphistoReferenceMemory previous; /* samples of the previous frame's region */
  uint32_t luma_bins[AMPHISTO_N_BINS]; /* of the previous frame */
  AmphistoComparison comparison;       /* of the last job, if it compares */
  AmphistoPicture picture;             /* of the last job */
} AmphistoReferenceState;

void amphisto_reference_state_clear (AmphistoReferenceState *state);

/* Carries out the job on the CPU and updates `state`. If the target is not the
 * source, its written planes must already be copies of the source's.
 *
 * Returns: false if memory runs out; the target's pixels are undefined then. */
bool amphisto_reference_run (
    const AmphistoJob *job, AmphistoReferenceState *state);
