/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "opencl/run/stages.h"
#include "opencl/device/log.h"

#include <stdlib.h>
#include <string.h>

/* CPU shape, in picoseconds: a frame takes longer by half of this, times the
 * square of the number of threads. A thread clears and folds memory of its own,
 * and slows the others: they share caches, the bus, and often a core. On Xeons
 * with 16 and 64 cores, frames then take 1.0 to 1.5 times a lone thread's CPU
 * time. */
#define PRICE_OF_THREADS ((guint64) 18 * 1000 * 1000)
/* The same after a pause, when cores sleep, and caches have forgotten the frame
 * before. */
#define PRICE_OF_COLD_THREADS ((guint64) 100 * 1000 * 1000)

/* --- launches --- */

static gboolean
is_launched (AmphistoClKernel kernel, const AmphistoPlan *plan)
{
  const AmphistoClKernelInfo *info = &amphisto_cl_kernel_infos[kernel];

  return amphisto_plan_has_stage (plan, info->stage)
      && (plan->tasks & info->tasks) == info->tasks;
}

/* Returns: the picoseconds that a core takes for a frame, about. */
static guint64
cost_of (const AmphistoPlan *plan)
{
  const guint64 n_pixels = (guint64) plan->region.width * plan->region.height;
  const frame_params *frame = &plan->params.frame;
  guint64 n_samples = 0, cost = 0;

  for (guint s = 0; s < frame->n_slots; s++)
    n_samples += (guint64) frame->measured[s].width * frame->measured[s].height;
  for (guint k = 0; k < amphisto_cl_n_kernels; k++) {
    const AmphistoClKernelInfo *info = &amphisto_cl_kernel_infos[k];

    if (is_launched (k, plan))
      cost += info->cost
          * (info->stage == AMPHISTO_STAGE_HISTOGRAM ? n_samples : n_pixels);
  }
  return cost;
}

guint
amphisto_cl_stages_threads (const AmphistoPlan *plan, gboolean is_cold)
{
  const guint64 price = is_cold ? PRICE_OF_COLD_THREADS : PRICE_OF_THREADS;
  const guint64 cost = cost_of (plan);
  guint n = 1;

  /* cost / n + n * n * price / 2 is least where n * n * n is cost / price */
  while (n < AMPHISTO_CL_MAX_THREADS
      && (n + 1) * (n + 1) * (n + 1) * price <= cost)
    n++;
  return n;
}

/* Adds the plan's kernels, and notes their arguments and which is launched
 * last in every frame: regions may have none. */
static gboolean
add_kernels (AmphistoClStages *self, AmphistoClLauncher *launcher,
    const AmphistoPlan *plan, GError **error)
{
  AmphistoStage stage = 0;

  memset (self->has_arg, 0, sizeof self->has_arg);
  for (guint k = 0; k < amphisto_cl_n_kernels; k++) {
    const AmphistoClKernelInfo *info = &amphisto_cl_kernel_infos[k];

    if (!is_launched (k, plan))
      continue;
    if (info->stage >= stage && info->stage != AMPHISTO_STAGE_REGIONS) {
      stage = info->stage;
      self->last = k;
    }
    if (!amphisto_cl_launcher_add_kernel (launcher, k, plan->needs, error))
      return FALSE;
    for (guint a = 0; a < AMPHISTO_CL_MAX_ARGS; a++)
      self->has_arg[info->args[a]] = TRUE;
  }
  return TRUE;
}

gboolean
amphisto_cl_stages_launch (const AmphistoClStages *self,
    AmphistoClLauncher *launcher, const AmphistoPlan *plan, AmphistoStage first,
    AmphistoStage end, GError **error)
{
  for (AmphistoStage stage = first; stage < end; stage++)
    for (guint k = 0; k < amphisto_cl_n_kernels; k++)
      if (amphisto_cl_kernel_infos[k].stage == stage && is_launched (k, plan)
          && !amphisto_cl_launcher_launch (launcher, k, k == self->last, error))
        return FALSE;
  return TRUE;
}

/* --- arguments --- */

/* Returns: the number, or bytes of the local memory or the buffer. */
static gsize
size_of_value (const AmphistoClArgInfo *info, const AmphistoPlan *plan)
{
  if (info->kind == AMPHISTO_CL_KIND_TRACE)
    return info->scope->trace_size (
        G_STRUCT_MEMBER_P (&plan->params, info->offset));
  return info->offset == AMPHISTO_CL_ONE_ITEM
      ? info->size
      : info->size * G_STRUCT_MEMBER (gsize, &plan->sizes, info->offset);
}

/* Makes and binds a number, local memory or a buffer. */
static gboolean
prepare_value (AmphistoClReserve *reserve, AmphistoClArg arg,
    AmphistoClLauncher *launcher, const AmphistoPlan *plan, GError **error)
{
  const AmphistoClArgInfo *info = &amphisto_cl_arg_infos[arg];
  const gsize size = size_of_value (info, plan);
  gboolean ok = TRUE;

  if (info->kind == AMPHISTO_CL_KIND_NUMBER) {
    amphisto_cl_launcher_bind_number (launcher, arg, size);
  } else if (info->kind == AMPHISTO_CL_KIND_LOCAL
      && plan->division.is_gpu_shape) {
    amphisto_cl_launcher_bind_local (launcher, arg, size);
  } else {
    ok = amphisto_cl_reserve_grow (reserve, launcher->device, size,
        info->kind == AMPHISTO_CL_KIND_ZEROED, error);
    amphisto_cl_launcher_bind_buffer (launcher, arg, reserve->buffer);
  }
  return ok;
}

