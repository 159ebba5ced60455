/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The programs, their kernels, and the kernels' arguments. The tables in
 * kernels.c say when a stage launches a kernel, on how many work-items and with
 * which arguments, and what each argument is. A function that is launched with
 * two sets of arguments is two kernels, with the same number of work-items.
 */

#pragma once

#include "core/plan.h"

#include <glib.h>

/* Each program has the kernels of one capability. It is built when the first
 * frame, or the properties, ask for the capability. */
typedef enum
{
  AMPHISTO_CL_PROGRAM_HISTOGRAM,
  AMPHISTO_CL_PROGRAM_DIFFERENCE,
  AMPHISTO_CL_PROGRAM_REGIONS,
  AMPHISTO_CL_PROGRAM_SMOOTH,
  AMPHISTO_CL_PROGRAM_EQUALIZE,
  AMPHISTO_CL_PROGRAM_CLAHE,
  AMPHISTO_CL_PROGRAM_EXPOSURE,
  AMPHISTO_CL_PROGRAM_OUTLINE,
  AMPHISTO_CL_PROGRAM_HISTOGRAM_SCOPE,
  AMPHISTO_CL_PROGRAM_WAVEFORM,
  AMPHISTO_CL_PROGRAM_VECTORSCOPE,
  AMPHISTO_CL_N_PROGRAMS
} AmphistoClProgram;

/* The source of each program; see amphisto_cl_program_build(). */
extern const char *const amphisto_cl_program_sources[AMPHISTO_CL_N_PROGRAMS];

/* The needs that make a difference to a program. */
extern const AmphistoNeeds amphisto_cl_program_needs[AMPHISTO_CL_N_PROGRAMS];

/* A stage launches its kernels in this order. */
typedef enum
{
  AMPHISTO_CL_CALCULATE_HISTOGRAM,
  AMPHISTO_CL_CALCULATE_DIFFERENCE,
  AMPHISTO_CL_CALCULATE_REGIONS,
  AMPHISTO_CL_FIND_CUT,
  AMPHISTO_CL_SMOOTH_LUMA,
  AMPHISTO_CL_EQUALIZE_LUT,
  AMPHISTO_CL_MATCH_LUT,
  AMPHISTO_CL_STRETCH_LUT,
  AMPHISTO_CL_APPLY_LUT,
  AMPHISTO_CL_APPLY_LUMA_DELTA,
  AMPHISTO_CL_COUNT_TILES,
  AMPHISTO_CL_COUNT_PARTIAL_TILES,
  AMPHISTO_CL_MERGE_TILES,
  AMPHISTO_CL_SMOOTH_TILES,
  AMPHISTO_CL_SUM_TILES,
  AMPHISTO_CL_MAKE_TILE_TABLES,
  AMPHISTO_CL_APPLY_TILES,
  AMPHISTO_CL_APPLY_TILES_DELTA,
  AMPHISTO_CL_DRAW_EXPOSURE,
  AMPHISTO_CL_DRAW_OUTLINE,
  AMPHISTO_CL_CALCULATE_CURVES,
  AMPHISTO_CL_DRAW_HISTOGRAM,
  AMPHISTO_CL_MEASURE_WAVEFORM,
  AMPHISTO_CL_DRAW_WAVEFORM,
  AMPHISTO_CL_COUNT_VECTORS,
  AMPHISTO_CL_MERGE_VECTORS,
  AMPHISTO_CL_DRAW_VECTORSCOPE,
  AMPHISTO_CL_N_KERNELS
} AmphistoClKernel;

/* Names of arguments. A value is bound to a name once, for all kernels that
 * have an argument of that name. */
