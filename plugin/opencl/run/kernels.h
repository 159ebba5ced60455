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
typedef struct
{
  const char *source;  /* see amphisto_cl_program_build() */
  AmphistoNeeds needs; /* that make a difference to the program */
} AmphistoClProgramInfo;

extern const AmphistoClProgramInfo amphisto_cl_program_infos[];

/* The arguments that planes.c, bins.c and regions.c use; kernels.c has the
 * others. A value is bound to an argument once, for all kernels that have it.
 */
enum
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
  /* the frame's histogram, the mean of luma's bins, and the one of these from
   * which the LUT is made */
  AMPHISTO_CL_ARG_BINS,
  AMPHISTO_CL_ARG_NEXT_BINS,
  AMPHISTO_CL_ARG_SMOOTHED,
  AMPHISTO_CL_ARG_LUT_BINS,
  /* the histograms of regions of interest */
  AMPHISTO_CL_ARG_REGIONS,
  AMPHISTO_CL_ARG_FIRST_REGION, /* a number */
  AMPHISTO_CL_ARG_N_REGIONS,    /* a number */
  AMPHISTO_CL_ARG_REGION_BINS,
  AMPHISTO_CL_N_BOUND_ARGS
};

typedef guint AmphistoClArg;

/* The most arguments and kernels, and the most arguments of a kernel. */
#define AMPHISTO_CL_N_ARGS 64
#define AMPHISTO_CL_MAX_KERNELS 48
#define AMPHISTO_CL_MAX_ARGS 12

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
  guint program;
  AmphistoClLaunch launch;
  AmphistoStage stage;
  guint32 tasks; /* of plans whose stage launches it; 0: of all plans */
  /* CPU shape: picoseconds that a core takes for a pixel of the measured region
   * (HISTOGRAM: for a counted sample), of a photograph in 1920x1080, measured
   * on Xeons and EPYCs with AVX-512; 0: hardly anything. Half of it for
   * measure_waveform, whose strips are the narrower the more threads share it
   */
  guint cost;
  AmphistoClArg args[AMPHISTO_CL_MAX_ARGS]; /* in the kernel's order */
} AmphistoClKernelInfo;

/* A kernel is a row of this table. A stage launches kernels in this order. */
typedef guint AmphistoClKernel;
extern const AmphistoClKernelInfo amphisto_cl_kernel_infos[];
extern const guint amphisto_cl_n_kernels;

/* Returns: the first kernel of this name. */
AmphistoClKernel amphisto_cl_kernel_find (const char *name);

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
                            * first, and when it has to grow */
  AMPHISTO_CL_KIND_LOCAL,  /* GPU shape: local memory; CPU shape: as BUFFER */
  AMPHISTO_CL_KIND_NUMBER,
  AMPHISTO_CL_KIND_CONTENTS /* made by the host and uploaded with a plan */
} AmphistoClArgKind;

/* The buffer for an argument at a kernel's first launch, on an empty frame; see
 * launcher.c. SCRATCH and OUTPUT have AMPHISTO_CL_SCRATCH_SIZE bytes: kernels
 * may clear or fill no more than that without pixels. */
typedef enum
{
  AMPHISTO_CL_EMPTY_SCRATCH,
  AMPHISTO_CL_EMPTY_OUTPUT, /* of kernels that read SCRATCH while they write */
  AMPHISTO_CL_EMPTY_FRAME,
  AMPHISTO_CL_EMPTY_DRAWING,
  AMPHISTO_CL_EMPTY_PARAMS
} AmphistoClEmpty;

#define AMPHISTO_CL_SCRATCH_SIZE (AMPHISTO_COUNTS * sizeof (guint32))

/* What an argument is. */
typedef struct _AmphistoClArgInfo AmphistoClArgInfo;
struct _AmphistoClArgInfo
{
  AmphistoClArgKind kind;
  AmphistoClEmpty empty;
  /* NUMBER: its value; PARAMS, TRACE, CONTENTS: bytes of the parameters; else:
   * bytes of an item */
  gsize size;
  /* PARAMS, TRACE: of the parameters in AmphistoParams; CONTENTS: of the
   * parameters in AmphistoPlan; else: of the number of items in AmphistoSizes,
   * or AMPHISTO_CL_ONE_ITEM */
  gsize offset;
  const AmphistoScope *scope; /* whose trace or graticule it is */
  /* CONTENTS: makes them from their parameters. Returns: (transfer full):
   * `size` bytes, for free(); NULL if memory runs out. */
  void *(*make) (
      const AmphistoClArgInfo *info, gconstpointer params, gsize *size);
};

extern const AmphistoClArgInfo amphisto_cl_arg_infos[AMPHISTO_CL_N_ARGS];
