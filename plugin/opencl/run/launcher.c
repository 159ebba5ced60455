/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "opencl/run/launcher.h"
#include "opencl/device/log.h"
#include "opencl/run/buffers.h"
#include "opencl/run/program.h"

#include <string.h>

/* GPU shape: minimum number of compute units to make counting groups for. A
 * unit is kept busy by one group, or by several smaller ones. There must be
 * more groups than passes. */
#define MIN_COUNTING_UNITS 16
/* GPU shape: groups that change pixels. The minimum keeps a group of a frame of
 * 16384 rows to 64 rows, since some drivers (llvmpipe) end a work-item's loops
 * after 65535 rounds. */
#define GROUPS_PER_UNIT 4
#define MIN_GROUPS 256
/* CPU shape: slices per thread for changing pixels. Whichever thread is free
 * takes the next ones. */
#define SLICES_PER_THREAD 8

static AmphistoDivision
division_of_gpu (const AmphistoClDevice *device)
{
  const guint groups_per_unit =
      AMPHISTO_CL_MAX_COUNTING_ITEMS / device->counting_items;
  const gsize most = device->local_memory
      - MIN (device->local_memory, AMPHISTO_CL_SPARE_LOCAL_MEMORY);

  return (AmphistoDivision){ .is_gpu_shape = TRUE,
    .n_groups =
        MAX (device->compute_units, MIN_COUNTING_UNITS) * groups_per_unit,
    .n_slices = MAX (device->compute_units * GROUPS_PER_UNIT, MIN_GROUPS),
    .local_memory = MIN (device->local_memory / groups_per_unit, most),
    .max_local_memory = most };
}

/* A driver with threads runs any number of slices in all of them, so fewer
 * threads get one slice each. */
static AmphistoDivision
division_of_cpu (const AmphistoClDevice *device, guint n)
{
  const gboolean takes_more =
      n > 1 && (device->helpers != NULL || n >= device->compute_units);

  return (AmphistoDivision){ .n_groups = n,
    .n_slices = takes_more ? n * SLICES_PER_THREAD : n };
}

/* Returns: the most threads that work on a frame of any launcher. */
static guint
max_threads (const AmphistoClDevice *device)
{
  return MIN (device->compute_units, AMPHISTO_CL_MAX_THREADS);
}

AmphistoDivision
amphisto_cl_launcher_division (const AmphistoClLauncher *self, guint n)
{
  return self->device->shape == AMPHISTO_CL_SHAPE_GPU
      ? division_of_gpu (self->device)
      : division_of_cpu (self->device, MIN (n, self->n_threads));
}

void
amphisto_cl_launcher_limit_threads (AmphistoClLauncher *self, guint n_threads)
{
  if (n_threads > 0)
    self->n_threads = MIN (self->n_threads, n_threads);
  self->division = amphisto_cl_launcher_division (self, self->n_threads);
}

/* Returns: another queue. */
static AmphistoClCommandQueue *
add_queue (AmphistoClLauncher *self)
{
  return &self->queues[self->n_queues++];
}

gboolean
amphisto_cl_launcher_init (AmphistoClLauncher *self, AmphistoClDevice *device,
    guint n_frames, AmphistoClBuildFunc on_build, gpointer user_data,
    GError **error)
{
  const gboolean overlaps = n_frames > 1;
  const gboolean copies = overlaps && !device->shares_host_memory;

  *self = (AmphistoClLauncher){ .device = amphisto_cl_device_ref (device),
    .n_threads = max_threads (device),
    .n_frames = n_frames,
    .on_build = on_build,
    .user_data = user_data };
  amphisto_cl_launcher_limit_threads (self, 0);
  self->kernels = add_queue (self);
  self->uploads = copies ? add_queue (self) : self->kernels;
  self->downloads = copies ? add_queue (self) : self->kernels;
  self->unmaps = overlaps && !copies && self->division.is_gpu_shape
      ? add_queue (self)
      : self->kernels;
  AMPHISTO_CL_LOG (DEBUG,
      "\"%s\": queues: %u; frames in flight: %u; work-groups that count: %u, "
      "that change pixels: %u",
      device->name, self->n_queues, n_frames, self->division.n_groups,
      self->division.n_slices);
  for (guint i = 0; i < self->n_queues; i++)
    if (!amphisto_cl_command_queue_init (&self->queues[i], device,
            copies && &self->queues[i] != self->downloads, error))
      return FALSE;
  return TRUE;
}

