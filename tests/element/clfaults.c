/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "clfaults.h"

#include <dlfcn.h>
#include <string.h>

static const gchar *faulty_name;
static guint countdown;
static const gchar *failed;
static gint n_alive;
static gboolean breaks_sources;
static ClFaultsCorrupted corrupts;

void
clfaults_set (const gchar *name, guint n)
{
  faulty_name = name;
  countdown = n;
  failed = NULL;
}

const gchar *
clfaults_failed (void)
{
  return failed;
}

gint
clfaults_n_alive (void)
{
  return g_atomic_int_get (&n_alive);
}

static gulong program_delay;

void
clfaults_delay_programs (gulong us)
{
  program_delay = us;
}

static cl_context
delay_program (cl_context context)
{
  g_usleep (program_delay);
  return context;
}

void
clfaults_break_sources (gboolean is_broken)
{
  breaks_sources = is_broken;
}

void
clfaults_corrupt (ClFaultsCorrupted corrupted)
{
  corrupts = corrupted;
}

static gboolean
fails (const gchar *name)
{
  if (countdown == 0 || (faulty_name != NULL && strcmp (name, faulty_name) != 0)
      || --countdown > 0)
    return FALSE;
  failed = name;
  return TRUE;
}

/* The real call. */
static gpointer
real (const gchar *name)
{
  static gpointer library = NULL;
  gpointer symbol;

  if (library == NULL)
    library = dlopen ("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  symbol = library != NULL ? dlsym (library, name) : NULL;
  if (symbol == NULL)
    g_error ("libOpenCL.so.1 has no %s", name);
  return symbol;
}

/* A call that returns its status. */
#define STATUS_CALL(name, parameters, arguments)                               \
  cl_int name parameters                                                       \
  {                                                                            \
    if (fails (#name))                                                         \
      return CLFAULTS_STATUS;                                                  \
    return ((cl_int (*) parameters) real (#name)) arguments;                   \
  }

/* A call that returns an object, and its status in *status. */
#define CREATE_CALL(type, name, parameters, arguments)                         \
  type name parameters                                                         \
  {                                                                            \
    type object;                                                               \
                                                                               \
    if (fails (#name)) {                                                       \
      *status = CLFAULTS_STATUS;                                               \
      return NULL;                                                             \
    }                                                                          \
    object = ((type (*) parameters) real (#name)) arguments;                   \
    if (object != NULL)                                                        \
      g_atomic_int_inc (&n_alive);                                             \
    return object;                                                             \
  }

/* A call that adds or drops a reference. Drops never fail: nobody could do
 * anything about it. */
#define COUNT_CALL(type, name, change, can_fail)                               \
  cl_int name (type object)                                                    \
  {                                                                            \
    if (can_fail && fails (#name))                                             \
      return CLFAULTS_STATUS;                                                  \
    g_atomic_int_add (&n_alive, change);                                       \
    return ((cl_int (*) (type)) real (#name)) (object);                        \
  }

static const char *broken_source = "kernel void broken (no_such_type x) {}";

/* clang-format off */
COUNT_CALL (cl_mem, clRetainMemObject, 1, TRUE)
COUNT_CALL (cl_mem, clReleaseMemObject, -1, FALSE)
COUNT_CALL (cl_kernel, clReleaseKernel, -1, FALSE)
COUNT_CALL (cl_program, clReleaseProgram, -1, FALSE)
COUNT_CALL (cl_context, clReleaseContext, -1, FALSE)
COUNT_CALL (cl_command_queue, clReleaseCommandQueue, -1, FALSE)
COUNT_CALL (cl_event, clReleaseEvent, -1, FALSE)

STATUS_CALL (clGetPlatformIDs,
    (cl_uint n, cl_platform_id *platforms, cl_uint *n_platforms),
    (n, platforms, n_platforms))
STATUS_CALL (clGetPlatformInfo,
    (cl_platform_id platform, cl_platform_info name, size_t size, void *value,
        size_t *value_size),
    (platform, name, size, value, value_size))
STATUS_CALL (clGetDeviceIDs,
    (cl_platform_id platform, cl_device_type type, cl_uint n,
        cl_device_id *devices, cl_uint *n_devices),
    (platform, type, n, devices, n_devices))
STATUS_CALL (clGetDeviceInfo,
    (cl_device_id device, cl_device_info name, size_t size, void *value,
        size_t *value_size),
    (device, name, size, value, value_size))
CREATE_CALL (cl_context, clCreateContext,
    (const cl_context_properties *properties, cl_uint n,
        const cl_device_id *devices,
        void (CL_CALLBACK *notify) (
            const char *, const void *, size_t, void *),
        void *data, cl_int *status),
    (properties, n, devices, notify, data, status))
CREATE_CALL (cl_command_queue, clCreateCommandQueue,
    (cl_context context, cl_device_id device,
        cl_command_queue_properties properties, cl_int *status),
    (context, device, properties, status))
CREATE_CALL (cl_program, clCreateProgramWithSource,
    (cl_context context, cl_uint n, const char **strings,
        const size_t *lengths, cl_int *status),
    (delay_program (context), breaks_sources ? 1 : n,
        breaks_sources ? &broken_source : strings, lengths, status))
STATUS_CALL (clBuildProgram,
    (cl_program program, cl_uint n, const cl_device_id *devices,
        const char *options, void (CL_CALLBACK *notify) (cl_program, void *),
        void *data),
    (program, n, devices, options, notify, data))
STATUS_CALL (clGetProgramBuildInfo,
    (cl_program program, cl_device_id device, cl_program_build_info name,
        size_t size, void *value, size_t *value_size),
    (program, device, name, size, value, value_size))
CREATE_CALL (cl_kernel, clCreateKernel,
    (cl_program program, const char *name, cl_int *status),
    (program, name, status))
CREATE_CALL (cl_mem, clCreateBuffer,
    (cl_context context, cl_mem_flags flags, size_t size, void *host,
        cl_int *status),
    (context, flags, size, host, status))
STATUS_CALL (clSetKernelArg,
    (cl_kernel kernel, cl_uint index, size_t size, const void *value),
    (kernel, index, size, value))
STATUS_CALL (clEnqueueNDRangeKernel,
    (cl_command_queue queue, cl_kernel kernel, cl_uint n_dimensions,
        const size_t *offset, const size_t *global, const size_t *local,
        cl_uint n_events, const cl_event *events, cl_event *event),
    (queue, kernel, n_dimensions, offset, global, local, n_events, events,
        event))
STATUS_CALL (clEnqueueWriteBuffer,
    (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
        size_t size, const void *data, cl_uint n_events,
        const cl_event *events, cl_event *event),
    (queue, buffer, blocking, offset, size, data, n_events, events, event))
STATUS_CALL (clEnqueueUnmapMemObject,
    (cl_command_queue queue, cl_mem buffer, void *mapped, cl_uint n_events,
        const cl_event *events, cl_event *event),
    (queue, buffer, mapped, n_events, events, event))
STATUS_CALL (clEnqueueMarkerWithWaitList,
    (cl_command_queue queue, cl_uint n_events, const cl_event *events,
        cl_event *event),
    (queue, n_events, events, event))
STATUS_CALL (clFlush, (cl_command_queue queue), (queue))
STATUS_CALL (clFinish, (cl_command_queue queue), (queue))
STATUS_CALL (clWaitForEvents, (cl_uint n, const cl_event *events), (n, events))
/* clang-format on */

cl_int
clEnqueueReadBuffer (cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    size_t offset, size_t size, void *data, cl_uint n_events,
    const cl_event *events, cl_event *event)
{
  cl_int (*call) (cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *,
      cl_uint, const cl_event *, cl_event *) = real ("clEnqueueReadBuffer");
  cl_int status;

  if (fails ("clEnqueueReadBuffer"))
    return CLFAULTS_STATUS;
  if (event != NULL)
    g_atomic_int_inc (&n_alive);
  status = call (queue, buffer, blocking || corrupts == CLFAULTS_BINS, offset,
      size, data, n_events, events, event);
  if (corrupts == CLFAULTS_BINS)
    ++*(cl_uint *) data;
  return status;
}

cl_int
clEnqueueReadBufferRect (cl_command_queue queue, cl_mem buffer,
    cl_bool blocking, const size_t *from, const size_t *to,
    const size_t *region, size_t from_row, size_t from_slice, size_t to_row,
    size_t to_slice, void *data, cl_uint n_events, const cl_event *events,
    cl_event *event)
{
  cl_int (*call) (cl_command_queue, cl_mem, cl_bool, const size_t *,
      const size_t *, const size_t *, size_t, size_t, size_t, size_t, void *,
      cl_uint, const cl_event *, cl_event *) = real ("clEnqueueReadBufferRect");
  cl_int status;

  if (fails ("clEnqueueReadBufferRect"))
    return CLFAULTS_STATUS;
  status = call (queue, buffer, blocking || corrupts == CLFAULTS_PIXELS, from,
      to, region, from_row, from_slice, to_row, to_slice, data, n_events,
      events, event);
  if (corrupts == CLFAULTS_PIXELS)
    ++*(guint8 *) data;
  return status;
}

void *
clEnqueueMapBuffer (cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    cl_map_flags flags, size_t offset, size_t size, cl_uint n_events,
    const cl_event *events, cl_event *event, cl_int *status)
{
  void *(*call) (cl_command_queue, cl_mem, cl_bool, cl_map_flags, size_t,
      size_t, cl_uint, const cl_event *, cl_event *, cl_int *) =
      real ("clEnqueueMapBuffer");
  void *mapped;

  if (fails ("clEnqueueMapBuffer")) {
    *status = CLFAULTS_STATUS;
    return NULL;
  }
  mapped = call (queue, buffer, blocking || corrupts == CLFAULTS_PIXELS, flags,
      offset, size, n_events, events, event, status);
  if (corrupts == CLFAULTS_PIXELS)
    ++*(guint8 *) mapped;
  return mapped;
}
