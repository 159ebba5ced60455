/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "clfaults.h"
#include "cldevices.h"

#include <execinfo.h>
#include <string.h>

static cl_int faulty_status = CLFAULTS_STATUS;
static const gchar *counted_name;
static gint n_calls;
static gint n_alive;
static gboolean breaks_sources, refuses_pinned;
static gconstpointer imported;
static ClFaultsCorrupted corrupts;
static gpointer to_corrupt; /* the results of the frame that is enqueued */

static GMutex lock;      /* protects the variables below */
static cl_event awaited; /* of the frame with these results; or NULL */
static gpointer corrupted;
static const gchar *faulty_name;
static guint countdown;
static const gchar *failed;
static gboolean fails_ways;
static guint chance; /* of a failure: 1 in this; 0: none */
static const gchar *delayed_name;
static gulong delay;

static void
set_fault (const gchar *name, guint n, guint one_in)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);

  faulty_name = name;
  countdown = n;
  failed = NULL;
  fails_ways = FALSE;
  chance = one_in;
}

void
clfaults_set (const gchar *name, guint n)
{
  set_fault (name, n, 0);
}

void
clfaults_set_chance (const gchar *name, guint one_in)
{
  set_fault (name, 0, one_in);
}

/* Call with the lock. */
static gboolean
loses_lot (void)
{
  static GRand *lots;

  if (lots == NULL)
    lots = g_rand_new_with_seed (1);
  return g_rand_int_range (lots, 0, (gint) chance) == 0;
}

/* --- ways to call --- */

/* How far up the stack a way to a call is told from others. */
#define MAX_DEPTH 16

static GHashTable *failed_ways; /* keys of ways that have failed before */
static GHashTable *taken_ways;  /* how often each was taken in this run */

void
clfaults_set_next_way (void)
{
  clfaults_set (NULL, 0);
  g_mutex_lock (&lock);
  fails_ways = TRUE;
  if (failed_ways == NULL) {
    failed_ways = g_hash_table_new (NULL, NULL);
    taken_ways = g_hash_table_new (NULL, NULL);
  }
  g_hash_table_remove_all (taken_ways);
  g_mutex_unlock (&lock);
}

/* Whether this call is to fail: taken for the first, second, fourth… time. Call
 * with the lock. */
static gboolean
is_next_way (void)
{
  void *stack[MAX_DEPTH];
  const gint depth = backtrace (stack, MAX_DEPTH);
  gsize way = 0;
  guint n;

  for (gint i = 0; i < depth; i++)
    way = way * 31 + (gsize) stack[i];
  n = 1
      + GPOINTER_TO_UINT (
          g_hash_table_lookup (taken_ways, GSIZE_TO_POINTER (way)));
  g_hash_table_insert (
      taken_ways, GSIZE_TO_POINTER (way), GUINT_TO_POINTER (n));
  if ((n & (n - 1)) != 0
      || !g_hash_table_add (failed_ways, GSIZE_TO_POINTER (way * 31 + n)))
    return FALSE;
  fails_ways = FALSE;
  return TRUE;
}

void
clfaults_set_status (cl_int status)
{
  faulty_status = status;
}

cl_int
clfaults_status (void)
{
  return faulty_status;
}

const gchar *
clfaults_failed (void)
{
  return failed;
}

void
clfaults_count (const gchar *name)
{
  counted_name = name;
  g_atomic_int_set (&n_calls, 0);
}

guint
clfaults_n_calls (void)
{
  return g_atomic_int_get (&n_calls);
}

gconstpointer
clfaults_imported (void)
{
  return g_atomic_pointer_get (&imported);
}

gint
clfaults_n_alive (void)
{
  return g_atomic_int_get (&n_alive);
}

void
clfaults_delay (const gchar *name, gulong us)
{
  g_mutex_lock (&lock);
  delayed_name = name;
  delay = us;
  g_mutex_unlock (&lock);
}