static void
release_kernel (AmphistoClLauncher *self, AmphistoClKernel kernel)
{
  for (guint lane = 0; lane <= self->n_helpers; lane++) {
    cl_kernel *made = &self->kernel[lane][kernel];

    if (*made != NULL)
      amphisto_cl_check_release (
          clReleaseKernel (*made), amphisto_cl_kernel_infos[kernel].name);
    *made = NULL;
  }
}

void
amphisto_cl_launcher_clear (AmphistoClLauncher *self)
{
  for (guint k = 0; k < amphisto_cl_n_kernels; k++)
    release_kernel (self, k);
  for (guint i = 0; i < self->n_queues; i++)
    amphisto_cl_command_queue_clear (&self->queues[i]);
  for (guint i = 0; i < self->n_helpers; i++)
    amphisto_cl_command_queue_clear (&self->helper_queues[i]);
  g_clear_pointer (&self->device, amphisto_cl_device_unref);
}

gboolean
amphisto_cl_launcher_finish (AmphistoClLauncher *self, GError **error)
{
  gboolean ok = TRUE;

  for (guint i = 0; i < self->n_queues; i++)
    ok = amphisto_cl_command_queue_finish (&self->queues[i], ok ? error : NULL)
        && ok;
  return ok;
}

gboolean
amphisto_cl_launcher_divide (
    AmphistoClLauncher *self, const AmphistoDivision *division, GError **error)
{
  self->division = *division;
  if (division->is_gpu_shape || self->device->helpers == NULL)
    return TRUE;
  while (self->n_helpers + 1 < division->n_groups)
    if (!amphisto_cl_command_queue_init (
            &self->helper_queues[self->n_helpers++], self->device, FALSE,
            error))
      return FALSE;
  return TRUE;
}

/* --- kernels --- */

void
amphisto_cl_launcher_bind_buffer (
    AmphistoClLauncher *self, AmphistoClArg arg, cl_mem buffer)
{
  self->bound[arg] = (AmphistoClBinding){ AMPHISTO_CL_BUFFER, sizeof buffer,
    { .buffer = buffer } };
}

void
amphisto_cl_launcher_bind_number (
    AmphistoClLauncher *self, AmphistoClArg arg, cl_uint number)
{
  self->bound[arg] = (AmphistoClBinding){ AMPHISTO_CL_NUMBER, sizeof number,
    { .number = number } };
}

void
amphisto_cl_launcher_bind_local (
    AmphistoClLauncher *self, AmphistoClArg arg, gsize size)
{
  self->bound[arg] = (AmphistoClBinding){ AMPHISTO_CL_LOCAL, size, { 0 } };
}

/* made: the kernel, of any lane. */
static gboolean
set_args (const AmphistoClLauncher *self, AmphistoClKernel kernel,
    cl_kernel made, GError **error)
{
  const AmphistoClArg *args = amphisto_cl_kernel_infos[kernel].args;
  const AmphistoClBinding *any = &self->bound[AMPHISTO_CL_ARG_BINS];

  for (guint i = 0; args[i] != AMPHISTO_CL_ARG_NONE; i++) {
    const AmphistoClBinding *bound = &self->bound[args[i]];
    const void *value = &bound->value;

    if (bound->kind == AMPHISTO_CL_LOCAL)
      value = NULL;
    else if (bound->kind == AMPHISTO_CL_BUFFER && bound->value.buffer == NULL)
      value = &any->value;
    if (!amphisto_cl_check (clSetKernelArg (made, i, bound->size, value),
            "clSetKernelArg", error))
      return FALSE;
  }
  return TRUE;
}

