/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A job in plain C: the reference that the device's results are held against.
 */

#ifndef AMPHISTO_CORE_REFERENCE_H
#define AMPHISTO_CORE_REFERENCE_H

#include "core/draw.h"
#include "core/plan.h"

/* What is kept from frame to frame; zeros before the first. */
typedef struct
{
  AmphistoOverlayState overlay;
  float mean[AMPHISTO_N_BINS];          /* of luma's histogram */
  float (*tile_means)[AMPHISTO_N_BINS]; /* CLAHE: of each tile's; owned */
  size_t n_tiles;
} AmphistoReferenceState;

void amphisto_reference_state_clear (AmphistoReferenceState *state);

/* Carries the job out on the CPU and moves `state` on. Where the target is not
 * the source, its planes written must be copies of the source's.
 *
 * Returns: FALSE if memory runs out; the target's pixels are undefined then. */
bool amphisto_reference_run (
    const AmphistoJob *job, AmphistoReferenceState *state);

#endif