static struct
{
  GMutex lock;
  GCond changed;
  const gchar *name; /* NULL: none */
  GThread *free;     /* the thread that never waits */
  guint n;           /* calls that wait */
} blocked;

void
clfaults_block (const gchar *name)
{
  g_mutex_lock (&blocked.lock);
  blocked.name = name;
  blocked.free = g_thread_self ();
  g_cond_broadcast (&blocked.changed);
  g_mutex_unlock (&blocked.lock);
}

gboolean
clfaults_is_blocking (void)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&blocked.lock);

  return blocked.n > 0;
}

/* Counts the call, and makes it wait. */
static void
begin_call (const gchar *name)
{
  const gint64 end = g_get_monotonic_time () + 5 * G_TIME_SPAN_SECOND;
  g_autoptr (GMutexLocker) locker = NULL;
  gulong us;

  if (g_strcmp0 (name, counted_name) == 0)
    g_atomic_int_inc (&n_calls);
  g_mutex_lock (&lock);
  us = g_strcmp0 (name, delayed_name) == 0 ? delay : 0;
  g_mutex_unlock (&lock);
  if (us > 0) /* no time is 60 us, in each of a million calls */
    g_usleep (us);
  locker = g_mutex_locker_new (&blocked.lock);
  blocked.n++;
  while (g_strcmp0 (name, blocked.name) == 0 && g_thread_self () != blocked.free
      && g_cond_wait_until (&blocked.changed, &blocked.lock, end))
    continue;
  blocked.n--;
}

void
clfaults_break_sources (gboolean is_broken)
{
  breaks_sources = is_broken;
}

void
clfaults_refuse_pinned (gboolean is_refused)
{
  refuses_pinned = is_refused;
}

void
clfaults_corrupt (ClFaultsCorrupted what)
{
  corrupts = what;
  g_mutex_lock (&lock);
  awaited = NULL;
  g_mutex_unlock (&lock);
}

gboolean
clfaults_fails (const gchar *name)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = NULL;

  begin_call (name);
  locker = g_mutex_locker_new (&lock);
  if (fails_ways && is_next_way ()) {
    failed = name;
    return TRUE;
  }
  if (faulty_name != NULL && strcmp (name, faulty_name) != 0)
    return FALSE;
  if (chance == 0 ? countdown == 0 || --countdown > 0 : !loses_lot ())
    return FALSE;
  failed = name;
  return TRUE;
}

static void
count_event (cl_int status, const cl_event *event)
{
  if (status == CL_SUCCESS && event != NULL)
    g_atomic_int_inc (&n_alive);
}