/* Uploads and binds parameters or contents. */
static gboolean
upload (AmphistoClParams *params, AmphistoClArg arg,
    AmphistoClLauncher *launcher, const void *data, gsize size, GError **error)
{
  if (!amphisto_cl_params_upload (params, launcher->uploads, data, size, error))
    return FALSE;
  amphisto_cl_launcher_bind_buffer (launcher, arg, params->buffer);
  return TRUE;
}

/* Makes, uploads and binds contents. Drawing may take longer than a frame's
 * duration, so they are made only if their parameters have changed. */
static gboolean
prepare_contents (AmphistoClContents *self, AmphistoClArg arg,
    AmphistoClLauncher *launcher, const AmphistoPlan *plan, GError **error)
{
  const AmphistoClArgInfo *info = &amphisto_cl_arg_infos[arg];
  const guint8 *params = (const guint8 *) plan + info->offset;
  void *data;
  gsize size;
  gboolean ok;

  if (self->made_from != NULL
      && memcmp (self->made_from, params, info->size) == 0)
    return TRUE;
  g_clear_pointer (&self->made_from, g_free);
  data = info->make (info, params, &size);
  if (data == NULL) {
    g_set_error_literal (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_CALL,
        "there is no memory for a graticule, a legend or a histogram");
    return FALSE;
  }
  ok = upload (&self->buffer, arg, launcher, data, size, error);
  free (data);
  if (ok)
    self->made_from = g_memdup2 (params, info->size);
  return ok;
}

static gboolean
prepare_argument (AmphistoClStages *self, AmphistoClArg arg,
    AmphistoClLauncher *launcher, const AmphistoPlan *plan, GError **error)
{
  const AmphistoClArgInfo *info = &amphisto_cl_arg_infos[arg];

  switch (info->kind) {
    case AMPHISTO_CL_KIND_BOUND:
    case AMPHISTO_CL_KIND_PARAMS:
      return TRUE;
    case AMPHISTO_CL_KIND_CONTENTS:
      return prepare_contents (
          &self->contents[arg], arg, launcher, plan, error);
    default:
      return prepare_value (&self->buffers[arg], arg, launcher, plan, error);
  }
}

/* Whether the element makes new frames for the plan, on any device. */
static const char *
describe_target (const AmphistoPlan *plan)
{
  if (plan->written == 0)
    return "";
  return amphisto_plan_can_be_in_place (plan)
      ? ", in place if nothing else holds the frame"
      : ", in a new frame";
}

gboolean
amphisto_cl_stages_prepare (AmphistoClStages *self,
    AmphistoClLauncher *launcher, const AmphistoPlan *plan, GError **error)
{
  const AmphistoComponent *luma =
      &plan->layout.component[AMPHISTO_CHANNEL_LUMA];

  AMPHISTO_CL_LOG (DEBUG,
      "a plan for %u x %u pixels reads planes 0x%x and writes 0x%x%s",
      luma->width, luma->height, plan->read, plan->written,
      describe_target (plan));
  if (!amphisto_cl_launcher_divide (launcher, &plan->division, error)
      || !add_kernels (self, launcher, plan, error))
    return FALSE;
  for (guint arg = 0; arg < AMPHISTO_CL_N_ARGS; arg++)
    if (self->has_arg[arg]
        && !prepare_argument (self, arg, launcher, plan, error))
      return FALSE;
  return TRUE;
}

void
amphisto_cl_stages_clear (AmphistoClStages *self)
{
  for (guint arg = 0; arg < AMPHISTO_CL_N_ARGS; arg++) {
    amphisto_cl_reserve_clear (&self->buffers[arg]);
    amphisto_cl_params_clear (&self->contents[arg].buffer);
    g_clear_pointer (&self->contents[arg].made_from, g_free);
  }
}

/* --- parameters --- */

gsize
amphisto_cl_stages_max_params (void)
{
  gsize size = 0;

  for (guint arg = 0; arg < AMPHISTO_CL_N_ARGS; arg++)
    if (amphisto_cl_arg_infos[arg].kind == AMPHISTO_CL_KIND_PARAMS)
      size = MAX (size, amphisto_cl_arg_infos[arg].size);
  return size;
}

gboolean
amphisto_cl_stages_upload_params (const AmphistoClStages *self,
    AmphistoClParams buffers[AMPHISTO_CL_N_ARGS], AmphistoClLauncher *launcher,
    const AmphistoParams *params, GError **error)
{
  for (guint arg = 0; arg < AMPHISTO_CL_N_ARGS; arg++) {
    const AmphistoClArgInfo *info = &amphisto_cl_arg_infos[arg];

    if (self->has_arg[arg] && info->kind == AMPHISTO_CL_KIND_PARAMS
        && !upload (&buffers[arg], arg, launcher,
            (const guint8 *) params + info->offset, info->size, error))
      return FALSE;
  }
  return TRUE;
}