static guint
n_groups (const AmphistoDivision *division, AmphistoClLaunch launch)
{
  switch (launch) {
    case AMPHISTO_CL_LAUNCH_GROUPS:
      return division->n_groups;
    case AMPHISTO_CL_LAUNCH_STRIPS:
      return division->is_gpu_shape ? division->n_groups : division->n_slices;
    case AMPHISTO_CL_LAUNCH_SLICES:
      return division->n_slices;
    default:
      return 1;
  }
}

/* Some or all work-groups of a launch. */
typedef struct
{
  guint first;
  guint n;
  guint total;
} Groups;

/* In the CPU shape, kernels learn by the offset which groups these are; see
 * cl/pixels/slices.cl. */
static gboolean
enqueue (const AmphistoClLauncher *self, AmphistoClCommandQueue *queue,
    AmphistoClKernel kernel, guint lane, const Groups *groups,
    gboolean has_event, GError **error)
{
  const char *name = amphisto_cl_kernel_infos[kernel].name;
  const cl_kernel made = self->kernel[lane][kernel];
  const gboolean is_gpu_shape = self->division.is_gpu_shape;
  const gsize size = amphisto_cl_kernel_group_size (self->device, kernel);
  const gsize offset[] = { groups->first, groups->total };
  const gsize n_items[] = { groups->n * size, 1 };
  const gsize group[] = { size, 1 };
  g_autofree char *call = NULL;
  cl_int status;

  if (!set_args (self, kernel, made, error))
    return FALSE;
  status = clEnqueueNDRangeKernel (queue->handle, made, is_gpu_shape ? 1 : 2,
      is_gpu_shape ? NULL : offset, n_items, group, AMPHISTO_CL_AFTER (queue),
      has_event ? amphisto_cl_command_queue_event (queue) : NULL);
  if (amphisto_cl_command_queue_check (queue, status, name, NULL))
    return TRUE;
  call = g_strdup_printf ("clEnqueueNDRangeKernel (%s)", name);
  return amphisto_cl_check (status, call, error);
}

/* --- sharing --- */

void
amphisto_cl_launcher_share (AmphistoClLauncher *self, guint n_parts,
    AmphistoClPartFunc func, gpointer data, gboolean is_last)
{
  const AmphistoDivision *division = &self->division;

  if (self->device->helpers != NULL && !division->is_gpu_shape)
    amphisto_cl_helpers_share (self->device->helpers, division->n_groups,
        n_parts, func, data, is_last);
  else
    func (data, 0, 0, n_parts);
}

/* A launch that helpers share. */
typedef struct
{
  AmphistoClLauncher *launcher;
  AmphistoClKernel kernel;
  guint total;   /* work-groups */
  GError *error; /* atomic; the first one */
} Shared;

/* The driver runs the groups in this thread, since nobody else uses the lane's
 * queue; it has run them when clFinish() returns. */
static void
launch_part (gpointer data, guint lane, guint first, guint n)
{
  Shared *shared = data;
  AmphistoClLauncher *self = shared->launcher;
  AmphistoClCommandQueue *queue =
      lane == 0 ? self->kernels : &self->helper_queues[lane - 1];
  const Groups groups = { first, n, shared->total };
  GError *error = NULL;

  if (enqueue (self, queue, shared->kernel, lane, &groups, FALSE, &error)
      && amphisto_cl_command_queue_finish (queue, &error))
    return;
  if (!g_atomic_pointer_compare_and_exchange (&shared->error, NULL, error))
    g_error_free (error);
}

/* The helpers' queues do not wait for other queues, so these are finished
 * first. */
static gboolean
launch_shared (AmphistoClLauncher *self, AmphistoClKernel kernel, guint total,
    gboolean is_last, GError **error)
{
  Shared shared = { self, kernel, total, NULL };

  if (!amphisto_cl_launcher_finish (self, error))
    return FALSE;
  amphisto_cl_launcher_share (self, total, launch_part, &shared, is_last);
  if (shared.error == NULL)
    return TRUE;
  g_propagate_error (error, shared.error);
  return FALSE;
}

