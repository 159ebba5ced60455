/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The work on frames of one layout with one set of settings. A plan is made
 * when caps or settings change; a job carries it out on one frame.
 */

#pragma once

#include "cl/frame_params.h"
#include "core/scopes/canvas.h"
#include "core/change/clahe.h"
#include "core/scopes/drawing.h"
#include "core/change/exposure.h"
#include "core/scopes/scope.h"
#include "core/scopes/legend.h"
#include "core/scopes/outline.h"
#include "core/scopes/vectorscope.h"
#include "core/scopes/waveform.h"

typedef enum
{
  AMPHISTO_EQUALIZATION_NONE,
  AMPHISTO_EQUALIZATION_GLOBAL,  /* spreads luma over its range */
  AMPHISTO_EQUALIZATION_CLAHE,   /* in tiles, with limited contrast */
  AMPHISTO_EQUALIZATION_MATCH,   /* gives luma the distribution of match_bins */
  AMPHISTO_EQUALIZATION_STRETCH, /* spreads luma linearly */
  AMPHISTO_N_EQUALIZATIONS
} AmphistoEqualization;

/* The work requested for every frame. */
typedef struct
{
  AmphistoChannelMask channels; /* to measure; skipped if the format lacks them
                                 */
  AmphistoEqualization equalization;
  float strength; /* 0 to 1: how far pixels move to their equalized value */
  AmphistoClahe clahe;
  uint32_t match_bins[AMPHISTO_N_BINS]; /* sum 1 to 2^32 - 1 */
  /* Darkest and brightest samples that stretching may clip, 0 to 50 %. */
  double stretch_low;
  double stretch_high;
  float smoothing;   /* weight of the previous mean, 0 to 1 */
  bool keeps_colors; /* scale chroma with the contrast of luma */
  /* All work except drawing scopes is limited to this region; width or height
   * 0: up to the frame's edge. */
  AmphistoRegion region;
  bool measures_regions; /* also the job's regions of interest */
  AmphistoScopeSettings scopes;
  bool uses_canvas; /* scopes are drawn on a canvas, not into the frame */
  /* Scopes fill a canvas of this size, in pixels, without the picture; 0 by 0:
   * they stand in a corner of the frame. */
  uint32_t output_width;
  uint32_t output_height;
  AmphistoExposureSettings exposure;
  /* with the previous frame: luma, if it is requested; all stored channels but
   * alpha */
  bool compares_luma;
  bool compares_picture;
  bool finds_letterbox;
  bool checks_gamut;
  bool measures_sharpness;
} AmphistoSettings;

/* The stages of work on a frame, in order. */
typedef enum
{
  AMPHISTO_STAGE_HISTOGRAM,
  AMPHISTO_STAGE_COMPARE, /* with the previous frame */
  AMPHISTO_STAGE_LETTERBOX,
  AMPHISTO_STAGE_GAMUT,
  AMPHISTO_STAGE_SHARPNESS,
  AMPHISTO_STAGE_MEASURE_SCOPES,
  AMPHISTO_STAGE_SMOOTH,
  AMPHISTO_STAGE_REGIONS,
  AMPHISTO_STAGE_EQUALIZE, /* global, match and stretch */
  AMPHISTO_STAGE_CLAHE,
  AMPHISTO_STAGE_EXPOSURE,
  AMPHISTO_STAGE_DRAW_SCOPES,
  AMPHISTO_N_STAGES
} AmphistoStage;

/* This stage and all later ones may change pixels; earlier ones only read them.
 */
#define AMPHISTO_FIRST_WRITING_STAGE AMPHISTO_STAGE_EQUALIZE

/* Work within the stages that only some plans do: numbers of bits of a mask. */
typedef enum
{
  AMPHISTO_TASK_CHANGE_LUMA,   /* equalization changes stored luma, */
  AMPHISTO_TASK_CHANGE_RGB,    /* or red, green and blue, */
  AMPHISTO_TASK_CHANGE_YUV,    /* or luma and chroma at once */
  AMPHISTO_TASK_WHOLE_TILES,   /* CLAHE counts each tile at once, */
  AMPHISTO_TASK_PARTIAL_TILES, /* or in parts, and adds these up */
  AMPHISTO_TASK_SMOOTH_TILES,
  AMPHISTO_TASK_SUM_TILES, /* luma's histogram is the tiles' sum */
  AMPHISTO_TASK_KEEP_COLORS,
  AMPHISTO_TASK_DRAW_OUTLINE,
  AMPHISTO_TASK_WRITE_NUMBERS, /* into the waveform's caption */
  AMPHISTO_TASK_DRAW_LEGEND,   /* of false colour */
  AMPHISTO_TASK_DRAW_TONES,    /* zebra, false colour */
  AMPHISTO_TASK_DRAW_PEAKING,
  AMPHISTO_TASK_DRAW_GAMUT,
  AMPHISTO_TASK_TEST_YUV,        /* for being out of gamut, */
  AMPHISTO_TASK_TEST_RGB,        /* or red, green and blue, or grey */
  AMPHISTO_TASK_COLOUR_WAVEFORM, /* with the colours of the picture */
  /* the first of one task for each equalization, and of one for each scope */
  AMPHISTO_TASK_EQUALIZATION,
  AMPHISTO_TASK_SCOPE = AMPHISTO_TASK_EQUALIZATION + AMPHISTO_N_EQUALIZATIONS,
  AMPHISTO_N_TASKS = AMPHISTO_TASK_SCOPE + AMPHISTO_N_SCOPES
} AmphistoTask;

