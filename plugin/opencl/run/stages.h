/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The stages of a plan on the device: launches the kernels, and makes their
 * arguments, as the tables in kernels.c say. The bins and the regions of
 * interest, which tables can't describe, are in bins.h and regions.h.
 */

#pragma once

#include "opencl/run/buffers.h"
#include "opencl/run/launcher.h"

/* Contents that the host makes for a plan. */
typedef struct
{
  AmphistoClParams buffer;
  gpointer made_from; /* a copy of the parameters, or NULL; owned */
} AmphistoClContents;

/* All-zero at first. Buffers are kept for the next plans. Kernels of all frames
 * run one after the other, so frames share them. */
typedef struct
{
  /*< private >*/
  gboolean has_arg[AMPHISTO_CL_N_ARGS]; /* of the kernels of the plan */
  AmphistoClKernel last; /* the plan's kernel that is launched last */
  AmphistoClReserve buffers[AMPHISTO_CL_N_ARGS];
  AmphistoClContents contents[AMPHISTO_CL_N_ARGS];
} AmphistoClStages;

/* Bytes of the largest parameters of a kernel. */
gsize amphisto_cl_stages_max_params (void);

/* Returns: CPU shape: the number of threads that pay for a frame of the plan, 1
 * to AMPHISTO_CL_MAX_THREADS. `is_cold`: for a frame after a pause; fewer. */
guint amphisto_cl_stages_threads (const AmphistoPlan *plan, gboolean is_cold);

/* Makes kernels and buffers ready for frames of the plan, and binds the
 * buffers. No frame may be in flight.
 *
 * Returns: FALSE with BUILD or CALL. */
gboolean amphisto_cl_stages_prepare (AmphistoClStages *self,
    AmphistoClLauncher *launcher, const AmphistoPlan *plan, GError **error);

/* Uploads the parameters of a frame of the plan prepared last, as far as its
 * kernels need them, to the buffers of the frame's entry, and binds these.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_stages_upload_params (const AmphistoClStages *self,
    AmphistoClParams buffers[AMPHISTO_CL_N_ARGS], AmphistoClLauncher *launcher,
    const AmphistoParams *params, GError **error);

/* Launches the kernels of the stages from `first` on, up to but not including
 * `end`, for a frame of the plan prepared last. The frame's planes, parameters
 * and bins must be bound.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_stages_launch (const AmphistoClStages *self,
    AmphistoClLauncher *launcher, const AmphistoPlan *plan, AmphistoStage first,
    AmphistoStage end, GError **error);

/* Releases everything. No frame may be in flight. */
void amphisto_cl_stages_clear (AmphistoClStages *self);