gboolean
amphisto_cl_launcher_launch (AmphistoClLauncher *self, AmphistoClKernel kernel,
    gboolean is_last, GError **error)
{
  const guint total =
      n_groups (&self->division, amphisto_cl_kernel_infos[kernel].launch);
  const Groups all = { 0, total, total };

  if (total > 1 && self->n_helpers > 0 && self->division.n_groups > 1)
    return launch_shared (self, kernel, total, is_last, error);
  return enqueue (self, self->kernels, kernel, 0, &all, is_last, error);
}

/* --- the first launch --- */

/* A frame without pixels: kernels have nothing to do, and must not divide by
 * zero. */
static const frame_params empty_frame = { .n_slots = 1,
  .measured = { { .pixel_stride = 1 } },
  .luma = { .pixel_stride = 1 },
  .rgb = {
      { .pixel_stride = 1 }, { .pixel_stride = 1 }, { .pixel_stride = 1 } } };
static const drawing_params empty_drawing = { .n_drawn = 1 };
static const AmphistoScopeParams empty_params; /* of any kernel */

G_STATIC_ASSERT (AMPHISTO_CL_EMPTY_PARAMS + 1 == AMPHISTO_CL_N_EMPTY);

/* Makes the missing buffers of the device. */
static gboolean
make_empty_frame (AmphistoClLauncher *self, GError **error)
{
  const guint8 scratch[AMPHISTO_CL_SCRATCH_SIZE] = { 0 };
  const struct
  {
    gsize size;
    const void *data;
  } contents[AMPHISTO_CL_N_EMPTY] = {
    [AMPHISTO_CL_EMPTY_SCRATCH] = { sizeof scratch, scratch },
    [AMPHISTO_CL_EMPTY_OUTPUT] = { sizeof scratch, scratch },
    [AMPHISTO_CL_EMPTY_FRAME] = { sizeof empty_frame, &empty_frame },
    [AMPHISTO_CL_EMPTY_DRAWING] = { sizeof empty_drawing, &empty_drawing },
    [AMPHISTO_CL_EMPTY_PARAMS] = { sizeof empty_params, &empty_params },
  };

  for (guint i = 0; i < AMPHISTO_CL_N_EMPTY; i++) {
    cl_mem *buffer = &self->device->empty_frame[i];

    if (*buffer == NULL)
      *buffer = amphisto_cl_buffer_new (self->device,
          CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, contents[i].size,
          (void *) contents[i].data, error);
    if (*buffer == NULL)
      return FALSE;
  }
  return TRUE;
}

static void
bind_empty_frame (AmphistoClLauncher *self)
{
  for (guint arg = 0; arg < AMPHISTO_CL_N_ARGS; arg++) {
    const AmphistoClArgInfo *info = &amphisto_cl_arg_infos[arg];

    if (info->kind == AMPHISTO_CL_KIND_NUMBER)
      amphisto_cl_launcher_bind_number (self, arg, 0);
    else if (info->kind == AMPHISTO_CL_KIND_LOCAL
        && self->division.is_gpu_shape)
      amphisto_cl_launcher_bind_local (self, arg, AMPHISTO_CL_BINS_SIZE);
    else
      amphisto_cl_launcher_bind_buffer (
          self, arg, self->device->empty_frame[info->empty]);
  }
  amphisto_cl_launcher_bind_number (self, AMPHISTO_CL_ARG_FIRST_REGION, 0);
  amphisto_cl_launcher_bind_number (self, AMPHISTO_CL_ARG_N_REGIONS, 1);
}

