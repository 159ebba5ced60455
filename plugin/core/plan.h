/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What is done with frames of one layout under one choice of settings. A plan
 * is made when caps or settings change; a job carries it out on one frame.
 */

#ifndef AMPHISTO_CORE_PLAN_H
#define AMPHISTO_CORE_PLAN_H

#include "cl/frame_params.h"
#include "core/clahe.h"
#include "core/clipping.h"
#include "core/drawing.h"
#include "core/overlay.h"
#include "core/vectorscope.h"
#include "core/waveform.h"

typedef enum
{
  AMPHISTO_EQUALIZATION_NONE,
  AMPHISTO_EQUALIZATION_GLOBAL, /* spreads luma over its range */
  AMPHISTO_EQUALIZATION_CLAHE,  /* in tiles, with limited contrast */
  AMPHISTO_EQUALIZATION_MATCH   /* gives luma the reference's distribution */
} AmphistoEqualization;

/* What is asked of every frame. */
typedef struct
{
  AmphistoChannelMask channels; /* to measure; the format may lack some */
  AmphistoEqualization equalization;
  float strength; /* 0 to 1: how far pixels move to their equalized value */
  AmphistoClahe clahe;
  uint32_t reference[AMPHISTO_N_BINS]; /* sum 1 to 2^32 - 1 */
  float smoothing;                     /* weight of the previous mean, 0 to 1 */
  /* All work is done within this region; width or height 0: to the frame's
   * edge. */
  AmphistoRegion region;
  bool measures_regions; /* the job's regions of interest too */
  AmphistoOverlay overlay;
} AmphistoSettings;

/* How a device divides work. */
typedef struct
{
  bool is_gpu_shape;
  uint32_t n_groups; /* work-groups that count a frame */
  uint32_t n_slices; /* slices of rows that pixels are changed in */
  /* GPU shape: bytes for each of the groups that count on a compute unit at
   * once; and for a group that has them all */
  size_t local_memory;
  size_t max_local_memory;
} AmphistoDivision;

/* What can be done to a frame, in the order in which it is. */
typedef enum
{
  AMPHISTO_STEP_HISTOGRAM,
  AMPHISTO_STEP_REGIONS,
  AMPHISTO_STEP_MEASURE_WAVEFORM,
  AMPHISTO_STEP_MEASURE_VECTORS,
  AMPHISTO_STEP_SMOOTH,
  AMPHISTO_STEP_EQUALIZE, /* global and match */
  AMPHISTO_STEP_CLAHE,
  AMPHISTO_STEP_CLIPPING,
  AMPHISTO_STEP_OVERLAY,
  AMPHISTO_STEP_WAVEFORM,
  AMPHISTO_STEP_VECTORSCOPE,
  AMPHISTO_N_STEPS
} AmphistoStep;

/* Steps from this one on may change pixels; those before only read them. */
#define AMPHISTO_FIRST_WRITING_STEP AMPHISTO_STEP_EQUALIZE

/* The steps that draw scopes, a bit each. */
#define AMPHISTO_DRAWING_STEPS                                                 \
  (1u << AMPHISTO_STEP_OVERLAY | 1u << AMPHISTO_STEP_WAVEFORM                  \
      | 1u << AMPHISTO_STEP_VECTORSCOPE)

typedef struct
{
  AmphistoSettings settings;
  AmphistoLayout layout; /* of the whole frame */
  AmphistoRegion region; /* the settings' region, clipped; it may be empty */
  AmphistoLayout part;   /* of the region: what is measured and equalized */
  /* What is drawn into: the region's pixels that share no chroma sample with
   * pixels outside. */
  AmphistoLayout drawn;

  uint32_t steps;               /* bit AMPHISTO_STEP_X: step X is done */
  AmphistoChannelMask reported; /* channels whose histograms are asked for */
  /* What is counted: slot s has the histogram of channel slot_channel[s]. Luma
   * is slot 0 if it is counted; it is if the frame is equalized. */
  AmphistoChannelMask counted;
  AmphistoChannel slot_channel[AMPHISTO_MAX_SLOTS];
  bool sums_tiles; /* luma's histogram is the sum of the tile histograms */

  /* Planes, bit p for plane p. */
  uint32_t read;
  uint32_t written;
  uint32_t copied; /* written in part: the rest has to be the source's */
  uint32_t apart;  /* written while the source is still to be read */

  /* What the kernels read. Places of planes, and what a job says, are 0. */
  frame_params frame;
  clahe_params clahe;
  drawing_params drawing;
  clipping_params clipping;
  overlay_params overlay;
  waveform_params waveform;
  vectorscope_params vectorscope;
} AmphistoPlan;

/* A plan to carry out on one frame. */
typedef struct
{
  const AmphistoPlan *plan;
  /* `target` is the source, if the plan can be done in place, or another frame
   * of the layout. Only the planes written are looked at. */
  AmphistoFrame source;
  AmphistoFrame target;
  const AmphistoRegion *regions; /* of interest, clipped to the frame */
  uint32_t n_regions;
  /* start a new mean, a new decaying scale of the scope: see
   * AmphistoHistory */
  bool resets_mean;
  bool resets_scale;
  uint32_t phase; /* of the zebra, in pixels */
} AmphistoJob;

/* Plans what `settings` ask of frames of `layout` on a device that divides its
 * work as `division` says. Never fails: what a format lacks, or a frame has no
 * room for, is left out. */
void amphisto_plan_init (AmphistoPlan *plan, const AmphistoLayout *layout,
    const AmphistoSettings *settings, const AmphistoDivision *division);

static inline bool
amphisto_plan_has_step (const AmphistoPlan *plan, AmphistoStep step)
{
  return (plan->steps & 1u << step) != 0;
}

/* Whether source and target may be one frame: no step reads what an earlier one
 * has changed. */
static inline bool
amphisto_plan_can_be_in_place (const AmphistoPlan *plan)
{
  return plan->apart == 0;
}

/* The parameters for counting the plan's channels in `region` of the frame,
 * which is within it or empty; places of planes are 0. Stores the layout of the
 * region in `part`. */
void amphisto_plan_fill_region_params (const AmphistoPlan *plan,
    const AmphistoDivision *division, const AmphistoRegion *region,
    AmphistoLayout *part, frame_params *params);

#endif
