/* SPDX-License-Identifier: LGPL-2.1-or-later */

#define _GNU_SOURCE /* RTLD_NEXT */

#include "profiled.h"

#include <dlfcn.h>
#include <string.h>

typedef struct
{
  gchar kernel[64];
  cl_event event;
} Launch;

static gint enabled;
static GMutex lock; /* protects launches */
static GArray *launches;

void
profiled_enable (gboolean is_enabled)
{
  g_atomic_int_set (&enabled, is_enabled);
}

/* --- the calls --- */

static gpointer
real (const gchar *name)
{
  gpointer symbol = dlsym (RTLD_NEXT, name);

  if (symbol == NULL)
    bench_fail ("OpenCL has no %s.", name);
  return symbol;
}

cl_command_queue
clCreateCommandQueue (cl_context context, cl_device_id device,
    cl_command_queue_properties properties, cl_int *status)
{
  cl_command_queue (*call) (cl_context, cl_device_id,
      cl_command_queue_properties, cl_int *) = real ("clCreateCommandQueue");

  if (g_atomic_int_get (&enabled))
    properties |= CL_QUEUE_PROFILING_ENABLE;
  return call (context, device, properties, status);
}

static gboolean
is_profiled (cl_command_queue queue)
{
  cl_command_queue_properties properties;

  bench_check (clGetCommandQueueInfo (queue, CL_QUEUE_PROPERTIES,
                   sizeof properties, &properties, NULL),
      "clGetCommandQueueInfo");
  return (properties & CL_QUEUE_PROFILING_ENABLE) != 0;
}

static void
keep_launch (cl_kernel kernel, cl_event event)
{
  Launch launch = { .event = event };

  bench_check (clGetKernelInfo (kernel, CL_KERNEL_FUNCTION_NAME,
                   sizeof launch.kernel, launch.kernel, NULL),
      "clGetKernelInfo");
  bench_check (clRetainEvent (event), "clRetainEvent");
  g_mutex_lock (&lock);
  if (launches == NULL)
    launches = g_array_new (FALSE, FALSE, sizeof (Launch));
  g_array_append_val (launches, launch);
  g_mutex_unlock (&lock);
}

cl_int
clEnqueueNDRangeKernel (cl_command_queue queue, cl_kernel kernel,
    cl_uint n_dimensions, const size_t *offset, const size_t *global,
    const size_t *local, cl_uint n_events, const cl_event *events,
    cl_event *event)
{
  cl_int (*call) (cl_command_queue, cl_kernel, cl_uint, const size_t *,
      const size_t *, const size_t *, cl_uint, const cl_event *, cl_event *) =
      real ("clEnqueueNDRangeKernel");
  cl_event own = NULL;
  cl_int status;

  if (!is_profiled (queue))
    return call (queue, kernel, n_dimensions, offset, global, local, n_events,
        events, event);
  status = call (queue, kernel, n_dimensions, offset, global, local, n_events,
      events, &own);
  if (status != CL_SUCCESS)
    return status;
  keep_launch (kernel, own);
  if (event != NULL)
    *event = own;
  else
    bench_check (clReleaseEvent (own), "clReleaseEvent");
  return status;
}

/* --- the times --- */

gdouble
profiled_event_ms (cl_event event)
{
  cl_ulong start, end;

  bench_check (clWaitForEvents (1, &event), "clWaitForEvents");
  bench_check (clGetEventProfilingInfo (event, CL_PROFILING_COMMAND_START,
                   sizeof start, &start, NULL),
      "clGetEventProfilingInfo");
  bench_check (clGetEventProfilingInfo (
                   event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL),
      "clGetEventProfilingInfo");
  bench_check (clReleaseEvent (event), "clReleaseEvent");
  return (gdouble) (end - start) / 1e6;
}

typedef struct
{
  Contender parent;
  Contender *inner;
  GArray *kernels;
} Profiled;

static ProfiledKernel *
find_kernel (Profiled *self, const gchar *name)
{
  ProfiledKernel new = { 0 };

  for (guint i = 0; i < self->kernels->len; i++) {
    ProfiledKernel *kernel = &g_array_index (self->kernels, ProfiledKernel, i);

    if (strcmp (kernel->name, name) == 0)
      return kernel;
  }
  new.name = g_strdup (name);
  g_array_append_val (self->kernels, new);
  return &g_array_index (self->kernels, ProfiledKernel, self->kernels->len - 1);
}

/* Adds the launches so far to the last batch, once their kernels have ended. */
static void
add_launches (Profiled *self)
{
  g_autoptr (GArray) taken = NULL;

  g_mutex_lock (&lock);
  taken = g_steal_pointer (&launches);
  g_mutex_unlock (&lock);
  for (guint i = 0; taken != NULL && i < taken->len; i++) {
    const Launch *launch = &g_array_index (taken, Launch, i);

    find_kernel (self, launch->kernel)->times.ms[BENCH_ROUNDS - 1] +=
        profiled_event_ms (launch->event);
  }
}

static gdouble
profiled_run (Contender *contender, guint n_frames)
{
  Profiled *self = (Profiled *) contender;
  const gdouble seconds = self->inner->run (self->inner, n_frames);

  for (guint i = 0; i < self->kernels->len; i++) {
    gdouble *ms = g_array_index (self->kernels, ProfiledKernel, i).times.ms;

    memmove (ms, ms + 1, (BENCH_ROUNDS - 1) * sizeof *ms);
    ms[BENCH_ROUNDS - 1] = 0;
  }
  add_launches (self);
  for (guint i = 0; i < self->kernels->len; i++)
    g_array_index (self->kernels, ProfiledKernel, i)
        .times.ms[BENCH_ROUNDS - 1] /= n_frames;
  return seconds;
}

static void
clear_kernel (gpointer kernel)
{
  g_free (((ProfiledKernel *) kernel)->name);
}

static void
profiled_free (Contender *contender)
{
  Profiled *self = (Profiled *) contender;

  contender_free (self->inner);
  g_array_unref (self->kernels);
  g_free (self);
}

Contender *
profiled_new (Contender *inner)
{
  Profiled *self = g_new0 (Profiled, 1);

  self->parent = (Contender){ .run = profiled_run, .free = profiled_free };
  self->inner = inner;
  self->kernels = g_array_new (FALSE, FALSE, sizeof (ProfiledKernel));
  g_array_set_clear_func (self->kernels, clear_kernel);
  /* drops the launches so far */
  add_launches (self);
  g_array_set_size (self->kernels, 0);
  return &self->parent;
}

const GArray *
profiled_kernels (const Contender *self)
{
  return ((const Profiled *) self)->kernels;
}
