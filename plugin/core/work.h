/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What is to be done with a frame: by the device, and by the CPU to verify it.
 */

#ifndef AMPHISTO_CORE_WORK_H
#define AMPHISTO_CORE_WORK_H

#include "core/clahe.h"
#include "core/overlay.h"
#include "core/smooth.h"

typedef enum
{
  AMPHISTO_EQUALIZATION_NONE,
  AMPHISTO_EQUALIZATION_GLOBAL, /* luma is spread over its range */
  AMPHISTO_EQUALIZATION_CLAHE,  /* in tiles, with limited contrast */
  AMPHISTO_EQUALIZATION_MATCH   /* luma is given the reference's distribution */
} AmphistoEqualization;

typedef struct
{
  AmphistoChannelMask channels; /* to be measured; of those the format has */
  AmphistoEqualization equalization;
  float strength; /* 0 to 1: how far pixels move to their equalized value */
  AmphistoClahe clahe;
  const uint32_t *reference; /* AMPHISTO_N_BINS, in sum 1 to 2^32 - 1 */
  /* 0 to 1: how much of the mean over time that LUTs are made from is of the
   * frames before; and whether those are forgotten, as they must be where the
   * region's size, or the number of tiles, is another */
  float smoothing;
  bool resets_mean;
  /* the part of the frame that all is done in; where it is 0 wide or high, it
   * goes to the frame's edge */
  AmphistoRegion region;
  /* what else is measured, within the frame, or empty */
  const AmphistoRegion *regions;
  uint32_t n_regions;
  AmphistoOverlay overlay; /* shows `channels` */
  bool reset;              /* the overlay forgets the frames before */
  uint32_t phase;          /* of the zebra, in pixels */
} AmphistoWork;

/* What is kept from frame to frame: at first, zeros. */
typedef struct
{
  AmphistoOverlayState overlay;
  float mean[AMPHISTO_N_BINS];          /* of luma's histogram */
  float (*tile_means)[AMPHISTO_N_BINS]; /* CLAHE: of each tile's; owned */
  size_t n_tiles;
} AmphistoWorkState;

void amphisto_work_state_clear (AmphistoWorkState *state);

/* Whether pixels are equalized, in any way. */
bool amphisto_work_equalizes (const AmphistoWork *work);

/* How much of the mean over time is this frame's. */
float amphisto_work_renewal (const AmphistoWork *work);

/* The region of the frame that the work is done in; it may be empty. */
AmphistoRegion amphisto_work_region (
    const AmphistoWork *work, const AmphistoLayout *layout);

/* Whether that is all of it. */
bool amphisto_work_is_on_all (
    const AmphistoWork *work, const AmphistoLayout *layout);

/* The layouts of the part of the frame that is measured and equalized, and of
 * the part that is drawn into: of that, the pixels that share no chroma sample
 * with what is outside. */
void amphisto_work_crop (const AmphistoWork *work, const AmphistoLayout *layout,
    AmphistoLayout *part, AmphistoLayout *drawn);

/* The channels that are counted: what is to be measured, and luma if the LUT is
 * made from it. It is luma too if it would be none. */
AmphistoChannelMask amphisto_work_counted (
    const AmphistoWork *work, const AmphistoLayout *layout);

/* Fills in all of the overlay but the planes' places, for the part that is
 * drawn into and histograms of the channels counted in their order. */
void amphisto_work_fill_overlay (const AmphistoWork *work,
    const AmphistoLayout *drawn, overlay_params *params);

/* Does the work in plain C: writes to `target`, so far a copy of `source`, what
 * becomes of it, and moves the `state` on.
 *
 * Returns: FALSE if there is not memory enough; what is in the target is not
 * known then. */
bool amphisto_work_do (const AmphistoWork *work, const AmphistoFrame *source,
    const AmphistoFrame *target, AmphistoWorkState *state);

#endif