_Static_assert(AMPHISTO_N_STAGES <= 32 && AMPHISTO_N_TASKS <= 32,
    "masks of stages and of tasks have 32 bits");

/* Code that only some plans need. Kernels for CPUs are built without the rest,
 * because drivers take long to compile it. cl/pixels/components.cl has a define
 * for each. */
typedef enum
{
  AMPHISTO_NEEDS_RGB = 1 << 0,        /* RGB, and YUV packed in 3 or 4 bytes */
  AMPHISTO_NEEDS_COLOURS = 1 << 1,    /* red, green and blue of YUV */
  AMPHISTO_NEEDS_MULTI_SLOT = 1 << 2, /* passes of several slots */
  AMPHISTO_NEEDS_SATURATION = 1 << 3,
  AMPHISTO_NEEDS_ALL = 2 * AMPHISTO_NEEDS_SATURATION - 1 /* the last flag */
} AmphistoNeeds;

/* Sizes of the kernels' memory. */
typedef struct
{
  size_t counts; /* bytes; see amphisto_passes_fill_params() */
  /* bytes of the previous frame: luma, and those of other channels */
  size_t previous_luma;
  size_t previous_bytes;
  size_t luma_sums; /* number, of rows and columns */
  /* numbers of histograms and tables of CLAHE */
  size_t tiles;
  size_t partial_tiles;
  size_t tables;
  size_t columns; /* 16-bit numbers, of the histogram's scope */
  /* bytes, of the vectorscope; GPU shape: `sub_plane` is in local memory */
  size_t sub_plane;
  size_t vector_counts;
  size_t vector_probes;
} AmphistoSizes;

/* Rows of a plane, from `first` to `end` - 1. */
typedef struct
{
  uint32_t first;
  uint32_t end;
} AmphistoRows;

/* Parameters of the kernels. */
typedef struct
{
  frame_params frame;
  clahe_params clahe;
  drawing_params exposure_drawing; /* into `drawn` */
  exposure_params exposure;
  AmphistoLegend legend;
  drawing_params legend_drawing; /* from the legend's frame into its part */
  exposure_params legend_exposure;
  drawing_params drawing; /* into the whole frame, or on the canvas */
  outline_params outline; /* 0 by 0: none */
  AmphistoScopeParams scopes;
} AmphistoParams;

typedef struct
{
  AmphistoSettings settings;
  AmphistoDivision division;
  AmphistoLayout layout; /* of the whole frame */
  AmphistoRegion region; /* the settings' region, clipped to the frame; may be
                          * empty, 0 by 0 */
  AmphistoLayout part;   /* of the region, which is measured and equalized */
  /* The area for zebra, false colour and peaking: the region without pixels
   * whose chroma samples extend outside. */
  AmphistoLayout drawn;

  uint32_t stages; /* bit AMPHISTO_STAGE_X: the plan has stage X */
  uint32_t tasks;  /* bit AMPHISTO_TASK_X: the stages have task X */
  AmphistoNeeds needs;
  AmphistoSizes sizes;
  AmphistoScopes scopes;   /* to measure and draw */
  AmphistoScopes left_out; /* asked for, but there is no room for them */
  AmphistoDisplay display; /* of the scopes; see amphisto_scopes_display() */
  AmphistoCanvas canvas;   /* for the scopes, if the settings use one */
  AmphistoChannelMask reported; /* channels whose histograms are requested */
  /* Channels to count: slot s has the histogram of channel slot_channel[s].
   * Luma, when counted, is slot 0; equalization always counts it. */
  AmphistoChannelMask counted;
  AmphistoChannel slot_channel[AMPHISTO_MAX_SLOTS];
  uint32_t added_up; /* bit s: slot s is counted by another stage */

  /* Planes, bit p for plane p. */
  uint32_t read;
  uint32_t written;
  uint32_t copied; /* partially written; the rest is copied from the source */
  /* written before the source has been read completely */
  uint32_t needs_separate_target;
  AmphistoRows used_rows[AMPHISTO_N_PLANES];    /* read or changed */
  AmphistoRows changed_rows[AMPHISTO_N_PLANES]; /* of written planes */

  /* Offsets and strides of planes are 0, and so are values that come from the
   * job. */
  AmphistoParams params;
} AmphistoPlan;