/* Keeps the bindings. Call with the lock for builds held. */
static gboolean
launch_first (AmphistoClLauncher *self, AmphistoClKernel kernel, GError **error)
{
  const AmphistoDivision most = self->division.is_gpu_shape
      ? self->division
      : division_of_cpu (self->device, max_threads (self->device));
  const guint total = n_groups (&most, amphisto_cl_kernel_infos[kernel].launch);
  const Groups all = { 0, total, total };
  AmphistoClBinding bound[AMPHISTO_CL_N_ARGS];
  gboolean ok;

  if (!make_empty_frame (self, error))
    return FALSE;
  memcpy (bound, self->bound, sizeof bound);
  bind_empty_frame (self);
  ok = enqueue (self, self->kernels, kernel, 0, &all, FALSE, error)
      && amphisto_cl_launcher_finish (self, error);
  memcpy (self->bound, bound, sizeof bound);
  return ok;
}

/* Launches the kernel unless that was done before. Waits for other threads only
 * then. */
static gboolean
ensure_launched (AmphistoClLauncher *self, AmphistoClKernel kernel,
    AmphistoNeeds built, GError **error)
{
  AmphistoClDevice *device = self->device;
  GHashTable *launched = device->built.kernels;
  const gpointer key = amphisto_cl_needs_key (kernel, built);
  G_GNUC_UNUSED g_autoptr (GRecMutexLocker) locker = NULL;
  gint64 start;

  if (amphisto_cl_built_find (device, launched, key) != NULL)
    return TRUE;
  locker = g_rec_mutex_locker_new (&device->shared->build_lock);
  if (amphisto_cl_built_find (device, launched, key) != NULL)
    return TRUE;
  start = g_get_monotonic_time ();
  if (!launch_first (self, kernel, error))
    return FALSE;
  AMPHISTO_CL_LOG (INFO, "the first launch of %s took %.1f ms",
      amphisto_cl_kernel_infos[kernel].name,
      (g_get_monotonic_time () - start) / 1000.0);
  amphisto_cl_built_add (device, launched, key, GINT_TO_POINTER (TRUE));
  return TRUE;
}

/* Helpers need kernels of their own: a kernel has one set of arguments. */
static gboolean
add_to_lanes (AmphistoClLauncher *self, AmphistoClKernel kernel,
    AmphistoNeeds needs, GError **error)
{
  const AmphistoClLaunch launch = amphisto_cl_kernel_infos[kernel].launch;

  if (n_groups (&self->division, launch) == 1)
    return TRUE;
  for (guint lane = 1; lane <= self->n_helpers; lane++) {
    cl_kernel *made = &self->kernel[lane][kernel];

    if (*made == NULL)
      *made = amphisto_cl_kernel_new (self->device, kernel, needs, error);
    if (*made == NULL)
      return FALSE;
  }
  return TRUE;
}

gboolean
amphisto_cl_launcher_add_kernel (AmphistoClLauncher *self,
    AmphistoClKernel kernel, AmphistoNeeds needs, GError **error)
{
  AmphistoClDevice *device = self->device;
  const AmphistoNeeds built = amphisto_cl_kernel_needs (device, kernel, needs);
  const AmphistoClKernelInfo *info = &amphisto_cl_kernel_infos[kernel];

  AMPHISTO_CL_LOG (DEBUG,
      "stage %u launches %s on %u x %" G_GSIZE_FORMAT " work-items",
      info->stage, info->name, n_groups (&self->division, info->launch),
      amphisto_cl_kernel_group_size (device, kernel));
  if (self->kernel[0][kernel] != NULL && self->needs[kernel] == built)
    return add_to_lanes (self, kernel, needs, error);
  release_kernel (self, kernel);
  if (self->on_build != NULL)
    self->on_build (self->user_data);
  self->kernel[0][kernel] =
      amphisto_cl_kernel_new (device, kernel, needs, error);
  self->needs[kernel] = built;
  if (self->kernel[0][kernel] != NULL
      && ensure_launched (self, kernel, built, error)
      && add_to_lanes (self, kernel, needs, error))
    return TRUE;
  release_kernel (self, kernel);
  return FALSE;
}