typedef enum
{
  AMPHISTO_CL_ARG_NONE, /* ends a list */
  /* the frame's planes, and once more the plane with luma */
  AMPHISTO_CL_ARG_SOURCE0,
  AMPHISTO_CL_ARG_SOURCE1,
  AMPHISTO_CL_ARG_SOURCE2,
  AMPHISTO_CL_ARG_SOURCE3,
  AMPHISTO_CL_ARG_SOURCE_LUMA,
  AMPHISTO_CL_ARG_TARGET0,
  AMPHISTO_CL_ARG_TARGET1,
  AMPHISTO_CL_ARG_TARGET2,
  AMPHISTO_CL_ARG_TARGET3,
  AMPHISTO_CL_ARG_TARGET_LUMA,
  /* the parameters of cl/NAME_params.h */
  AMPHISTO_CL_ARG_PARAMS,
  AMPHISTO_CL_ARG_CLAHE_PARAMS,
  AMPHISTO_CL_ARG_DRAWING_PARAMS,          /* of the whole frame */
  AMPHISTO_CL_ARG_EXPOSURE_DRAWING_PARAMS, /* of the region */
  AMPHISTO_CL_ARG_EXPOSURE_PARAMS,
  AMPHISTO_CL_ARG_OUTLINE_PARAMS,
  AMPHISTO_CL_ARG_HISTOGRAM_SCOPE_PARAMS,
  AMPHISTO_CL_ARG_WAVEFORM_PARAMS,
  AMPHISTO_CL_ARG_VECTORSCOPE_PARAMS,
  /* the frame's histogram */
  AMPHISTO_CL_ARG_BINS,
  AMPHISTO_CL_ARG_NEXT_BINS,
  AMPHISTO_CL_ARG_COUNTS, /* GPU shape: local memory; CPU shape: pairs */
  /* luma of the previous frame */
  AMPHISTO_CL_ARG_PREVIOUS_LUMA,
  /* the histograms of regions of interest */
  AMPHISTO_CL_ARG_REGIONS,
  AMPHISTO_CL_ARG_FIRST_REGION, /* a number */
  AMPHISTO_CL_ARG_N_REGIONS,    /* a number */
  AMPHISTO_CL_ARG_REGION_BINS,
  /* the mean of luma's bins over time, and whether means restart */
  AMPHISTO_CL_ARG_LUMA_MEAN,
  AMPHISTO_CL_ARG_IS_NEW,
  AMPHISTO_CL_ARG_N_BINS, /* a number: AMPHISTO_N_BINS */
  AMPHISTO_CL_ARG_SMOOTHED,
  /* the LUT, and the bins it is made from */
  AMPHISTO_CL_ARG_LUT_BINS,
  AMPHISTO_CL_ARG_LUT,
  AMPHISTO_CL_ARG_REFERENCE,
  /* CLAHE */
  AMPHISTO_CL_ARG_PARTIAL_TILES,
  AMPHISTO_CL_ARG_TILE_BINS,
  AMPHISTO_CL_ARG_TILE_MEANS,
  AMPHISTO_CL_ARG_N_TILE_BINS, /* a number */
  AMPHISTO_CL_ARG_TABLES,
  /* the scope */
  AMPHISTO_CL_ARG_PEAKS,
  AMPHISTO_CL_ARG_COLUMNS,
  AMPHISTO_CL_ARG_HISTOGRAM_GRATICULE,
  /* the waveform */
  AMPHISTO_CL_ARG_WAVEFORM_TRACE,
  AMPHISTO_CL_ARG_WAVEFORM_GRATICULE,
  /* the vectorscope */
  AMPHISTO_CL_ARG_SUB_PLANE, /* GPU shape: local memory */
  AMPHISTO_CL_ARG_VECTOR_COUNTS,
  AMPHISTO_CL_ARG_VECTOR_PROBES,
  AMPHISTO_CL_ARG_VECTORSCOPE_TRACE,
  AMPHISTO_CL_ARG_VECTORSCOPE_GRATICULE,
  AMPHISTO_CL_N_ARGS
} AmphistoClArg;

#define AMPHISTO_CL_MAX_ARGS 10

/* Work-items of a work-group in the GPU shape, except of groups that count
 * frames. */
#define AMPHISTO_CL_GROUP_SIZE 256

/* The work-groups of a launch. In the GPU shape, a group has
 * AMPHISTO_CL_GROUP_SIZE work-items; for GROUPS and STRIPS, the device's
 * counting_items. In the CPU shape, it has one. For BINS, it has
 * AMPHISTO_N_BINS in both shapes. */
typedef enum
{
  AMPHISTO_CL_LAUNCH_GROUPS,    /* n_groups of the division */
  AMPHISTO_CL_LAUNCH_STRIPS,    /* GPU shape: as GROUPS; CPU shape: as SLICES */
  AMPHISTO_CL_LAUNCH_SLICES,    /* a group for each slice of rows, or tiles */
  AMPHISTO_CL_LAUNCH_ONE_GROUP, /* a single group */
  AMPHISTO_CL_LAUNCH_BINS /* a single group, with a work-item for each bin */
} AmphistoClLaunch;

typedef struct
{
  const char *name;
  AmphistoClProgram program;
  AmphistoClLaunch launch;
  AmphistoStage stage;
  guint32 task; /* the stage launches it for plans with this AmphistoTask; 0:
                 * always */
  AmphistoClArg args[AMPHISTO_CL_MAX_ARGS]; /* in the kernel's order */
} AmphistoClKernelInfo;

extern const AmphistoClKernelInfo
    amphisto_cl_kernel_infos[AMPHISTO_CL_N_KERNELS];

/* Bytes of a histogram, or of its mean. */
#define AMPHISTO_CL_BINS_SIZE (AMPHISTO_N_BINS * sizeof (guint32))

#define AMPHISTO_CL_ONE_ITEM G_MAXSIZE

typedef enum
{
  AMPHISTO_CL_KIND_BOUND,  /* bound by planes.c, bins.c or regions.c */
  AMPHISTO_CL_KIND_PARAMS, /* may differ from frame to frame: each frame in
                            * flight has a buffer */
  AMPHISTO_CL_KIND_BUFFER, /* made or enlarged with a plan; undefined contents
                            * then */
  AMPHISTO_CL_KIND_TRACE,  /* a buffer for the trace of a scope */
  AMPHISTO_CL_KIND_ZEROED, /* kept from frame to frame, for all plans; zeros at
                            * first */
  AMPHISTO_CL_KIND_LOCAL,  /* GPU shape: local memory; CPU shape: as BUFFER */
  AMPHISTO_CL_KIND_NUMBER,
  AMPHISTO_CL_KIND_CONTENTS /* made by the host and uploaded with a plan */
} AmphistoClArgKind;

/* What an argument is. */
typedef struct
{
  AmphistoClArgKind kind;
  /* NUMBER: its value; PARAMS, TRACE, CONTENTS: bytes of the parameters, or 0;
   * else: bytes of an item */
  gsize size;
  /* of the parameters in AmphistoParams; else of the number of items among the
   * plan's AmphistoSizes, or
   * AMPHISTO_CL_ONE_ITEM */
  gsize offset;
  /* TRACE, CONTENTS: whose trace or graticule it is; NULL: the reference
   * histogram */
  const AmphistoScope *scope;
} AmphistoClArgInfo;

extern const AmphistoClArgInfo amphisto_cl_arg_infos[AMPHISTO_CL_N_ARGS];