/* A plan to be carried out on one frame. */
typedef struct
{
  const AmphistoPlan *plan;
  /* `target` is another frame of the layout, or the source itself if the plan
   * can be done in place. Only its written planes are accessed. */
  AmphistoFrame source;
  AmphistoFrame target;
  const AmphistoRegion *regions; /* of interest, clipped to the frame */
  uint32_t n_regions;
  /* State between frames that restarts: the means of the bins and of the gamut
   * budget, the histogram's decaying scale, the comparisons of luma and of the
   * picture with the previous frame; see AmphistoHistory. */
  bool resets_mean;
  bool resets_budget;
  bool resets_scale;
  bool resets_comparison;
  bool resets_picture;   /* also if the comparison of luma restarts */
  bool has_fields;       /* the frame is interlaced; for sharpness, peaking */
  uint32_t stripe_phase; /* of zebra and gamut, in pixels */
  AmphistoFrame canvas;  /* if the plan has one; of any contents before */
} AmphistoJob;

/* Plans the work of `settings` on frames of `layout`, divided by `division`. A
 * layout without planes is the layout that is likely to come: the plan leaves
 * out tasks that depend on it. Never fails: skips channels that the format
 * lacks, and scopes that the frame has no room for. */
void amphisto_plan_init (AmphistoPlan *plan, const AmphistoLayout *layout,
    const AmphistoSettings *settings, const AmphistoDivision *division);

/* Stores the size, in pixels, of the smallest frame, or canvas of scopes alone,
 * that has room for all scopes, or for a legible parade; see
 * amphisto_scopes_find_room(). */
void amphisto_plan_find_room (const AmphistoPlan *plan, bool needs_parade,
    uint32_t *width, uint32_t *height);

/* Stores the parameters for the job's frame. Offsets and strides of planes are
 * 0. */
void amphisto_job_fill_params (const AmphistoJob *job, AmphistoParams *params);

static inline bool
amphisto_plan_has_stage (const AmphistoPlan *plan, AmphistoStage stage)
{
  return (plan->stages & 1u << stage) != 0;
}

static inline bool
amphisto_plan_has_task (const AmphistoPlan *plan, AmphistoTask task)
{
  return (plan->tasks & 1u << task) != 0;
}

static inline bool
amphisto_plan_has_canvas (const AmphistoPlan *plan)
{
  return plan->canvas.region.width > 0;
}

/* Whether the canvas is all there is to show. */
static inline bool
amphisto_plan_is_scopes_only (const AmphistoPlan *plan)
{
  return plan->settings.output_width > 0;
}

/* Whether frames have out_of_gamut; without AMPHISTO_STAGE_GAMUT, it is 0. */
static inline bool
amphisto_plan_checks_gamut (const AmphistoPlan *plan)
{
  return plan->settings.checks_gamut && plan->region.width > 0;
}

/* Whether frames have the comparison of luma with the previous frame. */
static inline bool
amphisto_plan_compares_luma (const AmphistoPlan *plan)
{
  return plan->settings.compares_luma && plan->region.width > 0
      && (plan->reported & AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_LUMA)) != 0;
}

/* Whether frames have the picture's difference from the previous frame. */
static inline bool
amphisto_plan_compares_picture (const AmphistoPlan *plan)
{
  return plan->settings.compares_picture && plan->region.width > 0;
}

/* Whether there is no luma yet to compare with. */
static inline bool
amphisto_job_resets_luma (const AmphistoJob *job)
{
  return amphisto_plan_compares_luma (job->plan) ? job->resets_comparison
                                                 : job->resets_picture;
}

/* Whether frames have a picture; see core/measure/picture.h. */
static inline bool
amphisto_plan_has_picture (const AmphistoPlan *plan)
{
  return amphisto_plan_checks_gamut (plan)
      || amphisto_plan_compares_picture (plan)
      || amphisto_plan_has_stage (plan, AMPHISTO_STAGE_LETTERBOX)
      || amphisto_plan_has_stage (plan, AMPHISTO_STAGE_SHARPNESS);
}

/* Whether source and target may be the same frame: no stage reads pixels that
 * an earlier stage has changed. */
static inline bool
amphisto_plan_can_be_in_place (const AmphistoPlan *plan)
{
  return plan->needs_separate_target == 0;
}

/* Stores the parameters for counting the plan's channels in `region`, which
 * must be within the frame or empty, and the region's layout in `part`. Offsets
 * and strides of planes are 0. */
void amphisto_plan_fill_region_params (const AmphistoPlan *plan,
    const AmphistoRegion *region, AmphistoLayout *part, frame_params *params);