/* A call for a device that returns its status. */
#define DEVICE_STATUS_CALL(name, device, parameters, arguments)                \
  cl_int name parameters                                                       \
  {                                                                            \
    if (clfaults_fails (#name) || cldevices_fails (#name, device))             \
      return clfaults_status ();                                               \
    return CLFAULTS_REAL (name) arguments;                                     \
  }

/* A call that enqueues a command, returns its status, and may create an event.
 */
#define ENQUEUE_CALL(name, parameters, arguments)                              \
  cl_int name parameters                                                       \
  {                                                                            \
    cl_int status;                                                             \
                                                                               \
    if (clfaults_fails (#name))                                                \
      return clfaults_status ();                                               \
    status = CLFAULTS_REAL (name) arguments;                                   \
    count_event (status, event);                                               \
    return status;                                                             \
  }

#define STATUS_CALL(name, parameters, arguments)                               \
  DEVICE_STATUS_CALL (name, NULL, parameters, arguments)

/* A call for a device that returns an object, and its status in *status. */
#define DEVICE_CREATE_CALL(type, name, device, parameters, arguments)          \
  type name parameters                                                         \
  {                                                                            \
    type object;                                                               \
                                                                               \
    if (clfaults_fails (#name) || cldevices_fails (#name, device)) {           \
      *status = clfaults_status ();                                            \
      return NULL;                                                             \
    }                                                                          \
    object = CLFAULTS_REAL (name) arguments;                                   \
    if (object != NULL)                                                        \
      g_atomic_int_inc (&n_alive);                                             \
    return object;                                                             \
  }

#define CREATE_CALL(type, name, parameters, arguments)                         \
  DEVICE_CREATE_CALL (type, name, NULL, parameters, arguments)

/* A call that adds or drops a reference. Dropping never fails: nobody could
 * react to it. */
#define COUNT_CALL(type, name, change, can_fail)                               \
  cl_int name (type object)                                                    \
  {                                                                            \
    if (!can_fail)                                                             \
      begin_call (#name);                                                      \
    else if (clfaults_fails (#name))                                           \
      return clfaults_status ();                                               \
    g_atomic_int_add (&n_alive, change);                                       \
    return CLFAULTS_REAL (name) (object);                                      \
  }

/* --- held writes --- */

static GMutex holding_lock; /* protects holding_time and holds_frames */
static GCond holding_ends;
static gulong holding_time;
static gint n_held;

void
clfaults_hold_writes (gulong us)
{
  g_mutex_lock (&holding_lock);
  holding_time = us;
  g_cond_broadcast (&holding_ends);
  g_mutex_unlock (&holding_lock);
}

guint
clfaults_n_held (void)
{
  return g_atomic_int_get (&n_held);
}

static gpointer
end_holding (gpointer gate)
{
  gint64 end;

  g_mutex_lock (&holding_lock);
  end = g_get_monotonic_time () + holding_time;
  while (
      holding_time > 0 && g_cond_wait_until (&holding_ends, &holding_lock, end))
    ;
  g_mutex_unlock (&holding_lock);
  g_atomic_int_add (&n_held, -1);
  CLFAULTS_REAL (clSetUserEventStatus) (gate, CL_COMPLETE);
  CLFAULTS_REAL (clReleaseEvent) (gate);
  return NULL;
}

/* Has the commands that follow in the queue wait for a while. */
static cl_command_queue
hold_write (cl_command_queue queue)
{
  cl_context context;
  cl_event gate;
  cl_int status;

  if (holding_time == 0)
    return queue;
  g_atomic_int_inc (&n_held);
  clGetCommandQueueInfo (
      queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  gate = CLFAULTS_REAL (clCreateUserEvent) (context, &status);
  CLFAULTS_REAL (clEnqueueBarrierWithWaitList) (queue, 1, &gate, NULL);
  g_thread_unref (g_thread_new ("gate", end_holding, gate));
  return queue;
}

static const char *broken_source = "kernel void broken (no_such_type x) {}";

/* clang-format off */
COUNT_CALL (cl_mem, clRetainMemObject, 1, TRUE)
COUNT_CALL (cl_mem, clReleaseMemObject, -1, FALSE)
COUNT_CALL (cl_kernel, clReleaseKernel, -1, FALSE)
COUNT_CALL (cl_program, clReleaseProgram, -1, FALSE)
COUNT_CALL (cl_context, clReleaseContext, -1, FALSE)
COUNT_CALL (cl_command_queue, clReleaseCommandQueue, -1, FALSE)
COUNT_CALL (cl_event, clRetainEvent, 1, TRUE)
COUNT_CALL (cl_event, clReleaseEvent, -1, FALSE)

DEVICE_CREATE_CALL (cl_context, clCreateContext, *devices,
    (const cl_context_properties *properties, cl_uint n,
        const cl_device_id *devices,
        void (CL_CALLBACK *notify) (
            const char *, const void *, size_t, void *),
        void *data, cl_int *status),
    (cldevices_real (*devices) == *devices ? properties : NULL, n,
        &(cl_device_id){ cldevices_real (*devices) }, notify, data, status))
DEVICE_CREATE_CALL (cl_command_queue, clCreateCommandQueue, device,
    (cl_context context, cl_device_id device,
        cl_command_queue_properties properties, cl_int *status),
    (context, cldevices_real (device), properties, status))
CREATE_CALL (cl_program, clCreateProgramWithSource,
    (cl_context context, cl_uint n, const char **strings,
        const size_t *lengths, cl_int *status),
    (context, breaks_sources ? 1 : n,
        breaks_sources ? &broken_source : strings, lengths, status))
DEVICE_STATUS_CALL (clBuildProgram, *devices,
    (cl_program program, cl_uint n, const cl_device_id *devices,
        const char *options, void (CL_CALLBACK *notify) (cl_program, void *),
        void *data),
    (program, n, &(cl_device_id){ cldevices_real (*devices) },
        options, notify, data))
STATUS_CALL (clGetProgramBuildInfo,
    (cl_program program, cl_device_id device, cl_program_build_info name,
        size_t size, void *value, size_t *value_size),
    (program, cldevices_real (device), name, size, value, value_size))
CREATE_CALL (cl_kernel, clCreateKernel,
    (cl_program program, const char *name, cl_int *status),
    (program, clfaults_note_made (name), status))
STATUS_CALL (clSetKernelArg,
    (cl_kernel kernel, cl_uint index, size_t size, const void *value),
    (kernel, index, size, value))
ENQUEUE_CALL (clEnqueueNDRangeKernel,
    (cl_command_queue queue, cl_kernel kernel, cl_uint n_dimensions,
        const size_t *offset, const size_t *global, const size_t *local,
        cl_uint n_events, const cl_event *events, cl_event *event),
    (queue, clfaults_note_launched (kernel), n_dimensions, offset, global, local,
        n_events, events, event))
ENQUEUE_CALL (clEnqueueWriteBuffer,
    (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
        size_t size, const void *data, cl_uint n_events,
        const cl_event *events, cl_event *event),
    (hold_write (queue), buffer, blocking, offset, size, data, n_events, events,
        event))
ENQUEUE_CALL (clEnqueueFillBuffer,
    (cl_command_queue queue, cl_mem buffer, const void *pattern,
        size_t pattern_size, size_t offset, size_t size, cl_uint n_events,
        const cl_event *events, cl_event *event),
    (queue, buffer, pattern, pattern_size, offset, size, n_events, events,
        event))
ENQUEUE_CALL (clEnqueueUnmapMemObject,
    (cl_command_queue queue, cl_mem buffer, void *mapped, cl_uint n_events,
        const cl_event *events, cl_event *event),
    (queue, buffer, mapped, n_events, events, event))
ENQUEUE_CALL (clEnqueueMarkerWithWaitList,
    (cl_command_queue queue, cl_uint n_events, const cl_event *events,
        cl_event *event),
    (queue, n_events, events, event))
ENQUEUE_CALL (clEnqueueBarrierWithWaitList,
    (cl_command_queue queue, cl_uint n_events, const cl_event *events,
        cl_event *event),
    (queue, n_events, events, event))
CREATE_CALL (cl_event, clCreateUserEvent, (cl_context context, cl_int *status),
    (context, status))
STATUS_CALL (clSetUserEventStatus, (cl_event event, cl_int execution_status),
    (event, execution_status))
STATUS_CALL (clFlush, (cl_command_queue queue), (queue))
STATUS_CALL (clFinish, (cl_command_queue queue), (queue))
/* clang-format on */

cl_mem
clCreateBuffer (cl_context context, cl_mem_flags flags, size_t size, void *host,
    cl_int *status)
{
  cl_mem buffer;

  if (clfaults_fails (
          flags & CL_MEM_USE_HOST_PTR ? CLFAULTS_IMPORT : "clCreateBuffer")
      || (refuses_pinned && flags & CL_MEM_ALLOC_HOST_PTR)) {
    *status = clfaults_status ();
    return NULL;
  }
  if (flags & CL_MEM_USE_HOST_PTR)
    g_atomic_pointer_set (&imported, host);
  buffer = CLFAULTS_REAL (clCreateBuffer) (context, flags, size, host, status);
  if (buffer != NULL)
    g_atomic_int_inc (&n_alive);
  return buffer;
}

/* event: of the frame's last command. */
static void
corrupt_after (cl_event event)
{
  g_mutex_lock (&lock);
  if (to_corrupt != NULL && awaited == NULL) {
    awaited = event;
    corrupted = to_corrupt;
  }
  to_corrupt = NULL;
  g_mutex_unlock (&lock);
}

static void
corrupt_if_awaited (cl_event event)
{
  g_mutex_lock (&lock);
  if (event == awaited) {
    ++*(guint8 *) corrupted;
    awaited = NULL;
  }
  g_mutex_unlock (&lock);
}

cl_int
clEnqueueReadBuffer (cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    size_t offset, size_t size, void *data, cl_uint n_events,
    const cl_event *events, cl_event *event)
{
  cl_int status;

  if (clfaults_fails ("clEnqueueReadBuffer"))
    return clfaults_status ();
  status = CLFAULTS_REAL (clEnqueueReadBuffer) (
      queue, buffer, blocking, offset, size, data, n_events, events, event);
  count_event (status, event);
  /* only the bins have an event */
  if (corrupts == (event != NULL ? CLFAULTS_BINS : CLFAULTS_PIXELS))
    to_corrupt = data;
  if (event != NULL)
    corrupt_after (*event);
  return status;
}

cl_int
clEnqueueReadBufferRect (cl_command_queue queue, cl_mem buffer,
    cl_bool blocking, const size_t *from, const size_t *to,
    const size_t *region, size_t from_row, size_t from_slice, size_t to_row,
    size_t to_slice, void *data, cl_uint n_events, const cl_event *events,
    cl_event *event)
{
  cl_int status;

  if (clfaults_fails ("clEnqueueReadBufferRect"))
    return clfaults_status ();
  status = CLFAULTS_REAL (clEnqueueReadBufferRect) (queue, buffer, blocking,
      from, to, region, from_row, from_slice, to_row, to_slice, data, n_events,
      events, event);
  count_event (status, event);
  if (corrupts == CLFAULTS_PIXELS)
    to_corrupt = data;
  return status;
}

void *
clEnqueueMapBuffer (cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    cl_map_flags flags, size_t offset, size_t size, cl_uint n_events,
    const cl_event *events, cl_event *event, cl_int *status)
{
  void *mapped;

  if (clfaults_fails ("clEnqueueMapBuffer")) {
    *status = clfaults_status ();
    return NULL;
  }
  mapped = CLFAULTS_REAL (clEnqueueMapBuffer) (queue, buffer, blocking, flags,
      offset, size, n_events, events, event, status);
  if (corrupts == CLFAULTS_PIXELS)
    to_corrupt = mapped;
  return mapped;
}

/* --- held frames --- */

static gboolean holds_frames;

void
clfaults_hold_frames (gboolean holds)
{
  g_mutex_lock (&holding_lock);
  holds_frames = holds;
  g_cond_broadcast (&holding_ends);
  g_mutex_unlock (&holding_lock);
}

static void
wait_for_release (void)
{
  g_mutex_lock (&holding_lock);
  while (holds_frames)
    g_cond_wait (&holding_ends, &holding_lock);
  g_mutex_unlock (&holding_lock);
}

cl_int
clWaitForEvents (cl_uint n, const cl_event *events)
{
  cl_int status;

  wait_for_release ();
  if (clfaults_fails ("clWaitForEvents"))
    return clfaults_status ();
  status = CLFAULTS_REAL (clWaitForEvents) (n, events);
  corrupt_if_awaited (events[0]);
  return status;
}
