/* SPDX-License-Identifier: LGPL-2.1-or-later */

#define _GNU_SOURCE /* RTLD_NEXT */

#include "clprofile.h"
#include "bench.h"

#include <dlfcn.h>

#define MAX_NAME 64

typedef struct
{
  gchar kernel[MAX_NAME];
  cl_event event;
} Launch;

static gint enabled;
static GMutex lock; /* protects launches */
static GArray *launches;

void
clprofile_enable (gboolean is_enabled)
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

static void
check (cl_int status, const gchar *call)
{
  if (status != CL_SUCCESS)
    bench_fail ("%s: %d", call, status);
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

  check (clGetCommandQueueInfo (
             queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL),
      "clGetCommandQueueInfo");
  return (properties & CL_QUEUE_PROFILING_ENABLE) != 0;
}

static void
keep_launch (cl_kernel kernel, cl_event event)
{
  Launch launch = { .event = event };

  check (clGetKernelInfo (kernel, CL_KERNEL_FUNCTION_NAME, sizeof launch.kernel,
             launch.kernel, NULL),
      "clGetKernelInfo");
  check (clRetainEvent (event), "clRetainEvent");
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
    check (clReleaseEvent (own), "clReleaseEvent");
  return status;
}

/* --- the times --- */

gdouble
clprofile_event_ms (cl_event event)
{
  cl_ulong start, end;

  check (clWaitForEvents (1, &event), "clWaitForEvents");
  check (clGetEventProfilingInfo (
             event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL),
      "clGetEventProfilingInfo");
  check (clGetEventProfilingInfo (
             event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL),
      "clGetEventProfilingInfo");
  return (gdouble) (end - start) / 1e6;
}

void
clprofile_take (ClProfileFunc func, gpointer data)
{
  g_autoptr (GArray) taken = NULL;

  g_mutex_lock (&lock);
  taken = g_steal_pointer (&launches);
  g_mutex_unlock (&lock);
  for (guint i = 0; taken != NULL && i < taken->len; i++) {
    const Launch *launch = &g_array_index (taken, Launch, i);

    func (launch->kernel, clprofile_event_ms (launch->event), data);
    check (clReleaseEvent (launch->event), "clReleaseEvent");
  }
}
